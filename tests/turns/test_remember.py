"""A program's own calls of a model get memory, and their replies stay as they are."""

from __future__ import annotations

import asyncio
import os
from typing import Any

import pytest

from palace import BadRequest, Palace
from palace.testing import LanguageModelServer, RawAnswer
from palace.turns import TurnOptions, remember
from tests.held import database_away, rows
from tests.turns.conftest import BOAT, QUESTION

os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")

ASKED = [{"role": "system", "content": "Be kind."}, {"role": "user", "content": QUESTION}]
CALL = {"id": "c1", "type": "function", "function": {"name": "look", "arguments": '{"at": "boat"}'}}
OPTIONS = TurnOptions(timeout=20)


def litellm_call(provider: LanguageModelServer, name: str) -> Any:
    import litellm

    call = getattr(litellm, name)
    return call, {"model": "openai/scripted", "api_base": provider.api_base, "api_key": "sk-test", "num_retries": 0}


def client(provider: LanguageModelServer, *, is_async: bool = False) -> Any:
    import openai

    kind = openai.AsyncOpenAI if is_async else openai.OpenAI
    return kind(base_url=provider.api_base, api_key="sk-test", max_retries=0)


def filed(palace: Palace) -> list[str]:
    query = "SELECT d.content FROM drawer d JOIN conversation c ON c.user_id = d.user_id AND c.id = d.conversation_id"
    found = rows(palace, f"{query} WHERE c.identity <> 'openai:first' ORDER BY d.conversation_id, d.position")
    return [content for (content,) in found]


def sent_block(provider: LanguageModelServer) -> str:
    return str(provider.requests[-1].body["messages"][-1]["content"])


REPLY = "It is called Zephyrine."


def test_a_function_of_litellm_recalls_before_and_files_after(boat: Palace, provider: LanguageModelServer) -> None:
    call, how = litellm_call(provider, "completion")
    provider.script.extend([REPLY, REPLY])
    reply = remember(call, boat, options=OPTIONS)(messages=ASKED, **how)
    assert type(reply).__name__ == "ModelResponse"
    assert reply.choices[0].message.content == REPLY
    assert BOAT in sent_block(provider)
    assert sent_block(provider).endswith(QUESTION)
    assert ASKED[1]["content"] == QUESTION
    # Messages may be given by place as well.
    remember(call, boat, session="b", options=OPTIONS)(how.pop("model"), ASKED, **how)
    assert BOAT in sent_block(provider)
    assert filed(boat) == [QUESTION, REPLY] * 2


def test_what_is_awaited_does_the_same(boat: Palace, provider: LanguageModelServer) -> None:
    call, how = litellm_call(provider, "acompletion")
    provider.script.extend([REPLY, REPLY])

    async def talk() -> list[Any]:
        replies = [await remember(call, boat, options=OPTIONS)(messages=ASKED, **how)]
        async with remember(client(provider, is_async=True), boat, session="b", options=OPTIONS) as remembering:
            return [*replies, await remembering.chat.completions.create(model="scripted", messages=ASKED)]

    assert [reply.choices[0].message.content for reply in asyncio.run(talk())] == [REPLY, REPLY]
    assert BOAT in sent_block(provider)
    assert filed(boat) == [QUESTION, REPLY] * 2


def test_a_client_of_openai_remembers_and_is_itself_in_all_else(boat: Palace, provider: LanguageModelServer) -> None:
    plain = client(provider)
    remembering = remember(plain, boat, options=OPTIONS)
    provider.script.extend([REPLY, "And again."])
    reply = remembering.chat.completions.create(model="scripted", messages=ASKED)
    assert reply.choices[0].message.content == REPLY
    assert BOAT in sent_block(provider)
    assert filed(boat) == [QUESTION, REPLY]
    assert remembering.base_url == plain.base_url
    assert remembering.models is plain.models
    plain.chat.completions.create(model="scripted", messages=ASKED)
    assert sent_block(provider) == QUESTION


def test_a_stream_is_passed_on_and_filed_when_it_ends(boat: Palace, provider: LanguageModelServer) -> None:
    call, how = litellm_call(provider, "completion")
    provider.script.extend([REPLY, REPLY])
    stream = remember(call, boat, options=OPTIONS)(messages=ASKED, stream=True, **how)
    assert filed(boat) == []
    assert "".join(piece.choices[0].delta.content or "" for piece in stream) == REPLY
    assert filed(boat) == [QUESTION, REPLY]
    with remember(client(provider), boat, session="b", options=OPTIONS).chat.completions.create(
        model="scripted", messages=ASKED, stream=True
    ) as pieces:
        assert "".join(piece.choices[0].delta.content or "" for piece in pieces) == REPLY
    assert filed(boat) == [QUESTION, REPLY] * 2


@pytest.mark.nightly
def test_async_streams_are_filed(boat: Palace, provider: LanguageModelServer) -> None:
    provider.script.extend([REPLY, REPLY])
    call, how = litellm_call(provider, "acompletion")

    async def talk() -> list[str]:
        remembering = remember(client(provider, is_async=True), boat, options=OPTIONS)
        one = await remembering.chat.completions.create(model="scripted", messages=ASKED, stream=True)
        other = await remember(call, boat, session="b", options=OPTIONS)(messages=ASKED, stream=True, **how)
        return ["".join([piece.choices[0].delta.content or "" async for piece in each]) for each in (one, other)]

    assert asyncio.run(talk()) == [REPLY, REPLY]
    assert filed(boat) == [QUESTION, REPLY] * 2


def test_a_round_of_tools_is_one_turn(boat: Palace, provider: LanguageModelServer) -> None:
    answer = {"role": "assistant", "content": None, "tool_calls": [CALL]}
    called = {"index": 0, "finish_reason": "tool_calls", "message": answer}
    whole = {"id": "x", "object": "chat.completion", "created": 0, "model": "scripted", "choices": [called]}
    provider.script.extend([RawAnswer.of(whole), REPLY])
    create = remember(client(provider), boat, options=OPTIONS).chat.completions.create
    reply = create(model="scripted", messages=ASKED)
    first = provider.requests[-1].body["messages"]
    result = {"role": "tool", "tool_call_id": "c1", "content": "a boat"}
    create(model="scripted", messages=[*ASKED, reply.choices[0].message, result])
    second = provider.requests[-1].body["messages"]
    assert second[: len(first)] == first
    assert filed(boat) == [QUESTION, 'look {"at": "boat"}', "a boat", REPLY]


def test_a_model_that_fails_fails_as_it_would_and_files_nothing(boat: Palace, provider: LanguageModelServer) -> None:
    import openai

    with pytest.raises(openai.BadRequestError):
        remember(client(provider), boat).chat.completions.create(model="scripted", messages=ASKED)
    assert filed(boat) == []


def test_memory_fails_no_call(boat: Palace, provider: LanguageModelServer) -> None:
    provider.script.extend([REPLY, REPLY])
    create = remember(client(provider), boat, session="later").chat.completions.create
    with database_away(boat):
        assert create(model="scripted", messages=ASKED).choices[0].message.content == REPLY
        assert sent_block(provider) == QUESTION
    boat.turns.flush()
    assert filed(boat) == [QUESTION, REPLY]
    odd: Any = remember(lambda **given: given, boat)
    assert odd(messages="hello") == {"messages": "hello"}
    assert odd(prompt=1) == {"prompt": 1}


def test_what_is_neither_a_function_nor_a_client_is_refused(boat: Palace) -> None:
    with pytest.raises(BadRequest, match="remember wraps"):
        remember(5, boat)
