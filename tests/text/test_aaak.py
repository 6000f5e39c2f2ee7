"""Pointers with tags, as they are written, read back and wished for."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from palace.errors import BadRequest
from palace.records import Citation, Pointer, Tag, TagKind
from palace.text.aaak import day_told, parse_citation, read_wishes, write_citation, write_tags
from palace.text.inert import inert, inert_name

POINTER = Pointer(42, 11, 7)
NASTY = '@ ,"\\§|<>&\n\r\t\u2028\u200b\u202e\x00\u0301a@p é😀｜“'
numbers = st.integers(1, 10**9 - 1)
names = st.one_of(st.text(max_size=12), st.text(alphabet=NASTY, max_size=8))
tags = st.lists(st.builds(Tag, st.sampled_from(TagKind), names), max_size=8).map(
    lambda found: tuple(sorted(dict.fromkeys(found), key=lambda tag: list(TagKind).index(tag.kind)))
)


@given(st.builds(Pointer, numbers, numbers, numbers), tags)
@example(POINTER, (Tag(TagKind.PERSON, "Anna @l Ghent, § W-001/R-01/D-001"), Tag(TagKind.ITEM, "")))
def test_a_pointer_with_tags_reads_back_as_written(pointer: Pointer, found: tuple[Tag, ...]) -> None:
    citation = Citation(pointer, found)
    assert parse_citation(write_citation(citation)) == citation


@given(tags, st.sampled_from(["", " ", "  \n "]))
def test_what_is_read_is_written_in_one_form(found: tuple[Tag, ...], space: str) -> None:
    loose = "".join(f"{space} @{tag.kind.upper()} {write_tags([tag])[3:]}{space}" for tag in reversed(found))
    read = parse_citation(f"w-42 / r-11/d-7{loose}")
    assert set(read.tags) == set(found)
    canonical = write_citation(read)
    assert write_citation(parse_citation(canonical)) == canonical


@given(st.text(alphabet='@pleitq ,"\\W-1/R2D3§ab', max_size=40))
def test_whatever_is_read_has_one_form_and_the_rest_is_refused(text: str) -> None:
    try:
        read = parse_citation(f"§ W-1/R-1/D-1 {text}")
    except BadRequest:
        return
    assert parse_citation(write_citation(read)) == read


@given(tags)
def test_no_name_leaves_its_place(found: tuple[Tag, ...]) -> None:
    written = write_tags(found)
    assert written.isprintable() or not written
    assert inert(written) == " ".join(written.split())
    assert not set(written) & set("§|<>&\n")


def test_it_looks_as_people_write_it() -> None:
    given_tags = (
        Tag(TagKind.TIME, "2026-07-03"),
        Tag(TagKind.PERSON, "Anna"),
        Tag(TagKind.PLACE, "Ghent"),
        Tag(TagKind.PERSON, "Derek Hughes"),
        Tag(TagKind.PERSON, "Anna"),
        Tag(TagKind.ITEM, "Smith, Sons & Co"),
    )
    written = '§ W-042/R-11/D-007 @p Anna, Derek Hughes @l Ghent @i "Smith, Sons \\u0026 Co" @t 2026-07-03'
    assert write_citation(Citation(POINTER, given_tags)) == written
    assert write_citation(Citation(POINTER)) == "§ W-042/R-11/D-007"
    assert inert_name("Anna") == "Anna"


@pytest.mark.parametrize(
    "text",
    [
        "@p Anna",
        "W-1/R-1/D-1 @p",
        "W-1/R-1/D-1 @q Anna",
        "W-1/R-1/D-1 @p Anna,",
        "W-1/R-1/D-1 @p , Anna",
        "W-1/R-1/D-1 @pAnna",
        'W-1/R-1/D-1 @p "Anna',
        'W-1/R-1/D-1 @p "\\q"',
        'W-1/R-1/D-1 @p "Anna" Berg',
        "W-1/R-1/D-1 Anna",
    ],
)
def test_another_shape_is_refused(text: str) -> None:
    with pytest.raises(BadRequest):
        parse_citation(text)


def test_an_address_is_a_name_that_is_quoted_when_written() -> None:
    read = parse_citation("W-1/R-1/D-1 @p mira@example.org")
    assert read.tags == (Tag(TagKind.PERSON, "mira@example.org"),)
    assert write_citation(read).endswith('@p "mira@example.org"')


SAID = datetime(2026, 7, 3, 22, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("words", "day"),
    [
        ("yesterday", "2026-07-02"),
        ("3 May", "2026-05-03"),
        ("in March", "2026-03"),
        ("2019", "2019"),
        ("gestern", "2026-07-02"),
        ("7:30 pm", "7:30 pm"),
        ("two weeks ago", "about 2026-06-19"),
        ("last week", "2026-06-22/2026-06-28"),
    ],
)
def test_a_time_is_told_as_the_day_it_means(words: str, day: str) -> None:
    assert day_told(words, SAID, UTC) == day


def test_a_time_is_that_of_the_persons_zone_and_the_words_where_nothing_tells_when_it_was_said() -> None:
    assert day_told("yesterday", SAID, ZoneInfo("Asia/Tokyo")) == "2026-07-03"
    assert day_told("14 December", SAID, UTC, "we're flying to Oslo on 14 December") == "2026-12-14"
    assert day_told("14 December", SAID, UTC, "we flew, it was 14 December") == "2025-12-14"
    assert day_told("in October", SAID, UTC, "Klara is due in October") == "2026-10"
    assert day_told("next\nweek", None, UTC) == "next week"


@pytest.mark.parametrize(
    ("query", "plain", "wished"),
    [
        ("@p Anna", "Anna", [("p", "Anna")]),
        ("what did @p Anna Berg say?", "what did Anna Berg say?", [("p", "Anna Berg say?")]),
        ('keys @L "Ghent, Gent" @p Tom', "keys Ghent, Gent Tom", [("l", "Ghent, Gent"), ("p", "Tom")]),
        ("@p Anna, Tom", "Anna, Tom", [("p", "Anna"), ("p", "Tom")]),
        ("@p", "@p", []),
        ("mail me at a@p example", "mail me at a@p example", []),
        ("@pete is here, @q x", "@pete is here, @q x", []),
    ],
)
def test_tags_of_a_query_are_wishes(query: str, plain: str, wished: list[tuple[str, str]]) -> None:
    asked = read_wishes(query)
    assert asked.query == plain
    assert [(wish.kind.value, wish.names[0]) for wish in asked.wishes] == wished


def test_what_a_tag_wishes_for_is_every_beginning_of_what_stands_behind_it() -> None:
    (wish,) = read_wishes("@p Anna Berg said hello to everyone there").wishes
    assert wish.names == ("Anna Berg said hello to", "Anna Berg said hello", "Anna Berg said", "Anna Berg", "Anna")
