"""What a hook writes down before Palace is there: where a session began, and that its transcript has grown."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from palace.hooks import began as kept
from palace.hooks.contract.events import FILES, NAMES, Harness
from palace.hooks.contract.reading import read
from palace.hooks.failures import list_failures
from palace.hooks.inbox import left as inbox
from palace.hooks.inbox.left import is_empty, take
from palace.hooks.sessions import Session, Sessions
from palace_hook import began, client, leaving
from tests.hooks.conftest import SAID, Agent, agent, line  # noqa: F401 — a fixture
from tests.warm.conftest import PROGRAM, naming, run_hook
from tests.warm.test_hook_aside import MET

HANGING = [sys.executable, "-c", MET.format(name="palace", does="time.sleep(60)")]


def event(name: str, **more: Any) -> bytes:
    """Write what Claude Code sends."""
    told = {"hook_event_name": name, "session_id": "s-1", "cwd": "/w/evil", "transcript_path": "/t/s-1.jsonl"}
    return json.dumps(told | more).encode()


def request(home: Path, sent: bytes, **more: Any) -> dict[str, object]:
    """Make a request as the program does."""
    told = {"event": "", "harness": None, "user": None, "folder": "/", "input": sent.decode()}
    return {**told, "environment": {"PALACE_HOME": str(home), "LOGNAME": "mara"}, **more}


@pytest.mark.parametrize(
    ("name", "moment"), [("Stop", "stop"), ("PreCompact", "pre-compact"), ("SessionEnd", "session-end")]
)
def test_a_note_is_left_although_palace_takes_too_long_to_import(home: Path, name: str, moment: str) -> None:
    done, _ = run_hook(home, name, sent=event(name), program=HANGING, more={"PALACE_USER": "mara"})
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    [(_, left)] = take(home)
    assert (left.harness, left.session, left.transcript) == ("claude-code", "s-1", "/t/s-1.jsonl")
    assert (left.folder, left.event, left.user, left.is_typed) == ("/w/evil", moment, None, False)
    assert left.variables["PALACE_USER"] == "mara"
    assert list(list_failures(home)) == []


def test_no_secret_of_the_environment_stands_in_a_note(home: Path) -> None:
    more = {"PALACE_DATABASE_URL": "postgresql://x:hunter2@127.0.0.1:1/x", "PALACE_LLM_API_KEY": "hunter3"}
    run_hook(home, "Stop", sent=event("Stop"), program=HANGING, more=more)
    [note] = (home / "hooks" / "inbox").glob("*.json")
    assert "hunter" not in note.read_text()
    assert note.stat().st_mode & 0o777 == 0o600


def test_where_a_session_began_is_known_although_palace_takes_too_long_to_import(home: Path) -> None:
    for sent in (event("UserPromptSubmit", prompt="hi"), event("SessionStart", source="resume", cwd="/w/acme")):
        run_hook(home, "any", sent=sent, program=HANGING)
    run_hook(home, "any", sent=event("Stop", cwd="/w/acme"), program=HANGING)
    assert kept.begin(home, "s-1", "/w/acme") == ("/w/evil",)
    assert [left.folder for _, left in take(home)] == ["/w/evil"]


def test_a_note_is_left_once_for_a_transcript(home: Path) -> None:
    for name in ("Stop", "Stop", "SessionEnd"):
        told = request(home, event(name))
        client._write_down(str(home), told)
        assert told["left"]
    assert [left.event for _, left in take(home)] == ["session-end"]


def test_hooks_that_are_switched_off_leave_nothing(home: Path) -> None:
    run_hook(home, "Stop", sent=event("Stop"), program=PROGRAM, more={"PALACE_HOOKS": "False"})
    assert is_empty(home)
    assert not (home / "hooks" / "began").exists()


def test_an_inbox_that_is_full_is_told_by_whoever_answers(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leaving, "MOST", 1)
    for number, is_left in ((1, True), (2, False), (1, True)):
        told = request(home, event("Stop", transcript_path=f"/t/{number}.jsonl"))
        client._write_down(str(home), told)
        assert told["left"] is is_left


@pytest.mark.parametrize(
    "sent", [b"", b"{", b"[]", b"7", b"[" * 50_000, b'{"session_id": {"a": 1}}', b'{"cwd": "\\u0000"}']
)
def test_what_is_no_event_leaves_nothing(home: Path, sent: bytes) -> None:
    client._write_down(str(home), request(home, sent, event="Stop"))
    assert is_empty(home)


def test_client_and_palace_read_events_alike(home: Path) -> None:
    fields: list[dict[str, Any]] = [
        {},
        {"conversation_id": "c"},
        {"turn_id": 1},
        {"timestamp": ""},
        {"transcript_path": "/x/rollout-1.jsonl"},
        {"session_id": "\ud83d", "cwd": "/a"},
        {"session_id": "x" * 201, "workspace_roots": ["/r", "/s"]},
        {"cwd": "/\0", "workspace_roots": [7]},
        {"agent_id": "a"},
    ]
    names = [*(name for each in NAMES.values() for name in each), "stop", "pre-compact", "session-end", "PostToolUse"]
    for name in names:
        for each in fields:
            for harness in (None, *Harness):
                sent = json.dumps({"session_id": "s", **each, "hook_event_name": name})
                expected = read(sent, harness=harness)
                told = request(home, sent.encode(), harness=harness)
                found = began.event_of(told)
                assert (found is None) is expected.is_of_agent
                if found is not None:
                    assert (found.session, found.folder) == (expected.session, expected.folder or "/")
                    assert leaving.harness_of(told, found) == expected.harness.value
                    assert (found.name in client.ENDINGS) is (expected.moment in FILES)
                    moment = expected.moment.value if expected.moment in FILES else None
                    assert leaving.MOMENTS.get(found.name) == moment
    assert set(leaving.MOMENTS) == set(client.ENDINGS)


def test_client_and_palace_write_alike(home: Path, tmp_path: Path) -> None:
    names = ("FOLDER", "MOST", "LARGEST", "PLAIN", "LONGEST_PLAIN")
    assert [getattr(kept, name) for name in names] == [getattr(began, name) for name in names]
    assert set(began.ON) == kept.ON
    assert leaving.MOST == inbox.MOST
    for session in ("s-1", "A", "../x", "x" * 65, "ü"):
        for folder, source in (("/a", "startup"), ("/b", "startup"), ("/c", "clear")):
            sent = event("SessionStart", session_id=session, cwd=folder, source=source)
            found = began.event_of(request(home, sent))
            assert found
            known = kept.begin(tmp_path, session, folder, anew=source == "startup")
            assert began.begin(str(home), found) == list(known)
        name = kept.file_name(session)
        assert (home / "hooks/began" / name).read_bytes() == (tmp_path / "hooks/began" / name).read_bytes()


def test_what_was_left_is_mined_for_whom_the_hook_named(agent: Agent) -> None:  # noqa: F811
    home = agent.settings.home_folder
    transcript = agent.transcript(line(1))
    sent = event("SessionEnd", cwd=str(agent.project), transcript_path=str(transcript))
    Sessions(home, agent.palace.user).save("s-1", Session(str(agent.project)).asked("Why so?"))
    told = request(home, sent, environment=naming(agent.settings))
    client._write_down(str(home), told)
    assert agent.raw(sent.decode(), left=told["left"]) == ""
    agent.miner.look()
    assert agent.filed() == [f"{SAID} (1)"]
    assert [wing.name for wing in agent.palace.tree.wings()] == ["api"]
    assert Sessions(home, agent.palace.user).load("s-1").prompts == ()
    assert is_empty(home)


def test_nothing_that_was_left_is_mined_where_hooks_are_switched_off(agent: Agent) -> None:  # noqa: F811
    home = agent.settings.home_folder
    (home / "config.toml").write_text("hooks = false\n")
    sent = event("Stop", cwd=str(agent.project), transcript_path=str(agent.transcript(line(1))))
    client._write_down(str(home), request(home, sent, environment=naming(agent.settings)))
    agent.miner.look()
    assert agent.filed() == []
    assert is_empty(home)
