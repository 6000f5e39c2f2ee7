"""Checks that the lines of an export agree: references exist, the order is right, nothing is repeated. Pure."""

from __future__ import annotations

from collections.abc import Hashable

from palace.graph.resolve import fold_name
from palace.models.graph import MOST_DECISIONS, DecisionVerb
from palace.models.json_values import Malformed
from palace.models.lines import (
    ActivityLine,
    ConversationLine,
    ConversationPart,
    DecisionLine,
    DrawerLine,
    HeaderLine,
    Line,
    ReplyLine,
    RoomLine,
    RunLine,
    SettingLine,
    TombstoneLine,
    WingLine,
)

_SECTIONS: tuple[type[Line], ...] = (RunLine, ActivityLine, WingLine, DecisionLine, SettingLine, ConversationLine)
_PARTS: tuple[type[Line], ...] = (ConversationLine, RoomLine, DrawerLine, TombstoneLine, ReplyLine)
"""Kinds of lines, both in order; a line that is no section is part of the latest conversation."""


class Agreement:
    """What the lines so far have named; only identities and names, so that a file larger than memory can be checked."""

    def __init__(self, header: HeaderLine) -> None:
        self._wing_seq = header.wing_seq
        self._runs = 0
        self._decisions = 0
        self._furthest = 0
        self._seen: dict[str, set[Hashable]] = {}
        self._rooms_given: dict[int, int] = {}
        """The last room number that each wing has drawn."""
        self._drawers_given: dict[str, int] = {}
        """The last drawer number drawn in each slice of the current conversation."""
        self._drawers_here: set[tuple[str, int]] = set()
        self._identities_here: set[bytes] = set()
        self._digests_here: set[bytes] = set()
        self._section = 0
        self._part = 0

    def check(self, line: Line) -> None:
        """Check the next line.

        Raises:
            Malformed: it contradicts the lines before it.
        """
        self._keep_order(type(line))
        match line:
            case RunLine():
                self._runs += 1
                self._furthest = max(self._furthest, *line.basis, 0)
            case ActivityLine():
                self._cite_run(line.run)
            case WingLine():
                self._check_wing(line)
            case DecisionLine():
                self._check_decision(line)
            case SettingLine():
                self._once("setting", (line.agent, line.name))
            case ConversationLine():
                self._drawers_given, self._drawers_here = {}, set()
                self._identities_here, self._digests_here = set(), set()
                self._once("conversation", line.identity)
                self._cite_run(line.run)
            case _:
                self._check_part(line)

    def finish(self) -> None:
        """Check the end of the file.

        Raises:
            Malformed: a run refers to one that never came.
        """
        self._cite_run(self._furthest or None)

    def _keep_order(self, kind: type[Line]) -> None:
        last = len(_SECTIONS) - 1
        section = _SECTIONS.index(kind) if kind in _SECTIONS else last
        if section < self._section or (kind not in _SECTIONS and self._section < last):
            raise Malformed(
                "is out of order: runs come first, then events, wings, decisions, settings, and conversations with what"
                " is theirs"
            )
        part = _PARTS.index(kind) if kind in _PARTS else 0
        if 0 < part < self._part:
            raise Malformed(
                "is out of order: a conversation's rooms come first, then its drawers, its tombstones, its replies"
            )
        self._section, self._part = section, part

    def _check_part(self, line: ConversationPart) -> None:
        match line:
            case RoomLine():
                self._check_room(line)
            case DrawerLine():
                self._check_drawer(line)
            case TombstoneLine():
                self._once("tombstone", line.identity)
                self._cite_run(line.restored_by)
            case ReplyLine():
                self._check_reply(line)

    def _check_wing(self, line: WingLine) -> None:
        _given_out("wing", line.number, self._wing_seq)
        self._rooms_given[line.number] = line.room_seq
        self._once("wing", line.number)
        self._once("wing's slug", line.slug)
        for alias in line.aliases:
            self._once("alias", alias.slug)
            if alias.number is not None:
                _given_out("alias' wing", alias.number, self._wing_seq)
                self._once("alias' number", alias.number)

    def _check_decision(self, line: DecisionLine) -> None:
        self._decisions += 1
        if self._decisions > MOST_DECISIONS:
            raise Malformed(f"is one decision more than the {MOST_DECISIONS:,} that a palace keeps")
        for what, name in (("name", line.name), ("other", line.other)):
            if not fold_name(name):
                raise Malformed(f"has no letter or digit in {what!r}")
        if line.conversations is not None and line.verb is not DecisionVerb.SPLIT:
            raise Malformed("is about some conversations, which only a split may be")

    def _check_room(self, line: RoomLine) -> None:
        if line.wing not in self._seen.get("wing", ()):
            raise Malformed(f"cites wing {line.wing}, which is not among the wings")
        _given_out("room", line.number, self._rooms_given[line.wing])
        self._once("room", (line.wing, line.number))
        if line.slice in self._drawers_given:
            raise Malformed(f"is the second room of the slice {line.slice!r}")
        self._drawers_given[line.slice] = line.drawer_seq
        for former in line.former:
            self._once("former room", tuple(former))

    def _check_drawer(self, line: DrawerLine) -> None:
        if line.slice not in self._drawers_given:
            raise Malformed(f"cites the slice {line.slice!r}, of which its conversation has no room")
        _given_out("drawer", line.number, self._drawers_given[line.slice])
        if (line.slice, line.number) in self._drawers_here:
            raise Malformed(f"is the second drawer {line.number} of its room")
        self._drawers_here.add((line.slice, line.number))
        self._once("drawer", line.identity)
        self._identities_here.add(line.identity)
        self._cite_run(line.run)
        self._cite_run(line.replaced_run)
        if line.replaced_at is None and (line.replaced_by is not None or line.replaced_run is not None):
            raise Malformed("is replaced by something, and not replaced")
        if (line.redacted is None) != (line.said is None):
            raise Malformed("has only one of 'redacted' and 'said'")

    def _check_reply(self, line: ReplyLine) -> None:
        missing = next((each for each in line.drawers if each not in self._identities_here), None)
        if missing is not None:
            raise Malformed(f"is about the drawer '{missing.hex()}', which its conversation does not have")
        if line.digest in self._digests_here:
            raise Malformed(f"repeats the reply '{line.digest.hex()}'")
        self._digests_here.add(line.digest)

    def _once(self, what: str, key: Hashable) -> None:
        seen = self._seen.setdefault(what, set())
        if key in seen:
            shown = key.hex() if isinstance(key, bytes) else key
            raise Malformed(f"repeats the {what} {shown!r}")
        seen.add(key)

    def _cite_run(self, run: int | None) -> None:
        if run is not None and run > self._runs:
            raise Malformed(f"cites run {run}, but there are {self._runs}")


def _given_out(what: str, number: int, last: int) -> None:
    """Refuse a number that is still to be drawn: it would be used a second time."""
    if number > last:
        raise Malformed(f"has the {what} number {number}, though the last given out is {last}")
