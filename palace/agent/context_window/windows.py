"""Strategies that need nothing but the history: so many messages, so many tokens, or all of it. Pure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any, Protocol

from palace.agent.context_window.checkpoint import Checkpoint
from palace.agent.context_window.counting import IMAGE, MessageCounter
from palace.agent.context_window.history import Entry, entries_of, part
from palace.ai.tokens import TokenCounter
from palace.errors import BadRequest
from palace.models import CallRecord

MESSAGES = 20
TOKENS = 8_000
LEAST = 5


@dataclass(frozen=True, slots=True)
class Kept:
    """What of a history is sent."""

    messages: list[Any]
    """Ready to send, in their order: the very objects that were given."""
    left_out: int
    """How many messages of the history are not among them."""
    tokens: int | None = None
    """What they take, the beginning of the reply with it; None where nothing was counted."""
    is_exact: bool = False
    """Whether texts were counted by the model's own tokenizer."""
    warnings: tuple[str, ...] = ()
    """What a person should know, in a line each."""
    checkpoint: Checkpoint | None = None
    """To be given with the next history of the conversation, by a strategy that sums up."""
    calls: tuple[CallRecord, ...] = ()
    """Calls of a model that were made for it."""
    is_due: bool = False
    """Whether a summary is due that was not made: nobody was to be asked, it failed, or it takes further requests."""


class WorkingMemory(Protocol):
    """Chooses what of a conversation is sent with its next request."""

    @property
    def name(self) -> str:
        """What settings call it."""

    def keep(self, history: Sequence[Any], checkpoint: Checkpoint | None = None) -> Kept:
        """Choose what is sent of a history, the newest message last.

        What is kept begins with a user's message, behind system messages, which all stay at their places. A call of a
        tool and its results are kept together or not at all. The history is not changed.

        Raises:
            BadRequest: the history is none.
        """


@dataclass(frozen=True, slots=True)
class WholeHistory:
    """Keep everything that a provider takes, behind a user's message: the strategy ``none``."""

    name = "none"

    def keep(self, history: Sequence[Any], checkpoint: Checkpoint | None = None) -> Kept:
        """Keep a history; only calls without a result, results without a call and what precedes the user are left out.

        Raises:
            BadRequest: the history is none.
        """
        return _keep(history, checkpoint, lambda _: 1)


@dataclass(frozen=True, slots=True)
class BufferWindow:
    """Keep the latest messages, system messages not counted: the strategy ``buffer_window``.

    More are kept only where the latest message is one of many results of one message's calls.
    """

    messages: int = MESSAGES
    name = "buffer_window"

    def __post_init__(self) -> None:
        at_least_one(messages=self.messages)

    def keep(self, history: Sequence[Any], checkpoint: Checkpoint | None = None) -> Kept:
        """Keep the latest messages of a history.

        Raises:
            BadRequest: the history is none.
        """
        return _keep(history, checkpoint, lambda entry: 0 if entry.is_block else 1, room=self.messages)


@dataclass(frozen=True, slots=True)
class TokenWindow:
    """Keep what fits a number of tokens, and the latest messages in any case: the strategy ``token_window``."""

    model: str | None = None
    """Whose tokens they are; without one they are estimated."""
    _: KW_ONLY
    budget: int = TOKENS
    """Tokens that all messages may take together, system messages with them."""
    least: int = LEAST
    """Messages that are kept although they take more, with the user's message that they answer."""
    counter: TokenCounter | None = None
    """Counts instead of the model's own."""
    image_tokens: int = IMAGE
    """What an image takes, and whatever else is no text."""
    name = "token_window"

    def __post_init__(self) -> None:
        at_least_one(budget=self.budget, least=self.least, image_tokens=self.image_tokens)
        self.message_counter()

    def message_counter(self) -> MessageCounter:
        """Return what counts its messages."""
        return counter_of(self.model, self.counter, self.image_tokens)

    def keep(self, history: Sequence[Any], checkpoint: Checkpoint | None = None) -> Kept:
        """Keep the latest messages of a history that fit the budget.

        Raises:
            BadRequest: the history is none.
        """
        counter = self.message_counter()
        return _keep(history, checkpoint, counter.count, room=self.budget, least=self.least, counter=counter)


def _keep(
    history: Sequence[Any],
    checkpoint: Checkpoint | None,
    cost: Callable[[Entry], int],
    *,
    room: int | None = None,
    least: int = 1,
    counter: MessageCounter | None = None,
) -> Kept:
    """Keep the latest messages whose ``cost`` fits the room; all of them where it has no end."""
    parted = part(entries_of(history), cost)
    pinned = counter.count_all(parted.pinned) if counter else 0
    groups = parted.groups if room is None else parted.latest(room=room - pinned, least=least)
    entries = parted.with_pinned(groups)
    return Kept(
        [entry.message for entry in entries],
        len(history) - len(entries),
        pinned + sum(group.cost for group in groups) if counter else None,
        counter is not None and counter.tokens.is_exact,
        parted.warnings,
        checkpoint,
    )


def counter_of(model: str | None, counter: TokenCounter | None, image_tokens: int) -> MessageCounter:
    """Return what counts messages: the given counter, else the model's, else an estimate.

    Raises:
        BadRequest: the counter is none.
    """
    if counter is not None and not isinstance(counter, TokenCounter):
        raise BadRequest(f"counter must be a TokenCounter, not {type(counter).__name__}: see TokenCounter.given")
    return MessageCounter(counter or TokenCounter.of(model), image_tokens)


def at_least_one(**numbers: int) -> None:
    """Check numbers.

    Raises:
        BadRequest: one is no whole number, or below 1.
    """
    for name, number in numbers.items():
        if not isinstance(number, int) or isinstance(number, bool) or number < 1:
            raise BadRequest(f"{name} must be a whole number of at least 1, not {number!r}")
