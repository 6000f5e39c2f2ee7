"""The language of messages that are too short to tell it alone, by those before them in their conversation. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable

from palace.text.languages.english import has_english_words

_WORD = re.compile(r"[^\W\d_]+")
_GERMAN_WRITTEN = """
ich nicht und ist mein meine meinen meinem meiner unser unsere unseren unserem unserer wir habe seit jeden jede beim
zum vom vorm aus keine keinen wird wurde sondern doch bei bin heißt heisst jetzt noch schon geht haben hab wohnt
arbeitet gestorben getrennt verkauft gekauft leider heute gestern wieder abgesagt storniert abgesetzt oma opa tante
schwester bruder mutter vater freundin katze miete herr herrn frau
"""
_GERMAN = frozenset(_GERMAN_WRITTEN.split())
"""Words of German that hardly another language writes so."""


def languages_of(turns: Iterable[tuple[str, str | None]]) -> list[str | None]:
    """Give the language of each message, in order, where its own is not told: German by its words or by others.

    Takes each message with its language as far as that is told. A short message behind a German one is German too,
    unless it has words of English.
    """
    found: list[str | None] = []
    before: str | None = None
    for content, told in turns:
        language = told
        if told is None and len(content) < 200:
            words = _WORD.findall(content.lower())
            is_theirs = not _GERMAN.isdisjoint(words) or (before == "de" and not has_english_words(words))
            language = "de" if is_theirs else None
        before = told or before
        found.append(language)
    return found
