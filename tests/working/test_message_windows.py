"""Windows of messages and of tokens: what is kept of a history, and that nothing is taken apart."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palace import BadRequest, BufferWindow, Kept, TokenWindow, WholeHistory, WorkingMemory
from tests.working.histories import (
    HISTORIES,
    LETTERS,
    ORDERLY,
    Message,
    chat,
    has_pairs_intact,
    is_block,
    is_part_in_order,
    is_system,
    said_in,
    tokens_of,
)

WINDOWS = st.one_of(
    st.just(WholeHistory()),
    st.builds(BufferWindow, st.integers(1, 25)),
    st.builds(
        lambda budget, least: TokenWindow(budget=budget, least=least, counter=LETTERS, image_tokens=50),
        st.integers(1, 600),
        st.integers(1, 8),
    ),
)


def user(text: str = "hello") -> Message:
    return {"role": "user", "content": text}


def reply(text: str = "hi") -> Message:
    return {"role": "assistant", "content": text}


def calling(*ids: str, text: str | None = None) -> Message:
    calls = [{"id": id, "type": "function", "function": {"name": "look", "arguments": "{}"}} for id in ids]
    return {"role": "assistant", "content": text, "tool_calls": calls}


def result(id: str, text: str = "found") -> Message:
    return {"role": "tool", "tool_call_id": id, "content": text}


@given(HISTORIES, WINDOWS)
def test_what_is_kept_begins_with_a_user_and_is_never_taken_apart(
    history: list[Message], window: WorkingMemory
) -> None:
    before = copy.deepcopy(history)
    kept = window.keep(history)
    assert history == before
    said = said_in(kept.messages)
    assert not said or said[0]["role"] == "user"
    assert has_pairs_intact(kept.messages)
    assert is_part_in_order(kept.messages, history)
    assert kept.left_out == len(history) - len(kept.messages)
    pinned = [message for message in history if is_system(message) and not is_block(message)]
    assert [message for message in kept.messages if is_system(message) and not is_block(message)] == pinned


@given(HISTORIES, WINDOWS)
def test_the_same_is_kept_each_time_and_keeping_again_takes_nothing_more(
    history: list[Message], window: WorkingMemory
) -> None:
    kept = window.keep(history)
    assert window.keep(copy.deepcopy(history)) == kept
    again = window.keep(kept.messages)
    assert (again.messages, again.tokens, again.left_out) == (kept.messages, kept.tokens, 0)


@given(HISTORIES, st.integers(1, 600), st.integers(1, 8))
def test_only_the_least_that_is_kept_exceeds_the_budget_and_a_larger_one_keeps_no_less(
    history: list[Message], budget: int, least: int
) -> None:
    def keep(budget: int) -> Kept:
        return TokenWindow(budget=budget, least=least, counter=LETTERS, image_tokens=50).keep(history)

    kept = keep(budget)
    assert tokens_of(kept) <= budget or kept == keep(1)
    assert len(kept.messages) <= len(keep(2 * budget).messages)


@given(HISTORIES, st.integers(1, 25))
def test_a_window_of_messages_is_exceeded_only_by_what_cannot_be_taken_apart(
    history: list[Message], number: int
) -> None:
    said = said_in(BufferWindow(number).keep(history).messages)
    assert len(said) <= number or said == said_in(BufferWindow(1).keep(history).messages)


@given(ORDERLY, st.integers(1, 8), st.integers(1, 600))
def test_the_latest_messages_are_always_kept_and_a_history_that_fits_as_it_is(
    history: list[Message], least: int, budget: int
) -> None:
    kept = TokenWindow(budget=budget, least=least, counter=LETTERS, image_tokens=50).keep(history)
    latest = said_in(history)[-least:]
    assert [id(message) for message in said_in(kept.messages)][-len(latest) :] == [id(message) for message in latest]
    for window in (WholeHistory(), BufferWindow(1_000), TokenWindow(budget=10**6)):
        kept = window.keep(history)
        assert [id(message) for message in kept.messages] == [id(message) for message in history]
        assert (kept.left_out, kept.warnings) == (0, ())


def test_twenty_messages_are_kept_of_a_long_chat_and_system_messages_beside_them() -> None:
    system = {"role": "system", "content": "Be brief."}
    kept = BufferWindow().keep([system, *chat(50)])
    assert kept.messages == [system, *chat(50)[-20:]]
    assert BufferWindow(19).keep(chat(50)).messages == chat(50)[-18:]


def test_a_window_that_begins_within_an_exchange_keeps_the_question_and_the_latest_steps() -> None:
    steps = [message for number in range(30) for message in (calling(f"c{number}"), result(f"c{number}"))]
    history = [*chat(3), user("Do it."), *steps, user("Go on.")]
    kept = BufferWindow(20).keep(history).messages
    assert kept == [user("Do it."), *steps[-18:], user("Go on.")]


def test_calls_and_results_of_one_message_stay_together_in_whatever_order_they_came() -> None:
    together = [calling("a", "b", "c"), result("c"), result("a"), result("b")]
    history = [user("one"), reply(), user("two"), *together, reply("done")]
    assert BufferWindow(5).keep(history).messages == [user("two"), reply("done")]
    assert BufferWindow(6).keep(history).messages == [user("two"), *together, reply("done")]


def test_results_that_nobody_called_for_are_left_out_and_told() -> None:
    kept = WholeHistory().keep([user(), result("x"), reply()])
    assert kept.messages == [user(), reply()]
    assert kept.warnings == ("1 tool results without their call were left out: no provider takes them",)
    # One in front of its call is none of it.
    answered = [calling("a"), result("a", "later")]
    assert WholeHistory().keep([user(), result("a"), *answered]).messages == [user(), *answered]


def test_a_call_that_was_never_answered_is_taken_out_and_what_was_said_with_it_stays() -> None:
    history = [user(), calling("a", "b", text="Looking."), result("a"), user("Stop."), calling("c"), user("Stop!")]
    given_before = copy.deepcopy(history)
    kept = WholeHistory().keep(history)
    assert kept.messages == [user(), calling("a", text="Looking."), result("a"), user("Stop."), user("Stop!")]
    assert kept.warnings == ("2 tool calls that were never answered were left out: no provider takes them",)
    assert history == given_before


def test_calls_at_the_end_wait_for_their_results() -> None:
    history = [user(), calling("a", "b"), result("b")]
    assert WholeHistory().keep(history).messages == history
    assert WholeHistory().keep([user(), calling("a")]).messages == [user(), calling("a")]


def test_a_block_of_recall_goes_with_the_message_it_stands_beside() -> None:
    block = {"role": "system", "content": "<memory_context>\n1\n</memory_context>"}
    behind = [user("one"), block, reply(), user("two"), dict(block), reply()]
    assert BufferWindow(2).keep(behind).messages == behind[3:]
    in_front = [block, user("one"), reply(), dict(block), user("two"), reply()]
    assert BufferWindow(2).keep(in_front).messages == in_front[3:]


def test_what_is_no_history_and_no_number_is_refused_in_one_line() -> None:
    rows: list[tuple[Any, str]] = [
        ("hello", "a history must be a list of messages, not str"),
        ({"role": "user"}, "a history must be a list of messages, not dict"),
        ([user(), "hello"], "message 2 of the history must be a mapping, not str"),
        ([None], "message 1 of the history must be a mapping, not NoneType"),
    ]
    for history, told in rows:
        for window in (WholeHistory(), BufferWindow(), TokenWindow()):
            with pytest.raises(BadRequest, match=f"^{told}$"):
                window.keep(history)
    odd: list[Any] = [0, -1, 1.5, True, "20"]
    for number in odd:
        for name, make in (("least", TokenWindow), ("budget", TokenWindow), ("messages", BufferWindow)):
            with pytest.raises(BadRequest, match="must be a whole number of at least 1"):
                make(**{name: number}) if name != "messages" else make(number)
