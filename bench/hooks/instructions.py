"""What is taken for an instruction that stands: how much of it is one, and how many of them are found."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bench.hooks.sets.read import Half, Said, read_instructions, read_no_memory
from palace.text.standing import gives_instruction

HALVES: tuple[Half, ...] = ("develop", "apart")


def measure_instructions() -> dict[str, Any]:
    """Judge every sentence of the set, and the prompts that need no memory, which ask for work at hand."""
    return {half: _measure(half) for half in HALVES}


def _measure(half: Half) -> dict[str, Any]:
    near = [each for each in read_instructions(half) if each.kind == "near"]
    said = [each for each in read_instructions(half) if each.kind == "said"]
    asked = [each.prompt for each in read_no_memory(half)]
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
