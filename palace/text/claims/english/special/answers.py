"""What is claimed by a short reply to an assistant's question: "What's your dentist's name?" "Dr Sato". Pure."""

from __future__ import annotations

import re

from palace.records import Span
from palace.records.graph import Action
from palace.text.claims.dates import Times
from palace.text.claims.drafts import Message, draft
from palace.text.claims.kinds import gender_of, roles, words
from palace.text.claims.people import name_at, tell_one
from palace.text.claims.phrases import phrase_at
from palace.text.claims.tokens import Token, tokenize
from palace.text.times.vocabulary import fold

_ASKED = (
    (re.compile(r"(?:what(?:'s| is)|who(?:'s| is)) your (?P<noun>[a-z-]+)(?:'s name| called| named)?\?\s*$"), ""),
    (re.compile(r"(?:what(?:'s| is) (?P<noun>)your name|what should i call you|and you are)\?\s*$"), "called"),
    (
        re.compile(r"(?:where do you(?P<noun>) (?:currently )?live|which (?:city|town) do you live in)\?\s*$"),
        "lives_in",
    ),
    (re.compile(r"(?:where do you(?P<noun>) work|who do you work for)\?\s*$"), "works_at"),
)
_LEADS = frozenset(
    ["it", "'s", "its", "is", "he", "she", "his", "her", "name", "i", "am", "oh", "sure", ",", "in", "at", "called"]
)
_LONGEST = 5
"""Words of what can be nothing but the reply."""


def read_answer(asked: str, message: Message) -> bool:
    """Read a reply of a few words to the question that a turn before ends with; tell whether it was one."""
    question, predicate = _question(fold(asked[-300:]))
    if question is None:
        return False
    folded = fold(message.content)
    tokens = tokenize(folded, message.content, 0)
    first = next((place for place, token in enumerate(tokens) if token.text not in _LEADS), len(tokens))
    rest = tokens[first:]
    while rest and rest[-1].is_mark:
        rest.pop()
    if not rest or len(rest) > _LONGEST or any(token.text in ("?", "not", "no", "none", "why") for token in rest):
        return False
    return _told(question["noun"] or "", predicate, rest, message)


def _question(text: str) -> tuple[re.Match[str] | None, str]:
    for pattern, predicate in _ASKED:
        found = pattern.search(text)
        if found is not None:
            return found, predicate
    return None, ""


def _told(noun: str, predicate: str, rest: list[Token], message: Message) -> bool:
    span = Span(rest[0].start, rest[-1].end)
    titled = rest[0].text.rstrip(".") in ("dr", "doctor", "mr", "mrs", "ms") and len(rest) > 1
    name = name_at(rest, 1 + (rest[1].text == ".") if titled else 0, message)
    if gender_of(noun) or noun in words("animals"):
        if name is None or name[1] < len(rest):
            return False
        tell_one(_Telling(message, 0, span), message.speaker, noun, name[0])
        return True
    phrase = phrase_at(rest, 0, message.content, message.names)
    if not predicate or phrase is None or phrase.next < len(rest) or not phrase.is_named or noun in roles():
        return False
    message.claim(draft(message.speaker, predicate, phrase.text, Action.HOLDS, Times(), span))
    return True


class _Telling:
    """Where a reply is told."""

    def __init__(self, message: Message, sentence: int, span: Span) -> None:
        self.message, self.sentence, self.span = message, sentence, span
