"""Killed at any moment, the same command goes on: in the end both hold the same, nothing twice, nothing back."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from palace import Administration, Palace, Settings
from palace.testing import HashingEmbedder
from tests.held import contents, rows
from tests.sync.conftest import ASKS, held, instead_of_ssh, settings_json
from tests.transfer.conftest import write_talk

TURNS = 10


@dataclass
class Machine:
    """A machine on which somebody goes on talking."""

    palace: Palace
    settings: Settings
    folder: Path
    chance: random.Random
    talks: dict[str, list[str]] = field(default_factory=dict)
    pointers: dict[str, str] = field(default_factory=dict)
    """Where each text was first seen."""

    def talk(self, name: str, said: set[str]) -> None:
        """Begin a conversation, which both machines may have."""
        self.talks[name] = [f"{name} turn {place} on {hash((name, place)) % 97}" for place in range(TURNS)]
        said.update(self.talks[name])
        write_talk(self.folder / f"{name}.json", *self.talks[name])

    def mine(self, *names: str) -> None:
        """File what was said, all of it or some conversations."""
        files = [self.folder / f"{name}.json" for name in names] or [self.folder]
        self.palace.mine(*files, wing="Talks")

    def go_on(self, said: set[str], forgotten: set[str]) -> None:
        """Begin a conversation, edit or undo an edit of one, take notes, mark one, and forget something."""
        mark = uuid.uuid4().hex[:8]
        name = self.chance.choice(sorted(self.talks))
        self.talk(f"new-{mark}", said)
        turns, place = self.talks[name], self.chance.randrange(TURNS)
        before, turns[place] = turns[place], f"{name} edited {mark}"
        write_talk(self.folder / f"{name}.json", *turns)
        self.mine(name, f"new-{mark}")
        if self.chance.random() < 0.3:
            turns[place] = before
            write_talk(self.folder / f"{name}.json", *turns)
            self.mine(name)
        self.palace.note(f"Note {mark}", wing="Talks")
        memory = self.palace.memories.store(f"Derek likes {mark}.", wing="Talks")
        others = [each for each in self.palace.memories.list() if each.id != memory.id]
        if others:
            self.palace.memories.pin(str(self.chance.choice(others).id))
        said |= {f"{name} edited {mark}", f"Note {mark}", f"Derek likes {mark}."}
        here = self.see()
        gone = self.chance.choice(sorted(here))
        self.palace.forget(here[gone])
        forgotten.add(gone)

    def see(self) -> dict[str, str]:
        """Return what the palace holds with its pointers, none of which has changed."""
        here = contents(self.palace)
        assert {text: self.pointers.get(text, pointer) for text, pointer in here.items()} == here
        self.pointers |= here
        return here


def _texts(palace: Palace) -> list[str]:
    return sorted(text for (text,) in rows(palace, "SELECT content FROM drawer WHERE user_id = :user_id"))


def _kill_one(machine: Machine, target: str, ssh: str, key: Path) -> bool:
    """Kill a sync after up to three times what its start took, alone or with the other side; say if it was at work."""
    command = [sys.executable, "-c", ASKS, settings_json(machine.settings), machine.palace.user, target, ssh, str(key)]
    started = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True)
    with process:
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(machine.chance.uniform(0, 3 * (time.monotonic() - started)))
        is_at_work = process.poll() is None
        if is_at_work and machine.chance.random() < 0.5:
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    return is_at_work


def _endure(machines: tuple[Machine, Machine], folder: Path, *, own: int, common: int, kills: int, way: str) -> int:
    first, second = machines
    said: set[str] = set()
    forgotten: set[str] = set()
    for machine in machines:
        for number in range(common):
            machine.talk(f"common-{number}", said)
        for number in range(own):
            machine.talk(f"{machine.palace.user}-{number}", said)
        machine.mine()
    (folder / "shared").mkdir()
    ssh, key = instead_of_ssh(folder, second.settings, second.palace.user), folder / "key"
    target = "ssh://laptop" if way == "ssh" else str(folder / "shared")
    both = [first] if way == "ssh" else [first, second, first]
    in_time = 0
    for number in range(kills):
        for machine in machines:
            machine.go_on(said, forgotten)
        in_time += _kill_one(machines[number % len(both[:2])], target, ssh, key)
    for machine in (*both, *both):
        machine.palace.sync(target, ssh=ssh, key=key, pair=True)
    assert held(first.palace) == held(second.palace)
    assert _texts(first.palace) == sorted(said - forgotten)
    for machine in machines:
        machine.see()
    assert first.palace.sync(target, ssh=ssh, key=key).sent == 0
    return in_time


@pytest.fixture
def pair(settings: Settings, tmp_path: Path) -> Iterator[tuple[Machine, Machine]]:
    """Two machines of one server, as two users."""
    with ExitStack() as stack:
        yield _machines(stack, settings, settings, tmp_path)


@pytest.fixture
def apart(folder: Path, tmp_path: Path) -> Iterator[tuple[Machine, Machine]]:
    """Two machines with homes of their own."""
    homes = [Settings(home=folder / name, server_idle_minutes=0) for name in ("desktop", "laptop")]
    with ExitStack() as stack:
        yield _machines(stack, homes[0], homes[1], tmp_path)
    for home in homes:
        Administration(home).stop()


def _machines(stack: ExitStack, one: Settings, other: Settings, folder: Path) -> tuple[Machine, Machine]:
    made = []
    for name, settings in (("desktop", one), ("laptop", other)):
        (folder / name).mkdir()
        opened = Palace.open(settings, user=f"{name}-{uuid.uuid4().hex[:8]}", embedder=HashingEmbedder())
        made.append(Machine(stack.enter_context(opened), settings, folder / name, random.Random(name)))
    return made[0], made[1]


@pytest.mark.process
@pytest.mark.slow
def test_a_killed_sync_goes_on(pair: tuple[Machine, Machine], tmp_path: Path) -> None:
    _endure(pair, tmp_path, own=2, common=1, kills=1, way="ssh")


@pytest.mark.nightly
@pytest.mark.parametrize("way", ["ssh", "folder"])
def test_two_machines_of_a_thousand_drawers_are_in_step_after_twenty_kills(
    apart: tuple[Machine, Machine], tmp_path: Path, way: str
) -> None:
    in_time = _endure(apart, tmp_path, own=70, common=30, kills=20, way=way)
    print(f"{in_time} of 20 kills met a sync at work")
    assert in_time >= 5
