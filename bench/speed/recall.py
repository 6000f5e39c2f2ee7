"""What a warm recall takes beside embedding one query, by step, and what it asks of the server."""

from __future__ import annotations

import argparse
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from functools import partial
from statistics import mean, median

from bench.harness import Figures, home_settings, server_seconds
from bench.metrics import percentiles
from bench.speed import program
from bench.speed.texts import chats, questions, write_export
from bench.speed.traffic import Traffic
from palace import Embedder, Palace, Recollection, Settings

WARM_UP = 10
COUNTED = 20
"""Recalls whose messages are counted, which slows them: none of these is timed."""


def measure(options: argparse.Namespace) -> Iterator[Figures]:
    """Recall from palaces of each size, those that are too small filled first."""
    for size in options.sizes:
        with home_settings(options.home, user=f"drawers-{size}", worker_starts=False) as settings:
            _fill(settings, size, options)
            yield _recall(settings, questions(options.data, options.queries))


def _fill(settings: Settings, size: int, options: argparse.Namespace) -> None:
    """Mine real texts until there are so many drawers, then varied ones, whose vectors are not embedded."""
    with Palace.open(settings) as palace:
        held = palace.status().drawers
        export = settings.home_folder / "export.jsonl"
        if not held:
            palace.mine(write_export(export, chats(options.data, drawers=size)))
            held = palace.status().drawers
    if held < size:
        # It reads more of Palace than is public, so another tree's palace has to be grown by that tree.
        from bench.scale.grow import Growth, grow

        source = write_export(settings.home_folder / "source.jsonl", chats(options.data))
        grow(settings, Growth({settings.user: size}, source), model=program.embedder(settings))
    program.work(options.tree, settings)


def _recall(settings: Settings, queries: Sequence[str]) -> Figures:
    with Traffic() as traffic, Palace.open(settings) as palace:
        embedder = program.embedder(settings)
        time_recalls(palace, embedder, queries[:WARM_UP])
        before = server_seconds(settings)
        found = time_recalls(palace, embedder, queries)
        server = (server_seconds(settings) - before) * 1000 / len(queries)
        counts = [asdict(traffic.of(partial(palace.recall, query))) for query in queries[:COUNTED]]
        cpu: dict[str, float] = {**found.pop("cpu_ms"), "server": server}
        return {
            "drawers": palace.status().drawers,
            **found,
            "cpu_ms": cpu,
            "recall_cpu / embedding_cpu": (cpu["recall"] + server) / cpu["embedding"],
            "each": {name: median(each[name] for each in counts) for name in counts[0]},
        }


def time_recalls(palace: Palace, embedder: Embedder, queries: Sequence[str]) -> Figures:
    """Recall each query and embed it alone, one after the other, so that both feel the same load."""
    spent: dict[str, list[float]] = defaultdict(list)
    cpu: dict[str, list[float]] = defaultdict(list)
    steps: dict[str, list[float]] = defaultdict(list)
    hits = 0
    for query in queries:
        for name, call in (("recall", palace.recall), ("embedding", lambda text: embedder.embed_queries([text]))):
            worked, started = time.process_time(), time.perf_counter()
            done = call(query)
            spent[name].append((time.perf_counter() - started) * 1000)
            cpu[name].append((time.process_time() - worked) * 1000)
            if isinstance(done, Recollection):
                hits += len(done.hits)
                for step, took in done.timings_ms.items():
                    steps[step].append(took)
    recall, embedding = (percentiles(spent[name]) for name in ("recall", "embedding"))
    return {
        "queries": len(queries),
        "hits_each": hits / len(queries),
        "recall_p50 / embedding_p50": recall["p50"] / embedding["p50"],
        "recall_p95 / recall_p50": recall["p95"] / recall["p50"],
        "recall_ms": recall,
        "embedding_ms": embedding,
        "cpu_ms": {name: mean(took) for name, took in cpu.items()},
        "steps_ms": {step: percentiles(took) for step, took in steps.items() if step != "total"},
    }
