"""Where time goes: what the threads of this process do, and what the server works on, seen many times a second."""

from __future__ import annotations

import re
import sys
import threading
import time
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from types import FrameType, TracebackType
from typing import Self

import palace
from bench.harness import Figures
from palace import Embedder, Palace, Settings
from palace.db.database import Database

WARM_UP = 5

PACKAGE = str(Path(palace.__file__).parent)
PLUMBING = {f"{PACKAGE}/store/database.py", f"{PACKAGE}/store/sql/__init__.py"}
"""Modules that every statement passes through; whoever sent it is more telling."""


class Sampler(ABC):
    """Looks at something at short intervals, in a thread of its own, while a ``with`` block runs."""

    interval = 0.005

    def __init__(self) -> None:
        self.seen: Counter[str] = Counter()
        """How often each thing was seen."""
        self.seconds = 0.0
        """How long it was looked, once the block is left."""
        self.looks = 0
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="bench-sampler", daemon=True)

    def __enter__(self) -> Self:
        self._started = time.perf_counter()
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.seconds = time.perf_counter() - self._started
        self._done.set()
        self._thread.join()

    def _watch(self) -> None:
        while not self._done.wait(self.interval):
            self.looks += 1
            self.seen.update(self.look())

    @abstractmethod
    def look(self) -> list[str]:
        """Name what is going on right now."""

    def rows(self, most: int = 30) -> list[Figures]:
        """List what was seen most: seconds, and the share of the block's time. Side by side, shares exceed 100 %."""
        looks = max(self.looks, 1)
        return [
            {"step": name, "seconds": count / looks * self.seconds, "percent": 100 * count / looks}
            for name, count in self.seen.most_common(most)
        ]


class StackSampler(Sampler):
    """Sees which function of the library each thread is in, and whether it waits for the server."""

    def look(self) -> list[str]:
        names = {thread.ident: thread.name for thread in threading.enumerate()}
        return [
            f"{_thread(names.get(ident, ''))}: {step}"
            for ident, frame in sys._current_frames().items()
            if ident != threading.get_ident() and (step := _step(frame))
        ]


def _thread(name: str) -> str:
    """Name a thread without its numbers, so that those of one pool, or of pools made one after another, are one."""
    return "main" if name == "MainThread" else re.sub(r"[-_\d]+$", "", name)


def _step(frame: FrameType) -> str | None:
    """Name the innermost function of the library, and how it waits; None for a thread that is idle or not its own."""
    innermost = Path(frame.f_code.co_filename)
    seen: FrameType | None = frame
    while seen is not None:
        code = seen.f_code
        if code.co_filename.startswith(PACKAGE) and code.co_filename not in PLUMBING:
            module = Path(code.co_filename).relative_to(PACKAGE).with_suffix("").as_posix().replace("/", ".")
            return f"{module}.{code.co_name.strip('<>')}{_waiting(innermost)}"
        seen = seen.f_back
    return None


def _waiting(innermost: Path) -> str:
    if "psycopg" in innermost.parts:
        return " (server)"
    return " (waits for a thread)" if innermost.name == "threading.py" else ""


class StatementSampler(Sampler):
    """Sees which statements the server works on for a palace, and what it waits for; by their first line."""

    # Each look is a transaction: more often, and looking would be part of what is seen.
    interval = 0.05

    _ACTIVE = (
        "SELECT left(split_part(query, E'\\n', 1), 90), coalesce(wait_event_type, 'processor') FROM pg_stat_activity"
        " WHERE state = 'active' AND usename = session_user AND pid <> pg_backend_pid()"
    )

    def __init__(self, database: Database) -> None:
        """``database`` is open, and stays so until the block is left."""
        super().__init__()
        self._database = database

    def look(self) -> list[str]:
        with self._database.without_user() as connection:
            # A login sees what its own sessions do; the runtime role, which cannot log in, sees nobody's.
            connection.exec_driver_sql("SET LOCAL ROLE NONE")
            rows = connection.exec_driver_sql(self._ACTIVE).all()
        return [f"{query.removeprefix('-- ').strip()} [{waits}]" for query, waits in rows]


def profile(settings: Settings, export: Path, queries: Sequence[str], *, embedder: Embedder | None = None) -> Figures:
    """See where the time of a mine goes, unless the user has drawers already, and then that of recalls."""
    mined: Figures = {}
    watched = Database(settings)
    with Palace.open(settings, embedder=embedder) as palace:
        watched.open()
        if palace.status().drawers == 0:
            with StackSampler() as stacks, StatementSampler(watched) as statements:
                summary = palace.mine(export)
            mined = {"mine_seconds": summary.seconds, "mine": stacks.rows(), "mine_server": statements.rows()}
        for query in queries[:WARM_UP]:
            palace.recall(query)
        with StackSampler() as stacks, StatementSampler(watched) as statements:
            for query in queries:
                palace.recall(query)
        watched.close()
        drawers = palace.status().drawers
    return {
        "drawers": drawers,
        **mined,
        "recalls": len(queries),
        "recall_ms": 1000 * stacks.seconds / len(queries),
        "recall": stacks.rows(),
        "recall_server": statements.rows(),
    }
