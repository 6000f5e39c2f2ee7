"""The tokenizer gives the ids that the published one gives."""

from __future__ import annotations

import pytest

from palace.wordpiece import tokenizer, well_formed


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("", []),
        ("Hello, world!", [7592, 1010, 2088, 999]),
        ("Café in Zürich costs €12.50", [7668, 1999, 10204, 5366, 1574, 12521, 1012, 2753]),
        ("12-AWG silicone wire overheated", [2260, 1011, 22091, 2290, 13773, 2063, 7318, 2058, 20192, 3064]),
        ("日本語。テスト", [1864, 1876, 1950, 1636, 1713, 30233, 30240]),
        ("한국어 😀 عربي", [1469, 30006, 30021, 29991, 30014, 30020, 29999, 30008, 100, 1288, 17149, 29816, 14498]),
        ("x[MASK]y [mask]", [1060, 103, 1061, 1031, 7308, 1033]),
        ("a\x0cb\x1cc\x85d\u200be", [5925, 3207]),
    ],
)
def test_ids_are_those_of_the_published_tokenizer(text: str, ids: list[int]) -> None:
    assert tokenizer().encode(text).ids == [101, *ids, 102]


def test_a_word_of_more_than_a_hundred_characters_is_unknown() -> None:
    assert tokenizer().encode("a" * 101).ids == [101, 100, 102]


def test_long_text_is_not_truncated() -> None:
    assert len(tokenizer().encode("word " * 5000)) == 5002


def test_a_lone_surrogate_becomes_a_question_mark_in_its_place() -> None:
    assert well_formed("é\ud800x") == "é?x"


def test_well_formed_text_is_left_as_it_is() -> None:
    assert well_formed("naïve 😀") == "naïve 😀"
