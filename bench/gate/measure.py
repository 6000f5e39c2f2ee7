"""What the gate does with labelled messages: what it skips and should not, what it searches and need not, how fast."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from bench.gate.messages import Labelled
from palace.turns import Decision, FoldedNames, gate

ROUNDS = 5
"""Times each message is judged for its time, of which the median counts; before, all are judged once."""


@dataclass(frozen=True, slots=True)
class Judged:
    """One message, and what the gate made of it."""

    labelled: Labelled
    decision: Decision
    milliseconds: float


def judge(messages: Sequence[Labelled]) -> list[Judged]:
    """Have the gate judge each message, several times."""
    names = [FoldedNames(each.known) for each in messages]
    for each, known in zip(messages, names, strict=True):
        gate(each.message, each.history, known=known)
    return [_judge(each, known) for each, known in zip(messages, names, strict=True)]


def _judge(labelled: Labelled, known: FoldedNames) -> Judged:
    times = []
    for _ in range(ROUNDS):
        begun = time.perf_counter()
        decision = gate(labelled.message, labelled.history, known=known)
        times.append(1000 * (time.perf_counter() - begun))
    return Judged(labelled, decision, median(times))


def figures(judged: Sequence[Judged]) -> dict[str, Any]:
    """Give the shares and times of all messages, and of each language and kind."""
    return {
        **_shares(judged),
        "milliseconds": {
            "median": round(median(each.milliseconds for each in judged), 3),
            "p95": round(sorted(each.milliseconds for each in judged)[int(0.95 * (len(judged) - 1))], 3),
            "most": round(max(each.milliseconds for each in judged), 3),
        },
        "by_language": _grouped(judged, lambda each: each.labelled.language),
        "by_kind": _grouped(judged, lambda each: each.labelled.kind),
    }


def missed_lines(judged: Iterable[Judged]) -> list[str]:
    """List what was skipped and should not have been, then what was searched and need not have been."""
    wrong = [each for each in judged if each.decision.searched is not each.labelled.needs_memory]
    wrong.sort(key=lambda each: each.decision.searched)
    return [
        f"{'searched' if each.decision.searched else 'skipped '} {each.labelled.language} {each.labelled.kind}"
        f" ({each.decision.rule}): {each.labelled.message!r}"
        for each in wrong
    ]


def _grouped(judged: Sequence[Judged], key: Callable[[Judged], str]) -> dict[str, Any]:
    groups = sorted({key(each) for each in judged})
    return {group: _shares([each for each in judged if key(each) == group]) for group in groups}


def _shares(judged: Sequence[Judged]) -> dict[str, Any]:
    needed = [each for each in judged if each.labelled.needs_memory]
    others = [each for each in judged if not each.labelled.needs_memory]
    return {
        "needed": len(needed),
        "needed_skipped": _skipped(needed),
        "needed_skipped_share": _share(needed),
        "others": len(others),
        "others_skipped": _skipped(others),
        "others_skipped_share": _share(others),
    }


def _skipped(judged: Sequence[Judged]) -> int:
    return sum(not each.decision.searched for each in judged)


def _share(judged: Sequence[Judged]) -> float | None:
    return round(_skipped(judged) / len(judged), 4) if judged else None
