"""Export and import a palace, and write pages for people."""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from palace.cancellation import Cancellation, ended_by
from palace.config.effective import check_consistent
from palace.config.table import get_setting
from palace.db.graph.decisions import list_decisions
from palace.db.settings import TAKEN_ALONG, all_settings
from palace.db.transfer.places import Standing, find_standing
from palace.db.users import get_palace_key
from palace.errors import BadRequest, PalaceError, UnreadableSource
from palace.graph.update import respect
from palace.models import BackfillSummary, ExportSummary, ImportSummary, OnProgress, PagesSummary
from palace.models.activity import IMPORTED
from palace.models.external_keys import Key
from palace.models.lines import (
    ConversationLine,
    DrawerLine,
    RoomLine,
    RunLine,
    SettingLine,
    TombstoneLine,
    WingLine,
)
from palace.opened import OpenPalace, Verbs
from palace.operations.activity import recorded
from palace.operations.embeddings import EmbeddingVerbs
from palace.operations.tree import TreeVerbs
from palace.telemetry import memory

if TYPE_CHECKING:
    from palace.transfer.export import ExportWriter
    from palace.transfer.load import Import
    from palace.transfer.parsing import Contents


class TransferVerbs(Verbs):
    """Export and import a palace."""

    def export(
        self,
        target: str | Path | BinaryIO,
        *,
        wing: str | None = None,
        force: bool = False,
        settings: bool = False,
        progress: OnProgress | None = None,
        cancel: Cancellation | None = None,
    ) -> ExportSummary:
        """Write a consistent snapshot of the palace to a file or a stream: its drawers and the person's decisions.

        Derived data (passages, embeddings, closets, counts), costs and the user's name are left out. ``wing`` (name or
        ``W-042``) limits it to that wing. A file gets its name only when it is complete; ``force`` overwrites an
        existing one; ``settings`` includes the user's settings, except models and addresses. docs/export.md describes
        the format.

        Raises:
            NotFound: there is no such wing.
            BadRequest: the file exists already, or cannot be written.
            Cancelled: ``cancel`` was cancelled; no file is left, a stream is truncated.
        """
        from palace.transfer.export import Export, replacing

        started = time.monotonic()
        opened = self._opened
        with ended_by(cancel):
            chosen = None if wing is None else TreeVerbs(opened).wing(wing)
            export = Export(opened.database, chosen, progress, settings=settings)
            if not isinstance(target, (str, Path)):
                return _written(export.write_to(target), None, started)
            with replacing(Path(target), force=force) as stream:
                writer = export.write_to(stream)
            return _written(writer, str(target), started)

    def pages(
        self,
        folder: str | Path,
        *,
        format: str = "html",
        wing: str | None = None,
        force: bool = False,
        progress: OnProgress | None = None,
        cancel: Cancellation | None = None,
    ) -> PagesSummary:
        """Write linked pages for people, one per room, to a folder that is new or empty.

        ``format`` is html or markdown. Message text is escaped, so that nothing in it runs. ``wing`` (name or W-042)
        limits it to that wing, ``force`` replaces pages that were written there before.

        Raises:
            NotFound: there is no such wing.
            BadRequest: there is no such format, the folder is not empty, or cannot be written.
            Cancelled: ``cancel`` was cancelled; nothing is left.
        """
        from palace.transfer.pages.folder import written_folder
        from palace.transfer.pages.write import FORMATS, Pages

        started = time.monotonic()
        if format not in FORMATS:
            raise BadRequest(f"pages are written as {' or '.join(FORMATS)}, not {format!r}")
        opened = self._opened
        with ended_by(cancel):
            chosen = None if wing is None else TreeVerbs(opened).wing(wing)
            pages = Pages(opened.database, FORMATS[format], chosen, progress, zone=opened.settings.zone)
            with written_folder(Path(folder), force=force) as written:
                pages.write_to(written)
        return PagesSummary(str(folder), format, pages.wings, pages.rooms, pages.drawers, time.monotonic() - started)

    def load(
        self,
        path: str | Path,
        *,
        settings: bool = False,
        progress: OnProgress | None = None,
        cancel: Cancellation | None = None,
    ) -> ImportSummary:
        """Import an export from a file, or standard input (``"-"``), then run the index steps.

        An empty palace becomes the exported one. Otherwise existing drawers stay unchanged, and forgotten ones stay
        forgotten; in the same palace missing drawers get their old pointers, as far as those are free, in another
        palace new ones, which the summary lists. ``settings`` also imports settings of the file that are not set here.
        After an interruption or cancellation the same call continues.

        Raises:
            UnreadableSource: the file is not a complete export of this version; nothing was stored.
            BadRequest: settings of the file contradict those here; nothing was stored.
            EmbeddingError: the settings name another model than the palace has; nothing was stored.
            Cancelled: ``cancel`` was cancelled; what was filed stays.
        """
        with ended_by(cancel):
            return self._load(path, settings, progress)

    def _load(self, path: str | Path, with_settings: bool, progress: OnProgress | None) -> ImportSummary:
        from palace.transfer.parsing import opened_export, survey

        started = time.monotonic()
        opened = self._opened
        with opened_export(path) as (stream, name):
            try:
                contents = survey(stream, name, progress)
            except UnreadableSource as problem:
                raise told_what_reads(problem, path) from problem
            opened.database.shared.check_schema()
            taken = usable_settings(opened, contents.settings) if with_settings else ()
            filing = importer(opened, contents, taken, progress)
            # Before anything is filed, because passages are pending in the existing generations.
            opened.embedding_run()
            with memory("upsert_memory", "import") as observed, recorded(opened, IMPORTED) as tell:
                filing.file()
                # Apply the imported decisions to the names that were here before.
                opened.run(lambda session: respect(session, list_decisions(session), opened.owner))
                summary = _summary(filing, EmbeddingVerbs(opened).backfill(progress=progress), started)
                observed.count(summary.drawers_new)
                if summary.drawers_new:
                    names = ("drawers_new", "drawers_unchanged", "drawers_forgotten")
                    told = {name: getattr(summary, name) for name in names}
                    tell(told | {"warning_count": len(summary.warnings)})
                return summary


def _summary(filing: Import, done: BackfillSummary, started: float) -> ImportSummary:
    contents = filing.contents
    return ImportSummary(
        wings=len(contents.wings),
        conversations=contents.conversations,
        tombstones=contents.tombstones,
        drawers_new=filing.new,
        drawers_unchanged=filing.unchanged,
        drawers_forgotten=filing.forgotten,
        passages_embedded=done.embedded,
        passages_pending=done.pending,
        cost_usd=done.cost_usd,
        seconds=time.monotonic() - started,
        is_joined=filing.is_other,
        moved=tuple(filing.moved_places),
        settings=len(filing.settings),
        warnings=(*filing.warnings, *done.warnings),
    )


def _written(writer: ExportWriter, path: str | None, started: float) -> ExportSummary:
    return ExportSummary(
        file=path,
        runs=writer.counts[RunLine],
        wings=writer.counts[WingLine],
        conversations=writer.counts[ConversationLine],
        rooms=writer.counts[RoomLine],
        drawers=writer.counts[DrawerLine],
        tombstones=writer.counts[TombstoneLine],
        size_bytes=writer.bytes,
        seconds=time.monotonic() - started,
    )


def importer(
    opened: OpenPalace,
    contents: Contents,
    settings: Sequence[SettingLine],
    progress: OnProgress | None,
    *,
    is_sync: bool = False,
) -> Import:
    """Return an importer for a file's contents, or for a bundle of another machine, into the current palace."""
    from palace.transfer.join import Join
    from palace.transfer.load import Import

    standing = opened.run(partial(find_standing, header=contents.header))
    zone = opened.settings.zone
    if standing is not Standing.OTHER and not is_sync:
        return Import(opened.database, contents, progress, zone=zone, settings=settings)
    # Conversations without ids are recognised as in mining.
    from palace.mining.filing.candidates import recognise
    from palace.mining.redaction import Redactor, find_rules

    rules = opened.run(lambda session: find_rules(session, opened.settings))
    known_again = partial(recognise, redactor=Redactor(Key(opened.run(get_palace_key)), rules))
    return Join(
        opened.database, contents, progress, zone=zone, settings=settings, recognise=known_again, is_sync=is_sync
    )


def told_what_reads(problem: UnreadableSource, path: str | Path) -> UnreadableSource:
    """Return the error with a hint at ``palace mine``, if mining can read the file."""
    from palace.mining.discovery import gather
    from palace.mining.readers.registry import read_conversations
    from palace.transfer.lines import NO_EXPORT

    if problem.reason == NO_EXPORT and str(path) != "-":
        with suppress(PalaceError):
            for source in gather([path]).sources:
                if next(iter(read_conversations(source)), None) is not None:
                    return UnreadableSource(problem.file, f"{NO_EXPORT}: `palace mine` takes it up")
    return problem


def usable_settings(opened: OpenPalace, lines: Sequence[SettingLine]) -> tuple[SettingLine, ...]:
    """Return the file's settings that may be imported and are not set here.

    Raises:
        BadRequest: they contradict the settings here.
    """
    stored = opened.run(all_settings)
    taken = tuple(
        line
        for line in lines
        if line.name in TAKEN_ALONG and get_setting(line.name).accepts(line.value)
        if (line.agent, line.name) not in stored and (not line.agent or get_setting(line.name).of_agents)
    )
    together = stored | {(line.agent, line.name): line.value for line in taken}
    try:
        check_consistent(opened.settings, together, {agent for agent, _ in together} - {""})
    except BadRequest as problem:
        raise BadRequest(f"what the file sets cannot be taken up here: {problem}; import without --settings") from None
    return taken
