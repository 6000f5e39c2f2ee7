"""The embedded server ended under a palace that is open: the work goes on with the next one, and nothing is lost."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from bench.endurance.canonical import canonical_form, difference
from bench.scale.corpus import synthetic_conversations, write_export
from palace import Administration, Palace, Settings
from palace.testing import HashingEmbedder

SIGNALS = [signal.SIGTERM, signal.SIGINT, signal.SIGQUIT, signal.SIGKILL]


@pytest.fixture
def settings(folder: Path) -> Iterator[Settings]:
    """Settings of an embedded server of the test's own."""
    made = Settings(home=folder, server_idle_minutes=30)
    yield made
    Administration(made).stop()


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """A hundred and fifty turns in several conversations."""
    folder = tmp_path / "conversations"
    folder.mkdir()
    write_export(folder / "export.jsonl", synthetic_conversations(), drawers=150)
    return folder


def server_of(settings: Settings) -> int | None:
    """The main process of the server."""
    return Administration(settings).status().pid


def end_now_and_then(settings: Settings, kind: int, done: threading.Event, ended: list[int]) -> None:
    """Send a signal to each server that answers, three times in all."""
    while len(ended) < 3 and not done.wait(0.2):
        server = Administration(settings).status()
        if server.running and server.pid is not None and server.pid not in ended:
            os.kill(server.pid, kind)
            ended.append(server.pid)


@pytest.mark.nightly
@pytest.mark.parametrize("kind", SIGNALS)
def test_mining_goes_on_when_its_server_is_ended(settings: Settings, source: Path, kind: int) -> None:
    with Palace.open(settings, user="whole", embedder=HashingEmbedder()) as palace:
        palace.mine(source, wing="Shared")
        wanted = canonical_form(palace)
    done, ended = threading.Event(), list[int]()
    with Palace.open(settings, user="disturbed", embedder=HashingEmbedder()) as palace:
        disturber = threading.Thread(target=end_now_and_then, args=(settings, kind, done, ended))
        disturber.start()
        try:
            while len(ended) < 1:
                time.sleep(0.01)
            palace.mine(source, wing="Shared")
        finally:
            done.set()
            disturber.join()
        palace.embeddings.backfill()
        assert difference(wanted, canonical_form(palace)) == []


@pytest.mark.nightly
@pytest.mark.process
@pytest.mark.parametrize(
    "kind", [signal.SIGKILL, *(pytest.param(kind, marks=pytest.mark.nightly) for kind in SIGNALS[:3])]
)
def test_a_palace_that_stays_open_outlives_its_server(settings: Settings, kind: int) -> None:
    with Palace.open(settings, embedder=HashingEmbedder()) as palace:
        palace.note("An anchor of aluminium.")
        pid = server_of(settings)
        assert pid is not None
        os.kill(pid, kind)
        # One that waits for its sessions goes on serving them.
        while kind != signal.SIGTERM and server_of(settings) == pid:
            time.sleep(0.01)
        assert palace.note("A rope of hemp.").content == "A rope of hemp."
        assert palace.recall("an anchor of aluminium").hits[0].drawer.content == "An anchor of aluminium."
        assert palace.status().drawers == 2
