"""The command line starts fast and offers the same options everywhere."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from typer.main import get_command
from typer.testing import CliRunner

import palace
from palace_cli.app import app

HEAVY = {
    "alembic",
    "litellm",
    "mcp",
    "numpy",
    "onnxruntime",
    "psycopg",
    "pydantic",
    "pydantic_settings",
    "rich.progress",
    "sqlalchemy",
    "textual",
    "tokenizers",
    "palace.palace",
    "palace.settings",
    "palace.store",
    "palace_mcp",
}
LISTING = "import sys; from palace_cli.app import app; app(['--help'], standalone_mode=False)"


def _commands(path: str, command: Any) -> Iterator[tuple[str, Any]]:
    parts = getattr(command, "commands", None)
    if parts is None:
        yield path.strip(), command
    for name, part in (parts or {}).items():
        yield from _commands(f"{path} {name}", part)


COMMANDS = dict(_commands("", get_command(app)))


def test_help_loads_nothing_heavy() -> None:
    program = "import atexit, sys; atexit.register(lambda: print(*sys.modules, file=sys.stderr))\n" + LISTING
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert "Commands:" in done.stdout
    assert not HEAVY & set(done.stderr.split())


def test_the_version_is_the_packages() -> None:
    assert CliRunner().invoke(app, ["--version"]).stdout == f"palace {palace.__version__}\n"


@pytest.mark.parametrize("arguments", [["db"], ["embeddings"]], ids=["db", "embeddings"])
def test_a_group_alone_shows_its_help(arguments: list[str]) -> None:
    alone = CliRunner().invoke(app, arguments)
    asked = CliRunner().invoke(app, [*arguments, "--help"])
    assert (alone.exit_code, alone.stdout) == (0, asked.stdout)


def test_the_commands_are_those_of_this_version() -> None:
    assert set(COMMANDS) == {
        *(
            "mine",
            "note",
            "recall",
            "recent",
            "ls",
            "show",
            "status",
            "costs",
            "rebuild",
            "scrub",
            "doctor",
            "move",
            "rename",
        ),
        *("forget", "restore", "runs", "undo", "export", "import", "timeline", "relations", "graph", "activity"),
        "worker",
        *("hook", "mcp"),
        "chat",
        "browse",
        *(f"projects {verb}" for verb in ("list", "wing", "allow", "deny", "drop")),
        "connect",
        *(f"outbox {verb}" for verb in ("list", "flush", "discard")),
        *(f"jobs {verb}" for verb in ("list", "show", "retry", "cancel", "enqueue")),
        *(f"entities {verb}" for verb in ("find", "merge", "split", "rename", "undo", "decisions", "suggest")),
        *(f"settings {verb}" for verb in ("get", "set", "reset", "explain")),
        *(f"db {verb}" for verb in ("start", "stop", "status", "url", "upgrade", "backup", "restore")),
        *(f"embeddings {verb}" for verb in ("status", "backfill", "switch", "fetch")),
    }


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_takes_user_and_json(name: str) -> None:
    options = {option for parameter in COMMANDS[name].params for option in parameter.opts}
    # What draws on a terminal has no document to write, and what answers a program writes what that takes.
    assert ({"--user"} if name in {"browse", "hook", "mcp"} else {"--user", "--json"}) <= options


@pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS)
def test_every_command_says_what_it_does_in_one_line(command: Any) -> None:
    first = command.help.strip().splitlines()[0]
    assert first.endswith(".")
    assert len(first) <= 66


@pytest.mark.parametrize(
    "arguments",
    [
        ["recall", "x", "--top-k", "0"],
        ["recall", "x", "--top-k", "-3"],
        ["recall", "x", "--context", "-1"],
        ["recall", "x", "--since", "some day"],
        ["recall", "x", "--now", "some day"],
        ["recall", "x", "--json", "--format", "block"],
        ["recall", "x", "--format", "xml"],
        ["show", "W-001/R-01/D-001", "--raw", "--json"],
        ["show", "W-001/R-01/D-001", "--raw", "--context", "1"],
        ["costs", "--since", "2026-02-30"],
        ["note", "x", "--said-at", "12:00"],
        ["embeddings", "switch", "m", "--dimension", "0"],
        ["mine"],
        ["browse"],
        ["browse", "W-001"],
        ["mcp", "--profile", "huge"],
        ["mcp", "--port", "9"],
        ["--nope"],
    ],
    ids=" ".join,
)
def test_a_wrong_call_ends_before_anything_is_opened(arguments: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PALACE_HOME", "/proc/palace-cannot-be-here")
    result = CliRunner().invoke(app, arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith('{"code": "bad_request", ' if "--json" in arguments else "palace: ")
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS)
def test_every_command_has_an_example_in_its_help(command: Any) -> None:
    assert "\b\n" in command.help
    examples = command.help.rpartition("\b\n")[2].splitlines()
    assert examples
    assert all("palace " in example for example in examples)
