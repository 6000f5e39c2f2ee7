"""Collects the turns and metadata of one conversation while it is read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from itertools import groupby, pairwise
from typing import Any, NamedTuple, TypedDict, Unpack

from palace.config.checkout import key_of_repository
from palace.errors import UnreadableSource
from palace.mining.drafts.links import Links, with_own_ids
from palace.mining.drafts.parts import OddContent, split_content
from palace.mining.drafts.times import Clock
from palace.mining.files.fields import as_list, as_name, as_title
from palace.mining.files.reading import Reading
from palace.models import Conversation, Role, Slicing, Turn, intake
from palace.nlp.blocks import without_blocks


class About(TypedDict, total=False):
    """Metadata of a conversation; see the fields of ``Conversation``."""

    source_id: str | None
    title: str | None
    project: str | None
    folder: str | None
    folder_hash: str | None
    repository: str
    started_at: datetime | None
    place: str
    slicing: Slicing
    turn_ids_are_global: bool
    whole_text: str | None


NO_TIME = object()
"""Marks a message that never has a time, so that none is reported missing."""


class Stamp(NamedTuple):
    """Metadata of a message beside role and content."""

    at: object = None
    """Its time, in any notation."""
    source_id: str | None = None
    speaker: str | None = None
    answers: str | None = None
    """Id of the message that it answers."""
    replaced_by: str | None = None
    """Id of the message that replaced it."""
    place: str = ""
    """Position in its source, for error messages."""


class Unreadable(NamedTuple):
    """A stand-in for a message that is known to be unreadable."""

    reason: str


class Draft:
    """The turns of one conversation, collected in order while it is read."""

    def __init__(self, reader: str, reading: Reading, *, dated: bool = True) -> None:
        """Begin an empty draft; with ``dated``, every message should have a time and a missing one is reported."""
        self._reader, self.reading, self._dated = reader, reading, dated
        self._clock = Clock(reading.now, reading.zone)
        self._turns: list[Turn] = []
        self._message = 0
        self._messages: list[int] = []
        """The message number of each turn, from 1; 0 if the reader does not number messages."""
        self._links = Links()
        self._warnings: list[str] = []
        self._left_out: Counter[str] = Counter()
        self._is_partial = False

    def say(self, role: Role, content: str, stamp: Stamp, part: object = None) -> None:
        """Add a turn; an empty one is left out, but white space counts as content.

        Memory blocks that were given to a model are removed. A ``part`` is appended to the message's id ("id:2").
        """
        message = as_name(stamp.source_id)
        if message and not stamp.replaced_by:
            self.mark(message)
        content = without_blocks(content)
        if not content:
            return
        own = message if part is None or message is None else f"{message}:{part}"
        if message and own:
            self._links.stand(message, own, is_part=part is not None)
        moment = None if stamp.at is NO_TIME else self._clock.read(stamp.at, stamp.place)
        self._messages.append(self._message)
        self._turns.append(
            Turn(
                role,
                content,
                as_name(stamp.speaker),
                moment.at if moment else None,
                own,
                said_offset=moment.offset if moment else None,
                answers=as_name(stamp.answers),
                replaced_by=as_name(stamp.replaced_by),
            )
        )

    def say_parts(self, role: Role, content: object, stamp: Stamp, place: str) -> None:
        """Add the content of a message: its text as one turn, each tool call or result as a turn of its own.

        The first text keeps the message's id; the others append their part's index ("id:2"). A tool's turn has the
        tool's name as speaker, if known.

        Raises:
            UnreadableSource: the content is neither text nor a list of parts.
        """
        try:
            pieces = split_content(content, self.leave_out)
        except OddContent as problem:
            raise self.reading.problem(str(problem), place) from problem
        stamp = stamp._replace(place=place)
        text = next((piece for piece in pieces if not piece.is_tool), None)
        for piece in pieces:
            own = stamp._replace(speaker=piece.tool) if piece.is_tool else stamp
            self.say(Role.TOOL if piece.is_tool else role, piece.text, own, None if piece is text else piece.part)

    @contextmanager
    def one_message(self) -> Iterator[None]:
        """Enclose the reading of one message: if that fails, it is reported and skipped."""
        self._message += 1
        try:
            yield
        except UnreadableSource as problem:
            self.reading.miss(problem)
            self.lack()

    def say_each(self, messages: object, place: str, say: Callable[[dict[str, Any], str], None]) -> None:
        """Call ``say`` for each message of a list, with its place; unreadable ones are reported and skipped."""
        for number, message in enumerate(as_list(messages), 1):
            where = f"{place}, message {number}" if place else f"message {number}"
            with self.one_message():
                if not isinstance(message, dict):
                    reason = message.reason if isinstance(message, Unreadable) else "the message is not an object"
                    raise self.reading.problem(reason, where)
                say(message, where)

    def lack(self) -> None:
        """Mark the conversation as incomplete, so that missing messages do not count as deleted."""
        self._is_partial = True

    def mark(self, message: str) -> None:
        """Record the position of a message, so that its replaced messages can be linked even if it becomes no turn."""
        self._links.mark(message, len(self._turns))

    def leave_out(self, kind: str, count: int = 1) -> None:
        """Count content that becomes no turn; reported only if the conversation can be read."""
        if count:
            self._left_out[kind] += count

    def warn(self, *lines: str) -> None:
        """Add warnings, one line each, about content that was repaired or left out."""
        self._warnings += lines

    def finish(self, **about: Unpack[About]) -> Iterator[Conversation]:
        """Yield the conversation, or nothing without turns; messages that are too long are reported as missing."""
        self.reading.left_out.update(self._left_out)
        self._left_out.clear()
        place = about.get("place", "")
        named = self._that_fit(with_own_ids(self._turns), place)
        if not any(named):
            return
        about["source_id"] = as_name(about.get("source_id"))
        about["title"] = as_title(about.get("title"))
        about["project"] = as_name(about.get("project"))
        about["folder"] = as_name(about.get("folder"))
        about["repository"] = key_of_repository(about.get("repository") or "")
        odd_times = self._clock.warnings(dated=self._dated, within=place)
        warnings = (*self._warnings, *_half_embedded(named), *odd_times)
        turns = tuple(self._links.resolve(named))
        messages = tuple(message for message, turn in zip(self._messages, named, strict=True) if turn is not None)
        if _is_newest_first(turns):
            places = _turned_round(turns, messages)
            turns, messages = tuple(turns[at] for at in places), tuple(messages[at] for at in places)
        yield Conversation(
            self._reader, turns, warnings=warnings, is_partial=self._is_partial, messages=messages, **about
        )

    def _that_fit(self, turns: list[Turn | None], place: str) -> list[Turn | None]:
        for number, turn in enumerate(turns):
            if turn is not None and (reason := intake.oversize(turn.content)):
                where = f"{place}, message {number + 1}" if place else f"message {number + 1}"
                self.reading.miss(self.reading.problem(reason, where))
                self.lack()
                turns[number] = None
        return turns


def _is_newest_first(turns: Sequence[Turn]) -> bool:
    """Check by their times whether messages stand newest first.

    With two messages, a question before its answer outweighs their times.
    """
    times = [turn.said_at for turn in turns if turn.said_at is not None]
    if len(times) < 2 or times[0] <= times[-1] or any(one < following for one, following in pairwise(times)):
        return False
    return len(turns) > 2 or turns[0].role is not Role.USER or turns[1].role is Role.USER


def _turned_round(turns: Sequence[Turn], messages: Sequence[int]) -> list[int]:
    """Return the indexes of turns in reverse order of messages; turns of one message keep their order.

    System turns at the very beginning stay there.
    """
    front = next(at for at, turn in enumerate(turns) if turn.said_at or turn.role is not Role.SYSTEM)
    groups = groupby(range(front, len(turns)), key=lambda at: messages[at] or -at)
    return [*range(front), *(at for group in reversed([[*each] for _, each in groups]) for at in group)]


def _half_embedded(turns: Sequence[Turn | None]) -> Iterator[str]:
    for number, turn in enumerate(turns, 1):
        if turn is not None and turn.role is not Role.TOOL and len(turn.content) > intake.SURELY_MORE:
            yield (
                f"message {number} has {len(turn.content):,} characters: only {intake.MOST_VECTORS} passages of it are"
                " found by meaning, all of it by its words"
            )
