"""Content words of a text, and the folding of words."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from functools import lru_cache

from palace.nlp.rules import rules

STOP_WORDS = rules("words").words("stop")
"""English function words and the verbs, adverbs and quantities of everyday talk; lower case."""
TALK_WORDS = rules("words").words("talk")
"""Words of everyday talk and advice that are no topic alone, though they may end a phrase ("wiring options")."""


# Each repeat is bounded, so that a text with an unclosed fence or bracket costs no more than another.
_BUT_MAIL = re.compile(
    r"(?=[`hw<~./])(?:```.{0,20000}?```|`[^`\n]{1,200}`|\b(?:https?://|www\.)\S{1,2000}"
    r"|</?[a-zA-Z][^<>\n]{0,200}>|(?<!\w)[~.]{0,2}/[\w.-]{1,64}/[\w./-]{1,500})",
    re.DOTALL,
)
NOT_PROSE = re.compile(rf"{_BUT_MAIL.pattern}|\b[\w.+-]{{1,64}}@[\w-]{{1,64}}\.[\w.-]{{1,64}}", re.DOTALL)
WORD = re.compile(r"\w[\w'’-]*")
LONGEST_WORD = 30
"""Most letters of a word; a longer one is an identifier or a code."""


def prose(text: str) -> str:
    """Replace code, addresses, markup and file paths by a full stop each."""
    return without_code(text, " . ")


def without_code(text: str, instead: str | Callable[[re.Match[str]], str]) -> str:
    """Replace code, addresses, markup and file paths."""
    return (NOT_PROSE if "@" in text else _BUT_MAIL).sub(instead, text)


@lru_cache(1 << 14)
def fold(word: str) -> str:
    """Normalise a word: lower case, straight apostrophe, no possessive, no plural s."""
    folded = word.lower().replace("’", "'").removesuffix("'s").strip("-'_")
    if len(folded) > 3 and folded.endswith("s") and not folded.endswith(("ss", "us", "is")):
        return folded[:-1]
    return folded


@lru_cache(1 << 14)
def says_something(word: str) -> bool:
    """Check whether a word as written is a content word: no function word, number, unit, letter or identifier."""
    plain = word.lower().replace("’", "'")
    if plain in STOP_WORDS or plain.removesuffix("'s") in STOP_WORDS:
        return False
    # Two letters are a unit of measure or a fragment ("mm", "ve"), unless they are an abbreviation or a word of CJK.
    shortest = 2 if word.isupper() or not word.isascii() else 3
    return shortest <= len(plain) <= LONGEST_WORD and any(letter.isalpha() for letter in plain)


def content_words(text: str) -> list[str]:
    """Return the folded content words of a text's prose, in order."""
    return [fold(word) for word in WORD.findall(prose(text)) if says_something(word)]


def lowered(text: str) -> str:
    """Return a text in lower case with straight apostrophes, keeping offsets."""
    lower = text.lower()
    if len(lower) != len(text):
        lower = "".join(character.lower()[:1] for character in text)
    return lower.replace("’", "'")


LONGEST = 80
_SEPARATORS = re.compile(r"[\W_]+")


def slugify(name: str) -> str:
    """Return a name in lower case without accents, words joined by hyphens, at most 80 characters, or "unnamed"."""
    decomposed = unicodedata.normalize("NFKD", name)
    bare = "".join(mark for mark in decomposed if not unicodedata.combining(mark))
    folded = unicodedata.normalize("NFKC", bare.casefold())
    return _SEPARATORS.sub("-", folded).strip("-")[:LONGEST].strip("-") or "unnamed"
