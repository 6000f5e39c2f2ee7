"""Noun phrases: where they end, what they name, and what is left when articles and praise are taken off. Pure."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from palace.records.graph import EntityType, NamedSpan
from palace.text.claims.tokens import Token, listed

LONGEST = 9
"""Words of a noun phrase without a name."""

ARTICLES = listed("a an the teh hte some one two three four five six seven eight nine ten both few several")
POSSESSIVES = listed("my our his her their its your")
POINTING = listed("this that these those any no every each another what which whose all such")

_STOPS = """
with for from in on at about to into onto after before since until till because cos cuz which that who whom whose
when where while whenever as and or but so if than then though although unless via per by over under near around
behind between during without within through across against toward towards off out up down back away along except
besides i we he she they you it me us him them is are was were am be been being has have had do does did will would
can could should may might must not 's now recently too also again lately already yet here there instead together
actually anyway lol btw though currently soon finally just still today yesterday tomorrow tonight always often
sometimes usually regularly first please thanks everyday daily weekly monthly online anymore else even only really
very pretty quite right ago plus w n & earlier later myself ourselves herself himself themselves yes yeah no ok okay
well um uh like pls plz thx ty cuz coz tho rn tbh imo and/or vs versus total extra max although once twice called named
"""
_PRAISE = """
new old brand brand-new used second-hand secondhand second hand little big small nice beautiful lovely great
gorgeous cool amazing awesome own first proper cheap expensive fancy good really very pretty shiny tiny huge current
favourite favorite wonderful adorable cute super actual dear fabulous simple local stupid damn bloody fucking whole
lil ol newest latest recent trusty beloved perfect decent quality high-quality complete entire certain particular
pair couple bunch set of
"""
_OPENING = listed("every each another any this these those")
"""What begins a phrase of its own, in the middle of one as well: "sertraline every morning"."""
_NAME_LINKS = listed("of de del der den van von la le du da di & 's the für")


@dataclass(frozen=True, slots=True)
class Grammar:
    """The small words of a language that make and end its noun phrases."""

    articles: frozenset[str]
    possessives: frozenset[str]
    pointing: frozenset[str]
    stops: frozenset[str]
    praise: frozenset[str]


@cache
def english() -> Grammar:
    """Give the small words of English."""
    return Grammar(ARTICLES, POSSESSIVES, POINTING, frozenset(_STOPS.split()), frozenset(_PRAISE.split()))


class Names:
    """The names that stand in a message."""

    def __init__(self, spans: Sequence[NamedSpan]) -> None:
        self._spans = sorted((span for span in spans if span.type is not EntityType.TIME), key=lambda span: span.start)
        self._starts = [span.start for span in self._spans]

    def at(self, start: int) -> NamedSpan | None:
        """Find the name that begins at a place."""
        place = bisect_left(self._starts, start)
        return self._spans[place] if place < len(self._spans) and self._starts[place] == start else None

    def within(self, start: int, end: int) -> list[NamedSpan]:
        """List the names that stand within a stretch."""
        place = bisect_left(self._starts, start)
        found = []
        while place < len(self._spans) and self._spans[place].start < end:
            if self._spans[place].end <= end:
                found.append(self._spans[place])
            place += 1
        return found


@dataclass(frozen=True, slots=True)
class Phrase:
    """A noun phrase."""

    tokens: tuple[Token, ...]
    """Without its article or possessive."""
    owner: str
    """The article, possessive or pointing word it begins with; empty without one."""
    text: str
    """As it is written, without article, praise and possessive; the name alone where it ends with one."""
    name: NamedSpan | None
    """The name it ends with, where one is known."""
    next: int
    """The place of the token after it."""

    @property
    def head(self) -> str:
        """Its noun, folded: its last word, or the one before "of"."""
        texts = [token.text for token in self.tokens]
        place = texts.index("of") if "of" in texts[1:] and self.name is None else len(texts)
        return texts[place - 1] if texts else ""

    @property
    def is_named(self) -> bool:
        """Whether it is a name, or is written as one."""
        return self.name is not None or (bool(self.tokens) and all(token.is_upper for token in self.tokens[-1:]))

    @property
    def is_value(self) -> bool:
        """Whether it holds a figure."""
        return any(letter.isdigit() for token in self.tokens for letter in token.text)


def phrase_at(
    tokens: Sequence[Token], place: int, content: str, names: Names, grammar: Grammar | None = None
) -> Phrase | None:
    """Read the noun phrase that begins at a place; None where none does. In English without a grammar."""
    grammar = grammar or english()
    first, owner = place, ""
    while first < len(tokens) and _is_owner(tokens[first].text, grammar) and names.at(tokens[first].start) is None:
        owner = owner or tokens[first].text
        first += 1
        if first - place > 3:
            return None
    end = _end(tokens, first, names, grammar)
    kept = list(tokens[first:end])
    if not kept:
        return None
    name = _closing_name(kept, names)
    while len(kept) > 1 and kept[0].text in grammar.praise and names.at(kept[0].start) is None:
        kept.pop(0)
    return Phrase(tuple(kept), owner, _written(kept, name, content), name, end)


def _is_owner(word: str, grammar: Grammar) -> bool:
    return word in grammar.articles or word in grammar.possessives or word in grammar.pointing


def _end(tokens: Sequence[Token], first: int, names: Names, grammar: Grammar) -> int:
    place = first
    while place < len(tokens) and place - first < LONGEST:
        token = tokens[place]
        name = names.at(token.start)
        if name is not None:
            place = _after(tokens, place, name.end)
            continue
        is_linked = token.text in _NAME_LINKS and place > first and _is_linked(tokens, place)
        is_of = token.text == "of" and place > first and _is_noun_next(tokens, place + 1, grammar)
        if not (is_linked or is_of) and (token.is_mark or token.text in grammar.stops | grammar.possessives):
            break
        is_opening = token.text in grammar.articles or token.text in _OPENING
        if place > first and is_opening and tokens[place - 1].text != "of":
            break
        place += 1
    return place


def _is_noun_next(tokens: Sequence[Token], place: int, grammar: Grammar) -> bool:
    if place >= len(tokens) or not tokens[place].is_word:
        return False
    is_noun = tokens[place].text not in grammar.stops and tokens[place].text not in grammar.possessives
    return is_noun or (tokens[place].text in grammar.articles and place + 1 < len(tokens))


def _is_linked(tokens: Sequence[Token], place: int) -> bool:
    """Whether a small word stands between two that are written as names."""
    after = place + 1 if place + 1 < len(tokens) and tokens[place + 1].text not in _NAME_LINKS else place + 2
    return tokens[place - 1].is_upper and after < len(tokens) and tokens[after].is_upper


def _after(tokens: Sequence[Token], place: int, end: int) -> int:
    while place < len(tokens) and tokens[place].start < end:
        place += 1
    return place


def _closing_name(tokens: Sequence[Token], names: Names) -> NamedSpan | None:
    spans = names.within(tokens[0].start, tokens[-1].end)
    last = spans[-1] if spans else None
    return last if last and last.end >= tokens[-1].end else None


_EDGES = re.compile(r"^[\s'\"“”„«»*_(]+|[\s'\"“”„«»*_,.;:!?)]+$")


def _written(kept: Sequence[Token], name: NamedSpan | None, content: str) -> str:
    text = content[name.start : name.end] if name else content[kept[0].start : kept[-1].end]
    return " ".join(_EDGES.sub("", _EDGES.sub("", text)).split())
