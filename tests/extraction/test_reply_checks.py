"""What of a reply is taken over: known types, turns that are there, names that stand in them, dates that are some."""

from __future__ import annotations

import json
import time
from datetime import UTC, date, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palace.llm.typed import find_object
from palace.mining.extraction.reply import Replied
from palace.mining.extraction.reply.checks import Checked, check_reply, date_of
from palace.mining.extraction.windows import SaidTurn, Window
from palace.records import Role
from palace.records.graph import Action, Claim, EntityType, Precision, Said, VagueDate
from tests.untrusted import JSON, nearly

NOON = datetime(2026, 4, 30, 12, tzinfo=UTC)
SAID = [
    (Role.USER, None, "I moved to Utrecht in May. My sister Anna Berg lives in Ghent with her dog Biscuit."),
    (Role.ASSISTANT, None, "You could try the Café Brinkmann in Haarlem."),
    (Role.USER, None, "She loves AT&T; anna has a 24V battery for the efoil."),
    (Role.USER, "Tom", "I work at Philips, and I am not a doctor."),
]
WINDOW = Window(
    tuple(
        SaidTurn(10 + number, Said(content, role, speaker, NOON, is_self=speaker is None))
        for number, (role, speaker, content) in enumerate(SAID)
    )
)


def checked(*, entities: list[Any] | None = None, assertions: list[Any] | None = None, **more: Any) -> Checked:
    reply = {"entities": entities or [], "assertions": assertions or [], **more}
    found = find_object(Replied, json.dumps(reply))
    assert found is not None
    return check_reply(found, WINDOW)


def entity(text: object, type: object = "person", turn: object = 1) -> dict[str, object]:
    return {"text": text, "type": type, "turn": turn}


def claim(subject: object, predicate: object, target: object, turn: object = 1, **more: object) -> dict[str, object]:
    return {"subject": subject, "predicate": predicate, "object": target, "turn": turn, **more}


def names_of(found: Checked) -> set[tuple[int, str, str]]:
    return {(drawer, span.text, span.type.value) for drawer, read in found.readings.items() for span in read.names}


def claims_of(found: Checked) -> list[Claim]:
    return [each for read in found.readings.values() for each in read.claims]


def test_a_name_is_taken_over_wherever_it_stands_in_its_turn_as_it_is_written_there() -> None:
    found = checked(entities=[entity("anna berg"), entity("GHENT", "Place"), entity("Anna", "person", 3)])
    assert names_of(found) == {(10, "Anna Berg", "person"), (10, "Ghent", "place"), (12, "anna", "person")}
    spans = [span for read in found.readings.values() for span in read.names]
    contents = {turn.drawer_id: turn.said.content for turn in WINDOW.turns}
    assert all(
        contents[drawer][span.start : span.end] == span.text
        for drawer, read in found.readings.items()
        for span in read.names
    )
    assert len(spans) == 3
    assert found.dropped == 0


@pytest.mark.parametrize(
    "wrong",
    [
        entity("Atlantis", "place"),
        entity("Anna Atlantis"),
        entity("Ann"),
        entity("Anna Berg", "wizard"),
        entity("Anna Berg", None),
        entity("Anna Berg", "person", 9),
        entity("Anna Berg", "person", 0),
        entity("Anna Berg", "person", -1),
        entity("Anna Berg", "person", "1"),
        entity("Anna Berg", "person", True),
        entity("Anna Berg", "person", 2),
        entity("She", "person", 3),
        entity("I", "person", 1),
        entity("", "person"),
        entity("   ", "person"),
        entity("x" * 1000, "person"),
        entity(["Anna Berg"]),
        "Anna Berg",
        None,
        7,
        {},
    ],
)
def test_a_name_that_does_not_stand_there_is_dropped_and_the_others_are_not(wrong: object) -> None:
    found = checked(entities=[wrong, entity("Biscuit", "item")])
    assert names_of(found) == {(10, "Biscuit", "item")}
    assert found.dropped == 1
    assert found.kept["entities"] == [entity("Biscuit", "item")]


def test_a_name_of_the_assistants_counts_where_a_person_says_it_too() -> None:
    assert names_of(checked(entities=[entity("Café Brinkmann", "place", 2)])) == set()


def test_a_claim_has_its_clause_its_dates_and_what_it_does() -> None:
    found = checked(assertions=[claim("I", "lives_in", "Utrecht", action="begins", valid_from="2026-05")])
    (read,) = claims_of(found)
    assert (read.subject, read.predicate, read.object, read.action) == ("I", "lives_in", "Utrecht", Action.BEGINS)
    assert SAID[0][2][read.start : read.end] == "I moved to Utrecht in May."
    assert read.valid_from == VagueDate(date(2026, 5, 1), Precision.MONTH)
    assert read.valid_to is None


def test_a_claim_may_name_by_its_full_name_whom_its_turn_names_shortly_or_by_a_pronoun() -> None:
    found = checked(
        assertions=[
            claim("Anna Berg", "likes", "AT&amp;T", 3),
            claim("efoil", "has_battery", "24V", 3),
            claim("Anna Berg", "lives in", "Ghent"),
        ]
    )
    assert [(read.subject, read.predicate, read.object) for read in claims_of(found)] == [
        ("Anna Berg", "lives_in", "Ghent"),
        ("Anna Berg", "likes", "AT&T"),
        ("efoil", "has_battery", "24V"),
    ]


def test_what_another_speaker_says_of_themselves_is_theirs() -> None:
    (read,) = claims_of(checked(assertions=[claim("I", "works_at", "Philips", 4)]))
    assert (read.subject, read.object) == ("Tom", "Philips")


@pytest.mark.parametrize(
    "wrong",
    [
        claim("I", "visited", "Haarlem", 2),
        claim("I", "planned", "Café Brinkmann", 2),
        claim("I", "lives_in", "Atlantis"),
        claim("Anna Atlantis", "lives_in", "Ghent"),
        claim("my yacht", "located_in", "the harbour"),
        claim("She", "likes", "AT&T", 3),
        claim("I", "rules_over", "Utrecht"),
        claim("I", "lives in; DROP TABLE", "Utrecht"),
        claim("I", "lives_in", "Utrecht", 99),
        claim("I", "lives_in", ""),
        claim("I", "lives_in", None),
        claim("", "lives_in", "Utrecht"),
        claim("I", "lives_in", "Utrecht", valid_from="soon"),
        claim("I", "lives_in", "Utrecht", valid_from="2026-13"),
        claim("I", "lives_in", "Utrecht", valid_from="0000"),
        claim("I", "lives_in", "Utrecht", valid_from="2026-05", valid_to="2025-05"),
        claim("I", "lives_in", "Utrecht", action="rumoured"),
        claim("I", "is", "doctor", 4, negated=True),
        claim("I", "lives_in", "Utrecht", hypothetical=True),
        claim({"a": 1}, "lives_in", "Utrecht"),
        [],
        "I live in Utrecht",
    ],
)
def test_a_claim_that_nobody_made_is_dropped(wrong: object) -> None:
    found = checked(assertions=[wrong])
    assert (claims_of(found), found.kept["assertions"], found.dropped) == ([], [], 1)


def test_what_a_claim_does_is_told_by_its_dates_where_the_reply_leaves_it_open() -> None:
    dated = [({}, Action.HOLDS), ({"valid_from": "2026"}, Action.BEGINS), ({"valid_to": "2026"}, Action.ENDS)]
    for dates, action in [*dated, ({"valid_from": "2024", "valid_to": "2026"}, Action.WAS)]:
        (read,) = claims_of(checked(assertions=[claim("I", "lives_in", "Utrecht", **dates)]))
        assert read.action is action
    (read,) = claims_of(checked(assertions=[claim("I", "planned", "Utrecht", valid_from="2026-05")]))
    assert read.action is Action.HAPPENS


def test_an_end_may_leave_open_what_ends() -> None:
    (read,) = claims_of(checked(assertions=[claim("Anna", "lives_in", "", action="ends")]))
    assert (read.object, read.action) == ("", Action.ENDS)


@pytest.mark.parametrize(
    ("written", "precision", "expected"),
    [
        ("2026-04-30", None, VagueDate(date(2026, 4, 30), Precision.DAY)),
        ("2026-04-01", "season", VagueDate(date(2026, 4, 1), Precision.SEASON)),
        ("2026-04", "day", VagueDate(date(2026, 4, 1), Precision.MONTH)),
        ("2026", "vague", VagueDate(date(2026, 1, 1), Precision.VAGUE)),
        ("2026-04-30", "whenever", VagueDate(date(2026, 4, 30), Precision.DAY)),
        ("2026-02-30", None, None),
        ("30 April", None, None),
        (None, "day", None),
    ],
)
def test_a_date_is_as_exact_as_it_is_written_and_not_more(
    written: str | None, precision: str | None, expected: VagueDate | None
) -> None:
    assert date_of(written, precision) == expected


def test_a_million_entities_are_bounded() -> None:
    started = time.process_time()
    names: list[Any] = [entity("Anna Berg")] * 1_000_000
    claims: list[Any] = [claim("I", "is", "x")] * 100_000
    found = check_reply(Replied(entities=names, assertions=claims), WINDOW)
    assert len(found.kept["entities"]) <= 60
    assert found.dropped > 1_000_000
    assert time.process_time() - started < 10


def test_topics_are_of_words_that_were_said() -> None:
    told = ["efoil battery", "Atlantis cruise", "x" * 100, 7, "Efoil  battery", "Anna Berg", "Ghent", "Utrecht"]
    assert checked(topics=told).topics == ("efoil battery", "Efoil battery", "Anna Berg")


def test_a_reply_without_its_keys_is_none() -> None:
    assert find_object(Replied, '{"entities": []}') is None
    assert (
        find_object(Replied, '{"entities": [{"text": "Anna Berg", "type": "person", "turn": 1}, {"text": "Ghe') is None
    )


@given(nearly({"entities": [entity("Anna Berg")], "assertions": [claim("I", "lives_in", "Utrecht")]}) | JSON)
def test_whatever_is_replied_what_is_taken_over_was_said(reply: object) -> None:
    found = find_object(Replied, json.dumps(reply))
    if found is None:
        return
    result = check_reply(found, WINDOW)
    for drawer, read in result.readings.items():
        content = next(turn.said.content for turn in WINDOW.turns if turn.drawer_id == drawer)
        assert all(content[span.start : span.end] == span.text and span.type in EntityType for span in read.names)
        assert all(0 <= each.start < each.end <= len(content) for each in read.claims)
    again = check_reply(Replied.model_validate(result.kept), WINDOW)
    assert (again.readings, again.dropped) == (result.readings, 0)


@given(st.text(), st.text())
def test_no_text_of_a_name_trips_it_over(name: str, value: str) -> None:
    checked(entities=[entity(name)], assertions=[claim(name, "is", value), claim("I", "is", value)])
