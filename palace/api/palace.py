"""The façade: one method for each thing a person does with a palace."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from palace.api.lifetime import OpenedPalace
from palace.cancellation import Cancellation, ended_by
from palace.models import (
    About,
    Activity,
    CostGrouping,
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
    intake,
)
from palace.operations.recall import narrowed, recall, recent, request_of, scope_in
from palace.operations.relations import GraphReading
from palace.recall.request import check_context
from palace.recall.strategy import Strategy

if TYPE_CHECKING:
    from palace.agent.options import TurnOptions
    from palace.agent.turn import Turn
    from palace.mining.files.reading import Readers


class Palace(OpenedPalace, GraphReading):
    """One user's palace. Use as a context manager, or close it; ``Palaces`` gives those of several users.

    What recall does not need, a method imports when it is called.

    Safe to share between threads. The embedded server is started, and its schema migrated, on opening.
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
        from palace.operations.tree import wing_to_file_in

        options = options_of(wing=wing_to_file_in(self._opened, wing), restores=restore_forgotten)
        options = replace(options, background=background, keeps_secrets=keep_secrets)
        with ended_by(cancel):
            summary = file(self._opened, messages, options, id=id, title=title)
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

    def recall(
        self,
        query: str,
        *,
        top_k: int | None = None,
        wing: str | None = None,
        wings: Iterable[str] | None = None,
        scope: Scope | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        now: datetime | None = None,
        tools: bool = False,
        role: str | None = None,
        speaker: str | None = None,
        language: str | None = None,
        context: int = 0,
        floor: str | None = None,
        order: str = "relevance",
        rerank: bool | None = None,
        strategy: Strategy | None = None,
        agent: str | None = None,
        cancel: Cancellation | None = None,
    ) -> Recollection:
        """Recall the drawers that answer a query; none when nothing is relevant.

        ``top_k`` of them, usually five, and up to 15 where all of a kind is asked for; best first, or in the
        ``order`` of "time". ``wing`` (name or ``W-042``) or ``wings``, a project's
        ``scope`` (``palace.projects.of``), ``since`` and ``until``, ``role`` ("user", "assistant",
        "system" or "tool"), ``speaker`` (a name, in any case) and ``language`` ("de"; "en" has what no language is told
        of) filter; ``now`` is the moment the question is asked, this one unless given: it hides nothing. ``tools``
        looks at what tools returned as well, as does the role "tool"; a naive time is local. ``context`` brings so many
        neighbours on each side of a hit. ``floor`` ("none", "low", "normal", "strict") says how much is kept back.
        ``rerank`` has a language model put hits in front that answer, or not. ``strategy`` stands in for the palace's
        own. What is not given is as the user's settings say, or those of an ``agent``, who is given nothing where its
        memory is disabled (docs/settings.md).

        Raises:
            BadRequest: an empty query, anything out of range; ``NotFound``: no such wing or speaker; ``Cancelled``.
        """
        with ended_by(cancel):
            within, by = scope_in(self._opened, wing, wings, scope), {"role": role, "speaker": speaker}
            within = narrowed(self._opened, within, since=since, until=until, tools=tools, language=language, **by)
            request = request_of(self._opened, query, within, top_k=top_k, context=context, now=now)
            chosen = self._opened.effective(agent)
            return recall(self._opened, request, chosen, floor=floor, order=order, rerank=rerank, strategy=strategy)

    def turn(
        self,
        user_message: Any,
        *,
        history: Sequence[Any] = (),
        agent: str | None = None,
        session: str | None = None,
        options: TurnOptions | None = None,
    ) -> Turn:
        """Take one turn of a chat: recall for a message, and give the request to send; ``finish`` files what was said.

        ``history`` are the messages before it, as an API of chats takes them. ``session`` is the program's own name for
        the conversation; without one it is known by how it begins. ``agent`` is who replies. What fails is a note of
        the turn and one line of the log, and memory takes ``options.timeout`` seconds at most (docs/turns.md).

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
        """Look back on the last days: what tells of what was said, what stands open, what is coming up.

        It is about the day of ``now``, this moment unless given, and so many ``days`` before; ``since`` takes the place
        of those. Nothing said after ``now`` is looked at. ``wing`` (name or ``W-042``), ``wings`` or
        a project's ``scope`` confines it; ``limit`` is that
        of each of the three parts; ``budget`` is the most tokens that they take as a block. Where nothing was said in
        those days, it is about the latest in which something was (``is_earlier``). No model takes part.

        Raises:
            BadRequest: a number is out of range, ``since`` is not before ``now``; ``NotFound``: there is no such wing.
        """
        within = scope_in(self._opened, wing, wings, scope)
        return recent(self._opened, within, days=days, since=since, limit=limit, budget=budget, now=now)

    def explain_hook(self, prompt: str, folder: str | PathLike[str], *, agent: str = "claude-code") -> HookReason:
        """Say what `palace hook` would answer a prompt in a folder, in a session of its own, and why.

        ``agent`` is the program that would ask: "claude-code", "codex", "gemini" or "cursor". Nothing is written down.

        Raises:
            BadRequest: there is no such agent, or an argument is of a wrong type.
        """
        from palace.hooks.explaining import explain_hook

        return explain_hook(self._opened, prompt, folder, agent)

    def context_block(self, recollection: Recollection | Recent | About, *, token_budget: int = 1500) -> str:
        """Write what was recalled, is recent or is known as a ``<memory_context>`` block; "" when nothing fits."""
        from palace.nlp.secrets.numbers import with_accounts
        from palace.recall.pack import about_context, memory_context, recent_context

        budget = intake.count("token_budget", token_budget)
        if isinstance(recollection, About):
            block = about_context(recollection, token_budget=budget, zone=self._zone)
        elif isinstance(recollection, Recent):
            block = recent_context(recollection, token_budget=budget, zone=self._zone)
        else:
            block = memory_context(recollection, token_budget=budget, zone=self._zone)
        return with_accounts(block, self._opened.effective(None).accounts)

    def show(self, pointer: str, *, context: int = 0, wing: str | None = None) -> ShownDrawer:
        """Get the drawer a pointer cites, with neighbours if asked for.

        With a ``wing`` (name or ``W-042``) it has to stand there, nothing is told that other wings say, and tags and
        relations are left out.

        Raises:
            BadRequest: the pointer has another shape; ``NotFound``: there is no such wing, or no such drawer there.
        """
        from palace.operations.relations import with_said
        from palace.operations.tree import show_drawer

        check_context(intake.integer("context", context))
        within = scope_in(self._opened, wing)
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
    ) -> ForgetSummary:
        """Forget a drawer, a room or a wing: nothing finds it from then on, and mining does not bring it back.

        ``what`` is a pointer, a room (``W-001/R-02``) or a wing (name or number), or what a program asked to have
        forgotten. ``closet`` names one topic of the room; ``conversation`` means all of the conversation that the
        drawer or room belongs to; ``dry_run`` only counts. It can be restored (``palace.forgotten``) for the days of
        the setting ``forget_grace``; then, or ``now``, it is deleted for good. ``at_most`` is how many drawers were
        counted when somebody agreed: where more came meanwhile, nothing is forgotten.

        Raises:
            NotFound: there is nothing of that name; ``MoreToForget``: there are more drawers than ``at_most``.
        """
        from palace.operations.forget import ForgetVerbs

        if isinstance(what, ForgetRequest):
            at_most = what.removal.drawers if at_most is None else at_most
            what = what.what
        verbs = ForgetVerbs(self._opened, at_most=at_most)
        return verbs.part(what, closet=closet, conversation=conversation, dry_run=dry_run, now=now)

    def forget_everything(self, *, dry_run: bool = False) -> ForgetSummary:
        """Forget the user: all that is theirs, what was forgotten before included; mining starts from nothing again."""
        from palace.hooks.sessions import Sessions
        from palace.operations.forget import ForgetVerbs

        if not dry_run:
            self.turns.discard()
            Sessions(self._opened.settings.home_folder, self.user).forget()
        return ForgetVerbs(self._opened).everything(dry_run=dry_run)

    def status(self) -> PalaceStatus:
        """Sum up the palace in numbers."""
        from palace.operations.status import status_of

        return status_of(self._opened)

    def rebuild(
        self, *, wing: str | None = None, progress: OnProgress | None = None, cancel: Cancellation | None = None
    ) -> RebuildSummary:
        """Make everything that is an index afresh from the drawers: passages, embeddings, closets, counts.

        Recall and miners go on meanwhile. ``wing`` (name or ``W-042``) confines it to the conversations with a room in
        that wing; for a whole palace the vector index is rebuilt too. Interrupted or cancelled, the same call goes on
        with what is left; so it does when the model fails, which is a warning.

        Raises:
            NotFound: there is no such wing; ``Cancelled``: what is made afresh stays.
            EmbeddingError: the settings name another model than the palace has.
        """
        from palace.operations.rebuild import rebuild

        with ended_by(cancel):
            return rebuild(self._opened, wing=None if wing is None else self.tree.wing(wing), progress=progress)

    def scrub(
        self, *, wing: str | None = None, dry_run: bool = False, progress: OnProgress | None = None
    ) -> ScrubSummary:
        """Take secrets out of what was filed before, and of all that was made of it; pointers stay, ``dry_run`` counts.

        Interrupted, the same call goes on. Raises ``NotFound``: there is no such wing.
        """
        from palace.operations.scrub import scrub

        return scrub(self._opened, wing=wing, dry_run=dry_run, progress=progress)

    def costs(self, *, since: datetime | None = None, by: str | None = None) -> tuple[CostLine, ...]:
        """Sum the ledger by purpose and model, dearest first; ``by`` "day", "source", "model" or "conversation" too.

        Raises:
            BadRequest: ``by`` is none of these.
        """
        from palace.db.ledger import list_costs

        begun = intake.moment("since", since, self._zone)
        grouping = None if by is None else intake.choice("by", by, CostGrouping)
        return self._opened.run(lambda session: list_costs(session, grouping, zone=self._zone, since=begun))

    def activity(
        self, *, limit: int = 20, since: datetime | None = None, kind: str | None = None
    ) -> tuple[Activity, ...]:
        """List what happened, the latest first: what was mined, forgotten, undone, moved, decided, rebuilt, imported.

        ``kind`` takes one kind of event ("memory_forgotten", or "forgotten"); docs/python.md names them.

        Raises:
            BadRequest: there is no such kind.
        """
        from palace.operations.activity import activity

        return activity(self._opened, limit=limit, since=since, kind=kind)
