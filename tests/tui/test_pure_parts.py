"""What is drawn and read without a terminal: query lines, history, strips, bars, maps, Markdown."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from palace.errors import BadRequest
from palace.models import (
    Calendar,
    CalendarSlot,
    CalendarUnit,
    Pointer,
    Precision,
    Relation,
)
from palace_cli.tui.query import (
    FILTERS,
    Line,
    first_moment,
    last_moment,
    read_line,
    with_times,
    written_span,
)
from palace_cli.tui.text import as_markdown
from palace_cli.tui.widgets.calendar import BARS, axis_of, bars_of
from palace_cli.tui.widgets.timeline import Span, axis, bar

WORDS = st.lists(st.text(st.characters(categories=["L", "N", "P"], exclude_characters=':"\\'), min_size=1), max_size=5)
VALUES = st.text(min_size=1).map(lambda text: " ".join(text.split())).filter(bool)


def test_filters_stand_among_words_and_what_cannot_be_asked_is_told_in_one_line() -> None:
    for text, line in {
        "which wing:boats wire since:2026-05 overheated role:user": Line(
            "which wire overheated", {"wing": "boats", "since": "2026-05", "role": "user"}
        ),
        'wire wing:"Efoil rebuild"': Line("wire", {"wing": "Efoil rebuild"}),
        'wing:"Efoil re': Line("", {"wing": "Efoil re"}),
        r'wing:"the \"big\" one" x': Line("x", {"wing": 'the "big" one'}),
        "http://wing:8 note:that": Line("http://wing:8 note:that"),
    }.items():
        assert read_line(text) == line
    assert read_line("wing: wire").problem == "wing: wants a value behind it"
    assert read_line("role:user role:tool").problem == "role: stands there twice; one of them holds"
    assert with_times('a since:2026 role:user  until:"2027" b', "2026-05", None) == "since:2026-05 a  role:user   b"
    assert with_times("since:2026 until:2027", None, None) == ""


@given(st.text())
def test_any_text_is_read(text: str) -> None:
    line = read_line(text)
    assert set(line.filters) <= set(FILTERS)
    assert line.problem is None or "\n" not in line.problem


def test_a_month_and_a_year_are_times() -> None:
    first, last = first_moment("2026-02"), last_moment("2026-02")
    assert first is not None
    assert last is not None
    assert (first.date().isoformat(), last.date().isoformat()) == ("2026-02-01", "2026-02-28")
    end = last_moment("2025")
    assert end is not None
    assert end.date().isoformat() == "2025-12-31"
    assert first_moment(None) is None
    with pytest.raises(BadRequest, match="is no month"):
        first_moment("2026-13")
    with pytest.raises(BadRequest, match="since:"):
        first_moment("lately-ish")


@given(st.dates(min_value=datetime(1000, 1, 1).date(), max_value=datetime(9000, 1, 1).date()), st.integers(1, 900))  # noqa: DTZ001
def test_a_span_that_is_written_is_read_as_the_same_days(first: object, days: int) -> None:
    start = datetime(first.year, first.month, first.day, tzinfo=UTC)  # type: ignore[attr-defined]
    end = start + timedelta(days=days)
    since, until = written_span(start, end)
    begins, ends = first_moment(since), last_moment(until)
    assert begins is not None
    assert ends is not None
    assert (begins.date(), ends.date()) == (start.date(), end.date() - timedelta(days=1))


START = datetime(2026, 5, 4, tzinfo=UTC)


def calendar(*counts: int) -> Calendar:
    day = timedelta(days=1)
    return Calendar(
        CalendarUnit.DAY,
        tuple(CalendarSlot(START + n * day, START + (n + 1) * day, count) for n, count in enumerate(counts)),
    )


@given(st.lists(st.integers(0, 1_000_000), min_size=1, max_size=120), st.integers(1, 120))
def test_a_bar_a_slot_that_shows_whatever_was_said(counts: list[int], width: int) -> None:
    drawn = calendar(*counts)
    (bars,) = bars_of(drawn.slots)
    assert [bar == BARS[0] for bar in bars] == [not count for count in counts]
    assert not any(counts) or bars[counts.index(max(counts))] == BARS[-1]
    assert len(axis_of(drawn, width)) <= width


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
    assert set(drawn) <= set(" ├╶━┄┤╳▸◆─")
    assert drawn.strip()


def test_no_year_is_written_of_which_nothing_is_known() -> None:
    for begun, years in (
        (None, ["2026"]),
        (NOW + timedelta(days=3), ["2026"]),
        (NOW - timedelta(days=1), ["2025", "2026"]),
    ):
        assert axis(Span.of([relation(begun, None)], NOW + timedelta(days=20)), UTC, 24).split() == years, begun


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


WIDTH = 47
BLOCKS = ("> ", "- ", "1. ", "# ", "| ", "|-|-|\n", "```\n", "```js\n", "\n", "\n\n", "    ", "***", "- [ ] ", "==\n")
INLINE = ("**", "`", "<b>", "</b>", "<!-- ", " -->", "[", "](", ")", "]: ", "![", "~~", "_", '"', "\\", "&amp;", "<br>")
MARKS = st.sampled_from([*BLOCKS, *INLINE, "<", ">"])
MARKED_WORDS = re.compile(r"w\d{3}")


def shown(text: str, width: int = WIDTH) -> str:
    return "\n".join("".join(segment.text for segment in line) for line in as_markdown(text, width, dark=True))


@given(st.lists(st.one_of(MARKS, st.integers(100, 999).map(lambda number: f"w{number} ")), max_size=40))
def test_no_word_is_lost_in_markdown(pieces: list[str]) -> None:
    text = "".join(pieces)
    missing = set(MARKED_WORDS.findall(text)) - set(MARKED_WORDS.findall(re.sub(r"[\s▌]", "", shown(text))))
    assert not missing, shown(text)


def test_what_markdown_would_drop_is_shown() -> None:
    for text in (
        *("<script>alert(2)</script>", "Use <b>bold</b> and <!-- a remark -->.", "[note]: this is all that was said"),
        *("![a picture](http://example.org/it.png)", '[a](b "its title")', "```dts title=board\ncode\n```"),
        *("> " * 25 + "deep", "|" + "|".join(f"column{at}" for at in range(30)) + "|\n|" + "-|" * 30 + "\n"),
        "|a|\n|-|\n|" + "averylongword" * 6 + "|\n",
    ):
        told = re.sub(r"[\s▌]", "", shown(text))
        assert [word for word in re.findall(r"\w{1,40}", text) if word not in told] == [], text
    assert "<script>alert(2)</script>" in shown("<script>alert(2)</script>")
