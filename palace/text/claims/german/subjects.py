"""Where the subject of a German clause stands. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from palace.records.graph import EntityType
from palace.text.claims.drafts import Message
from palace.text.claims.german.grammar.groups import Group
from palace.text.claims.german.grammar.small import NOMINATIVES, PREPOSITIONS
from palace.text.claims.german.lexicon.nouns import person_noun
from palace.text.claims.german.lexicon.words import grammar
from palace.text.claims.german.objects import trimmed
from palace.text.claims.german.people import noun_place
from palace.text.claims.phrases import phrase_at
from palace.text.claims.tokens import Token, listed

_OBLIQUE = listed(
    "den dem des einen einem einer eines nen nem ner meinen meinem meiner unseren unserem unserer ihn ihm seinen seinem"
    " seiner ihren ihrem ihrer dich euch dir deinen deinem"
)
_AGREEING = {"ich": "1", "wir": "p", "er": "3", "sie": "3p", "es": "3", "man": "3", "du": "2", "ihr": "p"}


@dataclass(frozen=True, slots=True)
class Parted:
    """A clause's subject, and the words beside it."""

    subject: tuple[Token, ...]
    """Empty where none stands in the clause."""
    rest: tuple[Token, ...]
    is_first: bool = False
    """Whether the subject stands before the verb."""


def parted(group: Group, message: Message) -> Parted:
    """Part the subject from the other words: a pronoun, or a noun phrase that may be one by its article."""
    field, behind = _within(group.field), group.behind
    pronoun = _pronoun(behind, group.person, 3)
    if pronoun is not None and not _is_object(field, behind, pronoun):
        return Parted(behind[pronoun : pronoun + 1], _beside((*behind[:pronoun], *behind[pronoun + 1 :]), field))
    if field and field[-1].text in NOMINATIVES:
        start = _joined(field)
        if start < len(field) - 1 or _agrees(field[-1].text, group.person):
            return Parted(field[start:], _beside(behind, field[:start]), is_first=True)
    if group.person not in ("1", "2", ""):
        return _by_nouns(field, behind, group.person, message)
    return Parted((), _beside(behind, field))


def _by_nouns(field: tuple[Token, ...], behind: tuple[Token, ...], person: str, message: Message) -> Parted:
    first = _nominal(field, message, person)
    other = _nominal(behind, message, person)
    is_whole = bool(field) and (
        first == len(field) or (bool(first) and field[first].text in ("bei", "mit", "in", "im", "beim"))
    )
    if (is_whole and not (other and _is_owner(field, behind, message))) or [each.text for each in field] in _POINTING:
        return Parted(field, behind, is_first=True)
    return Parted(behind[:other], _beside(behind[other:], field))


_POINTING = (["der"], ["die"], ["das"])


def _beside(behind: tuple[Token, ...], field: tuple[Token, ...]) -> tuple[Token, ...]:
    """Put what stands behind the verb and before it side by side, so that no phrase goes from one into the other."""
    return (*behind, Token(";", field[0].start, field[0].start), *field) if behind and field else (*behind, *field)


def _within(field: tuple[Token, ...]) -> tuple[Token, ...]:
    """Leave out what stands before a comma, unless the rest says more of it: "mein Chef, der Herr Petersen"."""
    while field and field[-1].text == ",":
        field = field[:-1]
    commas = [place for place, token in enumerate(field) if token.text == ","]
    if not commas or noun_place(field[: commas[0]]) is not None or field[0].text in ("der", "die", "das", "unser", "unsere", "mein", "meine"):  # noqa: E501  # fmt: skip
        kept = field
    else:
        kept = field[commas[-1] + 1 :]
    while kept and kept[-1].text == ",":
        kept = kept[:-1]
    return kept


def _pronoun(words: Sequence[Token], person: str, most: int) -> int | None:
    for place, token in enumerate(words[:most]):
        if token.text in NOMINATIVES and _agrees(token.text, person) and token.text != "ihr":
            return place
        if token.text in PREPOSITIONS or token.is_mark:
            return None
    return None


def _agrees(pronoun: str, person: str) -> bool:
    fitting = _AGREEING.get(pronoun, "")
    return not person or any(letter in fitting for letter in person)


def _is_object(field: Sequence[Token], behind: Sequence[Token], place: int) -> bool:
    """Whether "es" or "sie" behind the verb is an object, a subject standing before it: "Anna hat es verkauft"."""
    return behind[place].text in ("es", "sie") and bool(field) and field[0].text not in PREPOSITIONS | _OBLIQUE


def _joined(field: Sequence[Token]) -> int:
    """Find where "Lisa und ich" begins."""
    place = len(field) - 1
    if place >= 2 and field[place - 1].text in ("und", "u", "&"):
        return 0
    return place


def _nominal(words: Sequence[Token], message: Message, person: str) -> int:
    """Say how many words of a beginning are a noun phrase that may be a subject; 0 of none."""
    if not words or words[0].text in PREPOSITIONS | _OBLIQUE | NOMINATIVES or words[0].is_mark:
        return 0
    place = _one(words, 0, message)
    while place and place + 1 < len(words) and words[place].text in ("und", "&", "u") and "p" in (person or "p"):
        after = _one(words, place + 1, message)
        if not after:
            break
        place = after
    return place


def _one(words: Sequence[Token], place: int, message: Message) -> int:
    start = place
    if start < len(words) and words[start].text in ("frau", "herr", "dr.", "herrn"):
        start += 1
    phrase = phrase_at(words, start, message.content, message.names, grammar())
    if phrase is None or (phrase.is_value and not phrase.owner and phrase.name is None):
        return 0
    phrase = trimmed(phrase, words, message.content, message.names)
    place = phrase.next
    noun = noun_place(words[:place])
    if noun is not None:
        place = _apposed(words, place)
        if place < len(words) and words[place].text == "von" and place + 1 < len(words):
            after = phrase_at(words, place + 1, message.content, message.names, grammar())
            place = after.next if after is not None else place + (words[place + 1].text in ("mir", "uns")) * 2
        elif place < len(words) and words[place].text in ("meiner", "meines", "unserer", "unseres"):
            after = phrase_at(words, place, message.content, message.names, grammar())
            place = after.next if after is not None else place
        return _apposed(words, place)
    return _apposed(words, place) if phrase.owner else place


def _apposed(words: Sequence[Token], place: int) -> int:
    """Go on over a name that stands between commas."""
    if place >= len(words) or words[place].text != ",":
        return place
    end = next((at for at in range(place + 1, min(len(words), place + 7)) if words[at].text == ","), None)
    if end is not None:
        return end + 1
    return len(words) if len(words) - place <= 6 else place


def _is_owner(field: Sequence[Token], behind: Sequence[Token], message: Message) -> bool:
    """Whether a person stands behind the verb and a thing before it: "die alte Säge hat jetzt mein Schwager"."""
    if noun_place(field) is not None or ((name := message.names.at(field[0].start)) and name.type is EntityType.PERSON):
        return False
    first = message.names.at(behind[0].start)
    return (first is not None and first.type is EntityType.PERSON) or any(
        person_noun(token.text) is not None for token in behind[:3]
    )
