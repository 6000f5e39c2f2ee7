"""A program's own calls of a model get memory, and their replies stay as they are."""

from __future__ import annotations

import asyncio
import gc
import json
import os
from collections.abc import Iterator
from typing import Any

import pytest

from palace import Palace
from palace.errors import BadRequest
from palace.testing import LanguageModelServer, RawAnswer
from palace.turns import TurnOptions, remember
from palace.turns.remembering.pieces import Pieces

os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")

BOAT = "My sailing boat is called Zephyrine."
ASKED = [{"role": "system", "content": "Be kind."}, {"role": "user", "content": "What is my sailing boat called?"}]
CALL = {"id": "c1", "type": "function", "function": {"name": "look", "arguments": '{"at": "boat"}'}}
OPTIONS = TurnOptions(timeout=20)


@pytest.fixture
def boat(palace: Palace) -> Palace:
    palace.file([{"role": "user", "content": BOAT}], id="first")
    return palace


@pytest.fixture
def server() -> Iterator[LanguageModelServer]:
    with LanguageModelServer() as running:
        yield running


def litellm_call(server: LanguageModelServer, name: str) -> Any:
    import litellm

    call = getattr(litellm, name)
    return call, {"model": "openai/scripted", "api_base": server.api_base, "api_key": "sk-test", "num_retries": 0}


def client(server: LanguageModelServer, *, is_async: bool = False) -> Any:
    import openai

    kind = openai.AsyncOpenAI if is_async else openai.OpenAI
    return kind(base_url=server.api_base, api_key="sk-test", max_retries=0)


def filed(palace: Palace) -> list[str]:
    with palace._opened.session() as session:
        rows = session.connection.exec_driver_sql(
            "SELECT d.content FROM drawer d JOIN conversation c ON c.user_id = d.user_id AND c.id = d.conversation_id"
            " WHERE c.identity <> 'openai:first' ORDER BY d.conversation_id, d.position"
        )
        return [row[0] for row in rows]


def sent_block(server: LanguageModelServer) -> str:
    return str(server.requests[-1].body["messages"][-1]["content"])


QUESTION, REPLY = str(ASKED[1]["content"]), "It is called Zephyrine."


def test_a_function_of_litellm_recalls_before_and_files_after(boat: Palace, server: LanguageModelServer) -> None:
    call, how = litellm_call(server, "completion")
    server.script.append(REPLY)
    reply = remember(call, boat, options=OPTIONS)(messages=ASKED, **how)
    assert type(reply).__name__ == "ModelResponse"
    assert reply.choices[0].message.content == REPLY
    assert BOAT in sent_block(server)
    assert sent_block(server).endswith(QUESTION)
    assert ASKED[1]["content"] == QUESTION
    assert filed(boat) == [QUESTION, REPLY]


def test_messages_may_be_given_by_place(boat: Palace, server: LanguageModelServer) -> None:
    call, how = litellm_call(server, "completion")
    server.script.append(REPLY)
    remember(call, boat, options=OPTIONS)(how.pop("model"), ASKED, **how)
    assert BOAT in sent_block(server)
    assert filed(boat) == [QUESTION, REPLY]


def test_an_awaited_function_of_litellm_does_the_same(boat: Palace, server: LanguageModelServer) -> None:
    call, how = litellm_call(server, "acompletion")
    server.script.append(REPLY)
    reply = asyncio.run(remember(call, boat, options=OPTIONS)(messages=ASKED, **how))
    assert reply.choices[0].message.content == REPLY
    assert BOAT in sent_block(server)
    assert filed(boat) == [QUESTION, REPLY]


def test_a_client_of_openai_remembers_and_is_itself_in_all_else(boat: Palace, server: LanguageModelServer) -> None:
    plain = client(server)
    remembering = remember(plain, boat, options=OPTIONS)
    server.script.extend([REPLY, "And again."])
    reply = remembering.chat.completions.create(model="scripted", messages=ASKED)
    assert reply.choices[0].message.content == REPLY
    assert BOAT in sent_block(server)
    assert filed(boat) == [QUESTION, REPLY]
    assert remembering.base_url == plain.base_url
    assert remembering.models is plain.models
    plain.chat.completions.create(model="scripted", messages=ASKED)
    assert sent_block(server) == QUESTION


def test_an_async_client_remembers(boat: Palace, server: LanguageModelServer) -> None:
    server.script.append(REPLY)

    async def talk() -> Any:
        async with remember(client(server, is_async=True), boat, options=OPTIONS) as remembering:
            return await remembering.chat.completions.create(model="scripted", messages=ASKED)

    assert asyncio.run(talk()).choices[0].message.content == REPLY
    assert BOAT in sent_block(server)
    assert filed(boat) == [QUESTION, REPLY]


def test_a_stream_is_passed_on_and_filed_when_it_ends(boat: Palace, server: LanguageModelServer) -> None:
    call, how = litellm_call(server, "completion")
    server.script.extend([REPLY, REPLY])
    stream = remember(call, boat, options=OPTIONS)(messages=ASKED, stream=True, **how)
    assert filed(boat) == []
    assert "".join(piece.choices[0].delta.content or "" for piece in stream) == REPLY
    assert filed(boat) == [QUESTION, REPLY]
    with remember(client(server), boat, session="b", options=OPTIONS).chat.completions.create(
        model="scripted", messages=ASKED, stream=True
    ) as pieces:
        assert "".join(piece.choices[0].delta.content or "" for piece in pieces) == REPLY
    assert filed(boat) == [QUESTION, REPLY] * 2


@pytest.mark.parametrize("way", ["close", "leave", "drop"])
def test_a_stream_that_is_left_early_files_what_came(boat: Palace, server: LanguageModelServer, way: str) -> None:
    server.script.append(REPLY)
    completions = remember(client(server), boat, options=OPTIONS).chat.completions
    stream = completions.create(model="scripted", messages=ASKED, stream=True)
    if way == "leave":
        with stream:
            for _, _piece in zip(range(3), stream, strict=False):
                pass
    else:
        for _, _piece in zip(range(3), stream, strict=False):
            pass
        if way == "close":
            stream.close()
    del stream
    gc.collect()
    said = filed(boat)
    assert said[0] == QUESTION
    assert REPLY.startswith(said[1])
    assert said[1].startswith("It is")


def test_async_streams_are_filed(boat: Palace, server: LanguageModelServer) -> None:
    server.script.extend([REPLY, REPLY])
    call, how = litellm_call(server, "acompletion")

    async def talk() -> list[str]:
        remembering = remember(client(server, is_async=True), boat, options=OPTIONS)
        one = await remembering.chat.completions.create(model="scripted", messages=ASKED, stream=True)
        other = await remember(call, boat, session="b", options=OPTIONS)(messages=ASKED, stream=True, **how)
        return ["".join([piece.choices[0].delta.content or "" async for piece in each]) for each in (one, other)]

    assert asyncio.run(talk()) == [REPLY, REPLY]
    assert filed(boat) == [QUESTION, REPLY] * 2


@pytest.mark.parametrize("session", [None, "chat"])
def test_a_round_of_tools_is_one_turn(boat: Palace, server: LanguageModelServer, session: str | None) -> None:
    answer = {"role": "assistant", "content": None, "tool_calls": [CALL]}
    called = {"index": 0, "finish_reason": "tool_calls", "message": answer}
    whole = {"id": "x", "object": "chat.completion", "created": 0, "model": "scripted", "choices": [called]}
    server.script.extend([RawAnswer.of(whole), REPLY])
    create = remember(client(server), boat, session=session, options=OPTIONS).chat.completions.create
    reply = create(model="scripted", messages=ASKED)
    first = server.requests[-1].body["messages"]
    result = {"role": "tool", "tool_call_id": "c1", "content": "a boat"}
    create(model="scripted", messages=[*ASKED, reply.choices[0].message, result])
    second = server.requests[-1].body["messages"]
    assert second[: len(first)] == first
    assert filed(boat) == [QUESTION, 'look {"at": "boat"}', "a boat", REPLY]


def test_a_model_that_fails_fails_as_it_would_and_files_nothing(boat: Palace, server: LanguageModelServer) -> None:
    import openai

    with pytest.raises(openai.BadRequestError):
        remember(client(server), boat).chat.completions.create(model="scripted", messages=ASKED)
    assert filed(boat) == []


def test_memory_fails_no_call(paying: Palace, server: LanguageModelServer) -> None:
    server.script.extend([REPLY, REPLY])
    create = remember(client(server), paying, session="later").chat.completions.create
    shared = paying._opened.database.shared
    shared.close()
    assert create(model="scripted", messages=ASKED).choices[0].message.content == REPLY
    assert sent_block(server) == QUESTION
    shared.open()
    paying.turns.flush()
    assert filed(paying) == [QUESTION, REPLY]
    odd: Any = remember(_echo, paying)
    assert odd(messages="hello") == {"messages": "hello"}
    assert odd(prompt=1) == {"prompt": 1}


def _echo(**given: Any) -> Any:
    return given


def test_what_is_neither_a_function_nor_a_client_is_refused(boat: Palace) -> None:
    with pytest.raises(BadRequest, match="remember wraps"):
        remember(5, boat)


def test_pieces_of_calls_are_put_together() -> None:
    pieces = Pieces()
    deltas: list[dict[str, Any]] = [
        {"content": None, "tool_calls": [{"index": 0, "id": "c1", "function": {"name": "look", "arguments": ""}}]},
        {"tool_calls": [{"index": 0, "function": {"arguments": '{"at": '}}]},
        {"tool_calls": [{"index": 0, "function": {"arguments": '"boat"}'}}]},
    ]
    for delta in deltas:
        pieces.take({"choices": [{"index": 0, "delta": delta}]})
    odd: list[Any] = [None, {}, {"choices": []}, {"choices": [7]}, {"choices": [{"delta": {"content": 5}}]}]
    for each in odd:
        pieces.take(each)
    assert pieces.message() == {"role": "assistant", "content": None, "tool_calls": [CALL]}
    assert Pieces().message() is None
    json.dumps(pieces.message())
