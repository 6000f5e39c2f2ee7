"""Strategies that need nothing but the history: so many messages, so many tokens, or all of it. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any

from palace.errors import BadRequest
from palace.llm.tokens import TokenCounter
from palace.working.counting import IMAGE, REPLY, MessageCounter
from palace.working.exchanges import Group, Parted, part
from palace.working.kept import Kept
from palace.working.latest import latest
from palace.working.mending import History, mend
from palace.working.shape import Entry, entries_of
from palace.working.summary.checkpoint import Checkpoint

MESSAGES = 20
TOKENS = 8_000
LEAST = 5


@dataclass(frozen=True, slots=True)
class WholeHistory:
    """Keep everything that a provider takes, behind a user's message: the strategy ``none``."""

    name = "none"

    def keep(self, history: Sequence[Any], checkpoint: Checkpoint | None = None) -> Kept:
        """Keep a history; only calls without a result, results without a call and what precedes the user are left out.

        Raises:
            BadRequest: the history is none.
        """
        mended = mend(entries_of(history))
        parted = part(mended, lambda _: 1)
        groups = [group for exchange in parted.exchanges for group in exchange]
        return kept_of(history, mended, parted, groups, checkpoint=checkpoint)


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
        mended = mend(entries_of(history))
        parted = part(mended, lambda entry: 0 if entry.is_block else 1)
        groups = latest(parted.exchanges, room=self.messages, least=1)
        return kept_of(history, mended, parted, groups, checkpoint=checkpoint)


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
        """Give what counts its messages."""
        return counter_of(self.model, self.counter, self.image_tokens)

    def keep(self, history: Sequence[Any], checkpoint: Checkpoint | None = None) -> Kept:
        """Keep the latest messages of a history that fit the budget.

        Raises:
            BadRequest: the history is none.
        """
        counter = self.message_counter()
        mended = mend(entries_of(history))
        parted = part(mended, counter.count)
        room = self.budget - counter.count_all(parted.pinned)
        groups = latest(parted.exchanges, room=room, least=self.least)
        return kept_of(history, mended, parted, groups, counter=counter, checkpoint=checkpoint)


def kept_of(
    history: Sequence[Any],
    mended: History,
    parted: Parted,
    groups: Iterable[Group],
    *,
    counter: MessageCounter | None = None,
    checkpoint: Checkpoint | None = None,
) -> Kept:
    """Put what was chosen beside the system messages, all at their places."""
    chosen = list(groups)
    entries = sorted((*parted.pinned, *(entry for group in chosen for entry in group.entries)), key=_place)
    tokens = None
    if counter is not None:
        tokens = REPLY + sum(counter.count(entry) for entry in parted.pinned) + sum(group.cost for group in chosen)
    return Kept(
        [entry.message for entry in entries],
        len(history) - len(entries),
        tokens,
        counter is not None and counter.tokens.is_exact,
        mended.warnings,
        checkpoint,
    )


def counter_of(model: str | None, counter: TokenCounter | None, image_tokens: int) -> MessageCounter:
    """Give what counts messages: a counter that was given, else the model's, else an estimate.

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


def _place(entry: Entry) -> int:
    return entry.place
