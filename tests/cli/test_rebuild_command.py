"""``palace rebuild`` and what the doctor says before and after, on a real server with the bundled model."""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from typer.testing import CliRunner

from palace import Palace
from palace.records import RebuildSummary
from palace.settings import Settings
from palace.testing import Answer, EmbeddingServer
from palace_cli import output
from palace_cli.app import app
from palace_cli.commands.rebuild import summary_view
from palace_cli.diagnostics import ExitCode

TALK = [
    {"role": "user", "content": "I tried a 12-AWG silicone wire and it overheated after ten minutes."},
    {"role": "assistant", "content": "Use an 8-AWG wire between the battery and the motor controller."},
]
Run = Callable[..., Any]


@pytest.fixture
def user(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> str:
    """A user of the test's own, whom the environment names."""
    assert settings.database_url is not None
    assert settings.database_owner_url is not None
    name = f"user-{uuid.uuid4()}"
    monkeypatch.setenv("PALACE_HOME", str(settings.home))
    monkeypatch.setenv("PALACE_DATABASE_URL", settings.database_url.get_secret_value())
    monkeypatch.setenv("PALACE_DATABASE_OWNER_URL", settings.database_owner_url.get_secret_value())
    monkeypatch.setenv("PALACE_USER", name)
    return name


@pytest.fixture
def run(user: str) -> Run:
    """Run a command as that user."""
    return lambda *arguments: CliRunner().invoke(app, arguments, catch_exceptions=False)


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


def test_the_doctor_names_the_command_that_mends(mined: Run, settings: Settings, user: str) -> None:
    with Palace.open(settings, user=user) as palace, palace._opened.session() as session:
        session.connection.execute(sa.text("DELETE FROM passage"))
    assert problems(mined) == {"counts": "palace rebuild", "passages": "palace rebuild"}
    assert mined("recall", "which wire overheated?").stdout == ""
    result = mined("rebuild")
    assert (result.exit_code, result.stderr) == (0, "")
    assert "made afresh  2 conversations\n" in result.stdout
    assert "passages     4 with sentences, 4 of them embedded\n" in result.stdout
    assert problems(mined) == {}
    assert TALK[0]["content"] in mined("recall", "which wire overheated?").stdout


def test_a_wing_is_rebuilt_alone(mined: Run) -> None:
    summary = json.loads(mined("rebuild", "--wing", "Wires", "--json").stdout)
    assert (summary["wing"], summary["conversations"], summary["drawers"]) == ("Wires", 1, 2)
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


def test_a_rebuild_that_went_on_says_what_was_done_before(capsys: pytest.CaptureFixture[str]) -> None:
    summary = RebuildSummary("Boats", True, 3, 4, 0, 9, 12, 11, 2, ("ix_a",), Decimal("0.5"), 1.25)
    output.present(summary, summary_view, as_json=False)
    assert capsys.readouterr().out.splitlines() == [
        "wing         Boats",
        "made afresh  3 conversations, 4 before it was interrupted",
        "drawers      9",
        "passages     12 with sentences, 11 of them embedded",
        "closets      2",
        "indexes      ix_a",
        "cost         $0.5000",
        "time         1.2 s",
    ]


def test_what_takes_long_is_asked_about(mined: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("palace_cli.commands.rebuild.LONG", 4)
    unasked = mined("rebuild")
    assert (unasked.exit_code, unasked.stdout) == (ExitCode.INCOMPLETE, "")
    assert "Make the index of 4 drawers afresh, with embeddings by bundled/" in unasked.stderr
    assert "nothing was made afresh" in unasked.stderr
    assert mined("rebuild", "--wing", "Wires").exit_code == 0
    assert "4 drawers" not in (agreed := mined("rebuild", "--yes")).stderr
    assert agreed.exit_code == 0
