"""What of a message is looked at: its beginning and end, folded, and what it only passes on taken out. Pure."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

BEGINNING, END = 1200, 600
"""Characters that are looked at of a longer message."""
MOST_SENTENCES = 12
"""Sentences that are looked at each; a message with more is not taken for small talk or a question of knowledge."""

PASSED_ON = "\ue000"
"""Stands for what a message passes on: a quotation, code, a text to work on. Of a private range, so part of no word."""

_CUT = " \n\ue001\n "
_UNITED_STATES = re.compile(r"\bU\.?S\.?(?:A\b\.?|\b)(?=\W|$)")
_FOLDED = str.maketrans(
    {"’": "'", "‘": "'", "ʼ": "'", "´": "'", "`": "`", "“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "…": ".",
     "‐": "-", "‑": "-", "–": "-", "—": "-", "ß": "ss", "œ": "oe", "æ": "ae", "\u00a0": " ", "\u202f": " "}
)  # fmt: skip
_CODE = re.compile(r"```.{0,2000}?(?:```|\Z)|`[^`\n]{1,300}`", re.DOTALL)
_QUOTED = re.compile(r'"[^"\n]{1,1000}"|(?<!\w)\'[^\'\n]{1,300}\'(?!\w)')
_WORKED_ON = re.compile(
    r"^(?P<head>[^\n:]{0,160}?\b(?:translat\w*|proofread\w*|correct\w*|fix\w*|rewrite|rephrase|paraphrase|reword"
    r"|summari[sz]e|shorten|simplify|improve|explain|tl;?dr|turn|convert|sort|classify|extract|count|format|put"
    r"|arrange|order|alphabeti[sz]e|reverse|list"
    r"|ubersetz\w*|korrigier\w*|fass\w*|umformulier\w*|formulier\w*|kurz\w*|verbesser\w*|erklar\w*|sortier\w*"
    r"|ordne\w*|zahl\w*|wandl?e?|mach"
    r"|tradui\w*|corrige\w*|resum\w*|reformul\w*|raccourci\w*|amelior\w*|expliqu\w*|trie\w*|classe\w*|range\w*"
    r"|mets|convertis|compte)\b[^\n:]{0,160}?)(?::"
    r"|\n)\s*(?=\S)",
)
_SENTENCE_ENDS = re.compile(
    r"[.?!;]+(?=\s|$)|\n+|(?<=\w),\s+(?=(?:and|und|et)?\s?(?:what|who|how|why|when|was|wer|wie)\b)"
)


@dataclass(frozen=True, slots=True)
class Looked:
    """A message ready to be judged."""

    raw: str
    """As it was written, what is not looked at left out; quotes and dashes made plain."""
    folded: str
    """In lower case, without accents."""
    own: str
    """``folded`` without what is passed on, in whose place ``PASSED_ON`` stands."""
    sentences: tuple[str, ...]
    """Of ``own``, without the signs that end them."""
    is_whole: bool
    """Whether all of it is looked at."""


def is_looked_at_whole(message: str) -> bool:
    """Tell whether all of a message is looked at, which ``Looked.is_whole`` is False without."""
    return len(message) <= BEGINNING + END


def look_at(message: str) -> Looked:
    """Read the first 1,200 and the last 600 characters of a message."""
    is_whole = is_looked_at_whole(message)
    text = message if is_whole else message[:BEGINNING] + _CUT + message[-END:]
    raw = unicodedata.normalize("NFC", text).translate(_FOLDED)
    folded = fold(raw)
    own = _QUOTED.sub(PASSED_ON, _CODE.sub(PASSED_ON, folded))
    worked_on = _WORKED_ON.match(own)
    if worked_on:
        own = f"{worked_on['head']} {PASSED_ON}"
    parts = [part.strip(" \t,.:!?()[]*#>_~'\"") for part in _SENTENCE_ENDS.split(own)]
    sentences = tuple(part for part in parts if part)
    return Looked(raw, folded, own, sentences[:MOST_SENTENCES], is_whole and len(sentences) <= MOST_SENTENCES)


def fold(text: str) -> str:
    """Put text into lower case without accents; the United States in capitals are no pronoun ("us")."""
    if not text.isupper():
        text = _UNITED_STATES.sub("usa", text)
    if text.isascii():
        return text.lower()
    decomposed = unicodedata.normalize("NFKD", text.lower().translate(_FOLDED))
    return "".join(character for character in decomposed if not unicodedata.combining(character))
