"""Decide whether the standing instructions and decisions of a project apply to a task. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from palace.models import Hit, Recent, RecentItem
from palace.nlp.instructions import gives_instruction, says_so, topic_of
from palace.nlp.rules import late
from palace.nlp.statements import asks_once
from palace.recall.instructions import instructions_in, rules_of

RULED = 0.2
"""Share of a task's words, weighted by rarity, that an instruction must contain to apply."""
RULED_BY_KIND = 0.25
"""The same share for an instruction that does not say that it is permanent."""
LEAST_LETTERS = 3
"""Letters of a word that may be a form of another ("mock", "mocks")."""
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


def without_requests(recent: Recent) -> Recent:
    """Leave out requests that were made once: they were carried out, and nothing of them applies later."""
    return replace(recent, told=tuple(item for item in recent.told if not _asks_once(item)))


def _asks_once(item: RecentItem) -> bool:
    said = item.drawer.content[slice(*item.sentence)]
    return asks_once(said) and not gives_instruction(said)


def holding(hits: Sequence[Hit], task: str, today: date | None = None) -> list[Hit]:
    """Keep the hits with an instruction that applies to a task and that no other hit withdraws or replaces.

    An instruction for certain days applies on those only: if the task names a day, that day decides; if not, ``today``
    does, and it must also share a topic with the task.
    """
    last = {item.drawer.id for item in instructions_in(hit.drawer for hit in hits)}
    return [
        hit
        for hit in hits
        if hit.drawer.id in last
        and any(gives_instruction(said) and _holds(said, hit, task, today) for said, _ in rules_of(hit.drawer))
    ]


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
