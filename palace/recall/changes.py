"""Ranks statements that ceased to hold behind their successors, or before them for queries about an earlier time."""

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
    """Limits for ranking statements that ceased to hold."""

    drawers: int = 15
    """Number of the best drawers that are checked; 0 for none."""
    behind: float = 0.25
    """By how much a successor may be less similar to the query and still answer it."""
    words: float = 0.3
    """A less similar one answers it if it has this share of the query's words that the other has."""


@dataclass(frozen=True, slots=True)
class Changed:
    """Changes between the drawers of a comparison."""

    by_drawer: Mapping[int, Sequence[Change]] = field(default_factory=dict)
    """Changes by the id of the drawer whose claim ceased to hold, in order of time."""
    pairs: frozenset[frozenset[int]] = frozenset()
    """Pairs of the ids of a drawer and its successor, for all changes, including those the query does not ask about."""

    def after(self, drawer_id: int) -> Sequence[Change]:
        """Return the changes by which claims of a drawer ceased to hold."""
        return self.by_drawer.get(drawer_id, ())

    def before(self, drawer_id: int) -> list[Change]:
        """Return the changes of which a drawer is the successor, latest first."""
        ended = (each for changes in self.by_drawer.values() for each in changes if each.successor_id == drawer_id)
        return sorted(ended, key=lambda each: each.until, reverse=True)


def find_changed(
    session: UserSession,
    found: dict[int, Compared],
    request: RecallRequest,
    limits: Changes,
    compare: Callable[[Collection[int]], Iterable[Compared]],
) -> Changed:
    """Find the changes of the best drawers, and add their successors to ``found``, compared like the others.

    Predecessors are added too if the query asks for them. Changes learned from the scope's ``until`` on are ignored. If
    the query names predicates, changes of others do not count; nor does a change of one claim of a drawer if the query
    may ask about another claim of it that still holds.
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
        if _counts(each, query):
            by_drawer.setdefault(each.drawer_id, []).append(each)
    return Changed(by_drawer, frozenset(frozenset((each.drawer_id, each.successor_id)) for each in changes))


def _counts(change: Change, query: str) -> bool:
    """Check whether a change matters: it does not if the query may ask about claims of the drawer that still hold."""
    said = {change.predicate, *change.holding}
    asked = asked_of(query, said)
    return not change.holding or change.predicate in change.holding or (change.predicate in asked != said)


_FARTHEST = 5
"""Most successive changes that are followed."""


def in_their_time(
    relevant: Sequence[Fused], ranked: Sequence[Fused], changed: Changed, intent: Intent, limits: Changes
) -> list[Fused]:
    """Place before each drawer the one whose claim was valid at the time that the query asks about, with equal score.

    It may come from ``ranked``, which holds drawers below the floor too.
    """
    if not changed.by_drawer:
        return list(relevant)
    by_id = {fused.id: fused for fused in (*ranked, *relevant)}
    placed: dict[int, Fused] = {}
    for place, fused in enumerate(relevant):
        drawer_id = fused.id
        if drawer_id in placed:
            continue
        valid = _valid_instead(fused, by_id, changed, intent, limits) if place < limits.drawers else None
        if valid is not None and valid not in placed:
            placed[valid] = replace(by_id[valid], score=max(by_id[valid].score, fused.score))
        instead = by_id[valid].drawer if valid is not None else None
        is_later = instead is not None and instead.said_at > fused.drawer.said_at
        placed[drawer_id] = replace(fused, newer=instead) if is_later else fused
    return list(placed.values())


def _valid_instead(
    fused: Fused, by_id: Mapping[int, Fused], changed: Changed, intent: Intent, limits: Changes
) -> int | None:
    """Return the id of the drawer that was valid at the time asked about, instead of this one; None for itself."""

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
    found = _valid_of(own, [*reversed(_line(own, former)), own, *_line(own, later)], changed, intent)
    return None if found == own else found


def _line(start: int, step: Callable[[int], int | None]) -> list[int]:
    line: list[int] = []
    current = step(start)
    while current is not None and current not in line and current != start and len(line) < _FARTHEST:
        line.append(current)
        current = step(current)
    return line


def _valid_of(own: int, line: Sequence[int], changed: Changed, intent: Intent) -> int:
    """Choose from successive drawers the one valid at the time asked about, preferring ``own``."""
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
    """Check whether a query asks for a state, rather than for an event or a sum of statements."""
    if intent.asks_several or not limits.drawers:
        return False
    return bool(intent.windows or intent.earlier or intent.asks_what_was or not intent.asks_past)


def _ends(change: Change, intent: Intent) -> Iterator[int]:
    yield change.successor_id
    if intent.windows or intent.earlier or intent.asks_past or change.until > intent.now:
        yield change.drawer_id
