"""The commands on a real server, with the bundled model."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import TALK, Run, mine, refused

PROGRAM = [sys.executable, "-m", "palace_cli"]
NOWHERE = "postgresql://me:sesame@127.0.0.1:9/palace"


@pytest.fixture
def talk(tmp_path: Path) -> Path:
    """A conversation about a battery."""
    file = tmp_path / "Efoil rebuild.json"
    file.write_text(json.dumps(TALK))
    return file


def test_mining_sums_up_a_rehearsal_stores_nothing_and_mining_again_changes_nothing(run: Run, talk: Path) -> None:
    assert "dry run   nothing was stored" in run("mine", str(talk), "--dry-run").stdout
    assert json.loads(run("status", "--json").stdout)["drawers"] == 0
    result = run("mine", str(talk))
    assert (result.exit_code, result.stderr) == (0, "")
    assert "drawers   3 new, 0 unchanged, 0 excluded" in result.stdout
    assert "read      1 conversation in 1 source" in result.stdout
    assert "passages  3 embedded with sentences, 0 pending\n" in result.stdout
    again = json.loads(run("mine", str(talk), "--json").stdout)
    assert (again["drawers_new"], again["drawers_unchanged"]) == (0, 3)
    shown = run("status")
    found = json.loads(run("status", "--json").stdout)
    assert [found[name] for name in ("wings", "rooms", "drawers", "passages")] == [1, 1, 3, 3]
    assert found["embeddings"][0]["generation"]["model"] == "bundled/all-MiniLM-L6-v2"
    assert "drawers     3" in shown.stdout


def test_a_broken_file_is_named_and_the_others_are_mined(run: Run, talk: Path) -> None:
    broken = talk.with_name("broken.json")
    broken.write_text('[{"role": "user", "content": "cut off')
    result = run("mine", str(talk.parent), "--json")
    summary = json.loads(result.stdout)
    assert (result.exit_code, summary["drawers_new"]) == (1, 3)
    assert [failure["file"] for failure in summary["failures"]] == [str(broken)]
    assert result.stderr.startswith(f"palace: {broken}")
    assert result.stderr.count("\n") == 1


def test_an_empty_file_is_told_and_a_missing_one_is_one_line_and_exit_code_1(run: Run, tmp_path: Path) -> None:
    (tmp_path / "empty.json").touch()
    empty = run("mine", str(tmp_path / "empty.json"))
    assert (empty.exit_code, "drawers   0 new" in empty.stdout, "empty.json" in empty.stderr) == (0, True, True)
    missing = str(tmp_path / "nowhere.json")
    result = run("mine", missing)
    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (1, "", 1)
    assert result.stderr.startswith(f"palace: {missing}: ")
    told = json.loads(run("mine", missing, "--json").stderr)
    assert (told["code"], f"palace: {told['message']}\n") == ("unreadable_source", result.stderr)


def test_standard_input_is_mined_without_what_is_excluded(run: Run) -> None:
    options = ("--wing", "Boats", "--exclude", "Derek", "--exclude", "nothing like this", "--json")
    assert json.loads(run("mine", "-", *options, given=json.dumps(TALK)).stdout)["drawers_new"] == 2
    assert [wing["name"] for wing in json.loads(run("ls", "--json").stdout)] == ["Boats"]


def test_a_note_comes_back_by_the_pointer_it_prints_byte_for_byte(run: Run) -> None:
    pointer = run("note", "The spare battery is with Derek", "--wing", "Efoil", "--said-at", "2026-04-30").stdout
    shown = run("show", pointer.strip()).stdout
    assert shown.startswith(pointer)
    assert "user, 2026-04-30 00:00" in shown
    assert shown.endswith("\n\nThe spare battery is with Derek\n")
    said = "  a\tb\r\n\x1b[31m電池\n\n".encode()
    pointer = run("note", "-", given=said).stdout.strip()
    assert run("show", pointer, "--raw").stdout_bytes == said
    result = run("note", "-", given=b"caf\xe9")
    assert (result.exit_code, result.stderr) == (1, "palace: standard input, byte 3: is not UTF-8 text\n")


def test_ls_walks_from_wings_to_rooms_to_drawers_and_says_how_to_go_on_where_it_stops(efoil: Run) -> None:
    assert efoil("ls").stdout.splitlines()[1].split()[:3] == ["W-001", "Efoil", "rebuild"]
    rooms = efoil("ls", "efoil rebuild").stdout
    assert "W-001/R-01" in rooms
    assert rooms == efoil("ls", "W-001").stdout
    drawers = efoil("ls", "W-001/R-01").stdout
    assert all(f"§ W-001/R-01/D-{number:03d}" in drawers for number in (1, 2, 3))
    result = efoil("ls", "W-001/R-01", "--limit", "2", "--json")
    assert len(json.loads(result.stdout)["drawers"]) == 2
    assert result.stderr == "2 of 3 drawers: --offset 2 continues\n"
    assert efoil("ls", "W-001/R-01", "--offset", "2").stderr == ""


@pytest.mark.nightly
def test_every_list_is_cut_goes_on_and_is_asked_by_time(run: Run) -> None:
    assert run("ls").stderr == "the palace is empty: palace mine FILE fills it\n"
    assert json.loads(run("ls", "--json").stdout) == []
    for month, wing in (("01", "Notes"), ("03", "Notes"), ("04", "Notes"), ("05", "Boats")):
        run("note", f"Of {month}.", "--said-at", f"2026-{month}-01", "--wing", wing)
    wings = run("ls", "--limit", "1", "--json")
    assert [wing["number"] for wing in json.loads(wings.stdout)] == [1]
    assert wings.stderr == "1 of 2: --offset 1 continues\n"

    def listed(*options: str) -> list[int]:
        return [room["number"] for room in json.loads(run("ls", "Notes", "--json", *options).stdout)["rooms"]]

    assert listed("--limit", "2", "--offset", "1") == [2, 3]
    assert listed("--since", "2026-02-01") == [2, 3]
    assert listed("--until", "2026-03-01") == [1, 2]
    for option, count in (("--since", 0), ("--until", 1)):
        day = "2026-01-02" if option == "--since" else "2026-01-01"
        assert len(json.loads(run("ls", "W-001/R-01", option, day, "--json").stdout)["drawers"]) == count


def test_a_room_is_shown_whole_and_in_order(efoil: Run) -> None:
    shown = efoil("show", "W-001/R-01").stdout
    said = [turn["content"] for turn in TALK]
    assert sorted(said, key=shown.index) == said
    found = json.loads(efoil("show", "W-001/R-01", "--json").stdout)
    assert [drawer["content"] for drawer in found["drawers"]] == said
    leads = [efoil("show", f"W-001/R-01/D-00{number}", "--context", "1").stderr for number in (1, 2)]
    assert leads == ["next: palace show W-001/R-01/D-003; all: palace show W-001/R-01\n", ""]
    wrong = {
        ("show", "W-001/R-01", "--raw"): "",
        ("show", "W-001/R-09"): "",
        ("show", "§ W-009/R-01/D-001"): "palace ls",
    }
    assert refused(efoil, wrong) == []


def test_embeddings_are_seen_completed_and_switched_and_what_is_embedded_is_what_the_status_counts(
    run: Run, tmp_path: Path
) -> None:
    assert run("embeddings", "status").stderr == "nothing is embedded yet: palace mine FILE starts it\n"
    said = (
        "I moved to Ghent with my sister in the spring of last year. We keep eleven hens behind the house and sell"
        " the eggs. On Sundays I repair old bicycles for the neighbours who cannot afford a shop.",
        "Bees hum.",
    )
    for name, text in zip("ab", said, strict=True):
        mine(run, tmp_path / f"{name}.json", {"id": name, "messages": [{"role": "user", "content": text}]})
    assert "active" in run("embeddings", "status").stdout
    assert json.loads(run("embeddings", "backfill", "--json").stdout)["pending"] == 0
    switched = json.loads(run("embeddings", "switch", "bundled/all-MiniLM-L6-v2", "--json").stdout)
    status = json.loads(run("status", "--json").stdout)
    assert (switched["state"], status["passages"]) == ("active", 2)
    alone = run("status").stdout.partition("passages    2, ")[2].split()[0]
    assert switched["embedded"] == status["passages"] - int(alone) + status["sentences"] == 4


def test_a_sound_palace_is_found_sound_and_has_cost_nothing(efoil: Run) -> None:
    result = efoil("doctor", "--json")
    assert [check for check in json.loads(result.stdout) if check["verdict"] == "problem"] == []
    costs = efoil("costs", "--since", "2026-01-01")
    assert (result.exit_code, costs.exit_code, costs.stdout, costs.stderr) == (0, 0, "", "no calls to models\n")


def test_an_unreachable_database_is_exit_code_3_one_line_and_no_password(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PALACE_DATABASE_URL", NOWHERE)
    result = run("recall", "wire", "--json")
    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (3, "", 1)
    assert "127.0.0.1" in result.stderr
    assert "palace db status" in result.stderr
    doctor = run("doctor")
    assert (doctor.exit_code, "problem  server: " in doctor.stdout) == (1, True)
    assert "sesame" not in result.output + doctor.output


def test_a_shared_server_is_upgraded_by_name_and_not_ours_to_stop(run: Run) -> None:
    revision = json.loads(run("db", "upgrade", "--json").stdout)["revision"]
    assert run("db", "upgrade").stdout == f"schema revision {revision}\n"
    assert refused(run, {("db", "stop"): ""}) == []


@pytest.mark.nightly
@pytest.mark.slow
@pytest.mark.process
def test_the_embedded_server_starts_and_stops_on_request(
    run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PALACE_DATABASE_URL")
    monkeypatch.delenv("PALACE_DATABASE_OWNER_URL")
    monkeypatch.setenv("PALACE_HOME", str(folder / "home"))
    assert json.loads(run("db", "status", "--json").stdout)["running"] is False
    try:
        started = json.loads(run("db", "start", "--json").stdout)
        assert (started["kind"], started["running"]) == ("embedded", True)
        assert run("db", "url").stdout == f"{started['url']}\n"
    finally:
        assert run("db", "stop").stdout == "stopped\n"
    assert run("db", "stop").stdout == "was not running\n"


@pytest.mark.nightly
@pytest.mark.process
def test_control_c_ends_with_130_and_a_line(run: Run) -> None:
    pipes: dict[str, Any] = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    with subprocess.Popen([*PROGRAM, "mine", "-"], **pipes) as miner:
        assert miner.stdin is not None
        miner.stdin.write(b"x" * 1_000_000)
        miner.send_signal(signal.SIGINT)
        out, err = miner.communicate(timeout=30)
    assert (miner.returncode, out, err.count(b"\n")) == (130, b"", 1)
    assert err.startswith(b"palace: interrupted")
