"""What stopped being so, behind what holds instead; in front of it where the query asks for the time before."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from palace.db.database import UserSession
from palace.db.graph.asked import Change, list_changes
from palace.models import Compared
from palace.nlp.questions.states import Earlier
from palace.recall.fuse import Fused
from palace.recall.intent import Intent, asked_of
from palace.recall.request import RecallRequest


@dataclass(frozen=True, slots=True)
class Changes:
    """How what stopped being so is put in its place."""

    drawers: int = 15
    """How many of the best are looked at; 0 for none."""
    behind: float = 0.25
    """By how much what holds instead may be less similar to the query, and still answer it."""
    words: float = 0.3
    """The share of the query's words that the one says, which the other must say to answer it anyhow."""


@dataclass(frozen=True, slots=True)
class Changed:
    """Changes between the drawers of a comparison."""

    by_drawer: Mapping[int, Sequence[Change]] = field(default_factory=dict)
    """By the drawer whose claim stopped being so, in order of time."""

    def after(self, drawer_id: int) -> Sequence[Change]:
        """Give what stopped being so of what a drawer says."""
        return self.by_drawer.get(drawer_id, ())

    def before(self, drawer_id: int) -> list[Change]:
        """Give what a drawer put an end to, the latest first."""
        ended = (each for changes in self.by_drawer.values() for each in changes if each.successor_id == drawer_id)
        return sorted(ended, key=lambda each: each.until, reverse=True)


def find_changed(
    session: UserSession,
    found: dict[int, Compared],
    request: RecallRequest,
    limits: Changes,
    compare: Callable[[Collection[int]], Iterable[Compared]],
) -> Changed:
    """Find what of drawers stopped being so; what holds instead of the best is compared and put to them as well.

    So is what held before, where the query asks for it. What was said from the scope's ``until`` on is not known. Where
    the query asks about some predicates by their words, changes of others do not count; nor does that of one thing that
    a drawer says where the query asks for another one that it says and that holds.
    """
    query, scope, intent = request.read.sought, request.scope, request.intent
    best = sorted(found.values(), key=lambda each: -((each.similarity or 0.0) + each.coverage))[: limits.drawers]
    looked_at = {each.id for each in best}
    changes: set[Change] = set()
    for _ in range(_FARTHEST):
        changes |= {
            each for each in list_changes(session, looked_at) if scope.until is None or each.learned_at < scope.until
        }
        ends = {end for each in changes for end in _ends(each, intent)} - found.keys()
        if not ends:
            break
        more = {each.id: each for each in compare(ends)}
        found |= more
        looked_at = set(more)
        if not more:
            break
    by_drawer: dict[int, list[Change]] = {}
    asked = asked_of(query, {each.predicate for each in changes})
    for each in sorted(each for each in changes if each.predicate in asked):
        if (counted := _as_asked(each, query)) is not None:
            by_drawer.setdefault(each.drawer_id, []).append(counted)
    return Changed(by_drawer)


def _as_asked(change: Change, query: str) -> Change | None:
    """Give a change as it counts for a query: not at all where that asks for other things that the drawer says and that
    hold; where it asks for none of them by its words, the successor must answer it by what it says itself.
    """
    if not change.holding or change.predicate in change.holding:
        return change
    said = (change.predicate, *change.holding)
    asked = asked_of(query, said)
    if change.predicate not in asked:
        return None
    return change._replace(is_most=False) if len(asked) == len(set(said)) else change


_FARTHEST = 5
"""Changes that follow one another."""


def in_their_time(
    relevant: Sequence[Fused], ranked: Sequence[Fused], changed: Changed, intent: Intent, limits: Changes
) -> list[Fused]:
    """Put in front of each drawer what held at the time that is asked for; it is worth as much.

    ``ranked`` is all that may be brought up for that; what is there as well only comes earlier.
    """
    if not changed.by_drawer:
        return list(relevant)
    by_id = {fused.id: fused for fused in (*ranked, *relevant)}
    placed: dict[int, Fused] = {}
    for place, fused in enumerate(relevant):
        drawer_id = fused.id
        if drawer_id in placed:
            continue
        told = _held(fused, by_id, changed, intent, limits) if place < limits.drawers else None
        if told is not None and told not in placed:
            placed[told] = replace(by_id[told], score=max(by_id[told].score, fused.score))
        placed[drawer_id] = fused
    return list(placed.values())


def _held(fused: Fused, by_id: Mapping[int, Fused], changed: Changed, intent: Intent, limits: Changes) -> int | None:
    """Give the drawer that says what held when it is asked for, in the place of one; None where that is itself."""

    def answers(change: Change, drawer_id: int) -> bool:
        if drawer_id not in by_id or change.is_most:
            return drawer_id in by_id
        one, other = fused.drawer, by_id[drawer_id].drawer
        is_near = (other.similarity or 0.0) >= (one.similarity or 0.0) - limits.behind
        return is_near or 0.0 < other.coverage >= limits.words * one.coverage

    def former(drawer_id: int) -> int | None:
        return next((each.drawer_id for each in changed.before(drawer_id) if answers(each, each.drawer_id)), None)

    def later(drawer_id: int) -> int | None:
        return next((each.successor_id for each in changed.after(drawer_id) if answers(each, each.successor_id)), None)

    own = fused.id
    found = _asked_of(own, [*reversed(_line(own, former)), own, *_line(own, later)], changed, intent)
    return None if found == own else found


def _line(start: int, step: Callable[[int], int | None]) -> list[int]:
    line: list[int] = []
    current = step(start)
    while current is not None and current not in line and current != start and len(line) < _FARTHEST:
        line.append(current)
        current = step(current)
    return line


def _asked_of(own: int, line: Sequence[int], changed: Changed, intent: Intent) -> int:
    """Choose, of drawers that follow one another in time, the one that says what is asked for: its own, if it does."""
    if intent.earlier is Earlier.FIRST:
        return line[0]
    if not intent.windows and (intent.earlier or intent.asks_past):
        return line[-2] if len(line) > 1 else line[-1]
    start, end = intent.stretch or (intent.now, intent.now)
    holding = []
    begun: datetime | None = None
    for drawer_id, successor in zip(line, (*line[1:], None), strict=True):
        until = next((each.until for each in changed.after(drawer_id) if each.successor_id == successor), None)
        if (until is None or until > start) and (begun is None or begun <= start or begun < end):
            holding.append(drawer_id)
        begun = until
    return own if own in holding or not holding else holding[0]


def asks_for_state(intent: Intent, limits: Changes) -> bool:
    """Tell whether a state is asked for: neither what happened, nor what several statements come to."""
    if intent.asks_several or not limits.drawers:
        return False
    return bool(intent.windows or intent.earlier or intent.asks_what_was or not intent.asks_past)


def _ends(change: Change, intent: Intent) -> Iterator[int]:
    yield change.successor_id
    if intent.windows or intent.earlier or intent.asks_past or change.until > intent.now:
        yield change.drawer_id
