"""How a file is taken up: as this palace's own, or as another one's; and what of its settings may be."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from palace.errors import BadRequest, PalaceError, UnreadableSource
from palace.files.lines import SettingLine
from palace.intake.key import Key
from palace.opened import OpenPalace
from palace.records import Conversation, OnProgress
from palace.settings.personal.effective import check_consistent
from palace.settings.personal.table import get_setting
from palace.store.database import UserSession
from palace.store.settings.stored import all_settings
from palace.store.transfer.beginning import Standing, find_standing
from palace.store.transfer.settings import TAKEN_ALONG
from palace.store.users import get_palace_key

if TYPE_CHECKING:
    from palace.transfer.load import Import
    from palace.transfer.survey import Contents


def importer(
    opened: OpenPalace, contents: Contents, settings: Sequence[SettingLine], progress: OnProgress | None
) -> Import:
    """Give what files the contents of a file into the palace as it is now."""
    from palace.transfer.joining.join import Join
    from palace.transfer.load import Import

    standing = opened.run(partial(find_standing, header=contents.header))
    zone = opened.settings.zone
    if standing is not Standing.OTHER:
        return Import(opened.database, contents, progress, zone=zone, settings=settings)
    return Join(opened.database, contents, progress, zone=zone, settings=settings, recognise=_Recognising(opened))


def told_what_reads(problem: UnreadableSource, path: str | Path) -> UnreadableSource:
    """Say of a file that is no export that mining takes it up, where it does."""
    from palace.mining.readers.registry import read_conversations
    from palace.mining.sources import gather
    from palace.transfer.lines import NO_EXPORT

    if problem.reason == NO_EXPORT and str(path) != "-":
        with suppress(PalaceError):
            for source in gather([path]).sources:
                if next(iter(read_conversations(source)), None) is not None:
                    return UnreadableSource(problem.file, f"{NO_EXPORT}: `palace mine` takes it up")
    return problem


def usable_settings(opened: OpenPalace, lines: Sequence[SettingLine]) -> tuple[SettingLine, ...]:
    """Give those of a file's settings that may be taken up and are not set here.

    Raises:
        BadRequest: together with what is set here they contradict each other.
    """
    stored = opened.run(all_settings)
    taken = tuple(
        line for line in lines if _may_be(line) and (line.agent, line.name) not in stored and _is_agents(line)
    )
    together = stored | {(line.agent, line.name): line.value for line in taken}
    try:
        check_consistent(opened.settings, together, {agent for agent, _ in together} - {""})
    except BadRequest as problem:
        raise BadRequest(f"what the file sets cannot be taken up here: {problem}; import without --settings") from None
    return taken


def _may_be(line: SettingLine) -> bool:
    return line.name in TAKEN_ALONG and get_setting(line.name).accepts(line.value)


def _is_agents(line: SettingLine) -> bool:
    return not line.agent or get_setting(line.name).of_agents


class _Recognising:
    """Knows conversations without ids again as mining does."""

    def __init__(self, opened: OpenPalace) -> None:
        from palace.mining.redaction.keeping import Keeping
        from palace.mining.redaction.rules import find_rules

        rules = opened.run(lambda session: find_rules(session, opened.settings))
        self._keeping = Keeping(Key(opened.run(get_palace_key)), rules)

    def __call__(self, session: UserSession, conversation: Conversation, name: str) -> tuple[str, dict[int, bytes]]:
        from palace.mining.filing.recognise import recognise

        return recognise(session, conversation, name, self._keeping)
