"""What holds of the reading of claims whatever is said, and of whole readings by rules."""

from __future__ import annotations

import json
import time
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palace.mining.extraction.rules import read_by_rules
from palace.models import Role
from palace.models.claims import Said
from tests.text.claims.told import SAID_AT, ZONE, Names, named, read, said, told, written
from tests.text.tables import TESTS, tables

TABLES = tables("claims_properties")

_WORDS_WRITTEN = """
I we my our she he it Anna Biscuit sister dog boat rent dentist is was have sold bought moved to from in at since until
May 2019 no not any more , . ? ! ; ( ) " „ “ ich wir meine Schwester habe verkauft wohne seit bei nach Wien called 24 V
£1,650 Dr. and und but said if the a who which used going started taking stopped playing can't I'm she's 's > ``` - :
"""
_SPEECH = st.lists(st.sampled_from([*_WORDS_WRITTEN.split(), "\n"]), max_size=30).map(" ".join)
ENDLESS = ["a" * 1_000_000, "I " * 500_000, "my sister " * 100_000, "I live in Ghent. " * 60_000,
           "I have " + "a, " * 1900, "since " * 900, "meine " * 900, "“" * 5000,
           "my 's " * 900, "I said " * 800]  # fmt: skip


@given(st.lists(st.one_of(st.text(max_size=200), _SPEECH), max_size=4), st.sampled_from([{}, named(person="Anna is")]))
def test_any_messages_are_read_and_spans_lie_in_them(messages: list[str], names: Names) -> None:
    turns = [said(each) for each in messages]
    found = read(turns, names)
    assert len(found) == len(turns)
    for turn, claims in zip(turns, found, strict=True):
        for claim in claims:
            assert 0 <= claim.start < claim.end <= len(turn.content)
            assert claim.subject
            assert claim.predicate


def test_only_people_claim_each_of_themselves() -> None:
    for role in (Role.ASSISTANT, Role.SYSTEM, Role.TOOL):
        assert read([Said("I live in Ghent.", role, None, SAID_AT)]) == [()]
    (claims,) = read([said("I live in Ghent with my sister Eva.", "Anna")], named(person="Eva"))
    assert [written(each) for each in claims] == [
        "Anna's sister | called | Eva | holds",
        "Anna | sibling_of | Eva | holds",
        "Anna | lives_in | Ghent | holds",
    ]
    (claims,) = read([Said("I moved to Ghent last week.", Role.USER)])
    assert [written(each) for each in claims] == ["I | lives_in | Ghent | begins"], "without a moment there is no time"


def by_rules(text: str) -> list[str]:
    (reading,) = read_by_rules([said(text)], (), ZONE)
    return [written(each) for each in reading.claims]


def test_what_is_quoted_or_played_is_nobodys_life_and_what_is_said_stays() -> None:
    assert [text for text in TABLES["quoted"] if any(each.startswith(("I ", "my ")) for each in by_rules(text))] == []
    assert [text for text in TABLES["own_lives"] if not by_rules(text)] == []
    played = [said("Let's do a role play."), said("I live in Bree."), said("I work at the inn.")]
    later = Said("I live in Ghent.", Role.USER, said_at=SAID_AT + timedelta(days=1))
    assert [len(reading.claims) for reading in read_by_rules([*played, later], (), ZONE)] == [0, 0, 0, 1]


def test_what_only_opens_a_sentence_claims_nothing_and_who_is_named_beside_it_is_claimed() -> None:
    assert [text for text in TABLES["asides"] if by_rules(text)] == []
    assert [text for text, claim in TABLES["beside"].items() if claim not in by_rules(text)] == []


@pytest.mark.nightly
def test_no_message_and_no_conversation_takes_long() -> None:
    for message in ENDLESS:
        begun = time.process_time()
        told(message)
        assert time.process_time() - begun < 2, message[:20]
    begun = time.process_time()
    assert len(read([said("My sister Anna lives in Porto and she works at Bosch since May.")] * 1000)) == 1000
    assert time.process_time() - begun < 30


def test_the_sample_of_the_readme_is_read_right() -> None:
    messages = json.loads((TESTS.parent / "examples" / "efoil.json").read_text("utf-8"))["messages"]
    found = read_by_rules([said(each["content"]) for each in messages if each["role"] == "user"], (), ZONE)
    assert [written(claim) for reading in found for claim in reading.claims] == TABLES["sample"]
