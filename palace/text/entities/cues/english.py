"""Words of English that say that a name follows or went before, and what it names; capitals may be missing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from palace.patterns import late
from palace.records.graph import EntityType
from palace.text.entities.clues import Clue
from palace.text.entities.cues import nouns
from palace.text.entities.cues.beside import clues_beside
from palace.text.entities.cues.names import NAME, taken, taken_place
from palace.text.entities.cues.phrases import clues_in_phrases
from palace.text.entities.lists.lexicon import folded, given_names, is_ordinary
from palace.text.entities.page import Page

PERSON, PLACE, FIRM = EntityType.PERSON, EntityType.PLACE, EntityType.ORGANISATION
ITEM, PROJECT, EVENT = EntityType.ITEM, EntityType.PROJECT, EntityType.EVENT

_OWN = r"(?:my|our|his|her|their|your|the|a|an|this|new|old|late|little|younger|older|elder|big|['’]s)"
_KIN = "|".join(nouns.KIN.split())
_GO = (
    r"(?:live|lives|lived|living|moved?|moves|moving|relocat\w+|fly|flies|flew|flying|travel\w*|trips?|drive|drove"
    r"|driving|went|going"
    r"|go|goes|been|born|based|holidays?|vacation|weekend|flights?|grew up|house|flat|apartment|office|place"
    r"|stay\w*|settled|raised|get|got|come|came|coming|from)"
)


_BEFORE: tuple[tuple[str, EntityType, float, bool], ...] = (
    # pattern in front of the name, what is named, worth, whether ordinary words may be a name in it
    (rf"\b(?:{_KIN})(?:,| is| was|:)?\s(?:now |also )?(?:called |named |is )?", PERSON, 1.2, False),
    (rf"\b(?:{nouns.TITLES})\b\.?\s", PERSON, 1.3, False),
    (r"\b(?:mrs|mr|ms)\b\.?\s", PERSON, 1.3, True),
    (r"\b(?:my name is|my name['’]s|i am called|call me|this is)\s", PERSON, 1.2, False),
    (rf"\b(?:{nouns.PETS})(?:,)?\s(?:called |named |is called |is named |whose name is |name is )", ITEM, 2.0, True),
    (rf"\b(?:{nouns.THINGS})(?:,)?\s(?:called |named |is called |is named |whose name is )", ITEM, 2.0, True),
    (rf"\b(?:{nouns.PLACES})(?:,)?\s(?:called |named |is called |is named )", PLACE, 1.6, False),
    (rf"\b(?:{nouns.FIRMS})(?:,)?\s(?:called |named |is called |is named )", FIRM, 1.6, False),
    (rf"\b(?:{nouns.EVENTS})(?:,)?\s(?:called |named |is called )", EVENT, 1.6, False),
    (rf"\b(?:{nouns.PROJECTS})(?:,)?\s(?:called |named |is called |codenamed )", PROJECT, 2.0, True),
    (r"\bnamed\s(?:him|her|it|them)\s", ITEM, 1.6, True),
    (r"\bproject\s", PROJECT, 1.8, False),
    (
        r"\b(?:work|works|worked|working|job|offer|interview\w*|internship|intern\w*|start|started|starting"
        r"|position|role|career|hired|employed)\s(?:\w+\s){0,2}?(?:at|for|with|from|by)\s(?:the\s)?",
        FIRM,
        1.3,
        False,
    ),
    (
        r"\b(?:stud(?:y|ies|ied|ying)|enrolled|graduated|degree)\s(?:\w+\s){0,2}?(?:at|from)\s(?:the\s)?",
        FIRM,
        1.2,
        False,
    ),
    (
        r"\b(?:member of|joined|join|volunteer\w* (?:at|for|with)|quit|left|ceo of|founder of|client of"
        r"|customer of|account with|insured with)\s(?:the\s)?",
        FIRM,
        1.0,
        False,
    ),
    (
        rf"\b{_GO}\s(?:(?:back|over|out|up|down|here|there|away|still|anymore|a|the|to)\s){{0,2}}(?:in|to|from|near"
        rf"|around|at|outside|via)\s",
        PLACE,
        1.1,
        False,
    ),
    (r"\bfrom\s[\w-]+\sto\s", PLACE, 0.5, False),
    (r"\b(?:lives?|lived|living|moved?|moving)\s(?:\w+\s){0,4}?(?:in|to|from)\s", PLACE, 1.0, False),
    (r"\b(?:visit|visited|visiting|explore|toured?|leave|leaving)\s", PLACE, 0.7, False),
    (r"\b(?:tickets? (?:to see|for)|see|listen\w* to|concert by|fan of)\s", FIRM, 0.4, False),
    (r"\b(?:switch(?:ed|ing)?|migrat\w+|moved|moving)\s(?:(?!to\b)\w+\s){0,4}?(?:from|over from)\s", ITEM, 0.7, False),
    (r"\b(?:switch(?:ed|ing)?|migrat\w+)\s(?:[\w']+\s){0,5}?to\s", ITEM, 0.9, False),
    (
        r"\b(?:us(?:e|es|ed|ing)|install(?:ed|ing)?|download(?:ed|ing)?|upgraded? to|running|runs on|built with"
        r"|written in|downgrade to)\s(?:the\s|an?\s)?",
        ITEM,
        0.9,
        False,
    ),
    (
        r"\b(?:bought|buy|buying|purchased?|ordered|own|owns|owned|drive|drives|driving|sold|selling|got|ride"
        r"|rides|had)\s(?:a|an|my|the|our|his|her|another|some)\s(?:(?:new|used|old|second-hand|secondhand|20\d\d"
        r"|19\d\d)\s)?",
        ITEM,
        0.9,
        False,
    ),
    (
        r"\b(?:put me on|takes?|taking|took|prescribed|started on|switched to|on)\s(?=\w{6,}\s\d+\s?mg)",
        ITEM,
        1.5,
        False,
    ),
    (
        r"\b(?:told|asked|met|texted|called|married|dating|hug|thank|thanks|hi|hello|hey|dear|bye|cheers"
        r"|congrats)[,]?\s",
        PERSON,
        0.6,
        False,
    ),
)
_AFTER: tuple[tuple[str, EntityType, float], ...] = (
    (
        rf"['’]?s\s(?:{_KIN}|birthday|wedding|house|place|funeral|room|homework|graduation|party|school"
        r"|boat|car|van|flat|garden|office|desk|bike|dog|cat)\b",
        PERSON,
        1.0,
    ),
    (r"\sand\s(?:i|I)\b|\s&\sI\b", PERSON, 1.0),
    (
        r"\s(?:said|says|told|thinks?|thought|wants|loves|hates|asked|texted|suggested|recommended|married|quit"
        r"|speaks|moved|studies|plays|turned|turns|mentioned|swears|runs|hates|laughed|cried|insists|promised)\b",
        PERSON,
        0.8,
    ),
    (r"\s(?:concert|gig|tour|fans?|album|game)\b", FIRM, 0.6),
    (r"\s(?:app|plugin|server|database|laptop|version|v?\d+(?:\.\d+)+|\d+\s?mg)\b", ITEM, 1.0),
    (r"\sproject\b", PROJECT, 0.8),
    (r"\s(?:conference|festival|marathon)\b", EVENT, 0.8),
    (
        r",\s(?:A[LKZR]|C[AOT]|DE|FL|GA|I[DLNA]|K[SY]|M[EDAINSOT]|N[EVHJMYCD]|O[HKR]|PA|RI|S[CD]|T[NX]|UT|V[TA]"
        r"|W[AVIY]|UK|USA|Germany|France|Spain|Italy|England|Scotland)\b",
        PLACE,
        1.5,
    ),
)
_TYPING: tuple[tuple[str, EntityType, float], ...] = (
    (r"\b(?:in|near|around|across|outside)\s(?:the\s)?$", PLACE, 0.8),
    (r"\b(?:to|from|through|at)\s(?:the\s)?$", PLACE, 0.3),
    (r"\b(?:at|by|for)\s(?:the\s)?$", FIRM, 0.35),
    (r"\b(?:with|meet|feat)\s$", PERSON, 0.5),
    (r"\b(?:and|for)\s$", PERSON, 0.3),
    (r"\b(?:on|using|via|with|my|a|an)\s(?:new\s|old\s)?$", ITEM, 0.35),
    (r"\b(?:during|attend\w*|run|ran)\s(?:the\s)?$", EVENT, 0.6),
)
_PET = late(
    rf"\b(?:my|our|his|her|their)\s(?:\w+\s)?(?:{nouns.PETS})\s(?P<name>[^\W\d_]{{3,15}})"
    r"(?=['’]?s?\s(?:is|was|has|had|will|can|does|did|just|loves?|hates?|keeps|needs?|got|ate|likes|went|and|who"
    r"|chewed|barks?|turned|died|passed)\b|\s*[,.!?;)]|\s*$)",
    re.IGNORECASE,
)
_PET_WORDS_WRITTEN = """
ate got ran was had died did can will keeps went took bit slept threw food bed bowl park walker owner toys toy hair
tree litter collar lead leash house sitter sitting groomer vet show treats too now today again really also always
never just still and who that which has needs loves likes hates is though lately yesterday barks training crate door
flap carrier harness shampoo
"""
_PET_WORDS = frozenset(_PET_WORDS_WRITTEN.split())
_SHE = late(r"\b(?:her|his|its) name(?:['’]s| is| was)\s(?P<name>[^\W\d_][\w'’-]{1,20})", re.IGNORECASE)
_ANIMAL = late(rf"\b(?:{nouns.PETS})\b", re.IGNORECASE)
_SELF = late(
    r"(?:\b[Ii](?:['’]?m| am)|\bmy name is)\s(?P<name>[A-Z][\w'’-]+(?:\s[A-Z][\w'’-]+){0,2})(?=\s*(?:[.,!?;)]|$"
    r"|and\b|from\b|here\b))"
)
_HANDLE = late(r"(?<![\w@/.])@(?P<name>[A-Za-z]\w{1,30}(?:\.\w{1,20})?)(?![\w@]|\.\w)")


@cache
def _before() -> tuple[tuple[re.Pattern[str], EntityType, float, bool], ...]:
    return tuple(
        (re.compile(rf"(?:{cue})(?=(?P<name>{NAME}))", re.IGNORECASE), kind, worth, ordinary)
        for cue, kind, worth, ordinary in _BEFORE
    )


def clues_by_cues(page: Page) -> Iterator[Clue]:
    """Give the names that words of English point to, with capitals or without."""
    text = page.text
    for pattern, kind, worth, ordinary in _before():
        for found in pattern.finditer(text):
            name = taken(text, *found.span("name"), ordinary=ordinary and page.is_lower, lower=page.is_lower)
            if name is None and kind is PLACE and worth >= 1.0:
                name = taken_place(text, *found.span("name"))
            if name:
                yield Clue(*name, kind, worth, is_typing_only=worth < 0.8)
    yield from _pets(page)
    yield from clues_in_phrases(page)
    yield from clues_beside(page)
    for found in _SELF.finditer(text):
        if name := taken(text, *found.span("name")):
            yield Clue(*name, PERSON, 1.0)
    for found in _HANDLE.finditer(text):
        yield Clue(*found.span("name"), PERSON, 1.2)


def _pets(page: Page) -> Iterator[Clue]:
    """Give the names of "my dog bramble" and "her name is waffles", which may be any word."""
    for found in _PET.finditer(page.text):
        if found["name"].lower() not in _PET_WORDS and not _is_verb(found["name"].lower()):
            yield Clue(*found.span("name"), ITEM, 2.0)
    for found in _SHE.finditer(page.text):
        is_animal = bool(_ANIMAL.search(page.text, max(0, found.start() - 60), found.start()))
        name = taken(page.text, *found.span("name"), ordinary=is_animal and page.is_lower, lower=page.is_lower, most=1)
        if name:
            yield Clue(*name, ITEM if is_animal else PERSON, 1.8)


def _is_verb(word: str) -> bool:
    return word.endswith(("s", "ed", "ing")) and is_ordinary(word) and folded(word) not in given_names()


@cache
def _after() -> tuple[tuple[re.Pattern[str], EntityType, float], ...]:
    return tuple((re.compile(pattern, re.IGNORECASE), kind, worth) for pattern, kind, worth in _AFTER)


@cache
def _typing() -> tuple[tuple[re.Pattern[str], EntityType, float], ...]:
    return tuple((re.compile(pattern, re.IGNORECASE), kind, worth) for pattern, kind, worth in _TYPING)


def types_around(text: str, start: int, end: int) -> Iterator[tuple[EntityType, float]]:
    """Say what the words around a name speak for: ``text[start:end]``, with how much each counts."""
    before, behind = text[max(0, start - 24) : start], text[end : end + 24]
    for pattern, kind, worth in _typing():
        if pattern.search(before):
            yield kind, worth
    for pattern, kind, worth in _after():
        if pattern.match(behind):
            yield kind, worth
