"""Sub-agents with files or rows of their own are read in the session that they worked for, and nowhere else."""

from __future__ import annotations

import json
import shutil
import zipfile
from datetime import UTC
from pathlib import Path

import pytest

from palace import Palace
from tests.readers.families import AGENTS, HELPER, MAIN, SECOND, Said, Write, claude, cline, codex, goose, hermes, roo
from tests.readers.front import told
from tests.upgrades.make import drawers_of

SECRET = "The gauge of the anchor winch lies behind the bulkhead."
OWN: list[Said] = [
    (0, "user", "Please mend the winch.", ""),
    (1, "assistant", "A helper looks for it.", ""),
    (12, "assistant", "Mended.", ""),
]
OF_HELPER: list[Said] = [
    (2, "user", "Find the gauge.", ""),
    (3, "call", "run_command", '{"command": "make gauge"}'),
    (4, "result", "run_command", "Exit code: 2\nKeyError: 'gauge'"),
    (5, "call", "edit_file", '{"path": "/home/ines/kiln/gauge.py", "content": "GAUGE = 1"}'),
    (6, "result", "edit_file", "edited"),
    (7, "assistant", SECRET, ""),
]
READ = [
    ("user", 0, None, "Please mend the winch."),
    ("assistant", 1, None, "A helper looks for it."),
    ("tool", 2, "subagent", "Find the gauge."),
    ("tool", 3, "run_command", 'run_command {"command": "make gauge"}'),
    ("tool", 4, "run_command", "Exit code: 2\nKeyError: 'gauge'"),
    ("tool", 5, "edit_file", 'edit_file {"path": "/home/ines/kiln/gauge.py", "content": "GAUGE = 1"}'),
    ("tool", 6, "edit_file", "edited"),
    ("tool", 7, "subagent", SECRET),
    ("assistant", 12, None, "Mended."),
]
each_agent = pytest.mark.parametrize("write", AGENTS, ids=[write.__name__ for write in AGENTS])


@each_agent
def test_a_sub_agents_work_stands_in_its_session_where_it_began(write: Write, tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    write(home, MAIN, OWN)
    write(home, HELPER, OF_HELPER)
    [found], reading = told(home)
    if write not in (goose, hermes):
        [zipped], _ = told(shutil.make_archive(str(tmp_path / "all"), "zip", home))
        assert zipped.turns == found.turns
    read = [(turn.role.value, turn.said_at, turn.speaker, turn.content) for turn in found.turns]
    # Claude Code's results do not name their tool.
    expected = [(*each[:2], None, each[3]) if write is claude and each[1] in (4, 6) else each for each in READ]
    assert [(role, at and at.astimezone(UTC).second, *rest) for role, at, *rest in read] == expected
    assert (found.source_id, reading.left_out["work of subagents"], reading.failures) == (MAIN, 0, [])


@each_agent
def test_a_sub_agent_that_ends_later_is_added_once_and_its_work_is_indexed(
    write: Write, palace: Palace, tmp_path: Path
) -> None:
    write(tmp_path, MAIN, OWN[:2])
    write(tmp_path, HELPER, OF_HELPER[:1])
    palace.mine(tmp_path)
    write(tmp_path, MAIN, OWN)
    write(tmp_path, HELPER, OF_HELPER)
    palace.mine(tmp_path)
    assert palace.mine(tmp_path).drawers_new == 0
    drawers = sorted(drawers_of(palace), key=lambda drawer: drawer.pointer)
    assert [(drawer.role.value, drawer.content) for drawer in drawers] == [(role, text) for role, _, _, text in READ]
    assert not [drawer for drawer in drawers if drawer.replaced_at]
    asked = "Where is the gauge of the anchor winch?"
    assert SECRET not in {hit.drawer.content for hit in palace.recall(asked).hits}
    edited = [entry for entry in palace.work(file="gauge.py").entries if entry.kind.value == "edit"]
    assert [[Path(file).name for file in entry.files] for entry in edited] == [["gauge.py"]]
    assert [entry.exit_status for entry in palace.work(command="make gauge").entries if entry.error] == [2]


@each_agent
def test_a_sub_agent_without_its_session_is_counted(write: Write, tmp_path: Path) -> None:
    write(tmp_path, HELPER, OF_HELPER)
    found, reading = told(tmp_path)
    assert (found, reading.left_out["work of subagents"] > 0) == ([], True)


@pytest.mark.parametrize("write", [codex, hermes])
def test_a_sub_agent_of_a_sub_agent_stands_in_the_session_of_the_person(write: Write, tmp_path: Path) -> None:
    write(tmp_path, MAIN, OWN)
    write(tmp_path, HELPER, OF_HELPER[:3])
    write(tmp_path, SECOND, OF_HELPER[3:])
    [found], reading = told(tmp_path)
    assert [turn.content for turn in found.turns] == [text for _, _, _, text in READ]
    assert reading.left_out["work of subagents"] == 0


def test_a_sub_agent_mined_without_its_sessions_folder_is_counted(tmp_path: Path) -> None:
    codex(tmp_path, MAIN, OWN)
    codex(tmp_path, HELPER, OF_HELPER)
    found, reading = told(tmp_path / "sessions" / "2026" / "05" / "05")
    assert (found, reading.left_out["work of subagents"] > 0) == ([], True)
    [found_whole], _ = told(tmp_path / "sessions" / "2026" / "05" / "04")
    assert len(found_whole.turns) == len(READ)


def test_sessions_of_cline_copied_into_one_folder_stay_apart(tmp_path: Path) -> None:
    for key in (MAIN, SECOND):
        cline(tmp_path / key, key, OWN)
        written = next((tmp_path / key).rglob(f"{key}.messages.json"))
        (tmp_path / "copied").mkdir(exist_ok=True)
        written.rename(tmp_path / "copied" / written.name)
    found, reading = told(tmp_path / "copied")
    assert [(one.source_id, len(one.turns)) for one in found] == [(MAIN, len(OWN)), (SECOND, len(OWN))]
    assert reading.left_out["work of subagents"] == 0


@pytest.mark.parametrize("odd", ["x" * 300, "a\0b"])
def test_an_id_that_no_folder_can_have_stops_nothing(odd: str, palace: Palace, tmp_path: Path) -> None:
    claude(tmp_path, MAIN, OWN)
    written = next(tmp_path.rglob("*.jsonl"))
    written.write_text(written.read_text("utf-8").replace(MAIN, json.dumps(odd)[1:-1]), "utf-8")
    palace.mine(tmp_path)
    assert len(drawers_of(palace)) == len(OWN)


def test_names_in_an_archive_may_hold_two_slashes(tmp_path: Path) -> None:
    for key, said in ((MAIN, OWN), (HELPER, OF_HELPER)):
        codex(tmp_path / "home", key, said)
    with zipfile.ZipFile(tmp_path / "all.zip", "w") as archive:
        for path in sorted((tmp_path / "home").rglob("*.jsonl")):
            archive.writestr(f"sessions//{path.parent.name}//{path.name}", path.read_bytes())
    [found], reading = told(tmp_path / "all.zip")
    assert (len(found.turns), reading.failures) == (len(READ), [])


def test_sub_agents_are_sought_only_beside_a_session_that_lies_elsewhere(tmp_path: Path) -> None:
    for key, said in ((MAIN, OWN), (HELPER, OF_HELPER)):
        codex(tmp_path / "home", key, said)
    main, helper = sorted((tmp_path / "home").rglob("*.jsonl"))
    below = tmp_path / "stray" / "below"
    below.mkdir(parents=True)
    shutil.copy(main, tmp_path / "stray")
    helper = Path(shutil.copy(helper, below))
    [found], reading = told(tmp_path / "stray")
    assert (len(found.turns), reading.left_out["work of subagents"] > 0) == (len(OWN), True)
    helper.rename(tmp_path / "stray" / helper.name)
    [found], _ = told(tmp_path / "stray")
    assert len(found.turns) == len(READ)


def test_hidden_folders_hold_no_sub_agents(tmp_path: Path) -> None:
    codex(tmp_path, MAIN, OWN)
    codex(tmp_path, HELPER, OF_HELPER)
    (tmp_path / "sessions" / "2026" / "05" / "05").rename(tmp_path / "sessions" / ".05")
    [found], _ = told(tmp_path)
    assert len(found.turns) == len(OWN)


@pytest.mark.parametrize("left", [None, "{"])
def test_a_task_whose_metadata_cannot_be_read_keeps_its_sub_agents(left: str | None, tmp_path: Path) -> None:
    roo(tmp_path, MAIN, OWN)
    roo(tmp_path, HELPER, OF_HELPER)
    about = next(path for path in tmp_path.rglob("history_item.json") if path.parent.name == MAIN)
    about.unlink() if left is None else about.write_text(left, "utf-8")
    [found], reading = told(tmp_path)
    assert (len(found.turns), reading.left_out["work of subagents"]) == (len(READ), 0)


@pytest.mark.parametrize("write", [claude, codex])
def test_a_session_is_incomplete_while_lines_of_its_sub_agent_are(write: Write, tmp_path: Path) -> None:
    write(tmp_path, MAIN, OWN)
    write(tmp_path, HELPER, OF_HELPER)
    [whole], before = told(tmp_path)
    helper = next(path for path in tmp_path.rglob("*.jsonl") if MAIN not in path.name)
    with helper.open("a", encoding="utf-8") as lines:
        lines.write("[1]\n")
        lines.write(json.dumps({"type": "compacted", "payload": {"message": "Shortened."}}) + "\n")
    [found], reading = told(tmp_path)
    assert (whole.is_partial, found.is_partial, len(found.turns)) == (False, True, len(READ))
    kind = "summaries of sessions that grew too long"
    assert reading.left_out[kind] - before.left_out[kind] == (write is codex)


def test_a_sub_agents_last_line_that_breaks_off_is_told_of(tmp_path: Path) -> None:
    codex(tmp_path, MAIN, OWN)
    codex(tmp_path, HELPER, OF_HELPER)
    helper = next(path for path in tmp_path.rglob("*.jsonl") if HELPER in path.name)
    with helper.open("a", encoding="utf-8") as lines:
        lines.write('{"type": "resp')
    [found], _ = told(tmp_path)
    assert [warning for warning in found.warnings if helper.name in warning and "is cut off" in warning]


@pytest.mark.parametrize("write", [goose, hermes])
def test_a_fault_in_a_sub_agents_row_names_the_sub_agent(
    write: Write, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("palace.mining.readers.agent_databases.LARGEST_ROW", 500)
    write(tmp_path, MAIN, OWN)
    write(tmp_path, HELPER, [*OF_HELPER, (8, "assistant", "x" * 600, "")])
    [found], reading = told(tmp_path)
    assert len(found.turns) == len(READ)
    assert [HELPER in str(problem) for problem in reading.failures] == [True]
