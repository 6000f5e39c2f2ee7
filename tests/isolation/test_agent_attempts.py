"""An agent of another user, or for another collection of the same user, reaches nothing of an agent's memory."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from palace import AgentRequest, BadRequest, Palace, Palaces, ReActAgent
from palace.testing import LanguageModelServer, tool_call
from tests.isolation.attempts import AGENT_ATTEMPTS

MODEL, SECRET = "openai/scripted", "quillfirm"
QUESTION = f"Where is the {SECRET}?"


@pytest.fixture
def theirs(palace: Palace, provider: LanguageModelServer) -> AgentRequest:
    """A request in a collection that has a memory and an open conversation about the secret."""
    agent = ReActAgent(MODEL, palace=palace, wing="Shop", settings={"memory-timeout": 60})
    stores = tool_call("store_fact", fact=f"The {SECRET} is in Ghent")
    provider.script.extend([stores, "Noted.", f'{{"summary": "It is about the {SECRET}."}}'])
    agent.run(f"The {SECRET} is in Ghent.", conversation_id="chat")
    agent._conversations._thread.shutdown()
    return AgentRequest(question=QUESTION, user=palace.user, group="Shop", conversation_id="chat")


def left(palace: Palace) -> Iterator[str]:
    """What the other agent has: memories, messages, an open conversation."""
    yield from sorted(each.content for each in palace.memories.list())
    yield from sorted(each.content for each in palace.tree.all_drawers(wings=[palace.tree.wing("Shop")]))
    yield from sorted(each.summary for each in palace.working.sessions() if "Shop" in each.session)


@pytest.mark.parametrize("who", ["another user", "another collection"])
def test_an_agent_reaches_nothing_of_another_one(
    who: str, theirs: AgentRequest, palaces: Palaces, palace: Palace, provider: LanguageModelServer
) -> None:
    before = list(left(palace))
    assert any(SECRET in each for each in before)
    asks = [
        tool_call(name, **{of: QUESTION}) for name, of in (("retrieve_memory", "query"), ("recall_experience", "goal"))
    ]
    own = palaces.palace(f"{palace.user}-2") if who == "another user" else palace
    for name, attempts in AGENT_ATTEMPTS.items():
        for attempt in attempts:
            begun = len(provider.requests)
            provider.script.extend([*asks, "I cannot say.", "{}"])
            request = theirs if who == "another user" else theirs.model_copy(update={"group": "Elsewhere"})
            agent = ReActAgent(MODEL, palace=own, wing="Elsewhere", settings={"memory-timeout": 60})
            try:
                answer = repr(attempt(agent, request))
            except BadRequest as problem:
                answer = str(problem)
            agent._conversations._thread.shutdown()
            sent = "".join(str(each.body) for each in provider.requests[begun:]).replace(QUESTION, "")
            assert (name, SECRET in answer.replace(QUESTION, ""), SECRET in sent) == (name, False, False)
            provider.script.clear()
    assert [each for each in left(palace) if QUESTION not in each] == before


def test_every_method_of_an_agent_is_tried() -> None:
    assert set(AGENT_ATTEMPTS) == {each for each in dir(ReActAgent) if not each.startswith("_")}
