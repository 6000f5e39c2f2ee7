"""The versions of a timeline: what was believed at each moment, and what changed between them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo

from palace.graph.folding.points import Drawn
from palace.graph.folding.statements import Statement, ids
from palace.graph.folding.timeline import Interval, timeline
from palace.models.graph import FoldedRelation

WORK = 120_000
"""Statements that are read for the history of one timeline, summed over all moments: 300 statements at every moment,
1,000 at 120, never at fewer than 20. Beyond that, the later half of the moments is exact, and of the earlier half only
every n-th is computed, so that versions may be dated later there. The current version is always exact."""
FEWEST = 20


@dataclass(slots=True)
class _Version:
    recorded: datetime
    interval: Interval


def history(statements: Sequence[Statement], zone: tzinfo) -> tuple[list[FoldedRelation], list[Interval]]:
    """Return the versions of one timeline, and the current intervals.

    There is a version for each period in which an object was believed to be valid. Expects statements in order of time.
    A version's evidence is the statements that supported it last, without retracted ones.
    """
    standing: dict[tuple[object, ...], _Version] = {}
    relations: list[FoldedRelation] = []
    now: list[Interval] = []
    looked: datetime | None = None
    drawn: Drawn = {}
    for moment in _moments(statements):
        learned = [s for s in statements if s.learned <= moment and (looked is None or looked < s.learned)]
        if looked and _is_repeated(statements, learned, looked, moment, now):
            looked = moment
            continue
        looked = moment
        now = timeline([s for s in statements if s.stands_at(moment)], zone, drawn)
        after = _versions(now, standing, moment)
        relations.extend(_relation(v, moment) for key, v in standing.items() if key not in after)
        standing = after
    relations.extend(_relation(version, None) for version in standing.values())
    return relations, now


def _moments(statements: Sequence[Statement]) -> list[datetime]:
    """Return the moments at which something became known, in order."""
    taken = {s.taken_back_by.learned for s in statements if s.taken_back_by}
    moments = sorted({s.learned for s in statements} | taken)
    limit = max(FEWEST, WORK // max(1, len(statements)))
    if len(moments) <= limit:
        return moments
    early, late = moments[: -(limit // 2)], moments[-(limit // 2) :]
    return [*early[:: -(-len(early) * 2 // limit)], *late]


def _is_repeated(
    statements: Sequence[Statement],
    learned: Sequence[Statement],
    looked: datetime,
    moment: datetime,
    now: Sequence[Interval],
) -> bool:
    """Check whether everything new only repeats what is current; if so, add it as evidence."""
    if any(s.taken_back_by and looked < s.taken_back_by.learned <= moment for s in statements):
        return False
    repeated = []
    for s in learned:
        same = (i for i in now if i.key == s.key and i.end is None and i.start is not None and i.start <= s.learned)
        current = next(same, None)
        if current is None or not (s.is_observation and s.is_undated):
            return False
        repeated.append((current, s))
    for current, s in repeated:
        current.support.append(s)
    return True


def _versions(
    intervals: Sequence[Interval], before: dict[tuple[object, ...], _Version], moment: datetime
) -> dict[tuple[object, ...], _Version]:
    """Return the versions believed from a moment on; versions from before keep their time of recording."""
    after: dict[tuple[object, ...], _Version] = {}
    for interval in intervals:
        if interval.identity in after:
            after[interval.identity].interval.support.extend(interval.support)
        else:
            known = before.get(interval.identity)
            after[interval.identity] = _Version(known.recorded if known else moment, interval)
    return after


def _relation(version: _Version, superseded: datetime | None) -> FoldedRelation:
    interval = version.interval
    said = min((s for s in interval.support if s.key == interval.key), key=lambda s: s.order).assertion
    return FoldedRelation(
        object_key=interval.key,
        object=said.object,
        object_id=said.object_id,
        valid_from=interval.start,
        from_precision=interval.start_precision,
        valid_to=interval.end,
        to_precision=interval.end_precision,
        recorded_at=version.recorded,
        superseded_at=superseded,
        evidence=ids(interval.support),
        closed_by=interval.closed_by.assertion.id if interval.closed_by else None,
    )
