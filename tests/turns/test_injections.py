"""What stood beside a message stands there again, byte for byte, until what it quotes is gone."""

from __future__ import annotations

import json
from typing import Any

import pytest

from palace import Palace
from palace.turns import Turn, TurnOptions
from tests.held import execute, rows

PETS = {"cat": "Brumblewick", "dog": "Fennimore", "parrot": "Quillon", "tortoise": "Marzipan"}


@pytest.fixture
def pets(palace: Palace) -> Palace:
    said = (f"My {kind} is called {name} and is {len(name)} years old." for kind, name in PETS.items())
    palace.file([{"role": "user", "content": text} for text in said], id="pets")
    return palace


def ask(palace: Palace, kind: str, history: list[Any], **options: Any) -> Turn:
    message = {"role": "user", "content": f"What is my {kind} called?"}
    return palace.turn(message, history=history, options=TurnOptions(timeout=30, **options))


def after(kind: str) -> list[Any]:
    message = {"role": "user", "content": f"What is my {kind} called?"}
    return [message, {"role": "assistant", "content": PETS[kind]}]


def written(messages: list[Any]) -> bytes:
    return json.dumps(messages, ensure_ascii=False).encode()[:-1]


@pytest.mark.parametrize("place", ["user", "system"])
def test_turns_replayed_begin_as_the_request_before_to_the_byte(pets: Palace, place: Any) -> None:
    kinds = [*PETS, "hamster", "boat"]
    history: list[Any] = [{"role": "system", "content": "Be kind."}]
    previous, blocks = b"", 0
    for number in range(6):
        kind = kinds[number % len(kinds)] if number % 3 else "life"
        turn = pets.turn(
            f"{number}: what is my {kind} called?",
            history=history,
            session=f"long-{place}",
            options=TurnOptions(place=place, timeout=30, top_k=1),
        )
        sent = written(turn.messages)
        assert sent.startswith(previous)
        previous, blocks = sent, blocks + bool(turn.block)
        turn.finish(f"Reply {number}.")
        history += [
            {"role": "user", "content": f"{number}: what is my {kind} called?"},
            {"role": "assistant", "content": f"Reply {number}."},
        ]
    assert blocks >= 2


def test_a_block_goes_with_a_drawer_that_it_quotes(pets: Palace) -> None:
    turn = ask(pets, "cat", [])
    assert "Brumblewick" in turn.block
    history = after("cat")
    assert "memory_context" in json.dumps(ask(pets, "dog", history).messages[0])
    pets.forget(str(turn.hits[0].drawer.pointer))
    assert ask(pets, "dog", history).messages[0] == history[0]
    kept = [*turn.messages, history[1]]
    assert ask(pets, "dog", kept).messages[0] == history[0]
    assert "Brumblewick" not in str(rows(pets, "SELECT block FROM injection"))


def test_a_block_goes_with_the_run_that_is_undone(pets: Palace) -> None:
    assert ask(pets, "cat", []).block
    pets.runs.undo(pets.runs.list()[0].id)
    history = after("cat")
    assert ask(pets, "dog", history).messages[0] == history[0]


@pytest.mark.nightly
def test_blocks_expire_and_are_not_used_without_a_citation_however_that_came(pets: Palace) -> None:
    history = after("cat")
    for change in ("DELETE FROM injection_citation", "UPDATE injection SET expires_at = now() - interval '1 second'"):
        assert ask(pets, "cat", []).block
        assert ask(pets, "dog", history).messages[0] != history[0]
        execute(pets, change)
        assert ask(pets, "dog", history).messages[0] == history[0], change


def test_blocks_of_another_user_are_out_of_reach(pets: Palace) -> None:
    ask(pets, "cat", [])
    stranger = Palace.open(pets._opened.settings, user=f"{pets.user}-2", embedder=pets._opened.embedders.given)
    with stranger as other:
        history = after("cat")
        assert ask(other, "dog", history).messages[0] == history[0]
        assert rows(other, "SELECT block FROM injection") == []
    assert len(rows(pets, "SELECT block FROM injection")) == 1


def test_what_tools_answered_is_no_reason_to_recall_again(pets: Palace) -> None:
    first = pets.turns.take_request([{"role": "user", "content": "What is my cat called?"}])
    assert first is not None
    call = {"id": "c", "type": "function", "function": {"name": "look", "arguments": "{}"}}
    round_two = [
        {"role": "user", "content": "What is my cat called?"},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c", "content": "found"},
    ]
    second = pets.turns.take_request(round_two)
    assert second is not None
    assert second.decision.rule == "continued"
    assert second.messages == [*first.messages, *round_two[1:]]
    assert pets.turns.take_request([{"role": "system", "content": "Hello"}]) is None
