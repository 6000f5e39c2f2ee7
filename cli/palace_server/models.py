"""Values that the answers of several routes contain."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Annotated, Any, Self

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, Strict

from palace import Pointer


def _written(value: Any) -> Any:
    """Refuse seconds since 1970, which the description does not have."""
    try:
        float(value)
    except (TypeError, ValueError):
        return value
    raise ValueError("a moment is written like 2026-04-30T18:20:00Z")


Moment = Annotated[datetime, Strict(False), BeforeValidator(_written)]
"""A date and time; one without an offset is in the person's zone."""
DEEPEST = 100
"""How deep a message is nested, at most."""
LONE = re.compile("[\\ud800-\\udfff]")
Name = Annotated[str, Field(min_length=1, max_length=200)]


def _holdable(value: Any, depth: int = 0) -> Any:
    """Refuse what no answer can hold: lone surrogates, and what is nested too deeply."""
    if depth > DEEPEST:
        raise ValueError(f"it is nested more than {DEEPEST} deep")
    if isinstance(value, str) and LONE.search(value):
        raise ValueError("it has half of a character: a lone surrogate")
    for each in (*value, *value.values()) if isinstance(value, dict) else value if isinstance(value, list) else ():
        _holdable(each, depth + 1)
    return value


Holdable = AfterValidator(_holdable)
"""Marks what is sent back as it came."""


class Request(BaseModel):
    """A body of a request: unknown members are refused, so that a misspelt option is no silent default.

    A number or a truth value is none in quotes.
    """

    model_config = ConfigDict(extra="forbid", strict=True)


def cited(pointer: Pointer | None) -> str | None:
    """Write a pointer as paths and bodies have it, ``W-001/R-02/D-003``."""
    return None if pointer is None else str(pointer).removeprefix("§ ")


Cited = Annotated[str, BeforeValidator(cited)]


class Answer(BaseModel):
    """A part of an answer, made of a record of the library by the names of its fields."""

    model_config = ConfigDict(from_attributes=True)

    @classmethod
    def of(cls, record: object) -> Self:
        """Convert a record."""
        return cls.model_validate(record)


class DrawerOut(Answer):
    """One message or note, word for word."""

    pointer: Cited = Field(description="Its citation and path.", examples=["W-001/R-02/D-003"])
    content: str = Field(examples=["The spare key is under the blue pot."])
    role: str = Field(examples=["user"])
    speaker: str | None
    said_at: datetime | None
    filed_at: datetime
    wing: str = Field(validation_alias="wing_name", examples=["Notes"])
    room: str = Field(validation_alias="room_name", examples=["2026-04-30 evening session"])
    closet: str | None = Field(validation_alias="closet_name", description="Its topic in the room.")
    replaced_by: Cited | None = Field(description="Pointer of its newer version.")
    until: datetime | None = Field(description="When one of its statements stopped being true.")
    superseded_by: Cited | None = Field(description="Pointer of the drawer that says what is true instead.")
    tags: Annotated[list[str], BeforeValidator(lambda tags: [tag.name for tag in tags])] = Field(
        description="People and things that it is about; empty in lists.", examples=[[]]
    )


class MemoryFields(Answer):
    """What makes a drawer a memory."""

    type: str = Field(examples=["semantic"])
    state: str = Field(description="Whether a person has accepted it.", examples=["accepted"])
    origin: str = Field(description="Who said what it stands on: person, assistant or tool.", examples=["person"])
    evidence: list[Cited] = Field(description="Pointers of the drawers that it stands on.")
