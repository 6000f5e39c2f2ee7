"""Pointers with tags, as they are written, read back and wished for; and the day that a tag of a time means."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from palace.errors import BadRequest
from palace.models import Citation, Pointer, RoomPointer, Tag, TagKind, WingPointer
from palace.nlp.aaak import parse_citation, read_wishes, write_tags
from palace.nlp.direction import day_told
from tests.text.tables import misread, tables

TABLES = tables("aaak")

POINTER = Pointer(42, 11, 7)
NASTY = '@ ,"\\§|<>&\n\r\t\u2028\u200b\u202e\x00\u0301a@p é😀｜“'
numbers = st.integers(1, 10**9 - 1)
names = st.one_of(st.text(max_size=12), st.text(alphabet=NASTY, max_size=8))
tags = st.lists(st.builds(Tag, st.sampled_from(TagKind), names), max_size=8).map(
    lambda found: tuple(sorted(dict.fromkeys(found), key=lambda tag: list(TagKind).index(tag.kind)))
)
SAID = datetime(2026, 7, 3, 22, 30, tzinfo=UTC)


def write_citation(citation: Citation) -> str:
    return f"{citation.pointer} {write_tags(citation.tags)}".rstrip(" ")


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
    assert not set(written) & set("§|<>\n")
    assert "&" not in re.sub("&(?:amp|lt|gt|quot|sect|#x[0-9A-F]+);", "", written)


def test_it_looks_as_people_write_it() -> None:
    assert str(Pointer(42, 1, 7)) == "§ W-042/R-01/D-007"
    assert [str(WingPointer(1)), str(WingPointer(1234)), str(RoomPointer(1, 234))] == ["W-001", "W-1234", "W-001/R-234"]
    told = [
        (TagKind.TIME, "2026-07-03"), (TagKind.PERSON, "Anna"), (TagKind.PLACE, "Ghent"),
        (TagKind.PERSON, "Derek Hughes"), (TagKind.PERSON, "Anna"), (TagKind.ITEM, "Smith, Sons & Co"),
    ]  # fmt: skip
    written = '§ W-042/R-11/D-007 @p Anna, Derek Hughes @l Ghent @i "Smith, Sons &amp; Co" @t 2026-07-03'
    citation = Citation(POINTER, tuple(Tag(kind, name) for kind, name in told))
    assert write_citation(citation) == written
    assert parse_citation(written.replace("&amp;", "\\u0026")).tags == parse_citation(written).tags, "as it was written"
    read = parse_citation("W-1/R-1/D-1 @p mira@example.org")
    assert read.tags == (Tag(TagKind.PERSON, "mira@example.org"),)
    assert write_citation(read).endswith('@p "mira@example.org"')


def test_sign_case_zeros_and_space_do_not_matter_and_another_shape_is_refused() -> None:
    for text in ("w-1/r-2/d-3", "W1/R2/D3", "§W-001/R-02/D-003 ", " § W-1 / R-2 / D-3"):
        assert parse_citation(text).pointer == Pointer(1, 2, 3), text
    wrong = ["", "W-1", "W-1/R-2", "D-3", "W-1/R-2/D-x", "W-1/R-2/D-3/E-4", "W--1/R-2/D-3", "@p Anna"]
    tagged = ["@p", "@q Anna", "@p Anna,", "@p , Anna", "@pAnna", '@p "Anna', '@p "\\q"', '@p "Anna" Berg', "Anna"]
    for text in (*wrong, *(f"W-1/R-1/D-1 {tag}" for tag in tagged)):
        with pytest.raises(BadRequest):
            parse_citation(text)


def test_a_time_is_told_as_the_day_it_means_in_the_persons_zone() -> None:
    assert misread(lambda words: day_told(words, SAID, UTC), TABLES["days"].items()) == []
    assert day_told("yesterday", SAID, ZoneInfo("Asia/Tokyo")) == "2026-07-03"
    assert day_told("14 December", SAID, UTC, "we're flying to Oslo on 14 December") == "2026-12-14"
    assert day_told("14 December", SAID, UTC, "we flew, it was 14 December") == "2025-12-14"
    assert day_told("in October", SAID, UTC, "Klara is due in October") == "2026-10"
    assert day_told("next\nweek", None, UTC) == "next week", "nothing tells when it was said"


def test_tags_of_a_query_are_wishes() -> None:
    def wished(query: str) -> str:
        asked = read_wishes(query)
        return " ; ".join((asked.query, *(f"{wish.kind.value}={wish.names[0]}" for wish in asked.wishes)))

    assert misread(wished, TABLES["wishes"].items()) == []
    (wish,) = read_wishes("@p Anna Berg said hello to everyone there").wishes
    assert wish.names == ("Anna Berg said hello to", "Anna Berg said hello", "Anna Berg said", "Anna Berg", "Anna")
