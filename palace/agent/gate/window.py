"""The text that the gate judges: a message's beginning and end, folded, without quotations and code. Pure."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from palace.agent.messages import text_of_part
from palace.nlp.rules import rules

BEGINNING, END = 1200, 600
"""Characters that are read of a longer message."""
MOST_SENTENCES = 12
"""Sentences that are judged one by one; a message with more is neither small talk nor a question of knowledge."""
MOST_OPENINGS = 8
MOST_READ = 40
"""Messages at the end of a history that are read."""
MOST_PARTS = 100
"""Parts of one message that are read."""
PASSED_ON = "\ue000"
"""Stands for quotations, code and texts to work on. From a private Unicode range, so it is part of no word."""
LANGUAGES = tuple(rules("gate", language) for language in ("english", "german", "french"))
REQUESTS = rules("gate", "requests")

History = Sequence[Any]
"""Messages, oldest first: strings (said by the person), mappings with ``role`` and ``content`` as chat APIs take them,
or objects with attributes of these names, such as `palace.models.Turn`. Anything else is ignored."""

_CUT = " \n\ue001\n "
_UNITED_STATES = re.compile(r"\bU\.?S\.?(?:A\b\.?|\b)(?=\W|$)")
_FOLDED = str.maketrans(
    {"’": "'", "‘": "'", "ʼ": "'", "´": "'", "`": "`", "“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "…": ".",
     "‐": "-", "‑": "-", "–": "-", "—": "-", "ß": "ss", "œ": "oe", "æ": "ae", "\u00a0": " ", "\u202f": " "}
)  # fmt: skip
_CODE = re.compile(r"```.{0,2000}?(?:```|\Z)|`[^`\n]{1,300}`", re.DOTALL)
_QUOTED = re.compile(r'"[^"\n]{1,1000}"|(?<!\w)\'[^\'\n]{1,300}\'(?!\w)')
_SENTENCE_ENDS = re.compile(
    r"[.?!;]+(?=\s|$)|\n+|(?<=\w),\s+(?=(?:and|und|et)?\s?(?:what|who|how|why|when|was|wer|wie)\b)"
)


@dataclass(frozen=True, slots=True)
class GateInput:
    """A message prepared for the gate."""

    raw: str
    """The text as it was written, with plain quotes and dashes."""
    folded: str
    """In lower case, without accents."""
    own: str
    """``folded`` with ``PASSED_ON`` in place of quotations, code and texts to work on."""
    sentences: tuple[str, ...]
    """The sentences of ``own``, without final punctuation; at most ``MOST_SENTENCES``."""
    is_whole: bool
    """Whether the whole message is covered."""


@dataclass(frozen=True, slots=True)
class EarlierMessage:
    """One message of a history."""

    is_person: bool
    """Whether the person said it; else an assistant."""
    text: str


def prepare(message: str) -> GateInput:
    """Prepare a message for the gate: its first 1,200 and last 600 characters."""
    is_whole = is_read_whole(message)
    text = message if is_whole else message[:BEGINNING] + _CUT + message[-END:]
    raw = unicodedata.normalize("NFC", text).translate(_FOLDED)
    folded = fold(raw)
    own = _QUOTED.sub(PASSED_ON, _CODE.sub(PASSED_ON, folded))
    worked_on = REQUESTS["worked_on"].match(own)
    if worked_on:
        own = f"{worked_on['head']} {PASSED_ON}"
    parts = [part.strip(" \t,.:!?()[]*#>_~'\"") for part in _SENTENCE_ENDS.split(own)]
    sentences = tuple(part for part in parts if part)
    return GateInput(raw, folded, own, sentences[:MOST_SENTENCES], is_whole and len(sentences) <= MOST_SENTENCES)


def is_read_whole(message: str) -> bool:
    """Return whether a message is short enough to be read whole."""
    return len(message) <= BEGINNING + END


def fold(text: str) -> str:
    """Put text into lower case without accents; "US" and "U.S." become "usa", so that they are not taken for "us"."""
    if not text.isupper():
        text = _UNITED_STATES.sub("usa", text)
    if text.isascii():
        return text.lower()
    decomposed = unicodedata.normalize("NFKD", text.lower().translate(_FOLDED))
    return "".join(character for character in decomposed if not unicodedata.combining(character))


def opened(sentence: str) -> str:
    """Strip "hello", "please", "can you" from the start of a folded sentence; "" if nothing is left."""
    for _ in range(MOST_OPENINGS):
        found = next((found for each in LANGUAGES if (found := each["opens"].match(sentence)) and found.end()), None)
        if found is None:
            break
        sentence = sentence[found.end() :]
    sentence = REQUESTS["indirect"].sub("", sentence).strip(" ,:!.-")
    return "" if any(sentence in each.words("asking") for each in LANGUAGES) else sentence


def read_history(history: History | None) -> tuple[EarlierMessage, ...]:
    """Return the last 40 messages of a history, oldest first, without system messages, tools and unknown roles.

    Of a message in parts only the text parts are read, joined by line breaks.
    """
    if not history or isinstance(history, (str, bytes, Mapping)):
        return ()
    read = (_said(message) for message in history[-MOST_READ:])
    return tuple(said for said in read if said is not None and said.text.strip())


def said_by_person(history: History | None, most: int) -> tuple[str, ...]:
    """Return the person's last messages, oldest first, at most ``most``."""
    said = [each.text for each in read_history(history) if each.is_person]
    return tuple(said[-most:]) if most > 0 else ()


def _said(message: object) -> EarlierMessage | None:
    if isinstance(message, str):
        return EarlierMessage(True, message)
    if isinstance(message, Mapping):
        role, content = message.get("role"), message.get("content")
    else:
        role, content = getattr(message, "role", None), getattr(message, "content", None)
    if role not in ("user", "human", "assistant", "model"):
        return None
    return EarlierMessage(role in ("user", "human"), _text_of(content))


def _text_of(content: object) -> str:
    if isinstance(content, str):
        return content
    if not isinstance(content, Iterable) or isinstance(content, (bytes, Mapping)):
        return ""
    return "\n".join(filter(None, map(text_of_part, islice(content, MOST_PARTS))))
