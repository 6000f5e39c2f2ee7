"""Sentences: where they end, what is joined, and what is no speech."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palace.text.messages.sentences import LONGEST_MESSAGE, MOST_SENTENCES, SHORTEST_SENTENCE, split_sentences

LONG = "The ferry to the island leaves at noon"
MESSAGES = st.text(alphabet=st.sampled_from("ab .!?\n\"')`\u2028é"), max_size=300) | st.text(max_size=200)


def cut(content: str) -> list[str]:
    return [content[slice(*span)] for span in split_sentences(content)]


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (f"{LONG}. {LONG}! {LONG}?", [f"{LONG}.", f"{LONG}!", f"{LONG}?"]),
        (f'She said "{LONG}." {LONG}.', [f'She said "{LONG}."', f"{LONG}."]),
        (f"({LONG}.) {LONG}...  {LONG}", [f"({LONG}.)", f"{LONG}...", LONG]),
        (f"{LONG}\n\n{LONG}\r\n{LONG}", [LONG, LONG, LONG]),
        (f"{LONG} at 3.15 p.m from pier 4.", []),
        (f"{LONG}. Really? No! {LONG}.", [f"{LONG}. Really? No!", f"{LONG}."]),
        (f"Hi. {LONG}. {LONG}.", [f"Hi. {LONG}.", f"{LONG}."]),
        (f"Hi. Yes. {LONG}. {LONG}.", [f"Hi. Yes. {LONG}.", f"{LONG}."]),
        (f"{LONG}. Thanks!", []),
        (f"{LONG}:\n```\n{LONG}. {LONG}.\n```\n{LONG}.", [f"{LONG}:", f"{LONG}."]),
        (f"{LONG}. {LONG}. ```{LONG}. {LONG}.", [f"{LONG}.", f"{LONG}."]),
        (f"{LONG} with Mr. Smith. {LONG}.", [f"{LONG} with Mr. Smith.", f"{LONG}."]),
        (
            f"{'去码头的船中午开' * 4}。{'我们先吃饭再走' * 4}！",
            [f"{'去码头的船中午开' * 4}。", f"{'我们先吃饭再走' * 4}！"],
        ),
        ("", []),
        (" \n ", []),
        (LONG, []),
    ],
)
def test_a_message_is_cut_into_its_sentences(content: str, expected: list[str]) -> None:
    assert cut(content) == expected


def test_a_pasted_document_has_none() -> None:
    text = f"{LONG}. " * 200
    assert split_sentences(text[:LONGEST_MESSAGE])
    assert split_sentences(text[: LONGEST_MESSAGE + 1]) == ()


def test_there_are_at_most_sixty() -> None:
    assert len(split_sentences(f"{LONG}. " * 90)) == MOST_SENTENCES


@given(MESSAGES)
def test_sentences_are_in_order_inside_the_text_without_overlap_and_visible(content: str) -> None:
    spans = split_sentences(content)
    assert len(spans) != 1
    assert all(earlier.end <= later.start for earlier, later in pairwise(spans))
    for span in spans:
        assert 0 <= span.start < span.end <= len(content)
        sentence = content[slice(*span)]
        assert sentence == sentence.strip()
        assert sentence


@given(st.lists(st.text(alphabet="ab", min_size=1, max_size=60), max_size=20))
def test_nothing_visible_is_left_out_where_there_is_no_code(words: list[str]) -> None:
    content = ". ".join(words)
    sentences = cut(content)
    assert not sentences or "".join("".join(sentences).split()) == "".join(content.split())
    assert all(len(sentence) >= SHORTEST_SENTENCE for sentence in sentences)


def test_a_german_day_ends_no_sentence() -> None:
    text = "Papa muss am 27. November ins Krankenhaus zur Operation. Danach kommt er für drei Wochen zu uns."
    assert [text[span.start : span.end] for span in split_sentences(text)] == [
        "Papa muss am 27. November ins Krankenhaus zur Operation.",
        "Danach kommt er für drei Wochen zu uns.",
    ]
