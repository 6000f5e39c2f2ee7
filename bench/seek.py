"""`python -m bench.seek --home HOME`: from last key to hits on the screen."""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

from bench.harness import Figures, milliseconds, print_figures, times
from bench.scale.measure import own_sentences
from palace import Palace, load_settings

WARM_UP = 5
WORDS = 6
"""Of a sentence that are typed."""
KEY_SECONDS = 0.06
"""Between two keys of somebody who types quickly: less than keys rest."""
LONGEST_SECONDS = 20.0


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure; the figures go to standard output, what went wrong to standard error."""
    options = _parser().parse_args(arguments)
    return print_figures(lambda: _typed(options), as_json=options.json)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bench.seek", description=__doc__)
    parser.add_argument("--home", type=Path, required=True, help="a palace to keep")
    parser.add_argument("--user", default="bench", help="whose palace in it")
    parser.add_argument("--count", type=int, default=30, help="how many are measured")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    return parser


def _typed(options: argparse.Namespace) -> Figures:
    """Type what is in the palace, key by key, and measure from the last key until the hits are drawn."""
    settings = load_settings(home=options.home, user=options.user)
    queries = [" ".join(text.split()[:WORDS]) for text in own_sentences(settings, count=options.count + WARM_UP)]
    with Palace.open(settings) as palace:
        spent, late = asyncio.run(_type(palace, queries))
        alone = [milliseconds(partial(palace.recall, query, rerank=False)) for query in queries]
        return {
            "drawers": palace.status().drawers,
            "queries": len(spent[WARM_UP:]),
            "load": _load(),
            "last_key_to_hits_ms": times(spent[WARM_UP:]),
            "of_that_keys_rest_ms": 60,
            "recall_alone_ms": times(alone[WARM_UP:]),
            "key_to_key_overrun_ms": times(late),
        }


async def _type(palace: Palace, queries: Sequence[str]) -> tuple[list[float], list[float]]:
    """Give, of each query, the milliseconds from its last key to its hits; and how much later than due each key was."""

    @contextmanager
    def opening() -> Iterator[Palace]:
        yield palace

    # Front ends do not know each other; that one is driven here as a person does.
    app = import_module("palace_cli.tui.app").BrowseApp(opening)
    spent, late = [], []
    async with app.run_test(size=(100, 30)) as pilot:
        await _until(pilot, lambda: app.source.is_open)
        await pilot.press("slash")
        await asyncio.sleep(2)
        box, hits = app.screen.query_one("#search"), app.screen.query_one("#hits")
        for query in queries:
            box.value = ""
            await _until(pilot, lambda: not hits.hits)
            await asyncio.sleep(0.3)
            for character in query:
                due = time.perf_counter() + KEY_SECONDS
                box.insert_text_at_cursor(character)
                last = time.perf_counter()
                await asyncio.sleep(KEY_SECONDS)
                late.append((time.perf_counter() - due) * 1000)
            # Hits of a shorter query are not those that are waited for.
            await _until(pilot, partial(_has_answered, app, query))
            spent.append((app.screen.answered_at - last) * 1000)
    return spent, late


def _has_answered(app: Any, query: str) -> bool:
    return bool(app.screen.answered == query)


async def _until(pilot: Any, is_so: Callable[[], bool]) -> None:
    deadline = time.monotonic() + LONGEST_SECONDS
    while not is_so():
        if time.monotonic() > deadline:
            raise SystemExit("nothing was found in time")
        await asyncio.sleep(0.002)
    await pilot.pause(0)


def _load() -> str:
    return " ".join(f"{each:.1f}" for each in os.getloadavg()) + f" on {os.cpu_count()} cores"


if __name__ == "__main__":
    sys.exit(main())
