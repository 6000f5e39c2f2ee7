"""Mistyped words: what is one, what was meant, and what is left alone; in queries and in names."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from palace.text.spelling.alike import did_you_mean, names_like
from palace.text.spelling.likely import likely_meant
from palace.text.spelling.typed import doubtful_words, is_common, put_right
from tests.text.tables import misread, rows

KNOWN = {
    "landlord": 3, "temperature": 2, "hazelnut": 1, "stapler": 9, "mira": 4, "sleeve": 1, "kettle": 2, "kettles": 1,
}  # fmt: skip
MEANT = """
landlrod -> landlord
lanldrod -> landlord
temprature -> temperature
temprarure -> temperature
hazwlnut -> hazelnut
hazalnut -> hazelnut
satpler -> stapler
mria -> mira
mina ->
kettled ->
hazelnuts ->
stapled ->
kangol ->
temperament ->
landlady ->
"""
NAMES = st.text(min_size=1, max_size=30)
WORDS = st.text(alphabet="abcdefghijklmnopqrstuvwxyz", min_size=4, max_size=20)


def test_a_slip_is_read_as_the_word_that_was_meant_and_another_word_is_none() -> None:
    assert misread(lambda typed: " ".join(likely_meant(typed, KNOWN)[:1]), rows(MEANT)) == []


def test_of_several_the_nearest_and_then_the_usual_is_meant() -> None:
    assert likely_meant("tralier", {"trailer": 1, "trawler": 50}) == ["trailer"]
    assert likely_meant("recieved", {"received": 1, "relieved": 70}) == ["received", "relieved"]
    assert likely_meant("strwtegy", {"strategy": 1, "stretegy": 5}) == ["stretegy", "strategy"]
    assert likely_meant("waht", {"whit": 3}) == ["what"], "nothing to look for"


def test_only_plain_words_that_nobody_else_has_are_doubtful() -> None:
    names = "naem_x, a.txtt, NAEMS or the kangaroos' aubergnie? http://xzx.qq"
    query = f"Did Mrs Okwnokwo pay the “landlrod” for SKU-4471, {names}"
    assert doubtful_words(query) == ["okwnokwo", "aubergnie"]
    assert doubtful_words("My landlrod's naem.") == ["landlrod", "naem"]
    assert all(is_common(word) for word in ("goat", "kangaroo", "kangaroos", "anne", "walker"))


def test_a_query_is_put_right_but_for_what_it_quotes() -> None:
    right = put_right("Landlrod's “landlrod” landlrod, landlrods", {"landlrod": "landlord"})
    assert right == "Landlord's “landlrod” landlord, landlrods"


@given(NAMES, st.lists(NAMES, max_size=20))
def test_only_names_that_there_are_are_suggested_each_once_and_few(name: str, names: list[str]) -> None:
    found = names_like(name, names)
    assert set(found) <= set(names)
    assert len(found) == len(set(found)) <= 3


@given(WORDS, st.data())
def test_a_letter_left_out_doubled_or_swapped_finds_the_name(word: str, data: st.DataObject) -> None:
    at = data.draw(st.integers(min_value=0, max_value=len(word) - 2))
    left_out, doubled = word[:at] + word[at + 1 :], word[:at] + word[at] + word[at:]
    swapped = word[:at] + word[at + 1] + word[at] + word[at + 2 :]
    for typed in (left_out, doubled, swapped):
        assert names_like(typed, ["0123456789", word]) == [word]
    assert names_like(word.upper(), ["01234", word.title()]) == [word.title()]
    assert names_like(word, [f"The {word} 1999"]) == [f"The {word} 1999"]


def test_what_was_meant_is_said_and_nothing_where_nothing_is_alike() -> None:
    assert did_you_mean("x", ["Efoil rebuild"]) == did_you_mean("x", []) == ""
    assert did_you_mean("Efoli rebuild", ["Efoil rebuild", "Bees"]) == "; did you mean 'Efoil rebuild'?"
    assert did_you_mean("x" * 1_000_000, ["x" * 1_000_000]) == f"; did you mean '{'x' * 1_000_000}'?"
    assert names_like("Nope", ["Notes", "Home"]) == []
