"""The session in runs of the OpenAI Agents SDK, with a model that says what it is told to."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from functools import partial
from typing import Any

import agents
import pytest
from agents import (
    Agent,
    ModelResponse,
    Runner,
    SessionSettings,
    SQLiteSession,
    Usage,
    function_tool,
    set_tracing_disabled,
)
from agents.memory import Session, is_openai_responses_compaction_aware_session
from agents.models.interface import Model
from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText

from palace import Drawer, Palace, Palaces
from palace_frameworks.openai_agents import PalaceSession, recall_tool

set_tracing_disabled(True)


def said(text: str) -> ResponseOutputMessage:
    """A reply; its id is the one that the SDK gives to every reply of a model without the Responses API."""
    part = ResponseOutputText(text=text, type="output_text", annotations=[])
    return ResponseOutputMessage(id="__fake_id__", role="assistant", status="completed", type="message", content=[part])


def called(name: str, arguments: str) -> ResponseFunctionToolCall:
    """A call of a tool."""
    return ResponseFunctionToolCall(call_id=f"call-{name}", name=name, arguments=arguments, type="function_call")


class Scripted(Model):
    """Replies one after the other, and what it was sent."""

    def __init__(self, *replies: Any) -> None:
        self.replies = list(replies)
        self.sent: list[Any] = []

    async def get_response(self, system_instructions: Any, input: Any, *given: Any, **named: Any) -> ModelResponse:
        """Return the next reply."""
        self.sent.append(list(input))
        return ModelResponse(output=[self.replies.pop(0)], usage=Usage(), response_id=None)

    def stream_response(self, *given: Any, **named: Any) -> AsyncIterator[Any]:
        """Refuse to stream."""
        raise NotImplementedError


@function_tool
def weather(town: str) -> str:
    """Say the weather."""
    return f"Rain in {town}."


def drawers(palace: Palace) -> list[Drawer]:
    """All that is filed, in order."""
    return list(palace.tree.all_drawers())


async def run(agent: Agent[Any], session: Session, *messages: str) -> list[str]:
    """Say something, and return the replies."""
    return [(await Runner.run(agent, each, session=session)).final_output for each in messages]


def test_runs_keep_their_history_and_are_filed(palace: Palace) -> None:
    model = Scripted(called("weather", '{"town": "Porto"}'), said("It rains."), said("Yes."), said("Yes."))
    agent = Agent(name="helper", model=model, tools=[weather])
    alone, session = SQLiteSession("chat-7"), PalaceSession(SQLiteSession("chat-7"), palace, wing="Chats")
    assert isinstance(session, Session)
    asyncio.run(run(agent, session, "Weather in Porto?", "Sure?", "Sure?"))
    model.replies = [called("weather", '{"town": "Porto"}'), said("It rains."), said("Yes."), said("Yes.")]
    asyncio.run(run(agent, alone, "Weather in Porto?", "Sure?", "Sure?"))
    assert asyncio.run(session.get_items()) == asyncio.run(alone.get_items())
    assert len(model.sent[3]) == 7
    filed = drawers(palace)
    assert [(each.role.value, each.content) for each in filed if each.role.value != "tool"] == [
        ("user", "Weather in Porto?"),
        ("assistant", "It rains."),
        *(("user", "Sure?"), ("assistant", "Yes.")) * 2,
    ]
    assert [each.content for each in filed if each.role.value == "tool"] == [
        'weather {"town": "Porto"}',
        "Rain in Porto.",
    ]
    assert {each.wing_name for each in filed} == {"Chats"}
    assert all(each.said_at and each.replaced_at is None for each in filed)


def test_an_agent_recalls_what_was_said_in_another_session(palace: Palace) -> None:
    session = PalaceSession(SQLiteSession("old"), palace)
    asyncio.run(session.add_items([{"role": "user", "content": "The spare key is under the blue pot."}]))
    model = Scripted(called("recall", '{"query": "where is the spare key?"}'), said("Under the pot."))
    agent = Agent(name="helper", model=model, tools=[recall_tool(palace)])
    asyncio.run(run(agent, PalaceSession(SQLiteSession("new"), palace), "Where is my key?"))
    assert "blue pot" in model.sent[1][-1]["output"]
    assert "<memory_context>" in model.sent[1][-1]["output"]


def test_popping_and_clearing_are_those_of_the_inner_session_and_the_palace_keeps_what_was_said(palace: Palace) -> None:
    async def walk() -> None:
        session = PalaceSession(SQLiteSession("s", session_settings=SessionSettings(limit=2)), palace)
        assert session.session_settings == SessionSettings(limit=2)
        assert not is_openai_responses_compaction_aware_session(session)
        await session.add_items([])
        assert await session.pop_item() is None
        await session.add_items([{"role": "user", "content": text} for text in ("one", "two", "three")])
        assert [item["content"] for item in await session.get_items()] == ["two", "three"]  # type: ignore[typeddict-item]
        assert [item["content"] for item in await session.get_items(1)] == ["three"]  # type: ignore[typeddict-item]
        assert await session.pop_item() == {"role": "user", "content": "three"}
        await session.clear_session()
        assert await session.get_items(10) == []

    asyncio.run(walk())
    assert [each.content for each in drawers(palace)] == ["one", "two", "three"]


def test_awkward_items_stay_in_the_history_and_what_can_be_read_is_filed(
    palace: Palace, caplog: pytest.LogCaptureFixture
) -> None:
    items: list[Any] = [
        {"role": "user", "content": ""},
        {
            "role": "user",
            "content": [
                {"type": "input_text", "text": "Look 🦩\x00"},
                {"type": "input_image", "image_url": "data:image/png;base64,AAAA"},
            ],
        },
        {"type": "reasoning", "id": "r", "summary": []},
        {"type": "something_new", "data": [1, {"deep": None}]},
        {"role": "user", "content": "river bank " * 1_000_000},
    ]
    session = PalaceSession(SQLiteSession("odd"), palace)
    asyncio.run(session.add_items(items))
    assert asyncio.run(session.get_items()) == items
    contents = [each.content for each in drawers(palace)]
    assert contents[0].startswith("Look 🦩")
    assert contents[-1] == items[-1]["content"]
    asyncio.run(
        PalaceSession(SQLiteSession("large"), palace).add_items([{"role": "user", "content": "x" * (65 << 20)}])
    )
    assert "67,108,864" in caplog.text


def test_another_users_session_of_the_same_id_is_another(palaces: Palaces, palace: Palace) -> None:
    other = palaces.palace(f"{palace.user}-other")
    for each, text in ((palace, "mine"), (other, "theirs")):
        asyncio.run(PalaceSession(SQLiteSession("s"), each).add_items([{"role": "user", "content": text}]))
    assert [[each.content for each in drawers(one)] for one in (palace, other)] == [["mine"], ["theirs"]]


def test_the_program_of_the_page_runs(
    run_page: Callable[[str], None], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(agents, "Agent", partial(Agent, model=Scripted(said("Under the blue pot."))))
    run_page("OpenAI Agents SDK")
    assert capsys.readouterr().out == "Under the blue pot.\n"
