"""When the index steps of a session are due: it rests, it has grown, or it speaks of something else. Pure.

Filing waits for none of them. A step over a whole conversation (its topics, its names) is done again when there is
enough to do it for, and for the last time when nobody goes on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from palace.turns.query.terms import key_terms

LATEST = 3
"""Messages of the person that say what they speak of now."""
BEFORE = 6
"""Messages in front of those that say what they spoke of."""
FEWEST_TERMS = 4
"""Words on either side that say something: with fewer nobody can tell."""
SHARED = 0.1
"""The share of what is said now that was spoken of before, beneath which it is something else."""


class Due(StrEnum):
    """Why the steps of a session are due."""

    IDLE = "idle"
    """Nobody has said anything for a while: the session is over."""
    TURNS = "turns"
    """Enough was said since."""
    DRIFT = "drift"
    """They speak of something else."""


@dataclass(frozen=True, slots=True)
class Pace:
    """How often steps are due; None switches a reason off."""

    idle: timedelta | None = timedelta(minutes=15)
    turns: int | None = 20
    drift: bool = True


@dataclass(frozen=True, slots=True)
class Seen:
    """What is known of a session."""

    last_said_at: datetime
    """Aware."""
    turns_since: int
    """Exchanges filed since its steps were done last."""
    said: Sequence[str] = ()
    """What the person said, oldest first; the last nine count."""


_USUAL = Pace()


def due(seen: Seen, now: datetime, pace: Pace = _USUAL) -> Due | None:
    """Say why the steps of a session are due; None where they are not, and where nothing was said since.

    A clock that jumps back makes nobody idle.
    """
    if seen.turns_since <= 0:
        return None
    if pace.idle is not None and now - seen.last_said_at >= pace.idle:
        return Due.IDLE
    if pace.turns is not None and seen.turns_since >= pace.turns:
        return Due.TURNS
    # What was said before the last steps was looked at with them: a change is told once.
    if pace.drift and seen.turns_since >= LATEST and has_drifted(seen.said):
        return Due.DRIFT
    return None


def has_drifted(said: Sequence[str]) -> bool:
    """Tell whether what a person says last shares hardly a word with what they said before.

    Judged by the words that say something, in English, German and French. Too little said is no change.
    """
    latest, before = said[-LATEST:], said[-LATEST - BEFORE : -LATEST]
    now = {term for each in latest for term in key_terms(each)}
    then = {term for each in before for term in key_terms(each)}
    if min(len(now), len(then)) < FEWEST_TERMS:
        return False
    return len(now & then) / len(now) < SHARED
