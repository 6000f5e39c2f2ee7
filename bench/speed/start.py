"""What a cold start of the program takes beside ``python -c pass``, its server running."""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median

from bench.harness import Figures, Ran, home_settings, run
from bench.speed import program
from bench.speed.texts import QUERY, chats, write_export
from palace import Palace, Settings

CHATS = 10
LONGEST_SECONDS = 60.0
"""How long a worker may take until it answers."""


def measure(options: argparse.Namespace) -> Iterator[Figures]:
    """Start each kind by turns: the program alone, and with a worker that answers."""
    with home_settings(worker_starts=False) as settings:
        found = list(chats(options.data, count=CHATS))
        with Palace.open(settings) as palace:
            palace.mine(write_export(settings.home_folder / "export.jsonl", found))
        program.work(options.tree, settings)
        # A sentence that is there, so that there are hits to show.
        query = found[0]["messages"][0]["content"][:QUERY]
        told = json.dumps({"session_id": "s", "hook_event_name": "UserPromptSubmit", "cwd": "/", "prompt": query})

        def call(*arguments: str, told: bytes = b"") -> Callable[[], Ran]:
            return lambda: program.palace(options.tree, settings, *arguments, told=told)

        hook = call("hook", "prompt", "--harness", "claude-code", told=told.encode())
        nothing = {"pass": lambda: run([sys.executable, "-c", "pass"], program.environment(options.tree, settings))}
        yield _started(
            options.runs, nothing | {"--help": call("--help"), "recall": call("recall", query), "hook": hook}
        )
        with _worker(options.tree, settings):
            yield _started(
                options.runs, nothing | {"recall, by a worker": call("recall", query), "hook, by a worker": hook}
            )


def _started(runs: int, starts: dict[str, Callable[[], Ran]]) -> Figures:
    ran: dict[str, list[Ran]] = {name: [] for name in starts}
    for number in range(runs + 1):
        for name, start in starts.items():
            done = start()
            if number:  # the first has to read the programs from disk
                ran[name].append(done)
    seconds = {name: median(each.seconds for each in done) for name, done in ran.items()}
    cpu = {name: median(each.cpu_seconds for each in done) for name, done in ran.items()}
    found: Figures = {"runs": runs}
    for name in list(starts)[1:]:
        found[f"{name} / pass"] = seconds[name] / seconds["pass"]
        found[f"{name}_cpu / pass_cpu"] = cpu[name] / cpu["pass"]
    return found | {"seconds": seconds, "cpu_seconds": cpu}


@contextmanager
def _worker(tree: Path, settings: Settings) -> Iterator[None]:
    """Have a worker at work, ready to answer."""
    log = subprocess.DEVNULL
    environment = program.environment(tree, settings)
    worker = subprocess.Popen([*program.COMMAND, "worker"], env=environment, stdout=log, stderr=log)
    deadline = time.monotonic() + LONGEST_SECONDS
    try:
        while not (settings.home_folder / "hooks" / "hooks.sock").exists():
            if worker.poll() is not None or time.monotonic() > deadline:
                raise SystemExit("the worker does not answer")
            time.sleep(0.05)
        yield
    finally:
        worker.terminate()
        worker.wait()
