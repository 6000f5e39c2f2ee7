"""Interrupting every command at random moments, as Ctrl-C does: one line, its exit code, nothing left behind."""

from __future__ import annotations

import os
import random
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from bench.scale import corpus
from palace import Administration, Settings

PROGRAM = [sys.executable, "-c", "from palace_cli.entry import main; main()"]
LINES = {
    signal.SIGINT: "palace: interrupted: nothing is half done, the same command again goes on",
    signal.SIGTERM: "palace: terminated: nothing is half done, the same command again goes on",
}
FIRST_GUESS = 3.0
"""Seconds that a command may take, until one finishes and tells better."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where the commands of a trial work."""

    home: Path
    """A palace with conversations, a server of its own."""
    source: Path
    """What it was mined from."""
    folder: Path
    """For the files that commands write; holds ``exported`` and ``saved``, which others read."""

    def environment(self, changes: Mapping[str, str]) -> dict[str, str]:
        """Give a command's environment."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith("PALACE_")}
        return {**kept, "PALACE_HOME": str(self.home), "LOGNAME": "interrupted", **changes}


class Command(NamedTuple):
    """One command of a trial: in its line N is the number of the attempt, capitals are paths."""

    name: str
    line: str

    def words(self, place: Place, number: int) -> list[str]:
        """Give the arguments of an attempt."""
        paths = {"SOURCE": place.source, "EXPORTED": place.folder / "exported", "SAVED": place.folder / "saved"}
        paths |= {"EXPORT": place.folder / f"export-{number}", "BACKUP": place.folder / f"backup-{number}"}
        return [str(paths.get(word, re.sub(r"\bN\b", str(number), word))) for word in shlex.split(self.line)]


def new_home(place: Place, number: int) -> Path:
    """Name the home that an attempt to restore makes."""
    return place.folder / f"home-{number}"


LISTED = """
mine: mine SOURCE --user miner-N
note: note "Note N says that the battery is charged."
recall: recall "which battery did I buy?"
recall block: recall battery --format block --context 1
ls: ls
ls: ls W-001
show: show W-001/R-01/D-001
status: status
costs: costs
runs: runs
doctor: doctor
move: move W-001/R-02 "Elsewhere N"
rename: rename W-001 "Renamed N"
forget: forget W-001/R-01/D-001 --yes
undo: undo 1 --yes
rebuild: rebuild
export: export EXPORT
export: export -
import: import EXPORTED --user importer-N
db stop: db stop
db start: db start
db status: db status
db url: db url
db upgrade: db upgrade
db backup: db backup BACKUP
db restore: db restore SAVED
embeddings status: embeddings status
embeddings backfill: embeddings backfill
embeddings switch: embeddings switch bundled/all-MiniLM-L6-v2
help: --help
"""
COMMANDS = tuple(Command(*line.split(": ", 1)) for line in LISTED.strip().splitlines())


@dataclass(slots=True)
class Interruptions:
    """What became of the interrupted commands."""

    outcomes: dict[str, Counter[str]] = field(default_factory=dict)
    """By command: "interrupted", "finished" before the signal came, "not begun" where Python was still starting."""
    unclean: list[str] = field(default_factory=list)
    """Every other way to end, in full."""

    def count(self, command: Command, outcome: str) -> None:
        """Count one attempt."""
        self.outcomes.setdefault(command.name, Counter())[outcome] += 1

    @property
    def total(self) -> Counter[str]:
        """Count the outcomes of all commands."""
        return sum(self.outcomes.values(), start=Counter[str]())


def interrupt_commands(
    place: Place,
    *,
    count: int,
    seed: int,
    commands: Sequence[Command] = COMMANDS,
    tell: Callable[[int, Interruptions], None] = lambda _number, _found: None,
) -> Interruptions:
    """Interrupt so many commands, each in its turn, at a random moment of the time that it seems to take.

    One in four gets a second signal shortly after the first, one in five is terminated instead. ``tell`` is called with
    the number of each attempt when it is over.
    """
    chance, found = random.Random(seed), Interruptions()
    seconds = {command.name: FIRST_GUESS for command in commands}
    for number in range(count):
        command = commands[number % len(commands)]
        by = signal.SIGTERM if chance.random() < 0.2 else signal.SIGINT
        again = chance.uniform(0, 0.5) if chance.random() < 0.25 else None
        wait = chance.uniform(0, seconds[command.name])
        outcome, took = _interrupt(command, place, number, (by, wait, again), found)
        seconds[command.name] = took if outcome == "finished" else max(seconds[command.name], 1.5 * wait)
        _put_away(place, number)
        tell(number, found)
    return found


def _start(command: Command, place: Place, number: int) -> subprocess.Popen[str]:
    changes = {"PALACE_HOME": str(new_home(place, number))} if command.name == "db restore" else {}
    return subprocess.Popen(
        [*PROGRAM, *command.words(place, number)],
        env=place.environment(changes),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def _interrupt(
    command: Command,
    place: Place,
    number: int,
    how: tuple[signal.Signals, float, float | None],
    found: Interruptions,
) -> tuple[str, float]:
    by, wait, again = how
    started = time.monotonic()
    running = _start(command, place, number)
    try:
        for pause in (wait, again):
            if pause is not None:
                time.sleep(pause)
                # To the whole group, as a terminal does it.
                if running.poll() is None:
                    os.killpg(running.pid, by)
        _, said = running.communicate(timeout=60)
    except subprocess.TimeoutExpired:
        os.killpg(running.pid, signal.SIGKILL)
        said = "it did not end within a minute\n" + running.communicate()[1]
    outcome = _outcome(running.returncode, said, by)
    left = [str(path) for path in place.folder.glob(".*.partial")]
    if outcome == "unclean" or left:
        outcome = "unclean"
        found.unclean.append(f"{command.name} ({by.name} after {wait:.2f} s): {running.returncode} {left} {said}")
    found.count(command, outcome)
    return outcome, time.monotonic() - started


def _outcome(code: int, said: str, by: signal.Signals) -> str:
    """Tell how a command ended; warnings of what it did before are its own affair."""
    lines = [line for line in said.splitlines() if not line.startswith("palace: warning: ")]
    if code == 128 + by and lines.count(LINES[by]) == 1 and lines[-1] == LINES[by] and len(lines) <= 2:
        return "interrupted"
    if code == -by or (code == 130 and "Traceback" in said and "palace" not in said.replace("<string>", "")):
        return "not begun"
    if code == 1 and said.startswith("Fatal Python error: init_"):
        # The interpreter itself was starting, which answers an interrupt so.
        return "not begun"
    if code in (0, 1, 2) and "Traceback" not in said and "terminate called" not in said and len(lines) <= 3:
        return "finished"
    return "unclean"


@contextmanager
def prepared_place(home: Path, *, drawers: int) -> Iterator[Place]:
    """Make a palace for the commands to work in, with an export and a backup of it for those that read one."""
    folder, source = home / "folder", home / "conversations"
    for made in (folder, source):
        made.mkdir(mode=0o711)
    corpus.write_export(source / "export.jsonl", corpus.synthetic_conversations(), drawers=drawers)
    place = Place(home, source, folder)
    for arguments in (
        ["mine", str(source)],
        ["export", str(folder / "exported")],
        ["db", "backup", str(folder / "saved")],
    ):
        subprocess.run([*PROGRAM, *arguments], env=place.environment({}), check=True, capture_output=True)
    yield place


def _put_away(place: Place, number: int) -> None:
    """Stop and remove the palace that an attempt made, if it made one."""
    home = new_home(place, number)
    if home.exists():
        Administration(Settings(home=home, server_idle_minutes=0)).stop()
        shutil.rmtree(home, ignore_errors=True)
