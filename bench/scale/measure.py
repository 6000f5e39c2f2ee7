"""Measuring: each function gives one result as plain numbers."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from palace import Palace
from palace.administration import Administration
from palace.embedding.choose import embedder_for
from palace.settings import BUNDLED_MODEL, Settings
from palace.text.passages import split_passages

Result = dict[str, Any]
WINDOW = 256
WARM_UP = 5
COMMAND = (str(Path(sys.executable).with_name("palace")),)


def mining(settings: Settings, export: Path) -> Result:
    """Mine an export, and give the same passages to the embedder alone, in windows of the same size."""
    texts = passages_of(export)
    embedder = embedder_for(BUNDLED_MODEL, settings)
    embedder.embed(texts[:8])
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


def passages_of(export: Path) -> list[str]:
    """Cut an export's messages into passages, as mining does."""
    texts = []
    for line in export.read_text(encoding="utf-8").splitlines():
        for message in json.loads(line)["messages"]:
            content = message["content"]
            texts += [content[span.start : span.end] for span in split_passages(content)]
    return texts


def _embed_all(embedder: Any, texts: Sequence[str]) -> float:
    started = time.perf_counter()
    for start in range(0, len(texts), WINDOW):
        embedder.embed(texts[start : start + WINDOW])
    return time.perf_counter() - started


def recall(settings: Settings, queries: Sequence[str]) -> Result:
    """Recall each query in one warm process: total with the query's embedding, and what the database took of it."""
    totals, database = [], []
    with Palace.open(settings) as palace:
        for query in queries[:WARM_UP]:
            palace.recall(query)
        for query in queries:
            started = time.perf_counter()
            timings = palace.recall(query).timings_ms
            totals.append((time.perf_counter() - started) * 1000)
            database.append(timings["keyword"] + timings.get("semantic", 0) + timings.get("load", 0))
        status = palace.status()
    return {
        "drawers": status.drawers,
        "passages": status.passages,
        "queries": len(queries),
        "total_ms": percentiles(totals),
        "database_ms": percentiles(database),
    }


def cold(settings: Settings, query: str, *, runs: int) -> Result:
    """Start the program afresh each time: `--help`, `recall` with the server running, and without."""
    administration = Administration(settings)
    environment = os.environ | {"PALACE_HOME": str(settings.home), "PALACE_USER": settings.user}
    run_help = [_seconds([*COMMAND, "--help"], environment) for _ in range(runs)]
    administration.start()
    _seconds([*COMMAND, "recall", query], environment)
    running = [_seconds([*COMMAND, "recall", query], environment) for _ in range(runs)]
    stopped = []
    for _ in range(runs):
        administration.stop()
        stopped.append(_seconds([*COMMAND, "recall", query], environment))
    return {
        "help_s": statistics.median(run_help),
        "recall_server_running_s": statistics.median(running),
        "recall_server_stopped_s": statistics.median(stopped),
        "runs": runs,
    }


def _seconds(command: Sequence[str], environment: dict[str, str]) -> float:
    started = time.perf_counter()
    subprocess.run(command, env=environment, check=True, capture_output=True)
    return time.perf_counter() - started


def memory(settings: Settings, export: Path) -> Result:
    """Mine an export in a process of its own and give that process's peak resident memory."""
    environment = os.environ | {"PALACE_HOME": str(settings.home), "PALACE_USER": settings.user}
    started = time.perf_counter()
    child = subprocess.Popen(
        [*COMMAND, "mine", str(export), "--json"], env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    assert child.stdout is not None
    summary = json.loads(child.stdout.read())
    child.stdout.close()
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    return {
        "export_bytes": export.stat().st_size,
        "drawers": summary["drawers_new"],
        "seconds": time.perf_counter() - started,
        "peak_mb": usage.ru_maxrss / 1024 if sys.platform == "linux" else usage.ru_maxrss / (1 << 20),
        "exit": child.returncode,
    }


def percentiles(values: Sequence[float]) -> dict[str, float]:
    """Give the median and the 95th percentile."""
    ordered = sorted(values)
    return {"p50": statistics.median(ordered), "p95": ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))]}
