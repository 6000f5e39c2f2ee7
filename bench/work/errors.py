"""How often the same error is recognised on another day and machine, and how often different ones are joined."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from bench.harness import Figures
from palace.nlp.work.errors import SAME_SHARE, FoundError, find_errors, share_of_words, telling_lines

SET = Path(__file__).with_name("sets") / "errors.jsonl"


def measure(half: str, show: bool) -> Figures:
    """Return the figures of one half of the pairs; with ``show``, also print the pairs that are judged wrongly."""
    pairs = [pair for pair in _pairs() if pair["half"] == half]
    counts = {"same": 0, "found": 0, "different": 0, "joined": 0}
    for pair in pairs:
        one, other = (_signatures(find_errors, pair[side]) for side in ("one", "other"))
        lines, again = (_signatures(telling_lines, pair[side]) for side in ("one", "other"))
        kinds = ("same", "found") if pair["same"] else ("different", "joined")
        is_joined = not one.isdisjoint(other) or share_of_words(lines, again) > SAME_SHARE
        counts[kinds[0]] += 1
        counts[kinds[1]] += is_joined
        if show and is_joined != pair["same"]:
            print(json.dumps({"tool": pair["tool"], "same": pair["same"], "one": sorted(one), "other": sorted(other)}))
    return {"half": half, "pairs": len(pairs), **counts}


def _signatures(find: Callable[[str], Sequence[FoundError]], output: str) -> set[str]:
    return {error.signature for error in find(output)}


def _pairs() -> Iterator[dict[str, Any]]:
    with SET.open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)
