"""Find the names in a whole conversation, so that one message decides what another leaves open."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from palace.models.claims import EntityType, NamedSpan, Said
from palace.nlp.languages import languages_of
from palace.nlp.names.around import full_name_worth, types_around
from palace.nlp.names.capitals import ENGLISH, clues_by_capitals
from palace.nlp.names.cues import Clue, clues_in_english, clues_in_german, is_german_word, is_partly_german
from palace.nlp.names.days import time_spans
from palace.nlp.names.evidence import Evidence, key_of
from palace.nlp.names.known import NO_SPEAKERS
from palace.nlp.names.lexicon import (
    folded,
    given_names,
    is_medicine,
    is_ordinary,
    is_surely_given,
    no_names,
    openers,
    places,
    well_known,
)
from palace.nlp.names.page import Page, Token, page_of
from palace.nlp.names.tracing import Names, Traced
from palace.nlp.rules import late, rules

_RULES = rules("names", "words")
_TWO_CAPITALS = late(r"(?<![\w'’&-])[A-Z][^\W\d_A-Z]+ [A-Z][^\W\d_A-Z]+(?![\w'’&-]| [A-Z])")
_UNSPACED = frozenset({"zh", "ja", "ko", "th", "ar", "he", "fa"})


def read_names(
    turns: Sequence[Said], known: Collection[str] | Mapping[str, EntityType] = ()
) -> list[tuple[NamedSpan, ...]]:
    """Find the names in the messages of one conversation: a tuple for each, in order of place, without overlap."""
    languages = languages_of((said.content, said.language) for said in turns)
    pages = [page_of(replace(said, language=told)) for said, told in zip(turns, languages, strict=True)]
    evidence = Evidence()
    for page in pages:
        for clue, kind in _clues(page):
            evidence.add(page.text, clue, kind)
    _add_known(evidence, known)
    _add_speakers(pages, evidence)
    common = _common(pages)
    keys = evidence.accepted(common)
    names = Names(keys, evidence.lower(), keys)
    traced = [list(names.trace(page)) for page in pages]
    _add_neighbours(pages, traced, evidence)
    types = evidence.types(keys)
    return [_spans(page, found, types) for page, found in zip(pages, traced, strict=True)]


_MOST_OCCURRENCES = 8
"""Most occurrences of a name whose neighbouring words are read; more add nothing."""


def _add_neighbours(pages: Sequence[Page], traced: Sequence[Sequence[Traced]], evidence: Evidence) -> None:
    seen: Counter[str] = Counter()
    for page, found in zip(pages, traced, strict=True):
        for name in found:
            seen[name.key] += 1
            if seen[name.key] > _MOST_OCCURRENCES:
                continue
            evidence.vote(name.key, EntityType.PERSON, full_name_worth(page.text, name.start, name.end), "full_name")
            for type_, worth, source in types_around(page, name) if page.language in ENGLISH else ():
                evidence.vote(name.key, type_, worth, source)


def _clues(page: Page) -> Iterator[tuple[Clue, str]]:
    if page.language == "de":
        yield from ((clue, "cues") for clue in clues_in_german(page, is_whole=True))
    elif page.language not in _UNSPACED:
        yield from ((clue, "capitals") for clue in clues_by_capitals(page))
        if page.is_persons and page.language in ENGLISH:
            yield from ((clue, "cues") for clue in clues_in_english(page))
            yield from ((clue, "full_name") for clue in _full_names(page.text))
        if page.is_persons and is_partly_german(page):
            yield from ((clue, "cues") for clue in clues_in_german(page, is_whole=False))
    yield from ((clue, "lists") for clue in _by_lists(page))
    if page.is_persons and page.is_lower and page.language in ENGLISH:
        yield from ((clue, "unknown") for clue in _unknown(page))


def _full_names(text: str) -> Iterator[Clue]:
    """Find a given name followed by another capitalised word, at the beginning of a sentence too."""
    for found in _TWO_CAPITALS.finditer(text):
        if full_name_worth(text, *found.span()):
            yield Clue(*found.span(), EntityType.PERSON, 0.6)


def _by_lists(page: Page) -> Iterator[Clue]:
    """Find single words in the lists of names that can be no other word there."""
    for token in page.tokens:
        if not _may_be_listed(page, token):
            continue
        word = key_of(token.text)
        if len(word) < 3 or any(each in no_names() or each in openers() for each in (word, token.lower)):
            continue
        worth = _listed_worth(token, word)
        if page.language not in (*ENGLISH, "de") and token.begins and len(word) < 5:
            worth *= 0.5
        if worth > 0:
            end = token.start + len(word) if len(word) <= len(token.text) else token.end
            yield Clue(token.start, end, EntityType.ITEM if is_medicine(word) else None, worth)


def _may_be_listed(page: Page, token: Token) -> bool:
    """Check whether a word is written as a name may be: in German any noun has a capital, and begins a sentence."""
    if page.language == "de":
        is_word = is_german_word(token.text)
        return token.is_capital and not is_word and (not token.begins or folded(token.lower) in given_names())
    return token.is_capital or (page.is_persons and page.language in ENGLISH)


def _listed_worth(token: Token, word: str) -> float:
    """Return the worth of a listed word: high if it is no English word, low for "Will" or "Nice"."""
    is_inside = token.is_capital and not token.begins
    if is_medicine(word) and word != "vitamin":
        return 1.0
    if not is_ordinary(word):
        is_listed = word in well_known() or word in places() or is_surely_given(word) or is_medicine(word)
        return 1.0 if is_listed else 0.0
    if word in places() or word in given_names():
        return 0.6 if is_inside else 0.0
    return (0.5 if is_inside else 0.3) if word in well_known() and token.is_capital else 0.0


def _unknown(page: Page) -> Iterator[Clue]:
    """Find words that are not English, in messages without capitals: two together are a name."""
    tokens = page.tokens
    unknown = [len(token.text) > 3 and token.text.isalpha() and not is_ordinary(token.lower) for token in tokens]
    for place, token in enumerate(tokens):
        if not unknown[place] or token.lower in no_names():
            continue
        pair = place + 1 < len(tokens) and unknown[place + 1] and tokens[place + 1].start == token.end + 1
        if pair:
            yield Clue(token.start, tokens[place + 1].end, None, 0.9)
        led = place > 0 and tokens[place - 1].lower in _RULES.words("leads") and not token.begins
        bare = token.end - 1 if token.lower.endswith("s") and not token.lower.endswith("ss") else token.end
        for end in {token.end, bare}:
            yield Clue(token.start, end, None, 1.0 if led else 0.6)


def _add_speakers(pages: Sequence[Page], evidence: Evidence) -> None:
    """Add the speakers of the messages as names of people, with their first names."""
    for name in {page.said.speaker for page in pages if page.is_persons and page.said.speaker}:
        first = name.split()[0] if name.split() else ""
        if folded(name) not in NO_SPEAKERS and first:
            evidence.add(name, Clue(0, len(name), EntityType.PERSON, 1.5), "known")
            evidence.add(first, Clue(0, len(first), EntityType.PERSON, 1.5), "known")


def _add_known(evidence: Evidence, known: Collection[str] | Mapping[str, EntityType]) -> None:
    types = known if isinstance(known, Mapping) else dict.fromkeys(known)
    for name, type_ in types.items():
        evidence.add(name, Clue(0, len(name), type_, 1.5), "known")


def _common(pages: Sequence[Page]) -> Counter[str]:
    """Count the words in lower case, in messages in which names are capitalised."""
    counted: Counter[str] = Counter()
    for page in pages:
        if not page.is_lower and page.language != "de":
            counted.update(token.lower for token in page.tokens if token.text.islower())
    return counted


def _spans(page: Page, traced: Sequence[Traced], types: Mapping[str, tuple[EntityType, bool]]) -> tuple[NamedSpan, ...]:
    """Sort names and times; of two that overlap the longer one stays, so that "May Day Run" is no month."""
    times = [(each.start, each.end, (EntityType.TIME, True)) for each in time_spans(page)]
    names = [(each.start, each.end, types[each.key]) for each in traced]
    spans, taken = [], bytearray(len(page.text))
    for start, end, told in sorted((*times, *names), key=lambda each: each[0] - each[1]):
        if taken.find(1, start, end) < 0:
            taken[start:end] = b"\x01" * (end - start)
            spans.append(NamedSpan(start, end, page.said.content[start:end], *told))
    return tuple(sorted(spans, key=lambda span: span.start))
