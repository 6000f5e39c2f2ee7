"""The strategy that sums up: the latest messages as they are, and what was said before them in a rolling summary."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from typing import Any

from palace.cancellation import is_cancelled
from palace.errors import BadRequest, ModelError, PalaceError
from palace.llm.tokens import TokenCounter
from palace.records import CallRecord, OnProgress, Phase, Progress, doubts
from palace.working.counting import IMAGE, MessageCounter
from palace.working.exchanges import Group
from palace.working.kept import Kept
from palace.working.latest import latest
from palace.working.shape import Entry, entries_of
from palace.working.summary.block import is_summary, summary_in
from palace.working.summary.checkpoint import Checkpoint, digest_of
from palace.working.summary.prompt import shown
from palace.working.summary.summariser import Summariser
from palace.working.summary.view import View, frame_of, shortened, view_of
from palace.working.windows import TOKENS, at_least_one, counter_of

LEAST = 10
SHORTEST_SUMMARY = 100
"""Tokens that a summary may have beside its frame, however little room system messages leave."""
PORTION = 40_000
"""Characters of messages that are shown at once."""
MOST_CALLS = 4
"""For one request: what is left of a very long history is summed up with the next ones."""


@dataclass(frozen=True, slots=True)
class SummaryBuffer:
    """Keep the latest messages, and sum up what was said before: the strategy ``summary_buffer``.

    Where messages and summary together exceed ``trigger`` of the budget, older messages go into the summary until
    ``target`` of it is left, of which the latest messages have the share ``recent``. The summary is one message,
    written anew each time. Where it cannot be renewed, the former stays and the latest messages that fit are kept.
    """

    summariser: Summariser
    model: str | None = None
    """Whose tokens they are; without one they are estimated."""
    _: KW_ONLY
    budget: int = TOKENS
    trigger: float = 0.85
    target: float = 0.70
    recent: float = 0.80
    least: int = LEAST
    """Messages that are kept as they are although they take more."""
    counter: TokenCounter | None = None
    image_tokens: int = IMAGE
    name = "summary_buffer"

    def __post_init__(self) -> None:
        at_least_one(budget=self.budget, least=self.least, image_tokens=self.image_tokens)
        if not callable(getattr(self.summariser, "sum_up", None)):
            raise BadRequest(f"summariser must have sum_up, which {type(self.summariser).__name__} has not")
        if not 0 < self.target <= self.trigger <= 1 or not 0 < self.recent < 1:
            raise BadRequest(
                "target and trigger must be shares of the budget, target the smaller; recent one of target"
            )
        self.message_counter()

    def message_counter(self) -> MessageCounter:
        """Give what counts its messages."""
        return counter_of(self.model, self.counter, self.image_tokens)

    def keep(
        self,
        history: Sequence[Any],
        checkpoint: Checkpoint | None = None,
        *,
        asks: bool = True,
        progress: OnProgress | None = None,
    ) -> Kept:
        """Keep the latest messages of a history behind the summary of what was said before.

        ``checkpoint`` is that of the last call for this conversation; a history that holds the message of a summary
        goes on from that. Without ``asks`` no model is asked, and ``is_due`` says whether one should be.

        Raises:
            BadRequest: the history is none; nothing that a model or the database does keeps the messages back.
        """
        entries = entries_of(history)
        counter = self.message_counter()
        renewal = _Renewal(self, entries, counter, *_begun(entries, checkpoint))
        view = renewal.view()
        if asks and renewal.is_due(view) and renewal.checkpoint.may_try(len(entries)):
            renewal.run(progress)
            view = renewal.view()
        groups = latest(view.parted.exchanges, room=self.budget - view.beside, least=self.least)
        return replace(
            view.kept(groups, len(entries)),
            is_exact=counter.tokens.is_exact,
            warnings=(*renewal.warnings, *view.mended.warnings, *doubts(renewal.calls)),
            checkpoint=renewal.checkpoint,
            calls=tuple(renewal.calls),
            is_due=renewal.is_due(view),
        )


class _Renewal:
    """Summing up one history from a checkpoint on."""

    def __init__(
        self,
        strategy: SummaryBuffer,
        entries: Sequence[Entry],
        counter: MessageCounter,
        checkpoint: Checkpoint,
        warnings: Sequence[str],
    ) -> None:
        self._strategy, self._entries, self._counter = strategy, entries, counter
        self.checkpoint, self.warnings = checkpoint, list(warnings)
        self.calls: list[CallRecord] = []

    def view(self) -> View:
        return view_of(self._entries, self.checkpoint, self._counter)

    def is_due(self, view: View) -> bool:
        return view.tokens > self._strategy.trigger * self._strategy.budget and bool(self.older(view))

    def older(self, view: View) -> list[Group]:
        """List what is to go into the summary."""
        room = int(self._strategy.recent * self._room(view))
        stays = {id(group) for group in latest(view.parted.exchanges, room=room, least=self._strategy.least)}
        return [group for exchange in view.parted.exchanges for group in exchange if id(group) not in stays]

    def run(self, progress: OnProgress | None) -> None:
        """Sum up what is older, a portion at a time, as far as it goes."""
        view = self.view()
        older = self.older(view)
        stays = self._places(view) - {entry.place for group in older for entry in group.entries}
        limit = max(int((1 - self._strategy.recent) * self._room(view)), SHORTEST_SUMMARY + frame_of(self._counter))
        total, done = sum(len(group.entries) for group in older), 0
        _tell(progress, done, total)
        for portion in list(_portions(older))[:MOST_CALLS]:
            whole = (entry for group in portion for entry in group.entries if not entry.is_block)
            said = [replace(entry, shape=entry.said) for entry in whole]
            try:
                reply = self._strategy.summariser.sum_up(self.checkpoint.summary, said, limit)
            except PalaceError as problem:
                self._failed(problem)
                return
            self.calls += reply.calls
            covered = max(self.checkpoint.covered, portion[-1].entries[-1].place + 1)
            self._advance(shortened(reply.value, limit, self._counter), covered, stays)
            done += sum(len(group.entries) for group in portion)
            _tell(progress, done, total)

    def _advance(self, summary: str, covered: int, stays: set[int]) -> None:
        kept = tuple(sorted(place for place in stays if place < covered))
        self.checkpoint = Checkpoint(summary, covered, kept, digest_of(self._entries[:covered]))

    def _failed(self, problem: PalaceError) -> None:
        if isinstance(problem, ModelError):
            self.calls += problem.calls
        if not is_cancelled():
            self.checkpoint = self.checkpoint.failed(len(self._entries))
        self.warnings.append(f"older messages were not summed up: {problem}")

    def _room(self, view: View) -> int:
        """Give the tokens that summary and messages are to have in the end."""
        return max(int(self._strategy.target * self._strategy.budget) - view.pinned, 0)

    @staticmethod
    def _places(view: View) -> set[int]:
        groups = (group for exchange in view.parted.exchanges for group in exchange)
        return {entry.place for group in groups for entry in group.entries}


def _begun(entries: Sequence[Entry], checkpoint: Checkpoint | None) -> tuple[Checkpoint, list[str]]:
    """Find where to go on from: a checkpoint of this history, else a summary that stands in it, else its beginning."""
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
    """Put groups together as far as they can be shown at once."""
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


def _tell(progress: OnProgress | None, done: int, total: int) -> None:
    if progress:
        progress(Progress(Phase.SUM_UP, done, total, "messages"))
