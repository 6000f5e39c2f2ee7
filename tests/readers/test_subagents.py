"""The work of sub-agents is part of their session: the index of the work has it, recall where tools are asked for."""

from __future__ import annotations

import json
import shutil
import uuid
from pathlib import Path

import pytest

from palace import Palace, Palaces, Role
from tests.readers.front import told
from tests.upgrades.make import drawers_of

SECRET = "The gauge of the anchor winch lies behind the bulkhead."


def line(second: int, role: str, *parts: object, chain: str | None = None) -> str:
    """Return a line of a session, or of the sub-agent ``chain``."""
    about = {"sessionId": "s-1", "cwd": "/home/ines/kiln", "isSidechain": chain is not None}
    about |= {"timestamp": f"2026-05-04T10:00:{second:02d}.000Z", "uuid": f"{chain or 'main'}-{second}"}
    return json.dumps({"type": role, **about, "message": {"role": role, "content": list(parts)}}) + "\n"


def text(said: str) -> dict[str, object]:
    return {"type": "text", "text": said}


def runs(key: str, tool: str, **given: str) -> dict[str, object]:
    return {"type": "tool_use", "id": key, "name": tool, "input": given}


def gives(key: str, returned: str) -> dict[str, object]:
    return {"type": "tool_result", "tool_use_id": key, "content": [text(returned)]}


OWN = [
    line(0, "user", text("Please mend the winch.")),
    line(
        1, "assistant", text("A helper looks for it."), runs("t", "Task", prompt="Find the gauge."), runs("l", "Bash")
    ),
    line(9, "user", gives("t", "Behind the bulkhead."), gives("l", "done")),
    line(10, "assistant", text("Mended.")),
]
HELPER = [
    line(2, "user", text("Find the gauge."), chain="a"),
    line(3, "assistant", text(SECRET), runs("b", "Bash", command="make gauge"), chain="a"),
    line(4, "user", gives("b", "KeyError: 'gauge'\nExit code: 2"), chain="a"),
    line(5, "assistant", runs("e", "Edit", file_path="/home/ines/kiln/gauge.py", new_string="GAUGE = 1"), chain="a"),
    line(6, "user", gives("e", "edited"), chain="a"),
]


def write(folder: Path, own: list[str], helper: list[str], *, apart: bool = True) -> Path:
    """Write a session and its sub-agent's transcript, in a file of its own or in the session's."""
    path = folder / "projects" / "kiln" / "s-1.jsonl"
    below = path.parent / "s-1" / "subagents" / "agent-a.jsonl"
    below.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(own if apart else [*own[:2], *helper, *own[2:]]), encoding="utf-8")
    if apart:
        below.write_text("".join(helper), encoding="utf-8")
    return path.parent


@pytest.mark.parametrize("apart", [True, False])
def test_recall_leaves_a_sub_agent_out_and_the_work_does_not(apart: bool, palace: Palace, tmp_path: Path) -> None:
    summary = palace.mine(write(tmp_path, OWN, HELPER, apart=apart))
    assert (summary.passed_over, summary.wings) == ((), (("kiln (W-001)", summary.drawers_new),))
    asked = "Where is the gauge of the anchor winch?"
    assert SECRET not in {hit.drawer.content for hit in palace.recall(asked).hits}
    assert SECRET in {hit.drawer.content for hit in palace.recall(asked, tools=True).hits}
    edited = [entry.files for entry in palace.work(file="gauge.py").entries if entry.kind.value == "edit"]
    assert edited == [("gauge.py",)]
    assert [entry.exit_status for entry in palace.work(command="make gauge").entries if entry.error] == [2]


@pytest.mark.parametrize("of_helper", [0, 3])
def test_sessions_filed_before_gain_them_and_nothing_is_filed_twice(
    of_helper: int, palace: Palace, tmp_path: Path
) -> None:
    palace.mine(write(tmp_path, OWN[:2], HELPER[:of_helper]))
    folder = write(tmp_path, OWN, HELPER)
    palace.mine(folder)
    assert (palace.mine(folder).drawers_new, palace.mine(folder / "s-1.jsonl").drawers_new) == (0, 0)
    drawers = list(drawers_of(palace))
    assert len(drawers) == len({drawer.content for drawer in drawers}) == 13
    assert not [drawer for drawer in drawers if drawer.replaced_at]


def test_the_transcript_alone_is_counted_and_a_folder_says_where_it_is_read(tmp_path: Path) -> None:
    folder = write(tmp_path, OWN, HELPER)
    found, beside = told(folder / "s-1" / "subagents" / "agent-a.jsonl")
    assert (found, beside.left_out["work of subagents"]) == ([], 5)
    [whole] = told(folder)[0]
    assert [turn.speaker for turn in whole.turns[6:8]] == ["subagent", "subagent"]


def test_links_below_a_session_are_not_followed(tmp_path: Path) -> None:
    below = write(tmp_path, OWN, HELPER) / "s-1" / "subagents"
    (tmp_path / "outside").mkdir()
    (below / "agent-a.jsonl").rename(tmp_path / "outside" / "agent-a.jsonl")
    for link, target in (
        (below / "agent-a.jsonl", tmp_path / "outside" / "agent-a.jsonl"),
        (below, tmp_path / "outside"),
    ):
        if link is below:
            shutil.rmtree(below)
        link.symlink_to(target)
        [whole] = told(below.parents[1] / "s-1.jsonl")[0]
        assert "subagent" not in {turn.speaker for turn in whole.turns}


def test_an_export_carries_the_mark(palace: Palace, palaces: Palaces, tmp_path: Path) -> None:
    palace.mine(write(tmp_path, OWN, HELPER))
    palace.transfer.export(tmp_path / "all.jsonl")
    other = palaces.palace(f"user-{uuid.uuid4()}")
    other.transfer.load(tmp_path / "all.jsonl")
    marked = [drawer.role for drawer in drawers_of(other) if drawer.speaker == "subagent"]
    assert marked == [Role.TOOL, Role.TOOL]
    assert other.mine(tmp_path / "projects").drawers_new == 0
