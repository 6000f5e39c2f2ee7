"""Take turns: begin each within a deadline, finish it within another, and never fail because of memory."""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from secrets import token_bytes

from palace.agent.context_window.stored import ChatKey, identity_of
from palace.agent.exchange import Exchange, Shown, beginning_of, filed_form, replies_of
from palace.agent.filing import Finishing, source_of
from palace.agent.gate import Decision, gate
from palace.agent.guard import Guard, Outcome, log_failure
from palace.agent.inject import as_given
from palace.agent.messages import Message, keys_of
from palace.agent.options import SomeOptions, TurnOptions
from palace.agent.request import Request
from palace.agent.steps import Steps, TurnContext
from palace.agent.trimming import Trimmed
from palace.agent.turn import Finished, Turn
from palace.errors import DatabaseUnavailable
from palace.models import CallSubject
from palace.telemetry import Operation, memory, work


@dataclass(frozen=True, slots=True)
class TurnTaker:
    """Takes the turns of one palace; safe to share between threads."""

    context: TurnContext
    finishing: Finishing
    guard: Guard = field(default_factory=Guard)

    def take(self, request: Request, given: SomeOptions) -> Turn:
        """Recall for the current message of a request.

        If tools have answered since, earlier blocks are repeated and nothing is recalled again.
        """
        with work("turn") as observed:
            turn = self._take(request, given, observed)
            observed.note("palace.turn.searched", turn.decision.searched)
            observed.note("palace.turn.rule", turn.decision.rule)
            observed.note("palace.turn.hits", len(turn.hits))
            for step, spent in turn.timings.items():
                observed.note(f"palace.turn.{step}_ms", round(spent, 3))
            return turn

    def _take(self, request: Request, given: SomeOptions, observed: Operation) -> Turn:
        started, begun = time.perf_counter(), datetime.now(self.context.settings.zone)
        name = request.session or beginning_of(request.before)
        # The id of the conversation is the same as when it is filed.
        chat = None if name is None else ChatKey(identity_of(name), request.agent or "")
        subject = CallSubject(source=None if request.session is None else source_of(request.session))
        running = Steps(self.context, given, request, self.context.options(given, request.agent), subject, chat)
        outcome = self.guard.run(running.run, self.context.seconds(running.options))
        # A thread that missed its deadline may go on writing to these.
        steps = replace(running, timings={**running.timings}, notes=[*running.notes])
        step = steps.step
        if not outcome.is_done:
            log_failure("turn", outcome, step=step, started=started)
            observed.fail(outcome.code)
        own = steps.earlier.get(request.own_key) if steps.earlier and request.after else None
        block = own.block if own else steps.written.block
        trimmed = _trim(steps, block)
        end = _TurnEnd(self, request, steps.options, begun, trimmed, _showing(steps), _is_away(outcome, step))
        return Turn(
            block,
            steps.written.hits,
            steps.decision or _decide_alone(request, steps.options),
            steps.query,
            trimmed.messages,
            {**steps.timings, "total": (time.perf_counter() - started) * 1000},
            (*steps.notes, *((f"{step}: {outcome.note}",) if outcome.note else ()), *trimmed.notes),
            request.session,
            trimmed.left_out,
            end.finish,
        )


@dataclass(slots=True)
class _TurnEnd:
    """The end of a turn: files its exchange once the model has replied."""

    taker: TurnTaker
    request: Request
    options: TurnOptions
    begun: datetime
    trimmed: Trimmed
    shown: Shown
    """What was shown, still without the reply."""
    is_away: bool = False
    """Whether the database did not answer in this turn; then finishing does not try it again."""
    salt: bytes = field(default_factory=partial(token_bytes, 16))
    done: tuple[object, Finished] | None = None
    """The last reply and its result; the same object again files nothing."""

    def finish(self, reply: object, later: bool) -> Finished:
        if self.done is not None and self.done[0] is reply:
            return self.done[1]
        started = time.perf_counter()
        try:
            finished = self._finish(reply, later=later)
        except Exception as problem:  # noqa: BLE001 — the model is paid by now: the program goes on, whatever the messages are
            outcome = Outcome("fault", f"what was said cannot be filed: {type(problem).__name__}")
            log_failure("turn_finished", outcome, step="exchange", started=started)
            finished = Finished(notes=(outcome.note,))
        self.done = (reply, finished)
        return finished

    def _finish(self, reply: object, *, later: bool) -> Finished:
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
        started, seconds = time.perf_counter(), self.taker.context.seconds(self.options)
        with memory("upsert_memory", "turn.finish") as observed:
            finished = self.taker.finishing.finish(exchange, seconds, is_away=self.is_away, later=later)
            observed.count(finished.drawers_new)
            observed.note("palace.turn.waiting", finished.is_waiting)
            if not (finished.is_filed or finished.is_waiting):
                observed.fail("lost")
        timings = {"file": (time.perf_counter() - started) * 1000}
        return replace(finished, notes=(*notes, *finished.notes), timings=timings)

    def _exchange(self, replies: tuple[Message, ...]) -> Exchange | None:
        request = self.request
        everything, own = (*request.messages, *replies), len(request.before)
        conversation = request.session or beginning_of(everything)
        if conversation is None:
            if request.is_whole and replies and not replies[-1].text:
                return None  # tools are called before any text: the next request has all of it again
            conversation = f"turns-{request.own_key.hex()}"
        start = b""
        if all(message.is_instructing for message in request.before):
            # A repeated first message gets a new key: per day, or per turn.
            start = self.begun.date().isoformat().encode() if request.is_whole else self.salt
        said, keys = everything[own:], keys_of(everything, start=start)[own:]
        now = datetime.now(self.taker.context.settings.zone)
        times = [self.begun, *(now for _ in said[1:])]
        forms = (filed_form(each, key, at, request.agent) for each, key, at in zip(said, keys, times, strict=True))
        messages = tuple(form for form in forms if form is not None)
        told = "\n".join(each.text for each in replies if each.text)
        return (
            Exchange(conversation, messages, self.options.wing, replace(self.shown, reply=told)) if messages else None
        )


def _showing(steps: Steps) -> Shown:
    """Return what was put into a request: the drawers of its block, and those of the block before."""
    request, earlier = steps.request, steps.earlier or {}
    before = [key for index, key in sorted(request.users.items()) if index < len(request.before)]
    quoted = earlier[before[-1]].drawer_ids if before and before[-1] in earlier else ()
    return Shown(request.message.text, "", tuple(hit.drawer for hit in steps.written.hits), quoted)


def _trim(steps: Steps, block: str) -> Trimmed:
    """Choose the messages to send, by the conversation's summary; ``block`` is that of the current message."""
    working, request = steps.options.working, steps.request
    if steps.earlier is None:
        # If the database could not be read, the blocks stay that the program itself kept.
        if working is None:
            return Trimmed(as_given(request.messages))
        blocks = {index: each.carried for index, each in enumerate(request.messages) if each.carried}
    else:
        blocks = {index: steps.earlier[key].block for index, key in request.users.items() if key in steps.earlier}
        blocks[len(request.before)] = block
    full = steps.full_request({index: each for index, each in blocks.items() if each})
    if working is None:
        return Trimmed(full.sent())
    with steps.timed("working"):
        return steps.context.trimming.trim(working, full, steps.checkpoint)


def _is_away(outcome: Outcome, step: str) -> bool:
    """Check whether the database did not answer; a slow model does not count."""
    return outcome.code == DatabaseUnavailable.code or (outcome.code == "timeout" and step == "blocks")


def _decide_alone(request: Request, options: TurnOptions) -> Decision:
    """Decide by the message alone, because the palace could not be read."""
    try:
        return gate(request.message.text, request.history(), rules=replace(options.rules, classifier=None))
    except Exception:  # noqa: BLE001 — a message that the gate cannot read is sent all the same
        return Decision(False, "the message cannot be read", "unreadable")
