"""Ids of the turns of one conversation, and what turns say of each other by them. Pure."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import count

from palace.models import Role, Turn


def with_own_ids(turns: Sequence[Turn]) -> list[Turn | None]:
    """Return another message under the same id one of its own; None in the place of an exact repetition."""
    known: dict[str, set[tuple[Role, str]]] = {}
    named: list[Turn | None] = []
    for turn in turns:
        own, said = turn.source_id, (turn.role, turn.content)
        if own is None:
            named.append(turn)
        elif own not in known:
            known[own] = {said}
            named.append(turn)
        elif said in known[own]:
            named.append(None)
        else:
            known[own].add(said)
            numbers = count(len(known[own]))
            fresh = next(name for number in numbers if (name := f"{own}~{number}") not in known)
            known[fresh] = {said}
            named.append(replace(turn, source_id=fresh))
    return named


class Links:
    """Where the ids of messages lead once their turns are known: a message may have given several turns, or none."""

    def __init__(self) -> None:
        self._first: dict[str, str] = {}
        self._whole: set[str] = set()
        self._places: dict[str, int] = {}

    def mark(self, message: str, place: int) -> None:
        """Note that a message stands at a place, counted in turns, whether or not it gave one."""
        self._places.setdefault(message, place)

    def stand(self, message: str, own: str, *, is_part: bool) -> None:
        """Note the id of a turn that a message gave; the turn of the message itself stands for it before its parts."""
        if message not in self._first or (not is_part and message not in self._whole):
            self._first[message] = own
        if not is_part:
            self._whole.add(message)

    def resolve(self, turns: Sequence[Turn | None]) -> Iterator[Turn]:
        """Let every link lead to a turn that is there, and drop it where there is none.

        What a message that gave no turn took the place of is replaced by the next turn of its role, else the next
        of any, among those that nothing replaced.
        """
        there = {turn.source_id for turn in turns if turn is not None}
        shown = [(place, turn) for place, turn in enumerate(turns) if turn is not None and turn.replaced_by is None]
        by_role = {role: [each for each in shown if each[1].role is role] for role in Role}
        for turn in turns:
            if turn is None:
                continue
            if turn.answers is None and turn.replaced_by is None:
                yield turn
                continue
            answers = self._first.get(turn.answers or "")
            is_linked = answers in there and answers != turn.source_id
            replaced_by = self._successor(turn, (by_role[turn.role], shown))
            yield replace(turn, answers=answers if is_linked else None, replaced_by=replaced_by)

    def _successor(self, turn: Turn, ways: tuple[list[tuple[int, Turn]], ...]) -> str | None:
        place = self._places.get(turn.replaced_by or "")
        if place is None:
            return None
        for shown in ways:
            at = bisect_left(shown, place, key=lambda each: each[0])
            if at < len(shown) and shown[at][1].source_id is not None:
                return shown[at][1].source_id
        return None
