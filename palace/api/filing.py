"""Filing: what a person puts into a palace, from files, from a program, by hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from palace.api.lifetime import OpenedPalace
from palace.cancellation import Cancellation, ended_by
from palace.models import Drawer, MineSummary, OnProgress

if TYPE_CHECKING:
    from palace.mining.files.reading import Readers


class Filing(OpenedPalace):
    """What files messages; the façade has it."""

    def mine(
        self,
        *sources: str | Path,
        name: str | None = None,
        wing: str | None = None,
        dry_run: bool = False,
        exclude: Sequence[str] = (),
        keep_secrets: bool = False,
        restore_forgotten: bool = False,
        dates: str | None = None,
        encoding: str | None = None,
        readers: Readers | None = None,
        background: bool = False,
        progress: OnProgress | None = None,
        cancel: Cancellation | None = None,
    ) -> MineSummary:
        """Mine files, folders, exports' zips, or standard input (``"-"``); mining again adds only what is new.

        What says nothing of itself goes into a wing called after its file, or after the folder or zip it was found
        in; ``name`` is the file's name that standard input goes by. ``dates`` says how 05/01/2024 is meant, "day-first"
        or "month-first", where the source does not tell; ``encoding`` is that of text which is not UTF-8.
        ``exclude`` are regular expressions: a message that one is found in is not filed. Keys, passwords and their like
        are replaced by ``[secret: kind]``, unless ``keep_secrets`` (docs/secrets.md). What was forgotten stays so,
        unless ``restore_forgotten`` brings it back. ``readers`` of your own are asked first (docs/extending.md). In the
        ``background``, workers do what comes after filing (docs/worker.md). What cannot be read, or leads nowhere among
        several, is in the summary's ``failures``; the others are mined.

        Raises:
            UnreadableSource: the only path leads nowhere, or there is nothing to mine in the folder.
            BadRequest: a pattern, an encoding or an order of dates is none; ``Cancelled``: the same call goes on.
        """
        # Only those who mine wait for the readers to be imported.
        from palace.operations.mine import mine, options_of

        options = options_of(
            wing=self._named(wing),
            exclude=exclude,
            restores=restore_forgotten,
            dates=dates,
            encoding=encoding,
            progress=progress,
        )
        options = replace(options, background=background, keeps_secrets=keep_secrets)
        with ended_by(cancel):
            summary = mine(self._opened, sources, options, name=name, dry_run=dry_run, readers=readers)
        return self._with_worker(summary, background=background and not dry_run)

    def file(
        self,
        messages: Sequence[object],
        *,
        id: str | None = None,
        title: str | None = None,
        wing: str | None = None,
        keep_secrets: bool = False,
        restore_forgotten: bool = False,
        background: bool = False,
        cancel: Cancellation | None = None,
    ) -> MineSummary:
        """File a conversation that the program has in memory, as mining a file of the same messages would.

        ``messages`` are mappings in the shape of chat APIs (``{"role": …, "content": …}``, with a time, a name or an id
        where there is one), objects with ``model_dump``, or ``Turn`` records. ``id`` is the program's own name for it:
        filed again as it grows, it adds what is new; without one it is known by what is said in it. A message that
        cannot be read is in the summary's ``failures``; ``pointers`` say where each stands, filed now or before.
        ``background`` is that of ``mine``.

        Raises:
            BadRequest: there are no messages, or one is none of these; ``Cancelled``: as ``mine`` is.
        """
        from palace.operations.mine import file, options_of

        options = options_of(wing=self._named(wing), restores=restore_forgotten)
        options = replace(options, background=background, keeps_secrets=keep_secrets)
        with ended_by(cancel):
            summary = file(self._opened, messages, options, id=id, title=title)
        return self._with_worker(summary, background=background)

    def note(
        self,
        text: str,
        *,
        wing: str | None = None,
        said_at: datetime | None = None,
        id: str | None = None,
        keep_secrets: bool = False,
        background: bool = False,
    ) -> Drawer:
        """File a note by hand, in the wing "Notes" unless another is named.

        The very same note again, with the same words, wing and moment, is the drawer that it has. Another text under
        an ``id``, a name of your own, replaces the former, which stays as its old version. Secrets are taken out of it,
        unless ``keep_secrets``. In the ``background`` it is found by its words at once, and workers do the rest.

        Raises:
            BadRequest: the note is empty or larger than a drawer holds, its id is none, ``said_at`` is the first or the
                last day of the calendar, or the note was filed and forgotten.
        """
        from palace.operations.mine import note, note_of

        handed = note_of(self._opened, text, wing=wing, said_at=said_at, id=id)
        drawer = note(self._opened, handed, keeps_secrets=keep_secrets, background=background)
        if background:
            self._wake_worker()
        return drawer

    def _named(self, wing: str | None) -> str | None:
        from palace.operations.tree import wing_to_file_in

        return wing_to_file_in(self._opened, wing)
