"""What holds of names in any text."""

from __future__ import annotations

import cProfile
import time
from collections.abc import Callable
from itertools import pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from palace.records import Role
from palace.records.graph import EntityType, NamedSpan, Said
from palace.text.entities import read_names
from palace.text.entities.page import MOST_READ

_PIECES = """
Anna anna's ANNA my sister dog called biscuit in Paris Bath bath The and of & - — . , ! ? : ; ( ) " ' ’ ** ** * # | > @
@mira_k `code` ``` https://x.org/Anna Dr. aunt Frau Herr bei der bin ist May may 5 May 2021 at 7:30 pm İstanbul ß ŉ Ǆ
北京 昨天 Москва Project X project kepler iPhone DHS680 U.S. N.K. O'Brien van den Berg OECD LA 5mg
\u200b \ud83d\ude00 \u0301 Straße straße heißt
"""
PIECES = st.sampled_from(_PIECES.encode("utf-16", "surrogatepass").decode("utf-16").split())
TEXTS = st.one_of(
    st.lists(PIECES, max_size=25).map(" ".join), st.lists(PIECES, max_size=12).map("\n".join), st.text(max_size=80)
)
LANGUAGES = st.sampled_from([None, "en", "de", "fr", "es", "ru", "zh", "ja", "it"])
TURNS = st.lists(st.builds(Said, TEXTS, st.sampled_from(list(Role)), language=LANGUAGES), max_size=5)


@settings(max_examples=300, deadline=None)
@given(TURNS, st.dictionaries(TEXTS, st.sampled_from(list(EntityType)), max_size=3))
@example([Said("İİİ Anna İ", Role.USER)], {"": EntityType.PERSON, "İ": EntityType.PLACE})
def test_spans_lie_in_their_message_in_order_without_overlap(turns: list[Said], known: dict[str, EntityType]) -> None:
    found = read_names(turns, known=known)

    assert len(found) == len(turns)
    for said, spans in zip(turns, found, strict=True):
        for span in spans:
            assert 0 <= span.start < span.end <= len(said.content)
            assert span.text == said.content[span.start : span.end]
            assert span.text.strip() == span.text
        assert all(one.end <= other.start for one, other in pairwise(spans))


@settings(max_examples=50, deadline=None)
@given(TURNS)
def test_reading_again_gives_the_same(turns: list[Said]) -> None:
    assert read_names(turns) == read_names(turns)


def test_a_message_of_a_megabyte_is_read_as_far_as_said() -> None:
    content = "I met Anna Lindqvist in Uppsala. " * 32_000
    started = time.perf_counter()

    spans = read_names([Said(content, Role.USER, language="en")])[0]

    assert time.perf_counter() - started < 10
    assert spans
    assert spans[-1].end <= MOST_READ


def steps_of(call: Callable[[], object]) -> int:
    """Count the calls of functions that something makes, those of the interpreter's own too: what no load changes."""
    profile = cProfile.Profile(time.process_time)
    profile.runcall(call)
    return sum(entry.callcount for entry in profile.getstats())


@pytest.mark.parametrize("piece", ["a", "A", "A-", "Aa.", "@", "'", "*", "\n", "|", "1", "A ", "in A ", "my dog "])
def test_a_megabyte_without_a_space_does_not_stall(piece: str) -> None:
    def read(length: int) -> None:
        read_names([Said(piece * (length // len(piece)), Role.USER, language="en")])

    read(100)
    read_as_far, quarter = steps_of(lambda: read(MOST_READ)), steps_of(lambda: read(MOST_READ // 4))
    assert steps_of(lambda: read(1_000_000)) < 1.2 * read_as_far + 500
    assert read_as_far < 8 * quarter + 5_000


def test_twenty_thousand_turns_do_not_stall() -> None:
    turns = [
        Said(f"We met Anna{number} Berg{number} in Kiel on 3 May.", Role.USER if number % 2 else Role.ASSISTANT)
        for number in range(20_000)
    ]
    started = time.perf_counter()

    found = read_names(turns)

    assert time.perf_counter() - started < 60
    assert len(found) == 20_000


@pytest.mark.parametrize("piece", ["A", "I", "O'", "\n", "Aa", "MFRGGZDF"])
def test_letters_without_end_are_read_once(piece: str) -> None:
    text = piece * (MOST_READ // len(piece))
    read_names([Said("My sister Anna called.", Role.USER, language="en")])
    began = time.process_time()
    read_names([Said(text, Role.USER, language="en")])
    assert time.process_time() - began < 1, "a pattern that is tried at every letter took two to three seconds"


def test_no_turns_have_no_names() -> None:
    assert read_names([]) == []
    assert read_names([Said("", Role.USER)]) == [()]


def test_a_span_is_a_record() -> None:
    assert read_names([Said("My sister Anna called.", Role.USER, language="en")]) == [
        (NamedSpan(10, 14, "Anna", EntityType.PERSON),)
    ]
