"""The stateless loop: tools are called, their results observed, and the question answered."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from palace import AgentRequest, AgentSettings, AgentStep, BadRequest, LanguageModelError, Palace, ReActLoop, Tool
from palace.testing import Answer, LanguageModelServer, RawAnswer, tool_call

MODEL = "openai/scripted"


def opening(store: str, day: int = 1) -> str:
    """Tell when a store opens."""
    return f"{store} opens at {day + 7}"


def sent(provider: LanguageModelServer) -> list[dict[str, Any]]:
    messages: list[dict[str, Any]] = provider.requests[-1].body["messages"]
    return messages


def test_a_tool_is_called_and_its_result_observed(provider: LanguageModelServer) -> None:
    provider.script.extend([tool_call("opening", "I look it up.", store="Miller", day=2), "At nine."])
    run = ReActLoop(MODEL, [opening]).run("When does Miller open?")
    assert (run.answer, run.iterations, run.is_finished, run.notes) == ("At nine.", 2, True, [])
    assert run.steps == [AgentStep("I look it up.", "opening", '{"store": "Miller", "day": 2}', "Miller opens at 9")]
    described = provider.requests[0].body["tools"][0]["function"]
    assert (described["name"], described["description"]) == ("opening", "Tell when a store opens.")
    assert described["parameters"]["required"] == ["store"]
    call, result = sent(provider)[-2:]
    assert call["tool_calls"][0]["id"] == result["tool_call_id"]
    assert (result["role"], result["content"]) == ("tool", "Miller opens at 9")


def test_an_action_in_text_is_carried_out_like_a_call(provider: LanguageModelServer) -> None:
    written = 'Thought: I look.\nAction: opening\nAction Input: {"store": "Miller"}\nObservation: I make it up'
    provider.script.extend([written, "Thought: I know.\nFinal Answer: At eight."])
    run = ReActLoop(MODEL, [opening]).run("When does Miller open?")
    assert (run.answer, run.steps) == (
        "At eight.",
        [AgentStep("I look.", "opening", '{"store": "Miller"}', "Miller opens at 8")],
    )
    assert sent(provider)[-1] == {"role": "user", "content": "Observation: Miller opens at 8"}


def test_whatever_goes_wrong_in_a_tool_is_an_observation(provider: LanguageModelServer) -> None:
    def broken() -> None:
        raise OSError("no network")

    wrong: list[str | RawAnswer] = [
        tool_call("broken"),
        tool_call("closing"),
        tool_call("opening", day=1),
        'Action: opening\nAction Input: {"store": ',
    ]
    provider.script.extend([*wrong, "I cannot say."])
    run = ReActLoop(MODEL, [broken, opening]).run("When does Miller open?")
    told = ["OSError: no network", "there is no tool 'closing'", "store: Missing", "JSONDecodeError"]
    assert [part in step.observation for part, step in zip(told, run.steps, strict=True)] == [True] * 4
    assert all(step.is_failed and step.observation.startswith("error: ") for step in run.steps)
    assert run.answer == "I cannot say."


def test_after_the_last_iteration_the_model_must_answer(provider: LanguageModelServer) -> None:
    provider.script.extend([*(tool_call("opening", store="Miller") for _ in range(3)), "Perhaps at eight."])
    run = ReActLoop(MODEL, [opening], settings={"max-iterations": 3}).run("When does Miller open?")
    assert (run.answer, len(run.steps), run.is_finished) == ("Perhaps at eight.", 3, False)
    assert [request.body.get("tool_choice") for request in provider.requests] == [None, None, None, "none"]


def test_history_state_and_context_are_in_the_request(provider: LanguageModelServer) -> None:
    provider.script.append("Yes.")
    history = [{"role": "user", "content": "Hello"}, {"role": "assistant", "content": "Hi."}]
    loop = ReActLoop(MODEL, settings={"additional_context": "You work in a shop."})
    loop.run(AgentRequest(question="Open?", history=history, state={"till": 3}))
    system, *rest = sent(provider)
    assert "You work in a shop." in system["content"]
    assert '{"till": 3}' in system["content"]
    assert rest == [*history, {"role": "user", "content": "Open?"}]
    assert "tools" not in provider.requests[0].body


def test_a_streaming_run_goes_on_while_it_is_iterated(provider: LanguageModelServer) -> None:
    provider.script.extend([tool_call("opening", "I look.", store="Miller"), "At eight sharp."])
    run = ReActLoop(MODEL, [opening]).run("When does Miller open?", streaming=True)
    assert provider.requests == []
    events = list(run)
    assert events[:2] == ["I look.", run.steps[0]]
    assert events[2:] == ["At ", "eight ", "sharp."]
    assert run.answer == "At eight sharp."


def test_older_steps_are_summarised_past_the_threshold_and_the_latest_stay(provider: LanguageModelServer) -> None:
    def read(page: int) -> str:
        return f"page {page}: " + "the mast was painted. " * 40

    pages = [tool_call("read", f"I read page {page}.", page=page) for page in range(3)]
    summary = json.dumps({"summary": "Page 0 tells of the mast."})
    provider.script.extend([*pages, summary, "It was painted."])
    run = ReActLoop(MODEL, [read], settings={"working-memory-threshold": 800}).run("What became of the mast?")
    assert (run.answer, run.notes) == ("It was painted.", [])
    summarising = provider.requests[3].prompt
    assert "page 0" in summarising
    assert "page 1" not in summarising
    _, summed_up, question, *latest = sent(provider)
    assert "Page 0 tells of the mast." in summed_up["content"]
    assert question == {"role": "user", "content": "What became of the mast?"}
    assert [each["content"][:7] for each in latest if each["role"] == "tool"] == ["page 1:", "page 2:"]


def test_a_throttled_call_is_made_again_and_a_refused_one_is_an_error(provider: LanguageModelServer) -> None:
    provider.script.extend([Answer.THROTTLED, "Yes.", Answer.REFUSED])
    loop = ReActLoop(MODEL)
    assert loop.run("Open?").answer == "Yes."
    with pytest.raises(LanguageModelError, match="scripted"):
        loop.run("Open?")


def test_calls_are_in_the_ledger_and_within_the_budget(palace: Palace, provider: LanguageModelServer) -> None:
    provider.script.extend([tool_call("opening", store="Miller"), "At eight."])
    ReActLoop("openai/gpt-4o-mini", [opening], palace=palace).run("When does Miller open?")
    (line,) = palace.costs()
    assert (line.purpose, line.calls, line.failed) == ("agent", 2, 0)
    palace._opened.settings.__dict__["budget_tokens_daily"] = 1
    with pytest.raises(LanguageModelError, match="budget"):
        ReActLoop("openai/gpt-4o-mini", [opening], palace=palace).run("When does Miller open?")


def test_settings_have_dashed_names_in_files_and_snake_case_in_python(tmp_path: Path) -> None:
    file = tmp_path / "agent.toml"
    file.write_text("[agent]\nmax-iterations = 4\nenable-episode-recording = false\n")
    assert AgentSettings.from_toml(file) == AgentSettings(max_iterations=4, enable_episode_recording=False)
    assert AgentSettings.of({"fact-retrieval-top-k": 7}) == AgentSettings.of({"fact_retrieval_top_k": 7})
    defaults = AgentSettings()
    assert (defaults.working_memory_threshold, defaults.fact_retrieval_top_k) == (2_000, 5)
    assert (defaults.episode_retrieval_top_k, defaults.max_iterations) == (3, 10)
    for wrong in ({"max-iteration": 4}, {"max-iterations": 0}):
        with pytest.raises(BadRequest, match="max-iteration"):
            AgentSettings.of(wrong)


def test_what_is_no_tool_or_request_is_refused() -> None:
    def unclear(value: Palace) -> None:
        """Take what JSON has no word for."""

    for wrong in ([3], [unclear], [opening, opening], [Tool.of(opening), opening]):
        with pytest.raises(BadRequest, match="tool"):
            ReActLoop(MODEL, wrong)  # type: ignore[arg-type]
    for request in ("", {"question": "Open?", "mood": "good"}, {"question": 3}):
        with pytest.raises(BadRequest, match="AgentRequest"):
            ReActLoop(MODEL).run(request)
