"""What a person asked for once and for all in a project, as a session is told at its beginning. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from palace.recall.recent.sentences import say_the_same
from palace.records import Drawer, RecentItem, Role, Span, Why
from palace.text.own import own_words
from palace.text.standing import gives_instruction, is_against, revokes, telling_words_of

MOST = 8
"""Instructions that are told."""
LONGEST = 240
"""Characters of a sentence that is told: what is longer is no rule of a project."""
OPPOSED = 0.75
"""The share of their words from which on of two, one for and one against, the later holds alone."""
_TAKING_BACK = (
    "again fine okay allow allowed forget scrap drop ignore disregard rule rules ban applies anymore longer need wieder"
    " darf darfst dürfen dürft kannst könnt wir ihr man sind werden jetzt okay erlaubt ordnung vergiss regel gilt nicht"
    " mehr nehmen benutzen verwenden"
)
"""Words of what takes an instruction back, whatever that was about."""
_SENTENCE = re.compile(r"[^\n.!?…]+(?:[.!?…]+(?!\s|$)[^\n.!?…]*)*[.!?…]*")


def instructions_in(drawers: Iterable[Drawer], most: int = MOST) -> list[RecentItem]:
    """Choose what holds of what was said, drawers given the latest first: each thing once, as it was said last.

    What was said against later, or taken back, holds no longer.
    """
    kept: list[tuple[str, RecentItem]] = []
    later: list[str] = []
    for drawer in drawers:
        for text, span in rules_of(drawer):
            if not any(_stands_for(newer, text) for newer in later) and not revokes(text):
                at = drawer.said_at or drawer.filed_at
                kept.append((text, RecentItem(drawer, span, Why.INSTRUCTION, at, 1.0)))
            later.append(text)
    return [item for _, item in kept[:most]]


def rules_of(drawer: Drawer) -> Iterator[tuple[str, Span]]:
    """Give the sentences of a drawer that are instructions; one that is passed on is somebody else's."""
    if drawer.role is not Role.USER:
        return
    for found in _SENTENCE.finditer(own_words(drawer.content)):
        own = found[0].strip()
        if own and len(own) <= LONGEST and gives_instruction(own):
            start = found.start() + len(found[0]) - len(found[0].lstrip())
            span = Span(start, start + len(own))
            yield drawer.content[slice(*span)], span


def _stands_for(newer: str, older: str) -> bool:
    """Tell whether what was said later takes the place of what was said before."""
    these, those = telling_words_of(newer), telling_words_of(older)
    if say_the_same(these, those):
        return True
    if revokes(newer):
        these, those = (words - telling_words_of(_TAKING_BACK) for words in (these, those))
        return bool(these & those) and (these <= those or those <= these or len(these & those) > 1)
    shared = len(these & those)
    return bool(shared) and shared >= OPPOSED * max(len(these), len(those)) and is_against(newer) != is_against(older)
