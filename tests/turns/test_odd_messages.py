"""Messages of odd shapes fail no call, and their secrets stand nowhere in clear."""

from __future__ import annotations

import json
import logging
import time
from typing import Any

import pytest

from palace import Palace
from palace.text.secrets import redact
from palace.turns import TurnOptions, remember
from palace.turns.chat.messages import plain_json
from palace.turns.exchange.exchange import Exchange

BOAT = "My sailing boat is called Zephyrine."
SECRET = "Otter-Bramble-19"


def nested(depth: int) -> list[Any]:
    made: list[Any] = []
    inner = made
    for _ in range(depth):
        inner.append([])
        inner = inner[0]
    return made


def circular() -> list[Any]:
    made: list[Any] = []
    made += [made, made]
    return made


def part(value: object) -> dict[str, Any]:
    return {"role": "user", "content": [{"type": "text", "text": BOAT}, {"type": "x", "x": value}]}


class Raises:
    """An object of the program's that cannot say what it is."""

    def model_dump(self, **_given: object) -> object:
        raise RuntimeError(BOAT)


ODD: dict[str, Any] = {
    "role list": {"role": ["user"], "content": BOAT},
    "mixed keys": {"role": "user", "content": [{"type": "text", "text": BOAT, 1: "a", "b": 2, (1, 2): 3}]},
    "deep": part(nested(700)),
    "very deep": part(nested(3_000)),
    "circular": part(circular()),
    "number": part(10**6_000),
    "raises": part(Raises()),
    "is no message": Raises(),
    "set": {"role": "user", "content": {"a": {1, 2}}},
}


@pytest.mark.parametrize("name", ODD)
def test_a_turn_of_an_odd_message_is_taken_and_finished(palace: Palace, name: str) -> None:
    turn = palace.turn(ODD[name], history=[ODD[name]], session="chat")
    assert turn.messages
    assert turn.finish("Zephyrine.").is_filed


@pytest.mark.parametrize("name", ODD)
def test_an_odd_reply_raises_nothing(palace: Palace, name: str) -> None:
    turn = palace.turn("What is my boat called?", session="chat")
    odd = {**ODD[name], "role": "assistant"} if isinstance(ODD[name], dict) else ODD[name]
    assert turn.finish(odd).is_filed


def test_a_call_is_made_whatever_memory_makes_of_it(
    palace: Palace, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fails(*_given: object, **_named: object) -> None:
        raise TypeError(BOAT)

    calls: list[object] = []

    def model(messages: list[Any]) -> str:
        calls.append(messages)
        return "Zephyrine."

    call: Any = remember(model, palace)
    for odd in ODD.values():
        assert call(messages=[odd, {"role": "user", "content": BOAT}]) == "Zephyrine."
    monkeypatch.setattr(type(palace.turns), "take_request", fails)
    messages = [{"role": "user", "content": BOAT}]
    with caplog.at_level(logging.INFO, "palace.turns"):
        assert call(messages=messages) == "Zephyrine."
    assert calls[-1] == messages
    (line,) = [json.loads(record.message) for record in caplog.records if record.name == "palace.turns"]
    assert line["outcome"] == "fault"
    assert BOAT not in caplog.text


def test_the_same_value_is_written_the_same_and_to_an_end() -> None:
    assert plain_json({"b": 1, "a": [True, None, 1.5, "é"]}) == '{"a":[true,null,1.5,"\\u00e9"],"b":1}'
    assert plain_json(nested(3_000)) == plain_json(nested(900))
    assert len(plain_json(circular())) < 100


CALLS: list[dict[str, Any]] = [
    {
        "role": "assistant",
        "content": "",
        "tool_calls": [{"function": {"name": "l", "arguments": {"password": SECRET}}}],
    },
    {
        "role": "assistant",
        "content": [{"type": "tool_use", "name": "l", "input": {"user": "mara", "password": SECRET}}],
    },
    {"role": "tool", "content": [{"type": "json", "json": {"db_password": SECRET}}]},
    {"role": "tool", "content": {"rows": [{"note": "line\nbreak", "password": SECRET}]}},
    {"role": "tool", "content": {"password": 4711471147}},
    {"role": "user", "content": [{"type": "text", "text": "my password is:"}, {"type": "text", "text": SECRET}]},
    {"role": "assistant", "content": "", "function_call": {"name": "l", "arguments": json.dumps({"password": SECRET})}},
]


@pytest.mark.parametrize("message", CALLS)
def test_what_waits_has_no_secret_of_a_tools_call(message: dict[str, Any]) -> None:
    written = Exchange("chat", (message,)).with_texts(lambda said: redact(said).text).written()
    assert SECRET not in written
    assert "4711471147" not in written
    assert "[secret: password]" in written
    assert Exchange.read(written).messages[0]["role"] == message["role"]


def test_what_has_no_secret_stays_as_it_is() -> None:
    messages = tuple(
        json.loads(json.dumps(message).replace(SECRET, "see the note").replace("4711471147", "null"))
        for message in CALLS[:-1]
    )
    assert Exchange("chat", messages).with_texts(lambda said: redact(said).text).messages == messages


def test_a_message_that_takes_long_to_look_through_costs_the_time_of_a_turn(
    palace: Palace, monkeypatch: pytest.MonkeyPatch
) -> None:
    finishing = palace.turns._taker.finishing
    monkeypatch.setattr(type(finishing.filer), "file", lambda *_: time.sleep(4))

    def hide(_said: str) -> str:
        time.sleep(2)
        return "hidden"

    object.__setattr__(finishing, "hide", hide)
    turn = palace.turn(BOAT, session="chat", options=TurnOptions(timeout=0.5))
    started = time.perf_counter()
    finished = turn.finish("Zephyrine.")
    assert time.perf_counter() - started < 1.8
    assert not finished.is_filed
    assert "waits in the outbox behind that" in finished.notes[-1]
    for _ in range(100):
        if finishing.outbox.count():
            break
        time.sleep(0.2)
    assert b"hidden" in finishing.outbox.path.read_bytes()
    assert BOAT.encode() not in finishing.outbox.path.read_bytes()
    finishing.outbox.discard()
