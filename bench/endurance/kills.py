"""Killing a miner, or the server under it, at random moments: mined again, the palace is that of an undisturbed run."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from bench.endurance.canonical import canonical_form, difference
from palace import Administration, Palace, Settings
from palace.testing import HashingEmbedder

MINER = """
import sys, time
from pathlib import Path
from palace import Palace
from palace.errors import PalaceError
from palace.config.settings import Settings
from palace.testing import HashingEmbedder

home, user, source = sys.argv[1:]
class Slow(HashingEmbedder):
    def embed_passages(self, texts):
        time.sleep(0.001 * len(texts))
        return super().embed_passages(texts)
with Palace.open(Settings(home=Path(home), server_idle_minutes=0), user=user, embedder=Slow()) as palace:
    print("ready", flush=True)
    try:
        palace.mine(source, wing="Shared")
    except PalaceError as told:
        print(told, flush=True)
    print("done", flush=True)
"""


@dataclass(slots=True)
class Outcome:
    """What became of the kills."""

    kills: int = 0
    in_time: int = 0
    """Kills that met a mine at work."""
    different: list[str] = field(default_factory=list)
    """Lines in which a palace mined again differs from the undisturbed one."""
    unclear: list[str] = field(default_factory=list)
    """What a miner printed when the server was killed under it, other than one line."""


def endure_kills(home: Path, source: Path, *, count: int, seed: int, of_server: bool) -> Outcome:
    """Kill so many mines of a source, each at another moment; or the server under them."""
    chance = random.Random(seed)
    settings = Settings(home=home, server_idle_minutes=0)
    wanted, seconds = _undisturbed(settings, source)
    outcome = Outcome()
    for number in range(count):
        user = f"killed-{'server' if of_server else 'miner'}-{seed}-{number}"
        kill = (lambda _: _kill_server(settings)) if of_server else subprocess.Popen.kill
        _disturb(home, user, source, chance.uniform(0, seconds), kill, outcome)
        with Palace.open(settings, user=user, embedder=HashingEmbedder()) as palace:
            palace.mine(source, wing="Shared")
            outcome.different += difference(wanted, canonical_form(palace))[:5]
        outcome.kills += 1
    return outcome


def _undisturbed(settings: Settings, source: Path) -> tuple[dict[str, list[str]], float]:
    with Palace.open(settings, user="undisturbed", embedder=HashingEmbedder()) as palace:
        palace.mine(source, wing="Shared")
        wanted = canonical_form(palace)
    started = time.monotonic()
    miner = _start(settings.home, f"timed-{time.monotonic_ns()}", source)
    miner.communicate(timeout=300)
    return wanted, time.monotonic() - started


def _disturb(
    home: Path, user: str, source: Path, wait: float, kill: Callable[[subprocess.Popen[str]], None], outcome: Outcome
) -> None:
    miner = _start(home, user, source)
    try:
        time.sleep(wait)
        outcome.in_time += miner.poll() is None
        kill(miner)
        said, _ = miner.communicate(timeout=120)
    finally:
        miner.kill()
    told = said.replace("ready\n", "").replace("done\n", "")
    if told.count("\n") > 1:
        outcome.unclear.append(told)


def _start(home: Path, user: str, source: Path) -> subprocess.Popen[str]:
    command: Sequence[str] = [sys.executable, "-c", MINER, str(home), user, str(source)]
    miner = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert miner.stdout is not None
    miner.stdout.readline()
    return miner


def _kill_server(settings: Settings) -> None:
    pid = Administration(settings).status().pid
    if pid is not None:
        os.kill(pid, signal.SIGKILL)
