"""Topics: where a conversation turns to something else, and what each stretch is called."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from palace.mining.topics import Topic, segment_topics
from palace.testing import HashingEmbedder
from tests.talks import HOLIDAY, WIRING

LOOSE = ["battery", "wiring", "hawaii", "trip", "beach", "hotel", "flight", "fuse", "the", "a", "of", "to", "thanks"]


def embed(texts: Sequence[str]) -> np.typing.NDArray[np.float32]:
    return HashingEmbedder().embed_passages(list(texts)).vectors


def cuts(topics: tuple[Topic, ...]) -> list[int]:
    return [topic.start for topic in topics][1:]


def test_a_conversation_is_cut_where_it_turns_to_something_else() -> None:
    texts = WIRING + HOLIDAY
    assert cuts(segment_topics(texts, embed(texts))) == [len(WIRING)]
    assert cuts(segment_topics(texts, None)) == [len(WIRING)], "by the words alone"


def test_vectors_of_nothing_but_nan_leave_it_to_the_words() -> None:
    texts = WIRING + HOLIDAY
    nothing = np.full((len(texts), 8), np.nan, np.float32)
    assert segment_topics(texts, nothing) == segment_topics(texts, None)


def test_topics_are_named_by_what_sets_them_apart() -> None:
    wiring, holiday = segment_topics(WIRING + HOLIDAY, embed(WIRING + HOLIDAY))
    assert (wiring.name, wiring.slug) == ("Battery wiring", "battery-wiring")
    assert (holiday.name, holiday.slug) == ("Hawaii trip", "hawaii-trip")


def test_one_topic_stays_whole() -> None:
    assert cuts(segment_topics(WIRING, embed(WIRING))) == []
    assert cuts(segment_topics(WIRING, None)) == []


def test_a_turn_without_a_vector_goes_with_the_turns_before_it() -> None:
    texts = [*WIRING, "", *HOLIDAY]
    vectors = embed(texts)
    vectors[len(WIRING)] = np.nan
    assert cuts(segment_topics(texts, vectors)) == [len(WIRING) + 1]


def test_a_short_conversation_is_one_topic() -> None:
    for count in (1, 2, 3):
        texts = [WIRING[0], HOLIDAY[0], "Biscuit the dog"][:count]
        (topic,) = segment_topics(texts, embed(texts))
        assert (topic.start, topic.end) == (0, count)


def test_a_topic_without_a_key_phrase_is_named_by_how_it_begins() -> None:
    (topic,) = segment_topics(["ok", "thanks"], None)
    assert topic.name == "ok thanks"


def test_a_model_that_puts_all_texts_close_together_finds_the_same_places() -> None:
    rng = np.random.default_rng(11)
    wide = np.repeat(rng.normal(size=(3, 32)), 8, axis=0) + 0.4 * rng.normal(size=(24, 32))
    narrow = 0.1 * wide + 1
    for vectors in (wide, narrow):
        assert cuts(segment_topics(["turn"] * 24, vectors.astype(np.float32))) == [8, 16]


@given(
    st.lists(st.lists(st.sampled_from(LOOSE), max_size=8).map(" ".join) | st.text(max_size=20), max_size=30),
    st.integers(0, 2**32 - 1),
    st.booleans(),
)
def test_topics_cover_every_turn_once_and_in_order(texts: list[str], seed: int, with_vectors: bool) -> None:
    rng = np.random.default_rng(seed)
    vectors = rng.normal(size=(len(texts), 6)).astype(np.float32)
    vectors[rng.random(len(texts)) < 0.3] = np.nan
    given_vectors = vectors if with_vectors else None
    topics = segment_topics(texts, given_vectors)
    assert [0, *(topic.end for topic in topics)][: len(topics)] == [topic.start for topic in topics]
    assert (topics[-1].end if topics else 0) == len(texts)
    assert all(earlier.end == later.start for earlier, later in pairwise(topics))
    assert all(topic.start < topic.end and topic.name and topic.slug for topic in topics)
    assert segment_topics(texts, given_vectors) == topics
