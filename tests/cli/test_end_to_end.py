"""The commands on a real server, with the bundled model."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
import uuid
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

PROGRAM = [sys.executable, "-c", "from palace_cli.entry import main; main()"]

WIRE = "I tried a 12-AWG silicone wire and it overheated after ten minutes."
TALK = [
    {"role": "user", "content": WIRE},
    {"role": "assistant", "content": "Use an 8-AWG wire between the battery and the motor controller."},
    {"role": "user", "content": "Derek will lend me his crimping tool on Sunday."},
]

Run = Callable[..., Any]


@pytest.fixture
def talk(tmp_path: Path) -> Path:
    """A conversation about a battery."""
    file = tmp_path / "Efoil rebuild.json"
    file.write_text(json.dumps(TALK))
    return file


def test_mining_files_a_conversation_and_sums_up(run: Run, talk: Path) -> None:
    result = run("mine", str(talk))
    assert (result.exit_code, result.stderr) == (0, "")
    assert "drawers   3 new, 0 unchanged, 0 excluded" in result.stdout
    assert "read      1 conversation in 1 file" in result.stdout
    assert "passages  3 embedded with sentences, 0 pending\n" in result.stdout


def test_mining_again_changes_nothing(run: Run, talk: Path) -> None:
    run("mine", str(talk))
    again = json.loads(run("mine", str(talk), "--json").stdout)
    assert (again["drawers_new"], again["drawers_unchanged"]) == (0, 3)


def test_a_broken_file_is_named_and_the_others_are_mined(run: Run, talk: Path) -> None:
    broken = talk.with_name("broken.json")
    broken.write_text('[{"role": "user", "content": "cut off')
    result = run("mine", str(talk.parent), "--json")
    summary = json.loads(result.stdout)
    assert (result.exit_code, summary["drawers_new"]) == (1, 3)
    assert [failure["file"] for failure in summary["failures"]] == [str(broken)]
    assert result.stderr.startswith(f"palace: {broken}")
    assert result.stderr.count("\n") == 1


def test_an_empty_file_is_no_error_but_is_told(run: Run, tmp_path: Path) -> None:
    (tmp_path / "empty.json").touch()
    result = run("mine", str(tmp_path / "empty.json"))
    assert result.exit_code == 0
    assert "drawers   0 new" in result.stdout
    assert "empty.json" in result.stderr


def test_a_missing_file_is_one_line_and_exit_code_1(run: Run, tmp_path: Path) -> None:
    result = run("mine", str(tmp_path / "nowhere.json"))
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith(f"palace: {tmp_path / 'nowhere.json'}: ")
    assert result.stderr.count("\n") == 1
    told = json.loads(run("mine", str(tmp_path / "nowhere.json"), "--json").stderr)
    assert told["code"] == "unreadable_source"
    assert f"palace: {told['message']}\n" == result.stderr


def test_standard_input_is_mined(run: Run) -> None:
    result = run("mine", "-", "--wing", "Boats", "--json", given=json.dumps(TALK))
    assert json.loads(result.stdout)["drawers_new"] == 3
    assert [wing["name"] for wing in json.loads(run("ls", "--json").stdout)] == ["Boats"]


def test_a_dry_run_stores_nothing(run: Run, talk: Path) -> None:
    result = run("mine", str(talk), "--dry-run")
    assert "dry run   nothing was stored" in result.stdout
    assert json.loads(run("status", "--json").stdout)["drawers"] == 0


def test_excluded_messages_are_left_out(run: Run, talk: Path) -> None:
    run("mine", str(talk), "--exclude", "Derek", "--exclude", "nothing like this")
    assert json.loads(run("status", "--json").stdout)["drawers"] == 2


def test_a_pattern_that_is_none_is_a_wrong_call(run: Run, talk: Path) -> None:
    result = run("mine", str(talk), "--exclude", "(")
    assert (result.exit_code, result.stdout) == (2, "")


def test_recall_shows_the_drawer_that_answers(run: Run, talk: Path) -> None:
    run("mine", str(talk))
    lines = run("recall", "which wire overheated?", "--top-k", "1").stdout.splitlines()
    assert lines[0].startswith("§ W-001/R-01/D-001  Efoil rebuild / ")
    assert lines[2] == f"  {WIRE}"
    assert lines[3] == 'says "overheated", "wire"; closest in meaning'


def test_recall_gives_programs_the_same_hits(run: Run, talk: Path) -> None:
    run("mine", str(talk))
    found = json.loads(run("recall", "which wire overheated?", "--json", "--context", "1").stdout)
    best = found["hits"][0]
    assert best["drawer"]["content"] == WIRE
    assert best["drawer"]["pointer"] == "§ W-001/R-01/D-001"
    assert [drawer["position"] for drawer in best["after"]] == [1]


def test_recall_gives_models_a_block_that_cites(run: Run, talk: Path) -> None:
    run("mine", str(talk))
    block = run("recall", "which wire overheated?", "--format", "block").stdout
    assert block.startswith("<memory_context>")
    assert "W-001/R-01/D-001" in block
    assert block.endswith("</memory_context>\n")


@pytest.mark.parametrize("form", ["human", "block"])
def test_nothing_relevant_is_an_empty_answer_and_no_error(run: Run, form: str) -> None:
    result = run("recall", "zebra", "--format", form)
    assert (result.exit_code, result.stdout, result.stderr) == (0, "", "nothing relevant found\n")


def test_nothing_relevant_is_one_json_document_too(run: Run) -> None:
    assert json.loads(run("recall", "zebra", "--json").stdout)["hits"] == []


def test_a_mistyped_wing_names_the_next_command(run: Run, talk: Path) -> None:
    run("mine", str(talk))
    result = run("recall", "wire", "--wing", "Efoyl", "--json")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "Efoyl" in result.stderr
    assert "palace ls" in result.stderr
    assert result.stderr.count("\n") == 1


def test_an_empty_query_is_a_wrong_call(run: Run) -> None:
    result = run("recall", "  ")
    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (2, "", 1)


def test_a_note_comes_back_by_the_pointer_it_prints(run: Run) -> None:
    pointer = run("note", "The spare battery is with Derek", "--wing", "Efoil", "--said-at", "2026-04-30").stdout
    shown = run("show", pointer.strip()).stdout
    assert shown.startswith(pointer)
    assert "user, 2026-04-30 00:00" in shown
    assert shown.endswith("\n\nThe spare battery is with Derek\n")


def test_a_note_from_standard_input_is_kept_byte_for_byte(run: Run) -> None:
    said = "  a\tb\r\n\x1b[31m電池\n\n".encode()
    pointer = run("note", "-", given=said).stdout.strip()
    assert run("show", pointer, "--raw").stdout_bytes == said


def test_standard_input_that_is_no_text_names_the_place(run: Run) -> None:
    result = run("note", "-", given=b"caf\xe9")
    assert (result.exit_code, result.stderr) == (1, "palace: standard input, byte 3: is not UTF-8 text\n")


def test_an_unknown_pointer_names_the_next_command(run: Run) -> None:
    result = run("show", "§ W-001/R-01/D-001")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "palace ls" in result.stderr


def test_memory_cannot_drive_the_terminal_but_programs_get_it_whole(run: Run) -> None:
    run("note", "the battery \x1b[2J says hello")
    assert "the battery ␛[2J says hello" in run("recall", "battery").stdout
    found = json.loads(run("recall", "battery", "--json").stdout)
    assert found["hits"][0]["drawer"]["content"] == "the battery \x1b[2J says hello"


def test_ls_walks_from_wings_to_rooms_to_drawers(run: Run, talk: Path) -> None:
    run("mine", str(talk))
    assert run("ls").stdout.splitlines()[1].split()[:3] == ["W-001", "Efoil", "rebuild"]
    rooms = run("ls", "efoil rebuild").stdout
    assert "W-001/R-01" in rooms
    assert rooms == run("ls", "W-001").stdout
    drawers = run("ls", "W-001/R-01").stdout
    assert [f"§ W-001/R-01/D-{number:03d}" in drawers for number in (1, 2, 3)] == [True, True, True]


def test_ls_says_how_to_go_on_where_it_stops(run: Run, talk: Path) -> None:
    run("mine", str(talk))
    result = run("ls", "W-001/R-01", "--limit", "2", "--json")
    assert len(json.loads(result.stdout)["drawers"]) == 2
    assert result.stderr == "2 of 3 drawers: --offset 2 continues\n"
    assert run("ls", "W-001/R-01", "--offset", "2").stderr == ""


def test_every_list_is_cut_and_goes_on(run: Run, talk: Path) -> None:
    run("mine", str(talk))
    for day, text in enumerate(("One.", "Two.", "Three."), 1):
        run("note", text, "--said-at", f"2026-01-0{day}")
    wings = run("ls", "--limit", "1", "--json")
    assert [wing["number"] for wing in json.loads(wings.stdout)] == [1]
    assert wings.stderr == "1 of 2: --offset 1 continues\n"
    rooms = run("ls", "Notes", "--limit", "2", "--offset", "1", "--json")
    assert [room["number"] for room in json.loads(rooms.stdout)["rooms"]] == [2, 3]
    assert rooms.stderr == ""


def test_rooms_and_drawers_are_listed_by_time(run: Run) -> None:
    run("note", "Old.", "--said-at", "2026-01-01")
    run("note", "New.", "--said-at", "2026-03-01")
    listed = json.loads(run("ls", "Notes", "--since", "2026-02-01", "--json").stdout)
    assert [room["number"] for room in listed["rooms"]] == [2]
    listed = json.loads(run("ls", "Notes", "--until", "2026-01-01", "--json").stdout)
    assert [room["number"] for room in listed["rooms"]] == [1]
    assert json.loads(run("ls", "W-001/R-01", "--since", "2026-01-02", "--json").stdout)["drawers"] == []
    assert len(json.loads(run("ls", "W-001/R-01", "--until", "2026-01-01", "--json").stdout)["drawers"]) == 1
    assert run("ls", "--since", "yesterday").exit_code == 2


def test_a_room_is_shown_whole_and_in_order(run: Run, talk: Path) -> None:
    run("mine", str(talk))
    shown = run("show", "W-001/R-01")
    assert [shown.stdout.index(turn["content"]) for turn in TALK] == sorted(
        shown.stdout.index(turn["content"]) for turn in TALK
    )
    found = json.loads(run("show", "W-001/R-01", "--json").stdout)
    assert [drawer["content"] for drawer in found["drawers"]] == [turn["content"] for turn in TALK]
    assert run("show", "W-001/R-01", "--raw").exit_code == 2
    assert run("show", "W-001/R-09").exit_code == 2


def test_several_words_are_one_query(run: Run, talk: Path) -> None:
    run("mine", str(talk))
    found = json.loads(run("recall", "which", "wire", "overheated", "--json").stdout)
    assert (found["query"], found["hits"][0]["drawer"]["content"]) == ("which wire overheated", WIRE)


def test_a_query_is_read_from_standard_input(run: Run, talk: Path) -> None:
    run("mine", str(talk))
    found = json.loads(run("recall", "-", "--json", given="which wire overheated?\n").stdout)
    assert (found["query"], found["hits"][0]["drawer"]["content"]) == ("which wire overheated?", WIRE)


def test_recall_is_confined_to_a_role(run: Run, talk: Path) -> None:
    run("mine", str(talk))
    found = json.loads(run("recall", "wire", "--role", "assistant", "--json").stdout)
    assert {hit["drawer"]["role"] for hit in found["hits"]} == {"assistant"}
    assert run("recall", "wire", "--role", "robot").exit_code == 2


def test_an_empty_palace_says_how_to_fill_it(run: Run) -> None:
    assert (run("ls").stdout, run("ls").stderr) == ("", "the palace is empty: palace mine FILE fills it\n")
    assert json.loads(run("ls", "--json").stdout) == []


def test_every_user_has_a_palace_of_their_own(run: Run, talk: Path) -> None:
    other = f"user-{uuid.uuid4()}"
    run("mine", str(talk))
    run("note", "Mine.", "--user", other, "--new-user")
    assert [wing["name"] for wing in json.loads(run("ls", "--user", other, "--json").stdout)] == ["Notes"]
    assert json.loads(run("status", "--user", other, "--json").stdout)["user"] == other


def test_the_status_counts_what_was_mined(run: Run, talk: Path) -> None:
    run("mine", str(talk))
    found = json.loads(run("status", "--json").stdout)
    assert [found[name] for name in ("wings", "rooms", "drawers", "passages")] == [1, 1, 3, 3]
    assert found["embeddings"][0]["generation"]["model"] == "bundled/all-MiniLM-L6-v2"
    assert "drawers     3" in run("status").stdout


def test_embeddings_are_seen_completed_and_switched(run: Run, talk: Path) -> None:
    assert run("embeddings", "status").stderr == "nothing is embedded yet: palace mine FILE starts it\n"
    run("mine", str(talk))
    assert "active" in run("embeddings", "status").stdout
    assert json.loads(run("embeddings", "backfill", "--json").stdout)["pending"] == 0
    switched = json.loads(run("embeddings", "switch", "bundled/all-MiniLM-L6-v2", "--json").stdout)
    assert (switched["state"], switched["embedded"]) == ("active", 3)


def test_costs_without_calls_are_an_empty_answer(run: Run) -> None:
    result = run("costs", "--since", "2026-01-01")
    assert (result.exit_code, result.stdout, result.stderr) == (0, "", "no calls to models\n")
    assert json.loads(run("costs", "--json").stdout) == []


def test_the_doctor_finds_a_sound_palace_sound(run: Run, talk: Path) -> None:
    run("mine", str(talk))
    result = run("doctor", "--json")
    assert [check for check in json.loads(result.stdout) if check["verdict"] == "problem"] == []
    assert result.exit_code == 0


def test_the_doctor_fails_where_no_server_answers(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PALACE_DATABASE_URL", "postgresql://me:sesame@127.0.0.1:9/palace")
    result = run("doctor")
    assert result.exit_code == 1
    assert "problem  server: " in result.stdout
    assert "sesame" not in result.output


def test_an_unreachable_database_is_exit_code_3_and_one_line(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PALACE_DATABASE_URL", "postgresql://me:sesame@127.0.0.1:9/palace")
    result = run("recall", "wire", "--json")
    assert (result.exit_code, result.stdout) == (3, "")
    assert "127.0.0.1" in result.stderr
    assert "palace db status" in result.stderr
    assert "sesame" not in result.stderr
    assert result.stderr.count("\n") == 1


def test_a_setting_that_makes_no_sense_is_named(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PALACE_DATABASE_SCHEMA", "Not A Name")
    result = run("ls")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "PALACE_DATABASE_SCHEMA" in result.stderr


def test_the_schema_of_a_shared_server_is_upgraded_by_name(run: Run) -> None:
    revision = json.loads(run("db", "upgrade", "--json").stdout)["revision"]
    assert run("db", "upgrade").stdout == f"schema revision {revision}\n"


def test_a_shared_server_is_not_ours_to_stop(run: Run) -> None:
    result = run("db", "stop")
    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (2, "", 1)


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


@pytest.fixture
def miner(run: Run) -> Iterator[subprocess.Popen[bytes]]:
    """A program that mines standard input and has begun to read it."""
    with subprocess.Popen(
        [*PROGRAM, "mine", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as program:
        assert program.stdin is not None
        program.stdin.write(b"x" * 1_000_000)
        yield program
        program.kill()


def test_control_c_ends_with_130_and_a_line(miner: subprocess.Popen[bytes]) -> None:
    miner.send_signal(signal.SIGINT)
    out, err = miner.communicate(timeout=30)
    assert (miner.returncode, out) == (130, b"")
    assert err.startswith(b"palace: interrupted")
    assert err.count(b"\n") == 1


def test_a_terminal_sees_progress_and_a_pipe_the_summary(run: Run, talk: Path) -> None:
    ours, theirs = pty.openpty()
    with subprocess.Popen([*PROGRAM, "mine", str(talk)], stdout=subprocess.PIPE, stderr=theirs) as program:
        os.close(theirs)
        seen = b"".join(_until_closed(ours)).decode()
        assert program.stdout is not None
        out = program.stdout.read()
    os.close(ours)
    assert "filing" in seen
    assert "turns/s" in seen
    assert out.startswith(b"drawers   3 new")


def _until_closed(terminal: int) -> Iterator[bytes]:
    """Read a terminal until nobody writes to it any more, which Linux reports as an error."""
    with suppress(OSError):
        while chunk := os.read(terminal, 4096):
            yield chunk
