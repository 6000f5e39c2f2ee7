"""Names that stand beside what says what they name: "the boat, the Heron", "biscuit, my dog", "whom she calls Fly"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from palace.patterns import late
from palace.records.graph import EntityType
from palace.text.entities.clues import Clue
from palace.text.entities.cues import nouns
from palace.text.entities.cues.capitals import NO_NAMES, OPENERS
from palace.text.entities.cues.names import is_surely_given
from palace.text.entities.lists.lexicon import folded, given_names, is_ordinary
from palace.text.entities.page import Page

PERSON, ITEM, FIRM = EntityType.PERSON, EntityType.ITEM, EntityType.ORGANISATION
_KIN = "|".join(nouns.KIN.split())
_BOATS = r"(?:narrow|sail|motor|house|fishing )?boat|yacht|ship|dinghy|canoe|kayak|barge|ketch|sloop|trawler|ferry"
_BEGINS = r"(?<!\w)(?<!\w['’-])"
"""In front of a name that a pattern begins with, which is tried at every letter otherwise."""
_CAP = r"[A-Z][\w'’-]{1,40}(?:\s[A-Z][\w'’-]{1,40})?"
_BESIDE = (
    (
        late(rf"(?:\b(?:is|am|are|was|were|comes?)|['’](?:m|s|re)) (?:originally )?from (?P<name>{_CAP})"),
        EntityType.PLACE,
        1.6,
    ),
    # The boat that a capital names behind a comma, and what somebody's boat is.
    (late(rf"\b(?:{_BOATS}),\sthe\s(?P<name>{_CAP})"), ITEM, 2.0),
    (
        late(rf"{_BEGINS}(?P<name>{_CAP}),\s(?:my|our|his|her|their)\s(?:\w+\s)?(?:{nouns.PETS}|{_BOATS})\b"),
        ITEM,
        2.0,
    ),
    (late(r"\b(?:a|an|the|its|my|our)\s(?P<name>[A-Z][a-z]+\s\d{1,3})\b(?!\s?(?:%|st|nd|rd|th)\b)"), ITEM, 1.2),
    (late(r"\b(?:a|an|the|my|our)\s(?P<name>[A-Z]{2,4}\d{1,4})\b"), ITEM, 1.2),
    (late(r"\b(?P<name>[Vv]itamin [A-K]\d{0,2})\b"), ITEM, 1.6),
    (late(r"\bput (?:me|him|her|them|us) on (?P<name>[A-Z][a-z]{5,})\b"), ITEM, 1.6),
    (
        late(rf"{_BEGINS}(?P<name>[A-Z][\w'’-]{{1,40}})\s(?:programme|project|initiative)\b"),
        EntityType.PROJECT,
        1.2,
    ),
    (late(rf"\b(?:traded|swapped|sold|scrapped|wrote off)\s(?:the|my|our)\s(?P<name>{_CAP})"), ITEM, 1.6),
    (late(rf"\b(?:the|my|our)\s(?P<name>{_CAP})\s(?:failed|passed)\s(?:its|the) MOT\b"), ITEM, 1.6),
    (
        late(rf"\b(?:lies|lying|moored|berthed|moorings?|mooring) (?:at|in|near) (?P<name>{_CAP})"),
        EntityType.PLACE,
        1.6,
    ),
    (
        late(rf"\b(?:couple|family|man|woman|people|firm|guy|lady|student) from (?P<name>{_CAP})"),
        EntityType.PLACE,
        1.6,
    ),
    (
        late(
            rf"\b(?:supplier|insurer|insurance|bank|wholesaler|dealer)(?::| is| via| through| now)\s(?P<name>{_CAP})",
            re.IGNORECASE,
        ),
        FIRM,
        1.2,
    ),
)
_ONE_OF = late(
    r"\b(?:is|was|got|get|bought|have|had|drives?|drove|sold|rents?|rented|rides?|rode|plays?|need|ordered)\s(?:a|an)\s"
    rf"(?:new\s|old\s|used\s|second-hand\s|little\s)?(?P<name>{_CAP})"
    r"(?=\s*(?:[.,;!?)]|$)|\s(?:and|but|in|from|with|for|on|which|that|so|now|since|because)\b)"
)
"""What one of is had or is something: "our van is a Vivaro" names a make, not a man."""
_NUMBERED_NO_WRITTEN = """
level grade chapter page room unit gate year size class terminal platform phase type step week day part version season
episode table figure question lesson stage section zone line route highway number no top day group round act scene
january february march april may june july august september october november december jan feb mar apr jun jul aug sep
oct nov dec monday tuesday wednesday thursday friday saturday sunday
"""
_NUMBERED_NO = frozenset(_NUMBERED_NO_WRITTEN.split())
_CALLS = late(
    r"\b(?:whom|which|that|who|and)\s(?:we|she|he|they|i)(?:['’]ve| have| has)?\s(?:calls?|called|named?)\s"
    r"(?P<name>[^\W\d_][\w'’-]{1,20})",
    re.IGNORECASE,
)
_IT_IS = late(rf"\b(?:{nouns.PETS})\b[^.!?\n]{{0,60}}\s(?:that['’]s|thats|that is)\s(?P<name>{_CAP})")
_ANIMAL = late(rf"\b(?:{nouns.PETS}|dogs|cats|horses)\b", re.IGNORECASE)
_SEVERAL = late(
    r"\b(?:dogs|puppies|cats|kittens|horses|ponies|rabbits|bunnies|hamsters|guinea pigs|parrots|budgies|tortoises|goats"
    rf"|donkeys|ferrets),?\s(?:called\s|named\s)?(?P<names>{_CAP}(?:,\s{_CAP})*,?\sand\s{_CAP})"
)
_OWNED = late(
    rf"\b(?:of|with|about|for|to|see|miss|and)\s(?P<name>[^\W\d_]{{3,15}}),?\s(?:my|our)\s(?:{nouns.PETS})\b(?!['’])"
)
_WITH_I = late(r"\b(?:me and (?P<one>[^\W\d_]{3,15})|(?P<two>[^\W\d_]{3,15}) and (?:i|me))\b")
_SAYS = late(
    r"(?:^|[.!?,\n]\s{0,3}|\b(?:and|but|so|because|that)\s)(?P<name>[^\W\d_]{3,15})"
    r"(?:,\s(?:he|she|hes|shes|they)\b|\s(?:says|said|keeps|thinks|reckons|told|texted|asked|wants)\b)"
)
_EVERYONE = late(
    r"\b(?:everyone|everybody|people|friends|we all|they all)\s(?:just\s)?(?:says?|calls? (?:him|her|me|them))\s"
    r"(?P<name>[^\W\d_]{3,15})\b"
)
_ASKED = late(r"\b(?:asked|texted|told|met|phoned|rang)\s(?P<name>[^\W\d_]{3,15})\b")
_BAND = late(
    rf"\b(?:{nouns.FIRMS})\s(?:called|named)\s(?P<name>[^\W\d_]\w+(?:\s[^\W\d_]\w+){{0,2}})(?=\s*(?:[,.!?;)]|$))"
)
_STREET = late(
    r"(?:\b(?:on|in|near|off|at)|,)\s(?P<name>[a-z]{4,15}\s(?:[a-z]{3,12}\s)?"
    r"(?:lane|street|road|avenue|gardens|square|terrace|crescent|close))\b"
)


class _Cue(NamedTuple):
    pattern: re.Pattern[str]
    worth: float


_LOWER = (_Cue(_WITH_I, 1.7), _Cue(_SAYS, 1.6), _Cue(_EVERYONE, 1.7), _Cue(_ASKED, 1.0))


def clues_beside(page: Page) -> Iterator[Clue]:
    """Give the names that are said beside what they name."""
    text = page.text
    for pattern, kind, worth in _BESIDE:
        for found in pattern.finditer(text):
            first = found["name"].split()[0].lower()
            if first not in _NUMBERED_NO and first not in OPENERS and first not in NO_NAMES:
                yield Clue(*found.span("name"), kind, worth)
    for found in _ONE_OF.finditer(text):
        yield Clue(*found.span("name"), ITEM, 1.2, is_typing_only=True)
    yield from _animals(page)
    if page.is_lower:
        yield from _in_lower_case(text)


def _animals(page: Page) -> Iterator[Clue]:
    text = page.text
    for found in _CALLS.finditer(text):
        if found["name"][0].isupper() and found["name"].lower() not in OPENERS:
            is_animal = _ANIMAL.search(text, max(0, found.start() - 120), found.start())
            yield Clue(*found.span("name"), ITEM if is_animal else None, 2.0 if is_animal else 1.0)
    for found in _SEVERAL.finditer(text):
        for name in re.finditer(_CAP, found["names"]):
            start = found.start("names")
            yield Clue(start + name.start(), start + name.end(), ITEM, 2.5)
    for found in _IT_IS.finditer(text):
        yield Clue(*found.span("name"), ITEM, 2.0)
    for found in _OWNED.finditer(text):
        word = found["name"].lower()
        if word not in OPENERS and not (word.endswith(("s", "ed", "ing")) and is_ordinary(word)):
            yield Clue(*found.span("name"), ITEM, 2.0)


def _in_lower_case(text: str) -> Iterator[Clue]:
    """Give names of a writer who uses no capitals: people who do what people do, bands and streets."""
    for cue in _LOWER:
        for found in cue.pattern.finditer(text):
            group = next(name for name, value in found.groupdict().items() if value)
            if _may_be_person(found[group]):
                yield Clue(*found.span(group), PERSON, cue.worth)
    for found in _BAND.finditer(text):
        yield Clue(*found.span("name"), FIRM, 2.0)
    for found in _STREET.finditer(text):
        if not is_ordinary(found["name"].split()[0]):
            yield Clue(*found.span("name"), EntityType.PLACE, 1.6)


def _may_be_person(word: str) -> bool:
    lower = word.lower()
    if lower in OPENERS or lower in NO_NAMES or re.fullmatch(_KIN, lower):
        return False
    return (
        is_surely_given(word)
        or not is_ordinary(lower)
        or (len(word) < 5 and folded(word) in given_names() and lower in _SHORT)
    )


_SHORT_WRITTEN = "tom sam tim dan ben joe jim bob ron ted ken kim liz meg pam sue pat al ed max leo ned zoe"
_SHORT = frozenset(_SHORT_WRITTEN.split())
"""Given names that dictionaries have as words as well, which hardly anybody means beside "and I"."""
