"""Taking turns: begin one within a deadline, finish it within another, and never fail for memory's sake."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from secrets import token_bytes
from typing import Any

from palace.agent.context_window.stored import Talk as SummedTalk
from palace.agent.exchange import Exchange, beginning_of, filed_form, replies_of
from palace.agent.filing import Finishing, identity_of, source_of
from palace.agent.gate import Decision, gate
from palace.agent.guard import Guard, Outcome, log_failure
from palace.agent.inject import as_given
from palace.agent.messages import Message, keys_of, read_message, read_messages
from palace.agent.options import TurnOptions
from palace.agent.steps import Beginning, Ground, Request, State
from palace.agent.trimming import Trimmed
from palace.agent.turn import Finished, Turn
from palace.errors import BadRequest, DatabaseUnavailable, PalaceError
from palace.models import CallSubject
from palace.telemetry import Operation, memory, work


@dataclass(frozen=True, slots=True)
class Talk:
    """Whose conversation a message is of."""

    session: str | None = None
    agent: str | None = None
    """Who replies, by name."""
    is_whole: bool = False
    """Whether the history is known to be the whole conversation, also where it is empty."""


@dataclass(frozen=True, slots=True)
class Taker:
    """Takes the turns of one palace; safe to share."""

    ground: Ground
    finishing: Finishing
    guard: Guard = field(default_factory=Guard)

    def take(self, message: Any, history: Sequence[Any], talk: Talk, options: TurnOptions | None) -> Turn:
        """Recall for a message what the palace knows of it.

        Raises:
            BadRequest: the history is no list of messages.
        """
        with _readable():
            before, at_hand = read_messages(history), read_message(message)
            request = Request(before, at_hand, (), tuple(keys_of((*before, at_hand), start=_start_of(options))))
        return self._take(request, talk, options)

    def take_request(self, messages: Sequence[Any], talk: Talk, options: TurnOptions | None) -> Turn | None:
        """Do the same for the messages of a whole request; None where no person says anything in it.

        Where tools have answered since, blocks stand where they stood, and nothing is recalled once more.

        Raises:
            BadRequest: the messages are no list of messages.
        """
        with _readable():
            read = read_messages(messages)
            last = max((place for place, each in enumerate(read) if each.is_user), default=None)
            if last is None:
                return None
            request = Request(read[:last], read[last], read[last + 1 :], tuple(keys_of(read, start=_start_of(options))))
        return self._take(request, replace(talk, is_whole=True), options)

    def _take(self, request: Request, talk: Talk, given: TurnOptions | None) -> Turn:
        with work("turn") as observed:
            turn = self._taken(request, talk, given, observed)
            observed.note("palace.turn.searched", turn.decision.searched)
            observed.note("palace.turn.rule", turn.decision.rule)
            observed.note("palace.turn.hits", len(turn.hits))
            for step, spent in turn.timings.items():
                observed.note(f"palace.turn.{step}_ms", round(spent, 3))
            return turn

    def _taken(self, request: Request, talk: Talk, given: TurnOptions | None, observed: Operation) -> Turn:
        started, begun = time.perf_counter(), datetime.now(self.ground.zone)
        conversation = talk.session or beginning_of(request.before)
        # What is summed up is known as it is when it is filed.
        summed = None if conversation is None else SummedTalk(identity_of(conversation), talk.agent or "")
        state = State(self.ground.options(given, talk.agent), summed)
        subject = CallSubject(source=None if talk.session is None else source_of(talk.session))
        beginning = Beginning(self.ground, given, talk.agent, request, state, subject)
        outcome = self.guard.run(beginning.run, self.ground.seconds(state.options))
        # A thread that is left behind may go on writing there.
        options, step, written, earlier = state.options, state.step, state.written, state.earlier
        if not outcome.is_done:
            log_failure("turn", outcome, step=step, started=started)
            observed.fail(outcome.code)
        decision = state.decision or _decided_alone(request, options)
        notes = (*state.notes, *((f"{step}: {outcome.note}",) if outcome.note else ()))
        own = earlier.get(request.own_key) if earlier and request.after else None
        block = own.block if own else written.block
        blocks = None if earlier is None else _standing(request, earlier, block)
        trimmed = self._trimmed(request, blocks, options, state)
        said = _Said(self, request, talk, options, begun, trimmed, is_away=_is_away(outcome, step))
        return Turn(
            block,
            written.hits,
            decision,
            state.query,
            trimmed.messages,
            {**state.timings, "total": (time.perf_counter() - started) * 1000},
            (*notes, *trimmed.notes),
            talk.session,
            trimmed.left_out,
            said.finish,
        )

    def _trimmed(
        self, request: Request, blocks: Mapping[int, str] | None, options: TurnOptions, state: State
    ) -> Trimmed:
        """Choose what is sent, by what the conversation is summed up to."""
        whole = request.whole(blocks or {}, options, state.talk)
        if blocks is None:
            # Where nobody could look, the blocks stay that the program kept by itself.
            if options.working is None:
                return Trimmed(as_given(whole.messages))
            carried = {place: each.carried for place, each in enumerate(whole.messages) if each.carried}
            whole = replace(whole, blocks=carried)
        if options.working is None:
            return Trimmed(whole.sent())
        with state.timed("working"):
            return self.ground.trimming.trim(options.working, whole, state.checkpoint)


@dataclass(slots=True)
class _Said:
    """What is said in a turn, until it is finished."""

    taker: Taker
    request: Request
    talk: Talk
    options: TurnOptions
    begun: datetime
    trimmed: Trimmed
    is_away: bool = False
    """Whether the database did not answer in this turn: then it is not asked a second time."""
    salt: bytes = field(default_factory=partial(token_bytes, 16))
    done: tuple[object, Finished] | None = None
    """The reply that was filed; the very same once more files nothing again."""

    def finish(self, reply: object) -> Finished:
        if self.done is not None and self.done[0] is reply:
            return self.done[1]
        started = time.perf_counter()
        try:
            finished = self._finish(reply)
        except Exception as problem:  # noqa: BLE001 — the model is paid by now: the program goes on, whatever the messages are
            outcome = Outcome("fault", f"what was said cannot be filed: {type(problem).__name__}")
            log_failure("turn_finished", outcome, step="exchange", started=started)
            finished = Finished(notes=(outcome.note,))
        self.done = (reply, finished)
        return finished

    def _finish(self, reply: object) -> Finished:
        self.trimmed.renew()
        notes: tuple[str, ...] = ()
        replies: tuple[Message, ...] = ()
        try:
            replies = replies_of(reply)
        except ValueError as problem:
            notes = (str(problem),)
        except Exception as problem:  # noqa: BLE001 — a reply's own class raises what it likes, and the turn goes on
            notes = (f"the reply cannot be read: {type(problem).__name__}",)
        if not self.options.files:
            return Finished(notes=(*notes, "what is said is not filed: auto_mine is off"))
        exchange = self._exchange(replies)
        if exchange is None:
            return Finished(notes=notes)
        started, seconds = time.perf_counter(), self.taker.ground.seconds(self.options)
        with memory("upsert_memory", "turn.finish") as observed:
            finished = self.taker.finishing.finish(exchange, seconds, is_away=self.is_away)
            observed.count(finished.drawers_new)
            observed.note("palace.turn.waiting", finished.is_waiting)
            if not (finished.is_filed or finished.is_waiting):
                observed.fail("lost")
        timings = {"file": (time.perf_counter() - started) * 1000}
        return replace(finished, notes=(*notes, *finished.notes), timings=timings)

    def _exchange(self, replies: tuple[Message, ...]) -> Exchange | None:
        request, said = self.request, (self.request.message, *self.request.after, *replies)
        everything = (*request.before, *said)
        conversation = self.talk.session or beginning_of(everything)
        if conversation is None:
            if self.talk.is_whole and replies and not replies[-1].text:
                return None  # tools are called before a word was said: the next request has all of it again
            conversation = f"turns-{request.own_key.hex()}"
        keys = keys_of(everything, start=self._start())[len(request.before) :]
        now = datetime.now(self.taker.ground.zone)
        times = [self.begun, *(now for _ in said[1:])]
        forms = (
            filed_form(message, key, at, self.talk.agent) for message, key, at in zip(said, keys, times, strict=True)
        )
        messages = tuple(form for form in forms if form is not None)
        return Exchange(conversation, messages, self.options.wing) if messages else None

    def _start(self) -> bytes:
        """Tell apart what is said again with nothing before it: on another day, or in another turn."""
        if any(not message.is_instructing for message in self.request.before):
            return b""
        return self.begun.date().isoformat().encode() if self.talk.is_whole else self.salt


def _start_of(options: TurnOptions | None) -> bytes:
    """Tell apart where is recalled: what was put beside the same words in one project stays out of the others."""
    return b"" if options is None or options.scope is None else repr(options.within).encode()


@contextmanager
def _readable() -> Iterator[None]:
    """Say in one line that messages cannot be read, whatever a class of the program's own raises."""
    try:
        yield
    except PalaceError:
        raise
    except Exception as problem:
        raise BadRequest(f"the messages cannot be read: {type(problem).__name__}") from problem


def _is_away(outcome: Outcome, step: str) -> bool:
    """Return whether the database did not answer; a model that took too long says nothing of it."""
    return outcome.code == DatabaseUnavailable.code or (outcome.code == "timeout" and step == "blocks")


def _decided_alone(request: Request, options: TurnOptions) -> Decision:
    """Decide by the message alone, where the palace could not be asked."""
    try:
        return gate(request.message.text, request.history(), rules=replace(options.rules, classifier=None))
    except Exception:  # noqa: BLE001 — a message that the gate cannot read is sent all the same
        return Decision(False, "the message cannot be read", "unreadable")


def _standing(request: Request, earlier: Mapping[bytes, Any], block: str) -> dict[int, str]:
    """Return the blocks that stand beside messages, by their index."""
    own = len(request.before)
    found = {place: earlier[key].block for place, key in request.users.items() if key in earlier and place != own}
    return {**found, own: block} if block else found
