"""Sessions of coding assistants: each message once, however its file grows, is copied, forked or rewritten."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from palace import Palace
from palace.records import Drawer, Role
from tests.readers import front
from tests.readers.opencodes import begin, make, say
from tests.upgrades.make import drawers_of

CORPUS = Path(__file__).parents[1] / "readers" / "corpus" / "exports"
FORK, FORKED = CORPUS / "codex-fork.jsonl", CORPUS / "codex-session.jsonl"


def standing(palace: Palace) -> list[Drawer]:
    return [drawer for drawer in drawers_of(palace) if drawer.replaced_at is None]


def said(palace: Palace) -> list[str]:
    return [drawer.content for drawer in standing(palace)]


@pytest.mark.parametrize("order", [(FORKED, FORK), pytest.param((FORK, FORKED), marks=pytest.mark.nightly)])
def test_a_fork_and_what_it_was_forked_from_stand_once(order: tuple[Path, Path], palace: Palace) -> None:
    for path in order:
        palace.mine(path)
    found = standing(palace)
    assert max(Counter(drawer.content for drawer in found).values()) == 1
    assert len(found) == 9 + 2
    assert {drawer.said_at is not None for drawer in found} == {True}
    assert "And which wire?\n[image mast.png]\n[image]" in said(palace)
    for path in order:
        assert palace.mine(path).drawers_new == 0
    assert len(standing(palace)) == 11


def test_a_fork_whose_session_is_gone_is_read_whole(palace: Palace) -> None:
    assert palace.mine(FORK).drawers_new == 6


@pytest.mark.parametrize("name", ["codex-session.jsonl", "cursor-session.jsonl"])
def test_a_file_that_grows_files_each_message_once(name: str, palace: Palace, tmp_path: Path) -> None:
    data = (CORPUS / name).read_bytes()
    path = tmp_path / "agent-transcripts" / "s-1" / name
    path.parent.mkdir(parents=True)
    lines = data.splitlines(keepends=True)
    for number in range(2, len(lines) + 1, 5):
        whole = b"".join(lines[:number])
        path.write_bytes(whole[: -len(lines[number - 1]) // 2 or None])
        palace.mine(path)
        path.write_bytes(whole)
        palace.mine(path)
    path.write_bytes(data)
    palace.mine(path)
    assert said(palace) == read(CORPUS / name)


def read(path: Path) -> list[str]:
    """Give what stands of a session, as it is read."""
    return [turn.content for found in front.read(path) for turn in found.turns if turn.replaced_by is None]


def test_what_was_taken_back_stands_behind_what_was_said_instead(palace: Palace, tmp_path: Path) -> None:
    lines = (CORPUS / "codex-taken-back.jsonl").read_text().splitlines(keepends=True)
    path = tmp_path / "rollout.jsonl"
    path.write_text("".join(lines[:-5]))
    palace.mine(path)
    assert said(palace)[0] == "Which fuse does the battery need?"
    path.write_text("".join(lines))
    palace.mine(path)
    assert said(palace) == ["Which fuse does the pump need?", "One of 5 amps."]
    assert len(drawers_of(palace)) == 6


def test_a_database_that_grows_files_what_is_new(palace: Palace, tmp_path: Path) -> None:
    database = make(tmp_path / "opencode.db")
    begin(database, "ses_1")
    say(database, "ses_1", 1, "user", "Which fuse does the battery need?")
    running: dict[str, Any] = {
        "type": "tool",
        "tool": "bash",
        "state": {"status": "running", "input": {"command": "ls"}},
    }
    say(database, "ses_1", 2, "assistant", running)
    assert palace.mine(tmp_path).drawers_new == 2
    done = running | {"state": {"status": "completed", "input": {"command": "ls"}, "output": "fuses.md"}}
    database.execute("UPDATE part SET data = ? WHERE message_id = 'msg_ses_1_02'", (json.dumps(done),))
    say(database, "ses_1", 3, "assistant", "A slow fuse of 80 amps.")
    assert palace.mine(tmp_path).drawers_new == 2
    database.close()
    assert palace.mine(tmp_path).drawers_new == 0
    assert [drawer.role for drawer in standing(palace)] == [Role.USER, Role.TOOL, Role.TOOL, Role.ASSISTANT]


def test_sessions_of_one_folder_stand_in_one_wing_whoever_was_asked(palace: Palace) -> None:
    palace.mine(
        CORPUS / "codex-session.jsonl",
        CORPUS / "opencode-storage",
        CORPUS / "copilot-cli-state",
        CORPUS / "gemini-cli-tmp",
    )
    assert [(wing.name, wing.kind) for wing in palace.tree.wings()] == [("efoil", "project")]
    assert len(palace.tree.rooms(palace.tree.wing("efoil"))) == 4


@pytest.mark.nightly
def test_a_session_of_no_folder_stands_in_the_wing_of_its_program(palace: Palace) -> None:
    for name in ("cursor-session.jsonl", "gemini-cli-log.jsonl", "copilot-cli-history.json"):
        palace.mine(CORPUS / name)
    assert {each.name for each in palace.tree.wings()} == {"Cursor", "Gemini CLI", "GitHub Copilot"}
