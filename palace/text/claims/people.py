"""People and animals that are told by what they are to somebody: "my sister Anna", "our dog Biscuit". Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Protocol

from palace.records import Span
from palace.records.graph import Action, EntityType
from palace.text.claims.dates import Times
from palace.text.claims.drafts import Message, Party, draft
from palace.text.claims.kinds import gender_of, in_english, kin, roles, words
from palace.text.claims.tokens import Token, listed
from palace.text.stopwords import STOP_WORDS

_LONGEST_NAME = 3
_PLURALS = {
    "children": "child", "wives": "wife", "puppies": "puppy", "ponies": "pony", "bunnies": "bunny", "kinder": "kind",
    "söhne": "sohn", "töchter": "tochter", "schwestern": "schwester", "brüder": "bruder", "hunde": "hund",
    "katzen": "katze", "pferde": "pferd", "freunde": "freund", "kollegen": "kollege",
}  # fmt: skip
_CALLED = listed("called named namens")
_JOINS = listed(", and & n und")
_TITLES = listed("dr doctor mr mister mrs ms miss prof professor frau herr")
_AGE_LEADS = listed(", ( who is 's age aged now")
_AGE_ENDS = listed(") years year old yrs yr yo y/o")
_AGE = re.compile(r"\d{1,2}")
_NUMBERS = listed(
    """
two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen
nineteen twenty zwei drei vier fünf sechs sieben acht neun zehn elf zwölf
"""
)

LEADING = listed(
    """
from on in at by for to with under after before during until since through via within without about according of per
despite over
"""
)
"""Prepositions behind which "our side" may open a sentence that somebody else is the subject of."""
GOING_ON = listed(
    """
i we you he she it they who whose which that from since in at on for to of with and or but as by near not the a my our
is was , .
"""
)
"""Words behind a name that is what a noun before it is called: "with my trainer Igor in the gym"."""


class Telling(Protocol):
    """Where in a message something is told."""

    @property
    def message(self) -> Message: ...

    @property
    def sentence(self) -> int: ...

    @property
    def span(self) -> Span: ...


def tell_named(tokens: Sequence[Token], place: int, owner: str, telling: Telling) -> int:
    """Claim of those whose names stand behind a noun of kin, a person's or an animal's; say how many they are."""
    noun, is_many = _singular(tokens[place].text)
    named = list(names_behind(tokens, place, telling.message)) if noun else []
    named = named if is_many else named[:1]
    for name in named:
        tell_one(telling, owner, noun or "", name, is_only=not is_many)
    return len(named)


def tell_one(telling: Telling, owner: str, noun: str, name: str, *, is_only: bool = True) -> None:
    """Claim that somebody's sister, dog or dentist is called so; of one of several, only what they are."""
    if owner.casefold() == name.casefold():
        return
    message, predicate = telling.message, f"has_{in_english(noun)}"
    if noun in kin():
        predicate = kin()[noun][0]
    elif noun in words("animals"):
        predicate = "owns"
    message.spoken.note(Party(name, gender_of(noun) or "a", message.turn, telling.sentence))
    if is_only and not predicate.startswith("has_"):
        told = message.of_owner(owner, noun)
        message.claim(draft(told, "called", name, Action.HOLDS, Times(), telling.span))
    message.claim(draft(owner, predicate, name, Action.HOLDS, Times(), telling.span))


def _singular(word: str) -> tuple[str | None, bool]:
    """Give the noun of a person or an animal, and whether it stands for several."""
    for noun, is_many in ((word.removesuffix("s"), word[-1:] == "s"), (word, False), (_PLURALS.get(word, ""), True)):
        if noun in kin() or noun in roles() or noun in words("animals"):
            return noun, is_many
    return None, False


def names_behind(tokens: Sequence[Token], place: int, message: Message) -> Iterator[str]:
    """Give the names that stand behind a noun of kin: "sister Anna", "kids, Simi and Dapo", "dog called Biscuit"."""
    place = _opened(tokens, place + 1)
    while place < len(tokens):
        found = name_at(tokens, place, message)
        if found is None:
            return
        name, place = found
        place = _aged(tokens, place)
        yield name
        while place < len(tokens) and tokens[place].text in _JOINS:
            place += 1


def _opened(tokens: Sequence[Token], place: int) -> int:
    """Skip what stands between a noun and its name: a mark, "called", "a guy named", a title."""
    texts = [token.text for token in tokens[place : place + 5]]
    if texts and texts[0] in {",", "(", ":", "-"}:
        place, texts = place + 1, texts[1:]
    called = next((at for at, text in enumerate(texts[:3]) if text in _CALLED), None)
    if called == 0 or (called is not None and texts[0] in ("a", "an", "the", "is", "are")):
        place += called + 1
    while place < len(tokens) and tokens[place].text.rstrip(".") in _TITLES:
        place += 1
        place += place < len(tokens) and tokens[place].text == "."
    return place


def _aged(tokens: Sequence[Token], place: int) -> int:
    """Skip the age behind a name: "(7)", ", 7,", "who's eleven"."""
    at = place
    while at < len(tokens) and tokens[at].text in _AGE_LEADS:
        at += 1
    if at >= len(tokens) or not (_AGE.fullmatch(tokens[at].text) or tokens[at].text in _NUMBERS):
        return place
    at += 1
    while at < len(tokens) and tokens[at].text in _AGE_ENDS:
        at += 1
    is_closed = at >= len(tokens) or tokens[at].text in (",", ".", "and", "&", ";", "!", "?", "-")
    return at if is_closed or tokens[at - 1].text == ")" else place


_NOT_BORNE = (EntityType.PLACE, EntityType.ORGANISATION, EntityType.EVENT, EntityType.PROJECT)


def name_at(tokens: Sequence[Token], place: int, message: Message) -> tuple[str, int] | None:
    """Read the name of a person or an animal at a place, and where it ends."""
    if place >= len(tokens):
        return None
    span = message.names.at(tokens[place].start)
    if span is not None:
        if not tokens[place].is_upper or span.type in _NOT_BORNE:
            return None
        after = next((each for each in range(place, len(tokens)) if tokens[each].start >= span.end), len(tokens))
        return span.text, after
    end = place
    while end < len(tokens) and end - place < _LONGEST_NAME and _is_name_word(tokens[end]):
        end += 1
        if tokens[end - 1].text.endswith("'s"):
            break
    if end == place:
        return None
    return message.content[tokens[place].start : tokens[end - 1].end].replace("’", "'").removesuffix("'s"), end


def _is_name_word(token: Token) -> bool:
    plain = token.text.removesuffix("'s")
    return token.is_upper and token.is_word and plain not in STOP_WORDS and gender_of(plain) is None
