"""``palace settings`` as a person uses it."""

from __future__ import annotations

import json

from tests.cli.conftest import Run


def test_a_setting_is_set_shown_explained_and_reset(run: Run) -> None:
    assert run("settings", "set", "top-k", "8").exit_code == 0
    assert run("settings", "set", "top_k", "3", "--agent", "coder").exit_code == 0
    assert run("settings", "get", "top_k", "--agent", "coder").stdout == "3\n"
    explained = run("settings", "explain", "top_k", "--agent", "coder").stdout
    said = [line.split()[:2] for line in explained.splitlines()[-3:]]
    assert said == [["agent", "3"], ["user", "8"], ["default", "-"]]
    listed = run("settings")
    assert "top_k" in listed.stdout
    assert "agents with settings of their own: coder" in listed.stderr
    assert run("settings", "reset", "--all", "--agent", "coder").exit_code == 0
    assert json.loads(run("settings", "get", "top_k", "--agent", "coder", "--json").stdout)["level"] == "user"
    for written, read in (("tool, greeting", "greeting,tool"), ("none", "none")):
        assert run("settings", "set", "gate", written).exit_code == 0
        assert run("settings", "get", "gate").stdout == f"{read}\n"


def test_what_makes_no_sense_is_told_in_one_line(run: Run) -> None:
    for arguments, told in (
        (("set", "topk", "8"), "did you mean 'top_k'?"),
        (("set", "top_k", "many"), "top_k must be a whole number from 1 to 1,000, not 'many'"),
        (("set", "enabled", "perhaps"), "enabled must be true or false, not 'perhaps'"),
        (("reset",), "name a setting, or say --all"),
        (("reset", "top_k", "--all"), "exclude each other"),
        (("set", "embedding_model", "x/y", "--agent", "coder"), "embedding_model is of the whole palace"),
        (("--agent", "coder", "set", "top_k", "3"), "--agent stands behind the command that it is for"),
    ):
        done = run("settings", *arguments)
        assert done.exit_code != 0
        assert told in done.stderr
        assert len(done.stderr.splitlines()) == 1
    assert run("entities", "--json", "decisions").exit_code == 2
    assert json.loads(run("settings", "get", "top_k", "--json").stdout)["level"] == "default"
