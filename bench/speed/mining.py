"""What mining takes until nothing is left to do, beside the embedder alone on the same passages; and its memory."""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator, Sequence

from bench.harness import Figures, home_settings, server_seconds
from bench.speed import program
from bench.speed.texts import chats, write_export
from palace import Administration, Embedder

WINDOW = 256
"""Passages that are embedded together, as mining does."""


def measure(options: argparse.Namespace) -> Iterator[Figures]:
    """Mine conversations with the program, and have workers do the rest; the starts of the programs count."""
    found = list(chats(options.data, count=options.chats))
    contents = [message["content"] for chat in found for message in chat["messages"]]
    with home_settings(worker_starts=False) as settings:
        export = write_export(settings.home_folder / "export.jsonl", found)
        passages, embedder = program.passages_of(contents), program.embedder(settings)
        embedder.embed_passages(passages[:8])
        Administration(settings).start()
        program.palace(options.tree, settings, "status")  # migrated once
        before, server = _embed(embedder, passages), server_seconds(settings)
        mined = program.palace(options.tree, settings, "mine", str(export), "--json")
        worked = program.work(options.tree, settings)
        server = server_seconds(settings) - server
        # Before and after: where other programs run beside it, the mean of both is the fairer yardstick.
        alone, alone_cpu = ((one + other) / 2 for one, other in zip(before, _embed(embedder, passages), strict=True))
    ran = [mined, *worked]
    seconds, cpu = sum(each.seconds for each in ran), sum(each.cpu_seconds for each in ran)
    yield {
        "chats": len(found),
        "drawers": json.loads(mined.output)["drawers_new"],
        "passages": len(passages),
        "characters": sum(map(len, contents)),
        "embedder alone / mining": alone / seconds,
        "embedder_cpu / mining_cpu": alone_cpu / (cpu + server),
        "seconds": {"mine": mined.seconds, "worker": seconds - mined.seconds, "embedder alone": alone},
        "cpu_seconds": {
            "mine": mined.cpu_seconds,
            "worker": cpu - mined.cpu_seconds,
            "server": server,
            "embedder alone": alone_cpu,
        },
        "peak_mb": {"mine": mined.peak_mb, "worker": max(each.peak_mb for each in worked)},
    }


def _embed(embedder: Embedder, texts: Sequence[str]) -> tuple[float, float]:
    worked, started = time.process_time(), time.perf_counter()
    for start in range(0, len(texts), WINDOW):
        embedder.embed_passages(texts[start : start + WINDOW])
    return time.perf_counter() - started, time.process_time() - worked
