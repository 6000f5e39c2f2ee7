"""How long a hook takes, as whoever waits for it measures it: from starting the program to its end."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median

Taken = list[tuple[float, bool]]
"""Seconds of each call, and whether it gave a block."""


def measure_latency(home: Path, folder: Path, prompts: Sequence[str], *, runs: int, is_cold: bool) -> dict[str, object]:
    """Call ``palace hook prompt`` with each prompt so many times, each time in a session of its own."""
    environment = os.environ | {"PALACE_HOME": str(home)}
    if is_cold:
        environment["PALACE_WORKER_STARTS"] = "false"
    asked = [prompt for prompt in prompts for _ in range(runs)]
    # Once before, so that what lies on the disk is in memory, and a worker is started where there is to be one.
    taken = [_taken(environment, folder, prompt, number) for number, prompt in enumerate([asked[0], *asked])][1:]
    return {
        "is_cold": is_cold,
        "all": _figures(taken),
        "with_a_block": _figures([each for each in taken if each[1]]),
        "without": _figures([each for each in taken if not each[1]]),
    }


def _figures(taken: Taken) -> dict[str, float]:
    seconds = sorted(each for each, _ in taken)
    if not seconds:
        return {"calls": 0}
    return {
        "calls": len(seconds),
        "p50_ms": round(median(seconds) * 1000, 1),
        "p90_ms": round(seconds[int(0.9 * (len(seconds) - 1))] * 1000, 1),
        "most_ms": round(seconds[-1] * 1000, 1),
    }


def _taken(environment: dict[str, str], folder: Path, prompt: str, number: int) -> tuple[float, bool]:
    told = {
        "session_id": f"latency-{os.getpid()}-{number}",
        "hook_event_name": "UserPromptSubmit",
        "cwd": str(folder),
        "prompt": prompt,
    }
    command = [str(Path(sys.executable).with_name("palace")), "hook", "prompt", "--harness", "claude-code"]
    started = time.perf_counter()
    done = subprocess.run(
        command, input=json.dumps(told).encode(), env=environment, capture_output=True, check=True, timeout=30
    )
    return time.perf_counter() - started, bool(done.stdout)
