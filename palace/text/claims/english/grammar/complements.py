"""What stands behind an English verb: its objects, and what follows a preposition. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from palace.text.claims.phrases import Names, Phrase, phrase_at
from palace.text.claims.tokens import Token, listed

_PREPOSITIONS = (
    "out of", "rid of", "away from", "back to", "back from", "over to", "up to", "out to", "down to", "up with",
    "married to", "engaged to", "at", "in", "for", "to", "from", "on", "as", "with", "into", "about", "up", "away",
    "off", "out", "by", "over", "near", "than", "through", "of", "back", "onto",
)  # fmt: skip
_SKIPPED = listed(
    """
now recently just finally already still also actually really here there together officially again currently full
part time full-time part-time remotely mostly mainly home right lately ,
"""
)
_OFTEN = listed("every each")
_SPANS = listed(
    """
morning evening night afternoon day week weekend month year hour time meal minute breakfast lunch dinner monday tuesday
wednesday thursday friday saturday sunday summer winter spring autumn fall other second third
"""
)
_PARTICLES = listed("up away off out in back")
_MOST = 6


@dataclass(frozen=True, slots=True)
class Complement:
    """A noun phrase behind a verb, with what stands before it."""

    before: str
    """A preposition or particle; empty of a direct object, "2" of a second one."""
    phrase: Phrase


def complements(tokens: Sequence[Token], place: int, content: str, names: Names) -> list[Complement]:
    """Read the noun phrases behind a verb, at most six, those of a list each alone; it ends where no more follow."""
    found: list[Complement] = []
    while place < len(tokens) and len(found) < _MOST:
        token = tokens[place]
        if token.text in _SKIPPED and (token.text != "," or not found) and token.text != "in":
            place += 1
            continue
        if token.text == "(":
            place = next((at + 1 for at in range(place, len(tokens)) if tokens[at].text == ")"), len(tokens))
            continue
        before, after = _preposition(tokens, place)
        phrase = phrase_at(tokens, after, content, names)
        if phrase is not None and phrase.owner in _OFTEN and _SPANS & {phrase.head, phrase.tokens[0].text}:
            place = phrase.next
            continue
        if phrase is None:
            is_then = (
                before == "back" and tokens[after : after + 1] and tokens[after].text in ("in", "at", "on", "then")
            )
            if found and before in _PARTICLES and found[-1].before == "" and not is_then:
                found[-1] = Complement(before, found[-1].phrase)
                place = after
                continue
            if not found and before in _PARTICLES and _preposition(tokens, after)[0] in ("with", "from"):
                place = after
                continue
            break
        if not before and found and found[-1].before == "":
            before = "2"
        found.append(Complement(before, phrase))
        place = _listed(tokens, phrase.next, content, names, found)
    return found


def _listed(tokens: Sequence[Token], place: int, content: str, names: Names, found: list[Complement]) -> int:
    """Read on in a list: "Yoruba, French and Portuguese"."""
    while place < len(tokens) and tokens[place].text in (",", "and", "&", "n", "or") and len(found) < _MOST:
        after = place + 1
        if after < len(tokens) and tokens[place].text == "," and tokens[after].text in ("and", "&"):
            after += 1
        phrase = phrase_at(tokens, after, content, names)
        if phrase is None or _preposition(tokens, after)[0]:
            return place if tokens[place].text != "," else place + 1
        if tokens[place].text == "," and _is_described(found[-1].phrase, tokens, phrase.next - 1, phrase):
            return phrase.next
        if tokens[place].text == "," and _is_apposed(found[-1].phrase, phrase):
            found[-1] = Complement(found[-1].before, phrase)
            place = phrase.next + (phrase.next < len(tokens) and tokens[phrase.next].text == ",")
            continue
        found.append(Complement(found[-1].before, phrase))
        place = phrase.next
    return place


def _is_apposed(phrase: Phrase, after: Phrase) -> bool:
    """Whether what stands behind a comma says what it is by name: "boots, the Hanwag Tatra"."""
    return after.owner in ("the", "a", "an", "die", "der", "das") and after.is_named and not phrase.is_named


def _is_described(phrase: Phrase, tokens: Sequence[Token], last: int, after: Phrase) -> bool:
    """Whether what stands behind a comma only describes what is before it: "a Brompton, an electric one"."""
    is_one = last + 1 < len(tokens) and tokens[last + 1].text in ("one", "ones")
    return phrase.is_named and is_one and after.owner in ("a", "an", "the")


def _preposition(tokens: Sequence[Token], place: int) -> tuple[str, int]:
    pair = " ".join(token.text for token in tokens[place : place + 2])
    if pair in _PREPOSITIONS:
        return pair, place + 2
    if place < len(tokens) and tokens[place].text in _PREPOSITIONS:
        return tokens[place].text, place + 1
    return "", place
