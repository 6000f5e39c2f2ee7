"""What a person asked for once and for all in a project, or decided, and whether that holds for a task. Pure."""

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
"""The share of a task's words, by their rarity, that an instruction for it says."""
RULED_BY_KIND = 0.25
"""That share where no word of an instruction says that it holds from then on."""
LEAST_LETTERS = 3
"""Letters of a word that begins another form of itself ("mock", "mocks")."""
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
    """Leave out what was asked for once: what of it was done is in the project, and nothing of it holds."""
    return replace(recent, told=tuple(item for item in recent.told if not _asks_once(item)))


def _asks_once(item: RecentItem) -> bool:
    said = item.drawer.content[slice(*item.sentence)]
    return asks_once(said) and not gives_instruction(said)


def holding(hits: Sequence[Hit], task: str, today: date | None = None) -> list[Hit]:
    """Keep of some hits those that hold for a task: nothing that another of them took back or says anew.

    What was said of some days holds on these alone. A day that a task names is enough; where it names none, it is for
    ``today``, and speaks of one thing besides.
    """
    told = sorted((hit.drawer for hit in hits), key=lambda drawer: drawer.said_at or drawer.filed_at, reverse=True)
    last = {item.drawer.id for item in instructions_in(told)}
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
    """Return the days of the week that a text names, Monday being 0."""
    return frozenset(day for day, names in enumerate(_DAYS) if names.search(text))
