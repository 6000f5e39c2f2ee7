"""What a query asks for beside its words: a time, the present state, what an assistant said, advice. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime

from palace.text.preferences import asks_advice
from palace.text.times import TimeFocus, TimeWindow, asks_what_happened, find_times, tense_of, time_focus

_TOLD = (
    r"suggest|recommend|mention|s(?:ay|aid)|t(?:ell|old)|g[ai]ve|provid|list|creat|wr(?:ite|ote)|explain|advis|describ"
)
_NOT_ASKED = r"(?<!can )(?<!could )(?<!would )(?<!will )(?<!do )(?<!should )"
_ASKS_BACK = re.compile(
    rf"\b(?:did|have|had|were|was) you\b|{_NOT_ASKED}\byou (?:\w+ )?(?:{_TOLD}|shar|c[ao]me up)\w*"
    r"|\byour (?:\w+ )?(?:suggestion|recommendation|advice|list|answer|explanation|idea|proposal|reply|example)s?\b"
    r"|\bremind me\b|\b(?:our|we had|previous|last|earlier) (?:\w+ )?(?:conversation|chat|discussion|session)\b"
    r"|\bwe (?:discussed|talked|chatted|spoke)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Intent:
    """What a query asks for beside its words."""

    now: datetime
    windows: tuple[TimeWindow, ...] = ()
    """The times it speaks of."""
    asks_current: bool = False
    """Whether it asks for how things are now."""
    asks_back: bool = False
    """Whether it asks for what was said to the person, as well as by the person."""
    asks_advice: bool = False
    """Whether the person's preferences matter although the query does not name them."""
    asks_past: bool = False
    """Whether it asks for how things were before, or for something that happened."""


def read_intent(query: str, now: datetime) -> Intent:
    """Read a query as asked at ``now``, which is aware."""
    focus = time_focus(query)
    return Intent(
        now=now,
        windows=find_times(query, now, tense=tense_of(query)),
        asks_current=focus is TimeFocus.CURRENT,
        asks_past=focus is TimeFocus.FORMER or asks_what_happened(query),
        asks_back=bool(_ASKS_BACK.search(query)),
        asks_advice=asks_advice(query),
    )
