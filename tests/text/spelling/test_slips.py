"""Mistyped words: what is one, what was meant, and what is left alone."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from palace.text.spelling.distance import Edit, edits_between, one_edit_from, pieces_of
from palace.text.spelling.likely import likely_meant
from palace.text.spelling.typed import doubtful_words, is_common, put_right

KNOWN = {
    "landlord": 3,
    "temperature": 2,
    "hazelnut": 1,
    "stapler": 9,
    "mira": 4,
    "sleeve": 1,
    "kettle": 2,
    "kettles": 1,
}
WORDS = st.text("abcdeflnorst", min_size=4, max_size=12)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("landlrod", "landlord"),
        ("lanldrod", "landlord"),
        ("temprature", "temperature"),
        ("temprarure", "temperature"),
        ("hazelnutt", "hazelnut"),
        ("hazwlnut", "hazelnut"),
        ("hazalnut", "hazelnut"),
        ("satpler", "stapler"),
        ("mria", "mira"),
        ("sleve", "sleeve"),
    ],
)
def test_a_slip_is_read_as_the_word_that_was_meant(typed: str, meant: str) -> None:
    assert likely_meant(typed, KNOWN)[0] == meant


@pytest.mark.parametrize(
    "typed", ["mina", "kettled", "hazelnuts", "stapled", "staples", "kangol", "temperament", "landlady"]
)
def test_another_word_or_another_form_is_no_slip(typed: str) -> None:
    assert likely_meant(typed, KNOWN) == []


def test_of_several_the_nearest_and_then_the_usual_is_meant() -> None:
    assert likely_meant("tralier", {"trailer": 1, "trawler": 50}) == ["trailer"]
    assert likely_meant("recieved", {"received": 1, "relieved": 70}) == ["received", "relieved"]
    assert likely_meant("strwtegy", {"strategy": 1, "stretegy": 5}) == ["stretegy", "strategy"]


def test_what_is_nearest_to_a_function_word_is_nothing_to_look_for() -> None:
    assert likely_meant("waht", {"whit": 3}) == ["what"]


def test_only_plain_words_that_nobody_else_has_are_doubtful() -> None:
    query = "Did Mrs Okwnokwo pay the “landlrod” for SKU-4471, naem_x, a.txtt, NAEMS or the kangaroos' aubergnie? http://xzx.qq"
    assert doubtful_words(query) == ["okwnokwo", "aubergnie"]
    assert doubtful_words("My landlrod's naem.") == ["landlrod", "naem"]
    assert all(is_common(word) for word in ("goat", "kangaroo", "kangaroos", "anne", "walker"))


def test_a_query_is_put_right_but_for_what_it_quotes() -> None:
    assert put_right("Landlrod's “landlrod” landlrod, landlrods", {"landlrod": "landlord"}) == (
        "Landlord's “landlrod” landlord, landlrods"
    )


@given(WORDS, WORDS)
def test_edits_lead_from_one_word_to_the_other(one: str, other: str) -> None:
    edits = edits_between(one, other, most=12)
    assert edits is not None
    made = one
    for place, typed, meant in reversed(edits):
        assert made[place : place + len(typed)] == typed
        made = made[:place] + meant + made[place + len(typed) :]
    assert made == other
    assert len(edits) == len(edits_between(other, one, most=12) or ())


@settings(deadline=None)
@given(WORDS)
def test_every_spelling_that_is_one_edit_away_is_listed(word: str) -> None:
    near = one_edit_from(word)
    assert word not in near
    assert all(len(edits_between(word, each, most=1) or ()) == 1 for each in near)
    assert word[1] + word[0] + word[2:] in near | {word}
    assert {word[1:], word + "s", "b" + word[1:]} <= near | {word}


@given(st.text("abcdefg", min_size=6, max_size=15))
def test_pieces_make_up_the_word(word: str) -> None:
    assert "".join(pieces_of(word)) == word
    assert all(len(piece) > 1 for piece in pieces_of(word))


def test_swapped_letters_are_one_edit() -> None:
    assert edits_between("naem", "name", 1) == [Edit(2, "em", "me")]
    assert edits_between("naem", "mane", 1) is None
