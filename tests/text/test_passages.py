"""Passages are small, in order, and leave nothing visible out."""

from __future__ import annotations

import time
from itertools import pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from palace.records import Span
from palace.text.passages import OVERLAP_TOKENS, PASSAGE_CHARACTERS, PASSAGE_TOKENS, split_passages
from palace.wordpiece import tokenizer, well_formed

SENTENCE = "The battery of the efoil overheated on the second ride, so we changed the wire. "

anything = st.text(st.characters(), max_size=60)
long_text = st.lists(st.tuples(anything, st.integers(1, 400)).map(lambda pair: pair[0] * pair[1]), max_size=6).map(
    "".join
)


def count_tokens(text: str) -> int:
    return len(tokenizer().encode(well_formed(text), add_special_tokens=False))


@settings(deadline=None, max_examples=150)
@given(long_text)
@example("\x0c00000000" * 230)
@example("x\x850:\x85" * 500)
@example("a\x0cb\x1cc\x85d " * 300)
@example("[CLS][SEP][MASK]" * 200)
@example("a" + "\u0301" * 5000)
@example("한국어" * 900)
@example("x.\n" * 2000)
@example("\u200b " * 3000)
@example("\ud800" * 700)
def test_passages_are_small_ordered_and_cover_everything_visible(content: str) -> None:
    spans = split_passages(content)
    covered = set[int]()
    for span in spans:
        passage = content[span.start : span.end]
        assert 0 <= span.start < span.end <= len(content)
        assert passage == passage.strip()
        assert len(passage) <= PASSAGE_CHARACTERS
        assert count_tokens(passage) <= PASSAGE_TOKENS
        covered.update(range(span.start, span.end))
    assert all(later.start > earlier.start for earlier, later in pairwise(spans))
    assert all(later.end > earlier.end for earlier, later in pairwise(spans))
    assert all(character.isspace() for place, character in enumerate(content) if place not in covered)


@pytest.mark.parametrize("content", ["", " ", "\n\t\r\n  ", "\u3000\u2028"])
def test_white_space_alone_has_no_passage(content: str) -> None:
    assert split_passages(content) == ()


def test_a_short_text_is_one_passage_without_the_white_space_around_it() -> None:
    assert split_passages("  Hello there.\n") == (Span(2, 14),)


def test_a_text_that_just_fits_is_one_passage() -> None:
    content = "word " * PASSAGE_TOKENS
    assert split_passages(content) == (Span(0, len(content) - 1),)


def test_one_word_too_many_makes_a_second_passage() -> None:
    assert len(split_passages("word " * (PASSAGE_TOKENS + 1))) == 2


def test_few_characters_that_decompose_into_many_tokens_are_still_cut() -> None:
    assert len(split_passages("한 " * 120)) > 1


def test_passages_end_with_sentences() -> None:
    content = SENTENCE * 60
    assert all(content[span.end - 1] == "." for span in split_passages(content))


def test_neighbours_share_one_sentence() -> None:
    spans = split_passages(SENTENCE * 60)
    assert {earlier.end - later.start for earlier, later in pairwise(spans)} == {len(SENTENCE) - 1}


def test_neighbours_share_at_most_forty_tokens_of_a_long_sentence() -> None:
    content = ", and then ".join(f"we rode to the harbour of town {number}" for number in range(200))
    spans = split_passages(content)
    shared = [content[later.start : earlier.end] for earlier, later in pairwise(spans)]
    assert all(0 < count_tokens(text) <= OVERLAP_TOKENS for text in shared)


def test_lines_decide_where_no_sentence_ends() -> None:
    content = "\n".join(f"wire gauge {number} silicone insulated copper" for number in range(200))
    lines = set(content.split("\n"))
    passages = [content[span.start : span.end] for span in split_passages(content)]
    assert len(passages) > 5
    assert all(line in lines for passage in passages for line in passage.split("\n"))


def test_words_decide_where_no_line_ends() -> None:
    content = "battery " * 2000
    assert all(content[span.start : span.end].endswith("battery") for span in split_passages(content))


def test_an_abbreviation_does_not_end_a_passage() -> None:
    content = "We met Dr. Smith e.g. at noon and Mrs. Jones as well and talked on and on " * 40
    endings = {content[: span.end].rsplit(" ", 1)[-1] for span in split_passages(content)}
    assert not endings & {"Dr.", "Mrs.", "e.g."}


def test_ideographs_are_cut_at_their_full_stops() -> None:
    content = "我们昨天换了电池的电线因为它太热了。" * 100
    assert all(content[span.end - 1] == "。" for span in split_passages(content))


def test_a_letter_keeps_its_combining_marks() -> None:
    content = "e\u0301" * 4001
    assert all(content[span.start] == "e" for span in split_passages(content))


def test_a_joined_emoji_is_not_taken_apart() -> None:
    family = "👩\u200d👩\u200d👧"
    content = family * 1000
    assert all(content[span.start] == "👩" and content[span.end - 1] == "👧" for span in split_passages(content))


def test_an_unbroken_run_takes_as_few_passages_as_its_characters_allow() -> None:
    assert len(split_passages("a" * 100_000)) == 100_000 // PASSAGE_CHARACTERS


@pytest.mark.parametrize("piece", ["a", "a ", ". ", "...", "字", "שלום עולם ", " " * 50 + "x", "\u0301", "😀", "\n"])
def test_time_grows_with_the_length_alone(piece: str) -> None:
    def seconds(characters: int) -> float:
        content = piece * (characters // len(piece))
        start = time.process_time()
        split_passages(content)
        return time.process_time() - start

    seconds(1000)
    assert seconds(128_000) < 0.1 + 24 * seconds(16_000)
