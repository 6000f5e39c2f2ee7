"""What is read from one message: the names that stand in it, and what it claims."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum

from palace.models.source import Role

SELF = "I"
"""The person whose palace it is, as the subject or object of a claim."""


class EntityType(StrEnum):
    """What an entity is."""

    PERSON = "person"
    PLACE = "place"
    ORGANISATION = "organisation"
    EVENT = "event"
    ITEM = "item"
    PROJECT = "project"
    TIME = "time"
    UNKNOWN = "unknown"
    """Nothing supports a type, or what does disagrees."""


@dataclass(frozen=True, slots=True)
class Said:
    """One message, as names and claims are read from it."""

    content: str
    role: Role
    speaker: str | None = None
    """Who said it, where its source names them."""
    said_at: datetime | None = None
    """In the person's zone."""
    language: str | None = None
    """ISO 639-1, None where it was not told."""
    is_self: bool = True
    """Whether "I" is the person whose palace it is; else it is ``speaker``."""


class Precision(StrEnum):
    """How exactly a time is known, from the finest to the coarsest."""

    MOMENT = "moment"
    DAY = "day"
    MONTH = "month"
    SEASON = "season"
    YEAR = "year"
    VAGUE = "vague"


@dataclass(frozen=True, slots=True)
class VagueDate:
    """A time as exactly as it was told: the first day of a month, a season or a year stands for all of it."""

    day: date
    precision: Precision


@dataclass(frozen=True, slots=True)
class NamedSpan:
    """A name at its place in a message."""

    start: int
    end: int
    """Code points, ``content[start:end]``."""
    text: str
    type: EntityType
    is_sure: bool = True
    """Whether the type is more than a guess."""


class Action(StrEnum):
    """What a claim does to what was true before."""

    HOLDS = "holds"
    """It is so when it is said, since when is not told; an empty object says that whatever held goes on after all."""
    BEGINS = "begins"
    """It is so from ``valid_from`` on, or from when it is said."""
    ENDS = "ends"
    """It is so no longer from ``valid_to`` on, or from when it is said; an empty object ends whatever held."""
    WAS = "was"
    """It was so, from ``valid_from`` to ``valid_to`` as far as these are told, and is not now."""
    HAPPENS = "happens"
    """It happened, or will, from ``valid_from`` to ``valid_to``."""
    CORRECTS = "corrects"
    """It was so all along, and what was last said of it was wrong."""
    DENIES = "denies"
    """What was said of it, or planned, is not so and never was."""


@dataclass(frozen=True, slots=True)
class Claim:
    """What one sentence says of a subject. Names stand as the message has them, a thing without one as its noun."""

    subject: str
    """``SELF``, a name, or a noun with its owner ("my sister", "boat")."""
    predicate: str
    """In snake case ("lives_in", "has_battery")."""
    object: str
    action: Action
    start: int
    end: int
    """Code points of the sentence or the clause, ``content[start:end]``."""
    valid_from: VagueDate | None = None
    valid_to: VagueDate | None = None


@dataclass(frozen=True, slots=True)
class Reading:
    """What was read from one message; names in order of place, claims in order of telling."""

    names: tuple[NamedSpan, ...] = ()
    claims: tuple[Claim, ...] = ()
