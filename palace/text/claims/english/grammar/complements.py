"""What stands behind an English verb: its objects, and what follows a preposition. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from palace.text.claims.english.grammar.verbs import AUXILIARIES, MODALS
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
_AND = ("and", "&", "n", "or")
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
    """Read on in a list: "Yoruba, French and Portuguese"; not in what is another clause: "soy, milk is fine"."""
    while place < len(tokens) and tokens[place].text in (",", *_AND) and len(found) < _MOST:
        after = place + 1
        if tokens[place].text == "," and after < len(tokens) and tokens[after].text in _AND:
            after += 1
        elif tokens[place].text == "," and not _is_list(tokens, after, content, names):
            return place
        phrase = phrase_at(tokens, after, content, names)
        if phrase is None or _preposition(tokens, after)[0] or _is_verb(tokens, phrase.next):
            return place if tokens[place].text != "," else place + 1
        found.append(Complement(found[-1].before, phrase))
        place = phrase.next
    return place


def _is_list(tokens: Sequence[Token], place: int, content: str, names: Names) -> bool:
    """Whether what begins here goes on to an "and"."""
    phrase = phrase_at(tokens, place, content, names)
    while phrase is not None and phrase.next < len(tokens) - 1 and tokens[phrase.next].text == ",":
        place = phrase.next + 1
        phrase = phrase_at(tokens, place, content, names)
    return (
        tokens[place].text in _AND
        or (phrase is not None and phrase.next < len(tokens) and tokens[phrase.next].text in _AND)
        if place < len(tokens)
        else False
    )


def _is_verb(tokens: Sequence[Token], place: int) -> bool:
    return place < len(tokens) and tokens[place].text in AUXILIARIES | MODALS


def _preposition(tokens: Sequence[Token], place: int) -> tuple[str, int]:
    pair = " ".join(token.text for token in tokens[place : place + 2])
    if pair in _PREPOSITIONS:
        return pair, place + 2
    if place < len(tokens) and tokens[place].text in _PREPOSITIONS:
        return tokens[place].text, place + 1
    return "", place
