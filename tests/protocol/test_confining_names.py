"""A server that is to look at one wing is given the name of one: an empty name never means everything."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from palace import Palace
from palace_cli.app import app
from palace_cli.commands import mcp

GIVEN = {
    "recall": {"query": "Where is the spare battery?"},
    "recent": {},
    "remember": {"text": "The spare battery is with Derek."},
}


def test_a_name_that_is_none_is_refused_before_anything_is_served(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for option, said in product(("--wing", "--agent"), ("", " ", "\t")):
        monkeypatch.setenv("PALACE_HOME", str(tmp_path))
        monkeypatch.setattr(mcp, "_taken", lambda: pytest.fail("it was served"))
        done = CliRunner().invoke(app, ["mcp", option, said])
        assert done.exit_code == 2
        assert done.stderr == f"palace: {option} must be a name, not {said!r}\n"


def test_a_wing_without_a_name_is_no_reason_to_look_at_everything(palace: Palace, call: Callable[..., Any]) -> None:
    palace.note("The spare battery is with Derek.", wing="Boat")
    for tool, given in GIVEN.items():
        assert not call(tool, given, profile="full").is_error
        kept = palace.status().drawers
        text = call(tool, given, profile="full", wing="").content[0].text
        assert "Derek" not in text
        assert palace.status().drawers == kept
