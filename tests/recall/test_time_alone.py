"""Questions that ask for a time and nothing else: what was said then, the most telling first, spread over it."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime, timedelta

from palace import Palace, Role
from palace.models import FloorLevel

NOW = datetime(2026, 9, 10, 12, tzinfo=UTC)

FACTS = [
    "My sister Ines moved into a lighthouse near Sagres.",
    "I sold the tandem to a beekeeper from Otley.",
    "The roof of the greenhouse collapsed under hail.",
    "I signed up for a course in bookbinding with linen thread.",
    "We adopted a three-legged greyhound called Plum.",
    "My crown broke on a walnut, so the dentist glued it.",
]


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


ALONE = (
    "What happened last week?", "what did we talk about last week", "What's new since Monday, 31 August 2026?",
    "What did I do between 31 August and 6 September?", "was war letzte Woche los?", "2026-09-02",
    "Was habe ich dir in letzter Zeit erzählt?", "what did I tell you lately", "Catch me up on the last few days",
)  # fmt: skip
NOT_ALONE = (
    "what happened", "What happened in the war last year?", "What did we say about the boat last week?",
    "Where was I last week?", "What did I get for Christmas last year?", "Was habe ich letzte Woche gekocht?",
    "What did we decide?", "What happened last week with the greyhound?",
)  # fmt: skip


def test_a_question_of_time_alone_is_answered_by_time(palace: Palace) -> None:
    said(palace, "2026-06-02T10:00", "Last week I told you what happened: it was new.")
    said(palace, "2026-08-20T10:00", FACTS[2])
    said(palace, "2026-09-02T10:00", FACTS[0])
    said(palace, "2026-09-08T10:00", FACTS[3])
    for query in ALONE:
        found = palace.recall(query, now=NOW)
        assert "semantic" not in found.timings_ms, query
        assert found.hits[0].arms[0].arm == "time", query
        assert {hit.drawer.content for hit in found.hits} <= set(FACTS), query
    for query in NOT_ALONE:
        assert "semantic" in palace.recall(query, now=NOW).timings_ms, query
    assert told(palace, "What happened last week?") == [FACTS[0]]
    (hit,) = palace.recall("What happened last week?", now=NOW).hits
    assert [(arm.arm, arm.score, arm.rank) for arm in hit.arms] == [("time", 1.0, 1)]


def test_statements_come_before_answers_questions_and_small_talk(palace: Palace) -> None:
    answer = ("assistant", "A beekeeper in Otley sells heather honey from painted hives.")
    asked = "Which beekeeper in Otley sells heather honey from painted hives?"
    said(palace, "2026-09-02T10:00", "Good morning!", asked, answer, "ok", FACTS[0], "Thanks, that is great!")
    found = told(palace, "What happened last week?", top_k=10)
    assert found[:3] == [FACTS[0], answer[1], asked]
    assert set(found[3:]) == {"Good morning!", "ok", "Thanks, that is great!"}


def test_what_was_told_to_the_person_is_theirs_to_ask_for(palace: Palace) -> None:
    answer = ("assistant", "A beekeeper in Otley sells heather honey from painted hives in summer and autumn.")
    said(palace, "2026-09-02T10:00", answer, "I was at the beach.")
    assert told(palace, "What did you tell me last week?")[0] == answer[1]
    assert told(palace, "What did I tell you last week?")[0] == "I was at the beach."


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


def test_no_floor_silences_what_was_said_then(palace: Palace) -> None:
    said(palace, "2026-09-02T10:00", FACTS[0])
    for floor in FloorLevel:
        assert told(palace, "What happened last week?", floor=floor) == [FACTS[0]]
        nothing_then = told(palace, "What happened in March 2025?", floor=floor)
        assert nothing_then == ([FACTS[0]] if floor is FloorLevel.NONE else [])


def test_what_has_no_date_was_said_when_it_was_filed(palace: Palace) -> None:
    said(palace, None, FACTS[0], FACTS[1])
    assert told(palace, "What happened last week?", now=NOW) == []
    assert set(told(palace, "What did I do today?", now=datetime.now(UTC))) == set(FACTS[:2])


def test_what_says_a_decision_comes_first_where_decisions_are_asked_for(palace: Palace) -> None:
    said(palace, "2026-06-02T10:00", "Last week we decided to decide on the decision of last week.")
    said(palace, "2026-09-01T10:00", *FACTS[:3])
    said(palace, "2026-09-02T10:00", "We have not decided on a colour yet.", "We agreed to paint the hull green.")
    said(palace, "2026-09-03T10:00", ("assistant", "Wir haben uns auf Dienstag geeinigt."), FACTS[3])
    for query in ("What did we decide last week?", "Was haben wir letzte Woche beschlossen?"):
        front = told(palace, query, top_k=2)
        assert set(front) == {"We agreed to paint the hull green.", "Wir haben uns auf Dienstag geeinigt."}
