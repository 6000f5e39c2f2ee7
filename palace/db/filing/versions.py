"""Relations between drawers: which replaced which, which answers which, their order, and versions of notes."""

from __future__ import annotations

import operator
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime

import sqlalchemy as sa

from palace.db.database import UserSession
from palace.db.rows import any_bytes, given_rows
from palace.db.tables import Conversation, Drawer, Room, RoomAlias, Tombstone, aliased
from palace.models import NoteVersion, Replacement

FAMILY = 8
"""Bytes with which the identities of all versions of a note begin."""


def move(session: UserSession, conversation_id: int, positions: Mapping[bytes, int]) -> None:
    """Set new positions of a conversation's drawers and tombstones, by identity."""
    if not positions:
        return
    given = given_rows(
        {
            "identity": (sa.LargeBinary(), list(positions)),
            "position": (sa.Integer(), list(positions.values())),
        }
    )
    for table in (Drawer, Tombstone):
        here = (table.conversation_id == conversation_id, table.identity == given.c.identity)
        session.update(table, *here, position=given.c.position)


def replace(session: UserSession, replacements: Sequence[Replacement]) -> None:
    """Mark drawers, by identity, as replaced, and by which drawer if there is one; of two marks the later one stays."""
    if replacements:
        parameters = {
            "old": [each.old for each in replacements],
            "new": [each.new for each in replacements],
            "run_ids": [each.run_id for each in replacements],
            "times": [each.at for each in replacements],
        }
        session.run("replace_drawers", parameters)


def restore(session: UserSession, identities: Collection[bytes]) -> None:
    """Remove the marks of replaced drawers that their source holds again."""
    if identities:
        _unmark(session, Drawer.identity == any_bytes(identities))


def restore_latest(session: UserSession, identities: Collection[bytes]) -> None:
    """Remove the marks of drawers that replaced another one after they were replaced themselves."""
    if identities:
        replaced = aliased(Drawer)
        later = session.select(replaced.id).where(
            replaced.user_id == Drawer.user_id,
            replaced.replaced_by == Drawer.id,
            replaced.replaced_at > Drawer.replaced_at,
        )
        _unmark(session, Drawer.identity == any_bytes(identities), later.exists())


def take_back(session: UserSession, run_ids: Collection[int]) -> int:
    """Remove the marks that some runs made; return how many drawers are current again."""
    return _unmark(session, Drawer.replaced_run_id.in_(run_ids))


def count_taken_back(session: UserSession, run_ids: Collection[int]) -> int:
    """Count what ``take_back`` would change once the drawers that these runs filed are gone."""
    return session.count(Drawer, Drawer.replaced_run_id.in_(run_ids), Drawer.run_id.not_in(run_ids))


def link_answers(session: UserSession, answers: Sequence[tuple[bytes, bytes]]) -> None:
    """Record which drawers answer which, by identity, where nothing is recorded yet."""
    if answers:
        parameters = {
            "replies": [reply for reply, _ in answers],
            "answered": [answered for _, answered in answers],
        }
        session.run("link_answers", parameters)


def _unmark(session: UserSession, *which: sa.ColumnElement[bool]) -> int:
    unmarked = {"replaced_at": None, "replaced_by": None, "replaced_run_id": None}
    return session.update(Drawer, *which, **unmarked).rowcount


def list_versions(session: UserSession, family: bytes) -> list[NoteVersion]:
    """List the notes, forgotten ones included, whose identities begin with ``family``, in order of filing."""
    last = family + b"\xff" * (16 - len(family))
    filed = session.select(Drawer.identity, Drawer.conversation_id, Drawer.replaced_at).where(
        Drawer.identity.between(family, last)
    )
    buried = session.select(Tombstone.identity, Tombstone.conversation_id).where(
        Tombstone.identity.between(family, last), Tombstone.restored_by.is_(None)
    )
    found = [
        NoteVersion(row.identity, row.conversation_id, is_replaced=row.replaced_at is not None)
        for row in session.execute(filed.order_by(Drawer.filed_at))
    ]
    found += [NoteVersion(row.identity, row.conversation_id, is_forgotten=True) for row in session.execute(buried)]
    return found


def select_versions(session: UserSession, drawer_id: int) -> sa.Select[int]:
    """Select a drawer and, of a note, its other versions: what replaced it, and what that replaced."""
    columns = (Drawer.id, Drawer.identity, Drawer.replaced_by)
    known = session.select(*columns).where(Drawer.id == drawer_id).cte(recursive=True)
    other = session.select(*columns).subquery()
    family = (sa.func.substr(each.c.identity, 1, FAMILY) for each in (known, other))
    linked = sa.or_(other.c.id == known.c.replaced_by, other.c.replaced_by == known.c.id)
    every = known.union(sa.select(other).join(known, sa.and_(linked, operator.eq(*family))))
    return sa.select(every.c.id)


def find_note_identity(session: UserSession, drawer_id: int, readers: Collection[str]) -> bytes | None:
    """Return the identity of a drawer that was filed by one of some readers, those of notes; None for another's."""
    query = session.select(Drawer.identity).join(Conversation)
    return session.execute(query.where(Drawer.id == drawer_id, Conversation.reader.in_(readers))).scalar_one_or_none()


def find_in_wing(session: UserSession, identity: bytes, *, said_at: datetime, wing_id: int, number: int) -> int | None:
    """Return the conversation of a note, by identity and moment, that is or was in a wing; None without one."""
    moved = session.select(RoomAlias.room_id).where(RoomAlias.room_id == Room.id, RoomAlias.wing_number == number)
    query = (
        session.select(Drawer.conversation_id)
        .join(Room)
        .where(Drawer.identity == identity, Drawer.said_at == said_at, (Room.wing_id == wing_id) | moved.exists())
    )
    return session.execute(query).scalar_one_or_none()


def list_filed_by(session: UserSession, run_id: int) -> frozenset[int]:
    """List the drawers that a run filed."""
    return frozenset(session.values(session.select(Drawer.id).where(Drawer.run_id == run_id)))


def make_room_at(session: UserSession, conversation_id: int, said_at: datetime) -> int:
    """Return the position by time for a new note in its conversation, after shifting later ones."""
    here = Drawer.conversation_id == conversation_id
    last = sa.func.coalesce(sa.func.max(Drawer.position), -1)
    position = int(session.execute(session.select(last).where(here, Drawer.said_at <= said_at)).scalar_one()) + 1
    session.update(Drawer, here, Drawer.position >= position, position=Drawer.position + 1)
    return position
