"""Choosing the sentence that a long drawer is shown around."""

from __future__ import annotations

from collections.abc import Mapping

from hypothesis import given
from hypothesis import strategies as st

from palace.models import Span
from palace.recall.hits import best_sentence

SAID = "The charger hums. Its voltage is 25.2, as it should be. Derek has a charger too."
FIRST, SECOND, THIRD = Span(0, 17), Span(18, 55), Span(56, 80)
ALL = Span(0, len(SAID))
WEIGHTS = {"charger": 1.0, "voltag": 2.0}
WORDS = {"charger": ("charger",), "voltag": ("voltage",)}


def chosen(near: Mapping[Span, float], words: Mapping[str, tuple[str, ...]], content: str = SAID) -> str | None:
    span = best_sentence(content, Span(0, len(content)), near, words, WEIGHTS, share=0.5)
    return None if span is None else content[slice(*span)]


def test_without_vectors_the_sentence_with_the_rarer_words_is_chosen() -> None:
    assert chosen({}, WORDS) == SAID[slice(*SECOND)]


def test_the_nearest_sentence_is_chosen_where_words_say_nothing() -> None:
    assert chosen({FIRST: 0.2, SECOND: 0.3, THIRD: 0.6}, {}) == SAID[slice(*THIRD)]


def test_the_words_decide_between_sentences_that_are_about_as_near() -> None:
    assert chosen({FIRST: 0.5, SECOND: 0.45, THIRD: 0.52}, WORDS) == SAID[slice(*SECOND)]


def test_where_neither_tells_them_apart_none_is_chosen() -> None:
    assert chosen({ALL: 0.7}, {}) is None
    assert chosen({}, {}) is None


@given(st.text("ab .\n", max_size=120), st.lists(st.sampled_from(["a", "b", "ab"]), max_size=3))
def test_what_is_chosen_lies_within_the_passage_and_is_seen(content: str, words: list[str]) -> None:
    passage = Span(len(content) // 4, len(content))
    span = best_sentence(content, passage, {}, {word: (word,) for word in words}, dict.fromkeys(words, 1.0), share=0.5)
    if span is not None:
        assert passage.start <= span.start < span.end <= passage.end
        assert any(word in content[slice(*span)] for word in words)
