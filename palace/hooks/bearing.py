"""Which hits bear on a prompt enough to be put beside it. Pure.

How likely a hit answers is measured by meaning, which says little of few words: a short question whose very words were
said here is as far from its answer as from much else. So what of its words a hit says counts beside it, the rarer ones
more. The numbers were chosen on the half of ``bench/hooks/sets`` that rules are made with.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date

from palace.hooks.instructions import holding
from palace.hooks.stance import Stance
from palace.models import Hit

LEAST: Mapping[Stance, float] = {Stance.ASKS_BACK: 0.5, Stance.ASKS: 0.7, Stance.ERROR: 0.9}
"""What the best hit must bear on a prompt that wants this, in [0, 2]."""
CERTAIN = 0.8
"""The confidence that one beside a piece of work must have, whatever its words."""
DOUBTED = 0.9
"""What is asked of a hit where the gate takes a prompt for a question about the world, or for a tool's work."""
WORDS = 2
"""Words of a prompt from which on those that a hit says count in full: any one word stands anywhere."""
TAIL = 0.15
"""The share of what the best hit bears that another one must bear to stand beside it."""
LOOKED_AT = 5
"""Hits among which an instruction is looked for."""


def bearing(hit: Hit, stance: Stance = Stance.ASKS) -> float:
    """Return how much a hit bears on what was asked, in [0, 2]: how likely it answers, and what of the words it says.

    Beside work the likelihood alone counts.
    """
    if stance not in LEAST:
        return hit.confidence or 0.0
    # Whose question was asked before, in these words, need not say them itself.
    share = 1.0 if hit.question else min(len(hit.words) / WORDS, 1.0)
    return (hit.confidence or 0.0) + hit.coverage * share


def least_of(stance: Stance, *, is_doubted: bool) -> float:
    """Return what the best hit must bear on a prompt."""
    least = LEAST.get(stance, CERTAIN)
    return max(least, DOUBTED) if is_doubted and stance in LEAST else least


def bearing_on(
    hits: Sequence[Hit], prompt: str, stance: Stance, least: float, *, is_rest: bool = False, today: date | None = None
) -> list[Hit]:
    """Keep the hits that are put beside a prompt: those near the best where it bears enough, else an instruction.

    Where they are the rest behind what the model sees already, each is to bear enough by itself. Where nothing was
    measured for a model, a question is answered, and work is not disturbed.
    """
    if all(hit.confidence is None for hit in hits):
        return list(hits) if stance in LEAST else []
    good = [hit for hit in hits if bearing(hit, stance) >= least]
    if good:
        return good if is_rest else _near(hits)
    return holding(hits[:LOOKED_AT], prompt, today) if stance is Stance.WORKS else []


def _near(hits: Sequence[Hit]) -> list[Hit]:
    """Leave out what bears hardly anything beside the best; what is named as the newer of one that is kept stays."""
    least = TAIL * max(map(bearing, hits))
    near = {hit.drawer.id for hit in hits if hit.confidence is None or bearing(hit) >= least}
    newer = {hit.newer for hit in hits if hit.drawer.id in near}
    return [hit for hit in hits if hit.drawer.id in near or hit.drawer.pointer in newer]
