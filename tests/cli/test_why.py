"""Why a drawer was found, in words; and how long ago it was said."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from palace.records import ArmScore, Drawer, Hit, Pointer, Role, Span
from palace_cli import clock
from palace_cli.render.drawer import said
from palace_cli.render.figures import ago
from palace_cli.render.hits.why import in_words

Make = Callable[..., Drawer]
NOON = datetime(2026, 5, 20, 12, tzinfo=UTC)


def hit(drawer: Drawer, *arms: tuple[str, float, int], **more: Any) -> Hit:
    return Hit(drawer, 0.5, Span(0, len(drawer.content)), tuple(ArmScore(*arm) for arm in arms), **more)


def test_words_are_named_as_they_are_written_first(drawer: Make) -> None:
    found = hit(drawer(content="Charging needs chargers; a charger."), words=(("charger", "chargers"), ("needs",)))
    assert in_words(found) == 'says "chargers", "needs"'


def test_of_many_words_the_rarest_are_named(drawer: Make) -> None:
    words = tuple((word,) for word in "abcdefg")
    assert in_words(hit(drawer(), words=words)) == 'says "a", "b", "c", "d", "e", …'


def test_a_word_cannot_drive_the_terminal(drawer: Make) -> None:
    assert in_words(hit(drawer(), words=(("a\x1b[2J\u202e",),))) == 'says "a␛[2J<U+202E>"'


def test_words_that_stand_in_another_passage_are_owned_to(drawer: Make) -> None:
    assert in_words(hit(drawer(), ("keyword", 3.0, 1))) == "says words of yours elsewhere"


@pytest.mark.parametrize(
    ("rank", "why"), [(1, "closest in meaning"), (4, "close in meaning"), (80, "not far in meaning")]
)
def test_meaning_is_told_by_its_rank(drawer: Make, rank: int, why: str) -> None:
    assert in_words(hit(drawer(), ("semantic", 0.4, rank))) == why


def test_a_room_is_named_by_the_better_hit_in_it(drawer: Make) -> None:
    found = hit(drawer(), ("semantic", 0.4, 2), ("room", 0.7, 1))
    elsewhere = hit(drawer(pointer=Pointer(1, 3, 1)))
    better = hit(drawer(pointer=Pointer(1, 2, 9)))
    assert in_words(found, [elsewhere, better]) == "close in meaning; same room as W-001/R-02/D-009"
    assert in_words(found, [elsewhere]) == "close in meaning"
    assert in_words(hit(drawer(), ("room", 0.7, 1))) == "its room is about it"


def test_what_was_asked_for_once_and_for_all_says_so(drawer: Make) -> None:
    assert in_words(hit(drawer(speaker=None), ("standing", 0.3, 1))).endswith("standing: you asked for this")
    assert in_words(hit(drawer(speaker="Ana"), ("standing", 0.3, 1))).endswith("standing: Ana asked for this")


@pytest.mark.parametrize(
    ("share", "why"), [(1.0, "said then, as asked"), (0.9, "said near then"), (0.2, "said near then")]
)
def test_a_time_that_was_asked_for_is_named(drawer: Make, share: float, why: str) -> None:
    assert in_words(hit(drawer(), ("time", share, 1))) == why


def test_a_preference_says_whose_it_is(drawer: Make) -> None:
    assert in_words(hit(drawer(), ("preference", 0.6, 1))) == "your preference"
    assert in_words(hit(drawer(speaker="Ann"), ("preference", 0.6, 1))) == "a preference of Ann"
    assert in_words(hit(drawer(role=Role.ASSISTANT), ("preference", 0.6, 1))) == "a preference of assistant"


def test_what_a_language_model_chose_what_was_said_again_and_a_signal_of_ones_own_are_named(drawer: Make) -> None:
    again = (drawer(pointer=Pointer(2, 1, 7)), drawer(pointer=Pointer(4, 12, 1)))
    assert in_words(hit(drawer(), ("mood", 0.3, 1), reranked=2, again=again)) == (
        "chosen by the language model as number 2; mood; said again in § W-002/R-01/D-007, § W-004/R-12/D-001"
    )


@pytest.mark.parametrize(
    ("days", "told"),
    [
        (0, "today"),
        (1, "yesterday"),
        (-1, "tomorrow"),
        (3, "3 days ago"),
        (13, "13 days ago"),
        (14, "2 weeks ago"),
        (60, "8 weeks ago"),
        (61, "2 months ago"),
        (730, "23 months ago"),
        (731, "2 years ago"),
        (-9, "in 9 days"),
        (36500, "99 years ago"),
    ],
)
def test_a_date_is_told_from_today(days: int, told: str) -> None:
    assert ago(NOON - timedelta(days=days), NOON) == told


def test_days_are_those_of_the_persons_calendar() -> None:
    token = clock._ZONE.set(UTC)
    try:
        assert ago(NOON - timedelta(hours=12, minutes=1), NOON) == "yesterday"
        assert ago(NOON - timedelta(hours=12), NOON) == "today"
    finally:
        clock._ZONE.reset(token)


def test_how_long_ago_is_said_only_where_a_moment_is_given(drawer: Make) -> None:
    assert said(drawer(), NOON) == "user, 2026-04-30 18:20, 2 weeks ago"
    assert said(drawer()) == "user, 2026-04-30 18:20"
    assert said(replace(drawer(), said_at=None), NOON) == "user, undated"
