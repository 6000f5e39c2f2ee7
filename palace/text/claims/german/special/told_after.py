"""Names told in front of their verb, of whom the clause before speaks: "neue Hausärztin, Dr. Mbeki heißt die". Pure."""

from __future__ import annotations

from collections.abc import Sequence

from palace.text.claims.german.lexicon.nouns import person_noun
from palace.text.claims.german.people import names_behind, noun_at, owner_of, tell_of
from palace.text.claims.kinds import gender_of
from palace.text.claims.people import Telling
from palace.text.claims.tokens import Token, listed

_OF_GENDER = {"die": "f", "sie": "f", "der": "m", "er": "m"}
_HAVING = listed("habe hab haben gefunden bekommen")


def read_told_after(tokens: Sequence[Token], telling: Telling) -> None:
    """Claim of somebody of one's own whose name stands before "heißt" and a pronoun."""
    for place in range(2, len(tokens) - 1):
        pronoun = tokens[place + 1].text
        is_closed = place + 2 >= len(tokens) or tokens[place + 2].is_mark
        if tokens[place].text not in ("heißt", "heisst") or pronoun not in _OF_GENDER or not is_closed:
            continue
        start = next((at + 1 for at in range(place - 1, -1, -1) if tokens[at].text == ","), None)
        noun = _noun(tokens[: start - 1], pronoun) if start else None
        if start is None or noun is None:
            continue
        names = list(names_behind([tokens[noun], *tokens[start:place]], 0, telling.message))
        owner = owner_of(tokens[:start], noun, telling.message, telling.sentence)
        if owner is None and {token.text for token in tokens[:noun]} & _HAVING:
            owner = telling.message.speaker
        if len(names) == 1 and owner is not None:
            tell_of(telling, owner, noun_at(tokens, noun), names[0])


def _noun(tokens: Sequence[Token], pronoun: str) -> int | None:
    """Find the last noun of somebody that a pronoun can stand for, an animal's too."""
    for place in range(len(tokens) - 1, -1, -1):
        known = person_noun(tokens[place].text)
        if known is not None:
            return place if gender_of(known) in (None, _OF_GENDER[pronoun]) else None
    return None
