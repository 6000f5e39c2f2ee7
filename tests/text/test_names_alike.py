"""Names that were meant are among those that there are, and a slip of one letter finds its name."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from palace.text.spelling.alike import MOST, did_you_mean, names_like

NAMES = st.text(min_size=1, max_size=30)
WORDS = st.text(alphabet="abcdefghijklmnopqrstuvwxyz", min_size=4, max_size=20)


@given(NAMES, st.lists(NAMES, max_size=20))
def test_only_names_that_there_are_are_suggested_each_once_and_few(name: str, names: list[str]) -> None:
    found = names_like(name, names)
    assert set(found) <= set(names)
    assert len(found) == len(set(found)) <= MOST


@given(WORDS, st.lists(st.text(alphabet="0123456789", max_size=9), max_size=5))
def test_a_name_is_most_like_itself_in_any_case(word: str, others: list[str]) -> None:
    assert names_like(word.upper(), [*others, word.title()]) == [word.title()]


@given(WORDS, st.data())
def test_a_letter_left_out_doubled_or_swapped_finds_the_name(word: str, data: st.DataObject) -> None:
    at = data.draw(st.integers(min_value=0, max_value=len(word) - 2))
    for typed in (
        word[:at] + word[at + 1 :],
        word[:at] + word[at] + word[at:],
        word[:at] + word[at + 1] + word[at] + word[at + 2 :],
    ):
        assert names_like(typed, ["0123456789", word]) == [word]


@given(WORDS)
def test_a_word_of_a_name_finds_it(word: str) -> None:
    assert names_like(word, [f"The {word} 1999"]) == [f"The {word} 1999"]


def test_nothing_is_said_where_nothing_is_alike() -> None:
    assert did_you_mean("x", ["Efoil rebuild"]) == did_you_mean("x", []) == ""
    assert did_you_mean("Efoli rebuild", ["Efoil rebuild", "Bees"]) == "; did you mean 'Efoil rebuild'?"
    assert did_you_mean("x" * 1_000_000, ["x" * 1_000_000]) == f"; did you mean '{'x' * 1_000_000}'?"


def test_what_shares_a_few_letters_was_not_meant() -> None:
    assert names_like("Nope", ["Notes", "Home"]) == []
