"""Who spoke is weak evidence: the speaker's name in front of a message must not outweigh what is said. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from palace.records import Compared
from palace.records.mining import LONGEST_NAME
from palace.store.candidates.words import QueryWords
from palace.text.words import content_words

_ASKS_FOR_WORDS_SAID = re.compile(
    r"\b(?:say|says|said|tell(?! me)|told|write|wrote|written|mention(?:ed)?|repl(?:y|ied)|answer(?:ed)?|suggest(?:ed)?"
    r"|recommend(?:ed)?|promised?|think|thought|asked|explain(?:ed)?|(?:ge)?sag(?:t|te|en)|schreib(?:t|en)|schrieb"
    r"|geschrieben|erzähl(?:t|te|en)|mein(?:t|te|en)|erwähnt|empf(?:ohlen|iehlt)|vorgeschlagen|versprochen|dit|écrit)\b",
    re.IGNORECASE,
)
_EXPONENT = 2
"""Of the part of a text that is not the name: where the name is half of it, a quarter of its value is left."""


def discount_speakers(drawers: Sequence[Compared], query: str, words: QueryWords) -> list[Compared]:
    """Reduce the values of drawers whose speaker the query names, by the part of the indexed text that is the name.

    Nothing changes where the drawer has another word of the query, or where the query asks for what somebody said.
    """
    asked = frozenset(content_words(query))
    if _ASKS_FOR_WORDS_SAID.search(query):
        return list(drawers)

    def discounted(drawer: Compared) -> Compared:
        speaker = (drawer.speaker or "")[:LONGEST_NAME]
        names = asked.intersection(content_words(speaker)) if speaker else ()
        if not names:
            return drawer
        of_name = sum(idf for stem, idf in words.lexemes.items() if any(name.startswith(stem) for name in names))
        if drawer.coverage * words.weight > of_name * 1.001:
            return drawer
        share = (drawer.size / (drawer.size + len(speaker.encode()))) ** _EXPONENT
        return replace(
            drawer,
            similarity=drawer.similarity and min(drawer.similarity, drawer.similarity * share),
            keyword=drawer.keyword * share,
            phrase=drawer.phrase * share,
            coverage=drawer.coverage * share,
        )

    return [discounted(drawer) for drawer in drawers]
