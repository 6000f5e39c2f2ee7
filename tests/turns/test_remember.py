"""A program's own calls of a model get memory, and their replies stay as they are."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from typing import Any

import pytest

from palace import Palace
from palace.errors import BadRequest
from palace.testing import LanguageModelServer, RawAnswer
from palace.turns import TurnOptions, remember
from tests.turns.conftest import BOAT, QUESTION

os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")

ASKED = [{"role": "system", "content": "Be kind."}, {"role": "user", "content": QUESTION}]
CALL = {"id": "c1", "type": "function", "function": {"name": "look", "arguments": '{"at": "boat"}'}}
OPTIONS = TurnOptions(timeout=20)


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


REPLY = "It is called Zephyrine."


def test_a_function_of_litellm_recalls_before_and_files_after(boat: Palace, server: LanguageModelServer) -> None:
    call, how = litellm_call(server, "completion")
    server.script.extend([REPLY, REPLY])
    reply = remember(call, boat, options=OPTIONS)(messages=ASKED, **how)
    assert type(reply).__name__ == "ModelResponse"
    assert reply.choices[0].message.content == REPLY
    assert BOAT in sent_block(server)
    assert sent_block(server).endswith(QUESTION)
    assert ASKED[1]["content"] == QUESTION
    # Messages may be given by place as well.
    remember(call, boat, session="b", options=OPTIONS)(how.pop("model"), ASKED, **how)
    assert BOAT in sent_block(server)
    assert filed(boat) == [QUESTION, REPLY] * 2


def test_what_is_awaited_does_the_same(boat: Palace, server: LanguageModelServer) -> None:
    call, how = litellm_call(server, "acompletion")
    server.script.extend([REPLY, REPLY])

    async def talk() -> list[Any]:
        replies = [await remember(call, boat, options=OPTIONS)(messages=ASKED, **how)]
        async with remember(client(server, is_async=True), boat, session="b", options=OPTIONS) as remembering:
            return [*replies, await remembering.chat.completions.create(model="scripted", messages=ASKED)]

    assert [reply.choices[0].message.content for reply in asyncio.run(talk())] == [REPLY, REPLY]
    assert BOAT in sent_block(server)
    assert filed(boat) == [QUESTION, REPLY] * 2


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


@pytest.mark.nightly
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


def test_a_round_of_tools_is_one_turn(boat: Palace, server: LanguageModelServer) -> None:
    answer = {"role": "assistant", "content": None, "tool_calls": [CALL]}
    called = {"index": 0, "finish_reason": "tool_calls", "message": answer}
    whole = {"id": "x", "object": "chat.completion", "created": 0, "model": "scripted", "choices": [called]}
    server.script.extend([RawAnswer.of(whole), REPLY])
    create = remember(client(server), boat, options=OPTIONS).chat.completions.create
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


def test_memory_fails_no_call(boat: Palace, server: LanguageModelServer) -> None:
    server.script.extend([REPLY, REPLY])
    create = remember(client(server), boat, session="later").chat.completions.create
    shared = boat._opened.database.shared
    shared.close()
    assert create(model="scripted", messages=ASKED).choices[0].message.content == REPLY
    assert sent_block(server) == QUESTION
    shared.open()
    boat.turns.flush()
    assert filed(boat) == [QUESTION, REPLY]
    odd: Any = remember(_echo, boat)
    assert odd(messages="hello") == {"messages": "hello"}
    assert odd(prompt=1) == {"prompt": 1}


def _echo(**given: Any) -> Any:
    return given


def test_what_is_neither_a_function_nor_a_client_is_refused(boat: Palace) -> None:
    with pytest.raises(BadRequest, match="remember wraps"):
        remember(5, boat)
