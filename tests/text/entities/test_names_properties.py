"""What holds of names in any text."""

from __future__ import annotations

import cProfile
import time
from collections.abc import Callable
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from palace.models import EntityType, Role
from palace.models.claims import Said
from palace.nlp.names.reading import read_names
from tests.text.entities.named import said

MOST_READ = 12_000
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


@given(TURNS, st.dictionaries(TEXTS, st.sampled_from(list(EntityType)), max_size=3))
@example([Said("İİİ Anna İ", Role.USER)], {"": EntityType.PERSON, "İ": EntityType.PLACE})
def test_spans_lie_in_their_message_in_order_without_overlap(turns: list[Said], known: dict[str, EntityType]) -> None:
    found = read_names(turns, known=known)
    assert len(found) == len(turns)
    for each, spans in zip(turns, found, strict=True):
        for span in spans:
            assert 0 <= span.start < span.end <= len(each.content)
            assert span.text == each.content[span.start : span.end]
            assert span.text.strip() == span.text
        assert all(one.end <= other.start for one, other in pairwise(spans))
    assert read_names(turns, known=known) == found
    assert read_names([]) == []


def steps_of(call: Callable[[], object]) -> int:
    """Count the calls of functions that something makes, those of the interpreter's own too: what no load changes."""
    profile = cProfile.Profile(time.process_time)
    profile.runcall(call)
    return sum(entry.callcount for entry in profile.getstats())


@pytest.mark.nightly
def test_a_megabyte_is_read_as_far_as_said_and_does_not_stall() -> None:
    (spans,) = read_names([said("I met Anna Lindqvist in Uppsala. " * 32_000)])
    assert spans
    assert spans[-1].end <= MOST_READ
    for piece in ("a", "A", "A-", "Aa.", "@", "'", "*", "\n", "|", "1", "A ", "in A ", "my dog "):

        def read(length: int, piece: str = piece) -> None:
            read_names([said(piece * (length // len(piece)))])

        read(100)
        read_as_far, quarter = steps_of(lambda: read(MOST_READ)), steps_of(lambda: read(MOST_READ // 4))
        assert steps_of(lambda: read(1_000_000)) < 1.2 * read_as_far + 500, piece
        assert read_as_far < 8 * quarter + 5_000, piece


def test_letters_without_end_are_read_once() -> None:
    read_names([said("My sister Anna called.")])
    for piece in ("A", "I", "O'", "\n", "Aa", "MFRGGZDF"):
        began = time.process_time()
        read_names([said(piece * (MOST_READ // len(piece)))])
        assert time.process_time() - began < 1, "a pattern that is tried at every letter took two to three seconds"
