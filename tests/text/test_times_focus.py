"""A text asks for how things are, for how they were, or for neither; and it points back or ahead."""

from __future__ import annotations

import pytest

from palace.text.times import Tense, TimeFocus, asks_current_state, tense_of, time_focus

CURRENT = [
    "Where do I live now?",
    "What is my current job?",
    "What's the latest on the efoil?",
    "Do I still play tennis?",
    "Which phone do I use these days?",
    "What was my most recent purchase?",
    "What have I read so far?",
    "my budget as of today",
    "What am I reading at the moment?",
    "Right now, which car do I drive?",
    "What did I buy recently?",
    "Do I smoke anymore?",
]
FORMER = [
    "Where did I use to live?",
    "Where I used to work",
    "What was my previous job?",
    "What did I originally plan?",
    "What was my first car?",
    "Where did I live back then?",
    "When did I first meet Ana?",
    "What did I say in the past?",
    "his former boss",
]
NEITHER = [
    "Now that you are here, what is my budget?",
    "I know my budget",
    "Not now, later",
    "Every now and then I run",
    "What is my name?",
    "the current in the wire",
    "Come on Tuesday at the latest",
    "I painted a still life",
    "stand still",
    "my first name",
    "Now, tell me my budget",
    "in the past three weeks",
    "I am used to it",
    "snow on the road",
    "knowledge",
    "I just now left",
    "current affairs",
    "Tell me, right now I'm asking for my budget",
]


@pytest.mark.parametrize("text", CURRENT)
def test_words_for_the_present_ask_for_the_current_state(text: str) -> None:
    assert time_focus(text) is TimeFocus.CURRENT
    assert asks_current_state(text)


@pytest.mark.parametrize("text", FORMER)
def test_words_for_what_has_been_ask_for_a_former_state(text: str) -> None:
    assert time_focus(text) is TimeFocus.FORMER


@pytest.mark.parametrize("text", [*NEITHER, ""])
def test_words_that_only_look_like_it_ask_for_neither(text: str) -> None:
    assert time_focus(text) is TimeFocus.NONE
    assert not asks_current_state(text)


def test_a_text_that_names_both_states_asks_for_neither() -> None:
    assert time_focus("What was my previous job, and what is it now?") is TimeFocus.NONE


@pytest.mark.parametrize(
    "text",
    ["I'll be in Rome in June", "We are going to move on Friday", "She plans to visit in May", "the upcoming trip"],
)
def test_verbs_of_intention_point_to_the_future(text: str) -> None:
    assert tense_of(text) is Tense.FUTURE


@pytest.mark.parametrize("text", ["I moved in May", "I was going to call on Friday", "Will's party"])
def test_other_texts_point_to_the_past(text: str) -> None:
    assert tense_of(text) is Tense.PAST
