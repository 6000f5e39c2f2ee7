"""What hooks leave is mined into the project's wing: each turn once, whatever befalls the transcript."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from palace.hooks.failures import list_failures
from palace.hooks.inbox.left import is_empty
from palace.text.blocks import without_blocks
from tests.hooks.conftest import SAID, Agent, line, repository

BLOCK = "<memory_context>\n§ W-001/R-01/D-001 | 2026-04-30 | user | We dropped Redis.\n</memory_context>"


def test_a_stop_files_the_transcript_in_the_projects_wing(agent: Agent) -> None:
    transcript = agent.transcript(line(1), line(2))
    assert agent.send("Stop", transcript_path=str(transcript)) == ""
    agent.miner.look()
    assert [wing.name for wing in agent.palace.tree.wings()] == ["api"]
    assert agent.filed() == [f"{SAID} (1)", f"{SAID} (2)"]
    assert is_empty(agent.settings.home_folder)


@pytest.mark.parametrize("name", ["Stop", "PreCompact", "SessionEnd"])
def test_whichever_event_it_was_a_turn_is_filed_once(agent: Agent, name: str) -> None:
    transcript = agent.transcript(line(1))
    for _ in range(3):
        agent.send(name, transcript_path=str(transcript))
        agent.miner.look()
    with transcript.open("a") as grown:
        grown.write(line(2))
    for each in ("Stop", name, "SessionEnd"):
        agent.send(each, transcript_path=str(transcript))
    agent.miner.look()
    assert len(agent.filed()) == 2


def test_sessions_of_one_repository_stand_in_one_wing(agent: Agent) -> None:
    inner = agent.project / "src"
    inner.mkdir()
    for session, folder in (("s-1", agent.project), ("s-2", inner)):
        transcript = agent.transcript(line(1, session=session), name=session)
        agent.send("Stop", session=session, folder=folder, transcript_path=str(transcript))
        agent.miner.look()
    assert [wing.name for wing in agent.palace.tree.wings()] == ["api"]
    assert len(agent.filed()) == 2


def test_a_folder_that_is_called_like_a_wings_number_is_filed_in_a_wing_of_its_own(
    agent: Agent, tmp_path: Path
) -> None:
    agent.palace.note("Of Acme.", wing="Acme")
    folder = repository(tmp_path / "W-001")
    agent.send("Stop", folder=folder, transcript_path=str(agent.transcript(line(1))))
    agent.miner.look()
    held = agent.palace.projects.of(folder)
    assert [wing.name for wing in agent.palace.tree.wings()] == ["Acme", held.wing_name]
    assert (held.wing_number, agent.palace.tree.wing("W-001").drawer_count) == (2, 1)
    assert held.wing_name != "W-001"


def test_an_agent_that_goes_elsewhere_is_filed_where_its_session_began(agent: Agent, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    transcript = agent.transcript(line(1))
    agent.send("SessionStart", source="startup")
    agent.send("Stop", folder=elsewhere, transcript_path=str(transcript))
    agent.miner.look()
    assert [wing.name for wing in agent.palace.tree.wings()] == ["api"]


def test_a_transcript_that_shrinks_or_is_rewritten_loses_nothing_and_files_nothing_twice(agent: Agent) -> None:
    transcript = agent.transcript(line(1), line(2), line(3))
    agent.send("Stop", transcript_path=str(transcript))
    agent.miner.look()
    agent.transcript(line(3), line(4))
    agent.send("Stop", transcript_path=str(transcript))
    agent.miner.look()
    assert sorted(agent.filed()) == [f"{SAID} ({number})" for number in range(1, 5)]


def test_a_last_line_that_breaks_off_comes_when_it_is_whole(agent: Agent) -> None:
    transcript = agent.transcript(line(1), line(2)[:40])
    agent.send("Stop", transcript_path=str(transcript))
    agent.miner.look()
    assert len(agent.filed()) == 1
    agent.transcript(line(1), line(2))
    agent.send("Stop", transcript_path=str(transcript))
    agent.miner.look()
    assert len(agent.filed()) == 2


def test_a_transcript_that_vanished_is_waited_for_then_given_up(agent: Agent, monkeypatch: pytest.MonkeyPatch) -> None:
    gone = agent.settings.home_folder.parent / "gone.jsonl"
    agent.send("Stop", transcript_path=str(gone))
    agent.miner.look()
    assert not is_empty(agent.settings.home_folder)
    monkeypatch.setattr("palace.hooks.inbox.mining.LONGEST_WAIT", 0.0)
    agent.miner.look()
    assert is_empty(agent.settings.home_folder)
    assert [failure.code for failure in list_failures(agent.settings.home_folder)] == ["vanished"]


def test_what_is_no_transcript_of_ones_own_is_refused_and_noted(agent: Agent, tmp_path: Path) -> None:
    diary = tmp_path / "diary.json"
    diary.write_text('[{"role": "user", "content": "What nobody is to know."}]')
    link = tmp_path / "link.jsonl"
    link.symlink_to(agent.transcript(line(1)))
    os.mkfifo(tmp_path / "pipe.jsonl")
    for number, path in enumerate((diary, link, tmp_path / "pipe.jsonl", Path("/etc/passwd"), Path("/dev/zero"))):
        agent.send("Stop", session=f"s-{number}", transcript_path=str(path))
    agent.miner.look()
    assert agent.filed() == []
    assert is_empty(agent.settings.home_folder)
    codes = sorted(failure.code for failure in list_failures(agent.settings.home_folder))
    assert codes == ["a_link", "no_file", "no_transcript", "no_transcript", "unreadable"]


def test_what_a_worker_left_when_it_was_killed_is_mined_by_the_next(
    agent: Agent, monkeypatch: pytest.MonkeyPatch
) -> None:
    transcript = agent.transcript(*map(line, range(1, 31)))
    agent.send("Stop", transcript_path=str(transcript))

    def killed(*_: object) -> None:
        raise SystemExit

    with monkeypatch.context() as patched:
        patched.setattr("palace.hooks.inbox.mining.done", killed)
        with pytest.raises(SystemExit):
            agent.miner.look()
    agent.miner.look()
    assert len(agent.filed()) == 30
    assert is_empty(agent.settings.home_folder)


def test_what_fails_is_tried_again_and_the_others_go_on(agent: Agent, monkeypatch: pytest.MonkeyPatch) -> None:
    for session in ("s-1", "s-2"):
        transcript = agent.transcript(line(1, session=session), name=session)
        agent.send("Stop", session=session, transcript_path=str(transcript))
    real = agent.miner._mine
    failing = ["s-1"]

    def mine(left: object) -> None:
        if getattr(left, "session", "") in failing:
            raise RuntimeError("no reader was made for it")
        real(left)  # type: ignore[arg-type]

    monkeypatch.setattr(type(agent.miner), "_mine", lambda _, left: mine(left))
    agent.miner.look()
    assert len(agent.filed()) == 1
    failing.clear()
    agent.miner._tries = {}
    agent.miner.look()
    assert len(agent.filed()) == 2
    assert [failure.code for failure in list_failures(agent.settings.home_folder)] == ["RuntimeError"]


def test_nothing_is_mined_where_that_is_switched_off(agent: Agent) -> None:
    agent.palace.settings.set("auto_mine", False, agent="claude-code")
    agent.send("Stop", transcript_path=str(agent.transcript(line(1))))
    agent.miner.look()
    assert agent.filed() == []


def test_neither_blocks_nor_what_the_host_attached_are_mined(agent: Agent) -> None:
    passed_on = BLOCK.replace("<", "&lt;").replace(">", "&gt;")
    attachment: dict[str, Any] = {
        "type": "attachment",
        "attachment": {"type": "hook_additional_context", "content": [BLOCK]},
    }
    quoted = f"{BLOCK}\n\nWhy did we drop it?"
    wrapped = f"Why so?\n\n<hook_context>{passed_on}</hook_context>"
    transcript = agent.transcript(
        line(1, quoted), line(3, "x", **attachment), line(5, wrapped), line(6, "Because of its licence.")
    )
    agent.send("Stop", transcript_path=str(transcript))
    agent.miner.look()
    filed = "\n".join(agent.filed())
    assert "memory_context" not in filed
    assert "We dropped Redis." not in filed
    assert "Why did we drop it?" in filed
    assert len(agent.filed()) == 3


def test_a_block_with_its_brackets_written_out_is_told_from_what_was_said() -> None:
    passed_on = BLOCK.replace("<", "&lt;").replace(">", "&gt;")
    assert without_blocks(f"a <hook_context>{passed_on}</hook_context> b") == "a  b"
    assert without_blocks("a &lt;memory_context&gt; b") == "a &lt;memory_context&gt; b"


def test_secrets_do_not_arrive(agent: Agent) -> None:
    transcript = agent.transcript(line(1, "my key is AKIAIOSFODNN7EXAMPLQ, keep it"))
    agent.send("Stop", transcript_path=str(transcript))
    agent.miner.look()
    assert "AKIA" not in "".join(agent.filed())


@pytest.mark.parametrize("at", [0, 1, 3])
def test_a_line_that_is_nested_too_deeply_costs_no_other(agent: Agent, at: int) -> None:
    lines = [json.dumps({"timestamp": "2026-04-30T10:00:00Z", **record}) + "\n" for record in CODEX]
    deep = "[" * 100_000 + "]" * 100_000
    lines.insert(at, f'{{"timestamp": "2026-04-30T10:00:00Z", "type": "response_item", "payload": {deep}}}\n')
    transcript = agent.transcript(*lines, name="rollout-2026-04-30T10-00-00-s-1")
    agent.send("Stop", transcript_path=str(transcript))
    agent.miner.look()
    assert agent.filed() == ["Which port is it?", "It is 8642."]
    assert list(list_failures(agent.settings.home_folder)) == []


PASSED_ON = BLOCK.replace("<", "&lt;").replace(">", "&gt;")
CODEX = [
    {"type": "session_meta", "payload": {"id": "s-1", "cwd": "/home/mara/api", "timestamp": "2026-04-30T10:00:00Z"}},
    {
        "type": "response_item",
        "payload": {"type": "message", "role": "developer", "content": [{"type": "input_text", "text": BLOCK}]},
    },
    {"type": "event_msg", "payload": {"type": "user_message", "message": "Which port is it?"}},
    {"type": "event_msg", "payload": {"type": "agent_message", "message": "It is 8642."}},
]
GEMINI = [
    {"sessionId": "s-1", "projectHash": "a" * 64, "startTime": "2026-04-30T10:00:00Z", "kind": "main"},
    {
        "id": "m-1",
        "type": "user",
        "timestamp": "2026-04-30T10:00:00Z",
        "content": f"Which port is it?\n\n<hook_context>{PASSED_ON}</hook_context>",
    },
    {"id": "m-2", "type": "gemini", "timestamp": "2026-04-30T10:00:01Z", "content": "It is 8642."},
]
CURSOR = [
    {"role": "user", "message": {"content": [{"type": "text", "text": f"{BLOCK}\n\nWhich port is it?"}]}},
    {"role": "assistant", "message": {"content": [{"type": "text", "text": "It is 8642."}]}},
]


@pytest.mark.parametrize(
    ("harness", "name", "records"),
    [("codex", "Stop", CODEX), ("gemini", "AfterAgent", GEMINI), ("cursor", "stop", CURSOR)],
)
def test_each_assistants_session_is_filed_without_what_was_injected(
    agent: Agent, harness: str, name: str, records: list[dict[str, Any]]
) -> None:
    lines = (json.dumps({"timestamp": "2026-04-30T10:00:00Z", **record}) + "\n" for record in records)
    transcript = agent.transcript(*lines, name="rollout-2026-04-30T10-00-00-s-1")
    told = {"hook_event_name": name, "session_id": "s-1", "cwd": str(agent.project), "transcript_path": str(transcript)}
    assert agent.raw(json.dumps(told), harness=harness) == ""
    agent.miner.look()
    assert [wing.name for wing in agent.palace.tree.wings()] == ["api"]
    assert agent.filed() == ["Which port is it?", "It is 8642."]
