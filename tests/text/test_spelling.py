"""Mistyped words: what is one, what was meant, and what is left alone."""

from __future__ import annotations

from palace.nlp.spelling import doubtful_words, is_common, likely_meant, put_right
from tests.text.tables import misread, tables

TABLES = tables("spelling")

KNOWN = {
    "landlord": 3, "temperature": 2, "hazelnut": 1, "stapler": 9, "mira": 4, "sleeve": 1, "kettle": 2, "kettles": 1,
}  # fmt: skip


def test_a_slip_is_read_as_the_word_that_was_meant_and_another_word_is_none() -> None:
    assert misread(lambda typed: " ".join(likely_meant(typed, KNOWN)[:1]), TABLES["meant"].items()) == []


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
