"""`python -m bench.browse`: open, walk and weigh ``palace browse`` on a palace that is there."""

from __future__ import annotations

import argparse
import getpass
import json
import os
import pty
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from contextlib import suppress
from fcntl import ioctl
from pathlib import Path
from statistics import median

from bench.harness import Figures
from palace import Palace, load_settings

PATIENCE_SECONDS = 60.0
COLUMNS, LINES = 120, 40
PAINTED = b"Opening the palace"

# A program of its own, because front ends do not import each other; its memory is the application's alone.
WALKER = """
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


def main() -> None:
    """Measure, and print the figures."""
    options = _parser().parse_args()
    with Palace.open(load_settings(home=options.home), user=options.user, make_user=False) as palace:
        wing, drawers = palace.tree.wings(limit=1)[0].name, palace.status().drawers
    opened = [open_once(options.home, options.user, wing) for _ in range(options.rounds)]
    walked = walk(options.home, options.user, options.seconds, mines=options.mine, recalls=options.recall)
    found = {
        "drawers": drawers,
        "first_paint_s": round(median(painted for painted, _ in opened), 3),
        "usable_s": round(median(usable for _, usable in opened), 3),
        "mines": options.mine,
        **{name: round(value, 1) for name, value in walked.items()},
    }
    print(json.dumps(found, indent=2) if options.json else "\n".join(f"{name:>14} {found[name]}" for name in found))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bench.browse", description=__doc__)
    parser.add_argument("--home", type=Path, required=True, help="PALACE_HOME of the palace; its server is started")
    parser.add_argument("--user", default=getpass.getuser())
    parser.add_argument("--rounds", type=int, default=5, help="how often it is opened")
    parser.add_argument("--seconds", type=float, default=30, help="how long it is walked")
    parser.add_argument("--mine", action="store_true", help="file talks beside it: WRITES to the palace")
    parser.add_argument("--recall", action="store_true", help="recall now and then, so that the embedder is in memory")
    parser.add_argument("--json", action="store_true")
    return parser


def open_once(home: Path, user: str, wing: str) -> tuple[float, float]:
    """Open a palace in a terminal of its own; give the seconds until something is painted, and until a wing's name is.

    Raises:
        TimeoutError: it never is.
    """
    began = time.perf_counter()
    process, terminal = pty.fork()
    if process == 0:
        os.environ.update(PALACE_HOME=str(home), TERM="xterm-256color", COLORTERM="truecolor")
        program = str(Path(sys.executable).with_name("palace"))
        os.execv(program, [program, "browse", "--user", user])
    ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", LINES, COLUMNS, 0, 0))
    try:
        return _watch(terminal, began, wing.encode()[:12])
    finally:
        with suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)
        os.waitpid(process, 0)
        os.close(terminal)


def _watch(terminal: int, began: float, name: bytes) -> tuple[float, float]:
    written, painted = b"", 0.0
    while time.perf_counter() - began < PATIENCE_SECONDS:
        if not select.select([terminal], [], [], 0.01)[0]:
            continue
        with suppress(OSError):
            written += os.read(terminal, 65_536)
        now = time.perf_counter() - began
        if not painted and PAINTED in written:
            painted = now
        if name in written:
            return painted or now, now
    raise TimeoutError(f"{name!r} was not painted in {PATIENCE_SECONDS} s: {written[-300:]!r}")


def walk(home: Path, user: str, seconds: float, *, mines: bool, recalls: bool) -> Figures:
    """Press keys for some time in a process of its own; beside one that files talks where ``mines``.

    Gives milliseconds for which the screen did not answer, and from a key to the screen at rest; resident MiB.
    """
    environment = {"PALACE_HOME": str(home), "PATH": "/usr/bin:/bin", "HOME": str(Path.home())}
    miner = None
    if mines:
        miner = subprocess.Popen([sys.executable, "-c", MINER, user, str(seconds + 5)], env=environment)
    command = [sys.executable, "-c", WALKER, user, str(seconds), "recalls" if recalls else "-"]
    done = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
    if miner is not None:
        miner.wait()
    found = json.loads(done.stdout.splitlines()[-1])
    stalls, presses = sorted(found["stalls"]), sorted(found["presses"])
    return {
        "keys": len(presses),
        "stall_p99": stalls[int(len(stalls) * 0.99)],
        "stall_max": stalls[-1],
        "press_p50": presses[len(presses) // 2],
        "press_max": presses[-1],
        "memory": found["rss"],
        "memory_peak": found["peak"],
    }


if __name__ == "__main__":
    main()
