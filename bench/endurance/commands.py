"""Thousands of command lines against one palace: each ends in an exit code that is known, and in one line."""

from __future__ import annotations

import itertools
import json
import os
import random
import re
import shutil
import stat
import subprocess
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from bench.endurance.caller import LONGEST_SECONDS, Caller, Ended
from bench.endurance.interrupts import PROGRAM, Place, prepared_place
from bench.endurance.lines import TEXTS, draw_line

LARGEST_MEGABYTES = 600
"""Of the process that runs commands: all that it holds."""
LONGEST_TOLD = 5000
"""Characters of an error: the longest path there can be, and what is wrong with it."""
REFILL = 100
"""After so many lines the palace is filled again: some of them forget everything."""
SERVING = ("mcp", "worker")
"""Commands that go on until they are stopped."""

FILES = {
    "chat.json": b'{"messages": [{"role": "user", "content": "The battery is charged."}]}',
    "broken.json": b'{"messages": [{"role": "user", "content": 7}',
    "notes.md": b"# A day\n\nThe wire overheated.",
    "nothing.txt": b"",
    "binary": bytes(range(256)) * 50,
    "folder/one.json": b'[{"role": "user", "content": "Hello"}]',
    "folder/two.txt": b"Ann: Hello\nBen: Hello too\n",
}
DEVICES = {"null": (1, 3), "zero": (1, 5), "full": (1, 7)}
_TOLD = re.compile(r"palace: (?!warning: |note: )")
_ASIDE = re.compile(r"palace: (warning|note): ")
_CONTROL = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")


@dataclass(slots=True)
class Lines:
    """What became of the command lines."""

    outcomes: Counter[str] = field(default_factory=Counter)
    """By command and exit code."""
    codes: Counter[str] = field(default_factory=Counter)
    findings: list[str] = field(default_factory=list)
    """Every line that ended in another way than it should, with what was wrong."""
    slowest: float = 0.0
    megabytes: int = 0


def fuzz_commands(
    home: Path,
    *,
    count: int,
    processes: int,
    seed: int,
    tell: Callable[[int, Lines], None] = lambda _number, _found: None,
) -> Lines:
    """Run so many command lines through the app, and so many more as processes of their own."""
    chance, found = random.Random(seed), Lines()
    with prepared_place(home, drawers=20) as place:
        folder = place.folder / "cwd"
        folder.mkdir(mode=0o711)
        with Caller(folder, _environment(place)) as caller:
            for number in range(count + processes):
                if number % REFILL == 0:
                    paths = _fresh_paths(folder, place)
                    _refill(place, caller)
                words, given = draw_line(chance, caller.grammars, paths), chance.choice(TEXTS)
                is_process = number >= count
                ended = _run(words, given, place, folder) if is_process else caller.call(words, given)
                found.findings += (f"{_shown(words)}: {fault}" for fault in judge(words, ended))
                # The names of commands stand in front, or the line is one that was shuffled.
                paths_of = (grammar.path for grammar in caller.grammars)
                named = next((path for path in paths_of if words[: len(path)] == path), ())
                found.outcomes[f"{' '.join(named) or 'without a command'}: {ended.code}"] += 1
                found.codes[f"{'process' if is_process else 'line'}: {ended.code}"] += 1
                found.slowest = max(found.slowest, ended.seconds)
                found.megabytes = max(found.megabytes, ended.megabytes)
                tell(number, found)
    return found


def judge(words: Sequence[str], ended: Ended) -> list[str]:
    """Say what is wrong with how a command line ended; nothing where all is well."""
    if ended.bug:
        return [] if ended.is_overdue and any(name in words for name in SERVING) else [ended.bug]
    lines = [_as_text(line) for line in ended.err.splitlines()]
    told = [line for line in lines if _TOLD.match(line)]
    shown = repr(ended.err[-LONGEST_TOLD:])
    is_one_line = len(told) == 1 and all(line in told or _ASIDE.match(line) for line in lines)
    faults = {
        f"the exit code is {ended.code}": ended.code not in (0, 1, 2, 3),
        f"it took {ended.seconds:.1f} s": ended.seconds > LONGEST_SECONDS,
        f"it held {ended.megabytes} MB": ended.megabytes > LARGEST_MEGABYTES,
        f"a traceback or a control character in {shown}": "Traceback" in ended.err or _CONTROL.search(ended.err),
        f"a line of more than {LONGEST_TOLD} characters in {shown}": any(len(line) > LONGEST_TOLD for line in lines),
        f"not one line: {shown}": ended.code in (2, 3) and not is_one_line,
        f"several errors: {shown}": ended.code == 1 and len(told) > 1 and "mine" not in words,
        f"an error and success: {shown}": ended.code == 0 and told,
        f"no JSON document: {ended.out[:200]!r}": ended.code == 0 and _wants_json(words) and not _is_json(ended.out),
    }
    return [fault for fault, is_so in faults.items() if is_so]


def _as_text(line: str) -> str:
    """Give the line that says what an error in JSON says; any other line is as it is."""
    if not line.startswith('{"code": '):
        return line
    try:
        return f"palace: {json.loads(line)['message']}"
    except (ValueError, KeyError):
        return line


def _wants_json(words: Sequence[str]) -> bool:
    # A hook says what its program takes, which mostly is nothing, however it is called.
    asides = {"--help", "-h", "--version", "--", "-", "export", "hook"}
    # A value may be the word as well: note --json is asked for, note --wing --json is not.
    before = [word for word, following in itertools.pairwise(words) if following == "--json"]
    is_value = any(word.startswith("-") and word not in ("-y", "--yes") for word in before)
    return "--json" in words[1:] and not asides & set(words) and not is_value


def _is_json(text: str) -> bool:
    def refuse(constant: str) -> None:
        raise ValueError(constant)

    try:
        json.loads(text, parse_constant=refuse)
    except ValueError:
        return False
    return True


def _shown(words: Sequence[str]) -> str:
    return "palace " + " ".join(
        word[:60] + "…" * (len(word) > 60) if word.isalnum() else repr(word)[:80] for word in words
    )


def _environment(place: Place) -> dict[str, str]:
    return place.environment({"LOGNAME": "fuzzed", "PALACE_EMBEDDING_TIMEOUT_SECONDS": "2", "PYTHONUTF8": "1"})


def _fresh_paths(folder: Path, place: Place) -> tuple[str, ...]:
    """Empty the folder that lines work in and make what they may name: no path but these leads out of it."""
    for left in folder.iterdir():
        if left.is_dir() and not left.is_symlink():
            shutil.rmtree(left)
        else:
            left.unlink()
    for name in ("folder", "empty"):
        (folder / name).mkdir()
    for name, data in {**FILES, "unreadable.txt": b"text"}.items():
        (folder / name).write_bytes(data)
    (folder / "unreadable.txt").chmod(0)
    (folder / "circle").symlink_to("circle")
    (folder / "dangling").symlink_to("nowhere")
    if os.name == "posix" and os.geteuid() == 0:
        for name, numbers in DEVICES.items():
            os.mknod(folder / name, stat.S_IFCHR | 0o666, os.makedev(*numbers))
    ours = (str(place.source), str(place.folder / "exported"), str(place.folder / "saved"))
    theirs = ("new", "new.gz", "folder", "empty", ".", "nowhere/new", "chat.json/new", "x" * 300, "a/" * 3000, "-", "")
    odd = ("unreadable.txt", "circle", "dangling", "/proc/nothing", "not\udcffutf", "é")
    return (*ours, *theirs, *DEVICES, *FILES, *odd)


def _refill(place: Place, caller: Caller) -> None:
    for line in (
        ["forget", "--everything", "--yes", "--user", "fuzzed"],
        ["import", str(place.folder / "exported"), "--user", "fuzzed"],
        ["note", "Kept.", "--user", "kept", "--new-user"],
    ):
        caller.call(line, "")


def _run(words: Sequence[str], given: str, place: Place, folder: Path) -> Ended:
    """Run a line as a person does."""
    started = time.monotonic()
    try:
        done = subprocess.run(
            [*PROGRAM, *(os.fsencode(word) for word in words)],
            cwd=folder,
            env=_environment(place),
            input=given.encode("utf-8", "surrogateescape"),
            capture_output=True,
            timeout=2 * LONGEST_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired as problem:
        return Ended(-1, "", "", f"it did not end: {problem.stderr!r}")
    out, err = (stream.decode("utf-8", "surrogateescape") for stream in (done.stdout, done.stderr))
    return Ended(done.returncode, out, err, seconds=time.monotonic() - started)
