"""The context provider in runs of Microsoft's Agent Framework, with a model that says what it is told to."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest
from agent_framework import (
    Agent,
    AgentSession,
    BaseChatClient,
    ChatResponse,
    Content,
    FunctionInvocationLayer,
    Message,
    SessionContext,
    tool,
)

from palace import BadRequest, Palace, Palaces
from palace_frameworks.agent_framework import PalaceProvider


class Scripted(FunctionInvocationLayer[Any], BaseChatClient[Any]):
    """Replies one after the other, and what it was sent."""

    def __init__(self, *replies: Content | str) -> None:
        super().__init__()
        self.replies = list(replies)
        self.sent: list[list[Message]] = []

    async def _inner_get_response(
        self, *, messages: Sequence[Message], stream: bool, options: Mapping[str, Any], **kwargs: Any
    ) -> ChatResponse[Any]:
        self.sent.append(list(messages))
        return ChatResponse(messages=[Message("assistant", [self.replies.pop(0)])])


@tool(approval_mode="never_require")
def weigh(what: str) -> str:
    """Weigh something."""
    return f"{what} weighs 12 kg"


def filed(palace: Palace) -> list[tuple[str, str]]:
    """All that is filed, in order."""
    return [(each.role.value, each.content) for each in palace.tree.all_drawers()]


def run(client: Scripted, palace: Palace, session: AgentSession, *said: str) -> list[str]:
    """Run an agent for each message; return the replies."""

    async def walk() -> list[str]:
        agent = Agent(client=client, tools=[weigh], context_providers=[PalaceProvider(palace, wing="Boats")])
        return [(await agent.run(each, session=session)).text for each in said]

    return asyncio.run(walk())


def test_an_agent_is_told_what_was_said_in_an_earlier_session(palace: Palace) -> None:
    run(Scripted("Noted."), palace, AgentSession(), "The spare key is under the blue pot.")
    client = Scripted("Under the pot.", "Sure.", "Sure.")
    run(client, palace, AgentSession(), "Where is the spare key?", "Really?", "Really?")
    block = client.sent[0][0]
    assert "blue pot" in block.text
    assert block.text.startswith("<memory_context>")
    assert block.additional_properties["_attribution"]["source_id"] == "palace"
    assert filed(palace) == [
        ("user", "The spare key is under the blue pot."),
        ("assistant", "Noted."),
        ("user", "Where is the spare key?"),
        ("assistant", "Under the pot."),
        *(("user", "Really?"), ("assistant", "Sure.")) * 2,
    ]
    assert {each.wing_name for each in palace.tree.all_drawers()} == {"Boats"}
    assert all(each.replaced_at is None for each in palace.tree.all_drawers())


def test_calls_of_tools_and_their_results_are_filed(palace: Palace) -> None:
    call = Content.from_function_call("c1", "weigh", arguments={"what": "Anker ⚓"})
    assert run(Scripted(call, "12 kg."), palace, AgentSession(), "How heavy is the anchor?") == ["12 kg."]
    asked, called, result, reply = filed(palace)
    assert (asked, reply) == (("user", "How heavy is the anchor?"), ("assistant", "12 kg."))
    assert called[0] == "tool"
    assert "Anker ⚓" in called[1]
    assert result == ("tool", "Anker ⚓ weighs 12 kg")


def handed(palace: Palace, *messages: Message) -> None:
    """Hand messages to the provider as a run without a reply does."""
    provider, session = PalaceProvider(palace), AgentSession()
    about: Any = {"agent": None, "session": session, "state": {}}
    context = SessionContext(session_id=session.session_id, input_messages=list(messages))

    async def walk() -> None:
        await provider.before_run(context=context, **about)
        await provider.after_run(context=context, **about)

    asyncio.run(walk())


def test_awkward_messages_are_filed_or_named(palace: Palace) -> None:
    picture = Content.from_data(b"\xff\x00", "image/png")
    handed(palace)
    handed(palace, Message("user", []), Message("user", [""]))
    handed(palace, Message("user", ["Look 🦩\x00", picture], author_name="Ann"), Message("system", ["Be kind."]))
    handed(palace, Message("user", ["river bank " * 100_000]))
    look, *_, large = palace.tree.all_drawers()
    assert (look.content, look.speaker) == ("Look 🦩\N{REPLACEMENT CHARACTER}\n[image/png]", "Ann")
    assert large.content == "river bank " * 100_000
    with pytest.raises(BadRequest, match=r"\A1 messages were not filed: [^\n]*67,108,864[^\n]*\Z"):
        handed(palace, Message("assistant", ["x" * (65 << 20)]), Message("user", ["The others are filed."]))
    assert filed(palace)[-1] == ("user", "The others are filed.")


def test_another_user_reaches_nothing(palaces: Palaces, palace: Palace) -> None:
    run(Scripted("Noted."), palace, AgentSession(session_id="s"), "The spare key is under the blue pot.")
    client = Scripted("I do not know.")
    run(client, palaces.palace(f"{palace.user}-other"), AgentSession(session_id="s"), "Where is the spare key?")
    assert [message.text for message in client.sent[0]] == ["Where is the spare key?"]
    assert len(filed(palace)) == 2


def test_the_program_of_the_page_runs(run_page: Callable[[str], None], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    run_page("Microsoft Agent Framework")
