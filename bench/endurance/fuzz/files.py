"""Thousands of damaged files: each is read as conversations, or refused in one line that names it."""

from __future__ import annotations

import random
import re
import shutil
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from bench.endurance.fuzz.mutations import mutate
from bench.endurance.fuzz.seeds import NOW, Seed, load_seeds, zipped
from bench.endurance.fuzz.watch import LARGEST_GROWTH, TookTooLong, watched
from palace import Palace
from palace.errors import UnreadableSource
from palace.mining.discovery import list_sources
from palace.mining.files.reading import Reading
from palace.mining.readers.registry import read_conversations
from palace.records import Conversation
from palace.settings import Settings
from palace.testing import HashingEmbedder

MINED_EVERY = 10
USERS_EVERY = 20
"""So many files are mined for one user: in a palace of its own a file meets no other reading of its conversations."""

_BREAKS = re.compile("[\x00-\x1f\x7f\x85\u2028\u2029]")
_TRACE_LINES = -8


@dataclass(slots=True)
class Files:
    """What became of the files."""

    outcomes: dict[str, Counter[str]] = field(default_factory=dict)
    """By format: "read", "read in part" where a conversation failed alone, "empty", "refused"; and "mined"."""
    findings: list[str] = field(default_factory=list)
    megabytes: int = 0
    """The most that one of them took beside what was held before."""

    @property
    def total(self) -> Counter[str]:
        """Count the outcomes of all formats."""
        return sum(self.outcomes.values(), start=Counter[str]())


def fuzz_files(
    settings: Settings,
    folder: Path,
    *,
    count: int,
    seed: int,
    tell: Callable[[int, Files], None] = lambda _number, _found: None,
) -> Files:
    """Read so many damaged files, of each format the same share, and mine every tenth.

    ``folder`` is there and empty; a file that ended as none should is kept in it.
    """
    chance, found = random.Random(seed), Files()
    samples, kept = folder / "samples", folder / "kept"
    for made in (samples, kept):
        made.mkdir()
    by_format: dict[str, list[Seed]] = {}
    for loaded in load_seeds(samples):
        by_format.setdefault(loaded.format, []).append(loaded)
    formats = sorted(by_format)
    for number in range(count):
        name = formats[number % len(formats)]
        path, done = _write(chance, chance.choice(by_format[name]), folder / f"{number}")
        outcomes = found.outcomes.setdefault(name, Counter())
        before = len(found.findings)
        about = f"file {number} ({name}: {path.name}, {done})"
        with _judged(about, found):
            outcomes[_read(path)] += 1
        if number // len(formats) % MINED_EVERY == 0:
            user = f"fuzzed-{seed}-{number // len(formats) // MINED_EVERY // USERS_EVERY}-{name}"
            with (
                _judged(f"mining {about}", found),
                Palace.open(settings, user=user, embedder=HashingEmbedder()) as palace,
            ):
                outcomes[_mine(palace, path)] += 1
        if len(found.findings) > before:
            path.parent.rename(kept / f"{number}")
        else:
            shutil.rmtree(path.parent)
        tell(number, found)
    return found


@contextmanager
def _judged(about: str, found: Files) -> Iterator[None]:
    """Take up as a finding whatever else than the good end of a reading comes of the block."""
    growth = None
    try:
        with watched() as growth:
            yield
    except TookTooLong:
        found.findings.append(f"{about}: took too long: {_trace()}")
    except Exception:  # noqa: BLE001 — whatever it is, the trial counts it
        found.findings.append(f"{about}: {_trace()}")
    if growth is not None:
        found.megabytes = max(found.megabytes, growth.megabytes)
        if growth.megabytes > LARGEST_GROWTH:
            found.findings.append(f"{about}: took {growth.megabytes} MB")


def _trace() -> str:
    return "\n".join(traceback.format_exc().splitlines()[_TRACE_LINES:])


def _write(chance: random.Random, seed: Seed, folder: Path) -> tuple[Path, str]:
    """Write a seed with one of its files changed; an export of several may be packed, and the archive damaged."""
    folder.mkdir()
    changed = chance.choice(sorted(seed.files))
    data, done = mutate(chance, seed.files[changed])
    files = {**seed.files, changed: data}
    if not changed:
        path = folder / seed.name
        path.write_bytes(data)
    elif chance.random() < 0.4:
        path = folder / f"{seed.name}.zip"
        packed = zipped(files)
        if chance.random() < 0.5:
            packed, how = mutate(chance, packed)
            done = f"{changed} {done}, packed, {how}"
        path.write_bytes(packed)
    else:
        path = folder / seed.name
        for name, content in files.items():
            (path / name).parent.mkdir(parents=True, exist_ok=True)
            (path / name).write_bytes(content)
        done = f"{changed} {done}"
    return path, done


def _read(path: Path) -> str:
    """Read a file twice, which gives the same; say what became of it."""
    try:
        first, failures = _conversations(path)
    except UnreadableSource as problem:
        _require_told(str(problem), path)
        return "refused"
    for failure in failures:
        _require_told(str(failure), path)
    if _conversations(path)[0] != first:
        raise AssertionError("read again, it is something else")
    return "read in part" if failures and first else "failed" if failures else "read" if first else "empty"


def _conversations(path: Path) -> tuple[list[Conversation], list[UnreadableSource]]:
    found: list[Conversation] = []
    failures: list[UnreadableSource] = []
    for source in list_sources(path):
        reading = Reading(source.file, NOW)
        found += read_conversations(source, reading)
        failures += reading.failures
    return found, failures


def _require_told(told: str, path: Path) -> None:
    if _BREAKS.search(told) or not told.startswith(str(path)) or len(told) > len(str(path)) + 2000:
        raise AssertionError(f"not a line that names the file: {told[:3000]!r}")


def _mine(palace: Palace, path: Path) -> str:
    """Mine a file, and once more: nothing is new then."""
    try:
        summary = palace.mine(path)
    except UnreadableSource as problem:
        _require_told(str(problem), path)
        return "mined: refused"
    for failure in summary.failures:
        _require_told(failure.message, path)
    again = palace.mine(path)
    if again.drawers_new:
        raise AssertionError(f"mined again, {again.drawers_new} of {summary.drawers_new} drawers are new")
    return "mined" if summary.drawers_new else "mined: nothing"
