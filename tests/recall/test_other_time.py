"""The words of a time said of another time: they do not speak for what says them."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, timezone

import pytest

from palace import Hit, Palace
from palace.recall.by_time.words import timed
from palace.recall.intent import read_intent
from palace.recall.request import make_request
from palace.records import Scope
from palace.settings import Settings
from palace.store.candidates.words import QueryWords, weigh_words

NOW = datetime(2026, 9, 10, 12, tzinfo=UTC)


@pytest.fixture
def palace(settings: Settings) -> Iterator[Palace]:
    with Palace.open(settings, user=f"user-{uuid.uuid4()}") as opened:
        yield opened


def said(palace: Palace, day: str | None, text: str, role: str = "user") -> None:
    moment = {"timestamp": f"{day}T10:00:00Z"} if day else {}
    palace.file([{"role": role, "content": text, **moment}], id=text)


def hits(palace: Palace, query: str, now: datetime = NOW) -> dict[str, Hit]:
    return {hit.drawer.content: hit for hit in palace.recall(query, now=now, floor="none").hits}


def keyword(hit: Hit) -> float:
    return next((arm.score for arm in hit.arms if arm.arm == "keyword"), 0.0)


def weighed(palace: Palace, query: str) -> QueryWords:
    request = make_request(query, top_k=5, scope=Scope(), context=0, now=NOW)
    with palace._opened.session() as session:
        words = weigh_words(session, request.sought)
        return timed(session, words, request, read_intent(query, NOW), share=0.0)


def test_yesterday_said_of_another_day_is_no_match(palace: Palace) -> None:
    said(palace, "2026-06-03", "Yesterday I met Ines at the harbour.")
    said(palace, "2026-09-09", "I met Jonas at the quarry.")
    found = hits(palace, "Whom did I meet yesterday?")
    assert next(iter(found)).startswith("I met Jonas")
    june, september = found["Yesterday I met Ines at the harbour."], found["I met Jonas at the quarry."]
    assert (keyword(june), keyword(september)) == (0, 0)


def test_what_speaks_of_the_day_that_is_asked_for_says_its_word(palace: Palace) -> None:
    said(palace, "2026-06-03", "Yesterday the harbour was closed.")
    said(palace, "2026-09-10", "Yesterday the quarry was closed.")
    found = hits(palace, "What was shut yesterday?")
    assert keyword(found["Yesterday the quarry was closed."]) > 0
    assert keyword(found["Yesterday the harbour was closed."]) == 0


def test_what_is_ahead_stands_behind_what_was(palace: Palace) -> None:
    said(palace, "2026-06-10", "We fly to Porto and eat grilled sardines.")
    said(palace, "2026-09-09", "In three months we will fly to Porto and eat grilled sardines again.")
    first = next(iter(hits(palace, "Where did we eat sardines three months ago?")))
    assert first.startswith("We fly to Porto")
    ahead = next(iter(hits(palace, "Where will we eat sardines in three months?")))
    assert ahead.startswith("In three months")


def test_last_is_no_time_in_what_speaks_of_none(palace: Palace) -> None:
    said(palace, "2026-03-01", "The batteries of the lantern last for a whole night.")
    assert keyword(hits(palace, "Which lantern did I buy last week?").popitem()[1]) > 0
    assert keyword(hits(palace, "Which stove did I buy last week?").popitem()[1]) == 0


def test_a_date_is_the_same_words_for_the_same_day(palace: Palace) -> None:
    said(palace, "2026-02-23", "I give a talk at the dojo on 19 March.")
    found = hits(palace, "Where was I on the evening of 19 March?")
    assert keyword(found.popitem()[1]) > 0


def test_only_the_words_of_times_told_from_now_are_marked(palace: Palace) -> None:
    said(palace, "2026-06-03", "Yesterday I met Ines at the harbour.")
    marked = weighed(palace, "Who lost at chess last week, and who came last?").time
    assert (marked.lexemes, marked.share, len(marked.around)) == (frozenset({"week"}), 0.0, 1)
    for plain in ("Who lost at chess?", "Who lost at chess on 3 May?"):
        assert weighed(palace, plain).time.lexemes == frozenset()
    quoted = weighed(palace, 'Who wrote "the last week" at school last week?')
    assert quoted.time.lexemes == frozenset()


@pytest.mark.parametrize("year", [1, 9999])
@pytest.mark.parametrize("hours", [-12, 0, 12])
@pytest.mark.parametrize("when", ["yesterday", "last summer", "in the last ten years", "before 2020", "after 2020"])
def test_the_first_and_the_last_year_can_be_asked_from(palace: Palace, year: int, hours: int, when: str) -> None:
    said(palace, None, "Yesterday I met Ines at the harbour.")
    zone = timezone(timedelta(hours=hours))
    now = datetime(1, 1, 1, 6, tzinfo=zone) if year == 1 else datetime(9999, 12, 31, 18, tzinfo=zone)
    assert hits(palace, f"Whom did I meet {when}?", now)
