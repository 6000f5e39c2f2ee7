"""Words of a message with their places, contractions taken apart."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

_TOKEN = re.compile(
    r"[€£$¥]\s?\d[\d.,]{0,20}(?<=\d)[km]?|\d[\d.,:/-]{0,20}(?<=\d)(?:[^\W\d_]{1,8}\d{0,4}[^\W\d_]{0,4}|%|°)?|\d\w{0,20}%?"
    r"|(?:dr|mr|mrs|ms|prof|st)\.(?=\s)|[^\W\d_](?:[\w'&@+]|[./-](?=\w)){0,60}#?|[^\w\s]"
)

_NEGATED = "do does did have has had is are was were could would should must need"
_CONTRACTED = {
    "im": ("i", "am"), "ive": ("i", "have"), "shes": ("she", "'s"), "hes": ("he", "'s"), "thats": ("that", "'s"),
    "theyre": ("they", "are"), "youre": ("you", "are"), "weve": ("we", "have"), "theyve": ("they", "have"),
    "theres": ("there", "'s"), "gonna": ("going", "to"), "wanna": ("want", "to"), "cannot": ("can", "not"),
    "cant": ("can", "not"), "dunno": ("do", "not"), "ones": ("one", "'s"), "heres": ("here", "'s"),
    "w": ("with",), "w/": ("with",), "bc": ("because",), "b/c": ("because",), "comma": (",",),
    **{f"{verb}nt": (verb, "not") for verb in _NEGATED.split()}, "wont": ("will", "not"),
}  # fmt: skip
_ENDINGS = {"'m": "am", "'ve": "have", "'re": "are", "'ll": "will", "'d": "'d", "'s": "'s"}
_PRONOUNS_WRITTEN = "i we he she they it you that this there who which what here one name"


def listed(written: str) -> frozenset[str]:
    """Give the words of a list as it is written, parted by white space."""
    return frozenset(written.split())


@dataclass(frozen=True, slots=True)
class Token:
    """A word, a number or a mark as it stands in a message."""

    text: str
    """Folded: lower case, straight apostrophe."""
    start: int
    end: int
    """Code points of the message; both parts of a contraction bear the whole of it."""
    is_upper: bool = False
    """Whether it begins with a capital letter."""

    @property
    def is_word(self) -> bool:
        return self.text[0].isalpha() or self.text[0] == "'"


def tokenize(folded: str, content: str, start: int, *, is_english: bool = True) -> list[Token]:
    """List the tokens of a stretch of folded text, in order, with their places in the content it begins in at start.

    Contractions are those of English.
    """
    tokens: list[Token] = []
    for found in _TOKEN.finditer(folded):
        text, first, last = found[0], start + found.start(), start + found.end()
        tokens += (
            Token(part, first, last, content[first].isupper()) for part in (_parts(text) if is_english else (text,))
        )
    return tokens


@cache
def _pronouns() -> frozenset[str]:
    return listed(_PRONOUNS_WRITTEN)


def _parts(text: str) -> tuple[str, ...]:
    if text in _CONTRACTED:
        return _CONTRACTED[text]
    if text.endswith("n't") and len(text) > 3:
        return ("will" if text == "won't" else "can" if text == "can't" else text[:-3], "not")
    for ending, word in _ENDINGS.items():
        stem = text.removesuffix(ending)
        if stem != text and (stem in _pronouns() or ending in ("'ve", "'ll")) and stem:
            return (stem, word)
    return (text,)
