"""Walking a palace with the application in a process of its own: how late frames are, and its memory then."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

# A program of its own, because front ends do not import each other; and its memory is the application's then.
PROGRAM = """
import asyncio, gc, itertools, json, sys, time
from palace_cli.commands.browse import opening
from palace_cli.tui.app import BrowseApp

user, seconds, recalls = sys.argv[1], float(sys.argv[2]), sys.argv[3] == "recalls"
KEYS = "down down right down down enter n pagedown 3 4 5 1 p escape pagedown".split()

def resident(name):
    lines = open("/proc/self/status").read().splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith(name))

async def main():
    app, stalls, presses = BrowseApp(lambda: opening(user)), [], []
    gc.set_threshold(100_000, 50, 50)
    async def beat():
        while True:
            began = time.perf_counter()
            await asyncio.sleep(0.005)
            stalls.append((time.perf_counter() - began - 0.005) * 1000)
    async with app.run_test(size=(120, 40)) as pilot:
        while not app.source.is_open:
            await asyncio.sleep(0.05)
        await asyncio.sleep(2)
        task, end = asyncio.create_task(beat()), time.monotonic() + seconds
        for number, key in enumerate(itertools.cycle(KEYS)):
            if time.monotonic() > end:
                break
            if recalls and number % 40 == 0:
                asyncio.get_running_loop().run_in_executor(None, app.source.palace.recall, f"what of {number}?")
            began = time.perf_counter()
            await pilot.press(key)
            presses.append((time.perf_counter() - began) * 1000)
            await asyncio.sleep(0.05)
        task.cancel()
    print(json.dumps({"stalls": stalls, "presses": presses, "rss": resident("VmRSS"), "peak": resident("VmHWM")}))

asyncio.run(main())
"""
MINER = """
import sys, time
from palace import Palace
user, end = sys.argv[1], time.monotonic() + float(sys.argv[2])
number = 0
with Palace.open(user=user) as palace:
    while time.monotonic() < end:
        number += 1
        texts = (f"Talk {number}, message {at}: the pump of {number} ran." for at in range(20))
        said = [{"role": "user", "content": text} for text in texts]
        palace.file(said, id=f"bench-{time.time()}", title=f"Talk {number}", wing=f"Mined {number % 5}")
"""


@dataclass(frozen=True, slots=True)
class Walked:
    """What a walk was like: milliseconds, and MiB."""

    keys: int
    stall_p99: float
    """How long the screen could not answer, of a hundred times the longest but one."""
    stall_max: float
    press_p50: float
    """From a key to the screen having taken it; the pilot waits for it to come to rest."""
    press_max: float
    memory: float
    """Resident at the end."""
    memory_peak: float


def walk(home: Path, user: str, seconds: float, *, mines: bool, recalls: bool) -> Walked:
    """Press keys for some time; beside a process that files talks where ``mines``, which writes to the palace."""
    environment = {"PALACE_HOME": str(home), "PATH": "/usr/bin:/bin", "HOME": str(Path.home())}
    miner = None
    if mines:
        miner = subprocess.Popen([sys.executable, "-c", MINER, user, str(seconds + 5)], env=environment)
    command = [sys.executable, "-c", PROGRAM, user, str(seconds), "recalls" if recalls else "-"]
    done = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
    if miner is not None:
        miner.wait()
    return _summed(json.loads(done.stdout.splitlines()[-1]))


def _summed(found: Mapping[str, Any]) -> Walked:
    stalls, presses = sorted(found["stalls"]), sorted(found["presses"])
    return Walked(
        keys=len(presses),
        stall_p99=stalls[int(len(stalls) * 0.99)],
        stall_max=stalls[-1],
        press_p50=presses[len(presses) // 2],
        press_max=presses[-1],
        memory=found["rss"],
        memory_peak=found["peak"],
    )
