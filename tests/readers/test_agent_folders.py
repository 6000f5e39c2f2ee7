"""The folders of coding assistants offer their sessions, and what lies beside them is counted."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path

import pytest

from palace.errors import UnreadableSource
from tests.readers.front import WriteTree, offered, read
from tests.readers.opencodes import begin, make, say

U = "0b1c2d3e-0000-4000-8000-00000000000a"
HOMES: dict[str, tuple[str, list[str], list[str]]] = {
    "Codex": (
        ".codex",
        ["sessions/2026/01/02/rollout-2026-01-02T03-04-05-x.jsonl", "archived_sessions/rollout-y.jsonl"],
        ["auth.json", "config.toml", "history.jsonl", "log/codex-tui.log", "prompts/review.md", "session_index.jsonl"],
    ),
    "Gemini CLI": (
        ".gemini",
        ["tmp/efoil/chats/session-2026-01-02T03-04-5f0c1f7e.jsonl", "tmp/efoil/chats/g-1/sub.jsonl"],
        ["oauth_creds.json", "GEMINI.md", "tmp/efoil/logs.json", "tmp/efoil/checkpoints/a.json"],
    ),
    "Cursor": (
        ".cursor",
        [f"projects/efoil/agent-transcripts/{U}/{U}.jsonl", f"projects/efoil/agent-transcripts/{U}.txt"],
        ["mcp.json", "projects/efoil/terminals/1.txt", "projects/efoil/mcps/x/tools.json", "skills-cursor/a.md"],
    ),
    "GitHub Copilot CLI": (
        ".copilot",
        [f"session-state/{U}/events.jsonl", "history-session-state/session_1.json"],
        ["config.json", "logs/process.log", f"session-state/{U}/plan.md", f"session-state/{U}/checkpoints/1.md"],
    ),
    "opencode": (
        ".local/share/opencode",
        [],
        ["auth.json", "log/2026.log", "snapshot/p1/HEAD", "storage/session_diff/ses_1.json", "tool-output/t.txt"],
    ),
}


@pytest.mark.parametrize("program", HOMES)
def test_only_sessions_are_offered(program: str, tmp_path: Path) -> None:
    home, sessions, others = HOMES[program]
    root = tmp_path / home
    for name in (*sessions, *others):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text('{"key": "sk-of-nobody"}')
    if program == "opencode":
        database = make(root / "opencode.db")
        begin(database, "ses_1")
        say(database, "ses_1", 1, "user", "Which fuse?")
        sessions = ["opencode.db"]
    for below in ("", "tmp" if program == "Gemini CLI" else ""):
        passed_over: Counter[str] = Counter()
        found = offered(root / below, passed_over=passed_over)
        assert sorted(source.file for source in found) == sorted(str(root / name) for name in sessions)
        kept = [name for name in others if name.startswith(below)]
        assert passed_over[f"files that {program} keeps beside its sessions"] == len(kept)


def test_a_file_that_is_named_is_read_wherever_it_lies(tmp_path: Path) -> None:
    path = tmp_path / ".codex" / "notes.md"
    path.parent.mkdir()
    path.write_text("The fuse is in the left drawer.")
    assert [source.file for source in offered(path)] == [str(path)]
    with pytest.raises(UnreadableSource, match="1 files that Codex keeps beside its sessions"):
        offered(path.parent)


def test_a_session_of_gemini_knows_its_folder_however_it_is_named(tmp_path: Path) -> None:
    chats = tmp_path / ".gemini/tmp/efoil-2/chats"
    chats.mkdir(parents=True)
    (chats.parent / ".project_root").write_text("/home/derek/boats/efoil\n")
    message = {"id": "m", "type": "user", "content": "Which fuse?", "timestamp": "2026-01-02T03:04:05Z"}
    session = {"sessionId": "g", "projectHash": "a" * 64, "messages": [message]}
    path = chats / "session-2026-01-02T03-04-5f0c1f7e.json"
    path.write_text(json.dumps(session))
    for named in (path, chats, tmp_path / ".gemini/tmp", tmp_path / ".gemini"):
        [found] = read(named)
        assert (found.project, found.folder) == ("efoil", "/home/derek/boats/efoil")
    (chats.parent / ".project_root").unlink()
    assert [found.project for found in read(path)] == ["efoil-2"]
    hashed = chats.parent.rename(chats.parent.parent / ("a" * 64)) / "chats" / path.name
    assert [found.project for found in read(hashed)] == [None]


def test_a_name_of_cursors_is_the_folder_that_is_there(tmp_path: Path) -> None:
    folder = tmp_path / "my.boats" / "e-foil_2"
    folder.mkdir(parents=True)
    slug = re.sub(r"[^A-Za-z0-9]+", "-", str(folder)).strip("-")
    path = tmp_path / f"projects/{slug}/agent-transcripts/{U}/{U}.jsonl"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps({"role": "user", "message": {"content": "Which fuse?"}}) + "\n")
    [found] = read(path)
    assert (found.source_id, found.project, found.folder) == (U, "e-foil_2", str(folder))
    folder.rmdir()
    [found] = read(path)
    assert found.folder is None


def test_a_history_of_aider_is_found_though_it_is_hidden_and_belongs_to_its_folder(write_tree: WriteTree) -> None:
    history = "# aider chat started at 2026-03-13 08:01:00\n\n#### which rope?\n"
    root = write_tree({"boat/.aider.chat.history.md": history})
    assert [(found.project, found.folder) for found in read(root)] == [("boat", str(root / "boat"))]
