"""Which of Postgres's configurations takes the words of which language to their stems."""

from __future__ import annotations

STEMMED = {
    "ar": "arabic",
    "da": "danish",
    "de": "german",
    "el": "greek",
    "en": "english",
    "es": "spanish",
    "fi": "finnish",
    "fr": "french",
    "hi": "hindi",
    "hu": "hungarian",
    "id": "indonesian",
    "it": "italian",
    "nl": "dutch",
    "no": "norwegian",
    "pt": "portuguese",
    "ro": "romanian",
    "ru": "russian",
    "sv": "swedish",
    "tr": "turkish",
}
"""By ISO 639-1; the dictionary of each is its name and ``_stem``. ``stemmers_of.sql`` holds the same."""

_UNSPACED = ("ja", "ko", "th", "zh")
"""Written in letters that no dictionary changes, with English words among them."""


def configuration_of(language: str | None) -> str:
    """Give the text-search configuration of a language: English where nothing tells, ``simple`` where none stems it."""
    if language is None or language in _UNSPACED:
        return "pg_catalog.english"
    return f"pg_catalog.{STEMMED.get(language, 'simple')}"
