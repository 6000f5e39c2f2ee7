"""Which English "'s" stands for "is" or "has", and which for a possessive. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from palace.text.claims.english.grammar.verbs import forms
from palace.text.claims.tokens import Token, listed

_AFTER_IS = listed(
    """
at on in from with off out a an the not just now been still also going getting got no called named allergic married
engaged pregnant back into about over done gone always never only finally currently moved left
started joined dating based retired turned become had taken bought quit died my our really
"""
)
_ENDS_PHRASE = listed("at on in from with off out to a an the for my our his her up away again now as into back by , .")


def uncontracted(tokens: Sequence[Token]) -> list[Token]:
    """Take "Anna's" apart where "is" or "has" is meant: "Anna's at Bosch now", but "Anna's car" stays.

    "Me:" at the beginning is "I am".
    """
    taken: list[Token] = []
    if [token.text for token in tokens[:2]] == ["me", ":"]:
        taken = [replace(tokens[0], text="i"), replace(tokens[1], text="am")]
        tokens = tokens[2:]
    for place, token in enumerate(tokens):
        stem = token.text.removesuffix("'s")
        if stem and stem != token.text and _is_verb(tokens, place + 1):
            end = token.start + len(stem)
            taken += [replace(token, text=stem, end=end), Token("'s", end, token.end)]
        else:
            taken.append(token)
    return taken


def _is_verb(tokens: Sequence[Token], place: int) -> bool:
    """Whether what stands here goes on from "is" or "has"."""
    if place >= len(tokens):
        return False
    text = tokens[place].text
    if text in _AFTER_IS:
        return True
    form = forms().get(text)
    after = tokens[place + 1].text if place + 1 < len(tokens) else ","
    return form is not None and form.is_ing and after in _ENDS_PHRASE
