"""What is named that is not there, or stands elsewhere, or is another command's: what was meant is suggested."""

from __future__ import annotations

import uuid
from pathlib import Path

import pytest

from palace import Palace, Settings
from palace.testing import HashingEmbedder
from tests.cli.conftest import Run, mine, refused

MEANT = "did you mean 'Efoil rebuild'?"


@pytest.fixture
def filed(run: Run, tmp_path: Path) -> Run:
    """A palace with a wing, somebody and a speaker to be mistyped."""
    run("note", "My friend Derek Hughes sold the boat.", "--wing", "Efoil rebuild")
    run("note", "Bees hum.", "--wing", "Bees\x1b[31m hum")
    said = [{"role": "user", "name": "Caroline", "content": "The lantern festival is in August."}]
    mine(run, tmp_path / "talk.json", said, "--wing", "Lanterns")
    return run


def test_what_was_meant_is_suggested_in_one_harmless_line(filed: Run) -> None:
    wrong = {
        ("ls", "efiol"): MEANT,
        ("recall", "boat", "--wing", "Efoil rebiuld"): MEANT,
        ("forget", "Efoil rebiuld", "--yes"): MEANT,
        ("move", "W-001/R-01", "Efoil rebiuld"): f"{MEANT} `palace ls` lists them, and --create",
        ("timeline", "Derek Huhges"): "did you mean 'Derek Hughes'?",
        ("settings", "get", "topk"): "did you mean 'top_k'?",
        ("recal", "boat"): "Did you mean 'recall', 'eval'?",
        ("ls", "--limt", "3"): "--limit",
        ("ls", "Bees hun"): "did you mean",
        ("recall", "lantern", "--speaker", "Carolyne"): "there is no speaker 'Carolyne'; did you mean 'Caroline'?",
        ("export", "--format", "html", ""): "name the folder of the pages",
        ("import", ""): "name the file to read",
        ("ls", "W-009"): "there is no wing 'W-009'; `palace ls` lists them",
        ("show", "W-001"): "W-001 is a wing: `palace ls W-001` lists its rooms",
        ("show", "W-001/R-02/C-1"): "a closet has a name and no number: `palace ls 'W-001/R-02'`",
        ("ls", "§ W-001/R-02/D-003"): "is a drawer: `palace show '§ W-001/R-02/D-003'` gives it back",
    }
    assert refused(filed, wrong) == []
    assert "\x1b" not in filed("ls", "Bees hun").stderr


def test_what_is_anothers_or_forgotten_suggests_nothing(filed: Run, settings: Settings) -> None:
    stranger = f"stranger-{uuid.uuid4()}"
    with Palace.open(settings, user=stranger, embedder=HashingEmbedder()) as theirs:
        theirs.note("Bees hum.", wing="Bees")
    told = "palace: there is no wing 'Efoil rebiuld'; `palace ls` lists them\n"
    assert filed("ls", "Efoil rebiuld", "--user", stranger).stderr == told
    filed("forget", "Efoil rebuild", "--yes", "--now")
    assert filed("ls", "Efoil rebiuld").stderr == told


def test_a_note_that_stands_in_another_wing_says_so(run: Run) -> None:
    run("note", "The key is under the mat.", "--wing", "Boats", "--id", "key")
    moved = run("note", "The key is with Derek.", "--wing", "Houses", "--id", "key")
    assert moved.exit_code == 0
    assert moved.stderr.startswith("palace: warning: the note stands in the wing 'Boats' already; `palace move` ")
    assert run("note", "The key is with Mara.", "--wing", "boats", "--id", "key").stderr == ""


def test_browse_refuses_what_is_not_there_before_it_takes_the_screen(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    run("note", "The starter wants flour.", "--wing", "Sourdough")
    began: list[str | None] = []
    monkeypatch.setattr("palace_cli.output.is_terminal", lambda: True)
    monkeypatch.setattr("palace_cli.commands.browse._input_is_terminal", lambda: True)
    monkeypatch.setattr("palace_cli.commands.browse._run", lambda _, at: began.append(at))
    wrong: dict[tuple[str, ...], str] = {
        ("browse", "W-099"): "there is no wing 'W-099'",
        ("browse", "Sourdogh"): "there is no wing 'Sourdogh'; did you mean 'Sourdough'?",
        ("browse", "W-001/R-07"): "there is no room W-001/R-07; `palace ls W-001` lists the wing's",
    }
    assert refused(run, wrong) == []
    assert began == []
    assert run("browse", "sourdough").exit_code == 0
    assert began == ["sourdough"]
