"""Fold assertions into relations: what was true when, what was believed when, and what is no longer true."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo

from palace.graph.folding.history import history
from palace.graph.folding.statements import Statement, end_by_telling, told
from palace.graph.folding.takings import take_back
from palace.graph.folding.timeline import Interval
from palace.graph.predicates import is_single_valued, tells_events, tells_past
from palace.models.claims import Action
from palace.models.graph import Assertion, FoldedRelation, Overtaken


@dataclass(frozen=True, slots=True)
class Folded:
    """The result of folding the assertions of one subject and predicate."""

    relations: tuple[FoldedRelation, ...]
    """Current and superseded relations, in order of time; those without a known beginning first."""
    overtaken: tuple[Overtaken, ...]
    """In order of time; ``until`` may be in the future."""


def fold(predicate: str, assertions: Sequence[Assertion], zone: tzinfo) -> Folded:
    """Fold all assertions of one subject and one predicate, in any order.

    The result depends only on the set of assertions: not on their order, nor on the values of ids. Days begin at
    midnight in ``zone``; all times returned are in UTC. Relations of a single-valued predicate that are believed at the
    same time do not overlap; one that begins when it ends was true at an unknown time. Without assertions the result is
    empty.
    """
    single = is_single_valued(predicate)
    statements = told(assertions, zone, is_event=tells_events(predicate), is_single=single)
    if tells_past(predicate):
        end_by_telling(statements)
    take_back(statements)
    statements = [statement for statement in statements if not statement.is_going_on]
    relations: list[FoldedRelation] = []
    now: list[Interval] = []
    for group in [statements] if single else _by_object(statements):
        believed, current = history(group, zone)
        relations.extend(believed)
        now.extend(current)
    supported: defaultdict[int, list[Interval]] = defaultdict(list)
    for interval in now:
        for statement in interval.support:
            supported[statement.order].append(interval)
    overtaken = (_overtaken(s, supported[s.order], now) for s in statements if s.is_value)
    return Folded(tuple(sorted(relations, key=_time)), tuple(o for o in overtaken if o))


def _by_object(statements: Iterable[Statement]) -> Iterable[list[Statement]]:
    """Return the statements of each object, with the ends of any value, in order of time."""
    groups: defaultdict[str, list[Statement]] = defaultdict(list)
    for statement in statements:
        groups[statement.key].append(statement)
    everything = [s for s in groups.pop("", []) if s.action is Action.ENDS]
    for group in groups.values():
        yield sorted([*group, *everything], key=lambda s: s.order) if everything else group


def _overtaken(statement: Statement, said: Sequence[Interval], now: Iterable[Interval]) -> Overtaken | None:
    taker = statement.taken_back_by
    if taker and taker.assertion.is_rejection:
        return None
    if taker:
        return Overtaken(statement.assertion.id, taker.learned, taker.assertion.id if taker.is_value else None)
    if statement.action is Action.HAPPENS or any(i.end is None for i in said):
        return None
    if said:
        last = max(said, key=lambda i: i.end or statement.learned)
        return Overtaken(statement.assertion.id, last.end or statement.learned, _successor(last.closed_by, statement))
    return _never_was(statement, now)


def _successor(closed_by: Statement | None, statement: Statement) -> int | None:
    if closed_by is None or not closed_by.is_value or closed_by.key == statement.key:
        return None
    return closed_by.assertion.id


def _never_was(statement: Statement, now: Iterable[Interval]) -> Overtaken:
    """Return what overtook a value without a place in the timeline: the first later statement that is true instead."""
    at = max(statement.learned, statement.start.start) if statement.start else statement.learned
    held = [s for i in now if i.covers(at) for s in i.support if s.order > statement.order and s.is_value]
    if not held:
        return Overtaken(statement.assertion.id, statement.learned, None)
    first = min(held, key=lambda s: s.order)
    return Overtaken(statement.assertion.id, first.learned, first.assertion.id)


def _time(relation: FoldedRelation) -> tuple[object, ...]:
    r = relation
    end: datetime | None = r.valid_to
    return (r.valid_from is not None, r.valid_from, r.recorded_at, end is None, end, r.object_key, r.from_precision)
