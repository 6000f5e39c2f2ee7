"""Assembles the command line, and turns every way a command can end into at most one line on stderr and a code."""

from __future__ import annotations

import atexit
import errno
import gc
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any, NoReturn, cast

import typer
from typer.core import TyperGroup
from typer.main import get_command, get_group_from_info
from typer.models import TyperInfo

import palace
from palace.errors import BadRequest, PalaceError
from palace_cli import diagnostics, options, output, process
from palace_cli.diagnostics import ExitCode

COMMANDS = {
    "mine": "mine",
    "note": "mine:note",
    "recall": "recall",
    "answer": "answer",
    "recent": "recall:recent",
    "about": "about",
    "chat": "chat",
    "browse": "browse",
    "ls": "ls",
    "show": "ls:show",
    "timeline": "graph:timeline",
    "relations": "graph:relations",
    "graph": "graph",
    "status": "status",
    "move": "move",
    "rename": "move:rename",
    "forget": "forget",
    "restore": "forget:restore",
    "runs": "activity:runs",
    "undo": "activity:undo",
    "activity": "activity",
    "export": "transfer:export",
    "import": "transfer:import_",
    "sync": "sync",
    "worker": "worker",
    "connect": "connect",
    "hook": "hook",
    "mcp": "mcp",
    "serve": "serve",
    **{
        name: f"{name}:app"
        for name in ("db", "embeddings", "entities", "jobs", "keys", "memories", "outbox", "projects", "settings")
    },
    "work": "work:app",
    "impact": "memories:impact",
    "eval": "evaluate:app",
    "costs": "activity:costs",
    "rebuild": "rebuild",
    "scrub": "rebuild:scrub",
    "doctor": "doctor",
}
"""The module of each command, in the order of the help, with the function's name where that is another."""


COMPLETING = "_PALACE_COMPLETE"
"""The variable by which the script of a shell asks what may be typed."""

_UNWRITABLE = {errno.ENOSPC, errno.EDQUOT, errno.EBADF, errno.EIO}
"""What the system says of standard output that is full or closed, where help is written to it."""


class GuardedGroup(TyperGroup):
    """The root group: the same outcome for a person, a script and a test runner."""

    def main(self, *args: Any, **extra: Any) -> NoReturn:
        """Run the command line and leave with its exit code."""
        extra["standalone_mode"] = False
        if COMPLETING in os.environ:
            from palace_cli.completion import tell_on_one_line

            tell_on_one_line()
        run = super().main
        words = args[0] if args else extra.get("args")
        sys.exit(
            exit_code_of(lambda: run(*args, **extra), as_json=_asks_json(sys.argv[1:] if words is None else words))
        )


_SAID_BY_VALIDATOR = {
    "Value error, ": "",
    "Input should be ": "it must be ",
    ", unable to parse string as an integer": "",
}


def _refusal(error: typer.TyperException) -> str:
    """Return why the command line was refused, in words for a person."""
    told, option, context = error.format_message(), getattr(error, "option_name", None), getattr(error, "ctx", None)
    if option in options.OF_ALL_COMMANDS and context is not None:
        command = context.command_path.removeprefix("palace ")
        return f"{option} stands before the command: palace {option} {command}"
    for said, meant in _SAID_BY_VALIDATOR.items():
        told = told.replace(said, meant)
    return told


def exit_code_of(run: Callable[[], object], *, as_json: bool = False) -> int:
    """Run and return the exit code; a failure is one line on stderr, or JSON; a bug keeps its traceback.

    ``run`` returns an exit code, or None for success, as Typer does outside its standalone mode.
    """
    try:
        code = run()
    except PalaceError as error:
        if process.is_interrupted():
            # Why a program failed that was interrupted with this one, or a connection, is known already.
            return ExitCode.INTERRUPTED
        diagnostics.report(error, as_json=as_json)
        return diagnostics.exit_code_for(error)
    except typer.TyperException as error:
        if as_json:
            diagnostics.report(BadRequest(_refusal(error)), as_json=True)
        else:
            context = getattr(error, "ctx", None)
            diagnostics.error(_refusal(error), hint=f"{context.command_path if context else 'palace'} --help")
        return error.exit_code
    except (OSError, RuntimeError) as problem:
        reason = _circumstance(problem)
        if not reason:
            raise
        diagnostics.report(PalaceError(reason), as_json=as_json)
        return ExitCode.INCOMPLETE
    if code == ExitCode.INTERRUPTED and not process.is_interrupted():
        diagnostics.error("interrupted: nothing is half done, the same command again goes on")
    return code if isinstance(code, int) else ExitCode.OK


def _circumstance(problem: OSError | RuntimeError) -> str:
    """Return which circumstance outside the program caused a failure; "" for any other failure."""
    if isinstance(problem, RuntimeError):
        # Nearly everything is below the person's home folder.
        is_homeless = _fails(Path.home)
        return "HOME is not set, and this account has no home: set it to your home folder" if is_homeless else ""
    if _fails(Path.cwd):
        return "the folder that this runs in is gone: change to another one"
    if problem.errno not in _UNWRITABLE:
        return ""
    return f"{problem.filename or 'standard output'} cannot be written: {problem.strerror}"


def _asks_json(words: Sequence[str]) -> bool:
    """Return whether a command line asks for JSON, before "--", after which nothing is an option."""
    options = list(words)
    return "--json" in options[: options.index("--") if "--" in options else None]


def _fails(look: Callable[[], object]) -> bool:
    try:
        look()
    except (OSError, RuntimeError):
        return True
    return False


class _Commands(Mapping[str, Any]):
    """The commands by name, each imported when it is first looked up, so that it starts without the others."""

    def __init__(self) -> None:
        self._made = dict[str, Any]()

    def __getitem__(self, name: str) -> Any:
        if name not in self._made:
            self._made[name] = _make(name)
        return self._made[name]

    def __contains__(self, name: object) -> bool:
        return name in COMMANDS

    def __iter__(self) -> Iterator[str]:
        return iter(COMMANDS)

    def __len__(self) -> int:
        return len(COMMANDS)


def _make(name: str) -> Any:
    module, _, inside = COMMANDS[name].partition(":")
    found = getattr(import_module(f"palace_cli.commands.{module}"), inside or module)
    if isinstance(found, typer.Typer):
        told = TyperInfo(found, name=name)
        return get_group_from_info(told, pretty_exceptions_short=True, rich_markup_mode=None, suggest_commands=True)
    alone = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
    alone.command(name)(found)
    return get_command(alone)


class _Program(GuardedGroup):
    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes)
        # It is only read.
        self.commands = cast("dict[str, Any]", _Commands())

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002 — as the group's own is called
        """List their names, in order; none is imported for that."""
        return list(self.commands)


app = typer.Typer(
    name="palace",
    cls=_Program,
    help="""Long-term memory for people and agents, in one Postgres.

    --user and --json stand behind a command: palace recent --user NAME.""",
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback(invoke_without_command=True)
def _palace(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version and exit.")] = False,
    quiet: options.Quiet = False,
    no_pager: options.NoPager = False,
    user: options.User = None,
    as_json: options.Json = False,
) -> None:
    diagnostics.set_quiet(quiet)
    output.want_pager(not no_pager)
    if version:
        output.write_line(f"palace {palace.__version__}")
        raise typer.Exit
    if options.is_alone(context):
        from palace_cli.commands.glance import glance

        glance(user, as_json)


def main() -> None:
    """Run the command line and leave with its exit code; ``process`` calls it for the ``palace`` program."""
    atexit.register(gc.freeze)
    app(prog_name="palace")
