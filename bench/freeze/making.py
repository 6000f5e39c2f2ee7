"""Making the parts of a freeze: each a file that is there whole or not at all."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from pathlib import Path

from bench.freeze import files, retrieval, sets
from bench.freeze.compare import ENDING
from bench.freeze.context import Context, Line

PARTS: Mapping[str, Callable[[Context], Iterator[Line]]] = {
    "locomo": retrieval.locomo,
    "pooled": retrieval.pooled,
    "everyday": sets.everyday,
    "derived": retrieval.derived,
    "hooks": sets.hooks,
    "graph": sets.graph,
    "corpus": files.corpus,
    "languages": sets.languages,
    "commands": files.commands,
    "secrets": sets.secrets,
    "gate": sets.gate,
    "instructions": sets.instructions,
    "schema": files.schema,
}
"""What is frozen, each a file; what takes longest first."""
PROCESSES = 2


def make(context: Context, folder: Path, parts: Sequence[str], processes: int = PROCESSES) -> int:
    """Make the parts that are not there yet, side by side; 1 where one failed."""
    wanted = [part for part in PARTS if part in parts and not _file(folder, part).exists()]
    failed = []
    with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
        begun = {pool.submit(make_part, context, folder, part): part for part in wanted}
        for each in as_completed(begun):
            failed += _tell(begun[each], each.result)
    return 1 if failed else 0


def make_part(context: Context, folder: Path, part: str) -> str:
    """Write one part whole, or nothing; say how much it was."""
    started = time.monotonic()
    lines = [json.dumps(line, ensure_ascii=False, sort_keys=True) for line in PARTS[part](context)]
    unfinished = folder / f"{part}.unfinished"
    unfinished.write_bytes(("\n".join(lines) + "\n").encode())
    unfinished.rename(_file(folder, part))
    return f"{part}: {len(lines):,} items in {time.monotonic() - started:.0f} s"


def _tell(part: str, result: Callable[[], str]) -> list[str]:
    """Say on standard error what came of a part; give its name where it failed."""
    try:
        print(result(), file=sys.stderr, flush=True)
    except Exception as problem:  # noqa: BLE001 — a part that fails, however, is named, and the others are made
        print(f"{part} failed: {type(problem).__name__}: {problem}", file=sys.stderr, flush=True)
        return [part]
    return []


def _file(folder: Path, part: str) -> Path:
    return folder / f"{part}{ENDING}"
