"""``palace rebuild`` and what the doctor says before and after, on a real server with the bundled model."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
import sqlalchemy as sa

from palace import Palace, Settings
from palace.testing import Answer, EmbeddingServer
from palace_cli.diagnostics import ExitCode
from tests.cli.conftest import TALK, Run


@pytest.fixture
def mined(run: Run, tmp_path: Path) -> Run:
    """Two conversations, each in a wing of its own."""
    for wing in ("Boats", "Wires"):
        (tmp_path / f"{wing}.json").write_text(json.dumps({"id": wing, "messages": TALK}))
        run("mine", str(tmp_path / f"{wing}.json"), "--wing", wing)
    return run


def problems(run: Run) -> dict[str, str]:
    checks = json.loads(run("doctor", "--json").stdout)
    return {check["name"]: check["remedy"] for check in checks if check["verdict"] == "problem"}


@pytest.mark.nightly
def test_the_doctor_names_the_command_that_mends(mined: Run, settings: Settings) -> None:
    with Palace.open(settings, user=os.environ["LOGNAME"]) as palace, palace._opened.session() as session:
        session.connection.execute(sa.text("DELETE FROM passage"))
    assert problems(mined) == {"counts": "palace rebuild", "passages": "palace rebuild"}
    assert mined("recall", "which wire overheated?").stdout == ""
    result = mined("rebuild")
    assert (result.exit_code, result.stderr) == (0, "")
    assert "made afresh  2 conversations\n" in result.stdout
    assert "passages     6 with sentences, 6 of them embedded\n" in result.stdout
    assert problems(mined) == {}
    assert TALK[0]["content"] in mined("recall", "which wire overheated?").stdout


def test_a_wing_is_rebuilt_alone(mined: Run) -> None:
    summary = json.loads(mined("rebuild", "--wing", "Wires", "--json").stdout)
    assert (summary["wing"], summary["conversations"], summary["drawers"]) == ("Wires", 1, 3)
    assert (mined("rebuild", "--wing", "Trains").exit_code) == 2


def test_an_empty_palace_is_a_remark(run: Run) -> None:
    result = run("rebuild")
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr == "there is nothing to rebuild: palace mine FILE fills the palace\n"
    assert json.loads(run("rebuild", "--json").stdout)["conversations"] == 0


def test_a_model_that_fails_is_exit_code_1_and_in_the_ledger(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "talk.json").write_text(json.dumps(TALK))
    with EmbeddingServer(dimension=96) as provider:
        monkeypatch.setenv("OPENAI_API_BASE", provider.api_base)
        monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
        monkeypatch.setenv("PALACE_EMBEDDING_MODEL", "openai/text-embedding-3-small")
        run("mine", str(tmp_path / "talk.json"))
        (before,) = json.loads(run("costs", "--json").stdout)
        provider.script.extend([Answer.WRONG_KEY] * 2)
        result = run("rebuild")
        (after,) = json.loads(run("costs", "--json").stdout)
    assert result.exit_code == 1
    assert "made afresh  0 conversations, 1 left (palace rebuild)\n" in result.stdout
    assert result.stderr.startswith("palace: warning: not everything is rebuilt: ")
    assert result.stderr.count("\n") == 1
    assert after["failed"] > before["failed"]


@pytest.mark.nightly
def test_what_takes_long_is_asked_about(mined: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("palace_cli.commands.rebuild.LONG", 6)
    unasked = mined("rebuild")
    assert (unasked.exit_code, unasked.stdout) == (ExitCode.INCOMPLETE, "")
    assert "Make the index of 6 drawers afresh, with embeddings by bundled/" in unasked.stderr
    assert "nothing was made afresh" in unasked.stderr
    assert mined("rebuild", "--wing", "Wires").exit_code == 0
    assert "6 drawers" not in (agreed := mined("rebuild", "--yes")).stderr
    assert agreed.exit_code == 0
