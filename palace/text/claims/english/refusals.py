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
_WORK = (
    r"(?:story|stories|poem|song|lyrics|rap|haiku|limerick|sonnet|novel|chapter|scene|script|screenplay|dialog(?:ue)?|play"
    r"|sketch|monologue|essay|article|blog|post|narrative|fan ?fic\w*|tale|fable|parody|joke|character|biography|bio"
    r"|paragraph|prompt|report|speech|quote|verse|ballad|plot|letter (?:from|by|as)|thread|tweet|statement|testimonial"
    r"|cover letter|case study|example|sample|version|rant|interview|transcript|podcast|episode|sequel)s?"
)
_STORY = re.compile(
    r"(?<!\w)(?:act as|you are (?:a|an|my|going)|re-?write|translate|proofread|paraphrase|summari[sz]e|role-?play"
    r"|pretend|imagine|correct (?:the|this|my)|grammar"
    r"|continue the|edit this|the following|as a language model|in the style of"
    rf"|(?:write|draft|compose|create|generate|make up|come up with)(?!\w)[^.?!\n]{{0,50}}?(?<!\w){_WORK}(?!\w)"
    r"|short story|screenplay|(?:write|generate|draft|compose) \d+)(?!\w)"
)
_PASTED = re.compile(r"(?<!\w)(?:write|draft|compose|edit|fix|polish|check|improve)(?!\w)[^.?!\n]{0,80}:\s")
"""What stands behind the colon is to become the text, or is one."""


def is_story(text: str) -> bool:
    """Whether a message asks for a text to be written or changed, so that its "I" may be anybody.

    A note, a card or an advertisement is written in the name of who asks for it, and what is said besides is their own.
    """
    return _STORY.search(text) is not None or _PASTED.search(text) is not None


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
