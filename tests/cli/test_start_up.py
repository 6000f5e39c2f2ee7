"""The command line starts fast, offers the same options everywhere, and its reference is up to date."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command
from typer.testing import CliRunner

import palace
from palace_cli import reference
from palace_cli.app import app

HEAVY = {
    *("alembic", "litellm", "mcp", "numpy", "onnxruntime", "psycopg", "pydantic", "pydantic_settings", "rich.progress"),
    *("sqlalchemy", "textual", "tokenizers", "palace.api.palace", "palace.config.settings", "palace.db", "palace_mcp"),
}
LISTING = "import sys; from palace_cli.app import app; app(['--help'], standalone_mode=False)"


def _commands(path: str, command: Any) -> Iterator[tuple[str, Any]]:
    parts = getattr(command, "commands", None)
    if parts is None:
        yield path.strip(), command
    for name, part in (parts or {}).items():
        yield from _commands(f"{path} {name}", part)


@pytest.mark.process
def test_help_loads_nothing_heavy() -> None:
    program = "import atexit, sys; atexit.register(lambda: print(*sys.modules, file=sys.stderr))\n" + LISTING
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert "Commands:" in done.stdout
    assert not HEAVY & set(done.stderr.split())


def test_the_version_is_the_packages_and_a_group_with_nothing_to_list_shows_its_help() -> None:
    assert CliRunner().invoke(app, ["--version"]).stdout == f"palace {palace.__version__}\n"
    alone, asked = CliRunner().invoke(app, ["db"]), CliRunner().invoke(app, ["db", "--help"])
    assert (alone.exit_code, alone.stdout) == (0, asked.stdout)


def test_every_command_takes_user_and_json_and_has_an_example() -> None:
    commands = dict(_commands("", get_command(app)))
    assert len(commands) > 50
    wrong = []
    for name, command in commands.items():
        options = {option for parameter in command.params for option in parameter.opts}
        # What draws on a terminal has no document to write, and what answers a program writes what that takes.
        wanted = {"--user"} if name in {"browse", "hook", "mcp", "serve"} else {"--user", "--json"}
        examples = command.help.rpartition("\b\n")[2].splitlines() if "\b\n" in command.help else []
        if not wanted <= options or not examples or not all("palace " in example for example in examples):
            wrong.append(name)
    assert wrong == []


def test_a_wrong_call_ends_before_anything_is_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PALACE_HOME", "/proc/palace-cannot-be-here")
    wrong = []
    for call in (
        *("recall x --top-k 0", "recall x --context -1", "recall x --since someday", "recall x --format xml"),
        *("recall x --json --format block", "show W-001/R-01/D-001 --raw --json", "costs --since 2026-02-30"),
        *("show W-001/R-01/D-001 --raw --context 1", "note x --said-at 12:00", "embeddings switch m --dimension 0"),
        *("mine", "browse", "browse W-001", "mcp --profile huge", "mcp --port 9", "--nope", "recal boat"),
    ):
        result = CliRunner().invoke(app, call.split())
        begins = '{"code": "bad_request", ' if "--json" in call else "palace: "
        if (result.exit_code, result.stdout, result.stderr.count("\n"), result.stderr.find(begins)) != (2, "", 1, 0):
            wrong.append(call)
    assert wrong == []


ROOT = Path(__file__).parents[2]


def test_the_page_and_the_schema_in_the_repository_are_up_to_date() -> None:
    assert (ROOT / reference.PAGE).read_text(encoding="utf-8") == reference.page()
    assert (ROOT / reference.SHAPES).read_text(encoding="utf-8") == reference.shapes()
    assert (ROOT / reference.API).read_text(encoding="utf-8") == reference.facade_page()
