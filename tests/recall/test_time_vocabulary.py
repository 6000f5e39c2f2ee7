"""What a question says beside its time."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palace.recall.by_time.asking import times_alone
from palace.recall.by_time.vocabulary import says_nothing_else
from palace.recall.intent import read_intent
from palace.recall.request import make_request
from palace.records import Scope

NOW = datetime(2026, 6, 14, 12, tzinfo=UTC)


def is_alone(query: str) -> bool:
    request = make_request(query, top_k=5, scope=Scope(), context=0, now=NOW)
    return bool(times_alone(request, read_intent(query, NOW)))


@pytest.mark.parametrize(
    "query",
    [
        "what happened in the summer",
        "What's new since Monday?",
        "what did I tell you lately",
        "What have I been up to recently?",
        "What did we talk about last week?",
        "Catch me up on the last few days",
        "Summarize my day yesterday, please",
        "anything interesting last month?",
        "What do I have planned for tomorrow?",
        "2026-05-03",
        "last week?",
        "was war letzte Woche los?",
        "Worüber haben wir gestern gesprochen?",
        "Was ist seit Montag passiert?",
        "Was gab es in letzter Zeit Neues?",
        "Erzähl mir vom letzten Sommer",
        "Was habe ich vor drei Wochen gemacht?",
        "Was steht nächste Woche an?",
        "What did we decide last week?",
        "which decisions were made in the last two weeks?",
        "what was agreed on in October",
        "Was haben wir letzte Woche beschlossen?",
        "Welche Entscheidungen wurden im Mai getroffen?",
    ],
)
def test_these_ask_for_a_time_alone(query: str) -> None:
    assert is_alone(query)


@pytest.mark.parametrize(
    "query",
    [
        "what happened",
        "what's new?",
        "hello",
        "12",
        "What happened in the war last year?",
        "What did we say about the boat last week?",
        "What did I plan last week?",
        "Who called me yesterday?",
        "Where was I last week?",
        "What did I get for Christmas last year?",
        "What have I read lately?",
        "Was hat Otto letzte Woche erzählt?",
        "Wo war ich gestern?",
        "Was habe ich letzte Woche gekocht?",
        "Was ist los?",
        "What did we decide?",
        "What did we decide about Redis last week?",
        "What did I make last week?",
        "Which train did I take yesterday?",
        "Was haben wir letzte Woche zu Redis beschlossen?",
    ],
)
def test_these_ask_for_more_or_for_no_time(query: str) -> None:
    assert not is_alone(query)


@given(st.text())
def test_any_text_is_read(text: str) -> None:
    assert says_nothing_else(text) <= says_nothing_else(text, is_ahead=True)
