"""What a person types is completed from their own palace: at once, silently, and harmlessly to the shell."""

from __future__ import annotations

import os
import subprocess
import sys
import uuid
from collections.abc import Iterator
from pathlib import Path
from time import monotonic

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from typer.testing import CliRunner

from palace import Palace, Settings
from palace.testing import HashingEmbedder
from palace_cli.app import app
from palace_cli.completion import LONGEST_MEANING, Shell, as_typed, meaning
from tests.cli.conftest import Run

NOT_WANTED = {"sqlalchemy", "alembic", "numpy", "onnxruntime", "litellm", "palace.api.palace", "palace.db.tables"}
HARMFUL = set("\\$`'\"()*?[]{};&|<>!#~\n\t")
NASTY = "x$(touch pwned)`touch pwned`\\$(touch pwned)'\";touch pwned;*"
OFFERED: dict[tuple[str, ...], list[str]] = {
    ("ls", "ef"): ["Efoil\\ rebuild"],
    ("ls", '"Ef'): ["Efoil rebuild"],
    ("ls", "W-0"): ["W-001", "W-002"],
    ("recall", "x", "--wing", ""): ["Efoil\\ rebuild", "Bees"],
    ("show", "W-002"): ["W-002", "W-002/R-01"],
    ("show", "W-002/R-01/D-0"): ["W-002/R-01/D-001"],
    ("ls", "W-002/R-01/"): [],
    ("timeline", "derek\\ h"): ["Derek\\ Hughes"],
    ("settings", "get", "top"): ["top_k"],
    ("recall", "x", "--floor", "l"): ["low"],
    ("settings", "set", "floor", ""): ["none", "low", "normal", "strict"],
    ("settings", "set", "gate", "tool,"): ["tool,greeting", "tool,knowledge"],
    ("settings", "set", "no_such", ""): [],
    ("rec",): ["recall", "recent"],
    ("ls", "%"): [],
    ("ls", "x" * 10_000): [],
}


def complete(*typed: str, shell: str = "bash") -> list[str]:
    """Complete the last word, as the script of a shell asks for it."""
    words = "\n".join(("palace", *typed))
    environment = {"COMP_WORDS": words, "COMP_CWORD": str(len(typed)), "_PALACE_COMPLETE": f"complete_{shell}"}
    done = CliRunner().invoke(app, [], prog_name="palace", env=environment, catch_exceptions=False)
    assert (done.exit_code, done.stderr) == (0, "")
    return [line for line in done.stdout.splitlines() if line]


def told_by(shell: str, typed: str) -> str:
    """Complete for a shell that shows a meaning beside each word."""
    environment = {"_TYPER_COMPLETE_ARGS": f"palace {typed}", "_PALACE_COMPLETE": f"complete_{shell}"}
    environment |= {
        "_TYPER_COMPLETE_FISH_ACTION": "get-args",
        "_TYPER_COMPLETE_WORD_TO_COMPLETE": typed.rsplit(" ", maxsplit=1)[-1],
    }
    return str(CliRunner().invoke(app, [], prog_name="palace", env=environment, catch_exceptions=False).stdout)


@pytest.fixture
def filed(run: Run) -> Run:
    """A palace with a wing, two rooms and somebody in it."""
    run("note", "My friend Derek Hughes sold the boat. Derek likes the boat.", "--wing", "Efoil rebuild")
    run("note", "The mast is down.", "--wing", "Efoil rebuild", "--id", "two")
    run("note", "Bees hum.", "--wing", "Bees")
    return run


def test_what_is_typed_is_completed_from_ones_own_palace_and_nobody_is_offered_what_is_anothers(
    filed: Run, settings: Settings
) -> None:
    found = {typed: complete(*typed) for typed in OFFERED}
    assert {typed: offered for typed, offered in found.items() if offered != OFFERED[typed]} == {}
    stranger = f"stranger-{uuid.uuid4()}"
    with Palace.open(settings, user=stranger, embedder=HashingEmbedder()) as theirs:
        theirs.note("Cinnabar is red.", wing="Cinnabar")
    assert complete("ls", "--user", stranger, "") == ["Cinnabar"]
    assert complete("ls", "Cin") == []
    for typed in (["timeline", "De"], ["show", "W-001/R-01/"], ["undo", ""], ["recall", "x", "--speaker", ""]):
        mine, theirs_then = complete(*typed), complete(typed[0], "--user", stranger, *typed[1:])
        assert not set(mine) & set(theirs_then) - {"W-001/R-01", "W-001/R-01/D-001"}


@pytest.mark.nightly
def test_names_of_others_making_cannot_act_in_a_shell(run: Run) -> None:
    run("note", "Bees hum.", "--wing", NASTY)
    run("note", "Bees hum.", "--wing", "[/bold] \x1b[31mred")
    told = told_by("zsh", "ls ")
    offered = told.partition("((")[2].rpartition("))")[0]
    assert '"W-001":"' in offered
    assert not HARMFUL - {'"', "\n"} & set(offered)
    assert "\x1b" not in told + told_by("fish", "ls ")


@pytest.mark.nightly
@pytest.mark.process
def test_bash_takes_what_it_is_offered_as_one_word(filed: Run, tmp_path: Path) -> None:
    filed("note", "Bees hum.", "--wing", NASTY)
    program = Path(sys.executable).parent / "palace"
    script = f"""
        eval "$(_PALACE_COMPLETE=source_bash {program})"
        COMP_WORDS=(palace ls x); COMP_CWORD=2
        _palace_completion {program}
        eval "printf '%s\\n' ${{COMPREPLY[0]}}"
        COMP_WORDS=(palace ls ef); _palace_completion {program}
        eval "printf '%s\\n' ${{COMPREPLY[0]}}"
    """
    environment = os.environ | {"PATH": f"{program.parent}:{os.environ['PATH']}"}
    done = subprocess.run(
        ["bash", "-c", script], capture_output=True, text=True, check=True, cwd=tmp_path, env=environment
    )
    assert (done.stdout.splitlines(), done.stderr) == ([NASTY, "Efoil rebuild"], "")
    assert list(tmp_path.iterdir()) == []


@given(st.text(max_size=200))
def test_what_other_shells_are_offered_and_told_is_plain(text: str) -> None:
    told = meaning(text)
    assert len(told) <= LONGEST_MEANING
    assert cell_len(told) <= LONGEST_MEANING
    assert not HARMFUL & set(told)
    assert not HARMFUL & set(as_typed(text[:50], Shell.ZSH) or "")


def test_where_no_server_answers_it_is_silent_and_soon_and_nothing_is_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, deaf: Iterator[None]
) -> None:
    monkeypatch.setenv("PALACE_HOME", str(tmp_path / "home"))
    for _ in deaf:
        begun = monotonic()
        assert complete("ls", "ef") == []
        assert monotonic() - begun < 1.5
    monkeypatch.delenv("PALACE_DATABASE_URL", raising=False)
    assert complete("ls", "ef") == []
    assert not (tmp_path / "home").exists()
    monkeypatch.setenv("PALACE_DATABASE_URL", "nonsense")
    assert complete("ls", "ef") == []
