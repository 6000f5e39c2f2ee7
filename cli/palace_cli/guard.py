"""Turns every way a command can end into at most one line on stderr and an exit code."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NoReturn

import typer
from typer.core import TyperGroup

from palace.errors import BadRequest, PalaceError
from palace_cli import diagnostics, process
from palace_cli.diagnostics import ExitCode

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


_SAID_BY_VALIDATOR = {"Value error, ": "", "Input should be ": "it must be "}


def _refusal(error: typer.TyperException) -> str:
    """Say why the command line was refused, in words for a person."""
    told = error.format_message()
    for said, meant in _SAID_BY_VALIDATOR.items():
        told = told.replace(said, meant)
    return told


def exit_code_of(run: Callable[[], object], *, as_json: bool = False) -> int:
    """Run and return the exit code; what failed is told on stderr, ``as_json`` or not, a bug keeps its traceback.

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
    """Say what of the surroundings stood in the way; nothing where it was none of them."""
    if isinstance(problem, RuntimeError):
        return "" if _has_home() else "HOME is not set, and this account has no home: set it to your home folder"
    if not _stands_somewhere():
        return "the folder that this runs in is gone: change to another one"
    if problem.errno not in _UNWRITABLE:
        return ""
    return f"{problem.filename or 'standard output'} cannot be written: {problem.strerror}"


def _asks_json(words: Sequence[str]) -> bool:
    """Tell whether a command line asks for JSON: before "--", behind which nothing is an option."""
    options = list(words)
    return "--json" in options[: options.index("--") if "--" in options else None]


def _stands_somewhere() -> bool:
    """Whether the folder that the program runs in is still there; relative paths lead nowhere without it."""
    try:
        Path.cwd()
    except OSError:
        return False
    return True


def _has_home() -> bool:
    """Whether it can be told where the person's home is, below which nearly everything lies."""
    try:
        Path.home()
    except RuntimeError:
        return False
    return True
