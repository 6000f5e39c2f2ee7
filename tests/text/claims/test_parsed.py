"""What is claimed by the parse of English sentences, and what is asked, supposed, wished or another's and is not."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from palace.records import EntityType, Role
from palace.text.claims import read_claims
from palace.text.claims.fragments import examples
from palace.text.claims.german import entries as german_entries
from palace.text.claims.parsing import can_parse
from palace.text.claims.uses import entries
from tests.text.claims.told import Names, named, written
from tests.text.reading import NamedSpan, Said
from tests.text.tables import each, misread, tables

pytestmark = pytest.mark.skipif(not can_parse(), reason="spaCy or its model is not installed")
TABLES = tables("parsed")
NAMES = named(
    place="Lisbon Munich Berlin Rome Rom Kiel Porto Vienna Paris London Bali Tokyo Oslo Mars Spain York Toulouse",
    person="Anna Tom Mr_Okoro Mr_Hoekstra",
    organisation="Siemens Bosch Google Slack Netflix Leeds_University ING Wet_Slate Charité Ruderverein Dunhill",
    item="Tesla Signal WhatsApp Vespa Ferrari Figma Volvo_V60 Toyota_Yaris Dacia Immich",
    event="Coachella",
    project="Apollo Kepler",
)
SAID_AT = datetime(2025, 5, 14, 10, tzinfo=UTC)


def told(*messages: str) -> str:
    """Write the claims of the last of one person's messages, but what somebody is called."""
    turns = [Said(each, Role.USER, None, SAID_AT) for each in messages]
    read = read_claims(turns, [_spans(each, NAMES) for each in messages], UTC)
    return " ; ".join(written(claim) for claim in read[-1] if claim.predicate != "called")


def _spans(message: str, names: Names) -> list[NamedSpan]:
    known = {**names, **({} if "Leeds University" in message else {"Leeds": EntityType.PLACE})}
    found = ((message.find(name), name, kind) for name, kind in known.items())
    return [NamedSpan(start, start + len(name), name, kind) for start, name, kind in found if start >= 0]


def test_what_is_asked_supposed_wished_or_said_by_others_is_no_claim() -> None:
    assert misread(told, each(TABLES["not_claimed"], "")) == []


def test_what_german_asks_supposes_or_denies_is_no_claim() -> None:
    assert misread(told, each(tables("german")["not_claimed"], "")) == []


def test_who_somebody_is_to_the_speaker_is_claimed_even_where_something_is_asked() -> None:
    assert misread(lambda message: told(message).split(" | ")[1], each(TABLES["only_kin"], "sibling_of")) == []


def test_what_is_stated_is_claimed() -> None:
    assert [message for message, claim in TABLES["claimed"].items() if claim not in told(message)] == []


def test_each_entry_of_the_data_is_read_in_its_example() -> None:
    def claimed(example: str, predicate: str) -> bool:
        return f"| {predicate} |" in told(example)

    missed = [example for example, _, use in entries() if use.does != "other" and not claimed(example, use.predicate)]
    missed += [example for example, entry in german_entries() if not claimed(example, entry.predicate)]
    missed += [example for example, predicate in examples() if f"| {predicate}" not in told(example)]
    assert missed == []


def test_a_later_message_ends_corrects_or_takes_back_what_was_said() -> None:
    assert "member_of | the choir | ends" not in told("I joined a choir.", "I hate mondays.")
    assert told("I play in a band called Wet Slate.", "I quit Wet Slate.") == "I | member_of | Wet Slate | ends"
    assert told("The rent is 1,450.", "Sorry, it's 1,540.") == "I | has_rent | 1,540 | corrects"
    assert told("I bought a boat. Just kidding.") == ""


def test_pronouns_mean_who_was_last_spoken_of() -> None:
    assert "Anna | lives_in | Rome | holds" in told("My sister Anna is a nurse. She lives in Rome.")
    assert "Tom | works_at | Bosch" in told("Anna is married to Tom, he works at Bosch.")
    assert told("He lives in Rome.") == ""


def test_times_are_those_of_the_clause() -> None:
    assert told("I moved to Rome in 2019 and joined Bosch in May.").split(" ; ") == [
        "I | lives_in | Rome | begins from 2019-01-01 year",
        "I | member_of | Bosch | begins from 2025-05-01 month",
    ]


def test_spans_are_of_the_clause_and_turns_of_assistants_claim_nothing() -> None:
    content = "Well, hello! I live in Rome and I sold a boat."
    turns = [Said(content, Role.USER, None, SAID_AT), Said(content, Role.ASSISTANT, None, SAID_AT)]
    first, second = read_claims(turns, [_spans(content, NAMES)] * 2, UTC)
    assert [content[claim.start : claim.end] for claim in first] == ["I live in Rome", "I sold a boat."]
    assert second == ()
