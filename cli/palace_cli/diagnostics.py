"""Everything the command line writes to stderr, and the codes it exits with.

stdout is data, so a redirected file is clean while errors, warnings and progress still reach the person.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from enum import IntEnum

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
from palace.models import MineSummary, OnProgress
from palace_cli.render.visible import one_line

_NEXT_COMMAND: dict[type[PalaceError], str] = {
    NotFound: "palace ls",
    DatabaseUnavailable: "palace db status",
    EmbeddedServerError: "palace doctor",
    SchemaMismatch: "palace db upgrade",
    EmbeddingError: "palace embeddings status",
}
LONGEST_TOLD = 4800
"""Characters of a line that are written whole: the longest path that there can be, and what is wrong with it."""
_NAMES_A_COMMAND = re.compile(r"`palace [a-z]|\bpalace (mine|ls|status|db|embeddings|doctor|runs|move|rebuild)\b")


class ExitCode(IntEnum):
    """What ``palace`` exits with; ``meaning`` is a sentence for the reference."""

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
    """Return the code to exit with after ``error``."""
    if isinstance(error, BadRequest):
        return ExitCode.USAGE
    if isinstance(error, DatabaseUnavailable):
        return ExitCode.DATABASE
    return ExitCode.INCOMPLETE


def report(failure: PalaceError, *, as_json: bool = False) -> None:
    """Write an error as one line: its code and message as JSON, or with the next command to run where one helps."""
    message = str(failure) or type(failure).__name__
    if as_json:
        _write(json.dumps({"code": failure.code, "message": _told(message)}))
        return
    known = (_NEXT_COMMAND[kind] for kind in type(failure).__mro__ if kind in _NEXT_COMMAND)
    error(message, hint="" if _NAMES_A_COMMAND.search(message) else next(known, ""))


def error(message: str, *, hint: str = "") -> None:
    """Write what went wrong, on one line whatever the message holds."""
    _write(f"palace: {_told(message)}" + (f" (try: {hint})" if hint else ""))


def warn(messages: Iterable[str]) -> None:
    """Write warnings, one line each."""
    for message in messages:
        _write(f"palace: warning: {_told(message)}")


class _Told:
    """What is told by this process, whichever thread does."""

    is_quiet = False


def set_quiet(quiet: bool) -> None:
    """From now on leave out what is neither an error nor a warning, or not: notes, remarks, progress."""
    _Told.is_quiet = quiet


def note(messages: Iterable[str]) -> None:
    """Write what a person should know though nothing is wrong, one line each."""
    for message in () if _Told.is_quiet else messages:
        _write(f"palace: note: {_told(message)}")


def report_mined(summary: MineSummary) -> None:
    """Write what is to be said of a run of mining, and what failed of it; where something did, end the command.

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
    """Write what is neither data nor an error, such as that nothing was found."""
    if not _Told.is_quiet:
        _write(one_line(message))


def ask(prompt: str = "") -> None:
    """Write what a person is to answer, behind all that was written before, and leave the cursor there."""
    with suppress(OSError):
        sys.stdout.flush()
        sys.stderr.write(prompt)
        sys.stderr.flush()


def show(line: str, *, style: str) -> None:
    """Write a line in a style beside what a command puts out; nothing where it cannot be written."""
    from rich.console import Console
    from rich.text import Text

    with suppress(OSError):
        sys.stdout.flush()
        console = Console(file=sys.stderr, markup=False, emoji=False, highlight=False, soft_wrap=True)
        console.print(Text(line, style=style))


def confirm(question: str) -> bool:
    """Ask on stderr and read the answer from standard input; no answer, as where nobody is there, means no."""
    ask(f"{one_line(question)} [y/N] ")
    try:
        answer = sys.stdin.readline()
    except UnicodeDecodeError:
        answer = ""  # what is no text is no yes
    except KeyboardInterrupt:
        sys.stderr.write("\n")
        raise
    if not answer.endswith("\n"):
        sys.stderr.write("\n")
    return answer.strip().lower() in {"y", "yes"}


def is_at_terminal() -> bool:
    """Tell whether a person sees a question and can answer it."""
    return sys.stdin.isatty() and sys.stderr.isatty()


@contextmanager
def progress() -> Iterator[OnProgress | None]:
    """Show a progress bar while the block runs; None, and no bar, where stderr is not a terminal."""
    if _Told.is_quiet or not sys.stderr.isatty():
        yield None
        return
    from palace_cli.render.progress import progress_bar

    with progress_bar(sys.stderr) as advance:
        yield advance


def _told(message: str) -> str:
    """Put a message on one line; of one that repeats what is endless, the middle is left out."""
    line = one_line(message)
    half = LONGEST_TOLD // 2
    return line if len(line) <= LONGEST_TOLD else f"{line[:half]} … {line[-half:]}"


def _write(line: str) -> None:
    # stdout is block-buffered in a pipe: without this, what is said of the data would overtake it.
    with suppress(OSError):
        sys.stdout.flush()
    # Where standard error cannot be written, the exit code is all there is to say.
    with suppress(OSError):
        sys.stderr.write(line + "\n")
        sys.stderr.flush()
