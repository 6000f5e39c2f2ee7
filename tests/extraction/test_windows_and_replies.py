"""Windows of turns, and what of a reply about one is taken over: what was said, of known types, with real dates."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from palace.mining.extraction.checks import Checked, check_reply, date_of
from palace.mining.extraction.prompt import prompt_for, shown
from palace.mining.extraction.reply import Replied
from palace.mining.extraction.windows import WHOLE, SaidTurn, Window, digest_of, windows_of
from palace.models import EntityType, Precision, Role
from palace.models.claims import Claim, Said, VagueDate
from tests.text.tables import misread
from tests.untrusted import JSON, nearly

NOON = datetime(2026, 4, 30, 12, tzinfo=UTC)


def turn(number: int, content: str = "We sail.", role: Role = Role.USER, speaker: str | None = None) -> SaidTurn:
    return SaidTurn(number, Said(content, role, speaker, NOON, is_self=speaker is None))


def cut(*turns: SaidTurn, but: tuple[int, ...] = ()) -> list[Window]:
    return windows_of(turns, lambda drawer: drawer not in but)[0]


def test_up_to_fifty_turns_are_shown_together_and_more_by_ten() -> None:
    sizes = {count: [len(window.turns) for window in cut(*map(turn, range(count)))] for count in (WHOLE, 51, 60)}
    assert sizes == {50: [50], 51: [10, 10, 10, 10, 10, 1], 60: [10] * 6}
    windows, left = windows_of([turn(n) for n in range(20_000)], lambda _: True)
    assert (len(windows), left) == (500, 15_000), "what is left is counted"


@given(st.integers(WHOLE + 1, 400))
def test_windows_of_a_long_conversation_have_every_turn_once_and_stay_as_it_grows(count: int) -> None:
    windows, grown = cut(*map(turn, range(count))), cut(*map(turn, range(count + 1)))
    assert [drawer for window in windows for drawer in window.drawers] == list(range(count))
    assert windows[:-1] == grown[: len(windows) - 1]


def test_a_short_conversation_of_much_text_is_cut_too_and_no_turn_is_shown_beyond_its_limit() -> None:
    windows = cut(*(turn(n, "x" * 1_000_000) for n in range(20)))
    assert [len(window.turns) for window in windows] == [10, 10]
    assert len(shown(windows[0])) < 50_000


def test_what_may_not_be_sent_parts_windows_and_only_people_and_who_answers_them_are_shown() -> None:
    assert [window.drawers for window in cut(*map(turn, range(6)), but=(2, 3))] == [(0, 1), (4, 5)]
    talk = [turn(1, role=Role.SYSTEM), turn(2, role=Role.TOOL), turn(3, "  "), turn(4, role=Role.ASSISTANT)]
    assert cut(*talk) == []
    (window,) = cut(*talk, turn(5))
    assert window.drawers == (4, 5)


def test_turns_are_numbered_with_day_and_speaker() -> None:
    turns = turn(1, "Hi.\nThere"), turn(2, "Yes?", Role.ASSISTANT), turn(3, "Me too.", speaker='Anna "A" Berg')
    assert shown(Window(turns)).splitlines() == [
        "<turns>",
        "1 | 2026-04-30 Thu | I | Hi. There",
        "2 | 2026-04-30 Thu | assistant | Yes?",
        '3 | 2026-04-30 Thu | "Anna &quot;A&quot; Berg" | Me too.',
        "</turns>",
    ]
    one, other = shown(Window((turn(1),))), shown(Window((turn(1, "We row."),)))
    assert len({digest_of("a", one), digest_of("b", one), digest_of("a", other)}) == 3


@given(st.lists(st.tuples(st.text(), st.none() | st.text(min_size=1)), min_size=1, max_size=5))
def test_whatever_was_said_each_turn_is_one_line_that_ends_nothing(said: list[tuple[str, str | None]]) -> None:
    window = Window(tuple(turn(n, content, speaker=speaker) for n, (content, speaker) in enumerate(said)))
    _, asked = prompt_for(window)
    lines = asked.content.splitlines()
    assert [line.partition(" | ")[0] for line in lines[1:-1]] == [str(n) for n in range(1, len(said) + 1)]
    assert sum(line.count("<") for line in lines) == 2


SAID = "I moved to Utrecht in May. My sister Anna Berg lives in Ghent with her dog Biscuit."
WINDOW = Window(
    (
        turn(10, SAID),
        turn(11, "You could try the Café Brinkmann in Haarlem.", Role.ASSISTANT),
        turn(12, "She loves AT&T; anna has a 24V battery for the efoil."),
        turn(13, "I work at Philips, and I am not a doctor.", speaker="Tom"),
    )
)


def checked(*assertions: Any, entities: list[Any] | None = None, topics: list[Any] | None = None) -> Checked:
    found = Replied(entities=entities or [], assertions=list(assertions), topics=topics or [])
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
    assert found.dropped == 0
    assert names_of(checked(entities=[entity("Café Brinkmann", "place", 2)])) == set(), "the assistant's alone"


WRONG_NAMES: list[Any] = [
    entity("Atlantis", "place"), entity("Ann"), entity("Anna Berg", "wizard"), entity("Anna Berg", "person", 9),
    entity("Anna Berg", "person", 0), entity("Anna Berg", "person", "1"), entity("Anna Berg", "person", 2),
    entity("She", "person", 3), entity("I"), entity("   "), entity("x" * 1000), entity(["Anna Berg"]), "Anna Berg", {},
]  # fmt: skip
WRONG_CLAIMS: list[Any] = [
    claim("I", "visited", "Haarlem", 2), claim("I", "planned", "Café Brinkmann", 2), claim("I", "lives_in", "Atlantis"),
    claim("Anna Atlantis", "lives_in", "Ghent"), claim("my yacht", "located_in", "the harbour"),
    claim("She", "likes", "AT&T", 3), claim("I", "rules_over", "Utrecht"), claim("I", "lives_in", "Utrecht", 99),
    claim("I", "lives_in", ""), claim("", "lives_in", "Utrecht"), claim("I", "lives_in", "Utrecht", valid_from="soon"),
    claim("I", "lives_in", "Utrecht", valid_from="2026-05", valid_to="2025-05"),
    claim("I", "lives_in", "Utrecht", action="rumoured"), claim("I", "is", "doctor", 4, negated=True),
    claim("I", "lives_in", "Utrecht", hypothetical=True), claim({"a": 1}, "lives_in", "Utrecht"), [],
    "I live in Utrecht",
]  # fmt: skip


def test_what_does_not_stand_there_or_nobody_claimed_is_dropped_and_the_rest_is_not() -> None:
    for wrong in WRONG_NAMES:
        found = checked(entities=[wrong, entity("Biscuit", "item")])
        assert (names_of(found), found.dropped) == ({(10, "Biscuit", "item")}, 1), wrong
        assert found.kept["entities"] == [entity("Biscuit", "item")]
    for wrong in WRONG_CLAIMS:
        found = checked(wrong)
        assert (claims_of(found), found.kept["assertions"], found.dropped) == ([], [], 1), wrong


def test_a_claim_has_its_clause_its_dates_and_what_it_does() -> None:
    (read,) = claims_of(checked(claim("I", "lives_in", "Utrecht", action="begins", valid_from="2026-05")))
    assert (read.subject, read.predicate, read.object, read.action) == ("I", "lives_in", "Utrecht", "begins")
    assert SAID[read.start : read.end] == "I moved to Utrecht in May."
    assert (read.valid_from, read.valid_to) == (VagueDate(date(2026, 5, 1), Precision.MONTH), None)
    (ended,) = claims_of(checked(claim("Anna", "lives_in", "", action="ends")))
    assert (ended.object, ended.action) == ("", "ends"), "an end may leave open what ends"


def test_a_claim_may_name_by_its_full_name_whom_its_turn_names_shortly_and_another_speaker_is_meant() -> None:
    likes, battery = claim("Anna Berg", "likes", "AT&amp;T", 3), claim("efoil", "has_battery", "24V", 3)
    found = checked(likes, battery, claim("Anna Berg", "lives in", "Ghent"), claim("I", "works_at", "Philips", 4))
    assert [(read.subject, read.predicate, read.object) for read in claims_of(found)] == [
        ("Anna Berg", "lives_in", "Ghent"),
        ("Anna Berg", "likes", "AT&T"),
        ("efoil", "has_battery", "24V"),
        ("Tom", "works_at", "Philips"),
    ]


def test_what_a_claim_does_is_told_by_its_dates_where_the_reply_leaves_it_open() -> None:
    began, ended = {"valid_from": "2024"}, {"valid_to": "2026"}
    dated: list[tuple[dict[str, str], str]] = [
        ({}, "holds"),
        (began, "begins"),
        (ended, "ends"),
        (began | ended, "was"),
    ]
    for dates, action in dated:
        (read,) = claims_of(checked(claim("I", "lives_in", "Utrecht", **dates)))
        assert read.action == action
    (read,) = claims_of(checked(claim("I", "planned", "Utrecht", valid_from="2026-05")))
    assert read.action == "happens"


def test_a_date_is_as_exact_as_it_is_written_and_not_more() -> None:
    april = date(2026, 4, 1)
    dates: list[tuple[tuple[str | None, str | None], object]] = [
        (("2026-04-30", None), VagueDate(date(2026, 4, 30), Precision.DAY)),
        (("2026-04-01", "season"), VagueDate(april, Precision.SEASON)),
        (("2026-04", "day"), VagueDate(april, Precision.MONTH)),
        (("2026", "vague"), VagueDate(date(2026, 1, 1), Precision.VAGUE)),
        (("2026-04-30", "whenever"), VagueDate(date(2026, 4, 30), Precision.DAY)),
        (("2026-02-30", None), None),
        (("30 April", None), None),
        ((None, "day"), None),
    ]
    assert misread(lambda written: date_of(*written), dates) == []


def test_very_many_entities_are_bounded_and_topics_are_of_words_that_were_said() -> None:
    found = checked(*([claim("I", "is", "x")] * 1_000), entities=[entity("Anna Berg")] * 1_000)
    assert len(found.kept["entities"]) <= 60
    assert found.dropped > 1_000
    told = ["efoil battery", "Atlantis cruise", "x" * 100, 7, "Efoil  battery", "Anna Berg", "Ghent", "Utrecht"]
    assert checked(topics=told).topics == ("efoil battery", "Efoil battery", "Anna Berg")


@given(nearly({"entities": [entity("Anna Berg")], "assertions": [claim("I", "lives_in", "Utrecht")]}) | JSON)
def test_whatever_is_replied_what_is_taken_over_was_said(reply: Any) -> None:
    try:
        found = Replied.model_validate_json(json.dumps(reply))
    except ValueError:
        return
    result = check_reply(found, WINDOW)
    for drawer, read in result.readings.items():
        content = next(turn.said.content for turn in WINDOW.turns if turn.drawer_id == drawer)
        assert all(content[span.start : span.end] == span.text and span.type in EntityType for span in read.names)
        assert all(0 <= each.start < each.end <= len(content) for each in read.claims)
    again = check_reply(Replied.model_validate(result.kept), WINDOW)
    assert (again.readings, again.dropped) == (result.readings, 0)
