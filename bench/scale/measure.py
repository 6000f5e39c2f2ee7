"""Measuring one palace: each function gives one result as plain numbers."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from bench.harness import Figures, milliseconds
from bench.metrics import percentiles
from bench.scale.corpus import passages_of, read_export, sentences
from palace import Administration, Embedder, Palace, Palaces
from palace.ai.embedders.registry import embedder_for
from palace.config.settings import BUNDLED_MODEL, Settings

WINDOW = 256
WARM_UP = 5
COMMAND = (str(Path(sys.executable).with_name("palace")),)
_CONNECTIONS = (
    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND backend_type = 'client backend'"
)


def mining(settings: Settings, export: Path) -> Figures:
    """Mine an export, and give the same passages to the embedder alone, in windows of the same size."""
    texts = passages_of(read_export(export))
    embedder = embedder_for(BUNDLED_MODEL, settings)
    embedder.embed_passages(texts[:8])
    raw_first = _embed_all(embedder, texts)
    with Palace.open(settings, embedder=embedder) as palace:
        started = time.perf_counter()
        summary = palace.mine(export)
        seconds = time.perf_counter() - started
    # Twice around the mine: on a noisy machine the mean of both is the fairer yardstick.
    raw = (raw_first + _embed_all(embedder, texts)) / 2
    characters = sum(map(len, texts))
    return {
        "drawers": summary.drawers_new,
        "passages": summary.passages_embedded,
        "characters": characters,
        "mine_seconds": seconds,
        "raw_seconds": raw,
        "characters_per_second": characters / seconds,
        "ratio_to_raw": raw / seconds,
    }


def _embed_all(embedder: Any, texts: Sequence[str]) -> float:
    started = time.perf_counter()
    for start in range(0, len(texts), WINDOW):
        embedder.embed_passages(texts[start : start + WINDOW])
    return time.perf_counter() - started


def own_sentences(settings: Settings, *, count: int, embedder: Embedder | None = None) -> list[str]:
    """Take sentences of the user's own drawers, the same ones each time; at most one of a drawer.

    Raises:
        SystemExit: the palace is empty.
    """
    # Ordered by a hash, so that they come from all over the palace.
    query = "SELECT content FROM drawer WHERE user_id = %s AND role <> 'tool' ORDER BY md5(id::text) LIMIT %s"
    with Palace.open(settings, embedder=embedder) as palace, palace._opened.session() as session:
        rows = session.connection.exec_driver_sql(query, (session.user_id, 2 * count)).all()
    found = sentences([content for (content,) in rows])[:count]
    if not found:
        raise SystemExit(f"{settings.user} has no drawers in {settings.home}: fill it with `mining` or `grow` first")
    return found


def recall(settings: Settings, asked: Mapping[str, Sequence[str]], *, embedder: Embedder | None = None) -> Figures:
    """Recall each set of queries in one warm process: total with the query's embedding, and the steps of it."""
    with Palace.open(settings, embedder=embedder) as palace:
        result = {}
        for name, queries in asked.items():
            for query in queries[:WARM_UP]:
                palace.recall(query)
            result[name] = time_recalls(palace, queries)
        status = palace.status()
    return {"drawers": status.drawers, "passages": status.passages, **result}


def time_recalls(palace: Palace, queries: Sequence[str]) -> Figures:
    """Recall each query, and give the total with the query's embedding, and the steps of it."""
    totals: list[float] = []
    steps: dict[str, list[float]] = {}
    hits = 0
    for query in queries:
        started = time.perf_counter()
        recollection = palace.recall(query)
        totals.append((time.perf_counter() - started) * 1000)
        hits += len(recollection.hits)
        for step, spent in recollection.timings_ms.items():
            steps.setdefault(step, []).append(spent)
    steps.pop("total", None)
    return {
        "queries": len(queries),
        "hits_each": hits / len(queries),
        "total_ms": percentiles(totals),
        **{f"{step}_ms": percentiles(values) for step, values in steps.items()},
    }


def cold(settings: Settings, query: str, *, runs: int) -> Figures:
    """Start the program afresh each time: `--help`, `recall` with the server running, and without."""
    administration = Administration(settings)
    environment = environment_of(settings)
    run_help = [run([*COMMAND, "--help"], environment).seconds for _ in range(runs)]
    administration.start()
    ask = [*COMMAND, "recall", query]
    run(ask, environment)
    running = [run(ask, environment).seconds for _ in range(runs)]
    stopped = []
    for _ in range(runs):
        administration.stop()
        stopped.append(run(ask, environment).seconds)
    return {
        "help_s": statistics.median(run_help),
        "recall_server_running_s": statistics.median(running),
        "recall_server_stopped_s": statistics.median(stopped),
        "runs": runs,
    }


def memory(settings: Settings, export: Path) -> Figures:
    """Mine an export in a process of its own and give that process's peak resident memory."""
    ran = run([*COMMAND, "mine", str(export), "--json"], environment_of(settings))
    return {
        "export_bytes": export.stat().st_size,
        "drawers": json.loads(ran.output)["drawers_new"],
        "seconds": ran.seconds,
        "peak_mb": ran.peak_mb,
    }


def environment_of(settings: Settings) -> dict[str, str]:
    """Give the environment in which the program works on a palace."""
    return os.environ | {"PALACE_HOME": str(settings.home), "PALACE_USER": settings.user}


@dataclass(frozen=True, slots=True)
class Ran:
    """What running a program came to."""

    seconds: float
    peak_mb: float
    """The largest resident memory of that process; what it started counts for itself."""
    output: str


def run(command: Sequence[str], environment: dict[str, str]) -> Ran:
    """Run a program to its end.

    Raises:
        SystemExit: it failed; the message has what it said.
    """
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as complaint:
        started = time.perf_counter()
        child = subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stdout=output, stderr=complaint)
        _, status, usage = os.wait4(child.pid, 0)
        seconds = time.perf_counter() - started
        child.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        complaint.seek(0)
        if child.returncode:
            said = complaint.read()[-800:].decode("utf-8", "replace")
            raise SystemExit(f"{' '.join(command)} failed ({child.returncode}): {said}")
        peak = usage.ru_maxrss / 1024 if sys.platform == "linux" else usage.ru_maxrss / (1 << 20)
        return Ran(seconds, peak, output.read().decode("utf-8", "replace"))


def users(settings: Settings, *, count: int, embedder: Embedder) -> Figures:
    """Open the palaces of so many users at first sight, then of the same users known; milliseconds, and connections."""
    with Palaces.open(settings, embedder=embedder) as palaces:
        first = palaces.palace(f"{settings.user}-0")

        def connections() -> int:
            with first._opened.session() as session:
                return int(session.connection.exec_driver_sql(_CONNECTIONS).scalar_one())

        before = connections()
        names = [f"{settings.user}-{number}" for number in range(1, count)]
        made, known = ([milliseconds(partial(palaces.palace, name)) for name in names] for _ in range(2))
        return {
            "users": count,
            "connections_added": connections() - before,
            "made_ms": percentiles(made),
            "known_ms": percentiles(known),
        }
