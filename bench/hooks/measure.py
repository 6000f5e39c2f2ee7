"""What prompts are answered with, what is taken for an instruction that stands, and how long a hook takes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import mean, median

from bench.harness import Figures
from bench.hooks.filled import Filled, filled
from bench.hooks.prompts import HALVES, Half, Said, is_right, leaks, read_instructions, read_prompts
from palace.nlp.instructions import gives_instruction

Taken = list[tuple[float, bool]]
"""Seconds of each call, and whether it gave a block."""


def measure_prompts(home: Path, half: Half | None = None) -> Figures:
    """Ask every prompt of the sets, each in a session of its own; give how many got a block, and of what kind.

    Those that need memory are asked twice.
    """
    with filled(home, half) as palace:
        return {each: _measure_prompts(palace, each) for each in HALVES if half in (None, each)}


def _measure_prompts(palace: Filled, half: Half) -> Figures:
    silent, others, needed, short = (
        [(palace.ask(each, f"asked-{each.id}"), each) for each in read_prompts(name, half)]
        for name in ("no_memory", "other_client", "needed", "short")
    )
    given = [len(block) for block, _ in needed if block]
    again = sum(bool(palace.ask(each, f"asked-{each.id}")) for _, each in needed)
    kinds = dict.fromkeys(each.kind for _, each in short)
    return {
        "no_memory": {"prompts": len(silent), "blocks": sum(bool(block) for block, _ in silent)},
        "other_client": {
            "prompts": len(others),
            "blocks": sum(bool(block) for block, _ in others),
            "blocks_only": sum(bool(block) for block, each in others if each.kind == "only"),
            "leaks": sum(bool(leaks(block, each)) for block, each in others),
        },
        "needed": {
            "prompts": len(needed),
            "blocks": len(given),
            "right": sum(is_right(block, each) for block, each in needed),
            "characters": round(mean(given)) if given else 0,
            "blocks_asked_again": again,
        },
        "short": {
            kind: {
                "prompts": sum(each.kind == kind for _, each in short),
                "blocks": sum(bool(block) for block, each in short if each.kind == kind),
                "right": sum(is_right(block, each) for block, each in short if each.kind == kind),
            }
            for kind in kinds
        },
    }


def measure_instructions() -> Figures:
    """Judge every sentence of the set, and the prompts that need no memory, which ask for work at hand."""
    return {half: _measure_instructions(half) for half in HALVES}


def _measure_instructions(half: Half) -> Figures:
    near, said = ([each for each in read_instructions(half) if each.kind == kind] for kind in ("near", "said"))
    asked = [each.prompt for each in read_prompts("no_memory", half)]
    languages = {language: _judged([each for each in said if each.language == language]) for language in ("en", "de")}
    return {
        "all": _judged(said),
        **languages,
        "near": {"sentences": len(near), "taken": sum(gives_instruction(each.text) for each in near)},
        "no_memory": {"prompts": len(asked), "taken": sum(map(gives_instruction, asked))},
    }


def _judged(said: Sequence[Said]) -> dict[str, float]:
    taken = [each for each in said if gives_instruction(each.text)]
    right, standing = sum(each.stands for each in taken), sum(each.stands for each in said)
    return {
        "sentences": len(said),
        "instructions": standing,
        "taken": len(taken),
        "precision": round(right / len(taken), 3) if taken else 1.0,
        "recall": round(right / standing, 3),
    }


def measure_latency(home: Path, folder: Path, prompts: Sequence[str], *, runs: int, is_cold: bool) -> Figures:
    """Call ``palace hook prompt`` with each prompt so many times, each time in a session of its own."""
    environment = os.environ | {"PALACE_HOME": str(home)} | ({"PALACE_WORKER_STARTS": "false"} if is_cold else {})
    asked = [prompt for prompt in prompts for _ in range(runs)]
    # Once before, so that what lies on the disk is in memory, and a worker is started where there is to be one.
    taken = [_call(environment, folder, prompt, number) for number, prompt in enumerate([asked[0], *asked])][1:]
    return {
        "is_cold": is_cold,
        "all": _times(taken),
        "with_a_block": _times([each for each in taken if each[1]]),
        "without": _times([each for each in taken if not each[1]]),
    }


def _times(taken: Taken) -> dict[str, float]:
    seconds = sorted(each for each, _ in taken)
    if not seconds:
        return {"calls": 0}
    times = {"p50_ms": median(seconds), "p90_ms": seconds[int(0.9 * (len(seconds) - 1))], "most_ms": seconds[-1]}
    return {"calls": len(seconds), **{name: round(each * 1000, 1) for name, each in times.items()}}


def _call(environment: dict[str, str], folder: Path, prompt: str, number: int) -> tuple[float, bool]:
    session = f"latency-{os.getpid()}-{number}"
    told = {"session_id": session, "hook_event_name": "UserPromptSubmit", "cwd": str(folder), "prompt": prompt}
    command = [str(Path(sys.executable).with_name("palace")), "hook", "prompt", "--harness", "claude-code"]
    started = time.perf_counter()
    done = subprocess.run(
        command, input=json.dumps(told).encode(), env=environment, capture_output=True, check=True, timeout=30
    )
    return time.perf_counter() - started, bool(done.stdout)
