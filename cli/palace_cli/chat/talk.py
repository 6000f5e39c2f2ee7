"""A talk: each message is a turn of the palace, sent to the model with what was recalled, and filed with its reply."""

from __future__ import annotations

import signal
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from secrets import token_hex
from threading import Thread
from typing import TYPE_CHECKING, Any

from palace.errors import BadRequest, LanguageModelError
from palace.models import Hit
from palace_cli.chat.screen import Screen
from palace_cli.clock import zone_as_set

if TYPE_CHECKING:
    from palace.api.palace import Palace
    from palace.config.effective import Effective
    from palace.operations.turns import ChatModel
    from palace.turns import Turn, TurnOptions


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """One message with what was recalled for it and what was replied."""

    session: str
    message: str
    """As it was typed."""
    reply: str
    """What the model said, as far as it came; "" where it said nothing."""
    model: str | None
    is_stopped: bool = False
    """Whether the reply was ended early."""
    problem: str = ""
    """Why there is no reply, or not all of it; "" where there is."""
    searched: bool
    reason: str
    """Why memory was looked at, or not."""
    query: str | None
    """What was asked; None where nothing was."""
    hits: tuple[Hit, ...]
    """What was put in, the best first."""
    block: str
    """The text that was put beside the message."""
    timings_ms: Mapping[str, float]
    is_filed: bool = False
    is_waiting: bool = False
    """Whether it waits in the outbox."""
    notes: tuple[str, ...]
    """What failed, one line each."""


STOPPED = "stopped: what came is kept"


@dataclass(slots=True)
class Talk:
    """One session: what was said in it, and the turn at hand."""

    palace: Palace
    session: str
    screen: Screen
    model: ChatModel | None
    options: TurnOptions
    first_options: TurnOptions
    """Those of the first turn, which waits for what has to be loaded."""
    agent: str | None = None
    system: str | None = None
    """What the model is told to be."""
    history: list[dict[str, Any]] = field(default_factory=list)
    turn: Turn | None = None
    """The last one."""
    asked: str = ""
    has_failed: bool = False
    """Whether the last message got no reply."""
    said: int = 0

    def say(self, message: str) -> Answered:
        """Take the turn of a message: recall for it, ask the model, file both."""
        options = self.options if self.said else self.first_options
        given = {"role": "user", "content": message}
        told = [{"role": "system", "content": self.system}] if self.system else []
        history = [*told, *self.history]
        self.turn = self.palace.turn(given, history=history, session=self.session, agent=self.agent, options=options)
        self.history.append(given)
        self.asked, self.said = message, self.said + 1
        self._show(self.turn)
        return self.answer()

    def answer(self) -> Answered:
        """Ask the model for the turn at hand, once more where it did not reply."""
        assert self.turn is not None
        turn = self.turn
        if self.model is None:
            self.has_failed = False
            return self._answered(turn)
        reply, stop, problem = self._ask(self.model, turn)
        if reply:
            self.history.append({"role": "assistant", "content": reply})
        self.has_failed = bool(problem)
        with handling(signal.SIG_IGN):
            # What the person said is not lost for a model that says nothing.
            finished = turn.finish(reply or None)
        for note in finished.notes:
            self.screen.warn(note)
        if stop and ends_program(stop):
            raise stop
        told = self._answered(turn, reply)
        return replace(
            told,
            is_stopped=stop is not None,
            problem=problem,
            is_filed=finished.is_filed,
            is_waiting=finished.is_waiting,
            notes=(*told.notes, *finished.notes),
        )

    def read_back(self) -> bool:
        """Read what was said from the palace, as after forgetting; False where not all of it is there yet."""
        if self.model is None or self.palace.turns.waiting():
            return False
        self.history[:] = self.palace.turns.history(self.session)
        return True

    def _ask(self, model: ChatModel, turn: Turn) -> tuple[str, KeyboardInterrupt | None, str]:
        """Return what the model replied, what ended it early, and why there is no more."""
        pieces, stop, problem = list[str](), None, ""
        stream = model.stream(turn.messages)
        try:
            for piece in stream:
                pieces.append(piece)
                self.screen.piece(piece)
        except KeyboardInterrupt as interrupt:
            stop = interrupt
        except LanguageModelError as error:
            problem = str(error)
        finally:
            with handling(signal.SIG_IGN), suppress(RuntimeError):
                stream.close()
            self.screen.end_reply()
        if stop and not ends_program(stop):
            self.screen.dim(STOPPED if pieces else "stopped before it began: /retry asks again")
        if problem:
            self.screen.warn(f"{problem} (/retry asks again)")
        return "".join(pieces), stop, problem

    def _show(self, turn: Turn) -> None:
        self.screen.recalled(turn.hits, turn.decision.reason, searched=turn.decision.searched)
        for note in turn.notes:
            self.screen.warn(note)

    def _answered(self, turn: Turn, reply: str = "") -> Answered:
        return Answered(
            session=self.session,
            message=self.asked,
            reply=reply,
            model=self.model.model if self.model else None,
            searched=turn.decision.searched,
            reason=turn.decision.reason,
            query=turn.query.text if turn.query else None,
            hits=turn.hits,
            block=turn.block,
            timings_ms=turn.timings,
            notes=turn.notes,
        )


def ends_program(stop: KeyboardInterrupt) -> bool:
    """Tell a signal that ends the program, for which ``process`` raises a kind of its own, from Ctrl-C in a talk."""
    return type(stop) is not KeyboardInterrupt


@contextmanager
def handling(handler: Any) -> Iterator[None]:
    """Have Ctrl-C do something else within a block; where it is ignored, or outside the main thread, it stays so."""
    try:
        former = signal.getsignal(signal.SIGINT)
        if former is not signal.SIG_IGN:
            signal.signal(signal.SIGINT, handler)
    except ValueError:
        yield
        return
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, former)


FIRST_SECONDS = 20.0
"""What memory may take of the first turn at most, in which the embedding model is loaded."""
NO_MODEL = (
    "no model is set: `palace settings set chat_model NAME` or --model names one, such as openai/gpt-4o-mini, or "
    "ollama_chat/llama3.2 on this machine; until then you see what memory would put in, and nothing is filed"
)


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a person asks for on the command line; what they do not is as their settings have it."""

    model: str | None = None
    api_base: str | None = None
    session: str | None = None
    agent: str | None = None
    system: str | None = None
    working_memory: str | None = None


def begin(palace: Palace, wanted: Wanted, screen: Screen) -> Talk:
    """Begin a talk, or go on with one.

    Raises:
        BadRequest: an address, an agent or a working memory is none.
    """
    from palace.agent.context_window.stored import working_memory_of

    effective = _effective(palace, wanted)
    model = _model(palace, wanted, effective)
    name = model.model if model else None
    working = working_memory_of(effective, palace.working.summariser, model=name)
    usual = palace.turns.options(agent=wanted.agent, model=name, working=working)
    timeout = palace.turns.seconds(usual)
    talk = Talk(
        palace,
        wanted.session or f"chat-{datetime.now(zone_as_set()):%Y-%m-%d-%H%M}-{token_hex(2)}",
        screen,
        model,
        replace(usual, timeout=timeout),
        replace(usual, timeout=max(timeout, FIRST_SECONDS)),
        wanted.agent,
        wanted.system,
    )
    if wanted.session:
        talk.history[:] = palace.turns.history(wanted.session)
    return talk


def _effective(palace: Palace, wanted: Wanted) -> Effective:
    from palace.config.table import get_setting

    effective = palace.settings.effective(wanted.agent)
    if wanted.working_memory is None:
        # A talk is as long as the person likes: what fits is sent, where nobody says otherwise.
        is_unsaid = effective.working_memory == "none"
        return replace(effective, working_memory="token_window") if is_unsaid else effective
    chosen = get_setting("working_memory").read(wanted.working_memory)
    return replace(effective, working_memory=str(chosen))


def _model(palace: Palace, wanted: Wanted, effective: Effective) -> ChatModel | None:
    name = wanted.model or effective.chat_model
    if name is None:
        return None
    # An address that is set is that of the model that is set.
    base = wanted.api_base or (effective.chat_api_base if wanted.model is None else None)
    if base is not None and not base.startswith(("http://", "https://")):
        raise BadRequest(f"--api-base must be an address such as http://localhost:11434, not {base!r}")
    Thread(target=_load_client, daemon=True).start()
    return palace.turns.chat_model(name, api_base=base)


def _load_client() -> None:
    """Load what calls models while the person reads and types: it takes seconds."""
    from palace.ai.client import the_client

    the_client()
