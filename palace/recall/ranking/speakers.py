"""Who spoke is weak evidence: the speaker's name in front of a message must not outweigh what is said. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from palace.records import Compared
from palace.records.mining import LONGEST_NAME
from palace.text.words import WORD, fold

_ASKS_WHAT_WAS_SAID = re.compile(
    r"\b(?:say|said|says|tell|told|wr[io]te|mention|ask|repl(?:y|ied)|suggest|recommend|promise|text|think|thought|call"
    r"|explain|ge?sagt|sagte|schr(?:eib|ieb)|geschrieben|erzähl|mein(?:t|st)e?\b|fragt|gefragt|erwähn|empf(?:ieh|ah|oh)l"
    r"|vorgeschlagen|versprochen)",
    re.IGNORECASE,
)
"""How a query asks for what somebody said."""
_POWER = 2
"""Of the share of what is said: one of two words that are a name leaves a quarter."""


def less_by_name(drawers: Sequence[Compared], query: str) -> list[Compared]:
    """Reduce the values of what somebody says whom the query names, by the name's share of the text.

    Nothing changes where the query asks what somebody said.
    """
    if _ASKS_WHAT_WAS_SAID.search(query):
        return list(drawers)
    named = frozenset(fold(word) for word in WORD.findall(query))

    def less(drawer: Compared) -> Compared:
        speaker = (drawer.speaker or "")[:LONGEST_NAME]
        if named.isdisjoint(fold(word) for word in WORD.findall(speaker)):
            return drawer
        share = (drawer.length / (drawer.length + len(speaker))) ** _POWER
        return replace(
            drawer,
            similarity=None if drawer.similarity is None else drawer.similarity * share,
            keyword=drawer.keyword * share,
            phrase=drawer.phrase * share,
            coverage=drawer.coverage * share,
        )

    return [less(drawer) for drawer in drawers]
