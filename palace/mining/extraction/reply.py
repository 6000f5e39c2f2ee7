"""The expected format of a reply; items of another format are skipped one by one. Pure."""

from __future__ import annotations

import re
from html import unescape
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError, field_validator

from palace.mining.extraction.windows import SaidTurn, Window
from palace.models.claims import Action, EntityType

MOST_ITEMS = 1_000
"""Most entities, or assertions, of a reply that are parsed."""
MOST_TOPICS = 3
LONGEST_NAME = 200
LONGEST_VALUE = 300
LONGEST_TOPIC = 60
LONGEST_KIND = 40
"""Most characters of a kind."""

Item = TypeVar("Item", bound=BaseModel)


class _Strict(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)


class RepliedEntity(_Strict):
    """A name and the turn that it occurs in, according to the model."""

    text: str = Field(min_length=1, max_length=LONGEST_NAME)
    type: EntityType
    turn: int = Field(strict=True)
    kind: str | None = None
    """A general word for it; a value that is no text or too long becomes None."""

    @field_validator("kind", mode="before")
    @classmethod
    def _as_word(cls, value: object) -> object:
        return " ".join(value.lower().split()) if isinstance(value, str) and len(value) <= LONGEST_KIND else None

    @field_validator("type", mode="before")
    @classmethod
    def _in_lower_case(cls, value: object) -> object:
        return value.strip().lower() if isinstance(value, str) else value


class RepliedAssertion(_Strict):
    """A claim and the turn that makes it, according to the model."""

    subject: str = Field(min_length=1, max_length=LONGEST_NAME)
    predicate: str = Field(pattern=r"^[a-z][a-z0-9]*(_[a-z0-9]+)*$", max_length=60)
    target: str = Field(default="", max_length=LONGEST_VALUE, alias="object")
    turn: int = Field(strict=True)
    action: Action | None = None
    """None if the reply has none."""
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
    """A whole reply, its items not validated yet."""

    entities: list[JsonValue]
    assertions: list[JsonValue]
    topics: list[JsonValue] = Field(default_factory=list)


def items_of(kind: type[Item], values: list[JsonValue]) -> tuple[list[Item], int]:
    """Return the valid items, of the first 1,000, and how many values were left out."""
    found: list[Item] = []
    for value in values[:MOST_ITEMS]:
        try:
            found.append(kind.model_validate(value))
        except (ValidationError, RecursionError):
            continue
    return found, len(values) - len(found)


def dumped(item: BaseModel) -> dict[str, Any]:
    """Return an item as JSON data, as it is stored."""
    return item.model_dump(mode="json", exclude_defaults=True, by_alias=True)


MOST_PLACES = 20
"""Most positions of one name in one turn."""

WORD = re.compile(r"\w+")
_STOP = re.compile(r"[.!?…](?=\s|$)|\n")


def words_of(window: Window) -> set[str]:
    """Return every word that a person says in a window, case-folded."""
    return {word.casefold() for turn in window.turns if turn.is_persons for word in WORD.findall(turn.shown)}


def place_of_a_word(name: str, turn: SaidTurn) -> tuple[int, int] | None:
    """Return the position of the longest word of a name that occurs in a turn, or None; short words do not count."""
    words = sorted((word for word in WORD.findall(name) if len(word) > 2 or word.isdigit()), key=len, reverse=True)
    return next((place for word in words for place in places_of(word, turn)), None)


def places_of(name: str, turn: SaidTurn) -> list[tuple[int, int]]:
    """Return the positions of a name in the shown part of a turn: whole words, in any case and spacing."""
    words = unescape(name).split()
    if not words:
        return []
    pattern = r"(?<!\w)" + r"\s+".join(map(re.escape, words)) + r"(?!\w)"
    if not (words[0][0].isalnum() and words[-1][-1].isalnum()):
        pattern = r"\s+".join(map(re.escape, words))
    found = re.finditer(pattern, turn.shown, re.IGNORECASE)
    return [match.span() for match, _ in zip(found, range(MOST_PLACES), strict=False)]


def clause_of(content: str, start: int, end: int) -> tuple[int, int]:
    """Return the span of the sentence around a position."""
    before = [found.end() for found in _STOP.finditer(content, 0, start)]
    after = _STOP.search(content, end)
    begin = before[-1] if before else 0
    begin += len(content[begin:start]) - len(content[begin:start].lstrip())
    return begin, after.end() if after else len(content)
