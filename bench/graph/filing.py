"""Filing a user's conversations into a palace of their own, as a program that embeds Palace does."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bench.graph.scoring.relations import Turn
from bench.graph.sets import Conversation
from palace import Palace, Palaces
from palace.administration import Administration
from palace.settings import load_settings

EXTRACTION = "extraction"
"""The index step that reads names and claims."""


@dataclass(frozen=True, slots=True)
class Filed:
    """What was filed, and how long that took."""

    turns: Mapping[str, Turn]
    """By pointer."""
    seconds: float


@contextmanager
def opened_palaces(**changes: Any) -> Iterator[Palaces]:
    """Open palaces in a folder of their own, which goes with them; ``changes`` are of settings.

    Days are those of UTC, as in the labels.
    """
    with TemporaryDirectory(prefix="palace-bench-") as folder:
        # The server runs under another account where this one is root.
        Path(folder).chmod(0o711)
        settings = load_settings(home=Path(folder, "home"), timezone="UTC", **changes)
        settings.home.mkdir(0o711)
        try:
            with Palaces.open(settings) as palaces:
                yield palaces
        finally:
            Administration(settings).stop()


def file_all(palace: Palace, conversations: Iterable[Conversation]) -> Filed:
    """File conversations one after another."""
    turns: dict[str, Turn] = {}
    begun = time.perf_counter()
    for each in conversations:
        messages = [
            {"role": message.role, "content": message.content, "timestamp": message.created_at.isoformat()}
            for message in each.messages
        ]
        summary = palace.file(messages, id=each.id, title=each.title)
        for place, pointers in enumerate(summary.pointers):
            turns.update((str(pointer), (each.id, place)) for pointer in pointers)
    return Filed(turns, time.perf_counter() - begun)


def without_extraction(palace: Palace) -> Palace:
    """Give the palace back, filing from now on without looking for names and claims."""
    opened = palace._opened
    palace._opened = replace(opened, steps=tuple(step for step in opened.steps if step.name != EXTRACTION))
    return palace


def without_model() -> None:
    """Have this process file as one in which spaCy is not installed."""
    # None has the import refused, which the type of sys.modules does not know.
    sys.modules["spacy"] = None  # type: ignore[assignment]
