"""A long drawer is cut down to its best passage and what surrounds it."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from palace.records import Span
from palace_cli.render.excerpt import ELLIPSIS, excerpt, preview

words = st.lists(st.text("abcdefgh", min_size=1, max_size=9), min_size=1, max_size=60).map(" ".join)


@st.composite
def passages(draw: st.DrawFn) -> tuple[str, Span]:
    content = draw(words)
    start = draw(st.integers(0, len(content)))
    return content, Span(start, draw(st.integers(start, len(content))))


@given(passages(), st.integers(1, 120))
def test_an_excerpt_keeps_to_its_limit(case: tuple[str, Span], limit: int) -> None:
    assert len("".join(excerpt(*case, limit=limit)).replace(ELLIPSIS, "")) <= limit


@given(passages(), st.integers(1, 120))
def test_an_excerpt_is_a_run_of_the_content(case: tuple[str, Span], limit: int) -> None:
    assert "".join(excerpt(*case, limit=limit)).strip(ELLIPSIS) in case[0]


@given(passages(), st.integers(1, 120))
def test_a_passage_that_fits_is_shown_whole(case: tuple[str, Span], limit: int) -> None:
    content, span = case
    if span.end - span.start <= limit:
        assert excerpt(content, span, limit=limit).passage == content[span.start : span.end]


@given(passages())
def test_content_that_fits_is_shown_whole(case: tuple[str, Span]) -> None:
    assert "".join(excerpt(*case, limit=len(case[0]))) == case[0]


@given(passages(), st.integers(1, 120))
def test_whatever_is_cut_off_leaves_an_ellipsis(case: tuple[str, Span], limit: int) -> None:
    shown = "".join(excerpt(*case, limit=limit))
    assert (ELLIPSIS in shown) == (shown != case[0])


def test_both_sides_of_a_passage_share_what_room_is_left() -> None:
    content = f"{'before ' * 20}HERE{' after' * 20}"
    shown = excerpt(content, Span(140, 144), limit=40)
    assert shown == ("…before before ", "HERE", " after after after…")


def test_a_passage_at_the_end_gives_its_room_to_what_came_before() -> None:
    shown = excerpt(f"{'word ' * 20}end", Span(100, 103), limit=23)
    assert shown == ("…word word word word ", "end", "")


def test_a_preview_is_one_line_cut_between_words() -> None:
    assert preview("\nThe first line\nand the second", limit=20) == "The first line and…"


def test_a_word_longer_than_the_limit_is_cut_where_the_limit_is() -> None:
    assert preview("電池は十二ボルトです", limit=4) == "電池は十…"
