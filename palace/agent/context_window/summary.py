"""The strategy that summarises: the latest messages verbatim, after a rolling summary of the earlier ones."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any

from palace.agent.context_window.checkpoint import Checkpoint, block_of, digest_of, is_summary, summary_in, tidied
from palace.agent.context_window.counting import IMAGE, MessageCounter
from palace.agent.context_window.history import Group, HistoryEntry, entries_of, split_history
from palace.agent.context_window.summariser import Summariser, shown
from palace.agent.context_window.windows import TOKENS, Kept, at_least_one, counter_of
from palace.ai.tokens import TokenCounter
from palace.cancellation import is_cancelled
from palace.errors import BadRequest, ModelError, PalaceError
from palace.models import CallRecord, OnProgress, Phase, Progress, doubts

LEAST = 10
SHORTEST_SUMMARY = 100
"""Fewest tokens that a summary may have, in addition to its frame."""
PORTION = 40_000
"""Characters of messages that the model sees in one call."""
MOST_CALLS = 4
"""Model calls per request; the rest of a very long history is summarised with the next requests."""


@dataclass(frozen=True, slots=True)
class SummarisingMemory:
    """Keep the latest messages behind one message that stands for the earlier ones and is rewritten each time."""

    summariser: Summariser
    model: str | None = None
    """The model whose tokens are counted; without one they are estimated."""
    _: KW_ONLY
    budget: int = TOKENS
    least: int = LEAST
    """Number of latest messages that are kept verbatim even if they exceed the budget."""
    counter: TokenCounter | None = None
    image_tokens: int = IMAGE
    name = ""

    def __post_init__(self) -> None:
        at_least_one(budget=self.budget, least=self.least, image_tokens=self.image_tokens)
        if not callable(getattr(self.summariser, "sum_up", None)):
            raise BadRequest(f"summariser must have sum_up, which {type(self.summariser).__name__} has not")
        self.message_counter()

    def message_counter(self) -> MessageCounter:
        """Return the counter for its messages."""
        return counter_of(self.model, self.counter, self.image_tokens)

    def keep(
        self,
        history: Sequence[Any],
        checkpoint: Checkpoint | None = None,
        *,
        asks: bool = True,
        progress: OnProgress | None = None,
    ) -> Kept:
        """Keep the latest messages of a history, after the summary of the earlier ones.

        ``checkpoint`` is that of the last call for this conversation; without it, a summary message in the history is
        continued. If ``asks`` is False no model is called, and ``is_due`` tells whether one should be. Failures of the
        model become warnings.

        Raises:
            BadRequest: the history is not a list of messages.
        """
        entries = entries_of(history)
        renewal = self.renewal(entries, checkpoint)
        if asks and renewal.is_due and renewal.checkpoint.may_try(len(entries)):
            renewal.run(progress)
        return renewal.kept()

    def renewal(self, entries: Sequence[HistoryEntry], checkpoint: Checkpoint | None) -> Renewal:
        """Return what decides when and how the summary of a history is renewed."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class SummaryBuffer(SummarisingMemory):
    """Keep the latest messages, and summarise the earlier ones: the strategy ``summary_buffer``.

    Where messages and summary together exceed ``trigger`` of the budget, older messages go into the summary until
    ``target`` of it is left, of which the latest messages have the share ``recent``. The summary is one message,
    rewritten each time. If that fails, the former summary stays and the latest messages that fit are kept.
    """

    trigger: float = 0.85
    target: float = 0.70
    recent: float = 0.80
    name = "summary_buffer"

    def __post_init__(self) -> None:
        SummarisingMemory.__post_init__(self)
        if not 0 < self.target <= self.trigger <= 1 or not 0 < self.recent < 1:
            raise BadRequest(
                "target and trigger must be shares of the budget, target the smaller; recent one of target"
            )

    def renewal(self, entries: Sequence[HistoryEntry], checkpoint: Checkpoint | None) -> Renewal:
        """Return the renewal of a summary that has a share of the budget."""
        return _SharedRenewal(self, entries, checkpoint)


class Renewal(ABC):
    """Renews the summary of one history, from a checkpoint on."""

    def __init__(
        self, strategy: SummarisingMemory, entries: Sequence[HistoryEntry], checkpoint: Checkpoint | None
    ) -> None:
        self._entries, self._budget, self._least = entries, strategy.budget, strategy.least
        self._summariser, self._counter = strategy.summariser, strategy.message_counter()
        checkpoint, self._warnings = _begun(entries, checkpoint)
        self._calls: list[CallRecord] = []
        self._go_to(checkpoint)

    def _go_to(self, checkpoint: Checkpoint) -> None:
        """Take a checkpoint as the current one, and split the messages that it does not replace."""
        live = [
            entry
            for entry in self._entries
            if not is_summary(entry)
            and (entry.is_pinned or entry.index >= checkpoint.covered or entry.index in checkpoint.stays)
        ]
        self.checkpoint = checkpoint
        self._split = split_history(live, self._counter.count)
        self._pinned = self._counter.count_all(self._split.pinned)
        """Tokens of the system messages and of the beginning of the reply."""
        self._beside = self._pinned + (cost_of(checkpoint.summary, self._counter) if checkpoint.summary else 0)
        """The same, plus the tokens of the summary."""

    @property
    @abstractmethod
    def is_due(self) -> bool:
        """Return whether something should be summarised now."""

    @property
    def tokens(self) -> int:
        """Return the tokens of everything that is not summarised, and of the summary."""
        return self._beside + sum(group.cost for group in self._split.groups)

    @property
    @abstractmethod
    def limit(self) -> int:
        """Return the most tokens of the summary's message."""

    @abstractmethod
    def older(self) -> list[Group]:
        """List the groups that should go into the summary."""

    def fitted(self, summary: str) -> str:
        """Shorten a summary whose message is too long."""
        return _shortened(summary, self.limit, self._counter)

    def latest(self, room: int) -> list[Group]:
        """Choose the latest groups to send."""
        return self._split.latest(room=room, least=self._least)

    def run(self, progress: OnProgress | None) -> None:
        """Summarise the older messages, a portion per model call, up to ``MOST_CALLS`` calls."""
        older, checkpoint = self.older(), self.checkpoint
        stays = {entry.index for group in self._split.groups for entry in group.entries}
        stays -= {entry.index for group in older for entry in group.entries}
        total, done = sum(len(group.entries) for group in older), 0
        _report(progress, done, total)
        for portion in list(_portions(older))[:MOST_CALLS]:
            said = [entry for group in portion for entry in group.entries if not entry.is_block]
            shapes = [HistoryEntry(entry.index, entry.message, entry.said) for entry in said]
            try:
                reply = self._summariser.sum_up(checkpoint.summary, shapes, self.limit)
            except PalaceError as problem:
                self._calls += problem.calls if isinstance(problem, ModelError) else ()
                checkpoint = checkpoint if is_cancelled() else checkpoint.failed(len(self._entries))
                self._warnings.append(f"older messages were not summed up: {problem}")
                break
            self._calls += reply.calls
            self._warnings += reply.warnings
            covered = max(checkpoint.covered, portion[-1].entries[-1].index + 1)
            kept = tuple(sorted(index for index in stays if index < covered))
            checkpoint = Checkpoint(self.fitted(reply.value), covered, kept, digest_of(self._entries[:covered]))
            done += sum(len(group.entries) for group in portion)
            _report(progress, done, total)
        self._go_to(checkpoint)

    def kept(self) -> Kept:
        """Return what to send: the system messages, then the summary, then the latest messages."""
        split = self._split
        groups = self.latest(self._budget - self._beside)
        entries = split.with_pinned(groups)
        messages = [entry.message for entry in entries]
        if self.checkpoint.summary:
            first = min((entry.index for group in groups for entry in group.entries), default=len(entries))
            at = sum(entry.index < first for entry in split.pinned)
            messages.insert(at, block_of(self.checkpoint.summary))
        return Kept(
            messages,
            len(self._entries) - len(entries),
            self._beside + sum(group.cost for group in groups),
            self._counter.tokens.is_exact,
            (*self._warnings, *split.warnings, *doubts(self._calls)),
            self.checkpoint,
            tuple(self._calls),
            self.is_due,
        )


class _SharedRenewal(Renewal):
    """Renews a summary that shares ``target`` of the budget with the latest messages."""

    def __init__(self, strategy: SummaryBuffer, entries: Sequence[HistoryEntry], checkpoint: Checkpoint | None) -> None:
        super().__init__(strategy, entries, checkpoint)
        self._strategy = strategy

    @property
    def limit(self) -> int:
        return max(int((1 - self._strategy.recent) * self._room()), SHORTEST_SUMMARY + cost_of("", self._counter))

    @property
    def is_due(self) -> bool:
        return self.tokens > self._strategy.trigger * self._budget and bool(self.older())

    def older(self) -> list[Group]:
        room = int(self._strategy.recent * self._room())
        stays = {id(group) for group in self.latest(room)}
        return [group for group in self._split.groups if id(group) not in stays]

    def _room(self) -> int:
        """Return the token target of summary and messages together, without system messages."""
        return max(int(self._strategy.target * self._budget) - self._pinned, 0)


def _begun(entries: Sequence[HistoryEntry], checkpoint: Checkpoint | None) -> tuple[Checkpoint, list[str]]:
    """Return where to start, with warnings: a matching checkpoint, else a summary in the history, else neither."""
    given = checkpoint or Checkpoint()
    if given.covered and given.is_of(entries):
        return given, []
    standing = [entry for entry in entries if is_summary(entry)]
    if standing:
        return Checkpoint(summary_in(standing[-1]), failures=given.failures, tried=given.tried), []
    if not given.covered:
        return given, []
    return Checkpoint(), ["the checkpoint is of another history, or one that was changed: it is summed up anew"]


def _portions(groups: Sequence[Group]) -> Iterator[list[Group]]:
    portion: list[Group] = []
    used = 0
    for group in groups:
        length = sum(len(shown(entry)) for entry in group.entries)
        if portion and used + length > PORTION:
            yield portion
            portion, used = [], 0
        portion.append(group)
        used += length
    if portion:
        yield portion


def _shortened(summary: str, limit: int, counter: MessageCounter) -> str:
    """Cut a summary whose message is too long after the last word that fits."""
    if cost_of(summary, counter) <= limit:
        return summary
    low, high = 0, len(summary)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if cost_of(summary[:middle], counter) <= limit else (low, middle - 1)
    cut = summary[:low]
    return tidied(cut[: cut.rfind(" ")] if " " in cut else cut)


def cost_of(summary: str, counter: MessageCounter) -> int:
    """Count the tokens of a summary's message."""
    block = block_of(summary)
    return counter.count(HistoryEntry(-1, block, block))


def _report(progress: OnProgress | None, done: int, total: int) -> None:
    if progress:
        progress(Progress(Phase.SUM_UP, done, total, "messages"))
