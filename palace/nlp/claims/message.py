"""The state of a message while its claims are read, and how a verb's aspect and tense become a claim's action."""

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
    """Whether a verb describes a state, its beginning or its end."""

    STATE = "state"
    BEGIN = "begin"
    END = "end"


class Tense(StrEnum):
    """The tense of a verb, as far as claims depend on it."""

    PRESENT = "present"
    PROGRESSIVE = "progressive"
    PERFECT = "perfect"
    LASTING = "lasting"
    PAST = "past"
    USED_TO = "used_to"
    FUTURE = "future"


class Names:
    """The names in a message by offset, without expressions of time."""

    def __init__(self, spans: Sequence[NamedSpan]) -> None:
        self._spans = sorted((span for span in spans if span.type is not EntityType.TIME), key=lambda span: span.start)
        self._starts = [span.start for span in self._spans]

    def at(self, start: int) -> NamedSpan | None:
        """Find the name that begins at an offset."""
        place = bisect_left(self._starts, start)
        return self._spans[place] if place < len(self._spans) and self._starts[place] == start else None

    def within(self, start: int, end: int) -> list[NamedSpan]:
        """List the names that lie entirely within ``start`` and ``end``."""
        place = bisect_left(self._starts, start)
        found = []
        while place < len(self._spans) and self._spans[place].start < end:
            if self._spans[place].end <= end:
                found.append(self._spans[place])
            place += 1
        return found


@dataclass(frozen=True, slots=True)
class Party:
    """A person or thing that was mentioned and that a later pronoun may refer to."""

    text: str
    gender: str
    """"f" or "m"; "n" a person of unknown gender, "p" several, "a" an animal, "t" a thing, "s" the speaker."""
    turn: int
    sentence: int
    is_subject: bool = False


@dataclass(slots=True)
class Spoken:
    """The mentions and claims of one speaker so far, the latest last; 60 mentions and 40 claims are kept."""

    parties: list[Party] = field(default_factory=list)
    claims: list[tuple[int, Claim]] = field(default_factory=list)
    """Each with the number of the turn it was read from."""

    def note(self, party: Party) -> None:
        self.parties = [each for each in self.parties[-59:] if each.text != party.text] + [party]

    def gender(self, text: str) -> str | None:
        return next((each.gender for each in reversed(self.parties) if each.text == text), None)

    def owned(self, text: str) -> bool:
        """Check whether an ``owns`` claim has this object."""
        return any(claim.predicate == "owns" and claim.object.casefold() == text.casefold() for _, claim in self.claims)


def acted(aspect: Aspect, tense: Tense, times: Times, *, is_ended: bool) -> Action | None:
    """Return the action of a claim by its verb's aspect and tense; None where they make no definite claim."""
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
    """Build a claim, with the start and end of validity that its action allows."""
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
    """A message whose claims are being read."""

    content: str
    names: Names
    now: datetime | None
    turn: int
    """Number of the message among its speaker's, from 1."""
    speaker: str
    """``SELF``, or the name of the speaker."""
    spoken: Spoken
    claims: list[Claim] = field(default_factory=list)

    def claim(self, claim: Claim) -> None:
        """Add a claim, unless the message already has one of the same subject, predicate, object and action."""
        known = ((each.subject, each.predicate, each.object, each.action) for each in self.claims)
        if (claim.subject, claim.predicate, claim.object, claim.action) not in known:
            self.claims.append(claim)
            self.spoken.claims = [*self.spoken.claims[-39:], (self.turn, claim)]

    def name(self, noun: str, name: str) -> bool:
        """Replace an owned noun by its name in the message's claims ("a cat … named Momo"); return whether it did."""
        is_known = False
        for place, claim in enumerate(self.claims):
            if claim.object == noun and claim.predicate == "owns":
                self.claims[place], is_known = replace(claim, object=name), True
        return is_known

    def of_owner(self, owner: str, noun: str) -> str:
        """Write a person or thing without a name by owner and noun: "my sister", "Tom's boat"."""
        named = in_english(noun)
        return f"my {named}" if owner == SELF else f"{owner}'s {named}"
