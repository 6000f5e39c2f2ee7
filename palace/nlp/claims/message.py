"""Claims in the making: who and what a message has spoken of, and how the tense of a verb becomes what a claim does."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum

from palace.models import Span
from palace.models.claims import SELF, Action, Claim, EntityType, NamedSpan
from palace.nlp.claims.kinds import in_english
from palace.nlp.time.clause import Times


class Aspect(StrEnum):
    """What a verb does to what it speaks of."""

    STATE = "state"
    BEGIN = "begin"
    END = "end"


class Tense(StrEnum):
    """The time a verb stands in."""

    PRESENT = "present"
    PROGRESSIVE = "progressive"
    PERFECT = "perfect"
    LASTING = "lasting"
    PAST = "past"
    USED_TO = "used_to"
    FUTURE = "future"


class Names:
    """The names that stand in a message."""

    def __init__(self, spans: Sequence[NamedSpan]) -> None:
        self._spans = sorted((span for span in spans if span.type is not EntityType.TIME), key=lambda span: span.start)
        self._starts = [span.start for span in self._spans]

    def at(self, start: int) -> NamedSpan | None:
        """Find the name that begins at a place."""
        place = bisect_left(self._starts, start)
        return self._spans[place] if place < len(self._spans) and self._starts[place] == start else None

    def within(self, start: int, end: int) -> list[NamedSpan]:
        """List the names that stand within a stretch."""
        place = bisect_left(self._starts, start)
        found = []
        while place < len(self._spans) and self._spans[place].start < end:
            if self._spans[place].end <= end:
                found.append(self._spans[place])
            place += 1
        return found


@dataclass(frozen=True, slots=True)
class Party:
    """Someone or something that was spoken of, and that a pronoun may mean."""

    text: str
    gender: str
    """"f", "m", "n" of a person not known to be either, "t" of a thing."""
    turn: int
    sentence: int
    is_subject: bool = False


@dataclass(slots=True)
class Spoken:
    """What one speaker has spoken of so far, the latest last; at most the latest sixty are kept."""

    parties: list[Party] = field(default_factory=list)
    claims: list[tuple[int, Claim]] = field(default_factory=list)
    """With the turns they were read from."""

    def note(self, party: Party) -> None:
        self.parties = [each for each in self.parties[-59:] if each.text != party.text] + [party]

    def gender(self, text: str) -> str | None:
        return next((each.gender for each in reversed(self.parties) if each.text == text), None)

    def owned(self, text: str) -> bool:
        """Check whether it was read that somebody owns it."""
        return any(claim.predicate == "owns" and claim.object.casefold() == text.casefold() for _, claim in self.claims)


def acted(aspect: Aspect, tense: Tense, times: Times, *, is_ended: bool) -> Action | None:
    """Return what a verb of an aspect claims in a tense: None where it is nothing that can be held to."""
    if is_ended:
        return Action.ENDS if aspect is Aspect.STATE and tense in (Tense.PRESENT, Tense.PROGRESSIVE) else None
    if aspect is Aspect.STATE:
        return _state(tense, times)
    is_done = tense in (Tense.PAST, Tense.PERFECT)
    if is_done or (tense is not Tense.USED_TO and tense is not Tense.LASTING and times.start is not None):
        return Action.BEGINS if aspect is Aspect.BEGIN else Action.ENDS
    return None


def _state(tense: Tense, times: Times) -> Action | None:
    if tense in (Tense.PRESENT, Tense.PROGRESSIVE, Tense.LASTING):
        return Action.HOLDS
    if tense is Tense.PERFECT:
        return Action.HOLDS if times.since else None
    if tense is Tense.FUTURE:
        return Action.BEGINS if times.start else None
    return Action.WAS


def draft(subject: str, predicate: str, obj: str, action: Action, times: Times, span: Span) -> Claim:
    """Make a claim, its times where its action has them."""
    if action not in (Action.HOLDS, Action.CORRECTS, Action.DENIES):
        times = times.over(at_end=action is Action.ENDS)
    begin, end = times.start, times.until
    if action is Action.ENDS and times.since and times.until:
        action = Action.WAS
    elif action is Action.ENDS:
        begin, end = None, times.until or times.start
    elif action in (Action.WAS, Action.HAPPENS):
        end = times.until or times.at_end
    elif action in (Action.HOLDS, Action.CORRECTS):
        begin = times.since
    return Claim(subject, predicate, obj, action, span.start, span.end, valid_from=begin, valid_to=end)


@dataclass(slots=True)
class Message:
    """A message while it is read."""

    content: str
    names: Names
    now: datetime | None
    turn: int
    """Which of its speaker's messages it is."""
    speaker: str
    """``SELF``, or the name of whoever says it."""
    spoken: Spoken
    claims: list[Claim] = field(default_factory=list)

    def claim(self, claim: Claim) -> None:
        """Take a claim, unless it stands already."""
        known = ((each.subject, each.predicate, each.object, each.action) for each in self.claims)
        if (claim.subject, claim.predicate, claim.object, claim.action) not in known:
            self.claims.append(claim)
            self.spoken.claims = [*self.spoken.claims[-39:], (self.turn, claim)]

    def name(self, noun: str, name: str) -> bool:
        """Call by its name what this message called by its noun ("a cat … her name is Momo"); return whether it did."""
        is_known = False
        for place, claim in enumerate(self.claims):
            if claim.object == noun and claim.predicate == "owns":
                self.claims[place], is_known = replace(claim, object=name), True
        return is_known

    def of_owner(self, owner: str, noun: str) -> str:
        """Call someone or something without a name by its noun with its owner's."""
        named = in_english(noun)
        return f"my {named}" if owner == SELF else f"{owner}'s {named}"
