"""Key phrases name a part of a conversation and leave out what names nothing."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from palace.text.keyphrases import key_phrases
from palace.text.words import content_words, fold, prose

BATTERY = [
    "I need help with the battery wiring of my efoil. Which battery wiring options are there?",
    "Sure! For battery wiring you can use a 12-AWG silicone wire. Let me know if that helps.",
    "Thanks! The battery wiring overheated yesterday.",
]
HOLIDAY = [
    "We are planning a Hawaii trip in March.",
    "Great, a Hawaii trip needs a budget. Feel free to ask questions about the Hawaii trip.",
]


def test_a_part_is_named_by_the_phrase_it_keeps_using() -> None:
    battery, holiday = key_phrases([BATTERY, HOLIDAY])
    assert battery[0] == "battery wiring"
    assert holiday[0] == "Hawaii trip"


def test_phrases_of_every_part_name_none() -> None:
    parts = [
        ["The efoil board and the mast foil. The efoil board again."],
        ["The efoil board and the propeller blade."],
    ]
    assert key_phrases(parts, limit=1)[1] == ("propeller blade",)


@pytest.mark.parametrize(
    "text",
    [
        "Thanks! Sure, of course. Let me know.",
        "```python\nbattery = Battery(wiring)\n```",
        "`battery_wiring`",
        "https://example.com/battery/wiring?volts=12",
        "12 3.5 2026-04-30",
        "someone@example.com",
        "",
        "ok",
    ],
)
def test_talk_code_addresses_and_numbers_are_no_phrases(text: str) -> None:
    assert key_phrases([[text]]) == ((),)


def test_a_weak_word_may_close_a_phrase_but_not_open_one() -> None:
    (phrases,) = key_phrases([["Which wiring options do we have? These wiring options."]])
    assert phrases == ("wiring options",)


def test_the_commonest_spelling_is_shown() -> None:
    (phrases,) = key_phrases([["Thruster mounts here", "the thruster mount", "a thruster mount"]], limit=1)
    assert phrases == ("thruster mount",)


def test_no_word_comes_twice_in_a_part() -> None:
    for phrases in key_phrases([BATTERY, HOLIDAY], limit=9):
        words = [fold(word) for phrase in phrases for word in phrase.split()]
        assert len(words) == len(set(words))


def test_a_phrase_does_not_cross_a_sentence() -> None:
    (phrases,) = key_phrases([["Change battery. Wiring hurts. Change battery. Wiring hurts."]], limit=9)
    assert not any("battery wiring" in phrase.lower() for phrase in phrases)


def test_no_parts_have_no_phrases() -> None:
    assert key_phrases([]) == ()
    assert key_phrases([[]]) == ((),)


@settings(deadline=None)
@given(st.lists(st.lists(st.text(max_size=80), max_size=4), max_size=5), st.integers(1, 4))
def test_any_text_gives_short_phrases_in_the_order_of_the_parts(parts: list[list[str]], limit: int) -> None:
    found = key_phrases(parts, limit)
    assert len(found) == len(parts)
    for phrases in found:
        assert len(phrases) <= limit
        assert all(1 <= len(phrase.split(" ")) <= 3 for phrase in phrases)


@pytest.mark.parametrize("piece", ["```", "<a", "http://", "a@", "/x/", "aaaa", "a-", "`x"])
def test_unclosed_markup_costs_no_more_than_text(piece: str) -> None:
    start = time.process_time()
    prose(piece * 10_000)
    assert time.process_time() - start < 2


@pytest.mark.parametrize(
    ("one", "other"), [("Battery", "batterys"), ("wires", "wire"), ("Monk’s", "monk"), ("GLASS", "glass")]
)
def test_spellings_of_a_word_fold_into_one(one: str, other: str) -> None:
    assert fold(one) == fold(other)


def test_content_words_leave_function_words_out() -> None:
    assert content_words("The wires weren’t in the `box` of 12 batteries") == ["wire", "batterie"]


@pytest.mark.parametrize(
    ("said", "name"),
    [
        (["The mower does not start.", "Try the cheaper one first, the mower needs a plug."], "mower"),
        (["My brother in law Tom needs bread.", "Which bread for my brother in law?"], "bread"),
        (["I booked the ferry.", "Yes, in most cases the ferry takes dogs. First the basics."], "ferry"),
    ],
)
def test_what_only_leads_to_a_noun_names_nothing(said: list[str], name: str) -> None:
    ((first, *more),) = key_phrases([said])
    assert first.lower() == name
    assert not {"cheaper", "law tom", "law", "cases", "basics"} & {each.lower() for each in more}
