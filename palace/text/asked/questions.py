"""Whether a text only asks: what is asked seldom tells what is so. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from palace.records import LONGEST_QUESTION, QUESTION_SIGNS, WISHES

_LARGELY = 0.75
_CLOSING = "\"'”’)]»* "
_SENTENCE = re.compile(r"[^.!?？؟。！\n]+[.!?？؟。！;]*[\"'”’)\]»*]*")

_WISH = re.compile(rf"(?:{WISHES})\b[^\d]*\Z", re.IGNORECASE)
"""A number would tell something that could be asked for."""


def only_asks(text: str) -> bool:
    """Tell whether a text is a question, or several, and little else: a greeting, a few words that lead to it.

    >>> only_asks("Hi! What voltage does the charger need?")
    True
    >>> only_asks("The charger gives 58.8 volts. Is that too much?")
    False
    """
    if len(text.encode()) > LONGEST_QUESTION or not any(sign in text for sign in QUESTION_SIGNS):
        return False
    sentences = [found[0].strip() for found in _SENTENCE.finditer(text)]
    asking = sum(len(each) for each in _asking(sentences))
    return asking >= _LARGELY * sum(map(len, sentences))


def _asking(sentences: Sequence[str]) -> Iterator[str]:
    """Give the sentences that ask, and behind the first of them those that say what it is asked for."""
    has_asked = False
    for sentence in sentences:
        if sentence.rstrip(_CLOSING).endswith(tuple(QUESTION_SIGNS)):
            has_asked = True
            yield sentence
        elif has_asked and _WISH.match(sentence):
            yield sentence
