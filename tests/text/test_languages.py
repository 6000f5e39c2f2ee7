"""Telling the language of a message, and the words of it that Postgres does not find."""

from __future__ import annotations

import random
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palace.models import Role
from palace.nlp.languages import language_model, languages_of
from palace.nlp.sentences import index_message
from tests.text.tables import misread, tables

TABLES = tables("languages")

LONGEST_WORD, MOST_PARTS = 120, 12


def language(text: str) -> str | None:
    return index_message(text, Role.USER, None).language


def further_words(text: str) -> list[str]:
    return [word for passage in index_message(text, Role.USER, None).passages for word in passage.further]


def further(text: str) -> str:
    return " ".join(sorted(further_words(text)))


def test_a_sentence_tells_its_language_and_what_is_short_or_no_prose_tells_none() -> None:
    assert misread(language, TABLES["languages"].items()) == []
    none = ["", "   ", "Danke", "ok", "12.50", "PROJ-4412", "```\nfor x in range(3):\n```", "👍"]
    assert misread(language, [(text, None) for text in none]) == []
    code = "```python\nfor each in the_list: return this_is_not(what, you, think)\n```"
    address = "https://example.org/where-are-you-and-what-is-this"
    assert language(f"Kannst du mir sagen, was daran nicht geht?\n{code}\n{address}") == "de"


def test_a_short_message_is_of_the_language_of_the_one_before() -> None:
    turns = [("Wir ziehen im August nach Kiel, endlich!", "de"), ("Kiel wird leider teuer.", None)]
    assert languages_of([*turns, ("ok that is it", None)]) == ["de", "de", None]
    assert languages_of([("Mein Freund heißt Nils.", None), ("War in Ukraine", None)]) == ["de", None]


def test_a_name_has_parts_and_writing_without_spaces_is_cut_into_runs() -> None:
    assert misread(lambda text: further(f"It is {text} here"), TABLES["parts"].items()) == []
    assert misread(further, TABLES["grams"].items()) == []


@given(st.text(st.characters(codec="utf-8"), max_size=400) | st.text("abcXYZ019._/-@:\\# ąß日本กข", max_size=400))
def test_further_words_are_bounded_and_can_be_given_with_spaces_between(text: str) -> None:
    words = further_words(text)
    assert len(words) <= 3 * len(text)
    assert all(0 < len(word) <= LONGEST_WORD and not any(map(str.isspace, word)) for word in words)


@pytest.mark.nightly
def test_data_gives_few_words_and_takes_time_linear_in_its_length() -> None:
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    blob = "".join(random.Random(7).choices(letters, k=1_000_000))
    for data in (blob, "a.b/c_" * 170_000, "aB" * 500_000, "." * 1_000_000, "日" * 300_000, "A" * 1_000_000):
        begun = time.process_time()
        passages = [data[start : start + 2000] for start in range(0, len(data), 2000)]
        assert sum(len(further_words(passage)) for passage in passages) < 100_000
        # A few seconds on a quiet machine, minutes where each passage took the square of its length.
        assert time.process_time() - begun < 30, data[:9]
    assert len(further_words("aBcD" * 20)) <= MOST_PARTS


def test_the_model_answers_as_the_library_that_ships_it_does() -> None:
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    ours, dice = language_model(), random.Random(3)
    theirs = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    theirs.set_languages(ours.languages)
    texts = ["", "a", "\x00", "\x00\x00ab", "SHOUTED GERMAN: WO IST DAS?", *TABLES["languages"]]
    texts += ["".join(chr(dice.choice([dice.randrange(1, 0x250), 0x430, 0x3042, 0xD800])) for _ in range(80))]
    for text in texts:
        expected, likelihood = theirs.classify(text)
        found, alike = ours.classify(text)
        assert found == expected, text
        assert alike == pytest.approx(likelihood, abs=1e-6)
