"""The names and claims that are extracted from one message."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum

from palace.models.source import Role

SELF = "I"
"""The owner of the palace, as subject or object of a claim."""


class EntityType(StrEnum):
    """The type of an entity."""

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
    """One message, as the input of extraction."""

    content: str
    role: Role
    speaker: str | None = None
    """Name of the speaker, where the source has it."""
    said_at: datetime | None = None
    """When it was said, in the person's zone."""
    language: str | None = None
    """ISO 639-1; None if unknown."""
    is_self: bool = True
    """Whether "I" is the owner of the palace; else it is ``speaker``."""


class Precision(StrEnum):
    """The precision of a time, from finest to coarsest."""

    MOMENT = "moment"
    DAY = "day"
    MONTH = "month"
    SEASON = "season"
    YEAR = "year"
    VAGUE = "vague"


@dataclass(frozen=True, slots=True)
class VagueDate:
    """A time with its precision: a month, a season or a year is given by its first day."""

    day: date
    precision: Precision


@dataclass(frozen=True, slots=True)
class NamedSpan:
    """A name with its position in a message."""

    start: int
    end: int
    """Code points, ``content[start:end]``."""
    text: str
    type: EntityType
    is_sure: bool = True
    """Whether the type is more than a guess."""


class Action(StrEnum):
    """The effect of a claim on earlier ones."""

    HOLDS = "holds"
    """True when it is said, since an unknown time; with an empty object, whatever was true goes on after all."""
    BEGINS = "begins"
    """True from ``valid_from`` on, or from when it is said."""
    ENDS = "ends"
    """No longer true from ``valid_to`` on, or from when it is said; an empty object ends any value."""
    WAS = "was"
    """True in the past only, from ``valid_from`` to ``valid_to`` as far as these are known."""
    HAPPENS = "happens"
    """An event, past or future, from ``valid_from`` to ``valid_to``."""
    CORRECTS = "corrects"
    """True all along; the previous statement was wrong."""
    DENIES = "denies"
    """A previous statement or plan is not true and never was."""


@dataclass(frozen=True, slots=True)
class Claim:
    """One statement about a subject. Names are as in the message; a thing without a name is given by its noun."""

    subject: str
    """``SELF``, a name, or a noun with its owner ("my sister", "boat")."""
    predicate: str
    """In snake case ("lives_in", "has_battery")."""
    object: str
    action: Action
    start: int
    end: int
    """Code points of the sentence or clause, ``content[start:end]``."""
    valid_from: VagueDate | None = None
    valid_to: VagueDate | None = None


@dataclass(frozen=True, slots=True)
class Reading:
    """The extraction from one message; names in order of position, claims in order of occurrence."""

    names: tuple[NamedSpan, ...] = ()
    claims: tuple[Claim, ...] = ()
