"""What prompts are answered with, and what is taken for an instruction that stands."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from statistics import mean

from bench.harness import Figures
from bench.hooks.filled import Filled, filled
from bench.hooks.prompts import HALVES, Half, Said, is_right, leaks, read_instructions, read_prompts
from palace.nlp.instructions import gives_instruction


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
