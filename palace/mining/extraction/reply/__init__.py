"""The reply that is asked for. What of it is not of its shape is passed over, item by item. Pure."""

from __future__ import annotations

from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError, field_validator

from palace.records.graph import Action, EntityType

MOST_ITEMS = 1_000
"""Entities, or assertions, of a reply that are looked at."""
MOST_TOPICS = 3
LONGEST_NAME = 200
LONGEST_VALUE = 300
LONGEST_TOPIC = 60
LONGEST_KIND = 40
"""Characters."""

Item = TypeVar("Item", bound=BaseModel)


class _Strict(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)


class RepliedEntity(_Strict):
    """A name that is said to stand in a turn."""

    text: str = Field(min_length=1, max_length=LONGEST_NAME)
    type: EntityType
    turn: int = Field(strict=True)
    kind: str | None = None
    """A general word for it; what is no text, or too long for a word, is none."""

    @field_validator("kind", mode="before")
    @classmethod
    def _as_word(cls, value: object) -> object:
        return " ".join(value.lower().split()) if isinstance(value, str) and len(value) <= LONGEST_KIND else None

    @field_validator("type", mode="before")
    @classmethod
    def _in_lower_case(cls, value: object) -> object:
        return value.strip().lower() if isinstance(value, str) else value


class RepliedAssertion(_Strict):
    """A claim that is said to stand in a turn."""

    subject: str = Field(min_length=1, max_length=LONGEST_NAME)
    predicate: str = Field(pattern=r"^[a-z][a-z0-9]*(_[a-z0-9]+)*$", max_length=60)
    target: str = Field(default="", max_length=LONGEST_VALUE, alias="object")
    turn: int = Field(strict=True)
    action: Action | None = None
    """None where the reply leaves it open."""
    valid_from: str | None = Field(default=None, max_length=40)
    precision: str | None = Field(default=None, max_length=20)
    valid_to: str | None = Field(default=None, max_length=40)
    precision_to: str | None = Field(default=None, max_length=20)
    negated: bool = False
    hypothetical: bool = False

    @field_validator("predicate", mode="before")
    @classmethod
    def _in_snake_case(cls, value: object) -> object:
        return "_".join(value.lower().split()) if isinstance(value, str) else value

    @field_validator("target", mode="before")
    @classmethod
    def _as_text(cls, value: object) -> object:
        if value is None:
            return ""
        is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
        return str(value) if is_number else value


class Replied(_Strict):
    """A whole reply; its items are not looked at yet."""

    entities: list[JsonValue]
    assertions: list[JsonValue]
    topics: list[JsonValue] = Field(default_factory=list)


def items_of(kind: type[Item], values: list[JsonValue]) -> tuple[list[Item], int]:
    """Read the items that are of a kind, up to a thousand; give with them how many values were left out."""
    found: list[Item] = []
    for value in values[:MOST_ITEMS]:
        try:
            found.append(kind.model_validate(value))
        except (ValidationError, RecursionError):
            continue
    return found, len(values) - len(found)


def dumped(item: BaseModel) -> dict[str, Any]:
    """Write an item as it is kept."""
    return item.model_dump(mode="json", exclude_defaults=True, by_alias=True)
