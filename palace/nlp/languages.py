"""Detect the language of a message by its script, its function words and a small model (py3langid)."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import TYPE_CHECKING

from palace.nlp.rules import late, rules
from palace.nlp.words import prose

if TYPE_CHECKING:
    from palace.nlp.language_model import LanguageModel

_RULES = rules("languages")

LOOKED_AT = 1200
"""Most characters of prose that are read; more do not improve the result."""
FEWEST_LETTERS = 20
"""Fewest letters of a text in Latin script whose language is detected: not of "Danke", "Ok, merci"."""
LEAST_LIKELY = 0.5
"""Least probability at which the model's answer counts."""

FEWEST = 0.12
"""Least share of English function words in an English text; prose has three times as many."""
SHORT = 200
"""Characters below which a message may take its language from the one before."""

_PLAIN_WORD = late(r"[a-z]+(?:'[a-z]+)?")
_WORD = late(r"[^\W\d_]+")
_UNPLAIN = late(r"[^\W\d_a-zA-Z]")
_LETTER = late(r"[^\W\d_]")
_SCRIPTS = (
    ("ja", late("[\u3041-\u30ff\uff66-\uff9d]")),
    ("ko", late("[\uac00-\ud7a3\u1100-\u11ff]")),
    ("zh", late("[\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")),
    ("th", late("[\u0e01-\u0e4e]")),
    ("el", late("[\u0370-\u03ff\u1f00-\u1fff]")),
    ("he", late("[\u05d0-\u05ea]")),
)
"""Scripts of one language each. Kana come before ideographs, which Japanese uses too."""

_MOSTLY = 0.3
"""Least share of a text's letters in a script that decides its language."""


def tell_language(content: str) -> str | None:
    """Return the language of a message as ISO 639-1; None where it is too short, too mixed, or no prose.

    Code, addresses, markup and paths are ignored. Takes time linear in the length up to a bound.
    """
    text = prose(content[: 8 * LOOKED_AT])[:LOOKED_AT]
    letters = len(_LETTER.findall(text))
    if not letters:
        return None
    unplain = len(_UNPLAIN.findall(text))
    if unplain:
        for language, script in _SCRIPTS:
            # Kana are about half of Japanese, and other languages with ideographs have none.
            found = len(script.findall(text))
            if found >= _MOSTLY * letters or (language == "ja" and found >= 0.1 * unplain and unplain > letters / 2):
                return language
    elif _is_plainly_english(text):
        return "en"
    is_latin = unplain <= letters / 2
    if is_latin and letters < FEWEST_LETTERS:
        return None
    language, likelihood = language_model().classify(text)
    return language if likelihood >= LEAST_LIKELY else None


@cache
def language_model() -> LanguageModel:
    """Load the model, which takes half a second and 9 MB, when the first text needs it."""
    from palace.nlp.language_model import LanguageModel

    return LanguageModel.load(_RULES.words("told_apart"))


def is_english(text: str) -> bool | None:
    """Return whether a text is English; None where it may be or not: "Berlin hotel", names, code."""
    words = set(_PLAIN_WORD.findall(text[:LOOKED_AT].lower()))
    own, others = words & _RULES.words("english"), words & _RULES.words("others")
    language = tell_language(text)
    if language == "en" and own and own <= _RULES.words("shared"):
        language, likelihood = language_model().classify(text[:LOOKED_AT])
        language = language if likelihood >= LEAST_LIKELY else None
    if language is not None:
        return language == "en"
    return None if bool(own) == bool(others) else bool(own)


def _is_plainly_english(text: str) -> bool:
    """Check whether a text of plain ASCII letters has English function words and none of another language."""
    words = _PLAIN_WORD.findall(text.lower().replace("’", "'"))
    english = sum(word in _RULES.words("english") for word in words)
    return english > 0 and english >= FEWEST * len(words) and _RULES.words("others").isdisjoint(words)


def languages_of(turns: Iterable[tuple[str, str | None]]) -> list[str | None]:
    """Return the language of each message, in order, guessing German for short ones without one.

    Takes pairs of content and language or None. A short message is German if it has German words, or if it follows a
    German one and has no English words.
    """
    found: list[str | None] = []
    before: str | None = None
    for content, told in turns:
        language = told
        if told is None and len(content) < SHORT:
            words = _WORD.findall(content.lower())
            follows = before == "de" and _RULES.words("english").isdisjoint(words)
            language = "de" if follows or not _RULES.words("german").isdisjoint(words) else None
        before = told or before
        found.append(language)
    return found
