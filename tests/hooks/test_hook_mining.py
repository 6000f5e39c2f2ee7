"""What hooks leave is mined into the project's wing: each turn once, whatever befalls the transcript."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from palace import Settings
from tests.hooks.conftest import SAID, Agent, line, notes, repository, spoken
from tests.queue.conftest import work

BLOCK = "<memory_context>\n§ W-001/R-01/D-001 | 2026-04-30 | user | We dropped Redis.\n</memory_context>"


def test_whichever_event_it_was_a_turn_is_filed_once(agent: Agent) -> None:
    transcript = agent.transcript(line(1))
    for number, name in enumerate(("Stop", "PreCompact", "SessionEnd"), 1):
        for _ in range(2):
            agent.send(name, transcript_path=str(transcript))
            agent.miner.look()
        with transcript.open("a") as grown:
            grown.write(line(number + 1))
        for each in ("Stop", name, "SessionEnd"):
            agent.send(each, transcript_path=str(transcript))
        agent.miner.look()
        assert len(agent.filed()) == number + 1


def test_memories_are_made_of_a_session_once_it_has_ended(agent: Agent, settings: Settings, no_jobs: None) -> None:
    transcript = agent.transcript(
        spoken(1, "user", "I prefer window seats on trains."), spoken(2, "assistant", "Noted.")
    )
    for name, made in (("Stop", 0), ("SessionEnd", 1)):
        agent.send(name, transcript_path=str(transcript))
        agent.miner.look()
        assert work(settings).failed == 0
        assert len(agent.palace.memories.list()) == made


def test_sessions_of_one_repository_stand_in_one_wing_wherever_their_agents_go(agent: Agent, tmp_path: Path) -> None:
    inner, elsewhere = agent.project / "src", tmp_path / "elsewhere"
    for folder in (inner, elsewhere):
        folder.mkdir()
    agent.send("SessionStart", session="s-3", source="startup")
    for session, folder in (("s-1", agent.project), ("s-2", inner), ("s-3", elsewhere)):
        agent.file_lines(line(1, session=session), session=session, at=folder)
    assert agent.wings == ["api"]
    assert len(agent.filed()) == 3


def test_a_folder_that_is_called_like_a_wings_number_is_filed_in_a_wing_of_its_own(
    agent: Agent, tmp_path: Path
) -> None:
    agent.palace.note("Of Acme.", wing="Acme")
    folder = repository(tmp_path / "W-001")
    agent.file_lines(line(1), at=folder)
    held = agent.palace.projects.of(folder)
    assert agent.wings == ["Acme", held.wing_name]
    assert (held.wing_number, agent.palace.tree.wing("W-001").drawer_count) == (2, 1)
    assert held.wing_name != "W-001"


def test_a_transcript_that_is_rewritten_or_breaks_off_loses_nothing_and_files_nothing_twice(agent: Agent) -> None:
    agent.palace.settings.set("memories", "off")
    agent.file_lines(line(1), line(2), line(3))
    assert (agent.wings, agent.filed()) == (["api"], [f"{SAID} ({number})" for number in range(1, 4)])
    agent.file_lines(line(3), line(4), line(5)[:40])
    assert sorted(agent.filed()) == [f"{SAID} ({number})" for number in range(1, 5)]
    agent.file_lines(line(3), line(4), line(5))
    assert sorted(agent.filed()) == [f"{SAID} ({number})" for number in range(1, 6)]


def test_a_transcript_that_vanished_is_waited_for_then_given_up(agent: Agent, monkeypatch: pytest.MonkeyPatch) -> None:
    agent.send("Stop", transcript_path=str(agent.settings.home_folder.parent / "gone.jsonl"))
    agent.miner.look()
    assert len(notes(agent.settings.home_folder)) == 1
    monkeypatch.setattr("palace.hooks.miner.LONGEST_WAIT", 0.0)
    agent.miner.look()
    assert (notes(agent.settings.home_folder), agent.codes) == ([], ["vanished"])


@pytest.mark.parametrize(
    ("harness", "named", "kept"),
    [
        ("claude-code", ".claude/projects/-home-mara-api-fix/s-1.jsonl", ".claude/projects/-home-mara-api/s-1.jsonl"),
        ("claude-code", "api/.worktrees/fix/s-1.jsonl", ".claude/projects/-home-mara-api/s-1.jsonl"),
        ("claude-code", "set/.claude/projects/-fix/s-1.jsonl", "set/.claude/projects/-api/s-1.jsonl"),
        ("codex", ".codex/sessions/2026/05/01/rollout-s-1.jsonl", ".codex/archived_sessions/rollout-s-1.jsonl"),
        ("qwen", ".qwen/projects/-fix/chats/s-1.jsonl", ".qwen/projects/-api/chats/s-1.jsonl"),
        ("gemini", ".gemini/tmp/0f3a/chats/session-s-1.jsonl", ".gemini/tmp/api/chats/session-s-1.jsonl"),
    ],
)
def test_a_transcript_that_the_program_keeps_in_another_folder_is_found(
    agent: Agent, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, harness: str, named: str, kept: str
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    path = tmp_path / kept
    path.parent.mkdir(parents=True)
    path.write_text(line(1))
    path.with_name("other.jsonl").write_text(line(1, "Another session.", session="s-2"))
    told = {"session_id": "s-1", "cwd": str(agent.project), "hook_event_name": "Stop"}
    agent.raw(json.dumps(told | {"transcript_path": str(tmp_path / named)}), harness=harness)
    agent.miner.look()
    assert (agent.filed(), agent.codes, notes(agent.settings.home_folder)) == ([f"{SAID} (1)"], [], [])


def test_what_is_no_transcript_of_ones_own_is_refused_and_noted(agent: Agent, tmp_path: Path) -> None:
    link, pipe, loose, theirs = (tmp_path / f"{name}.jsonl" for name in ("link", "pipe", "all", "his"))
    for path in (loose, theirs):
        path.write_text(line(1, "What nobody is to know."))
    diary = tmp_path / "diary.json"
    diary.write_text('[{"role": "user", "content": "What nobody is to know."}]')
    link.symlink_to(agent.transcript(line(1)))
    os.mkfifo(pipe)
    loose.chmod(0o666)
    refused = {diary: "unreadable", link: "a_link", pipe: "no_file", loose: "others_write"}
    refused |= {Path("/etc/passwd"): "no_transcript", Path("/dev/zero"): "no_transcript", Path("s.jsonl"): "no_path"}
    if os.geteuid() == 0:
        os.chown(theirs, 12345, 12345)
        refused[theirs] = "of_another_account"
    for number, path in enumerate(refused):
        agent.send("Stop", session=f"s-{number}", transcript_path=str(path))
    agent.miner.look()
    assert (agent.filed(), notes(agent.settings.home_folder)) == ([], [])
    assert sorted(agent.codes) == sorted(refused.values())


def test_what_a_worker_left_when_it_was_killed_is_mined_by_the_next(
    agent: Agent, monkeypatch: pytest.MonkeyPatch
) -> None:
    transcript = agent.transcript(*map(line, range(1, 31)))
    agent.send("Stop", transcript_path=str(transcript))

    def killed(*_: object) -> None:
        raise SystemExit

    with monkeypatch.context() as patched:
        patched.setattr("palace.hooks.miner.done", killed)
        with pytest.raises(SystemExit):
            agent.miner.look()
    agent.miner.look()
    assert len(agent.filed()) == 30
    assert notes(agent.settings.home_folder) == []


def test_neither_blocks_nor_what_the_host_attached_are_mined(agent: Agent) -> None:
    passed_on = BLOCK.replace("<", "&lt;").replace(">", "&gt;")
    attachment: dict[str, Any] = {
        "type": "attachment",
        "attachment": {"type": "hook_additional_context", "content": [BLOCK]},
    }
    quoted = f"{BLOCK}\n\nWhy did we drop it?"
    wrapped = f"Why so?\n\n<hook_context>{passed_on}</hook_context>"
    agent.file_lines(line(1, quoted), line(3, "x", **attachment), line(5, wrapped), line(6, "Because of its licence."))
    filed = "\n".join(agent.filed())
    assert "memory_context" not in filed
    assert "We dropped Redis." not in filed
    assert "Why did we drop it?" in filed
    assert len(agent.filed()) == 3


def test_secrets_do_not_arrive_and_nothing_does_where_mining_is_switched_off(agent: Agent) -> None:
    agent.file_lines(line(1, "my key is AKIAIOSFODNN7EXAMPLQ, keep it"))
    assert "my key is" in "".join(agent.filed())
    assert "AKIA" not in "".join(agent.filed())
    agent.palace.settings.set("auto_mine", False, agent="claude-code")
    agent.file_lines(line(1, "The Tern is in Go.", session="s-9"), session="s-9")
    assert "Tern" not in "".join(agent.filed())


def test_a_line_that_is_nested_too_deeply_costs_no_other(agent: Agent) -> None:
    deep: dict[str, Any] = {"timestamp": "2026-04-30T10:00:00Z", "type": "response_item", "payload": "DEEP"}
    lines = [json.dumps({"timestamp": "2026-04-30T10:00:00Z", **record}) + "\n" for record in (*CODEX, deep)]
    lines.insert(1, lines.pop().replace('"DEEP"', "[" * 100_000 + "]" * 100_000))
    agent.file_lines(*lines, session="rollout-2026-04-30T10-00-00-s-1")
    assert agent.filed() == ["Which port is it?", "It is 8642."]
    assert agent.codes == []


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


def test_each_assistants_session_is_filed_without_what_was_injected(agent: Agent, tmp_path: Path) -> None:
    for harness, name, records in (
        ("codex", "Stop", CODEX),
        ("gemini", "AfterAgent", GEMINI),
        ("cursor", "stop", CURSOR),
    ):
        folder = repository(tmp_path / harness)
        lines = (json.dumps({"timestamp": "2026-04-30T10:00:00Z", **record}) + "\n" for record in records)
        path = agent.transcript(*lines, name=f"rollout-2026-04-30T10-00-00-{harness}")
        told = {"hook_event_name": name, "session_id": harness, "cwd": str(folder), "transcript_path": str(path)}
        assert agent.raw(json.dumps(told), harness=harness) == ""
        agent.miner.look()
        (room,) = agent.palace.tree.rooms(agent.palace.tree.wing(harness))
        said = [drawer.content for drawer in agent.palace.tree.iter_drawers(room)]
        assert said == ["Which port is it?", "It is 8642."], harness
