"""What a hook is answered: of its project alone, within its budget, once, and nothing where nothing is to be said."""

from __future__ import annotations

import json
import time
from dataclasses import replace
from pathlib import Path

import pytest

from palace.errors import DatabaseUnavailable, NotFound
from palace.hooks.answering import Ground, answer_request
from palace.hooks.answering.budget import MOST_CHARACTERS, weigh
from palace.hooks.failures import list_failures
from palace.hooks.sessions import Session, Sessions
from palace.opened import OpenPalace
from palace.store.projects.held import allow_wings
from palace.verbs.projects import project_scope
from tests.hooks.conftest import Agent, line, repository

ASKED = "Why did we drop Redis from the Kittiwake service?"
ANSWER = "We dropped Redis from the Kittiwake service because of its licence."


@pytest.fixture
def filed(agent: Agent) -> Agent:
    """An agent in whose project an earlier session was filed."""
    file(agent, "s-0", agent.project, ANSWER, "Valkey took its place in the Kittiwake service.")
    return agent


def file(agent: Agent, session: str, folder: Path, *said: str) -> None:
    """Have a session filed and embedded."""
    lines = [line(number, each, session=session) for number, each in enumerate(said, 1)]
    transcript = agent.transcript(*lines, name=session)
    agent.send("Stop", session=session, folder=folder, transcript_path=str(transcript))
    agent.miner.look()
    agent.palace.turns.end()


def test_a_prompt_is_answered_with_what_an_earlier_session_said(filed: Agent) -> None:
    block = filed.send("UserPromptSubmit", prompt=ASKED)
    assert block.startswith("<memory_context>\n§ W-001/R-01/D-001 ")
    assert "because of its licence" in block


def test_what_was_said_for_another_project_is_not_recalled(filed: Agent, tmp_path: Path) -> None:
    other = repository(tmp_path / "other")
    assert filed.send("UserPromptSubmit", session="s-2", folder=other, prompt=ASKED) == ""
    file(filed, "s-3", other, "The Tern service is written in Go.")
    for name in ("UserPromptSubmit", "SessionStart"):
        block = filed.send(name, session="s-2", folder=other, prompt=ASKED, source="startup")
        assert "Kittiwake" not in block
    assert "Tern" in filed.send("SessionStart", session="s-4", folder=other, source="startup")


def test_what_the_person_listed_for_a_project_is_recalled_in_it(filed: Agent, tmp_path: Path) -> None:
    other = repository(tmp_path / "other")
    file(filed, "s-3", other, "The Tern service is written in Go.")
    opened = filed.palace._opened
    scope, listed = project_scope(opened, other), project_scope(opened, filed.project)
    assert listed.wing_id is not None
    wing_id = listed.wing_id
    opened.run(lambda session: allow_wings(session, scope.key, [wing_id]))
    assert "licence" in filed.send("UserPromptSubmit", session="s-2", folder=other, prompt=ASKED)


def test_an_agent_that_walks_into_another_project_is_not_given_its_memory(filed: Agent, tmp_path: Path) -> None:
    other = repository(tmp_path / "other")
    filed.send("SessionStart", session="s-2", folder=other, source="startup")
    assert filed.send("UserPromptSubmit", session="s-2", folder=filed.project, prompt=ASKED) == ""


def test_what_was_injected_already_is_not_injected_again(filed: Agent) -> None:
    first = filed.send("UserPromptSubmit", prompt=ASKED)
    assert "licence" in first
    assert "licence" not in filed.send("UserPromptSubmit", prompt=ASKED)
    assert "licence" in filed.send("UserPromptSubmit", session="s-9", prompt=ASKED)


@pytest.mark.parametrize(("source", "keeps"), [("compact", False), ("clear", False), ("resume", True)])
def test_what_the_model_sees_no_longer_may_be_injected_again(filed: Agent, source: str, *, keeps: bool) -> None:
    sessions = Sessions(filed.settings.home_folder, filed.palace.user)
    sessions.save("s-1", Session(str(filed.project)).told([-7]).asked("Why so?"))
    assert "licence" in filed.send("SessionStart", source=source)
    known = sessions.load("s-1")
    assert (-7 in known.drawers) is keeps
    assert len(known.drawers) > 1 or not keeps
    assert bool(known.prompts) is keeps


def test_what_this_very_session_said_is_not_put_beside_it(agent: Agent) -> None:
    file(agent, "s-1", agent.project, ANSWER)
    assert agent.send("UserPromptSubmit", session="s-1", prompt=ASKED) == ""
    assert "licence" in agent.send("UserPromptSubmit", session="s-2", prompt=ASKED)


@pytest.mark.parametrize(
    "prompt",
    [
        "",
        "go on",
        "/compact keep the reason why we dropped Redis from the Kittiwake service",
        "!git log --grep 'why did we drop Redis from Kittiwake'",
        "<task-notification>We dropped Redis from the Kittiwake service</task-notification>",
        "thanks, that is very kind of you",
        "Write a regex for an email address in Python",
    ],
)
def test_a_prompt_that_needs_no_memory_gets_not_a_byte(filed: Agent, prompt: str) -> None:
    assert filed.send("UserPromptSubmit", prompt=prompt) == ""


def test_a_session_begins_with_the_same_bytes_whatever_the_clock_says(filed: Agent) -> None:
    first = filed.send("SessionStart", source="startup")
    assert first.startswith("<memory_context>\n§ ")
    assert weigh(first) <= 600
    again = [filed.send("SessionStart", session=f"s-{number}", source="resume") for number in range(3)]
    assert {*again} == {first}
    file(filed, "s-5", filed.project, "The Kittiwake service now runs on port 8642 of the staging host.")
    assert filed.send("SessionStart", source="startup") != first


def test_a_block_keeps_to_its_budget(agent: Agent) -> None:
    said = [f"Redis was dropped from the Kittiwake service, reason {n}: " + "licence terms, " * 60 for n in range(40)]
    file(agent, "s-0", agent.project, *said)
    agent.palace.settings.set("injection_tokens", 50_000)
    agent.palace.settings.set("top_k", 40)
    block = agent.send("UserPromptSubmit", prompt=ASKED)
    assert 0 < len(block) <= MOST_CHARACTERS
    assert weigh(block) <= 2000


def test_an_agent_without_memory_is_given_nothing(filed: Agent) -> None:
    filed.palace.settings.set("enabled", False, agent="claude-code")
    assert filed.send("UserPromptSubmit", prompt=ASKED) == ""
    assert filed.send("SessionStart", source="startup") == ""


def test_sub_agents_and_unknown_events_are_given_nothing(filed: Agent) -> None:
    assert filed.send("UserPromptSubmit", prompt=ASKED, agent_id="a-1") == ""
    assert filed.send("PostToolUse", prompt=ASKED) == ""
    assert filed.raw(json.dumps({"prompt": ASKED}), event="zorp") == ""


@pytest.mark.parametrize("sent", ["", "{", "[]", "7", "\x00", "[" * 50_000, '{"session_id": {"a": 1}}'])
def test_what_is_no_event_is_answered_with_nothing(filed: Agent, sent: str) -> None:
    assert filed.raw(sent, event="prompt") == ""


def test_the_injected_drawers_of_a_turn_are_known_by_every_harness(filed: Agent) -> None:
    cursor = {
        "conversation_id": "c-1",
        "hook_event_name": "beforeSubmitPrompt",
        "workspace_roots": [str(filed.project)],
    }
    told = json.loads(filed.raw(json.dumps({**cursor, "prompt": ASKED})))
    assert "licence" in told["additional_context"]
    assert filed.raw(json.dumps({**cursor, "prompt": ASKED})) == ""


def test_a_user_of_whom_nothing_was_filed_is_no_failure(tmp_path: Path) -> None:
    def none(user: str) -> OpenPalace:
        raise NotFound(f"there is no user {user}")

    ground = Ground(tmp_path, "nobody", none)
    sent = json.dumps({"hook_event_name": "UserPromptSubmit", "prompt": ASKED, "cwd": str(tmp_path), "session_id": "s"})
    assert answer_request(ground, {"input": sent}) == ""
    assert list(list_failures(tmp_path)) == []


def test_a_database_that_hangs_or_is_away_takes_no_longer_than_allowed(tmp_path: Path) -> None:
    def hang(user: str) -> OpenPalace:
        time.sleep(3)
        raise AssertionError(user)

    def away(user: str) -> OpenPalace:
        raise DatabaseUnavailable(f"no server for {user}")

    sent = json.dumps({"hook_event_name": "UserPromptSubmit", "prompt": ASKED, "cwd": str(tmp_path), "session_id": "s"})
    started = time.monotonic()
    assert answer_request(Ground(tmp_path, "mara", hang, seconds=0.2), {"input": sent}) == ""
    assert time.monotonic() - started < 1.5
    assert answer_request(Ground(tmp_path, "mara", away), {"input": sent}) == ""
    assert [failure.code for failure in list_failures(tmp_path)] == ["timeout", "database_unavailable"]


def test_hooks_that_are_switched_off_do_nothing(filed: Agent) -> None:
    ground = replace(filed.ground, enabled=False)
    sent = json.dumps({"hook_event_name": "UserPromptSubmit", "prompt": ASKED, "cwd": str(filed.project)})
    assert answer_request(ground, {"input": sent}) == ""


def test_what_is_kept_of_a_session_holds_no_secret(filed: Agent) -> None:
    filed.send("UserPromptSubmit", prompt="My key is AKIAIOSFODNN7EXAMPLQ: does the Kittiwake service take it?")
    kept = "".join(path.read_text() for path in (filed.settings.home_folder / "hooks" / "sessions").iterdir())
    assert "AKIA" not in kept
    assert "Kittiwake" in kept
    filed.send("SessionEnd", reason="exit")
    kept = "".join(path.read_text() for path in (filed.settings.home_folder / "hooks" / "sessions").iterdir())
    assert "Kittiwake" not in kept


PANIC = "thread 'compactor' panicked at src/compact.rs:214: index out of bounds: the len is 0 but the index is 0"
MENDED = "Guard the slice: the first segment is empty right after a merge."


def test_an_error_that_is_pasted_again_comes_with_what_was_said_of_it(agent: Agent) -> None:
    file(agent, "s-0", agent.project, PANIC, MENDED, "The parser reads one line at a time.")
    for prompt in (PANIC, f"{PANIC} again", "panicked at src/compact.rs:214"):
        assert MENDED in agent.send("UserPromptSubmit", session=f"s-{len(prompt)}", prompt=prompt)


def spoken(number: int, role: str, content: object) -> str:
    """Write a line of a transcript word by word."""
    return line(number, session="s-0", type=role, message={"role": role, "content": content})


def file_lines(agent: Agent, *lines: str) -> None:
    """Have a session filed as it was written."""
    transcript = agent.transcript(*lines, name="s-0")
    agent.send("Stop", session="s-0", folder=agent.project, transcript_path=str(transcript))
    agent.miner.look()
    agent.palace.turns.end()


def test_what_tools_returned_behind_an_error_is_not_given(agent: Agent) -> None:
    returned = {"type": "tool_result", "tool_use_id": "t1", "content": "The token of the compactor is PELICAN."}
    file_lines(agent, spoken(1, "user", PANIC), spoken(2, "user", [returned]), spoken(3, "assistant", MENDED))
    assert "PELICAN" in str(agent.palace.recall("token of the compactor", tools=True).hits)
    assert "PELICAN" not in agent.send("UserPromptSubmit", session="s-2", prompt=PANIC)


def test_a_question_that_was_answered_before_is_answered_though_the_answer_says_none_of_its_words(agent: Agent) -> None:
    question = "Where do I find the login for the Grafana dashboard of the ingest cluster?"
    answer = 'In 1Password below "observability", Tom gives access.'
    file_lines(agent, spoken(1, "user", question), spoken(2, "assistant", answer))
    block = agent.send("UserPromptSubmit", session="s-2", prompt="Where is the login for the Grafana dashboard?")
    assert "1Password" in block
