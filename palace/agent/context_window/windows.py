"""Working-memory strategies that need only the history: so many messages, so many tokens, or all of it. Pure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any, Protocol

from palace.agent.context_window.checkpoint import Checkpoint
from palace.agent.context_window.counting import IMAGE, MessageCounter
from palace.agent.context_window.history import HistoryEntry, entries_of, split_history
from palace.ai.tokens import TokenCounter
from palace.errors import BadRequest
from palace.models import CallRecord

MESSAGES = 20
TOKENS = 8_000
LEAST = 5


@dataclass(frozen=True, slots=True)
class Kept:
    """The part of a history that is sent, with what came of choosing it."""

    messages: list[Any]
    """The messages to send, in order: the caller's own objects."""
    left_out: int
    """How many messages of the history are not sent."""
    tokens: int | None = None
    """Tokens of the messages and of the beginning of the reply; None where nothing was counted."""
    is_exact: bool = False
    """Whether texts were counted by the model's own tokenizer."""
    warnings: tuple[str, ...] = ()
    """Warnings for a person, one line each."""
    checkpoint: Checkpoint | None = None
    """Checkpoint to pass with the next history of the conversation, where the strategy summarises."""
    calls: tuple[CallRecord, ...] = ()
    """Model calls that were made for it."""
    is_due: bool = False
    """Whether a summary is due but was not made: no model was to be asked, it failed, or it takes further requests."""


class WorkingMemory(Protocol):
    """Chooses which messages of a conversation are sent with its next request."""

    @property
    def name(self) -> str:
        """The name of the strategy in settings."""

    def keep(self, history: Sequence[Any], checkpoint: Checkpoint | None = None) -> Kept:
        """Choose the messages of a history to send; the newest message is last.

        They begin with a user's message, but all system messages stay at their places. A tool call and its results are
        kept together or not at all. The history is not changed.

        Raises:
            BadRequest: the history is not a list of messages.
        """


@dataclass(frozen=True, slots=True)
class WholeHistory:
    """Keep everything that providers accept, from the first user message on: the strategy ``none``."""

    name = "none"

    def keep(self, history: Sequence[Any], checkpoint: Checkpoint | None = None) -> Kept:
        """Keep a history but for calls without results, results without calls, and all before the first user message.

        Raises:
            BadRequest: the history is not a list of messages.
        """
        return _keep(history, checkpoint, lambda _: 1)


@dataclass(frozen=True, slots=True)
class BufferWindow:
    """Keep the latest messages, not counting system messages: the strategy ``buffer_window``.

    More are kept only where the latest message is one of many results of one message's calls.
    """

    messages: int = MESSAGES
    name = "buffer_window"

    def __post_init__(self) -> None:
        at_least_one(messages=self.messages)

    def keep(self, history: Sequence[Any], checkpoint: Checkpoint | None = None) -> Kept:
        """Keep the latest messages of a history.

        Raises:
            BadRequest: the history is not a list of messages.
        """
        return _keep(history, checkpoint, lambda entry: 0 if entry.is_block else 1, room=self.messages)


@dataclass(frozen=True, slots=True)
class TokenWindow:
    """Keep the messages that fit a number of tokens, and always the latest: the strategy ``token_window``."""

    model: str | None = None
    """The model whose tokens are counted; without one they are estimated."""
    _: KW_ONLY
    budget: int = TOKENS
    """Tokens that all messages may take together, including system messages."""
    least: int = LEAST
    """Number of latest messages that are kept even if they exceed the budget, with the user's message they answer."""
    counter: TokenCounter | None = None
    """Used in place of the model's own tokenizer."""
    image_tokens: int = IMAGE
    """Tokens that an image counts as, and anything else that is not text."""
    name = "token_window"

    def __post_init__(self) -> None:
        at_least_one(budget=self.budget, least=self.least, image_tokens=self.image_tokens)
        self.message_counter()

    def message_counter(self) -> MessageCounter:
        """Return the counter for its messages."""
        return counter_of(self.model, self.counter, self.image_tokens)

    def keep(self, history: Sequence[Any], checkpoint: Checkpoint | None = None) -> Kept:
        """Keep the latest messages of a history that fit the budget.

        Raises:
            BadRequest: the history is not a list of messages.
        """
        counter = self.message_counter()
        return _keep(history, checkpoint, counter.count, room=self.budget, least=self.least, counter=counter)


def _keep(
    history: Sequence[Any],
    checkpoint: Checkpoint | None,
    cost: Callable[[HistoryEntry], int],
    *,
    room: int | None = None,
    least: int = 1,
    counter: MessageCounter | None = None,
) -> Kept:
    """Keep the latest messages whose total ``cost`` fits ``room``; all of them where it is None."""
    split = split_history(entries_of(history), cost)
    pinned = counter.count_all(split.pinned) if counter else 0
    groups = split.groups if room is None else split.latest(room=room - pinned, least=least)
    entries = split.with_pinned(groups)
    return Kept(
        [entry.message for entry in entries],
        len(history) - len(entries),
        pinned + sum(group.cost for group in groups) if counter else None,
        counter is not None and counter.tokens.is_exact,
        split.warnings,
        checkpoint,
    )


def counter_of(model: str | None, counter: TokenCounter | None, image_tokens: int) -> MessageCounter:
    """Return a counter of messages: with the caller's counter, else the model's tokenizer, else an estimate.

    Raises:
        BadRequest: the counter is not a TokenCounter.
    """
    if counter is not None and not isinstance(counter, TokenCounter):
        raise BadRequest(f"counter must be a TokenCounter, not {type(counter).__name__}: see TokenCounter.given")
    return MessageCounter(counter or TokenCounter.of(model), image_tokens)


def at_least_one(**numbers: int) -> None:
    """Check that numbers are at least 1.

    Raises:
        BadRequest: one is no whole number, or below 1.
    """
    for name, number in numbers.items():
        if not isinstance(number, int) or isinstance(number, bool) or number < 1:
            raise BadRequest(f"{name} must be a whole number of at least 1, not {number!r}")
