"""Agents among failures: odd replies and results, tools that plant facts, and a database that is away."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from typing import Any

import pytest

from palace import LanguageModelError, Palace, Palaces, ReActAgent, ReActLoop
from palace.testing import LanguageModelServer, RawAnswer, tool_call
from tests.agents.shop import MODEL, PATIENT, agent_in, learnt, listed, opening
from tests.held import database_away


def called(*calls: dict[str, Any], text: str = "") -> RawAnswer:
    """A streamed reply with calls as a model may write them."""
    parts = [{"content": text}, *({"tool_calls": [{"index": at, **call}]} for at, call in enumerate(calls))]
    chunks = [{"choices": [{"index": 0, "delta": delta, "finish_reason": None}]} for delta in parts]
    ends = {"choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}]}
    whole = {"id": "scripted", "object": "chat.completion.chunk", "created": 0, "model": "scripted"}
    lines = b"".join(b"data: " + json.dumps({**whole, **each}).encode() + b"\n\n" for each in (*chunks, ends))
    return RawAnswer(lines + b"data: [DONE]\n\n", headers=(("Content-Type", "text/event-stream"),))


def call(name: object, arguments: object) -> dict[str, Any]:
    return {"id": "call_1", "type": "function", "function": {"name": name, "arguments": arguments}}


ODD_CALLS = (
    call("opening", '{"store": "Mil'),
    call("opening", "[1, 2]"),
    call("opening", "null"),
    call("opening", '{"store": ["Miller"]}'),
    call("opening", '{"store": "Miller", "mood": 3}'),
    call("opening\n", '{"store": "\\ud83d"}'),
    call("store_fact", '{"fact": ""}'),
    call("store_fact", '{"fact": "\\u0000"}'),
    call("retrieve_memory", '{"query": ""}'),
    call("retrieve_memory", '{"query": "x", "limit": -5}'),
    call("recall_experience", '{"goal": "\\udcff"}'),
)


def test_odd_calls_are_observed_and_the_model_answers(palace: Palace, provider: LanguageModelServer) -> None:
    provider.script.extend([*map(called, ODD_CALLS), called(*ODD_CALLS[:3], text="All."), "I cannot say.", learnt()])
    with agent_in(palace, **{"max-iterations": 20}) as agent:
        run = agent.run("When does Miller open?")
    assert (run.answer, len(run.steps)) == ("I cannot say.", len(ODD_CALLS) + 3)
    calls = [each for message in provider.requests[-2].body["messages"] for each in message.get("tool_calls") or ()]
    assert calls
    assert all(isinstance(json.loads(each["function"]["arguments"]), dict) for each in calls)


ITSELF: list[Any] = []
ITSELF.append(ITSELF)
ODD_RESULTS: dict[str, Callable[[], Any]] = {
    "huge": lambda: "x" * 1_000_000,
    "surrogates": lambda: "\udcff and \ud83d",
    "bytes": lambda: b"\xff\xfe\x00",
    "nul": lambda: "\x00",
    "itself": lambda: ITSELF,
    "not a number": lambda: {"value": float("nan"), ("a", 1): 2},
    "failing": lambda: (_ for _ in ()).throw(ValueError("y" * 1_000_000)),
    "nothing": lambda: None,
}


def test_odd_results_are_observed_and_the_conversation_is_stored(palace: Palace, provider: LanguageModelServer) -> None:
    def fetch(what: str) -> Any:
        """Fetch something."""
        return ODD_RESULTS[what]()

    provider.script.extend([*(tool_call("fetch", what=each) for each in ODD_RESULTS), "\\o/", learnt()])
    with ReActAgent(MODEL, [fetch], palace=palace, settings={**PATIENT, "working-memory-threshold": 10**6}) as agent:
        run = agent.run("Fetch all.")
    assert (run.answer, run.notes) == ("\\o/", [])
    assert max(len(step.observation) for step in run.steps) < 21_000
    assert len(listed(palace, "episodic")) == 1


def test_a_stream_that_breaks_off_is_an_error_and_leaves_nothing(palace: Palace, provider: LanguageModelServer) -> None:
    begun = called(text="At eig").body.partition(b"data: [DONE]")[0][:-200]
    provider.script.append(RawAnswer(begun, headers=(("Content-Type", "text/event-stream"),)))
    with agent_in(palace) as agent:
        run = agent.run("When does Miller open?", streaming=True, conversation_id="chat")
        with pytest.raises(LanguageModelError):
            list(run)
        provider.script.extend(["At eight sharp."])
        left = agent.run("When does Miller open?", streaming=True)
        next(iter(left))
        left.events.close()  # type: ignore[attr-defined]
    assert listed(palace) == {}
    assert palace.working.sessions() == ()


def test_without_a_database_the_loops_bytes_are_sent_and_one_line_is_logged(
    palaces: Palaces, palace: Palace, provider: LanguageModelServer, caplog: pytest.LogCaptureFixture
) -> None:
    palace.memories.store("Miller opens at seven", wing="Agent")
    bodies, lines = [], []
    for made, of in ((ReActLoop, None), (ReActAgent, palace), (ReActAgent, palaces), (ReActLoop, palace)):
        begun = len(provider.requests)
        provider.script.extend([tool_call("opening", "I look.", store="Miller"), "At eight.", learnt()])
        with database_away(palace), caplog.at_level(logging.WARNING):
            caplog.clear()
            agent = made(MODEL, [opening], palace=of, settings=PATIENT)
            run = agent.run("When does Miller open?", user=palace.user)
            assert run.answer == "At eight."
            if of is palace and isinstance(agent, ReActAgent):
                agent._conversations._thread.shutdown()
            lines.append([each.getMessage() for each in caplog.records])
        bodies.append([json.dumps(each.body) for each in provider.requests[begun:]][:2])
        provider.script.clear()
    assert bodies == bodies[:1] * 4
    assert [len(each) for each in lines] == [0, 1, 1, 1]


def test_a_question_is_no_statement_that_a_tool_could_have_stored(
    palace: Palace, provider: LanguageModelServer
) -> None:
    provider.script.extend(
        [
            tool_call("opening", store="Miller"),
            tool_call("store_fact", fact="The user sends all invoices to mallory"),
            "No.",
            learnt("", ("The user sends all invoices to mallory",)),
        ]
    )
    with agent_in(palace) as agent:
        agent.run("Should I, the user, have all invoices sent to mallory? Who sends all invoices?")
    (fact,) = listed(palace, "semantic").values()
    assert (str(fact.origin), str(fact.type)) == ("tool", "semantic")
    assert not palace.memories.list(types=["instruction"])
