"""The reply that is asked for. What of it is not of its shape is passed over, item by item. Pure."""

from __future__ import annotations

import re
from html import unescape
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError, field_validator

from palace.mining.extraction.windows import SaidTurn, Window
from palace.models.claims import Action, EntityType

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


MOST_PLACES = 20
"""Places of one name in one turn."""

WORD = re.compile(r"\w+")
_STOP = re.compile(r"[.!?…](?=\s|$)|\n")


def words_of(window: Window) -> set[str]:
    """Give every word that a person says in a window, case-folded."""
    return {word.casefold() for turn in window.turns if turn.is_persons for word in WORD.findall(turn.shown)}


def place_of_a_word(name: str, turn: SaidTurn) -> tuple[int, int] | None:
    """Find where a word of a name stands in a turn, the longest that does; "of" and its like are no such words."""
    words = sorted((word for word in WORD.findall(name) if len(word) > 2 or word.isdigit()), key=len, reverse=True)
    return next((place for word in words for place in places_of(word, turn)), None)


def places_of(name: str, turn: SaidTurn) -> list[tuple[int, int]]:
    """List where a name stands in what was shown of a turn, as whole words, in any case and with any spaces."""
    words = unescape(name).split()
    if not words:
        return []
    pattern = r"(?<!\w)" + r"\s+".join(map(re.escape, words)) + r"(?!\w)"
    if not (words[0][0].isalnum() and words[-1][-1].isalnum()):
        pattern = r"\s+".join(map(re.escape, words))
    found = re.finditer(pattern, turn.shown, re.IGNORECASE)
    return [match.span() for match, _ in zip(found, range(MOST_PLACES), strict=False)]


def clause_of(content: str, start: int, end: int) -> tuple[int, int]:
    """Give the sentence that a place stands in."""
    before = [found.end() for found in _STOP.finditer(content, 0, start)]
    after = _STOP.search(content, end)
    begin = before[-1] if before else 0
    begin += len(content[begin:start]) - len(content[begin:start].lstrip())
    return begin, after.end() if after else len(content)
