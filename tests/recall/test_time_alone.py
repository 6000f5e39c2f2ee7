"""Questions that ask for a time and nothing else: what was said then, the most telling first, spread over it."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, timezone

import pytest

from palace import Palace, Role
from palace.settings import Settings
from palace.testing import HashingEmbedder

NOW = datetime(2026, 9, 10, 12, tzinfo=UTC)

FACTS = [
    "My sister Ines moved into a lighthouse near Sagres.",
    "I sold the tandem to a beekeeper from Otley.",
    "The roof of the greenhouse collapsed under hail.",
    "I signed up for a course in bookbinding with linen thread.",
    "We adopted a three-legged greyhound called Plum.",
    "My crown broke on a walnut, so the dentist glued it.",
]


@pytest.fixture
def palace(settings: Settings) -> Iterator[Palace]:
    with Palace.open(settings, user=f"user-{uuid.uuid4()}", embedder=HashingEmbedder()) as opened:
        yield opened


def said(palace: Palace, moment: str | None, *turns: str | tuple[str, str]) -> None:
    """File a conversation of a minute for each turn."""
    begun = datetime.fromisoformat(f"{moment}+00:00") if moment else None
    messages = [
        {
            "role": turn[0] if isinstance(turn, tuple) else "user",
            "content": turn[1] if isinstance(turn, tuple) else turn,
            **({"timestamp": (begun + timedelta(minutes=n)).isoformat()} if begun else {}),
        }
        for n, turn in enumerate(turns)
    ]
    palace.file(messages, id=uuid.uuid4().hex)


def told(palace: Palace, query: str, now: datetime = NOW, **more: object) -> list[str]:
    return [hit.drawer.content for hit in palace.recall(query, now=now, **more).hits]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "query",
    [
        "What happened last week?",
        "what did we talk about last week",
        "What did I do between 31 August and 6 September?",
        "What's new since Monday, 31 August 2026?",
        "was war letzte Woche los?",
        "Was habe ich dir in letzter Zeit erzählt?",
        "what did I tell you lately",
        "2026-09-02",
    ],
)
def test_a_question_of_time_alone_is_answered_by_time(palace: Palace, query: str) -> None:
    said(palace, "2026-06-02T10:00", "Last week I told you what happened: it was new.")
    said(palace, "2026-09-02T10:00", FACTS[0])
    assert told(palace, query)[0] == FACTS[0]
    assert FACTS[1] not in told(palace, query)
    hit = palace.recall(query, now=NOW).hits[0]
    assert [(arm.arm, arm.score, arm.rank) for arm in hit.arms] == [("time", 1.0, 1)]


def test_no_hour_and_no_day_fills_the_front(palace: Palace) -> None:
    said(palace, "2026-09-01T10:00", *FACTS[:4])
    for day, fact in enumerate(FACTS[4:], start=2):
        said(palace, f"2026-09-0{day}T18:00", fact)
    front = told(palace, "What happened last week?", top_k=3)
    assert set(front) > set(FACTS[4:])
    assert len(told(palace, "What happened last week?", top_k=10)) == len(FACTS)


def test_statements_come_before_answers_questions_and_small_talk(palace: Palace) -> None:
    answer = ("assistant", "A beekeeper in Otley sells heather honey from painted hives.")
    asked = "Which beekeeper in Otley sells heather honey from painted hives?"
    said(palace, "2026-09-02T10:00", "Good morning!", asked, answer, "ok", FACTS[0], "Thanks, that is great!")
    assert told(palace, "What happened last week?", top_k=10)[:3] == [FACTS[0], answer[1], asked]
    assert set(told(palace, "What happened last week?", top_k=10)[3:]) == {
        "Good morning!", "ok", "Thanks, that is great!",
    }  # fmt: skip


def test_what_was_told_to_the_person_is_theirs_to_ask_for(palace: Palace) -> None:
    answer = ("assistant", "A beekeeper in Otley sells heather honey from painted hives in summer and autumn.")
    said(palace, "2026-09-02T10:00", answer, "I was at the beach.")
    assert told(palace, "What did you tell me last week?")[0] == answer[1]
    assert told(palace, "What did I tell you last week?")[0] == "I was at the beach."


def test_what_is_to_come_is_told_by_what_speaks_of_it(palace: Palace) -> None:
    said(palace, "2026-09-02T10:00", "Next week I fly to Porto.", FACTS[0])
    for query in ("What are my plans for this week?", "What happens this week?"):
        assert told(palace, query) == ["Next week I fly to Porto."]
    reasons = palace.recall("What happens this week?", now=NOW).hits[0].arms
    assert [arm.arm for arm in reasons] == ["time", "spoken_of"]


def test_the_scope_holds(palace: Palace) -> None:
    said(palace, "2026-08-31T10:00", FACTS[0])
    said(palace, "2026-09-02T10:00", FACTS[1], ("assistant", "Bees winter in clusters around the queen."))
    said(palace, "2026-09-05T10:00", FACTS[2], ("tool", "beekeeper lookup returned four rows"))
    query = "What happened last week?"
    wing = palace.recall(query, now=NOW).hits[0].drawer.pointer.wing
    assert set(told(palace, query, since=datetime(2026, 9, 1, tzinfo=UTC))) >= {FACTS[1], FACTS[2]}
    assert FACTS[0] not in told(palace, query, since=datetime(2026, 9, 1, tzinfo=UTC))
    assert told(palace, query, until=datetime(2026, 9, 1, tzinfo=UTC)) == [FACTS[0]]
    assert told(palace, query, since=datetime(2026, 9, 8, tzinfo=UTC)) == []
    assert told(palace, query, role=Role.ASSISTANT) == ["Bees winter in clusters around the queen."]
    assert "beekeeper lookup returned four rows" not in told(palace, query, top_k=10)
    assert "beekeeper lookup returned four rows" in told(palace, query, top_k=10, tools=True)
    assert len(told(palace, query, wing=f"W-{wing:03}", top_k=2)) == 2


def test_neighbours_come_along_and_what_says_the_same_stands_once(palace: Palace) -> None:
    said(palace, "2026-09-01T10:00", "ok", FACTS[0], "yes")
    said(palace, "2026-09-03T10:00", FACTS[0])
    first, *others = palace.recall("What happened last week?", now=NOW, context=1).hits
    assert first.drawer.content == FACTS[0]
    assert len(first.again) == 1
    assert FACTS[0] not in [hit.drawer.content for hit in others]
    hit = palace.recall("What happened on 1 September?", now=NOW, context=1, top_k=1).hits[0]
    assert [each.content for each in (*hit.before, *hit.after)] == ["ok", "yes"]
    assert FACTS[0] in palace.context_block(palace.recall("What happened last week?", now=NOW))


@pytest.mark.parametrize("floor", ["none", "low", "normal", "strict"])
def test_no_floor_silences_what_was_said_then(palace: Palace, floor: str) -> None:
    said(palace, "2026-09-02T10:00", FACTS[0])
    assert told(palace, "What happened last week?", floor=floor) == [FACTS[0]]
    nothing_then = told(palace, "What happened in March 2025?", floor=floor)
    assert nothing_then == ([FACTS[0]] if floor == "none" else [])


def test_two_times_are_both_looked_through(palace: Palace) -> None:
    said(palace, "2026-05-03T10:00", FACTS[0])
    said(palace, "2026-09-02T10:00", FACTS[1])
    said(palace, "2026-07-02T10:00", FACTS[2])
    assert set(told(palace, "What happened last week, in May 2026?")) == set(FACTS[:2])
    assert told(palace, "What happened last week, in May 1999?") == [FACTS[1]]


def test_what_has_no_date_was_said_when_it_was_filed(palace: Palace) -> None:
    said(palace, None, FACTS[0], FACTS[1])
    assert told(palace, "What happened last week?", now=NOW) == []
    assert set(told(palace, "What did I do today?", now=datetime.now(UTC))) == set(FACTS[:2])


def test_before_anything_was_said_there_is_nothing(palace: Palace) -> None:
    said(palace, "2026-09-02T10:00", FACTS[0])
    assert told(palace, "What happened last week?", now=datetime(2020, 1, 1, tzinfo=UTC)) == []
    assert told(palace, "what's new lately?", now=datetime(2020, 1, 1, tzinfo=UTC)) == []


@pytest.mark.parametrize("hours", [-12, 0, 12])
@pytest.mark.parametrize(
    "when", ["lately", "yesterday", "last year", "in the last ten years", "before 2020", "in 9999"]
)
def test_the_first_and_the_last_year_are_years_as_well(palace: Palace, hours: int, when: str) -> None:
    said(palace, "2019-09-02T10:00", FACTS[0])
    zone = timezone(timedelta(hours=hours))
    for now in (datetime(1, 1, 1, 6, tzinfo=zone), datetime(9999, 12, 31, 18, tzinfo=zone)):
        assert set(told(palace, f"What happened {when}?", now=now)) <= {FACTS[0]}


def test_words_of_content_ask_for_more_than_a_time(palace: Palace) -> None:
    said(palace, "2026-09-02T10:00", FACTS[0], FACTS[4])
    assert told(palace, "What happened last week with the greyhound Plum?")[0] == FACTS[4]
    assert "semantic" in palace.recall("What happened last week with the greyhound?", now=NOW).timings_ms
    assert "semantic" not in palace.recall("What happened last week?", now=NOW).timings_ms


@pytest.mark.parametrize(
    "query",
    ["What did we decide last week?", "what was agreed on last week", "Was haben wir letzte Woche beschlossen?"],
)
def test_what_says_a_decision_comes_first_where_decisions_are_asked_for(palace: Palace, query: str) -> None:
    said(palace, "2026-06-02T10:00", "Last week we decided to decide on the decision of last week.")
    said(palace, "2026-09-01T10:00", *FACTS[:3])
    said(palace, "2026-09-02T10:00", "We have not decided on a colour yet.", "We agreed to paint the hull green.")
    said(palace, "2026-09-03T10:00", ("assistant", "Wir haben uns auf Dienstag geeinigt."), FACTS[3])
    front = told(palace, query, top_k=2)
    assert set(front) == {"We agreed to paint the hull green.", "Wir haben uns auf Dienstag geeinigt."}


def test_where_nothing_says_a_decision_meaning_and_words_rank(palace: Palace) -> None:
    said(palace, "2026-09-01T10:00", *FACTS[:3], "Nobody decided anything: we will have to decide next week.")
    found = palace.recall("What did we decide last week?", now=NOW, floor="none").hits
    assert any(arm.arm != "time" for hit in found for arm in hit.arms)
    assert palace.recall("What did we decide in 2011?", now=NOW).hits == ()


def test_a_decision_is_found_among_very_much_that_was_said(palace: Palace) -> None:
    talk = [f"Remark {number} was about the weather of hour {number}." for number in range(900)]
    talk[450] = "We settled on oak for the deck."
    begun = datetime(2026, 9, 1, tzinfo=UTC)
    palace.file(
        [
            {"role": "user", "content": text, "timestamp": (begun + timedelta(minutes=5 * number)).isoformat()}
            for number, text in enumerate(talk)
        ],
        id="much",
    )
    assert told(palace, "What did we decide last week?", top_k=1) == ["We settled on oak for the deck."]
