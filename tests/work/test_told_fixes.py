"""What made an error go away: what a person told, another command, or an edit after a look at a log."""

from __future__ import annotations

from pathlib import Path

import pytest

from palace import Palace, WorkKind
from tests.work.sessions import Session
from tests.work.test_lasting import bears

UNPOWERED = "Error: DLL error: The target is not powered, VTref = 0.012 V (-102)"
SWITCH = "ah of course, the slide switch beside the socket has to be at EXT, else it cuts the debug port"


def test_what_the_person_told_before_the_command_ran_again_is_the_fix(palace: Palace, tmp_path: Path) -> None:
    session = Session("p-1").asks("flash it").runs("west flash", UNPOWERED, 1).runs("lsusb", "SEGGER J-Link")
    session.runs("west flash --recover", UNPOWERED, 1).says("The board has no power.").asks(SWITCH)
    palace.mine(session.runs("west flash", "flashed successfully").says("Flashed.").write(tmp_path), wing="api")
    found = bears(palace, error=UNPOWERED.replace("0.012", "0.031"), command="nrfutil device program")
    assert found is not None
    assert (found.kind, found.text, found.role.value) == (WorkKind.FIX, SWITCH, "user")


def test_what_ran_between_two_runs_of_a_command_is_the_fix_and_not_the_command(palace: Palace, tmp_path: Path) -> None:
    locked, plain = (
        "Error: UPGRADE FAILED: another operation is in progress",
        "helm upgrade yard charts/yard -n staging",
    )
    session = Session("h-1").asks("deploy is stuck, sort it out").runs(plain, locked, 1)
    session.runs(f"{plain} --force", locked, 1).runs("helm rollback yard 41 -n staging", "Rollback was a success!")
    palace.mine(session.runs(plain, "Release upgraded.").says("It is out.").write(tmp_path), wing="api")
    found = bears(palace, error=locked, command="helm upgrade gate charts/gate -n production")
    assert found is not None
    assert found.fixed_by == "helm rollback yard 41 -n staging"


@pytest.mark.parametrize(
    ("failed", "worked", "printed", "again"),
    [
        ("godot --headless -s run.gd -gexit", "flatpak run org.Godot --headless -s run.gd -gexit", "ok", None),
        ("php artisan test --filter=Coupon", "./vendor/bin/sail test --filter=Coupon", "2 passed", None),
        (
            "terraform -chdir=envs/staging plan",
            "make plan ENV=staging",
            "aws-vault exec v -- terraform -chdir=envs/staging plan -out=tf.plan",
            "terraform -chdir=envs/staging plan -target=module.network",
        ),
    ],
)
def test_another_program_that_did_the_same_is_the_fix(
    palace: Palace, tmp_path: Path, failed: str, worked: str, printed: str, again: str | None
) -> None:
    session = Session("o-1").asks("run it").runs(failed, "Error: this does not work here so", 1).runs(worked, printed)
    palace.mine(session.says("It runs.").write(tmp_path), wing="api")
    found = bears(palace, command=again or failed)
    assert found is not None
    assert found.fixed_by == worked


def test_an_error_in_a_log_is_fixed_by_the_last_change_of_the_fight(palace: Palace, tmp_path: Path) -> None:
    error = 'ERROR: prepared statement "stmtcache_6f1c0d9b27ae" already exists (SQLSTATE 42P05)'
    session = Session("g-1").asks("staging answers 500, look at the logs")
    session.runs("kubectl -n ingest logs deploy/ingest --tail=6", f'{{"level":"ERROR","err":"{error}"}}')
    session.edits("store/pool.go", "cfg.MaxConns = 20", "cfg.MaxConns = 1").says("One connection.").asks(
        "no, undo that"
    )
    session.edits("store/pool.go", "cfg.MaxConns = 1", "cfg.MaxConns = 20").edits("store/exec.go").says("Exec mode.")
    session.asks("good. now add a flag for the port").edits("cmd/main.go").says("There is a flag.")
    palace.mine(session.write(tmp_path), wing="api")
    again = error.replace("6f1c0d9b27ae", "b81e04ca7d9f")
    found = bears(palace, error=f"copy batch: {again}", command="go run ./cmd/backfill")
    assert found is not None
    assert (found.fixed_by or "").endswith("store/exec.go")
    assert not palace.work_here().open


def test_a_fix_of_the_sources_and_a_run_that_succeeded_behind_another_are_not_told_before_a_command(
    palace: Palace, tmp_path: Path
) -> None:
    session = Session("s-1").asks("build").runs("mix compile", 'error: undefined function "dump"', 1)
    session.runs("sed -i s/dump/encode/ lib/csv.ex && mix compile", "ok").says("Built.")
    session.runs("go build ./...", "api/a.go:3:1: undefined: thing", 1).edits("api/a.go")
    session.runs("go build ./... && go test ./api", "ok").says("Passes.")
    palace.mine(session.write(tmp_path), wing="api")
    assert bears(palace, command="mix compile") is None
    assert bears(palace, command="go build ./...") is None


def test_a_run_that_writes_a_log_is_no_look_at_one(palace: Palace, tmp_path: Path) -> None:
    failed = "FAILED tests/a.py::test_b - KeyError: 'salt'"
    session = (
        Session("w-1")
        .asks("test it")
        .runs("pytest -q", failed, 1)
        .edits("a.py")
        .runs("pytest -q 2>&1 | tee t.log | tail -5", failed)
    )
    palace.mine(session.says("It still fails.").write(tmp_path), wing="api")
    assert [each.command for each in palace.work_here().open] == ["pytest -q"]


def test_neither_a_refused_edit_nor_a_request_for_another_run_is_a_fix(palace: Palace, tmp_path: Path) -> None:
    refused = "The user doesn't want to proceed with this tool use."
    session = Session("r-1").asks("what is wrong").runs("cat app.log", 'ERROR: relation "kiln" does not exist')
    session.uses("Edit", refused, file_path="/home/mara/code/api/a.py", old_string="first", new_string="second")
    session.runs("pytest -q", "FAILED tests/a.py::test_b - KeyError: 'salt'", 1).says("It fails.")
    session.asks("just run the tests once again please").runs("pytest -q", "12 passed")
    palace.mine(session.says("Passed.").write(tmp_path), wing="api")
    kinds = {
        each.kind for error in ("ERROR: relation", "KeyError: 'salt'") for each in palace.work(error=error).entries
    }
    assert WorkKind.FIX not in kinds


def test_a_file_whose_name_has_a_nul_loses_no_decision(palace: Palace, tmp_path: Path) -> None:
    session = Session("n-1").asks("We decided that the sums are never rounded.").edits("su\0ms.py").says("Done.")
    assert not palace.mine(session.write(tmp_path), wing="api").failures
    assert any(each.kind is WorkKind.DECISION for each in palace.work(file="su\0ms.py").entries)
