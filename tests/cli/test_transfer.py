"""Exporting and importing through the command line."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import uuid
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from palace.records import ImportSummary, MovedPlace
from palace_cli.commands.import_ import _joined

PROGRAM = [sys.executable, "-c", "from palace_cli.entry import main; main()"]
TALK = [
    {"role": "user", "content": "Der Akku ist leer.\u2028\U0001f50b"},
    {"role": "assistant", "content": "Charge it."},
]

Run = Callable[..., Any]


@pytest.fixture
def mined(run: Run) -> Run:
    """The same, with a conversation in the palace."""
    assert run("mine", "-", "--wing", "Boats", given=json.dumps(TALK)).exit_code == 0
    return run


def test_a_palace_goes_into_a_file_and_out_of_it_again(mined: Run, tmp_path: Path) -> None:
    first, second, other = tmp_path / "a.jsonl", tmp_path / "b.jsonl", f"user-{uuid.uuid4()}"
    done = mined("export", str(first))
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout.startswith(f"exported  {first}, ")
    assert "drawers   2\nplaces    1 wing, 1 room, 1 conversation\nruns      1\n" in done.stdout
    done = mined("import", str(first), "--user", other, "--new-user")
    assert (done.exit_code, done.stderr) == (0, "")
    assert "drawers   2 new, 0 unchanged, 0 forgotten\n" in done.stdout
    assert "passages  2 embedded with sentences, 0 pending\n" in done.stdout
    assert json.loads(mined("export", str(second), "--user", other, "--json").stdout)["drawers"] == 2
    assert first.read_bytes() == second.read_bytes()


def test_an_export_goes_through_a_pipe(mined: Run, tmp_path: Path) -> None:
    mined("export", str(tmp_path / "a.jsonl"))
    done = mined("export", "-", "--json")
    assert done.stdout_bytes == (tmp_path / "a.jsonl").read_bytes()
    assert done.stderr.startswith("exported 2 drawers, ")
    other = f"user-{uuid.uuid4()}"
    taken = json.loads(mined("import", "-", "--user", other, "--new-user", "--json", given=done.stdout_bytes).stdout)
    assert (taken["drawers_new"], taken["passages_pending"]) == (2, 0)
    assert mined("export", "-", "--user", other).stdout_bytes == done.stdout_bytes


def test_a_wing_is_exported_by_name_or_number(mined: Run) -> None:
    mined("note", "Bread is out.", "--wing", "Kitchen")
    by_name = mined("export", "-", "--wing", "boats").stdout_bytes
    assert by_name == mined("export", "-", "--wing", "W-001").stdout_bytes
    assert b"Bread" not in by_name


def test_a_wing_that_is_not_there_names_the_next_command(mined: Run, tmp_path: Path) -> None:
    done = mined("export", str(tmp_path / "a.jsonl"), "--wing", "Boots")
    assert (done.exit_code, done.stdout) == (2, "")
    assert "palace ls" in done.stderr
    assert not (tmp_path / "a.jsonl").exists()


def test_a_file_that_is_there_is_kept_unless_forced(mined: Run, tmp_path: Path) -> None:
    target = tmp_path / "a.jsonl"
    target.write_text("mine")
    done = mined("export", str(target))
    assert (done.exit_code, done.stdout, target.read_text()) == (2, "", "mine")
    assert done.stderr == f"palace: {target} is there already: name another file, or replace it with --force\n"
    assert mined("export", str(target), "--force").exit_code == 0


def test_what_has_other_pointers_where_palaces_are_joined_is_counted(mined: Run) -> None:
    export = mined("export", "-").stdout_bytes
    other = f"user-{uuid.uuid4()}"
    mined("mine", "-", "--wing", "Boats", "--user", other, "--new-user", given=json.dumps(TALK[:1]))
    mined("note", "Mine.", "--wing", "Boats", "--user", other)
    done = mined("import", "-", "--user", other, given=export)
    assert (done.exit_code, done.stderr) == (0, "")
    moved = json.loads(mined("import", "-", "--user", other, "--json", given=export).stdout)["moved"]
    told = {
        "room": sum("/D-" not in each["was"] for each in moved),
        "drawer": sum("/D-" in each["was"] for each in moved),
    }
    assert any(told.values())
    for noun, many in told.items():
        assert (f"{many} {noun}" in done.stdout) is bool(many)


@pytest.mark.parametrize(
    ("moved", "told"),
    [
        (("W-001/R-01",), "1 room under"),
        (("W-001/R-01/D-001", "W-001/R-01/D-002"), "2 drawers under"),
        (("W-001/R-01", "W-001/R-02", "W-001/R-02/D-004"), "2 rooms and 1 drawer under"),
    ],
)
def test_a_joined_import_names_rooms_and_drawers(moved: tuple[str, ...], told: str) -> None:
    places = tuple(MovedPlace(f"§ {was}", "§ W-009/R-09") for was in moved)
    counted: dict[str, Any] = dict.fromkeys(
        ("wings", "conversations", "tombstones", "drawers_new", "drawers_unchanged"), 0
    )
    counted |= dict.fromkeys(("drawers_forgotten", "passages_embedded", "passages_pending"), 0)
    summary = ImportSummary(**counted, cost_usd=Decimal(0), seconds=0.0, is_joined=True, moved=places)
    assert _joined(summary) == f"{told} other pointers here; --json lists them"


def test_a_file_that_is_no_export_is_named_with_the_place(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "talk.json"
    file.write_text(json.dumps(TALK))
    done = run("import", str(file))
    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr == f"palace: {file}: is not an export of a palace: `palace mine` takes it up\n"
    file.write_text('{"some": ["thing", "else"]}')
    assert run("import", str(file)).stderr == f"palace: {file}: is not an export of a palace\n"
    done = run("import", "-", given=b"")
    assert done.stderr == "palace: standard input: is not an export of a palace\n"


@pytest.mark.usefixtures("mined")
def test_a_reader_that_leaves_early_is_no_traceback() -> None:
    ours, theirs = os.pipe()
    os.close(ours)
    with os.fdopen(theirs, "wb") as closed:
        done = subprocess.run([*PROGRAM, "export", "-"], stdout=closed, stderr=subprocess.PIPE, check=False)
    assert b"Traceback" not in done.stderr


@pytest.mark.usefixtures("mined")
def test_a_full_disk_is_told_in_one_line() -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run([*PROGRAM, "export", "-"], stdout=full, stderr=subprocess.PIPE, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith(b"palace: the export cannot be written: No space left on device\n")
