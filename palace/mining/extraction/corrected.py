"""Corrections of the graph by the user: a note in a fixed form, and the claim parsed from it. Pure."""

from __future__ import annotations

import re

from palace.graph.wording import predicate_of, words_of
from palace.mining.extraction.checks import date_of
from palace.models.claims import Action, Claim, EntityType, NamedSpan, Reading

FORMS = {Action.HOLDS: "It is so", Action.ENDS: "It is no longer so", Action.DENIES: "It is not so"}
_ACTIONS = {form: action for action, form in FORMS.items()}
_LINE = re.compile(
    rf"(?P<form>{'|'.join(FORMS.values())}): (?P<subject>[^|]+) \| (?P<predicate>[^|]+) \| (?P<object>[^|]+?)"
    r"(?: \| from (?P<start>[\d-]+))?(?: \| until (?P<end>[\d-]+))?"
)
_TYPED = re.compile(rf"(.*\S) \(({'|'.join(EntityType)})\)")


def written(claim: Claim, since: str | None, until: str | None) -> str:
    """Format a correction; names are followed by their type ("Porto (place)"), times are ISO dates."""
    what = words_of(claim.predicate, claim.subject)
    times = (f"{word} {date}" for word, date in (("from", since), ("until", until)) if date)
    return " | ".join((f"{FORMS[claim.action]}: {claim.subject}", what, claim.object, *times))


def read_correction(content: str) -> Reading:
    """Parse a correction; any other text yields an empty reading."""
    found = _LINE.fullmatch(content)
    if found is None:
        return Reading()
    names = []
    for side in ("subject", "object"):
        if typed := _TYPED.fullmatch(found[side]):
            start = found.start(side)
            names.append(NamedSpan(start, start + len(typed[1]), typed[1], EntityType(typed[2])))
    subject, target = (_plain(found[side]) for side in ("subject", "object"))
    times = date_of(found["start"], None), date_of(found["end"], None)
    action, predicate = _ACTIONS[found["form"]], predicate_of(found["predicate"])
    return Reading(tuple(names), (Claim(subject, predicate, target, action, 0, len(content), *times),))


def _plain(name: str) -> str:
    typed = _TYPED.fullmatch(name)
    return typed[1] if typed else name
