"""A person can see why a hook stayed silent."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from rich.console import Console
from typer.testing import CliRunner

from palace import BadRequest, HookReason, to_json
from palace_cli.app import app
from palace_cli.commands import hook
from palace_cli.render.hits import reason_view
from tests.hooks.conftest import ASKED, Agent


def why(agent: Agent, prompt: str, folder: Path | None = None) -> HookReason:
    return agent.palace.explain_hook(prompt, folder or agent.project)


def test_it_gives_the_block_that_the_hook_gives_and_what_it_was_chosen_by_and_leaves_nothing_behind(
    filed: Agent,
) -> None:
    found = why(filed, ASKED)
    assert found.block == why(filed, ASKED).block == filed.send("UserPromptSubmit", prompt=ASKED) != ""
    assert (found.silent, found.wings, found.wants, found.least) == ("", ("api",), "asks_back", 0.5)
    best = found.hits[0]
    assert best.is_kept
    assert "licence" in best.said
    assert best.bears == pytest.approx((best.confidence or 0.0) + best.coverage)


def test_what_is_not_looked_at_says_so(filed: Agent) -> None:
    rows = {
        "yarn add dayjs": "it has less than 15 characters (14)",
        "/compact keep the reason for Redis": "it is a command: it begins with /",
        "!ls": "it is a command: it begins with !",
        "<task-notification>the agent is done": "a program wrote it: it begins with <",
        "thank you very much!": "no recall: it greets, thanks or agrees",
    }
    for prompt, silent in rows.items():
        found = why(filed, prompt)
        assert (found.silent, found.block, found.hits) == (silent, "", ())
    for folder in ("", "~nobody-of-that-name/x", "/nowhere/\ud88f", "a\0b"):
        found = filed.palace.explain_hook(ASKED, folder)
        assert (found.block, found.wings) == ("", ())


def test_what_bears_too_little_is_told_with_its_measure(filed: Agent) -> None:
    found = why(filed, "centre the button of the Kittiwake form, please")
    assert found.block == ""
    assert "asked for" in found.silent or found.silent == "nothing relevant was found"
    assert found.wants == "works"
    assert not any(hit.is_kept for hit in found.hits)


def test_a_folder_without_memory_is_told(filed: Agent, other: Path) -> None:
    assert "nothing was filed for this project" in why(filed, ASKED, other).silent
    filed.palace.settings.set("enabled", False, agent="claude-code")
    assert why(filed, ASKED).silent == "memory is switched off for claude-code"
    with pytest.raises(BadRequest, match="agent must be one of"):
        filed.palace.explain_hook(ASKED, filed.project, agent="emacs")


def test_it_reads_as_lines_and_as_json(filed: Agent) -> None:
    console = Console(width=200)
    with console.capture() as captured:
        console.print(reason_view(why(filed, ASKED)))
        console.print(reason_view(why(filed, "go on")))
    told = captured.get()
    assert "wings     api" in told
    assert "answered:" in told
    assert "nothing is answered: it has less than 15 characters (5)" in told
    assert json.loads(to_json(why(filed, "go on")))["silent"].startswith("it has less")


def test_words_without_quotation_marks_are_one_prompt(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    asked: list[object] = []
    monkeypatch.setattr(hook, "explain", lambda *given, **_: asked.extend(given[:2]))
    done = CliRunner().invoke(app, ["hook", "why", "when", "does", "it run?", "--folder", str(tmp_path)])
    assert (done.exit_code, asked) == (0, ["when does it run?", tmp_path])


def test_what_cannot_be_explained_is_told_in_one_line() -> None:
    for words, told in (
        (["why"], "palace: say what a person would type: "),
        (["why", " "], "palace: say what a person would type: "),
        (["why", "how so?", "--folder", "/not/there"], "palace: there is no folder '/not/there': "),
    ):
        done = CliRunner().invoke(app, ["hook", *words])
        assert (done.exit_code, done.stdout, done.stderr.count("\n")) == (2, "", 1)
        assert done.stderr.startswith(told)
