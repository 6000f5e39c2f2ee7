"""Standing instructions of the user: the sentences that state them, and which of them still apply. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from palace.models import Drawer, RecentItem, Role, Span, Why
from palace.nlp.instructions import gives_instruction, is_against, revokes, telling_words_of
from palace.nlp.own import own_words
from palace.nlp.rules import rules
from palace.recall.recent.sentences import say_the_same

MOST = 8
"""Most instructions that are returned."""
LONGEST = 240
"""Longest sentence, in characters, that counts as an instruction."""
OPPOSED = 0.75
"""Share of common words from which, of two opposed instructions, only the later applies."""
_SENTENCE = re.compile(r"[^\n.!?…]+(?:[.!?…]+(?!\s|$)[^\n.!?…]*)*[.!?…]*")


def instructions_in(drawers: Iterable[Drawer], most: int = MOST) -> list[RecentItem]:
    """Return the instructions that still apply, from drawers sorted latest first, without repetitions.

    Instructions that were later contradicted or revoked no longer apply.
    """
    kept: list[RecentItem] = []
    later: list[str] = []
    for drawer in drawers:
        for text, span in rules_of(drawer):
            if not any(_replaces(newer, text) for newer in later) and not revokes(text):
                kept.append(RecentItem(drawer, span, Why.INSTRUCTION, drawer.said_at or drawer.filed_at, 1.0))
            later.append(text)
    return kept[:most]


def rules_of(drawer: Drawer) -> Iterator[tuple[str, Span]]:
    """Yield the instructions in a user's drawer with their spans; quoted text is ignored."""
    if drawer.role is not Role.USER:
        return
    for found in _SENTENCE.finditer(own_words(drawer.content)):
        own = found[0].strip()
        if own and len(own) <= LONGEST and gives_instruction(own):
            start = found.start() + len(found[0]) - len(found[0].lstrip())
            span = Span(start, start + len(own))
            yield drawer.content[slice(*span)], span


def _replaces(newer: str, older: str) -> bool:
    """Check whether a later sentence replaces an earlier instruction."""
    these, those = telling_words_of(newer), telling_words_of(older)
    if say_the_same(these, those):
        return True
    if revokes(newer):
        taking_back = telling_words_of(
            " ".join(rules("gate", each).text("taking_back") for each in ("english", "german"))
        )
        these, those = these - taking_back, those - taking_back
        return bool(these & those) and (these <= those or those <= these or len(these & those) > 1)
    shared = len(these & those)
    return bool(shared) and shared >= OPPOSED * max(len(these), len(those)) and is_against(newer) != is_against(older)
