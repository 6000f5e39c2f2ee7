"""A conversation while it is being read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from typing import NamedTuple, TypedDict, Unpack

from palace.mining.readers.fields import as_name, as_title
from palace.mining.readers.parts import OddContent, split_content
from palace.mining.readers.reading import Reading
from palace.mining.readers.times import Clock
from palace.records import Conversation, Role, Slicing, Turn


class About(TypedDict, total=False):
    """What is known of a conversation apart from its turns; see the fields of ``Conversation``."""

    source_id: str | None
    title: str | None
    project: str | None
    started_at: datetime | None
    place: str
    slicing: Slicing
    turn_ids_are_global: bool
    whole_text: str | None


class Stamp(NamedTuple):
    """What a message carries beside its role and content."""

    at: object = None
    """Its time, in whatever notation."""
    source_id: str | None = None
    speaker: str | None = None
    answers: str | None = None
    replaced_by: str | None = None


class Draft:
    """Collects the turns of one conversation in the order they are said."""

    def __init__(self, reader: str, reading: Reading, *, dated: bool = True) -> None:
        """Begin an empty one; ``dated``: every message should have a time, so a missing one is told."""
        self._reader, self._reading, self._dated = reader, reading, dated
        self._clock = Clock(reading.now, reading.zone)
        self._turns: list[Turn] = []
        self._warnings: list[str] = []

    def say(self, role: Role, content: str, stamp: Stamp) -> None:
        """Add a turn; one with nothing in it at all is left out, white space is something."""
        if content:
            moment = self._clock.read(stamp.at)
            self._turns.append(
                Turn(
                    role,
                    content,
                    as_name(stamp.speaker),
                    moment.at if moment else None,
                    as_name(stamp.source_id),
                    said_offset=moment.offset if moment else None,
                    wall_time=moment.wall_time if moment else None,
                    answers=as_name(stamp.answers),
                    replaced_by=as_name(stamp.replaced_by),
                )
            )

    def say_parts(self, role: Role, content: object, stamp: Stamp, place: str) -> None:
        """Add what a message's content holds: its text as one turn, each tool call or result as its own.

        The first text keeps the message's id; everything else gets it with the place of its part ("id:2").

        Raises:
            UnreadableSource: the content is neither text nor a list of parts.
        """
        try:
            pieces = split_content(content)
        except OddContent as problem:
            raise self._reading.problem(str(problem), place) from problem
        text = next((piece for piece in pieces if not piece.is_tool), None)
        for piece in pieces:
            own = stamp
            if piece is not text and stamp.source_id:
                own = own._replace(source_id=f"{stamp.source_id}:{piece.part}")
            if piece.is_tool:
                own = own._replace(speaker=piece.tool)
            self.say(Role.TOOL if piece.is_tool else role, piece.text, own)

    def warn(self, line: str) -> None:
        """Note what was mended or left out, in one short line."""
        self._warnings.append(line)

    def finish(self, **about: Unpack[About]) -> Iterator[Conversation]:
        """Give the conversation, or nothing where no turn was said."""
        if not self._turns:
            return
        about["source_id"] = as_name(about.get("source_id"))
        about["title"] = as_title(about.get("title"))
        about["project"] = as_name(about.get("project"))
        warnings = (*self._warnings, *self._clock.warnings(dated=self._dated))
        yield Conversation(self._reader, tuple(_with_own_ids(self._turns)), warnings=warnings, **about)


def _with_own_ids(turns: list[Turn]) -> Iterator[Turn]:
    """Leave out exact repetitions of a message id; give another message under the same id one of its own."""
    known: dict[str, list[tuple[Role, str]]] = {}
    for turn in turns:
        if turn.source_id is None:
            yield turn
            continue
        said = known.setdefault(turn.source_id, [])
        if (turn.role, turn.content) in said:
            continue
        said.append((turn.role, turn.content))
        yield turn if len(said) == 1 else replace(turn, source_id=f"{turn.source_id}~{len(said)}")
