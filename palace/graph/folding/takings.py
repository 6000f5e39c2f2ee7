"""Find the statements that later corrections, denials and changed plans retract."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from palace.graph.folding.statements import Statement, exact
from palace.models.claims import Action


@dataclass(slots=True)
class _Telling:
    """The statements so far that are not retracted."""

    said: list[Statement] = field(default_factory=list)
    """Statements with an object, the latest last; retracted ones are removed lazily."""
    by_key: defaultdict[str, list[Statement]] = field(default_factory=lambda: defaultdict(list))
    plans: defaultdict[str, list[Statement]] = field(default_factory=lambda: defaultdict(list))

    ends: list[Statement] = field(default_factory=list)
    """Ends of any value that are not retracted."""

    def end(self, statement: Statement) -> None:
        """Add an end of any value; it retracts one with another future date."""
        end = statement.end
        moved = [s for s in self.ends if end and s.end and s.end.start > statement.learned and s.end.is_apart_from(end)]
        if end and end.end > statement.learned:
            _take(moved, statement)
        self.ends = [*(s for s in self.ends if not s.taken_back_by), statement]

    def add(self, statement: Statement) -> None:
        if statement.key:
            self.said.append(statement)
            self.by_key[statement.key].append(statement)
        if statement.action is Action.BEGINS and statement.start and statement.start.start > statement.learned:
            self.plans[statement.key].append(statement)

    def last(self) -> Statement | None:
        while self.said and self.said[-1].taken_back_by:
            self.said.pop()
        return self.said[-1] if self.said else None

    def last_run(self) -> list[Statement]:
        """Return the latest value with all consecutive statements of the same object, the latest first."""
        run: list[Statement] = []
        for statement in reversed(self.said):
            if statement.taken_back_by or not statement.is_value:
                continue
            if run and statement.key != run[0].key:
                break
            run.append(statement)
        return run


def take_back(statements: Iterable[Statement]) -> None:
    """Set in each statement the one that retracts it, and give corrections the action and dates of what they correct.

    A statement only retracts earlier ones, so the knowledge at a moment depends only on what was said by then. Expects
    statements in order of time.
    """
    telling = _Telling()
    for statement in statements:
        if statement.action is Action.DENIES:
            _deny(statement, telling)
            continue
        if statement.is_going_on:
            _take([end for end in telling.ends if end.end and end.end.end > statement.learned], statement)
            continue
        if statement.action is Action.CORRECTS:
            _correct(statement, telling)
        elif statement.action is Action.BEGINS and statement.start:
            _move(statement, telling)
        elif statement.action is Action.ENDS and not statement.key:
            telling.end(statement)
        telling.add(statement)


def _deny(denial: Statement, telling: _Telling) -> None:
    if not denial.key:
        _take(telling.last_run(), denial)
        return
    meant = [s for s in telling.by_key[denial.key] if not s.taken_back_by]
    if denial.start:
        span = denial.start
        meant = [s for s in meant if s.start is None or not s.start.is_apart_from(span)]
    to_come = [
        s for s in meant if s.action is Action.HAPPENS and (s.end or s.start or exact(s.learned)).end > denial.learned
    ]
    _take(to_come or meant, denial)
    telling.by_key[denial.key] = [s for s in telling.by_key[denial.key] if not s.taken_back_by]


def _correct(correction: Statement, telling: _Telling) -> None:
    correction.action = Action.HOLDS
    last = telling.last()
    run = telling.last_run()
    if last and last.key == correction.key:
        same = [s for s in run if s.key == last.key] if last.is_value else [last]
        told = correction.start, correction.end
        _stand_for(correction, same)
        _take([s for s in same if any(told) and (s.start, s.end) != (correction.start, correction.end)], correction)
    elif run:
        _stand_for(correction, run)
        if run[0].key != correction.key:
            _take(run, correction)
    elif last:
        _stand_for(correction, [last])
        _take([last], correction)


def _stand_for(correction: Statement, run: list[Statement]) -> None:
    """Give a correction the action of the statements it replaces, and their dates if it has none."""
    correction.action = run[0].action
    if correction.start is None:
        starts = [s.start or (exact(s.learned) if s.is_observation else None) for s in run]
        correction.start = min((s for s in starts if s), key=lambda span: span.start, default=None)
    if correction.end is None:
        correction.end = next((s.end for s in run if s.end), None)
    if correction.start and correction.end and correction.end.start <= correction.start.start:
        correction.start = None


def _move(plan: Statement, telling: _Telling) -> None:
    """Retract an earlier plan if this one gives another date before the day came."""
    start = plan.start
    for earlier in telling.plans[plan.key]:
        planned = None if earlier.taken_back_by else earlier.start
        if start and planned and plan.learned < planned.start and start.is_apart_from(planned):
            _take([earlier], plan)
    telling.plans[plan.key] = [s for s in telling.plans[plan.key] if not s.taken_back_by]


def _take(statements: Iterable[Statement], taker: Statement) -> None:
    for statement in statements:
        statement.taken_back_by = taker
