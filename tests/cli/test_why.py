"""Why a drawer was found, in words; and how long ago it was said."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from palace.records import ArmScore, Drawer, Hit, Pointer, Recollection, Span
from palace_cli import clock
from palace_cli.render.drawer import said
from palace_cli.render.figures import ago
from palace_cli.render.hits.why import in_words
from tests.cli.conftest import Make

NOON = datetime(2026, 5, 20, 12, tzinfo=UTC)


def hit(drawer: Drawer, *arms: tuple[str, float, int], **more: Any) -> Hit:
    return Hit(drawer, 0.5, Span(0, len(drawer.content)), tuple(ArmScore(*arm) for arm in arms), **more)


def test_what_is_unlikely_is_left_out_and_all_of_it_where_nothing_is_likely(drawer: Make) -> None:
    for confidences, likely in (((0.8, 0.02, 0.3), (0.8, 0.3)), ((0.1, 0.06), ()), ((None, 0.02), (None,)), ((), ())):
        found = Recollection("why?", tuple(hit(drawer(id=n), confidence=c) for n, c in enumerate(confidences)))
        assert tuple(each.confidence for each in found.likely) == likely
    kept = hit(drawer(), ("standing", 0.3, 1), confidence=0.01)
    assert Recollection("why?", (kept,)).likely == (kept,)


def test_words_are_named_as_they_are_written_first_the_rarest_and_harmlessly(drawer: Make) -> None:
    found = hit(drawer(content="Charging needs chargers; a charger."), words=(("charger", "chargers"), ("needs",)))
    assert in_words(found) == 'says "chargers", "needs"'
    many = tuple((word,) for word in "abcdefg")
    assert in_words(hit(drawer(), words=many)) == 'says "a", "b", "c", "d", "e", …'
    assert in_words(hit(drawer(), words=(("a\x1b[2J\u202e",),))) == 'says "a␛[2J<U+202E>"'


def test_each_reason_has_its_words(drawer: Make) -> None:
    for arm, why in {
        ("keyword", 3.0, 1): "says words of yours elsewhere",
        ("semantic", 0.4, 1): "closest in meaning",
        ("semantic", 0.4, 4): "close in meaning",
        ("semantic", 0.4, 80): "not far in meaning",
        ("room", 0.7, 1): "its room is about it",
        ("time", 1.0, 1): "said then, as asked",
        ("time", 0.9, 1): "said near then",
    }.items():
        assert in_words(hit(drawer(), arm)) == why
    assert in_words(hit(drawer(), ("standing", 0.3, 1))).endswith("standing: you asked for this")
    assert in_words(hit(drawer(speaker="Ana"), ("standing", 0.3, 1))).endswith("standing: Ana asked for this")
    assert in_words(hit(drawer(), ("semantic", 0.4, 80), confidence=0.31)) == "31% likely; not far in meaning"
    again = (drawer(pointer=Pointer(2, 1, 7)), drawer(pointer=Pointer(4, 12, 1)))
    assert in_words(hit(drawer(), ("mood", 0.3, 1), reranked=2, again=again)) == (
        "chosen by the language model as number 2; mood; said again in § W-002/R-01/D-007, § W-004/R-12/D-001"
    )


def test_a_date_is_told_from_today_in_the_persons_calendar(drawer: Make) -> None:
    for days, told in {
        **{0: "today", 1: "yesterday", -1: "tomorrow", 3: "3 days ago", 13: "13 days ago", 14: "2 weeks ago"},
        **{60: "8 weeks ago", 61: "2 months ago", 730: "23 months ago", 731: "2 years ago", -9: "in 9 days"},
        36500: "99 years ago",
    }.items():
        assert ago(NOON - timedelta(days=days), NOON) == told
    token = clock._ZONE.set(UTC)
    try:
        assert ago(NOON - timedelta(hours=12, minutes=1), NOON) == "yesterday"
        assert ago(NOON - timedelta(hours=12), NOON) == "today"
    finally:
        clock._ZONE.reset(token)
    assert said(drawer(), NOON) == "user, 2026-04-30 18:20, 2 weeks ago"
    assert said(drawer()) == "user, 2026-04-30 18:20"
    assert said(replace(drawer(), said_at=None), NOON) == "user, undated"
