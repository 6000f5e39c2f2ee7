"""What prompts are answered with: silence where no memory is needed, nothing of other clients, what is needed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from statistics import mean

from bench.hooks.filled import Filled, filled
from bench.hooks.sets.read import (
    Half,
    Prompt,
    is_right,
    leaks,
    read_needed,
    read_no_memory,
    read_other_client,
)

HALVES: tuple[Half, ...] = ("develop", "apart")


def measure_prompts(home: Path, half: Half | None = None) -> dict[str, object]:
    """Ask every prompt of the sets, each in a session of its own; give how many got a block, and of what kind."""
    with filled(home, half) as palace:
        return {each: _measure(palace, each) for each in HALVES if half in (None, each)}


def _measure(palace: Filled, half: Half) -> dict[str, object]:
    silent, others, needed = read_no_memory(half), read_other_client(half), read_needed(half)
    blocks = {"no_memory": _blocks(palace, silent), "other_client": _blocks(palace, others)}
    wanted = _blocks(palace, needed)
    given = [block for block in wanted if block]
    return {
        "no_memory": {"prompts": len(silent), "blocks": _count(blocks["no_memory"])},
        "other_client": {
            "prompts": len(others),
            "blocks": _count(blocks["other_client"]),
            "leaks": sum(bool(leaks(block, each)) for block, each in zip(blocks["other_client"], others, strict=True)),
        },
        "needed": {
            "prompts": len(needed),
            "blocks": len(given),
            "right": sum(is_right(block, each) for block, each in zip(wanted, needed, strict=True)),
            "characters": round(mean(map(len, given))) if given else 0,
        },
    }


def _blocks(palace: Filled, prompts: Sequence[Prompt]) -> list[str]:
    return [palace.ask(prompt, f"asked-{prompt.id}") for prompt in prompts]


def _count(blocks: Sequence[str]) -> int:
    return sum(map(bool, blocks))
