"""A forgotten drawer as it is kept for a while: its lines as an export has them, and what else pointed at it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

from pydantic import TypeAdapter

from palace.files.lines import ConversationLine, DrawerLine, ReplyLine, RoomLine, TombstoneLine, WingLine
from palace.files.values import Identity


@dataclass(frozen=True, slots=True)
class HiddenParts:
    """All that it takes to file a drawer again as it was. Runs are cited by their ids."""

    wing: WingLine
    conversation: ConversationLine
    room: RoomLine
    drawer: DrawerLine
    grave: TombstoneLine | None
    """That of an earlier forgetting, out of force."""
    replaces: tuple[Identity, ...]
    """The drawers whose place it took."""
    answered_by: tuple[Identity, ...]
    replies: tuple[ReplyLine, ...]
    """What a language model replied about it; of several drawers forgotten together, with the first of them."""


@cache
def _codec() -> TypeAdapter[HiddenParts]:
    return TypeAdapter(HiddenParts)


def parts_to_json(parts: HiddenParts) -> Any:
    """Write the parts as JSON."""
    return _codec().dump_python(parts, mode="json")


def parts_from_json(value: Any) -> HiddenParts:
    """Read the parts as they were written."""
    return _codec().validate_python(value)
