"""The turn loop: taking turns, what waits, how a session ends, and the models that take part."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from functools import partial
from typing import Any

from palace.agent.filing import Filer, Finishing, identity_of
from palace.agent.known_rules import KnownRules
from palace.agent.options import TurnOptions
from palace.agent.outbox import Emptied, OutboxContents
from palace.agent.rewriting import LONGEST_REPLY, Rewriter
from palace.agent.steps import Ground, Models
from palace.agent.taking import Taker, Talk
from palace.agent.trimming import Trimming
from palace.agent.turn import Turn
from palace.ai.remote_llm import RemoteLanguageModel
from palace.ai.stream import StreamedReply, StreamingLanguageModel
from palace.config.settings import Settings
from palace.config.table import check_agent
from palace.db.database import UserDatabase
from palace.db.filing.conversations import find_conversation, list_said
from palace.db.jobs import enqueue_index
from palace.db.ledger import TALK, record_calls
from palace.errors import BadRequest, ModelError, PalaceError
from palace.mining.index import Runner
from palace.models import CallRecord, intake
from palace.opened import OpenPalace
from palace.operations.outbox import OutboxVerbs, outbox_of
from palace.operations.recall import answer
from palace.operations.working import WorkingVerbs

MOST_SAID = 2_000
"""Messages of a session that are read back; what was said before is recalled where it matters."""

REWRITE_SECONDS = 0.8
"""What a model may take over a query unless told otherwise: after that the local query is asked, within the turn."""

SUMMARY_SECONDS = 30.0


@dataclass(frozen=True, slots=True)
class EndedSession:
    """What the end of a session came to."""

    filed: int
    """Exchanges that had waited."""
    waiting: int
    """Exchanges that still wait."""
    warnings: tuple[str, ...] = ()
    """What could not be made of what was said, one line each."""


class TurnVerbs:
    """What there is beside ``Palace.turn``."""

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
        """Do what ``Palace.turn`` does.

        Raises:
            BadRequest: the history is no list of messages, or a name is none.
        """
        return self._taker.take(message, history, _talk(agent, session), self._options(options))

    def take_request(
        self,
        messages: Sequence[Any],
        *,
        agent: str | None = None,
        session: str | None = None,
        options: TurnOptions | None = None,
    ) -> Turn | None:
        """Take the turn of a whole request, as a program is about to send it; None where nobody says anything in it.

        Its last message of a person is the one that is recalled for. Where tools have answered behind that, blocks
        stand where they stood, and nothing is recalled once more.

        Raises:
            BadRequest: they are no list of messages, or a name is none.
        """
        return self._taker.take_request(messages, _talk(agent, session), self._options(options))

    def end(self, session: str | None = None) -> EndedSession:
        """End a session: file what waits, and do what is pending of its conversation; without one, of all.

        What is being summed up is waited for, half a minute at most.

        Raises:
            EmbeddingError: the settings name another model than the palace has.
            DatabaseUnavailable: no server answers; what waits goes on waiting.
        """
        name = intake.name("session", session)
        emptied = self.flush()
        self._taker.ground.trimming.wait(SUMMARY_SECONDS)
        if name is None:
            among = None
        else:
            identity = identity_of(name)
            found = self._opened.run(lambda opened: find_conversation(opened, identity))
            among = [] if found is None else [found]
        runner = Runner(self._opened.work())
        runner.run(among)
        self._opened.index_if_large()
        notes = (emptied.note,) if emptied.note else ()
        return EndedSession(emptied.filed, emptied.left, (*notes, *runner.warnings))

    def flush(self) -> Emptied:
        """File what waits in the outbox, in order; what is filed already is not filed again.

        Where another process or thread is at it, nothing is done, and the ``note`` says so.

        Raises:
            PalaceError: filing failed; what is left waits on.
        """
        emptied = self._taker.finishing.empty()
        if emptied.problem:
            raise emptied.problem
        return emptied

    def waiting(self) -> int:
        """Count the exchanges that wait in the outbox."""
        return self._taker.finishing.outbox.count()

    def outbox(self) -> OutboxContents:
        """Say what waits in the outbox, and what can never be filed and why, without a word of it."""
        return OutboxVerbs(self._opened.settings, self._opened.user).contents()

    def discard(self, *, refused_only: bool = False) -> int:
        """Throw away what waits in the outbox and what was refused, or the latter; give how many exchanges went."""
        return OutboxVerbs(self._opened.settings, self._opened.user).discard(refused_only=refused_only)

    def rewriter(self, model: str, *, timeout: float = REWRITE_SECONDS, api_base: str | None = None) -> Rewriter:
        """Name the model that writes queries for vague messages, as litellm does; nothing is called yet.

        Its calls go to the ledger as ``memory_rewrite``, and are held to the budget of the day.
        After ``timeout`` seconds the local query is asked.
        """
        return _rewriter(self._opened.settings, _rules_of(self._opened), intake.text("model", model), timeout, api_base)

    def options(self, *, agent: str | None = None, **changes: Any) -> TurnOptions:
        """Give the options as the settings have them for the user, or for an agent, with some of them changed.

        Raises:
            BadRequest: an option makes no sense, or there is none of that name.
        """
        unknown = changes.keys() - {field.name for field in fields(TurnOptions)}
        if unknown:
            raise BadRequest(f"there is no option {min(unknown)!r} of a turn")
        effective = self._opened.effective(agent)
        return replace(self._taker.ground.models.options(None, effective), **changes)

    def seconds(self, options: TurnOptions) -> float:
        """Say how long memory may take of a turn that is taken so."""
        return self._taker.ground.seconds(options)

    def history(self, session: str, *, limit: int = MOST_SAID) -> list[dict[str, Any]]:
        """Read back what a person and an assistant said in a session, oldest first, as an API of chats takes it.

        Raises:
            BadRequest: the session has no name.
        """
        name = intake.name("session", session)
        if name is None:
            raise BadRequest("say which session: its name is missing")
        return history_of(self._opened, name, intake.row_count("limit", limit))

    def chat_model(self, model: str, *, timeout: float | None = None, api_base: str | None = None) -> ChatModel:
        """Name a model to talk with, as litellm does; nothing is called yet.

        Its calls go to the ledger as ``chat``, and take nothing from the budget of memory. ``timeout`` is how many
        seconds it may say nothing.
        """
        patience = self._opened.settings.chat_timeout_seconds if timeout is None else timeout
        named = StreamingLanguageModel(
            intake.text("model", model), patience, intake.optional_text("api_base", api_base)
        )
        return ChatModel(named, self._opened.database)

    def _options(self, options: TurnOptions | None) -> TurnOptions | None:
        if not isinstance(options, TurnOptions | None):
            raise BadRequest(f"options must be TurnOptions, not {type(options).__name__}")
        return options


def _talk(agent: str | None, session: str | None) -> Talk:
    return Talk(intake.name("session", session), check_agent(agent) or None)


def _rewriter(
    settings: Settings,
    rules: KnownRules,
    model: str,
    timeout: float = REWRITE_SECONDS,
    api_base: str | None = None,
) -> Rewriter:
    language_model = RemoteLanguageModel(model, timeout=timeout, api_base=api_base, longest_reply=LONGEST_REPLY)
    language_model.prepare()
    return Rewriter(language_model, settings.daily_tokens, settings.daily_usd, settings.zone, rules.last())


def _rules_of(opened: OpenPalace) -> KnownRules:
    return KnownRules(opened.settings, outbox_of(opened.settings, opened.user).rules_path)


def _taker_of(opened: OpenPalace, working: WorkingVerbs, wake: Callable[[], object] | None) -> Taker:
    rules = _rules_of(opened)
    ground = Ground(
        opened.database,
        opened.settings,
        opened.strategy,
        answer=lambda request, chosen, subject: answer(opened, request, chosen, opened.asked(subject)),
        models=Models(partial(_rewriter, opened.settings, rules), working.summariser),
        trimming=Trimming(working.keeping),
        rules=rules,
        person=opened.names,
    )
    outbox = outbox_of(opened.settings, opened.user)
    filer = Filer(opened.database, opened.settings.zone, rules, after_filing=enqueue_index, when_filed=wake)
    return Taker(ground, Finishing(filer, outbox, hide=rules.hide))


def history_of(opened: OpenPalace, session: str, limit: int) -> list[dict[str, Any]]:
    """Read back what a person and an assistant said in a session, oldest first; nothing where there is none."""
    identity = identity_of(session)

    def read(transaction: Any) -> list[dict[str, Any]]:
        conversation_id = find_conversation(transaction, identity)
        return [] if conversation_id is None else list_said(transaction, conversation_id, limit=limit)

    return opened.run(read)


@dataclass(frozen=True, slots=True)
class ChatModel:
    """A language model that is talked with; what its calls take stands in the palace's ledger as ``chat``."""

    language_model: StreamingLanguageModel
    database: UserDatabase

    @property
    def model(self) -> str:
        """Its name."""
        return self.language_model.model

    def stream(self, messages: Sequence[Any]) -> Generator[str, None, None]:
        """Send a request and give the text of the reply as it comes; closing it ends the call.

        Raises:
            LanguageModelError: there is no key, the model did not reply, broke off, or fell silent.
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
            self._note(_calls(reply) if calls is None else calls)

    def _note(self, calls: Sequence[CallRecord]) -> None:
        # A talk goes on without its ledger: the call is made, and nobody waits for a database that is away.
        with suppress(PalaceError):
            self.database.run(lambda session: record_calls(session, TALK, calls), flush=False)


def _calls(reply: StreamedReply) -> Sequence[CallRecord]:
    return (reply.call,)
