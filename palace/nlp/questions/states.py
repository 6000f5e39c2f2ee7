"""Whether a query asks for a present or an earlier state, and what its answer must contain. Pure.

Rules for English and German; precision goes before recall. People mention a state when it begins and seldom again:
the state in spring may stand in a message of the year before, and the present state in the latest message about it.
Events are mentioned when they happen; a query for one asks for no state.

A duration or count so far is a state that grows: "three weeks" and "seven months now", "four so far" and "seven so
far" are two states of one thing, even in different words. They are recognised by a number with the unit that the
query asks for.
"""

from __future__ import annotations

import re
from enum import StrEnum

from palace.nlp.rules import late, rules

_RULES = rules("asked", "states")


class Earlier(StrEnum):
    """An earlier state that a query asks for without naming a time."""

    FIRST = "first"
    BEFORE = "before"
    """The state before the one that the query mentions."""


_SINCE = frozenset({"how long", "wie lange", "since i"})
"""Phrases of sums that also ask for a single amount."""
_WORD = late(r"[^\W\d_]{3,}")


def asks_outcome(text: str) -> bool:
    """Check whether a text asks for the outcome of a change, which its latest mention answers."""
    plain = _plain(text)
    is_outcome = _RULES.finds("outcome", plain) and not _RULES.finds("not_outcome", plain)
    return is_outcome and asks_earlier(text) is None


def of_what_goes_on(text: str) -> str:
    """Rewrite "have had" as "have", since it asks for a state that still holds."""
    return _RULES["had_so_far"].sub(lambda found: found[1].rstrip(), text)


def asks_what_was(text: str) -> bool:
    """Check whether a text asks for a state in the past, and not for an event."""
    plain = _plain(text)
    return _RULES.finds("was", plain) and not _RULES.finds("happened", plain)


def asks_what_is(text: str) -> bool:
    """Check whether a text asks for a present state of something of the person's, which one statement answers."""
    plain = _plain(text)
    is_own = _RULES.finds("is", plain) and _RULES.finds("own", plain)
    return is_own and not _RULES.finds("gone_by", plain) and not _RULES.finds("summed_up", plain)


def asks_earlier(text: str) -> Earlier | None:
    """Return which earlier state a text asks for without naming a time; None for none."""
    plain = _plain(text)
    if _RULES.finds("before", plain):
        return Earlier.BEFORE
    return Earlier.FIRST if _RULES.finds("at_first", plain) else None


def asks_several(text: str) -> bool:
    """Check whether a question needs several statements to answer: a sum, a difference, an order."""
    return _RULES.finds("summed_up", _plain(text))


def named_by_answers(text: str) -> str | None:
    """Return a case-insensitive Postgres pattern that each answer matches (a number, a time); None for any answer."""
    plain = _plain(text)
    if _RULES.finds("asks_number", plain):
        return _RULES.source("number")
    return _RULES.source("moment") if _RULES.finds("asks_moment", plain) else None


def names(pattern: str, text: str) -> bool:
    """Check whether a text matches a pattern that ``named_by_answers`` returned."""
    return re.search(pattern.replace(r"\y", r"\b"), text, re.IGNORECASE) is not None


def amount_asked(text: str) -> str | None:
    """Return a case-insensitive Postgres pattern of statements of the amount or duration that a text asks for.

    None where it asks for no amount, for one in the past, or for a sum.
    """
    plain = _plain(text)
    if _RULES.finds("in_the_past", plain):
        return None
    if _RULES.finds("how_long", plain):
        return rf"({_RULES.source('number')})( [[:alpha:]]+)?[ -]({_RULES.source('spans')})\y"
    many = _RULES["how_many"].search(plain)
    if many is None or _sums_up(plain):
        return None
    words = _WORD.findall(_RULES["beside"].split(many["of"])[0])
    return rf"^(?=.*({_RULES.source('number')}))(?=.*\y{_stem(words[-1])})" if words else None


def _plain(text: str) -> str:
    return of_what_goes_on(text.replace("\u2019", "'"))


def _sums_up(plain: str) -> bool:
    """Check whether a text asks for a sum, a difference or an order, beyond "how long" alone."""
    return any(found.group().lower() not in _SINCE for found in _RULES["summed_up"].finditer(plain))


def _stem(noun: str) -> str:
    """Remove the plural ending of a noun."""
    noun = noun.lower()
    for ending in ("ies", "es", "en", "s", "n", "e"):
        if noun.endswith(ending) and len(noun) - len(ending) >= 3:
            return noun.removesuffix(ending)
    return noun
