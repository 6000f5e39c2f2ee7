"""A process that runs one command line after another through the app, so that thousands take minutes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, Self

LONGEST_SECONDS = 10

# In a process of its own, whose memory is that of the program alone; what takes too long ends it and says where it was.
CALLER = """
import faulthandler, json, os, sys, time, traceback
from pathlib import Path
from typer.testing import CliRunner
from typer.main import get_command
from palace_cli.app import app

answers = os.fdopen(os.dup(1), "w", encoding="ascii")
os.dup2(2, 1)

def grammars(command, path=()):
    if hasattr(command, "commands"):
        for name, inner in command.commands.items():
            yield from grammars(inner, (*path, name))
    else:
        yield [path, [parameter(given) for given in command.params]]

def parameter(given):
    is_option = given.param_type_name == "option"
    names = [*given.opts, *given.secondary_opts] if is_option else []
    is_flag = is_option and given.is_flag
    return [names, given.metavar or "", is_flag, given.required, given.nargs != 1 or getattr(given, "multiple", False)]

def answer(value):
    answers.write(json.dumps(value) + "\\n")
    answers.flush()

def megabytes():
    # The kernel's peak, which Linux alone tells and forgets.
    lines = STATUS.read_text().splitlines() if STATUS.exists() else []
    return next((int(line.split()[1]) >> 10 for line in lines if line.startswith("VmHWM")), 0)

STATUS, FORGET = Path("/proc/self/status"), Path("/proc/self/clear_refs")
answer([*grammars(get_command(app)), [[], []]])
longest = int(sys.argv[1])
for line in sys.stdin:
    asked = json.loads(line)
    if FORGET.exists():
        FORGET.write_text("5")
    faulthandler.dump_traceback_later(longest, exit=True)
    started = time.monotonic()
    done = CliRunner().invoke(app, asked["arguments"], input=asked["given"].encode("utf-8", "surrogateescape"))
    faulthandler.cancel_dump_traceback_later()
    bug = None
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        bug = "".join(traceback.format_exception(done.exception)[-6:])
    out = done.stdout_bytes.decode("utf-8", "surrogateescape")
    err = done.stderr_bytes.decode("utf-8", "surrogateescape")
    answer([done.exit_code, out, err, bug, time.monotonic() - started, megabytes()])
"""


class Parameter(NamedTuple):
    """An option, or an argument where it has no names."""

    names: list[str]
    metavar: str
    is_flag: bool
    is_required: bool
    is_many: bool


class Grammar(NamedTuple):
    """One command and what it takes."""

    path: tuple[str, ...]
    parameters: list[Parameter]


@dataclass(frozen=True, slots=True)
class Ended:
    """How a command line ended."""

    code: int
    out: str
    err: str
    bug: str | None = None
    """The traceback of an error that nobody foresaw."""
    seconds: float = 0.0
    megabytes: int = 0
    is_overdue: bool = False
    """Whether it went on until it was stopped."""


class Caller:
    """Runs command lines in one process, and starts another where one took too long or fell over."""

    def __init__(self, folder: Path, environment: Mapping[str, str], *, longest: int = LONGEST_SECONDS) -> None:
        """Work in ``folder``, so that no name that a line makes up leads elsewhere; ``longest`` is in seconds."""
        self._folder, self._environment, self._longest = folder, environment, longest
        self._stderr = (folder.parent / "caller.stderr").open("a+b")
        self.grammars: list[Grammar] = []
        self._running = self._start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._running.kill()
        self._running.communicate()
        self._stderr.close()

    def call(self, arguments: Sequence[str], given: str) -> Ended:
        """Run a command line; ``given`` is what stands on its standard input."""
        asked, answers = self._running.stdin, self._running.stdout
        assert asked is not None
        assert answers is not None
        self._stderr.truncate(0)
        asked.write(json.dumps({"arguments": list(arguments), "given": given}) + "\n")
        asked.flush()
        if answer := answers.readline():
            return Ended(*json.loads(answer))
        self._running.communicate()
        code = self._running.returncode
        self._stderr.seek(0)
        said = self._stderr.read().decode("utf-8", "replace")
        self._running = self._start()
        return Ended(code, "", "", f"the process ended with {code}: {said}", is_overdue=said.startswith("Timeout"))

    def _start(self) -> subprocess.Popen[str]:
        root = Path(__file__).parents[2]
        running = subprocess.Popen(
            [sys.executable, "-c", CALLER, str(self._longest)],
            cwd=self._folder,
            env={**self._environment, "PYTHONPATH": os.pathsep.join((str(root), str(root / "cli")))},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._stderr,
            text=True,
        )
        assert running.stdout is not None
        found = json.loads(running.stdout.readline())
        self.grammars = [Grammar(tuple(path), [Parameter(*each) for each in taken]) for path, taken in found]
        return running
