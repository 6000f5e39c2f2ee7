"""What a person asked for once and for all in a project, as a session is told at its beginning. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from palace.recall.recent.choosing import say_the_same
from palace.records import Drawer, RecentItem, Role, Span, Why
from palace.text.standing import gives_instruction, is_against, revokes, topic_of

MOST = 6
"""Instructions that are told."""
LONGEST = 240
"""Characters of a sentence that is told: what is longer is no rule of a project."""
_SENTENCE = re.compile(r"[^\n.!?…]+(?:[.!?…]+(?!\s|$)[^\n.!?…]*)*[.!?…]*")


def instructions_in(drawers: Iterable[Drawer], most: int = MOST) -> list[RecentItem]:
    """Choose what holds of what was said, drawers given the latest first: each thing once, as it was said last.

    What was said against later, or taken back, holds no longer.
    """
    kept: list[tuple[str, RecentItem]] = []
    later: list[str] = []
    for drawer in drawers:
        for text, span in _told(drawer):
            if not any(_stands_for(newer, text) for newer in later) and not revokes(text):
                at = drawer.said_at or drawer.filed_at
                kept.append((text, RecentItem(drawer, span, Why.INSTRUCTION, at, 1.0)))
            later.append(text)
    return [item for _, item in kept[:most]]


def _told(drawer: Drawer) -> Iterator[tuple[str, Span]]:
    """Give the sentences of a drawer that are instructions; one that is passed on is somebody else's."""
    if drawer.role is not Role.USER:
        return
    for found in _SENTENCE.finditer(drawer.content):
        text = found[0].strip()
        if text and len(text) <= LONGEST and not text.startswith((">", "|", "`")) and gives_instruction(text):
            start = found.start() + len(found[0]) - len(found[0].lstrip())
            yield text, Span(start, start + len(text))


def _stands_for(newer: str, older: str) -> bool:
    """Tell whether what was said later takes the place of what was said before."""
    these, those = topic_of(newer), topic_of(older)
    if say_the_same(these, those):
        return True
    shared = len(these & those) * 2 >= max(min(len(these), len(those)), 1)
    return shared and bool(these & those) and (revokes(newer) or is_against(newer) != is_against(older))
