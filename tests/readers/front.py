"""The one door through which these tests read files: what would be filed of a path, and what is told beside it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, tzinfo
from pathlib import Path
from typing import Any, BinaryIO

from palace.errors import UnreadableSource
from palace.mining.discovery import list_sources
from palace.mining.files.reading import DateOrder, Reading
from palace.mining.readers.registry import read_conversations
from palace.models import Conversation, Slicing, Turn

NOW = datetime(2026, 6, 1, tzinfo=UTC)
DAY_FIRST, MONTH_FIRST = DateOrder.DAY_FIRST, DateOrder.MONTH_FIRST
LONGEST = 300
"""So many characters of a message stand in what is expected of it."""


@dataclass
class Told:
    """What is told beside what was read."""

    left_out: Counter[str] = field(default_factory=Counter)
    failures: list[UnreadableSource] = field(default_factory=list)
    notices: list[str] = field(default_factory=list)


Read = Callable[..., list[Conversation]]
ReadTold = Callable[..., tuple[list[Conversation], Told]]
WriteTree = Callable[[dict[str, object]], Path]


def told(path: Path | str, **how: Any) -> tuple[list[Conversation], Told]:
    """Read everything a path offers, in a zone, with an order of dates and in an encoding that may be given."""
    beside = Told()
    return list(_each(path, beside, **how)), beside


def _each(
    path: Path | str, beside: Told, *, zone: tzinfo = UTC, dates: str | None = None, encoding: str | None = None
) -> Iterator[Conversation]:
    for source in list_sources(path):
        reading = Reading(source.file, NOW, zone, DateOrder(dates) if dates else None, encoding)
        try:
            yield from read_conversations(source, reading)
        finally:
            beside.left_out.update(reading.left_out)
            beside.failures += reading.failures
            beside.notices += reading.notices


def read(path: Path | str, **how: Any) -> list[Conversation]:
    """Read everything a path offers, whatever is told beside it."""
    return told(path, **how)[0]


class Offered:
    """A source that a path offers."""

    def __init__(self, source: Any) -> None:
        self.file: str = source.file
        self.name: str = source.name
        self._source = source

    def conversations(self) -> Iterator[Conversation]:
        """Stream what is in it."""
        return read_conversations(self._source)

    def read(self) -> list[str]:
        """Give what is said in it."""
        return [turn.content for found in self.conversations() for turn in found.turns]


def offered(
    path: Path | str, *, standard_input: BinaryIO | None = None, passed_over: Counter[str] | None = None
) -> list[Offered]:
    """List the sources that a path offers."""
    return [Offered(each) for each in list_sources(path, standard_input=standard_input, passed_over=passed_over)]


def as_bytes(content: object) -> bytes:
    """Give a file's bytes: those and text as they are, anything else as JSON."""
    if isinstance(content, bytes):
        return content
    return content.encode() if isinstance(content, str) else json.dumps(content).encode()


def texts(found: list[Conversation]) -> list[list[str]]:
    """Give what is said in each conversation."""
    return [[turn.content for turn in each.turns] for each in found]


def outcome(path: Path, *, longest: int = LONGEST, **how: Any) -> dict[str, Any]:
    """Read a path and give all that came of it as JSON would have it, leaving out what is empty."""

    def named(message: object) -> str:
        return str(message).replace(f"{path.parent}/", "").split(" (looked for ")[0]

    found: list[Conversation] = []
    beside, refused = Told(), ""
    try:
        found.extend(_each(path, beside, **how))
    except UnreadableSource as problem:
        refused = named(problem)
    return filled(
        refused=refused,
        conversations=[_of_conversation(each, longest) for each in found],
        left_out=dict(sorted(beside.left_out.items())),
        failures=[named(problem) for problem in beside.failures],
        notices=[named(notice) for notice in beside.notices],
    )


def _of_conversation(found: Conversation, longest: int) -> dict[str, Any]:
    return filled(
        reader=found.reader,
        id=found.source_id,
        title=found.title,
        project=found.project,
        folder=found.folder,
        place=found.place,
        began=found.started_at and found.started_at.isoformat(),
        by_day=found.slicing is Slicing.BY_DAY,
        ids_are_global=found.turn_ids_are_global,
        is_partial=found.is_partial,
        warnings=list(found.warnings),
        turns=[_of_turn(turn, longest) for turn in found.turns],
    )


def _of_turn(turn: Turn, longest: int) -> dict[str, Any]:
    says = turn.content.encode("utf-8", "backslashreplace").decode()
    return filled(
        role=turn.role.value,
        speaker=turn.speaker,
        at=turn.said_at and turn.said_at.isoformat(),
        offset=turn.said_offset,
        id=turn.source_id,
        answers=turn.answers,
        replaced_by=turn.replaced_by,
        says=says if len(says) <= longest else f"{says[:longest]}… ({len(says)} characters)",
    )


def filled(**fields: Any) -> dict[str, Any]:
    """Give fields without those that are empty."""
    return {name: value for name, value in fields.items() if value or (value == 0 and value is not False)}
