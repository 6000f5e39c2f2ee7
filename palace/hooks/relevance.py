"""Choose the hits that are relevant enough to a prompt to be injected. Pure.

A hit's confidence is measured by meaning, which says little about short texts: a short question that was asked here in
the same words is as far from its answer as from much else. So the share of the prompt's words in a hit is added, rare
words weighing more. The numbers were chosen on the training half of ``bench/hooks/sets``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date

from palace.hooks.instructions import holding
from palace.hooks.prompt_kind import PromptKind
from palace.models import Hit

LEAST: Mapping[PromptKind, float] = {PromptKind.ASKS_BACK: 0.5, PromptKind.ASKS: 0.7, PromptKind.ERROR: 0.9}
"""Relevance that the best hit needs for a prompt of this kind, in [0, 2]."""
CERTAIN = 0.8
"""Confidence that a hit needs for a prompt that asks for work, whatever its words."""
DOUBTED = 0.9
"""Relevance needed where the gate takes a prompt for a question about the world, or for a tool's work."""
WORDS = 2
"""Matching words from which on word coverage counts in full: a single word may match anywhere."""
TAIL = 0.15
"""Share of the best hit's relevance that another hit needs to be injected with it."""
SEEN_TAIL = 0.5
"""Share of the relevance of what the model sees already that a hit needs to be injected behind it, by itself."""
LOOKED_AT = 5
"""Hits that are checked for instructions."""


def relevance(hit: Hit, kind: PromptKind = PromptKind.ASKS) -> float:
    """Return the relevance of a hit, in [0, 2]: its confidence plus its coverage of the prompt's words.

    For prompts that ask for work it is the confidence alone.
    """
    if kind not in LEAST:
        return hit.confidence or 0.0
    # A hit whose own question matches the prompt need not repeat its words.
    share = 1.0 if hit.question else min(len(hit.words) / WORDS, 1.0)
    return (hit.confidence or 0.0) + hit.coverage * share


def told_apart(one: float, other: float) -> tuple[str, str]:
    """Write two numbers with the same number of digits, at least two, that tells them apart."""
    digits = next((count for count in range(2, 17) if f"{one:.{count}f}" != f"{other:.{count}f}"), 2)
    return f"{one:.{digits}f}", f"{other:.{digits}f}"


def least_of(kind: PromptKind, *, is_doubted: bool) -> float:
    """Return the relevance that the best hit needs for a prompt."""
    least = LEAST.get(kind, CERTAIN)
    return max(least, DOUBTED) if is_doubted and kind in LEAST else least


def relevant_hits(
    hits: Sequence[Hit],
    text: str,
    kind: PromptKind,
    least: float,
    *,
    seen: Sequence[Hit] = (),
    today: date | None = None,
) -> list[Hit]:
    """Return the hits to inject for a prompt: those close to the best if that is relevant enough, else instructions.

    If the model sees some hits already (``seen``), each other must be relevant enough by itself, and not far less than
    they are. Without calibrated confidence all hits are returned for a question, and none for work.
    """
    if all(hit.confidence is None for hit in hits):
        return list(hits) if kind in LEAST else []
    least = max(least, *(SEEN_TAIL * relevance(hit, kind) for hit in seen)) if seen else least
    good = [hit for hit in hits if relevance(hit, kind) >= least]
    if good:
        return good if seen else _near(hits)
    return holding(hits[:LOOKED_AT], text, today) if kind is PromptKind.WORKS else []


def _near(hits: Sequence[Hit]) -> list[Hit]:
    """Drop hits far less relevant than the best; the newer version of a hit that is kept stays."""
    least = TAIL * max(map(relevance, hits))
    near = {hit.drawer.id for hit in hits if hit.confidence is None or relevance(hit) >= least}
    newer = {hit.newer for hit in hits if hit.drawer.id in near}
    return [hit for hit in hits if hit.drawer.id in near or hit.drawer.pointer in newer]
