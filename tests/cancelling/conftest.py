"""Two palaces with one history, of which one is disturbed; and somebody who cancels from another thread."""

from __future__ import annotations

import json
import time
import uuid
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from threading import Event, Thread

import pytest

from palace import Cancellation, Embedder, Palace, Phase, Progress, Settings
from palace.testing import HashingEmbedder

OPEN = Callable[..., Palace]
TURNS = 12
TALKS = 4
PROMPTLY = 5.0
"""Seconds within which a cancelled call has to have ended, whatever it waited for."""


class Canceller:
    """Cancels, from another thread, once a phase has been told of so often."""

    def __init__(self, phase: Phase, times: int) -> None:
        self.cancel = Cancellation()
        self._phase, self._times = phase, times
        self._told: Counter[Phase] = Counter()

    def __call__(self, now: Progress) -> None:
        self._told[now.phase] += 1
        if now.phase is self._phase and self._told[now.phase] == self._times:
            other = Thread(target=self.cancel.cancel)
            other.start()
            other.join()


@contextmanager
def cancelling(once: Callable[[], bool]) -> Iterator[Cancellation]:
    """Cancel from another thread as soon as something is the case; the block has to end promptly then."""
    cancel, over, begun = Cancellation(), Event(), []

    def wait() -> None:
        while not over.wait(0.01):
            if once():
                begun.append(time.monotonic())
                cancel.cancel()
                return

    waiting = Thread(target=wait)
    waiting.start()
    try:
        yield cancel
    finally:
        over.set()
        waiting.join()
    assert time.monotonic() - begun[0] < PROMPTLY


@pytest.fixture(autouse=True)
def small_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have little embedded at a time, so that there are many moments."""
    for module in ("palace.mining.embed", "palace.mining.steps.passages"):
        monkeypatch.setattr(f"{module}.WINDOW", 64)


@pytest.fixture
def open_palace(settings: Settings) -> Iterator[OPEN]:
    """Opens the palace of a new user, or of a named one."""
    with ExitStack() as stack:

        def open_for(user: str | None = None, embedder: Embedder | None = None) -> Palace:
            taken = embedder or HashingEmbedder()
            opened = Palace.open(settings, user=user or f"user-{uuid.uuid4()}", embedder=taken)
            return stack.enter_context(opened)

        yield open_for


@pytest.fixture
def talks(tmp_path: Path) -> Path:
    """A file of four conversations, with sentences and times; more passages than are embedded at a time."""
    conversations = []
    for talk in range(TALKS):
        said = [
            {
                "role": ("user", "assistant")[turn % 2],
                "content": f"Boat {talk} lies in berth {turn}. I like its keel; it was laid in March {2000 + turn}.",
                "timestamp": f"2026-03-{talk + 1:02}T10:{turn:02}:00Z",
            }
            for turn in range(TURNS)
        ]
        conversations.append({"id": f"talk-{talk}", "title": f"Talk {talk}", "messages": said})
    path = tmp_path / "talks.json"
    path.write_text(json.dumps(conversations), encoding="utf-8")
    return path
