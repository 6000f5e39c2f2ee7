"""Exporting and importing through the command line."""

from __future__ import annotations

import json
import uuid
from pathlib import Path

import pytest

from tests.cli.conftest import Run, refused

TALK = [
    {"role": "user", "content": "Der Akku ist leer.\u2028\U0001f50b"},
    {"role": "assistant", "content": "Charge it."},
]


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
    told = f"{first} is there already: name another file, or replace it with --force"
    assert refused(mined, {("export", str(first)): told}) == []
    assert mined("export", str(first), "--force").exit_code == 0


def test_a_wing_is_exported_by_name_or_number(mined: Run, tmp_path: Path) -> None:
    mined("note", "Bread is out.", "--wing", "Kitchen")
    by_name = mined("export", "-", "--wing", "boats").stdout_bytes
    assert by_name == mined("export", "-", "--wing", "W-001").stdout_bytes
    assert b"Bread" not in by_name
    done = mined("export", str(tmp_path / "a.jsonl"), "--wing", "Boots")
    assert (done.exit_code, done.stdout, "palace ls" in done.stderr) == (2, "", True)
    assert not (tmp_path / "a.jsonl").exists()


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


def test_the_folder_of_pages_is_named_like_a_file_or_by_its_option(mined: Run, tmp_path: Path) -> None:
    new, empty, filled, file = (tmp_path / name for name in ("new", "empty", "filled", "file"))
    empty.mkdir()
    filled.mkdir()
    (filled / "mine.txt").write_text("mine")
    file.write_text("mine")
    for words in ([str(new)], [str(empty)], ["--to", str(tmp_path / "other")]):
        done = mined("export", "--format", "html", *words)
        assert (done.exit_code, done.stdout.split()[1]) == (0, f"{words[-1]},")
    assert (new / "index.html").is_file()
    assert mined("export", "--format", "html", str(new), "--force").exit_code == 0
    wrong = {
        ("export", "--format", "html", str(new)): "is there already",
        ("export", "--format", "html", str(filled)): "is not empty: name another folder",
        ("export", "--format", "html", str(file)): "is not a folder",
        ("export", "--format", "html", "-"): "name the folder of the pages",
        ("export", "--format", "html"): "palace export --format html pages",
        ("export", "--format", "html", str(new), "--to", str(new)): "name the folder of the pages",
        ("export", "--to", str(new)): "--to goes with --format html",
    }
    assert refused(mined, wrong) == []
    assert [(filled / "mine.txt").read_text(), file.read_text()] == ["mine", "mine"]


PAIRS = {"palace-sync": 1, "machine": "a", "palace": "0" * 16, "ask": "give", "have": "", "pair": True}


def test_the_other_side_of_a_sync_writes_nothing_but_its_answers(run: Run) -> None:
    run("note", "The mast is down.")
    done = run("sync", "--serve", given=json.dumps(PAIRS).encode() + b'\n{"ask": "have"}\n{"ask": "done"}\n')
    hello, *_, had, last = map(json.loads, done.stdout.splitlines())
    assert (done.exit_code, hello["palace-sync"], len(had["have"]), last) == (0, 1, 32, {"pending": 0, "forgotten": 0})
    assert run("sync", "--serve", given=b"nonsense\n").stdout.count("\n") == 2
    unpaired = run("sync", "--unpair", "0" * 16)
    assert f"unpaired {'0' * 16}: this machine refuses it until `palace sync" in " ".join(unpaired.stderr.split())
    assert f"palace {'0' * 16}, unpaired" in run("sync", "--status").stdout
    refused = run("sync", "--serve", given=json.dumps(PAIRS).encode() + b"\n").stdout.splitlines()
    assert "refuses it until `palace sync ssh://NAME --pair` is run here" in json.loads(refused[-1])["failed"]


def test_a_sync_that_could_not_read_everything_says_so(run: Run, tmp_path: Path) -> None:
    given = ("sync", str(tmp_path), "--key", str(tmp_path / "folder.key"))
    whole = run(*given)
    assert (whole.exit_code, "synchronised with" in whole.stdout) == (0, True)
    assert run("sync", "--unpair", str(tmp_path)).stderr.split() == ["unpaired", str(tmp_path)]
    (tmp_path / "laptop.000001.palace").write_bytes(b"cut off")
    part = run(*given)
    assert (part.exit_code, "synchronised in part with" in part.stdout) == (1, True)
    assert "laptop.000001.palace" in part.stderr
