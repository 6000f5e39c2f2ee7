"""Which state of things a query asks for, that of now or that of a time gone by, and what an answer must name. Pure.

Rules of our own for English and German, made to be right where they speak. What holds is told when it begins and seldom
again: what was so in spring may have been said the year before, and what is so now by whoever said it last. What
happened is told when it happens, and asks for no state.

How long something has gone on and how many there are by now is a state that grows: "three weeks" and "seven months
now", "four so far" and "seven so far" are two states of one thing although they were said of it in other words. What
tells them is that both give a number of what is asked for.
"""

from __future__ import annotations

import re
from enum import StrEnum
from functools import cache

from palace.patterns import late


class Earlier(StrEnum):
    """Which of the states before the present one."""

    FIRST = "first"
    BEFORE = "before"
    """The one before what the query tells of."""


_HOLDS = (
    r"have|live|work|weigh|cost|pay|owe|drive|own|earn|charge|wear|belong|study|rent|employ|use|need|like|prefer|believe"
    r"|keep|sleep|teach|start the day|open|close|gather|meet|stay|run|supply|supplies"
)
"""Verbs of what goes on, rather than of what happens once."""

_WAS = (
    r"\b(?:was|were|wasn't|weren't|used? to|had to)\b"
    rf"|\bdid (?:[\w']+ ){{1,4}}?(?:{_HOLDS})\b(?! (?:up|back|with|into))"
    r"|\b(?:war|warst|waren|hatten?|wohnten?|arbeiteten?|kosteten?|zahlten?|verdienten?|wog|wogen|hieß|gehörten?)\b"
)
_HAPPENED = (
    r"\b(?:happen(?:ed)?|doing|busy|there|ago|new|received?|g[eo]t|bought|good|in the week|on the|finish\w*|watch\w*"
    r"|visit\w*|attend\w*|total"
    r"|(?:first|last)(?! (?:winter|summer|spring|autumn|fall|christmas|year|month))"
    r"|passiert\w*|geschehen|gekauft|bekommen|gemacht|los|erste[nrsm]?)\b"
)
_IS = (
    r"\b(?:is|are|am|do|does|has|have|can|may|must|my)\b|\b(?:what|where|who|when|which|how|name)'s\b"
    r"|\b(?:ist|sind|bin|hat|habe|haben|heißt|kostet|wohne|wohnt|arbeite|arbeitet|zahle|wiegt|wiege|mein\w*|unser\w*)\b"
)
_GONE_BY = (
    r"\b(?:did|was|were|had|went|got|took|gave|made|bought|met|happened|ago|before|first|originally|used to|yesterday"
    r"|last|war|waren|warst|hatten?|wurden?|früher|vorher|damals|zuerst|anfangs|gestern|letzte[nrsm]?|zuletzt)\b"
)
_SUMMED_UP = (
    r"\b(?:total|between|order|earliest|passed|compared|minimum|maximum|average|altogether|in all|how long|difference"
    r"|save|earlier|later|more than|combined|sum|percentage|when i|since i"
    r"|insgesamt|zwischen|reihenfolge|durchschnitt\w*|unterschied|wie lange|mehr als|zusammen)\b"
)
"""What takes several statements to answer."""

_SINCE = frozenset({"how long", "wie lange", "since i"})
"""What asks so for one amount as well."""

_OWN = (
    r"\b(?:i|my|mine|me|we|our|ours|us|ich|mein\w*|mir|mich|wir|unser\w*|uns)\b"
    r"|\b(?:does|is|are) (?:[\w']+ ){1,3}?"
    r"(?:live|work|weigh|cost|belong|open|close|drive|study|own|stay|have to|based)\b"
    r"|\b(?:wohnt|arbeitet|wiegt|kostet|gehört|studiert|fährt)\b"
)

_AT_FIRST = (
    r"\b(?:originally|initially|at (?:first|the start|the beginning)|to begin with|in the beginning"
    r"|started (?:on|with|out)"
    r"|(?:did|were|was|meant|supposed) (?:\w+ ){0,2}?first|(?:my|our|his|her|their) (?:very )?first"
    r"(?! (?:name|aid|class|floor|page|place|thing|step|message|question|answer))"
    r"|anfangs|ursprünglich|zuerst|zu (?:beginn|anfang)|als erstes)\b"
)
_BEFORE = r"\b(?:before|prior to|bevor|ehe) (?=\w)|\b(?:vorher|davor)\b"

_NUMBER = (
    r"\d|\y(one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|hundred|thousand"
    r"|half|twice|once|daily|weekly|monthly|noon|midnight|every"
    r"|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|zwanzig|hundert|tausend|halb\w*|einmal|zweimal"
    r"|täglich|wöchentlich|monatlich|mittags?|jede[nrsm]?)\y"
)
"""What gives an amount, as a pattern of Postgres."""
_MOMENT = (
    rf"{_NUMBER}|\y((mon|tues|wednes|thurs|fri|satur|sun)days?|january|february|march|april|may|june|july|august"
    r"|september|october|november|december|morning|evening|afternoon|night|tomorrow|week"
    r"|(mon|diens|donners|frei|sams|sonn)tags?|mittwochs?|januar|februar|märz|mai|juni|juli|oktober|dezember|morgens?"
    r"|abends?|nachmittags?|nachts?|woche)\y"
)
_ASKS_NUMBER = (
    r"\bhow (?:much|many|often|old|far|tall|heavy|big|fast)\b|\bnumber\b|\bwhat\b.*\b(?:cost|price|weigh|rent|dose)\b"
    r"|\bwie (?:viele?|oft|alt|weit|groß|schwer|schnell|hoch)\b|\bwas\b.*\b(?:kostet|wiegt)\b"
)
_ASKS_MOMENT = r"\bwhen\b|\b(?:what|which) (?:time|day)\b|\bwann\b|\bwelche[mnr]? tag\b|\bum wie viel uhr\b"


_SPANS = (
    r"minutes?|hours?|days?|weeks?|fortnights?|months?|years?|yrs?|decades?"
    r"|minuten?|stunden?|tage?n?|wochen?|monate?n?|jahre?n?"
)
_HOW_LONG = late(
    r"\bhow long (?:have|has|is|are|am)\b|\bhow long(?:'s|'ve)\b|\b(?:wie lange|seit wann) \w+", re.IGNORECASE
)
_HOW_MANY = late(
    r"\b(?:how many|wie viele?) (?P<of>[^?.,;!]{1,60}?) ?\b(?:have|has|do|does|are|'ve|hab|habe|haben|hat|sind|gibt)\b",
    re.IGNORECASE,
)
_IN_THE_PAST = late(r"\b(?:did|was|were|had|before|when|war|waren|hatten?|bevor|als)\b", re.IGNORECASE)
_BESIDE = late(r"\b(?:of|in|on|from|for|with|to|by|at|about|von|in|aus|für|mit|bei)\b", re.IGNORECASE)
_WORD = late(r"[^\W\d_]{3,}")


_OUTCOME = late(
    r"\bdid (?:[\w'-]+ ){1,4}?(?:(?:switch|change|convert|transfer|upgrade|migrate|graduate|go over|turn) (?:over )?to"
    r"|end up|settle (?:on|in)|decide on|opt for|go with)\b"
    r"|\bwhere did (?:[\w'-]+ ){1,4}?(?:move|relocate|emigrate|transfer)\b",
    re.IGNORECASE,
)
_NOT_OUTCOME = late(r"\b(?:from|when|why|how|before|until|used to)\b", re.IGNORECASE)
_HAD_SO_FAR = late(
    r"\b((?:have|has|haven't|hasn't) (?:(?!had|got)[\w'-]+ ){1,4}|(?:\w+'ve|have|has) )(?:had|got)\b(?! (?:to|rid)\b)",
    re.IGNORECASE,
)


def asks_outcome(text: str) -> bool:
    """Tell whether a text asks what a change came to, which holds since: the latest of several changes answers.

    >>> asks_outcome("Where did Tom move to?"), asks_outcome("Where did Tom move from?")
    (True, False)
    """
    plain = _plain(text)
    return _OUTCOME.search(plain) is not None and not _NOT_OUTCOME.search(plain) and asks_earlier(text) is None


def of_what_goes_on(text: str) -> str:
    """Write what somebody has had so far as what they have.

    >>> of_what_goes_on("How long have I had my bike?")
    'How long have I my bike?'
    """
    return _HAD_SO_FAR.sub(lambda found: found[1].rstrip(), text)


def asks_what_was(text: str) -> bool:
    """Tell whether a text asks how things were, rather than what happened.

    >>> asks_what_was("What was our address in spring?"), asks_what_was("What did I buy in spring?")
    (True, False)
    """
    plain = _plain(text)
    return _found(_WAS, plain) and not _found(_HAPPENED, plain)


def asks_what_is(text: str) -> bool:
    """Tell whether a text asks how something of the person's is now, which one statement answers.

    >>> asks_what_is("What's the rent of my shop?"), asks_what_is("What was the rent of my shop?")
    (True, False)
    """
    plain = _plain(text)
    return _found(_IS, plain) and _found(_OWN, plain) and not _found(_GONE_BY, plain) and not _found(_SUMMED_UP, plain)


def asks_earlier(text: str) -> Earlier | None:
    """Tell which earlier state a text asks for without naming a time; None where it asks for none.

    >>> asks_earlier("What did I first want to study?"), asks_earlier("Where did we live before the move?")
    (<Earlier.FIRST: 'first'>, <Earlier.BEFORE: 'before'>)
    """
    plain = _plain(text)
    if _found(_BEFORE, plain):
        return Earlier.BEFORE
    return Earlier.FIRST if _found(_AT_FIRST, plain) else None


def asks_several(text: str) -> bool:
    """Tell whether a question takes several statements to answer: a sum, a difference, an order.

    >>> asks_several("How many days passed between my two visits?")
    True
    """
    return _found(_SUMMED_UP, _plain(text))


def named_by_answers(text: str) -> str | None:
    """Give what an answer to a question must name, as a pattern of Postgres (case-insensitive); None if it may be any.

    >>> named_by_answers("Where is my key?") is None
    True
    """
    plain = _plain(text)
    if _found(_ASKS_NUMBER, plain):
        return _NUMBER
    return _MOMENT if _found(_ASKS_MOMENT, plain) else None


def amount_asked(text: str) -> str | None:
    """Give what statements of the amount that a text asks for name, as a pattern of Postgres (case-insensitive).

    None where it asks for none, for one of a time gone by, or for a sum of several.

    >>> amount_asked("Where is my key?") is None, amount_asked("How long did it take?") is None
    (True, True)
    """
    plain = _plain(text)
    if _IN_THE_PAST.search(plain):
        return None
    if _HOW_LONG.search(plain):
        return rf"({_NUMBER})( [[:alpha:]]+)?[ -]({_SPANS})\y"
    many = _HOW_MANY.search(plain)
    if many is None or _sums_up(plain):
        return None
    words = _WORD.findall(_BESIDE.split(many["of"])[0])
    return rf"^(?=.*({_NUMBER}))(?=.*\y{_stem(words[-1])})" if words else None


def _plain(text: str) -> str:
    return of_what_goes_on(text.replace("\u2019", "'"))


def _sums_up(plain: str) -> bool:
    """Whether it asks for a sum, a difference or an order, however long it may ask as well."""
    return any(found.group().lower() not in _SINCE for found in _compiled(_SUMMED_UP).finditer(plain))


def _stem(noun: str) -> str:
    """Cut what its plural adds.

    >>> _stem("stories"), _stem("videos"), _stem("Katzen")
    ('stor', 'video', 'katz')
    """
    noun = noun.lower()
    for ending in ("ies", "es", "en", "s", "n", "e"):
        if noun.endswith(ending) and len(noun) - len(ending) >= 3:
            return noun.removesuffix(ending)
    return noun


def _found(pattern: str, text: str) -> bool:
    return _compiled(pattern).search(text) is not None


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)
