"""The turn loop: take turns, file the outbox, end sessions, and choose the models."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from functools import partial
from typing import Any

from palace.agent.context_window.stored import identity_of
from palace.agent.filing import Filer, Finishing
from palace.agent.known_rules import KnownRules
from palace.agent.options import SomeOptions, TurnOptions
from palace.agent.outbox import Emptied, OutboxContents
from palace.agent.request import Request
from palace.agent.rewriting import LONGEST_REPLY, Rewriter
from palace.agent.steps import TurnContext
from palace.agent.trimming import Trimming
from palace.agent.turn import Turn
from palace.agent.turn_taker import TurnTaker
from palace.ai.remote_llm import RemoteLanguageModel
from palace.ai.stream import StreamingLanguageModel
from palace.budget import budget_of
from palace.config.settings import Settings
from palace.config.table import check_agent
from palace.db.database import UserDatabase
from palace.db.filing.conversations import find_conversation, list_said
from palace.db.ledger import TALK, record_calls
from palace.db.memory_making import follow
from palace.errors import BadRequest, ModelError, PalaceError
from palace.memories.due import make_last
from palace.memories.using import note_use
from palace.mining.index import Runner
from palace.models import CallRecord, intake
from palace.opened import OpenPalace
from palace.operations.outbox import OutboxVerbs, outbox_of
from palace.operations.recall import answer
from palace.operations.working import WorkingVerbs

MOST_SAID = 2_000
"""Messages of a session that are read back by default."""

REWRITE_SECONDS = 0.8
"""Default seconds for a model to write a query; after that the local query is used, within the turn."""

SUMMARY_SECONDS = 30.0


@dataclass(frozen=True, slots=True)
class EndedSession:
    """The result of ending a session."""

    filed: int
    """Exchanges filed from the outbox."""
    waiting: int
    """Exchanges that still wait."""
    warnings: tuple[str, ...] = ()
    """Failures of index steps, one line each."""
    memories: int = 0
    """Memories that were made of it, those that wait for a person included."""


class TurnVerbs:
    """The methods of the turn loop besides ``Palace.turn``."""

    def __init__(
        self, opened: OpenPalace, working: WorkingVerbs | None = None, wake: Callable[[], object] | None = None
    ) -> None:
        self._opened = opened
        self._taker = _taker_of(opened, working or WorkingVerbs(opened), wake)

    def take(
        self,
        message: Any,
        history: Sequence[Any] = (),
        *,
        agent: str | None = None,
        session: str | None = None,
        options: TurnOptions | None = None,
    ) -> Turn:
        """Take a turn, as ``Palace.turn`` does.

        Raises:
            BadRequest: the history is no list of messages, or a name is invalid.
        """
        request = self._request(history, message, agent=agent, session=session, options=options)
        assert request is not None
        return self._taker.take(request, options)

    def take_request(
        self,
        messages: Sequence[Any],
        *,
        agent: str | None = None,
        session: str | None = None,
        options: SomeOptions = None,
    ) -> Turn | None:
        """Take the turn of a whole request, as a program is about to send it; None if it has no message of a person.

        Recall runs for the person's last message. If tools have answered since, earlier blocks are repeated and nothing
        is recalled again. A mapping of ``options`` changes some of those from the settings.

        Raises:
            BadRequest: they are no list of messages, or a name is invalid.
        """
        whole = options
        if isinstance(options, Mapping):
            _check_names(options)
            whole = self._taker.context.options(options, None)
        request = self._request(messages, agent=agent, session=session, options=whole)
        return None if request is None else self._taker.take(request, options)

    def end(self, session: str | None = None) -> EndedSession:
        """End a session: file the outbox, and run the pending index steps of its conversation, or of all.

        Then memories are made of what was said since they were made last, unless the setting ``memories`` is off.

        Waits up to half a minute for summaries under way.

        Raises:
            EmbeddingError: the settings name another model than the palace has.
            DatabaseUnavailable: no server answers; the outbox is kept.
        """
        name = intake.name("session", session)
        emptied = self.flush()
        self._taker.context.trimming.wait(SUMMARY_SECONDS)
        if name is None:
            among = None
        else:
            identity = identity_of(name)
            found = self._opened.run(lambda opened: find_conversation(opened, identity))
            among = [] if found is None else [found]
        runner = Runner(self._opened.work())
        runner.run(among)
        self._opened.index_if_large()
        made = make_last(self._opened, among)
        notes = (emptied.note,) if emptied.note else ()
        return EndedSession(emptied.filed, emptied.left, (*notes, *runner.warnings), len(made.memories))

    def flush(self) -> Emptied:
        """File the exchanges in the outbox, in order; what is filed already is not filed again.

        Does nothing while another process or thread is filing them, which the ``note`` reports.

        Raises:
            PalaceError: filing failed; the rest stays in the outbox.
        """
        emptied = self._taker.finishing.empty()
        if emptied.problem:
            raise emptied.problem
        return emptied

    def waiting(self) -> int:
        """Count the exchanges in the outbox."""
        return self._taker.finishing.outbox.count()

    def outbox(self) -> OutboxContents:
        """List the exchanges in the outbox, and those that can never be filed and why, without their text."""
        return OutboxVerbs(self._opened.settings, self._opened.user).contents()

    def discard(self, *, refused_only: bool = False) -> int:
        """Delete the waiting and the refused exchanges, or only the latter; return how many were deleted."""
        return OutboxVerbs(self._opened.settings, self._opened.user).discard(refused_only=refused_only)

    def rewriter(self, model: str, *, timeout: float = REWRITE_SECONDS, api_base: str | None = None) -> Rewriter:
        """Return a model that writes queries for vague messages, by its name in litellm; nothing is called yet.

        Its calls are recorded in the ledger as ``memory_rewrite``, and count against the daily budget. After
        ``timeout`` seconds the local query is used.
        """
        return _rewriter(self._opened.settings, _rules_of(self._opened), intake.text("model", model), timeout, api_base)

    def options(self, *, agent: str | None = None, **changes: Any) -> TurnOptions:
        """Return the options from the settings of the user, or of an agent, with ``changes`` applied.

        Raises:
            BadRequest: an option is invalid, or there is none of that name.
        """
        _check_names(changes)
        effective = self._opened.effective(agent)
        return replace(self._taker.context.options(None, agent, effective), **changes)

    def seconds(self, options: TurnOptions) -> float:
        """Return how many seconds memory may take of a turn with these options."""
        return self._taker.context.seconds(options)

    def history(self, session: str, *, limit: int = MOST_SAID) -> list[dict[str, Any]]:
        """Return the messages of a session by the person and the assistant, oldest first, in the form of chat APIs.

        Raises:
            BadRequest: the session has no name.
        """
        name = intake.name("session", session)
        if name is None:
            raise BadRequest("say which session: its name is missing")
        return history_of(self._opened, name, intake.row_count("limit", limit))

    def chat_model(self, model: str, *, timeout: float | None = None, api_base: str | None = None) -> ChatModel:
        """Return a model to chat with, by its name in litellm; nothing is called yet.

        Its calls are recorded in the ledger as ``chat``, and do not count against memory's budget. ``timeout`` is how
        many seconds it may send nothing.
        """
        patience = self._opened.settings.chat_timeout_seconds if timeout is None else timeout
        named = StreamingLanguageModel(
            intake.text("model", model), patience, intake.optional_text("api_base", api_base)
        )
        return ChatModel(named, self._opened.database)

    def _request(
        self,
        messages: Sequence[Any],
        *last: Any,
        agent: str | None,
        session: str | None,
        options: object,
    ) -> Request | None:
        session, agent = intake.name("session", session), check_agent(agent) or None
        if not isinstance(options, TurnOptions | None):
            raise BadRequest(f"options must be TurnOptions, not {type(options).__name__}")
        scope = options.within if options is not None and options.scope is not None else None
        return Request.of(messages, *last, scope=scope, session=session, agent=agent)


def _check_names(changes: Mapping[str, Any]) -> None:
    unknown = changes.keys() - {field.name for field in fields(TurnOptions)}
    if unknown:
        raise BadRequest(f"there is no option {min(unknown)!r} of a turn")


def _rewriter(
    settings: Settings,
    rules: KnownRules,
    model: str,
    timeout: float = REWRITE_SECONDS,
    api_base: str | None = None,
) -> Rewriter:
    language_model = RemoteLanguageModel(model, timeout=timeout, api_base=api_base, longest_reply=LONGEST_REPLY)
    language_model.prepare()
    return Rewriter(language_model, budget_of(settings), rules.last())


def _rules_of(opened: OpenPalace) -> KnownRules:
    return KnownRules(opened.settings, outbox_of(opened.settings, opened.user).rules_path)


def _taker_of(opened: OpenPalace, working: WorkingVerbs, wake: Callable[[], object] | None) -> TurnTaker:
    rules = _rules_of(opened)
    context = TurnContext(
        opened.database,
        opened.settings,
        opened.strategy,
        answer=lambda request, chosen, subject, basis: answer(opened, request, chosen, subject=subject, basis=basis),
        rewriter_of=partial(_rewriter, opened.settings, rules),
        summariser_of=working.summariser,
        trimming=Trimming(working.stored),
        rules=rules,
        person=opened.names,
    )
    outbox = outbox_of(opened.settings, opened.user)
    filer = Filer(opened.database, opened.settings.zone, rules, after_filing=follow, when_filed=wake, note_use=note_use)
    return TurnTaker(context, Finishing(filer, outbox))


def history_of(opened: OpenPalace, session: str, limit: int) -> list[dict[str, Any]]:
    """Return the messages of a session by the person and the assistant, oldest first; empty if there is none."""
    identity = identity_of(session)

    def read(transaction: Any) -> list[dict[str, Any]]:
        conversation_id = find_conversation(transaction, identity)
        return [] if conversation_id is None else list_said(transaction, conversation_id, limit=limit)

    return opened.run(read)


@dataclass(frozen=True, slots=True)
class ChatModel:
    """A language model to chat with; the ledger records its calls as ``chat``."""

    language_model: StreamingLanguageModel
    database: UserDatabase

    @property
    def model(self) -> str:
        """Return the model's name."""
        return self.language_model.model

    def stream(self, messages: Sequence[Any]) -> Generator[str, None, None]:
        """Send a request and yield the text of the reply as it arrives; closing the generator ends the call.

        Raises:
            LanguageModelError: there is no key, the model did not reply, broke off, or stopped sending.
        """
        reply = self.language_model.stream(messages)
        calls: Sequence[CallRecord] | None = None
        try:
            yield from reply
        except ModelError as problem:
            calls = problem.calls
            raise
        finally:
            reply.close()
            self._note((reply.call,) if calls is None else calls)

    def _note(self, calls: Sequence[CallRecord]) -> None:
        # The chat goes on without the ledger while the database is away.
        with suppress(PalaceError):
            self.database.run(lambda session: record_calls(session, TALK, calls), flush=False)
