"""Which state of things a query asks for, that of now or that of a time gone by, and what an answer must name. Pure.

Rules of our own for English and German, made to be right where they speak. What holds is told when it begins and seldom
again: what was so in spring may have been said the year before, and what is so now by whoever said it last. What
happened is told when it happens, and asks for no state.

How long something has gone on and how many there are by now is a state that grows: "three weeks" and "seven months
now", "four so far" and "seven so far" are two states of one thing although they were said of it in other words. What
tells them is that both give a number of what is asked for.
"""

from __future__ import annotations

from enum import StrEnum

from palace.nlp.rules import late, rules

_RULES = rules("asked", "states")


class Earlier(StrEnum):
    """Which of the states before the present one."""

    FIRST = "first"
    BEFORE = "before"
    """The one before what the query tells of."""


_SINCE = frozenset({"how long", "wie lange", "since i"})
"""What asks so for one amount as well."""
_WORD = late(r"[^\W\d_]{3,}")


def asks_outcome(text: str) -> bool:
    """Tell whether a text asks what a change came to, which holds since: the latest of several changes answers."""
    plain = _plain(text)
    is_outcome = _RULES.finds("outcome", plain) and not _RULES.finds("not_outcome", plain)
    return is_outcome and asks_earlier(text) is None


def of_what_goes_on(text: str) -> str:
    """Write what somebody has had so far as what they have."""
    return _RULES["had_so_far"].sub(lambda found: found[1].rstrip(), text)


def asks_what_was(text: str) -> bool:
    """Tell whether a text asks how things were, rather than what happened."""
    plain = _plain(text)
    return _RULES.finds("was", plain) and not _RULES.finds("happened", plain)


def asks_what_is(text: str) -> bool:
    """Tell whether a text asks how something of the person's is now, which one statement answers."""
    plain = _plain(text)
    is_own = _RULES.finds("is", plain) and _RULES.finds("own", plain)
    return is_own and not _RULES.finds("gone_by", plain) and not _RULES.finds("summed_up", plain)


def asks_earlier(text: str) -> Earlier | None:
    """Tell which earlier state a text asks for without naming a time; None where it asks for none."""
    plain = _plain(text)
    if _RULES.finds("before", plain):
        return Earlier.BEFORE
    return Earlier.FIRST if _RULES.finds("at_first", plain) else None


def asks_several(text: str) -> bool:
    """Tell whether a question takes several statements to answer: a sum, a difference, an order."""
    return _RULES.finds("summed_up", _plain(text))


def named_by_answers(text: str) -> str | None:
    """Return what an answer must name, as a pattern of Postgres (case-insensitive); None if it may be anything."""
    plain = _plain(text)
    if _RULES.finds("asks_number", plain):
        return _RULES.source("number")
    return _RULES.source("moment") if _RULES.finds("asks_moment", plain) else None


def amount_asked(text: str) -> str | None:
    """Return what statements of the amount that a text asks for name, as a pattern of Postgres (case-insensitive).

    None where it asks for none, for one of a time gone by, or for a sum of several.
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
    """Whether it asks for a sum, a difference or an order, however long it may ask as well."""
    return any(found.group().lower() not in _SINCE for found in _RULES["summed_up"].finditer(plain))


def _stem(noun: str) -> str:
    """Cut what its plural adds."""
    noun = noun.lower()
    for ending in ("ies", "es", "en", "s", "n", "e"):
        if noun.endswith(ending) and len(noun) - len(ending) >= 3:
            return noun.removesuffix(ending)
    return noun
