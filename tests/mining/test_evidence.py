"""When a conversation without an id is one that is known, and when it is a stranger."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palace.mining.filing.identity import content_digest, identity_by_count
from palace.mining.filing.matching import Candidate, choose
from palace.models import Conversation, KnownTurn, Role, Turn

BEGAN = datetime(2026, 3, 1, 9, tzinfo=UTC)
GREETINGS = ("Hi", "Hello! How can I help you today?", "Thanks!", "You're welcome! Anything else?", "ok")


def turns(*contents: str, dated: timedelta | None = None) -> tuple[Turn, ...]:
    roles = (Role.USER, Role.ASSISTANT)
    return tuple(
        Turn(roles[n % 2], content, said_at=BEGAN + dated * (n + 1) if dated else None)
        for n, content in enumerate(contents)
    )


def filed(said: Sequence[Turn], *, number: int = 1, reading: int = 2) -> Candidate:
    known = [
        KnownTurn(
            identity=identity_by_count(f"c{number}", turn, n + 1),
            position=n,
            drawer_id=n,
            digest=content_digest(turn.content),
            role=turn.role,
            speaker=turn.speaker,
            said_at=turn.said_at,
            run_id=1,
            reading=reading,
        )
        for n, turn in enumerate(said)
    ]
    return Candidate(number, f"c{number}", known, lambda: {n: turn.content for n, turn in enumerate(said)})


def is_one(known: Sequence[Turn], given_: Sequence[Turn]) -> bool:
    return choose(Conversation("openai", tuple(given_)), [filed(known)]).candidate is not None


sentences = st.text("abcdefghij ", min_size=45, max_size=90).filter(lambda text: len(text.strip()) > 40)
talks = st.lists(sentences, min_size=3, max_size=12, unique=True)


@given(talks, talks)
def test_what_grows_stays_one(before: list[str], more: list[str]) -> None:
    assert is_one(turns(*before), turns(*before, *more))


@given(talks, sentences)
def test_a_chat_whose_last_answer_is_given_anew_stays_one(before: list[str], another: str) -> None:
    answered = before[: len(before) // 2 * 2]
    if len(answered) > 3:
        assert is_one(turns(*answered), turns(*answered[:-1], another))


@given(talks, sentences)
def test_what_was_said_at_the_same_moments_stays_one_whatever_is_said_at_its_end(
    before: list[str], another: str
) -> None:
    if len(before) > 3:
        often = timedelta(minutes=5)
        assert is_one(turns(*before, dated=often), turns(*before[:-1], another, dated=often))


@given(talks, st.data(), talks)
def test_what_is_cut_at_its_beginning_and_goes_on_stays_one(
    before: list[str], data: st.DataObject, more: list[str]
) -> None:
    # An even number, so that every turn keeps its role.
    cut = 2 * data.draw(st.integers(0, (len(before) - 3) // 2))
    assert is_one(turns(*before), turns(*before[cut:], *more))


greetings = st.lists(st.sampled_from(GREETINGS), max_size=5)


@given(greetings, talks, talks)
def test_strangers_who_greet_alike_stay_two(alike: list[str], one: list[str], other: list[str]) -> None:
    other = [text for text in other if text not in one]
    if other:
        assert not is_one(turns(*alike, *one), turns(*alike, *other))


@given(greetings, talks)
def test_a_greeting_that_stands_alone_does_not_grow_into_another_conversation(alike: list[str], one: list[str]) -> None:
    if alike:
        assert not is_one(turns(*alike), turns(*alike, *one))


@given(talks)
def test_the_same_words_at_other_times_are_another_conversation(said: list[str]) -> None:
    often, rarely = timedelta(minutes=1), timedelta(hours=3)
    assert not is_one(turns(*said, dated=often), turns(*said, dated=rarely))


@given(talks, st.integers(-26, 26))
def test_the_same_times_in_another_zone_are_the_same(said: list[str], hours: int) -> None:
    there = tuple(
        Turn(turn.role, turn.content, said_at=turn.said_at + timedelta(hours=hours))
        for turn in turns(*said, dated=timedelta(minutes=7))
        if turn.said_at
    )
    assert is_one(turns(*said, dated=timedelta(minutes=7)), there)


def test_two_turns_at_the_same_moments_do_where_one_holds_the_other() -> None:
    known = turns("Hi", "Hello!", dated=timedelta(minutes=1))
    assert is_one(known, turns("Hi", "Hello!", "Which boat?", dated=timedelta(minutes=1)))
    assert not is_one(turns("Hi", "Hello!"), turns("Hi", "Hello!", "Which boat?"))


@pytest.mark.parametrize(
    ("known", "other"),
    [
        (("What is the capital of France?", "Paris."), ("What is the capital of France?", "Paris.", "And of Peru?")),
        (("Tell me a joke", "No."), ("Tell me a joke", "Why did the chicken cross the road?")),
        (("P" * 400, "One answer to it."), ("P" * 400, "Quite another answer.")),
        (
            ("Build started by cron", "Tests are running now", "Build has finished", *(f"one {n}" for n in range(40))),
            ("Build started by cron", "Tests are running now", "Build has finished", *(f"two {n}" for n in range(40))),
        ),
    ],
)
def test_too_little_is_no_evidence(known: tuple[str, ...], other: tuple[str, ...]) -> None:
    assert not is_one(turns(*known), turns(*other))


def test_a_system_prompt_is_no_evidence() -> None:
    prompt = Turn(Role.SYSTEM, "You are a helpful assistant for the harbour office. " * 20)
    assert not is_one((prompt, *turns("What are the fees?")), (prompt, *turns("Where is the crane?")))


NOTE = "\n".join(
    [
        "Ferry timetable, as the harbour office gave it to me on the telephone:",
        "from the mainland at seven, at noon and at six in the evening,",
        "back from the island at eight, at one and at seven.",
        "Bicycles travel for free on weekdays, dogs never do.",
    ]
)


def test_a_note_that_grows_or_is_edited_is_the_same_note() -> None:
    assert is_one(turns(NOTE), turns(f"{NOTE}\nOn Sundays there is one boat less."))
    assert is_one(turns(NOTE), turns(f"Updated in May.\n{NOTE}"))
    assert is_one(turns(NOTE), turns(NOTE.replace("dogs never do", "dogs pay half")))


def test_the_one_that_shares_most_is_taken() -> None:
    said = [f"This is the sentence number {n} of a long talk about boats." for n in range(8)]
    short, long = filed(turns(*said[:3]), number=1), filed(turns(*said[:6]), number=2)
    choice = choose(Conversation("openai", turns(*said)), [short, long])
    assert choice.candidate is long


def test_forgotten_turns_count_as_what_they_said() -> None:
    said = turns(*(f"This is the sentence number {n} of a long talk about boats." for n in range(4)))
    buried = [KnownTurn(identity_by_count("c1", turn, 1), n, is_forgotten=True) for n, turn in enumerate(said)]
    forgotten = Candidate(1, "c1", buried, dict)
    assert choose(Conversation("openai", said), [forgotten]).candidate is forgotten


def dialogue(*answers: str) -> tuple[Turn, ...]:
    """A form: the same questions, whatever is answered."""
    asked = [f"This is question {n} of the form that everybody is asked." for n in range(len(answers))]
    return turns(*(text for pair in zip(asked, answers, strict=True) for text in pair))


def test_a_form_that_is_filled_in_otherwise_is_another_conversation() -> None:
    filled = dialogue("yes", "I lost my card.", "no", "yes", "no", "no", "yes", "no")
    other = dialogue("yes", "A loan, please.", "no", "yes", "no", "no", "yes", "no")
    assert not is_one(filled, other)
    assert not is_one(filled, (*other[:7], Turn(Role.USER, "By the way."), *other[8:]))


ANSWERS = ("Ann Smith", "yes", "seven hours", "no", "in the harbour")


@pytest.mark.parametrize("asks", [Role.USER, Role.ASSISTANT, None])
def test_a_form_of_which_only_the_last_answer_differs_is_another_form(asks: Role | None) -> None:
    def form(last: str) -> tuple[Turn, ...]:
        answers = {Role.USER: Role.ASSISTANT, Role.ASSISTANT: Role.USER}
        return tuple(
            replace(turn, role=Role.USER if asks is None else asks if n % 2 == 0 else answers[asks])
            for n, turn in enumerate(dialogue(*ANSWERS[:4], last))
        )

    other = "A loan, please."
    assert not is_one(form("I lost my card."), form("Nothing at all."))
    assert not is_one(form("I lost my card."), form(other))
    thanks = Turn(asks or Role.USER, "This was the last question, your form is complete.")
    assert not is_one((*form("I lost my card."), thanks), (*form(other), thanks))


def test_a_form_of_which_only_the_first_answer_differs_is_another_form() -> None:
    filled, other = (dialogue(name, *ANSWERS[1:])[1:] for name in ("Ann Smith", "Bert Jones"))
    assert not is_one(filled, other)


def test_an_undated_chat_that_was_edited_in_its_middle_is_another_and_a_dated_one_is_the_same() -> None:
    said = [f"This is the sentence number {n} of a long talk about boats." for n in range(6)]
    edited = [*said[:3], f"{said[3][:-1]} and ferries.", *said[4:]]
    assert not is_one(turns(*said), turns(*edited))
    often = timedelta(minutes=5)
    assert is_one(turns(*said, dated=often), turns(*edited, dated=often))


def test_a_text_that_became_less_keeps_what_was_known_of_it() -> None:
    shorter = NOTE.partition("\n")[2]
    assert choose(Conversation("note", turns(shorter)), [filed(turns(NOTE))]).keeps
    assert not choose(Conversation("note", turns(f"{NOTE}\nMore.")), [filed(turns(NOTE))]).keeps
