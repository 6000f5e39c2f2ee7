"""Everything that the command line writes to stderr, and its exit codes.

Data goes to stdout, so a redirected file is clean while errors, warnings and progress still reach the person.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from enum import IntEnum
from typing import TYPE_CHECKING

import typer

from palace.errors import (
    BadRequest,
    DatabaseUnavailable,
    EmbeddedServerError,
    EmbeddingError,
    NotFound,
    PalaceError,
    SchemaMismatch,
)
from palace_cli.render.visible import one_line

if TYPE_CHECKING:
    from palace.models import MineSummary, OnProgress

_NEXT_COMMAND: dict[type[PalaceError], str] = {
    NotFound: "palace ls",
    DatabaseUnavailable: "palace db status",
    EmbeddedServerError: "palace doctor",
    SchemaMismatch: "palace db upgrade",
    EmbeddingError: "palace embeddings status",
}
LONGEST_TOLD = 4800
"""Characters of a line that are written in full: enough for the longest path and a message about it."""
_NAMES_A_COMMAND = re.compile(r"`palace [a-z]|\bpalace (mine|ls|status|db|embeddings|doctor|runs|move|rebuild)\b")


class ExitCode(IntEnum):
    """The exit codes of ``palace``; ``meaning`` is a sentence for the reference."""

    meaning: str

    def __new__(cls, code: int, meaning: str) -> ExitCode:
        member = int.__new__(cls, code)
        member._value_ = code
        member.meaning = meaning
        return member

    OK = 0, "Done, also when nothing was found."
    INCOMPLETE = 1, "Something could not be done: a file not mined, a problem found, a statement refused."
    USAGE = 2, "The call is wrong: an unknown option, a value out of range, a wing that is not there."
    DATABASE = 3, "No database server answers."
    INTERRUPTED = 130, "Interrupted by Ctrl-C; 143 where it was terminated (SIGTERM), 129 where its terminal went away."


def exit_code_for(error: PalaceError) -> ExitCode:
    """Return the exit code for an error."""
    if isinstance(error, BadRequest):
        return ExitCode.USAGE
    if isinstance(error, DatabaseUnavailable):
        return ExitCode.DATABASE
    return ExitCode.INCOMPLETE


def report(failure: PalaceError, *, as_json: bool = False) -> None:
    """Write an error on one line: as JSON with code and message, or as text with a helpful next command."""
    message = str(failure) or type(failure).__name__
    if as_json:
        _write(json.dumps({"code": failure.code, "message": _one_line(message)}))
        return
    known = (_NEXT_COMMAND[kind] for kind in type(failure).__mro__ if kind in _NEXT_COMMAND)
    error(message, hint="" if _NAMES_A_COMMAND.search(message) else next(known, ""))


def error(message: str, *, hint: str = "") -> None:
    """Write an error message on one line, whatever it contains."""
    _write(f"palace: {_one_line(message)}" + (f" (try: {hint})" if hint else ""))


def warn(messages: Iterable[str]) -> None:
    """Write warnings, one line each."""
    for message in messages:
        _write(f"palace: warning: {_one_line(message)}")


class _Verbosity:
    """The verbosity of this process, for all threads."""

    is_quiet = False


def set_quiet(quiet: bool) -> None:
    """Turn notes, remarks and progress off or on; errors and warnings stay."""
    _Verbosity.is_quiet = quiet


def note(messages: Iterable[str]) -> None:
    """Write notes, which are no warnings, one line each."""
    for message in () if _Verbosity.is_quiet else messages:
        _write(f"palace: note: {_one_line(message)}")


def report_mined(summary: MineSummary) -> None:
    """Write the notes, warnings and failures of a run of mining; exit if there are failures.

    Raises:
        typer.Exit: something failed.
    """
    note(summary.notices)
    warn(summary.warnings)
    for failure in summary.failures:
        error(failure.message)
    if summary.failures:
        raise typer.Exit(ExitCode.INCOMPLETE)


def remark(message: str) -> None:
    """Write a remark, which is neither data nor an error, such as that nothing was found."""
    if not _Verbosity.is_quiet:
        _write(one_line(message))


def ask(prompt: str = "") -> None:
    """Write a prompt after all other output, and leave the cursor behind it."""
    with suppress(OSError):
        sys.stdout.flush()
        sys.stderr.write(prompt)
        sys.stderr.flush()


def show(line: str, *, style: str) -> None:
    """Write a styled line to stderr; does nothing if stderr cannot be written."""
    from rich.console import Console
    from rich.text import Text

    with suppress(OSError):
        sys.stdout.flush()
        console = Console(file=sys.stderr, markup=False, emoji=False, highlight=False, soft_wrap=True)
        console.print(Text(line, style=style))


def confirm(question: str) -> bool | None:
    """Ask on stderr and read the answer from standard input; return None if there is none, as at the end of input."""
    ask(f"{one_line(question)} [y/N] ")
    try:
        answer = sys.stdin.readline()
    except UnicodeDecodeError:
        answer = ""  # undecodable input is no yes
    except KeyboardInterrupt:
        sys.stderr.write("\n")
        raise
    if not answer.endswith("\n"):
        sys.stderr.write("\n")
    return answer.strip().lower() in {"y", "yes"} if answer else None


def is_at_terminal() -> bool:
    """Return whether a person sees a question and can answer it, and wants more than the result."""
    return not _Verbosity.is_quiet and all(stream.isatty() for stream in (sys.stdin, sys.stdout, sys.stderr))


@contextmanager
def progress() -> Iterator[OnProgress | None]:
    """Show a progress bar while the block runs; yield None, without a bar, if stderr is no terminal."""
    if _Verbosity.is_quiet or not sys.stderr.isatty():
        yield None
        return
    from palace_cli.render.progress import progress_bar

    with progress_bar(sys.stderr) as advance:
        yield advance


def _one_line(message: str) -> str:
    """Return a message on one line; a very long one without its middle."""
    line = one_line(message)
    half = LONGEST_TOLD // 2
    return line if len(line) <= LONGEST_TOLD else f"{line[:half]} … {line[-half:]}"


def _write(line: str) -> None:
    # stdout is block-buffered in a pipe: without this flush, a message would overtake the data that it is about.
    with suppress(OSError):
        sys.stdout.flush()
    # If stderr cannot be written, only the exit code is left.
    with suppress(OSError):
        sys.stderr.write(line + "\n")
        sys.stderr.flush()
