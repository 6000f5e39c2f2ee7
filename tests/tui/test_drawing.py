"""Timelines and neighbourhoods drawn with characters."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from palace.records import EntityType, Link, Member, Neighbourhood, Pointer, Precision, Relation
from palace_cli.tui.drawing.bars import SIGNS, Span, axis, bar
from palace_cli.tui.drawing.map import map_lines

NOW = datetime(2026, 1, 1, tzinfo=UTC)
HERE = Pointer(1, 1, 1)
MOMENTS = st.datetimes(datetime(1, 1, 2), datetime(9999, 12, 30)).map(lambda each: each.replace(tzinfo=UTC))  # noqa: DTZ001
WIDTHS = st.integers(1, 200)


def relation(
    begun: datetime | None, over: datetime | None, predicate: str = "lives_in", *, closed: bool = False
) -> Relation:
    return Relation(
        *(1, "Anna", 1, predicate, "Ghent", None, begun, Precision.DAY, over, Precision.DAY if over else None),
        *(NOW, None, (HERE,)),
        closed_by=(HERE,) if closed else (),
    )


@st.composite
def relations(draw: st.DrawFn) -> Relation:
    begun, over = draw(st.none() | MOMENTS), draw(st.none() | MOMENTS)
    if begun is not None and over is not None:
        begun, over = sorted((begun, over))
    return relation(begun, over, draw(st.sampled_from(["lives_in", "visited", "has_boat"])), closed=draw(st.booleans()))


@given(st.lists(relations(), max_size=5), relations(), MOMENTS, WIDTHS)
def test_a_bar_is_as_wide_as_its_room_and_made_of_its_signs(
    beside: list[Relation], one: Relation, now: datetime, width: int
) -> None:
    span = Span.of([one, *beside], now)
    assert len(axis(span, UTC, width)) == width
    drawn = bar(one, span, now, width)
    assert len(drawn) == cell_len(drawn) == width
    assert set(drawn) <= SIGNS
    assert drawn.strip()


def test_bars_of_a_move() -> None:
    def year(number: int) -> datetime:
        return datetime(number, 1, 1, tzinfo=UTC)

    shown = [
        relation(year(2022), year(2024), closed=True),
        relation(year(2024), None),
        relation(None, year(2023)),
        relation(year(2025), year(2025) + timedelta(days=1), "visited"),
        relation(None, None),
    ]
    span = Span.of(shown, NOW)
    assert axis(span, UTC, 24).rstrip() == "2022       2024   2025"
    assert [bar(each, span, NOW, 24).rstrip() for each in shown] == [
        "├━━━━━━━━━━╳",
        "           ├━━━━━━━━━━━▸",
        "┄┄┄┄┄┤",
        "                  ◆",
        "┄" * 24,
    ]


def around(count: int, name: str = "Anna") -> Neighbourhood:
    members = [Member(name, EntityType.PERSON, 0, 1)]
    members += [Member(f"{name} {each}", EntityType.PLACE, 1, each + 2) for each in range(count)]
    links = [Link(0, each + 1, relation(NOW, None), "") for each in range(count)]
    return Neighbourhood(NOW, 1, tuple(members), tuple(links))


@given(st.integers(0, 30), st.text(min_size=1, max_size=40), st.integers(0, 120), st.integers(0, 20))
def test_a_map_fits_its_room_or_is_not_drawn(count: int, name: str, width: int, height: int) -> None:
    drawn = map_lines(around(count, name), width, height)
    if drawn is not None:
        assert {cell_len(line) for line in drawn} == {width}
        assert len(drawn) <= height
        assert count > 0


def test_every_neighbour_stands_on_a_map_that_has_room() -> None:
    for count in (1, 2, 5, 8):
        drawn = "\n".join(map_lines(around(count), 100, 20) or ())
        assert all(f"Anna {each}" in drawn for each in range(count))
    assert [line.strip() for line in map_lines(around(5), 70, 9) or ()] == [
        "Anna 3 ← lives in─┐      ┌─lives in → Anna 0",
        "Anna 4 ← lives in─┴─Anna─┼─lives in → Anna 1",
        "└─lives in → Anna 2",
    ]
