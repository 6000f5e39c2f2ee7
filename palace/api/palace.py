"""The façade: one method for each thing a person does with a palace."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from palace.api.lifetime import OpenedPalace
from palace.api.recall_methods import RecallMethods
from palace.cancellation import Cancellation, ended_by
from palace.models import intake
from palace.operations.relations import GraphReading
from palace.operations.work_reading import WorkReading

if TYPE_CHECKING:
    from palace.agent.options import TurnOptions
    from palace.agent.turn import Turn
    from palace.mining.files.reading import Readers
    from palace.models import (
        About,
        Activity,
        CostLine,
        Drawer,
        ForgetRequest,
        ForgetSummary,
        HookReason,
        MineSummary,
        OnProgress,
        PalaceStatus,
        RebuildSummary,
        Recent,
        Recollection,
        Scope,
        ScrubSummary,
        ShownDrawer,
        WorkHistory,
    )


class Palace(RecallMethods, GraphReading, WorkReading, OpenedPalace):
    """One user's palace. Use it as a context manager, or close it; ``Palaces`` serves several users.

    Safe to share between threads. Opening starts the embedded server and migrates its schema. Modules that recall does
    not need are imported by the methods that do.
    """

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
        """Mine files, folders, exported zip archives, or standard input (``"-"``); mining again adds only what is new.

        Conversations without a project go to a wing named after their file, or the folder or zip that contains it;
        ``name`` is the file name to use for standard input. ``dates`` says whether 05/01/2024 is "day-first" or
        "month-first", where the source does not tell; ``encoding`` is that of text which is not UTF-8. ``exclude`` are
        regular expressions: a message that matches one is not filed. Secrets are replaced by ``[secret: kind]``, unless
        ``keep_secrets`` (docs/secrets.md). Forgotten messages stay forgotten, unless ``restore_forgotten``. ``readers``
        of your own are tried first (docs/extending.md). In the ``background``, workers do the index steps
        (docs/worker.md). A path that cannot be read is in the summary's ``failures`` if others can be mined.

        Raises:
            UnreadableSource: the only path does not exist, or there is nothing to mine in the folder.
            BadRequest: a pattern, an encoding or ``dates`` is invalid; ``Cancelled``: calling again continues.
        """
        # Imports of readers happen only in calls that mine.
        from palace.operations.mine import mine, options_of
        from palace.operations.tree import wing_to_file_in

        options = options_of(
            wing=wing_to_file_in(self._opened, wing),
            exclude=exclude,
            restores=restore_forgotten,
            dates=dates,
            encoding=encoding,
            progress=progress,
        )
        options = replace(options, background=background, keeps_secrets=keep_secrets)
        with ended_by(cancel):
            summary = mine(self._opened, sources, options, name=name, dry_run=dry_run, readers=readers)
        if background and not dry_run:
            self._wake_worker()
        return summary

    def file(
        self,
        messages: Sequence[object],
        *,
        id: str | None = None,
        title: str | None = None,
        wing: str | None = None,
        partial: bool = False,
        keep_secrets: bool = False,
        restore_forgotten: bool = False,
        background: bool = False,
        cancel: Cancellation | None = None,
    ) -> MineSummary:
        """File a conversation from memory, as mining a file of the same messages would.

        ``messages`` are mappings as chat APIs use them (``{"role": …, "content": …}``, optionally with a time, a name
        or an id), objects with ``model_dump``, or ``Turn`` records. ``id`` is your own id of the conversation: filing
        it again as it grows adds what is new; without one its content identifies it. ``partial`` messages add to those
        filed under the ``id``: give each an id, or equal ones are taken for one. A message that cannot be read is in
        the summary's ``failures``; ``pointers`` cite the drawer of each, new or old.

        Raises:
            BadRequest: no messages, one of another type, ``partial`` without ``id``; ``Cancelled``: the same continues.
        """
        from palace.operations.mine import file, options_of
        from palace.operations.tree import wing_to_file_in

        options = options_of(wing=wing_to_file_in(self._opened, wing), restores=restore_forgotten)
        options = replace(options, background=background, keeps_secrets=keep_secrets)
        with ended_by(cancel):
            summary = file(self._opened, messages, options, id=id, title=title, partial=partial)
        if background:
            self._wake_worker()
        return summary

    def note(
        self,
        text: str,
        *,
        wing: str | None = None,
        said_at: datetime | None = None,
        id: str | None = None,
        replaces: str | None = None,
        keep_secrets: bool = False,
        background: bool = False,
    ) -> Drawer:
        """File a note, in the wing "Notes" unless ``wing`` names another.

        Filing the same text, wing and time again returns the existing drawer. A new text under the same ``id``, which
        is yours to choose, replaces the old one, which is kept as its former version; one that ``replaces`` the note of
        a pointer replaces its current version. Secrets are removed, unless ``keep_secrets``. In the ``background`` the
        note is searchable by its words at once, and workers do the rest.

        Raises:
            BadRequest: the note is empty or larger than a drawer holds, its id is invalid, ``said_at`` is the first or
                the last day of the calendar, or the note was filed and forgotten; or it replaces what is no note.
        """
        from palace.operations.mine import note, note_of

        handed = note_of(self._opened, text, wing=wing, said_at=said_at, id=id, replaces=replaces)
        drawer = note(self._opened, handed, keeps_secrets=keep_secrets, background=background)
        if background:
            self._wake_worker()
        return drawer

    def note_versions(self, what: str) -> tuple[Drawer, ...]:
        """Return the versions of a note, by the pointer of one or by its own id, the current one last.

        The pointer of a message gives that message alone. Raises ``NotFound``: there is no such drawer or note.
        """
        from palace.operations.mine import list_note_versions

        return list_note_versions(self._opened, what)

    def turn(
        self,
        user_message: Any,
        *,
        history: Sequence[Any] = (),
        agent: str | None = None,
        session: str | None = None,
        options: TurnOptions | None = None,
    ) -> Turn:
        """Take a turn of a chat: recall for a message, and return the request to send; ``finish`` files the exchange.

        ``history`` is the messages before it, as chat APIs take them. ``session`` is your own id of the conversation;
        without one it is recognised by its beginning. ``agent`` is the name of the agent that replies. A failure is a
        note of the turn and one log line; memory takes ``options.timeout`` seconds at most (docs/turns.md).

        Raises:
            BadRequest: the history is no list of messages, or another argument is of a wrong type.
        """
        return self.turns.take(user_message, history, agent=agent, session=session, options=options)

    def recent(
        self,
        *,
        days: int = 7,
        since: datetime | None = None,
        wing: str | None = None,
        wings: Iterable[str] | None = None,
        scope: Scope | None = None,
        limit: int = 10,
        budget: int | None = None,
        now: datetime | None = None,
    ) -> Recent:
        """List the most telling statements, the open ends and the upcoming events of the last days.

        It covers the day of ``now``, by default the current time, and so many ``days`` before; ``since`` overrides
        ``days``. Nothing said after ``now`` is included. ``wing`` (name or ``W-042``), ``wings`` or a project's
        ``scope`` limits it; ``limit`` is the most items of each of the three parts; ``budget`` is the most tokens that
        they take as a block. If nothing was said in those days, it covers the latest days with messages
        (``is_earlier``). No model is called.

        Raises:
            BadRequest: a number is out of range, ``since`` is not before ``now``; ``NotFound``: there is no such wing.
        """
        from palace.operations.recall import recent, scope_in

        within = scope_in(self._opened, wing, wings, scope)
        return recent(self._opened, within, days=days, since=since, limit=limit, budget=budget, now=now)

    def explain_hook(
        self,
        prompt: str = "",
        folder: str | PathLike[str] = ".",
        *,
        agent: str = "claude-code",
        file: str | PathLike[str] | None = None,
        command: str | None = None,
        error: str | None = None,
    ) -> HookReason:
        """Return what `palace hook` would answer to a prompt in a folder, in a new session, and why.

        With a ``file``, a ``command`` or an ``error``, return what it would add before that file is edited or that
        command is run, or after that error; the prompt is then ignored. ``agent`` is the program that would ask:
        "claude-code", "codex", "gemini", "qwen", "opencode" or "cursor". Nothing is stored.

        Raises:
            BadRequest: there is no such agent, or an argument is of a wrong type.
        """
        from palace.hooks.explaining import explain_hook, explain_use

        if file is None and command is None and error is None:
            return explain_hook(self._opened, prompt, folder, agent)
        return explain_use(self._opened, folder, agent, file, command, error)

    def context_block(
        self, recollection: Recollection | Recent | About | WorkHistory, *, token_budget: int = 1500
    ) -> str:
        """Write hits, recent items, a page or a history as a block for a model; "" when nothing fits."""
        from palace.models import About, Recent, WorkHistory
        from palace.nlp.secrets.numbers import with_accounts
        from palace.recall import pack

        writers: dict[type, Callable[..., str]] = {About: pack.about_context, Recent: pack.recent_context}
        write = (writers | {WorkHistory: pack.work_context}).get(type(recollection), pack.memory_context)
        block = write(recollection, token_budget=intake.count("token_budget", token_budget), zone=self._zone)
        return with_accounts(block, self._opened.effective(None).accounts)

    def show(
        self, pointer: str, *, context: int = 0, wing: str | None = None, scope: Scope | None = None
    ) -> ShownDrawer:
        """Return the drawer that a pointer cites, with ``context`` neighbours on each side.

        With a ``wing`` (name or ``W-042``), or a ``scope`` of wings, the drawer must be there, nothing from other wings
        is included, and tags and relations are left out.

        Raises:
            BadRequest: the pointer is malformed; ``NotFound``: there is no such wing, or no such drawer in it.
        """
        from palace.operations.recall import scope_in
        from palace.operations.relations import with_said
        from palace.operations.tree import show_drawer

        within = scope_in(self._opened, wing, scope=scope)
        return self._opened.run(
            lambda session: with_said(self._opened, session, show_drawer(session, pointer, context, within), within)
        )

    def forget(
        self,
        what: str | ForgetRequest,
        *,
        closet: str | None = None,
        conversation: bool = False,
        dry_run: bool = False,
        now: bool = False,
        at_most: int | None = None,
        versions: bool = False,
        scope: Scope | None = None,
    ) -> ForgetSummary:
        """Forget a drawer, a room or a wing: it is no longer found, and mining does not bring it back.

        ``what`` is a pointer, a room (``W-001/R-02``), a wing (name or number), or a program's ``ForgetRequest``.
        ``closet`` names one topic of the room; ``conversation`` includes the drawer's or room's whole conversation,
        ``versions`` all versions of a note, in a ``scope`` of wings; ``dry_run`` only counts. What is forgotten can be
        restored (``palace.forgotten``) for the days of the setting ``forget_grace``; then, or with ``now``, it is gone
        for good. If there are more drawers than ``at_most``, which the caller confirmed, nothing is forgotten.

        Raises:
            NotFound: there is nothing of that name; ``MoreToForget``: there are more drawers than ``at_most``.
        """
        from palace.operations.forget import ForgetVerbs

        verbs = ForgetVerbs(self._opened, at_most=at_most)
        if versions:
            return verbs.note(what, scope=scope, dry_run=dry_run, now=now)
        return verbs.part(what, closet=closet, conversation=conversation, dry_run=dry_run, now=now)

    def forget_everything(self, *, dry_run: bool = False) -> ForgetSummary:
        """Delete all data of the user, including forgotten drawers; mining then starts from nothing again."""
        from palace.hooks.hand_over_log import delete_hand_overs
        from palace.hooks.sessions import Sessions
        from palace.operations.forget import ForgetVerbs

        if not dry_run:
            self.turns.discard()
            sessions = Sessions(self._opened.settings.home_folder, self.user)
            sessions.forget()
            delete_hand_overs(sessions)
        return ForgetVerbs(self._opened).everything(dry_run=dry_run)

    def status(self) -> PalaceStatus:
        """Return the size and state of the palace in numbers."""
        from palace.operations.status import status_of

        return status_of(self._opened)

    def rebuild(
        self, *, wing: str | None = None, progress: OnProgress | None = None, cancel: Cancellation | None = None
    ) -> RebuildSummary:
        """Rebuild all that is derived from the drawers: passages, embeddings, closets, counts.

        Recall and mining keep working meanwhile. ``wing`` (name or ``W-042``) limits it to conversations with a room in
        that wing; for a whole palace the vector index is rebuilt too. After an interruption or cancellation the same
        call continues; so it does after a failure of the model, which is a warning.

        Raises:
            NotFound: there is no such wing; ``Cancelled``: what was rebuilt stays.
            EmbeddingError: the settings name another model than the palace has.
        """
        from palace.operations.rebuild import rebuild

        with ended_by(cancel):
            return rebuild(self._opened, wing=None if wing is None else self.tree.wing(wing), progress=progress)

    def scrub(
        self, *, wing: str | None = None, dry_run: bool = False, progress: OnProgress | None = None
    ) -> ScrubSummary:
        """Remove secrets from filed drawers and all that is derived from them; pointers stay, ``dry_run`` only counts.

        After an interruption the same call continues. Raises ``NotFound``: there is no such wing.
        """
        from palace.operations.scrub import scrub

        return scrub(self._opened, wing=wing, dry_run=dry_run, progress=progress)

    def costs(self, *, since: datetime | None = None, by: str | None = None) -> tuple[CostLine, ...]:
        """Sum the ledger by purpose and model, dearest first; and ``by`` "day", "source", "model" or "conversation".

        Raises:
            BadRequest: ``by`` is none of these.
        """
        from palace.db.ledger import list_costs
        from palace.models import CostGrouping

        begun = intake.moment("since", since, self._zone)
        grouping = None if by is None else intake.choice("by", by, CostGrouping)
        return self._opened.run(lambda session: list_costs(session, grouping, zone=self._zone, since=begun))

    def activity(
        self, *, limit: int = 20, since: datetime | None = None, kind: str | None = None
    ) -> tuple[Activity, ...]:
        """List what happened, latest first: mining, forgetting, undoing, moves, decisions, rebuilds, imports.

        ``kind`` selects one kind of event ("memory_forgotten", or "forgotten"); docs/python.md lists them.

        Raises:
            BadRequest: there is no such kind.
        """
        from palace.operations.activity import activity

        return activity(self._opened, limit=limit, since=since, kind=kind)
