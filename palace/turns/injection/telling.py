"""Which hits say something beside a message: no small talk, nothing twice, and not the message's own question. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from palace.records import Drawer, Hit, Role
from palace.text.asked.questions import answers_nothing, only_asks
from palace.turns.gate.small_talk import is_answer, is_small_talk
from palace.turns.query.terms import key_terms
from palace.turns.reading.window import fold, is_looked_at_whole, look_at

_FILLER = re.compile(
    r"(?:h+m+|uh|um|(?:ok(?:ay)?,? )?let me (?:check|see|look|think|have a look|find out)"
    r"(?: (?:that|this|it|into|up|for|you|about|on))*"
    r"|(?:just )?(?:one|a|give me a) (?:moment|second|sec|minute)(?: please)?|sure thing|of course"
    r"|certainly|absolutely|definitely|will do|on it|my pleasure|happy to help|glad (?:i could|to) help"
    r"|glad to hear(?: that| it)?|you are welcome|any ?time|good question|great question"
    r"|(?:is there )?anything else(?: i can (?:do|help)(?: you)?(?: for you| with)?)?"
    r"|let me know(?: if you need anything(?: else)?)?|how can i help(?: you)?(?: today)?"
    r"|(?:einen )?(?:moment|augenblick)(?: bitte)?"
    r"|ich (?:schau|schaue|seh|sehe|prufe)(?: (?:mal|kurz|das|gleich|eben))*(?: nach)?"
    r"|lass mich (?:(?:mal|kurz|das) )*(?:nachsehen|nachschauen|schauen|sehen|uberlegen|prufen)"
    r"|naturlich|selbstverstandlich|gern geschehen|mach ich|wird gemacht|gerne doch"
    r"|freut mich(?: zu horen)?|gute frage"
    r"|wie kann ich(?: dir| ihnen)? helfen|kann ich sonst noch(?: etwas| was)? (?:tun|helfen)"
    r"|un (?:instant|moment)|bien entendu|avec plaisir|je regarde|je verifie)"
)
"""What assistants, and people, say while they say nothing."""
_PARTS = re.compile(r"\s*[,;:–-]\s+")
_WORD = re.compile(r"\w+")


def telling(hits: Iterable[Hit], message: str) -> list[Hit]:
    """Leave out what tells nothing beside a message, in the order of the hits.

    That is small talk alone, a reply that answers nothing, what a hit in front of it says in the same words, and the
    person's questions that ask what the message asks. What goes with what it answers, or with its answer, is kept.
    """
    return list(_telling(hits, message, frozenset(key_terms(message))))


def _telling(hits: Iterable[Hit], message: str, terms: frozenset[str]) -> Iterator[Hit]:
    asked = _words(message)
    said: set[tuple[str, str]] = set()
    for hit in hits:
        question = _words(hit.question.content) if hit.question else ""
        words = (question, _words(hit.drawer.content))
        if words in said:
            continue
        if hit.after or not (_is_empty(hit, message) or _asks_same(hit.drawer, asked, terms)):
            said.add(words)
            yield hit


def says_nothing(text: str) -> bool:
    """Tell whether a text is hello, thanks, fine, goodbye or a filler, and nothing else.

    >>> says_nothing("Moin! Let me check."), says_nothing("Moin! The boat is red.")
    (True, False)
    """
    if not is_looked_at_whole(text):
        return False
    looked = look_at(text)
    return looked.is_whole and all(map(_is_empty_talk, looked.sentences)) and not any(map(str.isdigit, text))


def _is_empty_talk(sentence: str) -> bool:
    return is_small_talk(sentence) or all(
        _FILLER.fullmatch(part) or is_small_talk(part) for part in _PARTS.split(sentence) if part
    )


def _is_empty(hit: Hit, message: str) -> bool:
    """Whether a hit is small talk alone, or answers nothing; a yes or a no is none of it beside what was asked."""
    question = hit.question.content if hit.question else ""
    if hit.drawer.role is Role.ASSISTANT and answers_nothing(hit.drawer.content, message, question):
        return True
    if not says_nothing(hit.drawer.content):
        return False
    return hit.question is None or not all(map(is_answer, look_at(hit.drawer.content).sentences))


def _asks_same(drawer: Drawer, asked: str, terms: frozenset[str]) -> bool:
    if drawer.role is not Role.USER:
        return False
    is_alike = bool(terms) and only_asks(drawer.content) and terms == frozenset(key_terms(drawer.content))
    return is_alike or _words(drawer.content) == asked


def _words(text: str) -> str:
    """Give a text's words alone, folded."""
    return " ".join(_WORD.findall(fold(text)))
