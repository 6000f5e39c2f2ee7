"""English sentences and clauses that claim nothing: questions, conditions, wishes, jokes, stories. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence

from palace.text.claims.tokens import Token, listed

_JOKE = re.compile(
    r"(?<!\w)(?:jk|j/k|kidding|joking|as a joke|/s|sarcasm|yeah right|in my dreams|i wish|if only|in another life"
    r"|imagine|pretend|let's say|say i|suppose|supposing|hypothetically|what if|as if|one day i|dream of|dreamt|dreamed"
    r"|april fools|would be nice|metaphorically|so to speak|not really|or something|role-?play|fictional|my character"
    r"|in (?:the|my|her|his|our|this|a) (?:story|novel|book|film|movie|show|game|episode|scene|plot|lyrics)"
    r"|the protagonist|main character)(?!\w)|[😜🤪😝🙃]"
)
_IF = listed("if unless whether")
_ASKING = listed(
    """
what which who whom whose when where why how do does did is are was were can could would should will shall
have has any may might am
"""
)
_WHO = listed("i you we they he she it there this that these those my your the a an anyone someone")


def is_joke(text: str) -> bool:
    """Whether a sentence says of itself that it is not meant."""
    return _JOKE.search(text) is not None


def is_supposed(tokens: Sequence[Token]) -> bool:
    """Whether a sentence depends on a condition."""
    return any(token.text in _IF for token in tokens)


def is_asked(part: Sequence[Token], rest: Sequence[Token], is_question: bool) -> bool:
    """Whether a clause asks: it begins as a question does, or nothing behind it in its sentence does."""
    if _asks(part):
        return True
    return is_question and not any(_asks(rest[place : place + 3]) for place in range(1, len(rest)))


def _asks(tokens: Sequence[Token]) -> bool:
    place = 0
    while place < len(tokens) and (
        tokens[place].is_mark or tokens[place].text in ("so", "and", "but", "or", "btw", "ok")
    ):
        place += 1
    if place >= len(tokens) or tokens[place].text not in _ASKING:
        return False
    if tokens[place].text in ("when", "who", "which", "what", "where", "how", "why", "any", "whose"):
        return tokens[place].text not in ("when", "who", "which") or _inverted(tokens, place + 1)
    return _inverted(tokens, place)


def _inverted(tokens: Sequence[Token], place: int) -> bool:
    """Whether a verb stands before its subject."""
    pair = [token.text for token in tokens[place : place + 2]]
    return len(pair) == 2 and pair[0] in _ASKING and (pair[1] in _WHO or tokens[place + 1].is_upper)
