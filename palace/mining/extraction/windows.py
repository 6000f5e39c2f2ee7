"""A conversation's drawers as names and claims are read from them, and the windows that a model is shown. Pure."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import tzinfo

from palace.graph.resolve import fold_name
from palace.models import FiledTurn, Role
from palace.models.claims import Said

WHOLE = 50
"""Turns of a conversation that is shown as a whole."""
LARGEST, SMALLEST = 10, 8
"""Turns of a window of a longer one."""
MOST_WINDOWS = 500
"""Of one conversation; what stands behind them is read by rules."""
LONGEST_WHOLE = 40_000
"""Characters of a conversation that is shown as a whole."""
LONGEST_SAID = 4_000
"""Characters that are shown of what a person says."""
LONGEST_ANSWER = 1_000
"""Characters that are shown of what an assistant says: it is there to tell what the person answers."""


@dataclass(frozen=True, slots=True)
class SaidTurn:
    """A drawer, as names and claims are read from it."""

    drawer_id: int
    said: Said

    @property
    def shown(self) -> str:
        """As much of it as a model sees; nothing of what tools and systems say."""
        if self.said.role in (Role.TOOL, Role.SYSTEM):
            return ""
        longest = LONGEST_ANSWER if self.said.role is Role.ASSISTANT else LONGEST_SAID
        return self.said.content[:longest]

    @property
    def is_persons(self) -> bool:
        """Whether a person says it."""
        return self.said.role is Role.USER


@dataclass(frozen=True, slots=True)
class Window:
    """Turns that a model is shown together, numbered from 1."""

    turns: tuple[SaidTurn, ...]

    @property
    def drawers(self) -> tuple[int, ...]:
        """Their drawers, in order."""
        return tuple(turn.drawer_id for turn in self.turns)

    def turn(self, number: int) -> SaidTurn | None:
        """Find a turn by its number."""
        return self.turns[number - 1] if 1 <= number <= len(self.turns) else None


def as_said(turns: Sequence[FiledTurn], person: Collection[str], zone: tzinfo) -> list[Said]:
    """Return a conversation's drawers as they are read.

    Where an assistant takes part, whoever is no assistant is the person whose palace it is; else it is who has no name
    or one of theirs.
    """
    own = {fold_name(name) for name in person}
    with_assistant = any(turn.role is Role.ASSISTANT for turn in turns)
    return [
        Said(
            turn.content,
            turn.role,
            turn.speaker,
            turn.said_at.astimezone(zone) if turn.said_at else None,
            turn.language,
            is_self=turn.role is Role.USER
            and (turn.speaker is None or with_assistant or fold_name(turn.speaker) in own),
        )
        for turn in turns
    ]


def said_turns(turns: Sequence[FiledTurn], person: Collection[str], zone: tzinfo) -> list[SaidTurn]:
    """Join a conversation's drawers with how they are read."""
    said = as_said(turns, person, zone)
    return [SaidTurn(turn.drawer_id, each) for turn, each in zip(turns, said, strict=True)]


def windows_of(turns: Sequence[SaidTurn], may_send: Callable[[int], bool]) -> tuple[list[Window], int]:
    """Cut a conversation into the windows that may be sent; return with them how many turns are beyond the last.

    Only turns of drawers that ``may_send`` are in them, in stretches without a gap; a stretch in which no person says
    anything is left out. A conversation that grew has the same windows up to the last few.
    """
    shown = [turn for turn in turns if turn.shown.strip()]
    windows: list[Window] = []
    for stretch in _stretches(shown, may_send):
        windows += [Window(part) for part in _parts(stretch) if any(turn.is_persons for turn in part)]
    left = sum(len(window.turns) for window in windows[MOST_WINDOWS:])
    return windows[:MOST_WINDOWS], left


def digest_of(model: str, turns: str) -> bytes:
    """Return the 32 bytes under which the reply of a model to turns, as it was shown them, is kept."""
    return hashlib.sha256(f"{model}\n{turns}".encode("utf-8", "surrogatepass")).digest()


def _stretches(turns: Sequence[SaidTurn], may_send: Callable[[int], bool]) -> Iterator[list[SaidTurn]]:
    stretch: list[SaidTurn] = []
    for turn in turns:
        if may_send(turn.drawer_id):
            stretch.append(turn)
        elif stretch:
            yield stretch
            stretch = []
    if stretch:
        yield stretch


def _parts(stretch: list[SaidTurn]) -> Iterator[tuple[SaidTurn, ...]]:
    is_small = len(stretch) <= WHOLE and sum(len(turn.shown) for turn in stretch) <= LONGEST_WHOLE
    start = 0
    while start < len(stretch):
        size = len(stretch) if is_small else _size(len(stretch) - start)
        yield tuple(stretch[start : start + size])
        start += size


def _size(left: int) -> int:
    """Return the size of the next window: the largest that leaves a number which can be cut in the same way."""
    for size in range(LARGEST, SMALLEST - 1, -1):
        if size <= left and _can_be_cut(left - size):
            return size
    return min(left, LARGEST)


def _can_be_cut(turns: int) -> bool:
    windows = -(-turns // LARGEST)
    return windows * SMALLEST <= turns
