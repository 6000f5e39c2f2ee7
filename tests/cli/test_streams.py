"""One module writes to stdout, one to stderr."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import palace_cli

ROOT = Path(palace_cli.__file__).parent


def _uses(stream: str) -> set[str]:
    return {
        str(path.relative_to(ROOT))
        for path in ROOT.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute) and node.attr == stream
    }


def test_only_diagnostics_touches_stderr() -> None:
    # process flushes both before it ends the process.
    assert _uses("stderr") == {"diagnostics.py", "running/process.py"}


def test_only_output_writes_to_stdout() -> None:
    # diagnostics flushes it, so that the two streams come in the order they were written; the pager asks
    # whether it is a terminal, and flushes it before another program writes there.
    assert _uses("stdout") == {"output.py", "diagnostics.py", "running/process.py", "terminal/pager.py"}


@pytest.mark.parametrize("writer", ["print", "echo", "secho"])
def test_nothing_writes_past_them(writer: str) -> None:
    calls = {
        str(path.relative_to(ROOT))
        for path in ROOT.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
        and (getattr(node.func, "id", None) == writer or ast.unparse(node.func) == f"typer.{writer}")
    }
    assert calls == set()
