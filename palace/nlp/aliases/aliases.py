"""Names that are said to be other names of somebody or something: "Seun is short for Oluwaseun". Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator

from palace.models.claims import EntityType, NamedSpan
from palace.nlp.aliases.beside import Naming, closes
from palace.nlp.aliases.parts import Parts

_SAYING = (
    r"(?:(?:every(?:one|body)|people|they|friends|we|i|most)(?: (?:just|all|only))?"
    r" (?:says?|calls? (?:him|her|it|them))"
    r"|(?:alle|wir|ich) (?:sagen?|nennen? (?:ihn|sie|es))(?: (?:nur|ihn|sie|zu ihm))?)"
)
_BETWEEN = re.compile(
    rf",? ?(?:but |aber |und |and )?{_SAYING}"
    r"|[,(]? ?(?:aka|a\.?k\.?a\.?|(?:also |otherwise |better )?known as|who goes by|goes by|nicknamed|genannt|alias)"
    r"|[,(]? ?(?:(?:is|which is|that is|'s) )?(?:short|a nickname) for|,? (?:is|ist) (?:kurz )?für"
    r"|is (?:now |also |actually |really )?(?:called|known as|named)|heißt jetzt|[,(]? ?(?:formerly|früher)"
)
_MARRIED = re.compile(r"(?:is|ist|'s) (?:now|jetzt|nun)|heißt (?:jetzt|nun)|became|wurde")
_RENAMED = re.compile(r"to|as|in")
_MISS = re.compile(r"(?:mrs|frau|mme|madame)\b", re.IGNORECASE)
_AGAIN = ("", "the", ", the", ",", ".", "(", ", i mean", ", also", ". the")
"""Between a short name and the full one that puts it right."""
_IN_OTHER_WORDS = (", the", ", der", ", die", ", das", "( the")
_BEFORE = ("the", "a", "an", "my", "our", "der", "die", "das", "den", "and", "und", ",")
_LONGEST = 7
"""Words and marks between two names."""
_SORTS = {EntityType.PERSON: 1, EntityType.PLACE: 2}


def other_names(parts: Parts) -> Iterator[Naming]:
    """List the pairs of names that a sentence says to be one's."""
    last: int | None = None
    for place in range(len(parts)):
        if parts[place].name is None:
            continue
        if last is not None and place - last <= _LONGEST + 1 and _are_one(parts, last, place):
            yield Naming(place, _text(parts, last), _text(parts, place))
        last = place


def _are_one(parts: Parts, one: int, other: int) -> bool:
    first, second = parts[one].name, parts[other].name
    if first is None or second is None or parts[one].owns or parts[other].owns or not _may_be_one(first, second):
        return False
    between = " ".join(parts[place].text for place in range(one + 1, other) if parts[place].text not in _TITLED)
    if second.type is EntityType.PERSON and _MISS.match(second.text) and _MARRIED.fullmatch(between):
        return True
    if _RENAMED.fullmatch(between) and parts[one - 1].text in ("rename", "renamed"):
        return first.type is not EntityType.PERSON
    if _begins(first.text, second.text) and between in _AGAIN:
        return True
    if between in _IN_OTHER_WORDS and parts[one - 1].text not in _BEFORE and closes(parts, other + 1):
        return first.type is second.type is EntityType.ITEM
    is_handle = second.text.startswith("@") and parts[other + 1].text == ")"
    return (between == "(" and is_handle) or _BETWEEN.fullmatch(between) is not None


def _begins(short: str, full: str) -> bool:
    """Tell whether a name goes on where another ends: "clwb", "Clwb Ifor Bach"."""
    return full.casefold().startswith(f"{short.casefold()} ")


def _may_be_one(first: NamedSpan, second: NamedSpan) -> bool:
    if EntityType.TIME in (first.type, second.type) or first.text.casefold() == second.text.casefold():
        return False
    return _SORTS.get(first.type, 0) == _SORTS.get(second.type, 0)


_TITLED = frozenset(("dr", "dr.", "mr", "mr.", "mrs", "mrs.", "ms", "ms.", "frau", "herr", "herrn"))


def _text(parts: Parts, place: int) -> str:
    name = parts[place].name
    return name.text if name is not None else ""
