"""Further names of the same entity, and courtesy titles before names. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from palace.models.claims import EntityType, NamedSpan
from palace.nlp.aliases.beside import Naming
from palace.nlp.aliases.nouns import RULES, kind_of
from palace.nlp.aliases.parts import Parts
from palace.nlp.time.vocabulary import fold

_LONGEST = 7
"""Most words and marks between two names of one entity."""
_LONGEST_TITLE = 40
"""Most characters of a title before a name."""
_SORTS = {EntityType.PERSON: 1, EntityType.PLACE: 2}


def own_names(parts: Parts, speaker: str) -> Iterator[Naming]:
    """List the names that ``speaker`` says they go by: "I'm Kofi", "Ich heiße Anna Weber"."""
    for place in range(len(parts)):
        part, behind = parts[place], parts[place + 1].text
        if part.name is None or part.name.type is not EntityType.PERSON or part.owns or parts.is_supposed(place):
            continue
        if RULES["self"].search(parts.texts(place - 3, place)) and (
            parts.closes(place + 1) or behind in ("and", "und")
        ):
            yield Naming(place, speaker, part.name.text)


def other_names(parts: Parts) -> Iterator[Naming]:
    """List the pairs of names that a sentence gives to one entity: "Seun is short for Oluwaseun"."""
    named = [place for place in range(len(parts)) if parts[place].name is not None]
    for one, other in pairwise(named):
        first, second = parts[one], parts[other]
        is_near = other - one <= _LONGEST + 1 and not first.owns and not second.owns
        if first.name and second.name and is_near and _are_one(parts, one, other, first.name, second.name):
            yield Naming(other, first.name.text, second.name.text)


def _are_one(parts: Parts, one: int, other: int, first: NamedSpan, second: NamedSpan) -> bool:
    if not _may_be_one(first, second):
        return False
    between = [parts[place].text for place in range(one + 1, other)]
    text = " ".join(each for each in between if each not in RULES.words("titles"))
    if second.type is EntityType.PERSON and RULES["miss"].match(second.text) and RULES["married"].fullmatch(text):
        return True
    if text in ("to", "as", "in") and parts[one - 1].text in ("rename", "renamed"):
        return first.type is not EntityType.PERSON
    if second.text.casefold().startswith(f"{first.text.casefold()} ") and RULES["again"].fullmatch(text):
        return True
    is_in_other_words = RULES["in_other_words"].fullmatch(text) and not parts[one - 1].is_any("before_another")
    if is_in_other_words and parts.closes(other + 1):
        return first.type is second.type is EntityType.ITEM
    is_handle = text == "(" and second.text.startswith("@") and parts[other + 1].text == ")"
    return is_handle or RULES["between"].fullmatch(text) is not None


def _may_be_one(first: NamedSpan, second: NamedSpan) -> bool:
    if EntityType.TIME in (first.type, second.type) or first.text.casefold() == second.text.casefold():
        return False
    return _SORTS.get(first.type, 0) == _SORTS.get(second.type, 0)


class Tails:
    """The names of a conversation by their short forms: "the band", "the Volvo"."""

    def __init__(self, spans: Iterable[Sequence[NamedSpan]]) -> None:
        """Index the names of each message."""
        self._by_tail: dict[str, set[str]] = defaultdict(set)
        self._by_maker: dict[str, set[str]] = defaultdict(set)
        written: dict[str, str] = {}
        for span in (span for each in spans for span in each):
            words = fold(span.text).split()
            if len(words) < 2 or span.type in (EntityType.PERSON, EntityType.TIME):
                continue
            name = written.setdefault(" ".join(words), span.text)
            if span.type is EntityType.PROJECT or kind_of(words[-1]) not in (None, EntityType.PERSON):
                self._by_tail[words[-1]].add(name)
            if words[0] in RULES.words("makers") and span.type is not EntityType.PLACE:
                self._by_maker[words[0]].add(name)

    def may_stand_in(self, content: str) -> bool:
        """Check quickly, before it is split, whether a message without names may contain a short form."""
        folded = fold(content) if self._by_tail else ""
        return any(tail in folded for tail in self._by_tail)

    def names(self, parts: Parts) -> Iterator[Naming]:
        """List the short forms in a message, each with the one name whose last word or maker it is."""
        for place in range(1, len(parts)):
            part, behind = parts[place], parts[place + 1]
            if not parts[place - 1].is_any("shortened"):
                continue
            if part.name is not None:
                found = self._by_maker.get(fold(part.name.text), set())
            else:
                is_alone = behind.name is None and not kind_of(behind.text)
                found = self._by_tail.get(part.text, set()) if is_alone else set()
            if len(found) == 1:
                yield Naming(place, part.name.text if part.name else part.text, *found)


def with_titles(content: str, names: Sequence[NamedSpan]) -> tuple[NamedSpan, ...]:
    """Return the names of a message, each person's with its courtesy title ("Mrs Okafor"); offsets stay as they are."""
    return tuple(_titled(content, name) for name in names)


def _titled(content: str, name: NamedSpan) -> NamedSpan:
    if name.type is not EntityType.PERSON:
        return name
    found = RULES["courtesy"].search(content[max(0, name.start - _LONGEST_TITLE) : name.start])
    return name if found is None else replace(name, text=f"{found['title']} {name.text}")
