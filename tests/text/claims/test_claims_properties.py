"""What holds of the reading of claims whatever is said."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from palace.records.graph import EntityType, NamedSpan, Said
from palace.records.source import Role
from palace.text.claims.reading import read_claims
from tests.text.claims.told import SAID_AT, ZONE, said, written

_WORDS_WRITTEN = """
I we my our she he it Anna Biscuit sister dog boat rent dentist is was have sold bought moved to from in at since until
May 2019 no not any more , . ? ! ; ( ) " „ “ ich wir meine Schwester habe verkauft wohne seit bei nach Wien called 24 V
£1,650 Dr. and und but said if the a who which used going started taking stopped playing can't I'm she's 's > ``` - :
"""

_SPEECH = st.lists(st.sampled_from([*_WORDS_WRITTEN.split(), "\n"]), max_size=30).map(" ".join)


@settings(deadline=None)
@given(st.lists(st.one_of(st.text(max_size=200), _SPEECH), max_size=4))
def test_any_messages_are_read_and_spans_lie_in_them(messages: list[str]) -> None:
    turns = [said(each) for each in messages]
    read = read_claims(turns, [()] * len(turns), ZONE)
    assert len(read) == len(turns)
    for turn, claims in zip(turns, read, strict=True):
        for claim in claims:
            assert 0 <= claim.start < claim.end <= len(turn.content)
            assert claim.subject
            assert claim.predicate


@settings(deadline=None)
@given(_SPEECH, st.integers(0, 60), st.integers(1, 20), st.sampled_from(EntityType))
def test_any_names_are_taken(message: str, start: int, length: int, kind: EntityType) -> None:
    text = message[start : start + length]
    spans = [NamedSpan(start, start + len(text), text, kind)] if text else []
    read_claims([said(message)], [spans], ZONE)


@pytest.mark.parametrize("role", [Role.ASSISTANT, Role.SYSTEM, Role.TOOL])
def test_only_people_claim(role: Role) -> None:
    assert read_claims([Said("I live in Ghent.", role, None, SAID_AT)], [()], ZONE) == [()]


def test_another_speaker_claims_of_themselves() -> None:
    (claims,) = read_claims([said("I live in Ghent with my sister Eva.", "Anna")], [()], ZONE)
    assert [written(each) for each in claims] == [
        "Anna's sister | called | Eva | holds",
        "Anna | sibling_of | Eva | holds",
        "Anna | lives_in | Ghent | holds",
    ]


def test_without_a_moment_a_claim_has_no_times() -> None:
    (claims,) = read_claims([Said("I moved to Ghent last week.", Role.USER)], [()], ZONE)
    assert [written(each) for each in claims] == ["I | lives_in | Ghent | begins"]


def test_names_are_given_for_every_turn() -> None:
    with pytest.raises(ValueError, match="argument"):
        read_claims([said("Hello")], [], ZONE)


@pytest.mark.parametrize(
    "message",
    [
        "a" * 1_000_000,
        "I " * 500_000,
        "my sister " * 100_000,
        "I live in Ghent. " * 60_000,
        "I have " + "a, " * 1900,
        "since " * 900,
        "meine " * 900,
        "“" * 5000,
        "my 's " * 900,
        "I said " * 800,
    ],
)
def test_no_message_takes_long(message: str) -> None:
    begun = time.perf_counter()
    read_claims([said(message)], [()], ZONE)
    assert time.perf_counter() - begun < 2


def test_a_long_conversation_takes_time_linear_in_its_length() -> None:
    turns = [said("My sister Anna lives in Porto and she works at Bosch since May.")] * 1000
    begun = time.perf_counter()
    read = read_claims(turns, [()] * len(turns), ZONE)
    assert time.perf_counter() - begun < 30
    assert len(read) == 1000
