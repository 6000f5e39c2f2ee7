"""What prompts are answered with: silence where no memory is needed, nothing of other clients, what is needed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from statistics import mean

from bench.hooks.filled import Filled, filled
from bench.hooks.sets.read import (
    Half,
    OtherClient,
    Prompt,
    is_right,
    leaks,
    read_needed,
    read_no_memory,
    read_other_client,
    read_short,
)

HALVES: tuple[Half, ...] = ("develop", "apart")


def measure_prompts(home: Path, half: Half | None = None) -> dict[str, object]:
    """Ask every prompt of the sets, each in a session of its own; give how many got a block, and of what kind.

    Those that need memory are asked twice.
    """
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
            "blocks_only": _count(_of_kind(blocks["other_client"], others, "only")),
            "leaks": sum(bool(leaks(block, each)) for block, each in zip(blocks["other_client"], others, strict=True)),
        },
        "needed": {
            "prompts": len(needed),
            "blocks": len(given),
            "right": sum(is_right(block, each) for block, each in zip(wanted, needed, strict=True)),
            "characters": round(mean(map(len, given))) if given else 0,
            "blocks_asked_again": _count(_blocks(palace, needed)),
        },
        "short": _short(palace, half),
    }


def _short(palace: Filled, half: Half) -> dict[str, object]:
    """Give of each kind how many prompts got a block, and how many of them the right one, where there is one."""
    prompts = read_short(half)
    blocks = _blocks(palace, prompts)
    told: dict[str, object] = {}
    for kind in dict.fromkeys(each.kind for each in prompts):
        of_kind = [each for each in zip(blocks, prompts, strict=True) if each[1].kind == kind]
        given, right = sum(bool(block) for block, _ in of_kind), sum(is_right(*each) for each in of_kind)
        told[kind] = {"prompts": len(of_kind), "blocks": given, "right": right}
    return told


def _of_kind(blocks: Sequence[str], prompts: Sequence[OtherClient], kind: str) -> list[str]:
    return [block for block, each in zip(blocks, prompts, strict=True) if each.kind == kind]


def _blocks(palace: Filled, prompts: Sequence[Prompt]) -> list[str]:
    return [palace.ask(prompt, f"asked-{prompt.id}") for prompt in prompts]


def _count(blocks: Sequence[str]) -> int:
    return sum(map(bool, blocks))
