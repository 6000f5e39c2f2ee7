"""Texts to measure with: conversations of any source Palace can read, or made-up ones with a natural vocabulary."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from itertools import accumulate
from pathlib import Path

from palace.mining.readers.discovery import list_sources
from palace.mining.readers.registry import read_conversations
from palace.records import Conversation

VOCABULARY = 30_000
TURNS = 12
MEAN_WORDS = 120


def real_conversations(source: Path) -> Iterator[Conversation]:
    """Read the conversations of a source."""
    for found in list_sources(source):
        yield from read_conversations(found)


def synthetic_turns(seed: int = 1) -> Iterator[list[dict[str, str]]]:
    """Make up conversations without end: words of a Zipf distribution, turns of a long-tailed length."""
    chance = random.Random(seed)
    words = ["".join(chance.choices("abcdefghijklmnoprstuvw", k=chance.randint(2, 9))) for _ in range(VOCABULARY)]
    weights = list(accumulate(1 / rank for rank in range(1, VOCABULARY + 1)))
    while True:
        yield [
            {
                "role": "user" if turn % 2 == 0 else "assistant",
                "content": " ".join(
                    chance.choices(words, cum_weights=weights, k=max(3, int(chance.expovariate(1 / MEAN_WORDS))))
                )
                + ".",
            }
            for turn in range(TURNS)
        ]


def write_export(path: Path, source: Path | None, *, drawers: int) -> int:
    """Write the first so many turns of a source, or of made-up conversations, as JSONL; return how many there are."""
    written = 0
    with path.open("w", encoding="utf-8") as file:
        for number, messages in enumerate(_messages(source)):
            kept = messages[: drawers - written]
            if not kept:
                break
            written += len(kept)
            file.write(json.dumps({"id": f"c{number}", "messages": kept}) + "\n")
    return written


def _messages(source: Path | None) -> Iterator[list[dict[str, str]]]:
    if source is None:
        yield from synthetic_turns()
        return
    for conversation in real_conversations(source):
        yield [{"role": turn.role.value, "content": turn.content} for turn in conversation.turns]


def read_queries(path: Path | None, export: Path, *, count: int) -> list[str]:
    """Read queries, one a line; without a file, take sentences from the export's own turns."""
    if path is not None:
        return [line.strip() for line in path.read_text(encoding="utf-8").splitlines() if line.strip()][:count]
    chance = random.Random(7)
    lines = export.read_text(encoding="utf-8").splitlines()
    picked = [chance.choice(json.loads(chance.choice(lines))["messages"])["content"] for _ in range(count)]
    return [" ".join(content.split()[:12]) or "nothing" for content in picked]
