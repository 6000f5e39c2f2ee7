"""Open conversations of agents survive a restart, and go with the messages that they stand on."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import pytest

from palace import NotFound, Palace
from palace.testing import LanguageModelServer, tool_call
from tests.agents.shop import agent_in, learnt, listed
from tests.held import execute


def talk(palace: Palace, provider: LanguageModelServer, question: str, *facts: str, conversation: str = "fair") -> None:
    """Ask a question in a conversation, and end the process without closing the agent."""
    provider.script.extend(["Noted.", learnt(f"Summary of {question}", facts)])
    agent = agent_in(palace)
    agent.run(question, conversation_id=conversation)
    agent._conversations._thread.shutdown()


def test_another_process_goes_on_with_a_conversation_and_ends_it(palace: Palace, provider: LanguageModelServer) -> None:
    talk(palace, provider, "I prefer Ghent for the fair.", "I prefer Ghent for the fair")
    talk(palace, provider, "And when is it?")
    assert "Summary of I prefer Ghent" in provider.requests[-2].body["messages"][0]["content"]
    assert listed(palace) == {}
    agent_in(palace).end("fair")
    (fact,), (episode,) = listed(palace, "semantic").values(), listed(palace, "episodic").values()
    assert [palace.show(str(each)).drawer.content for each in fact.evidence] == ["I prefer Ghent for the fair."]
    assert episode.content.startswith("Goal: I prefer Ghent for the fair. / And when is it?")
    assert len(episode.evidence) == 3  # the same reply twice is filed once
    assert palace.working.sessions() == ()
    agent_in(palace).end("fair")
    assert len(listed(palace, "episodic")) == 1


def test_the_next_run_ends_conversations_that_are_idle(palace: Palace, provider: LanguageModelServer) -> None:
    talk(palace, provider, "I prefer Ghent.", "I prefer Ghent")
    talk(palace, provider, "Hello.", conversation="chat")
    assert listed(palace) == {}
    statement = "UPDATE working_summary SET made_at = now() - interval '2 hours' WHERE user_id = :user_id"
    execute(palace, statement)
    talk(palace, provider, "Hello again.", conversation="chat")
    assert list(listed(palace, "semantic")) == ["I prefer Ghent"]
    assert [each.session for each in palace.working.sessions()] == ["agent/Agent/chat"]


def test_a_forgotten_message_takes_its_open_conversation_with_it(palace: Palace, provider: LanguageModelServer) -> None:
    talk(palace, provider, "I prefer Ghent.", "I prefer Ghent")
    (question,) = (each for each in palace.tree.all_drawers() if each.content == "I prefer Ghent.")
    palace.forget(str(question.pointer))
    agent_in(palace).end("fair")
    assert listed(palace) == {}


def test_a_stored_fact_goes_with_the_message_that_said_it(palace: Palace, provider: LanguageModelServer) -> None:
    history = [{"role": "user", "content": "My canoe is red."}, {"role": "assistant", "content": "Nice."}]
    provider.script.extend([tool_call("store_fact", fact="The user's canoe is red"), "Yes.", learnt()])
    with agent_in(palace) as agent:
        agent.run("Can you remember that?", history=history)
    (fact,) = listed(palace, "semantic").values()
    (evidence,) = [palace.show(str(each)).drawer for each in fact.evidence]
    assert (evidence.content, str(fact.origin)) == ("My canoe is red.", "person")
    said = [each.content for each in palace.tree.all_drawers() if each.content not in listed(palace)]
    assert sorted(said) == ["Can you remember that?", "My canoe is red.", "Yes."]
    palace.forget(str(evidence.pointer))
    with pytest.raises(NotFound):
        palace.memories.get(str(fact.id))


def test_runs_at_once_in_two_processes_are_all_kept(palace: Palace, provider: LanguageModelServer) -> None:
    provider.script.extend(["The same reply to each, which is no JSON."] * 12)
    agents = [agent_in(palace) for _ in range(2)]
    with ThreadPoolExecutor(6) as threads:
        list(threads.map(lambda at: agents[at % 2].run(f"Question {at}?", conversation_id="fair"), range(6)))
    for agent in agents:
        agent.close()
    goals = " ".join(listed(palace, "episodic"))
    assert all(f"Question {at}?" in goals for at in range(6))


def test_secrets_are_not_in_an_open_conversation(palace: Palace, provider: LanguageModelServer) -> None:
    secret = "AKIAIOSFODNN7EXAMPLQ"
    talk(palace, provider, f"My key is {secret}.", f"My key is {secret}")
    (stored,) = palace.working.sessions()
    assert "My key is" in stored.summary
    assert secret not in stored.summary


def test_purge_and_retention_delete_what_agents_wrote_alone(palace: Palace, provider: LanguageModelServer) -> None:
    palace.note("The shop has two doors.", wing="Agent")
    palace.memories.store("The till is green", wing="Agent")
    palace.file([{"role": "user", "content": "Who has the keys?"}], id="chat", wing="Agent")
    others = {each.content for each in palace.tree.all_drawers()}
    provider.script.extend([tool_call("store_fact", fact="I live in Ghent"), "Noted.", learnt("", ("I love tea",))])
    with agent_in(palace, **{"retention-days": 30}) as agent:
        agent.run("I love tea. I live in Ghent.")
    assert len({each.content for each in palace.tree.all_drawers()} - others) == 5
    execute(palace, "UPDATE drawer SET filed_at = now() - interval '31 days' WHERE user_id = :user_id")
    provider.script.extend(["Noted.", learnt()])
    with agent_in(palace, **{"retention-days": 30}) as agent:
        agent.run("Hello.", conversation_id="open")
    assert {each.content for each in palace.tree.all_drawers()} - others == {
        "Hello.",
        "Noted.",
        *listed(palace, "episodic"),
    }
    talk(palace, provider, "I prefer Ghent.", "I prefer Ghent")
    agent_in(palace).purge()
    assert {each.content for each in palace.tree.all_drawers()} == others
    assert list(listed(palace)) == ["The till is green"]
    assert palace.working.sessions() == ()


def test_what_a_person_stored_before_comes_back_when_the_agents_is_purged(
    palace: Palace, provider: LanguageModelServer
) -> None:
    earlier = datetime.now(UTC) - timedelta(days=9)
    palace.memories.store("I live in Bruges", wing="Agent", said_at=earlier)
    provider.script.extend(["Noted.", learnt("", ("I live in Ghent",))])
    with agent_in(palace) as agent:
        agent.run("I live in Ghent.")
    assert list(listed(palace, "semantic")) == ["I live in Ghent"]
    agent_in(palace).purge()
    assert list(listed(palace)) == ["I live in Bruges"]


def test_a_fact_leaves_what_another_collection_says(palace: Palace, provider: LanguageModelServer) -> None:
    palace.memories.store("I live in Bruges", wing="Elsewhere", said_at=datetime.now(UTC) - timedelta(days=9))
    provider.script.extend(["Noted.", learnt("", ("I live in Ghent",))])
    with agent_in(palace) as agent:
        agent.run("I live in Ghent.")
    facts = palace.memories.list(types=["semantic"])
    assert {each.content for each in facts} == {"I live in Ghent", "I live in Bruges"}


@pytest.mark.nightly
def test_a_conversation_of_a_hundred_runs_is_stored_and_begins_anew(
    palace: Palace, provider: LanguageModelServer
) -> None:
    agent = agent_in(palace)
    for number in range(101):
        provider.script.extend([f"Answer {number}.", learnt(f"Summary {number}.")])
        agent.run(f"Question {number}?", conversation_id="long")
    agent._conversations._thread.shutdown()
    (episode,) = listed(palace, "episodic").values()
    assert len(episode.evidence) == 200
    agent_in(palace).end("long")
    assert len(listed(palace, "episodic")) == 2
