"""The strategy that compresses: the latest messages verbatim, after the current state of the conversation as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass, field, replace

from palace.agent.context_window.checkpoint import Checkpoint
from palace.agent.context_window.history import Group, HistoryEntry, SplitHistory
from palace.agent.context_window.state import State
from palace.agent.context_window.state_summariser import StateSummariser
from palace.agent.context_window.summariser import Summariser, shortened
from palace.agent.context_window.summary import Renewal, SummarisingMemory
from palace.agent.context_window.windows import LEAST, at_least_one

EVERY = 10
STATE = 250
BUDGET = 2_000
LONGEST_RESULT = 600
"""Characters of a tool's result that is shortened."""


@dataclass(frozen=True, slots=True)
class CurrentState(SummarisingMemory):
    """Keep the latest messages, and of the earlier ones a state as JSON: the strategy ``current_state``.

    The state has the goal, decisions, open items, facts and results of tools. It is renewed when ``every`` more
    messages are older than the latest ``least``, or when they do not fit the budget. Where they do not, results of
    tools are shortened, and the latest messages that fit are kept. Those of the latest call stay whole in any case.
    """

    summariser: Summariser = field(default_factory=StateSummariser)
    _: KW_ONLY
    budget: int = BUDGET
    least: int = LEAST
    every: int = EVERY
    """Number of older messages from which on the state is renewed."""
    state_tokens: int = STATE
    """Tokens of the state's message, at most."""
    name = "current_state"

    def __post_init__(self) -> None:
        SummarisingMemory.__post_init__(self)
        at_least_one(every=self.every, state_tokens=self.state_tokens)

    def renewal(self, entries: Sequence[HistoryEntry], checkpoint: Checkpoint | None) -> Renewal:
        """Return the renewal of a state."""
        return _StateRenewal(self, entries, checkpoint)


class _StateRenewal(Renewal):
    """Renews a state after so many messages."""

    def __init__(self, strategy: CurrentState, entries: Sequence[HistoryEntry], checkpoint: Checkpoint | None) -> None:
        super().__init__(strategy, entries, checkpoint)
        self._strategy = strategy

    @property
    def limit(self) -> int:
        return self._strategy.state_tokens

    @property
    def is_due(self) -> bool:
        size = sum(group.size for group in self.older())
        return size >= self._strategy.every or (size > 0 and self.tokens > self._budget)

    def older(self) -> list[Group]:
        stays = {id(group) for group in self._split.latest(room=0, least=self._least)}
        return [group for group in self._split.groups if id(group) not in stays]

    def fitted(self, summary: str) -> str:
        return State.read(summary).fitted(self.limit, self._counter).written()

    def latest(self, room: int) -> list[Group]:
        return self._shown.latest(room=room + self._unbounded, least=self._least)

    @property
    def tokens(self) -> int:
        """Return the tokens of everything that is not in the state, and of the state, as the budget bounds them."""
        return self._beside + sum(group.cost for group in self._shown.groups) - self._unbounded

    @property
    def _unbounded(self) -> int:
        """The tokens of the latest call's results that the budget does not bound."""
        return sum(group.cost - self._with_short_results(group).cost for group in self._split.groups[-1:])

    @property
    def _shown(self) -> SplitHistory:
        """The history, with short results but for those of the latest call where it does not fit the budget."""
        whole, last = self._split, self._split.groups[-1:]
        if self._beside + sum(group.cost for group in whole.groups) <= self._budget:
            return whole
        shown = (
            tuple(each if each in last else self._with_short_results(each) for each in exchange)
            for exchange in whole.exchanges
        )
        return replace(whole, exchanges=tuple(shown))

    def _with_short_results(self, group: Group) -> Group:
        entries = tuple(map(_with_short_result, group.entries))
        return Group(entries, sum(map(self._counter.count, entries)))


def _with_short_result(entry: HistoryEntry) -> HistoryEntry:
    content = entry.shape.get("content")
    if entry.answers is None or not isinstance(content, str) or len(content) <= LONGEST_RESULT:
        return entry
    short = {**entry.shape, "content": shortened(content, LONGEST_RESULT)}
    return replace(entry, message=short, shape=short)
