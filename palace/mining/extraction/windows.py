"""Turns of a conversation as extraction reads them, and the windows that a model is shown. Pure."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import tzinfo

from palace.graph.resolve import fold_name
from palace.models import FiledTurn, Role
from palace.models.claims import Said

WHOLE = 50
"""Most turns of a conversation that is shown as a whole."""
LARGEST = 10
"""Turns of a window of a longer conversation; the last may have fewer."""
MOST_WINDOWS = 500
"""Most windows of one conversation; later turns are read by rules."""
LONGEST_WHOLE = 40_000
"""Most characters of a conversation that is shown as a whole."""
LONGEST_SAID = 4_000
"""Characters shown of a user's turn."""
LONGEST_ANSWER = 1_000
"""Characters shown of an assistant's turn, which is only context for the user's answer."""


@dataclass(frozen=True, slots=True)
class SaidTurn:
    """A drawer's turn with its message."""

    drawer_id: int
    said: Said

    @property
    def shown(self) -> str:
        """The part of it that a model sees; "" for tool and system turns."""
        if self.said.role in (Role.TOOL, Role.SYSTEM):
            return ""
        longest = LONGEST_ANSWER if self.said.role is Role.ASSISTANT else LONGEST_SAID
        return self.said.content[:longest]

    @property
    def is_persons(self) -> bool:
        """Whether a user says it."""
        return self.said.role is Role.USER


@dataclass(frozen=True, slots=True)
class Window:
    """Turns that a model is shown together, numbered from 1."""

    turns: tuple[SaidTurn, ...]

    @property
    def drawers(self) -> tuple[int, ...]:
        """Ids of their drawers, in order."""
        return tuple(turn.drawer_id for turn in self.turns)

    def turn(self, number: int) -> SaidTurn | None:
        """Return a turn by its number from 1, or None."""
        return self.turns[number - 1] if 1 <= number <= len(self.turns) else None


def as_said(turns: Sequence[FiledTurn], person: Collection[str], zone: tzinfo) -> list[Said]:
    """Return a conversation's drawers as messages for extraction.

    If an assistant takes part, all users are the palace's owner; otherwise those without a name or with one of the
    owner's.
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
    """Return a conversation's drawers together with their messages."""
    said = as_said(turns, person, zone)
    return [SaidTurn(turn.drawer_id, each) for turn, each in zip(turns, said, strict=True)]


def windows_of(turns: Sequence[SaidTurn], may_send: Callable[[int], bool]) -> tuple[list[Window], int]:
    """Split a conversation into windows that may be sent; return them and the number of turns after the last.

    Windows are contiguous turns of drawers that satisfy ``may_send``; those without a user's turn are left out. A grown
    conversation keeps its windows except the last.
    """
    shown = [turn for turn in turns if turn.shown.strip()]
    windows: list[Window] = []
    for stretch in _stretches(shown, may_send):
        windows += [Window(part) for part in _parts(stretch) if any(turn.is_persons for turn in part)]
    left = sum(len(window.turns) for window in windows[MOST_WINDOWS:])
    return windows[:MOST_WINDOWS], left


def digest_of(model: str, turns: str) -> bytes:
    """Return the SHA-256 digest that identifies a model's reply to formatted turns."""
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
    size = len(stretch) if is_small else LARGEST
    return (tuple(stretch[start : start + size]) for start in range(0, len(stretch), size))
