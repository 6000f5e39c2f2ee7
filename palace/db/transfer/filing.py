"""Drawers and tombstones of an import: missing ones are filed, existing and forgotten ones are left alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

import sqlalchemy as sa

from palace.db.database import UserSession
from palace.db.filing import versions
from palace.db.filing.drawers import PlacedDrawer, file_placed
from palace.db.filing.places import raise_drawer_number
from palace.db.generations import hold_generations
from palace.db.rows import any_bytes, batches, row_of
from palace.db.tables import Drawer, Room, Tombstone, aliased
from palace.db.users import get_palace_key
from palace.models import NewDrawer, Replacement
from palace.models.external_keys import Key
from palace.models.intake import LARGEST_NUMBER
from palace.models.lines import DrawerLine, TombstoneLine


@dataclass(frozen=True, slots=True)
class Known:
    """The identities of a file that a palace knows."""

    filed: frozenset[bytes]
    forgotten: frozenset[bytes]
    """With a tombstone that is in force."""
    buried: frozenset[bytes]
    """With any tombstone."""

    def misses(self, identity: bytes) -> bool:
        """Check whether a drawer is neither filed nor forgotten."""
        return identity not in self.filed and identity not in self.forgotten


def find_known(session: UserSession, identities: Sequence[bytes]) -> Known:
    """Find which of some drawers and tombstones exist, in any conversation, under the palace's key or not."""
    key = Key(get_palace_key(session))
    given = {form: identity for identity in identities for form in (*key.forms(identity), key.hide_note(identity))}
    found = _find(session, list(given))
    return Known(*(frozenset(given[name] for name in names) for names in found))


def _find(session: UserSession, identities: Sequence[bytes]) -> tuple[set[bytes], set[bytes], set[bytes]]:
    filed: set[bytes] = set()
    graves: dict[bytes, bool] = {}
    for batch in batches(identities):
        wanted = any_bytes(batch)
        filed |= set(session.values(session.select(Drawer.identity).where(Drawer.identity == wanted)))
        query = session.select(Tombstone.identity, Tombstone.restored_by.is_(None))
        graves |= dict(session.execute(query.where(Tombstone.identity == wanted)).all())
    return filed, {identity for identity, is_in_force in graves.items() if is_in_force}, set(graves)


def file_again(
    session: UserSession,
    conversation_id: int,
    drawers: Sequence[tuple[DrawerLine, NewDrawer]],
    *,
    rooms: Mapping[str, int],
    runs: Mapping[int, int],
    is_other: bool = False,
) -> int:
    """File drawers under their old numbers, or the next where those are taken; return how many were new.

    The conversation must be locked. ``runs`` maps the file's run indices to ids. ``is_other`` means a file of another
    palace: its numbers are kept only in rooms that have drawn none, so that no pointer of this palace, not even of a
    forgotten drawer, leads to something else.
    """
    generations = hold_generations(session)
    lines = [line for line, _ in drawers]
    numbers = _give_numbers(session, lines, rooms) if is_other else _take_numbers(session, lines, rooms)
    placed = [
        PlacedDrawer(drawer, rooms[line.slice], number, runs[line.run], line.filed_at)
        for (line, drawer), number in zip(drawers, numbers, strict=True)
    ]
    return file_placed(session, conversation_id, placed, generations)


def bury_again(
    session: UserSession, conversation_id: int, tombstones: Sequence[TombstoneLine], *, runs: Mapping[int, int]
) -> None:
    """Insert tombstones; existing ones stay as they are, and times in the future become the present."""
    now = datetime.now(UTC)
    rows = [
        row_of(
            Tombstone,
            line,
            conversation_id=conversation_id,
            forgotten_at=min(line.forgotten_at, now),
            restored_by=None if line.restored_by is None else runs[line.restored_by],
        )
        for line in sorted(tombstones, key=lambda line: line.identity)
    ]
    session.add(Tombstone, rows)


def link_again(session: UserSession, *, lines: Sequence[DrawerLine], runs: Mapping[int, int]) -> None:
    """Record which drawers replaced which, and which answer which; of two replacements the later one stays."""
    replaced = [
        Replacement(
            line.identity,
            line.replaced_by,
            None if line.replaced_run is None else runs[line.replaced_run],
            line.replaced_at,
        )
        for line in lines
        if line.replaced_at is not None
    ]
    versions.replace(session, [*_rivals(session, replaced), *replaced])
    versions.restore_latest(session, [each for line in lines for each in (line.identity, line.replaced_by) if each])
    versions.link_answers(session, [(line.identity, line.answers) for line in lines if line.answers is not None])


def _rivals(session: UserSession, replaced: Sequence[Replacement]) -> Iterator[Replacement]:
    """Yield replacements of the earlier by the later of two drawers that replaced one drawer, here and in the file."""
    given = {each.old: (each.at, each.new) for each in replaced if each.at and each.new}
    newer = aliased(Drawer)
    linked = sa.and_(newer.user_id == Drawer.user_id, newer.id == Drawer.replaced_by)
    query = session.select(Drawer.identity, Drawer.replaced_at, newer.identity).join(newer, linked)
    for old, at, new in session.execute(query.where(Drawer.identity == any_bytes(list(given)))):
        if new != given[old][1]:
            earlier, later = sorted([(at, new), given[old]])
            yield Replacement(earlier[1], later[1], at=later[0])


def _take_numbers(session: UserSession, lines: Sequence[DrawerLine], rooms: Mapping[str, int]) -> list[int]:
    last = _lock_rooms(session, {rooms[line.slice] for line in lines})
    taken = _taken_numbers(session, lines, rooms)
    for line in lines:
        if line.number <= LARGEST_NUMBER:
            last[rooms[line.slice]] = max(last[rooms[line.slice]], line.number)
    numbers = []
    renumbered = set()
    for line in lines:
        room_id, number = rooms[line.slice], line.number
        if number > LARGEST_NUMBER or (room_id, number) in taken:
            last[room_id] = number = last[room_id] + 1
            renumbered.add(room_id)
        numbers.append(number)
    for room_id in sorted(renumbered):
        raise_drawer_number(session, room_id, last[room_id])
    return numbers


def _give_numbers(session: UserSession, lines: Sequence[DrawerLine], rooms: Mapping[str, int]) -> list[int]:
    last = _lock_rooms(session, {rooms[line.slice] for line in lines})
    bare = {room_id for room_id, number in last.items() if number == 0}
    if any(line.number > LARGEST_NUMBER for line in lines):
        bare = set()
    numbers = []
    for line in lines:
        room_id = rooms[line.slice]
        number = line.number if room_id in bare else last[room_id] + 1
        last[room_id] = max(last[room_id], number)
        numbers.append(number)
    for room_id in sorted(last):
        raise_drawer_number(session, room_id, last[room_id])
    return numbers


def _lock_rooms(session: UserSession, room_ids: set[int]) -> dict[int, int]:
    """Lock rooms and map them to the last drawer number each has drawn."""
    query = session.select(Room.id, Room.drawer_seq).where(Room.id.in_(room_ids))
    return dict(session.execute(query.order_by(Room.id).with_for_update(key_share=True)).all())


def _taken_numbers(session: UserSession, lines: Sequence[DrawerLine], rooms: Mapping[str, int]) -> set[tuple[int, int]]:
    taken: set[tuple[int, int]] = set()
    for batch in batches(lines):
        query = session.select(Drawer.room_id, Drawer.number).where(
            Drawer.room_id.in_({rooms[line.slice] for line in batch}),
            Drawer.number.in_([line.number for line in batch]),
        )
        taken |= {(row.room_id, row.number) for row in session.execute(query)}
    return taken
