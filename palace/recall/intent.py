"""What a query asks for beside its words: a time, the present state, what an assistant said, advice, all of a kind."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime

from palace.nlp.direction import asked_about
from palace.nlp.questions.scope import Breadth, breadth_of, wants_work
from palace.nlp.questions.states import (
    Earlier,
    amount_asked,
    asks_earlier,
    asks_outcome,
    asks_several,
    asks_what_is,
    asks_what_was,
    named_by_answers,
    of_what_goes_on,
)
from palace.nlp.time import TimeFocus, TimeWindow, asks_what_happened, find_times_asked, time_focus

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
    asks_past: bool = False
    """Whether it asks for how things were before, or for something that happened."""
    asks_what_was: bool = False
    """Whether it asks for a state that lasted: what was said before its times may hold in them."""
    asks_what_is: bool = False
    """Whether one statement answers it, the newest of several."""
    earlier: Earlier | None = None
    """Which earlier state it asks for without naming a time."""
    asks_several: bool = False
    """Whether it takes several statements: a sum, a difference, an order."""
    answers_name: str | None = None
    """What an answer must name, as a pattern of Postgres: a number, a moment; None where it may be anything."""
    amount: str | None = None
    """What statements of an amount that it asks for as of now name, as a pattern of Postgres; None for no such."""
    breadth: Breadth = Breadth.NONE
    """Whether it asks for all of a kind."""
    wants_work: bool = False
    """Whether it gives a task, or asks for advice, so that what the person said once and for all matters."""
    names_known: bool = False
    """Whether it names someone or something that the palace knows; found out when arms are asked."""
    names_kind: bool = False
    """Whether it asks for a kind of things of which the palace knows some; found out when arms are asked."""

    @property
    def looks_back(self) -> bool:
        """Whether it asks for a time that has begun, and not for what comes of it."""
        begun = (each.end <= self.now or (self.asks_past and each.start < self.now) for each in self.windows)
        return bool(self.windows) and all(begun)


def read_intent(query: str, now: datetime) -> Intent:
    """Read a query as asked at ``now``, which is aware."""
    focus = time_focus(query)
    windows = asked_about(query, now, lambda tense: find_times_asked(query, now, tense=tense))
    earlier = None if windows else asks_earlier(query)
    return Intent(
        now=now,
        windows=windows,
        asks_current=focus is TimeFocus.CURRENT,
        asks_past=focus is TimeFocus.FORMER or (asks_what_happened(of_what_goes_on(query)) and not asks_outcome(query)),
        asks_back=bool(_ASKS_BACK.search(query)),
        asks_what_was=asks_what_was(query),
        asks_what_is=asks_what_is(query),
        earlier=earlier,
        asks_several=asks_several(query),
        answers_name=named_by_answers(query),
        amount=None if windows or earlier else amount_asked(query),
        breadth=breadth_of(query),
        wants_work=wants_work(query),
    )
