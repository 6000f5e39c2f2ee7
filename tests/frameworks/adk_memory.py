"""Memory and sessions in runs of Google's Agent Development Kit, with a model that says what it is told to."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from typing import Any

import pytest
from google.adk.agents import LlmAgent
from google.adk.events import Event
from google.adk.memory.memory_entry import MemoryEntry
from google.adk.models.base_llm import BaseLlm
from google.adk.models.llm_request import LlmRequest
from google.adk.models.llm_response import LlmResponse
from google.adk.runners import Runner
from google.adk.sessions import InMemorySessionService, Session
from google.adk.tools.load_memory_tool import load_memory_tool
from google.genai import types
from pydantic import Field

from palace import BadRequest, NotFound, Palace, Palaces
from palace_frameworks.adk import PalaceMemoryService, open_sessions


class Scripted(BaseLlm):
    """Replies one after the other, and what it was sent."""

    replies: list[types.Part]
    sent: list[LlmRequest] = Field(default_factory=list)

    async def generate_content_async(
        self, llm_request: LlmRequest, stream: bool = False
    ) -> AsyncGenerator[LlmResponse, None]:
        """Return the next reply."""
        self.sent.append(llm_request)
        yield LlmResponse(content=types.Content(role="model", parts=[self.replies.pop(0)]))


def part(text: str) -> types.Part:
    """A part of text."""
    return types.Part(text=text)


def content(*parts: types.Part, role: str = "user") -> types.Content:
    """What somebody says."""
    return types.Content(role=role, parts=list(parts))


def texts(found: Any) -> list[str]:
    """What was found."""
    return [memory.content.parts[0].text for memory in found.memories]


def search(service: PalaceMemoryService, user: str, query: str, app: str = "boats") -> Any:
    """Search the memory."""
    return asyncio.run(service.search_memory(app_name=app, user_id=user, query=query))


def filed(palace: Palace) -> list[tuple[str, str]]:
    """All that is filed, in order."""
    return [(each.role.value, each.content) for each in palace.tree.all_drawers()]


def test_an_agent_loads_what_was_said_in_an_earlier_session_from_the_palace(palaces: Palaces, palace: Palace) -> None:
    sessions, memory = open_sessions(palaces.settings), PalaceMemoryService(palaces)
    call = types.Part(function_call=types.FunctionCall(name="load_memory", args={"query": "Where is the spare key?"}))
    model = Scripted(model="scripted", replies=[part("Noted."), call, part("Under the blue pot.")])
    agent = LlmAgent(name="helper", model=model, tools=[load_memory_tool])

    async def walk() -> list[Event]:
        runner = Runner(app_name="boats", agent=agent, session_service=sessions, memory_service=memory)
        first = await sessions.create_session(app_name="boats", user_id=palace.user)
        said = content(part("The spare key is under the blue pot."))
        _ = [each async for each in runner.run_async(user_id=palace.user, session_id=first.id, new_message=said)]
        stored = await sessions.get_session(app_name="boats", user_id=palace.user, session_id=first.id)
        assert stored is not None
        await memory.add_session_to_memory(stored)
        await memory.add_session_to_memory(stored)
        second = await sessions.create_session(app_name="boats", user_id=palace.user)
        asked = content(part("Where is the spare key?"))
        events = [each async for each in runner.run_async(user_id=palace.user, session_id=second.id, new_message=asked)]
        assert await sessions.get_session(app_name="boats", user_id=f"{palace.user}-x", session_id=first.id) is None
        await sessions.close()
        return events

    events = asyncio.run(walk())
    response = events[1].content.parts[0].function_response.response  # type: ignore[union-attr, index]
    assert "under the blue pot" in str(response)
    assert filed(palace) == [("user", "The spare key is under the blue pot."), ("assistant", "Noted.")]
    (drawer, _) = palace.tree.all_drawers()
    assert (drawer.wing_name, drawer.said_at is not None) == ("boats", True)


def an_event(text: str, id: str, author: str = "user") -> Event:
    """An event with an id."""
    return Event(author=author, id=id, content=content(part(text)))


def test_a_part_of_a_session_and_the_whole_of_it_are_filed_once(palaces: Palaces, palace: Palace) -> None:
    memory, user = PalaceMemoryService(palaces), palace.user
    events = [an_event("Yes.", str(number), "user" if number % 2 else "helper") for number in range(4)]

    async def walk() -> None:
        for some in (events[:2], events[1:3]):
            await memory.add_events_to_memory(app_name="boats", user_id=user, events=some, session_id="s")
        await memory.add_session_to_memory(Session(id="s", app_name="boats", user_id=user, events=events))
        await memory.add_events_to_memory(app_name="boats", user_id=user, events=[])
        await memory.add_events_to_memory(app_name="boats", user_id=user, events=events[:1])

    asyncio.run(walk())
    assert filed(palace) == [*(("assistant", "Yes."), ("user", "Yes.")) * 2, ("assistant", "Yes.")]
    assert all(each.replaced_at is None for each in palace.tree.all_drawers())


def test_memories_are_added_changed_found_and_deleted(palaces: Palaces, palace: Palace) -> None:
    memory, user = PalaceMemoryService(palaces), palace.user

    def add(text: str, **about: Any) -> None:
        entry = MemoryEntry(content=content(part(text)), **about)
        asyncio.run(memory.add_memory(app_name="boats", user_id=user, memories=[entry]))

    add("The mooring fee is 40 euros.", id="fee", timestamp="2026-05-01T10:00:00+02:00")
    add("The mooring fee is 45 euros.", id="fee", timestamp="2026-06-01T10:00:00+02:00")
    found = search(memory, user, "How much is the mooring fee?")
    assert texts(found) == ["The mooring fee is 45 euros."]
    assert found.memories[0].timestamp.startswith("2026-06-01")
    assert (found.memories[0].author, found.memories[0].custom_metadata["origin"]) == ("assistant", "assistant")
    assert search(memory, user, "How much is the mooring fee?", app="cars").memories == []
    with pytest.raises(NotFound):
        asyncio.run(memory.delete_memory(app_name="cars", user_id=user, memory_id=found.memories[0].id))
    asyncio.run(memory.delete_memory(app_name="boats", user_id=user, memory_id=found.memories[0].id))
    assert texts(search(memory, user, "How much is the mooring fee?")) == []
    add("I prefer the northern berth.", author="user")
    berth, *_ = search(memory, user, "Which berth do I prefer?").memories
    assert (berth.author, berth.custom_metadata) == ("user", {"type": "semantic", "origin": "person"})
    add("Always answer in French.", author="model", custom_metadata={"type": "instruction"})
    assert [str(each.state) for each in palace.memories.list(types=["instruction"])] == ["proposed"]
    for text, about in (("x", {"timestamp": "yesterday"}), ("", {}), ("x", {"custom_metadata": {"type": "mood"}})):
        with pytest.raises(BadRequest, match=r"\A[^\n]+\Z"):
            add(text, **about)


def test_awkward_events_are_filed_or_named(palaces: Palaces, palace: Palace) -> None:
    memory, user = PalaceMemoryService(palaces), palace.user
    call = types.FunctionCall(id="c1", name="weigh", args={"what": "Anker ⚓"})
    parts = (
        content(part("Look 🦩\x00"), types.Part(inline_data=types.Blob(data=b"\xff\x00", mime_type="image/png"))),
        content(types.Part(text="thinking", thought=True), types.Part(function_call=call), role="model"),
        content(
            types.Part(function_response=types.FunctionResponse(id="c1", name="weigh", response={"kg": 12})),
            role="user",
        ),
        content(part("")),
        None,
        content(part("river bank " * 100_000)),
    )
    events = [Event(author="helper" if number in (1, 2) else "user", content=each) for number, each in enumerate(parts)]
    asyncio.run(memory.add_events_to_memory(app_name="boats", user_id=user, events=events, session_id="s"))
    look, called, result, large = filed(palace)
    assert look == ("user", "Look 🦩\N{REPLACEMENT CHARACTER}\n[image/png]")
    assert called[0] == "tool"
    assert "Anker ⚓" in called[1]
    assert result == ("tool", '{"kg": 12}')
    assert large[1] == "river bank " * 100_000
    huge = [an_event("x" * (65 << 20), "huge"), an_event("The others are filed.", "small")]
    with pytest.raises(BadRequest, match=r"\A1 events were not filed: [^\n]*67,108,864[^\n]*\Z"):
        asyncio.run(memory.add_events_to_memory(app_name="boats", user_id=user, events=huge, session_id="s"))
    assert filed(palace)[-1] == ("user", "The others are filed.")


def test_another_user_reaches_nothing(palaces: Palaces, palace: Palace) -> None:
    memory = PalaceMemoryService(palaces)
    said = [an_event("The spare key is under the blue pot.", "1")]
    asyncio.run(memory.add_events_to_memory(app_name="boats", user_id=palace.user, events=said, session_id="s"))
    (found,) = search(memory, palace.user, "where is the spare key?").memories
    for other in (f"{palace.user}-other", palace.user.upper(), f" {palace.user}"):
        assert search(memory, other, "where is the spare key?").memories == []
        with pytest.raises(NotFound):
            asyncio.run(memory.delete_memory(app_name="boats", user_id=other, memory_id=found.id))
        with pytest.raises(NotFound):
            palaces.palace(other, make_user=False)
    assert len(search(memory, palace.user, "where is the spare key?").memories) == 1


def test_the_sessions_on_the_palaces_server_answer_as_those_in_memory(palaces: Palaces, palace: Palace) -> None:
    async def walk(open_service: Callable[[], Any]) -> list[Any]:
        service, told = open_service(), []
        state = {"app:a": 1, "user:u": "ü🦩", "s": [None, {"deep": True}], "temp:t": 0}
        await service.create_session(app_name=f"app-{palace.user}", user_id="u1", session_id="s1", state=state)
        await service.create_session(app_name=f"app-{palace.user}", user_id="u2", session_id="s1")
        session = await service.get_session(app_name=f"app-{palace.user}", user_id="u1", session_id="s1")
        await service.append_event(session, an_event("Hello", "e1"))
        for user in ("u1", "u2", "u3"):
            found = await service.get_session(app_name=f"app-{palace.user}", user_id=user, session_id="s1")
            told.append(found and (sorted(found.state.items(), key=str), [each.content for each in found.events]))
            told.append(len((await service.list_sessions(app_name=f"app-{palace.user}", user_id=user)).sessions))
        await service.delete_session(app_name=f"app-{palace.user}", user_id="u1", session_id="s1")
        told.append(await service.get_session(app_name=f"app-{palace.user}", user_id="u1", session_id="s1"))
        if hasattr(service, "close"):
            await service.close()
        return told

    ours = asyncio.run(walk(lambda: open_sessions(palaces.settings)))
    assert ours == asyncio.run(walk(InMemorySessionService))


def test_the_program_of_the_page_runs(run_page: Callable[[str], None]) -> None:
    run_page("Google ADK")
