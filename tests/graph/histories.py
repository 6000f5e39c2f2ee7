"""Histories to fold: written short, and random."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

from hypothesis import strategies as st

from palace.records.graph import Action, Assertion, FoldedRelation, Precision, VagueDate

_STEPS = {4: Precision.YEAR, 7: Precision.MONTH, 10: Precision.DAY}


def moment(text: str) -> datetime:
    """Return "2026-03-01" or "2026-03-01T10:00" as a moment in UTC."""
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def vague(text: str | None) -> VagueDate | None:
    """Return "2026", "2026-03" or "2026-03-01" as exactly as it is written."""
    if text is None:
        return None
    return VagueDate(date.fromisoformat((text + "-01-01")[:10] if len(text) < 10 else text), _STEPS[len(text)])


def history(*told: tuple[str, ...]) -> list[Assertion]:
    """Return assertions of rows: learned, action, object, and from and to where told ("" for not)."""
    rows = ((*row, "", "")[:5] for row in told)
    return [
        Assertion(
            id=number,
            drawer_id=number,
            learned_at=moment(learned),
            ordinal=0,
            object_key=name.casefold(),
            object=name,
            object_id=None,
            action=Action(action),
            valid_from=vague(start or None),
            valid_to=vague(end or None),
            position=number,
        )
        for number, (learned, action, name, start, end) in enumerate(rows, start=1)
    ]


def lines(relations: Iterable[FoldedRelation]) -> list[str]:
    """Return what is believed now, an interval a line: "Ghent ? .. 2026-05-01 month"."""
    return [
        f"{r.object} {_day(r.valid_from, '?')} .. {_day(r.valid_to, 'now')}"
        for r in relations
        if r.superseded_at is None
    ]


def _day(at: datetime | None, without: str) -> str:
    return at.strftime("%Y-%m-%d") if at else without


_START = datetime(2026, 1, 1, tzinfo=UTC)
_MOMENTS = st.integers(0, 60).map(lambda n: _START + timedelta(days=n * 5, hours=n % 3 * 7))


@st.composite
def _vague_dates(draw: st.DrawFn) -> VagueDate | None:
    precision = draw(st.sampled_from([None, *list(Precision)[1:]]))
    if precision is None:
        return None
    day = (_START + timedelta(days=draw(st.integers(-300, 500)))).date()
    if precision in (Precision.MONTH, Precision.SEASON):
        day = day.replace(day=1)
    elif precision is Precision.YEAR:
        day = day.replace(month=1, day=1)
    return VagueDate(day, precision)


@st.composite
def assertions(draw: st.DrawFn) -> Assertion:
    """Any assertion of four objects, or of none."""
    action = draw(st.sampled_from(list(Action)))
    name = draw(st.sampled_from(["Ghent", "Utrecht", "Porto", "Lisbon"]))
    if action in (Action.ENDS, Action.DENIES) and draw(st.integers(0, 4)) == 0:
        name = ""
    return Assertion(
        id=0,
        drawer_id=0,
        learned_at=draw(_MOMENTS),
        ordinal=draw(st.integers(0, 2)),
        object_key=name.casefold(),
        object=name,
        object_id=None,
        action=action,
        valid_from=draw(_vague_dates()),
        valid_to=draw(_vague_dates()),
        position=draw(st.integers(0, 3)),
    )


@st.composite
def histories(draw: st.DrawFn, most: int = 14) -> list[Assertion]:
    """Histories of one subject and predicate, each assertion with an id of its own."""
    told = draw(st.lists(assertions(), max_size=most))
    return [replace(a, id=n, drawer_id=n) for n, a in enumerate(told, start=1)]


def unnamed(relations: Iterable[FoldedRelation]) -> list[tuple[object, ...]]:
    """Return relations without the ids of their assertions, with how many say each."""
    return [
        (*(getattr(r, name) for name in r.__slots__ if name not in ("evidence", "closed_by")), len(r.evidence))
        for r in relations
    ]
