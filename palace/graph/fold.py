"""Relations folded from assertions: what held when, what was believed of it when, and what no longer holds."""

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
    """What the assertions of one subject and predicate come to."""

    relations: tuple[FoldedRelation, ...]
    """Believed and superseded ones, in order of time, what has no known beginning first."""
    overtaken: tuple[Overtaken, ...]
    """In order of telling; ``until`` may be still to come."""


def fold(predicate: str, assertions: Sequence[Assertion], zone: tzinfo) -> Folded:
    """Fold all assertions of one subject and one predicate, given in any order.

    The outcome depends on the set of them alone: not on their order, nor on ids other than as names. Days begin at
    midnight in ``zone``; all moments returned are in UTC. No two relations that are believed at one moment and belong
    to a single-valued predicate have a moment in common; one that begins when it ends has been, nobody knows when.
    No assertions give nothing.
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
    """Return the statements of each object, with those that end whatever held, in order of telling."""
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
    """What has no place in time gave way to what was told after it, when that was learned."""
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
