"""Find a person's standing instructions for a project, and decide whether they apply to a task. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import date

from palace.agent.gate.window import LANGUAGES
from palace.models import Drawer, Hit, RecentItem, Role, Span, Why
from palace.nlp.instructions import gives_instruction, is_against, revokes, says_so, telling_words_of, topic_of
from palace.nlp.own import own_words
from palace.nlp.rules import late
from palace.recall.recent.sentences import say_the_same

MOST = 8
"""Instructions that are shown, at most."""
LONGEST = 240
"""Characters of an instruction, at most: longer sentences are no rules of a project."""
OPPOSED = 0.75
"""Share of common words from which on, of two opposite instructions, only the later applies."""
RULED = 0.2
"""Share of a task's words, weighted by rarity, that an instruction must contain to apply."""
RULED_BY_KIND = 0.25
"""The same share for an instruction that does not say that it is permanent."""
LEAST_LETTERS = 3
"""Letters of a word that may be a form of another ("mock", "mocks")."""
_SENTENCE = re.compile(r"[^\n.!?…]+(?:[.!?…]+(?!\s|$)[^\n.!?…]*)*[.!?…]*")
_NAMES = (
    r"monday|montag",
    r"tuesday|dienstag",
    r"wednesday|mittwoch",
    r"thursday|donnerstag",
    r"friday|freitag",
    r"saturday|samstag|sonnabend|weekend|wochenende",
    r"sunday|sonntag|weekend|wochenende",
)
_DAYS = tuple(late(rf"\b(?:{names})s?(?:abends?|nachmittags?|morgens?)?\b", re.IGNORECASE) for names in _NAMES)
_TOMORROW = late(r"\b(?:tomorrow|morgen)\b", re.IGNORECASE)
_OF_DAYS = " ".join(_NAMES).replace("|", " ")


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
    """Yield the sentences of a drawer that are instructions, with their spans; quotations are left out."""
    if drawer.role is not Role.USER:
        return
    for found in _SENTENCE.finditer(own_words(drawer.content)):
        own = found[0].strip()
        if own and len(own) <= LONGEST and gives_instruction(own):
            start = found.start() + len(found[0]) - len(found[0].lstrip())
            span = Span(start, start + len(own))
            yield drawer.content[slice(*span)], span


def holding(hits: Sequence[Hit], task: str, today: date | None = None) -> list[Hit]:
    """Keep the hits with an instruction that applies to a task and that no other hit withdraws or replaces.

    An instruction for certain days applies on those only: if the task names a day, that day decides; if not, ``today``
    does, and it must also share a topic with the task.
    """
    told = sorted((hit.drawer for hit in hits), key=lambda drawer: drawer.said_at or drawer.filed_at, reverse=True)
    last = {item.drawer.id for item in instructions_in(told)}
    return [
        hit
        for hit in hits
        if hit.drawer.id in last and any(_holds(said, hit, task, today) for said, _ in rules_of(hit.drawer))
    ]


def _replaces(newer: str, older: str) -> bool:
    """Return whether a later statement replaces an earlier one."""
    these, those = telling_words_of(newer), telling_words_of(older)
    if say_the_same(these, those):
        return True
    if revokes(newer):
        taking_back = telling_words_of(" ".join(each.text("taking_back") for each in LANGUAGES[:2]))
        these, those = these - taking_back, those - taking_back
        return bool(these & those) and (these <= those or those <= these or len(these & those) > 1)
    shared = len(these & those)
    return bool(shared) and shared >= OPPOSED * max(len(these), len(those)) and is_against(newer) != is_against(older)


def _holds(said: str, hit: Hit, task: str, today: date | None) -> bool:
    confined, named = _days_in(said), _days_in(task)
    if confined and named:
        return bool(confined & named)
    words = topic_of(said) - topic_of(_OF_DAYS)
    is_shared = any(_is_form(one, other) for one in words for other in topic_of(task))
    if confined:
        meant = None if today is None else (today.weekday() + bool(_TOMORROW.search(task))) % 7
        return is_shared and meant in confined
    return is_shared and hit.coverage >= (RULED if says_so(said) else RULED_BY_KIND)


def _is_form(one: str, other: str) -> bool:
    short, long = sorted((one, other), key=len)
    return one == other or (len(short) >= LEAST_LETTERS and len(long) == len(short) + 1 and long.startswith(short))


def _days_in(text: str) -> frozenset[int]:
    """Return the weekdays that a text names, Monday being 0."""
    return frozenset(day for day, names in enumerate(_DAYS) if names.search(text))
