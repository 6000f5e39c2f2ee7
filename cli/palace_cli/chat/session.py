"""A chat: each message is a turn, sent to the model with recalled memories, and filed with the reply."""

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
    """One message with the hits recalled for it and the reply."""

    session: str
    message: str
    """The message as typed."""
    reply: str
    """The model's reply, as far as it came; "" if there was none."""
    model: str | None
    is_stopped: bool = False
    """Whether the reply was interrupted."""
    problem: str = ""
    """Why there is no reply, or only a part; "" if it is complete."""
    searched: bool
    reason: str
    """Why recall ran, or did not."""
    query: str | None
    """The query; None where recall did not run."""
    hits: tuple[Hit, ...]
    """The hits in the block, best first."""
    block: str
    """The memory block for the message."""
    timings_ms: Mapping[str, float]
    is_filed: bool = False
    is_waiting: bool = False
    """Whether it waits in the outbox."""
    notes: tuple[str, ...]
    """Failures, one line each."""


STOPPED = "stopped: what came is kept"


@dataclass(slots=True)
class ChatSession:
    """One chat session: its history, and the current turn."""

    palace: Palace
    session: str
    screen: Screen
    model: ChatModel | None
    options: TurnOptions
    first_options: TurnOptions
    """Options of the first turn, which waits for models to be loaded."""
    agent: str | None = None
    system: str | None = None
    """The system prompt."""
    history: list[dict[str, Any]] = field(default_factory=list)
    turn: Turn | None = None
    """The last turn."""
    asked: str = ""
    has_failed: bool = False
    """Whether the last message got no complete reply."""
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
        """Ask the model in the current turn, also again after a failure."""
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
            # The message is filed even if the model does not reply.
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
        """Reload the history from the palace, as after forgetting; return False while messages wait in the outbox."""
        if self.model is None or self.palace.turns.waiting():
            return False
        self.history[:] = self.palace.turns.history(self.session)
        return True

    def _ask(self, model: ChatModel, turn: Turn) -> tuple[str, KeyboardInterrupt | None, str]:
        """Return the model's reply, the interrupt that stopped it, and the error that ended it."""
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
    """Return whether an interrupt ends the program (``process`` raises a subclass), not only the reply."""
    return type(stop) is not KeyboardInterrupt


@contextmanager
def handling(handler: Any) -> Iterator[None]:
    """Handle Ctrl-C differently during the block; without effect if it is ignored, or outside the main thread."""
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
"""Seconds that memory may take in the first turn at least, because the embedding model is loaded in it."""
NO_MODEL = (
    "no model is set: `palace settings set chat_model NAME` or --model names one, such as openai/gpt-4o-mini, or "
    "ollama_chat/llama3.2 on this machine; until then you see what memory would put in, and nothing is filed"
)


@dataclass(frozen=True, slots=True)
class Wanted:
    """The options of the command line; None means the user's setting."""

    model: str | None = None
    api_base: str | None = None
    session: str | None = None
    agent: str | None = None
    system: str | None = None
    working_memory: str | None = None


def begin(palace: Palace, wanted: Wanted, screen: Screen) -> ChatSession:
    """Start a chat, or continue one.

    Raises:
        BadRequest: an address, an agent or a working memory is invalid.
    """
    from palace.agent.context_window.stored import working_memory_of

    effective = _effective(palace, wanted)
    model = _model(palace, wanted, effective)
    name = model.model if model else None
    working = working_memory_of(effective, palace.working.summariser, model=name)
    usual = palace.turns.options(agent=wanted.agent, model=name, working=working)
    timeout = palace.turns.seconds(usual)
    chat = ChatSession(
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
        chat.history[:] = palace.turns.history(wanted.session)
    return chat


def _effective(palace: Palace, wanted: Wanted) -> Effective:
    from palace.config.table import get_setting

    effective = palace.settings.effective(wanted.agent)
    if wanted.working_memory is None:
        # Unless set otherwise, the latest messages that fit are sent, since a chat may become long.
        is_unsaid = effective.working_memory == "none"
        return replace(effective, working_memory="token_window") if is_unsaid else effective
    chosen = get_setting("working_memory").read(wanted.working_memory)
    return replace(effective, working_memory=str(chosen))


def _model(palace: Palace, wanted: Wanted, effective: Effective) -> ChatModel | None:
    name = wanted.model or effective.chat_model
    if name is None:
        return None
    # The address in the settings belongs to the model in the settings.
    base = wanted.api_base or (effective.chat_api_base if wanted.model is None else None)
    if base is not None and not base.startswith(("http://", "https://")):
        raise BadRequest(f"--api-base must be an address such as http://localhost:11434, not {base!r}")
    Thread(target=_load_client, daemon=True).start()
    return palace.turns.chat_model(name, api_base=base)


def _load_client() -> None:
    """Load the client of models while the person reads and types, since it takes seconds."""
    from palace.ai.client import the_client

    the_client()
