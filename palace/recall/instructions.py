"""A person's standing instructions and decisions: the sentences that state them, and which still apply. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from palace.models import Drawer, RecentItem, Role, Span, Why
from palace.nlp.instructions import gives_instruction, is_against, revokes, telling_words_of
from palace.nlp.own import own_words
from palace.nlp.passages import UNIT_END, pieces
from palace.nlp.rules import rules
from palace.nlp.statements import says_decision
from palace.recall.recent.sentences import say_the_same, says_changed

MOST = 8
"""Instructions that are shown, at most."""
LONGEST = 240
"""Characters of an instruction, at most: longer sentences are no rules of a project."""
OPPOSED = 0.75
"""Share of common words from which on, of two opposite instructions, only the later applies."""


def instructions_in(drawers: Iterable[Drawer], most: int = MOST) -> list[RecentItem]:
    """Choose the instructions that still apply, from drawers sorted latest first: each once, in its latest wording.

    Instructions that were contradicted or withdrawn later are left out.
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
    """Yield the sentences of a drawer that are instructions or decisions, with their spans; quotations are left out."""
    if drawer.role is not Role.USER:
        return
    own_text = own_words(drawer.content)
    for piece in pieces(own_text, Span(0, len(own_text)), UNIT_END):
        own = own_text[slice(*piece)].strip()
        if own and len(own) <= LONGEST and (gives_instruction(own) or says_decision(own)):
            start = own_text.index(own, piece.start)
            span = Span(start, start + len(own))
            yield drawer.content[slice(*span)], span


def _replaces(newer: str, older: str) -> bool:
    """Return whether a later statement replaces an earlier one."""
    these, those = telling_words_of(newer), telling_words_of(older)
    if says_changed(newer) and 2 * len(these & those) >= min(len(these), len(those)) > 0:
        return True
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
