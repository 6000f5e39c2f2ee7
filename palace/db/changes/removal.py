"""Removing drawers with all that was derived from them, with or without tombstones."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from sqlalchemy import Select, and_, select, union
from sqlalchemy.dialects.postgresql import insert

from palace.db.counts import add_counts, forget_terms, uncount_languages, uncount_terms
from palace.db.database import UserSession
from palace.db.filing.conversations import says_the_same
from palace.db.filing.steps import drop_steps, make_pending
from palace.db.filing.versions import select_versions
from palace.db.injections import drop_citing
from palace.db.memories import standing_on
from palace.db.memory_life import bring_back
from palace.db.replies import drop_replies
from palace.db.rows import any_id
from palace.db.summaries import drop_summing_up
from palace.db.tables import (
    ApiKey,
    Closet,
    Conversation,
    Drawer,
    Memory,
    MiningRun,
    PalaceUser,
    Passage,
    Room,
    StoredSetting,
    Tombstone,
    Wing,
    WorkingSummary,
    aliased,
)
from palace.db.work import drop_actions
from palace.models import PassageKind, Removal, Target, TargetKind

DrawerIds = Select[int]
"""A statement of drawers' ids."""

TARGETED = {
    TargetKind.DRAWER: Drawer.id,
    TargetKind.CLOSET: Drawer.closet_id,
    TargetKind.ROOM: Drawer.room_id,
    TargetKind.WING: Room.wing_id,
    TargetKind.CONVERSATION: Drawer.conversation_id,
}


@dataclass(frozen=True, slots=True)
class Removed:
    """What was removed, and the conversations affected, by id."""

    removal: Removal
    shrunk: tuple[int, ...]
    """Conversations that still have drawers."""
    gone: tuple[int, ...] = ()
    """Conversations without drawers now."""
    marks: int = 0
    """How many replaced drawers became current again."""


def drawers_in(session: UserSession, target: Target) -> Select[int]:
    """Select the ids of the drawers in a target, of those with the same text that they replaced, and of the memories
    that stand on them.
    """
    query = session.select(Drawer.id)
    if target.kind in TARGETED:
        query = query.where(TARGETED[target.kind] == target.id)
    elif target.kind is TargetKind.NOTE:
        query = query.where(Drawer.id.in_(select_versions(session, target.id)))
        if target.wings is not None:
            query = query.join(Room, and_(Room.user_id == Drawer.user_id, Room.id == Drawer.room_id))
            query = query.where(Room.wing_id == any_id(target.wings))
    else:
        memories = session.select(Memory.drawer_id)
        memories = memories.where(Memory.type == target.type.value) if target.type else memories
        query = query.where(Drawer.id.in_(memories))
        query = query.where(Room.wing_id == target.id) if target.id else query
    if target.kind is TargetKind.WING or (target.kind is TargetKind.MEMORIES and target.id):
        query = query.join(Room, and_(Room.user_id == Drawer.user_id, Room.id == Drawer.room_id))
    there, former, again = query.subquery(), aliased(Drawer), aliased(Drawer)
    same = and_(
        again.user_id == former.user_id,
        again.id == former.replaced_by,
        says_the_same(again, former, user_id=session.user_id),
    )
    readings = session.select(former.id).join(again, same).join(there, there.c.id == again.id)
    # Of memories put together, the newest has the text of the one that cites it.
    readings = readings.where(former.id.not_in(session.select(Memory.drawer_id)))
    both = union(select(there.c.id), readings).subquery()
    return standing_on(session, select(both.c.id))


def drawers_of_runs(session: UserSession, run_ids: Sequence[int]) -> Select[int]:
    """Select the ids of the drawers that some runs filed, and of the memories that stand on them."""
    return standing_on(session, session.select(Drawer.id).where(Drawer.run_id.in_(run_ids)))


class Follower(Protocol):
    """Code that updates what was derived from drawers when some are removed."""

    def before(self, session: UserSession, drawer_ids: Sequence[int]) -> None:
        """Called before drawers are deleted; locks those that others must not change."""

    def after(self, session: UserSession, conversations: Collection[int]) -> None:
        """Called afterwards to delete what was derived from them; ``conversations`` lost drawers but still exist."""


def remove(
    session: UserSession, chosen: Select[int], follower: Follower, *, bury: bool, wing_id: int | None = None
) -> Removed:
    """Remove drawers with their passages, embeddings and closets; ``bury`` leaves tombstones.

    Rooms, wings and conversations left empty are removed too, with the empty rooms of ``wing_id``; a conversation with
    tombstones stays, without its title. All closets of the affected rooms are removed and drawn again later, because
    their names come from the text there. ``follower`` takes part in the transaction.
    """
    rooms = hold_places(session, chosen, wing_id)
    ids = session.values(chosen)
    of_them = session.select(Drawer.conversation_id).where(Drawer.id == any_id(ids)).distinct()
    conversations = session.values(of_them)
    if bury:
        _bury(session, ids)
    passages = take_out(session, ids, conversations, rooms, follower)
    emptied, wings = _remove_empty_places(session, rooms)
    gone = _remove_empty_conversations(session, conversations)
    forget_terms(session)
    follower.after(session, conversations)
    removal = Removal(len(ids), passages, emptied, wings, len(gone))
    return Removed(removal, tuple(sorted(set(conversations) - gone)), tuple(sorted(gone)))


def take_out(
    session: UserSession, ids: Sequence[int], conversations: Sequence[int], rooms: Sequence[int], follower: Follower
) -> int:
    """Delete drawers with their passages, embeddings, replies, blocks and summaries, and the closets of their rooms.

    Returns the number of passages. The places must be locked and stay; the caller then calls ``follower.after`` and
    updates the counts of words.
    """
    follower.before(session, ids)
    drop_replies(session, conversations, ids)
    drop_actions(session, conversations)
    drop_citing(session, ids)
    drop_summing_up(session, conversations, ids)
    of_them = Passage.drawer_id == any_id(ids)
    passages = session.count(Passage, of_them)
    sentences = session.count(Passage, of_them, Passage.kind == PassageKind.SENTENCE.value)
    uncount_terms(session, ids)
    uncount_languages(session, ids)
    bring_back(session, ids)
    session.delete(Drawer, Drawer.id == any_id(ids))
    _remove_closets(session, rooms)
    add_counts(session, drawers=-len(ids), passages=sentences - passages, sentences=-sentences)
    return int(passages)


def count_removal(session: UserSession, chosen: Select[int]) -> Removal:
    """Count what ``remove`` would remove."""
    parameters = {"drawer_ids": session.values(chosen)}
    return Removal(*session.run("count_removal", parameters).one())


def hold_places(session: UserSession, chosen: Select[int], wing_id: int | None = None) -> list[int]:
    """Lock the wings, conversations and rooms of some drawers, in that order; return the room ids.

    With the conversations locked, nobody can file in these rooms: a selection made afterwards is final.
    """
    rooms = _rooms_of(session, chosen, wing_id)
    in_rooms = session.select(Room.wing_id, Room.conversation_id).where(Room.id.in_(rooms))
    places = session.execute(in_rooms).all()
    for table, ids in (
        (Wing, {place.wing_id for place in places}),
        (Conversation, {p.conversation_id for p in places}),
    ):
        held = session.select(table.id).where(table.id.in_(ids))
        session.execute(held.order_by(table.id).with_for_update()).all()
    rooms = _rooms_of(session, chosen, wing_id)
    held = session.select(Room.id).where(Room.id.in_(rooms))
    return session.values(held.order_by(Room.id).with_for_update())


def _rooms_of(session: UserSession, chosen: Select[int], wing_id: int | None) -> set[int]:
    inhabited = session.select(Drawer.room_id).where(Drawer.id.in_(chosen)).distinct()
    found = set(session.values(inhabited))
    if wing_id is not None:
        of_wing = session.select(Room.id).where(Room.wing_id == wing_id)
        found |= set(session.values(of_wing))
    return found


def _bury(session: UserSession, ids: Sequence[int]) -> None:
    columns = ["user_id", "identity", "conversation_id", "position"]
    dead = session.select(*(getattr(Drawer, name) for name in columns)).where(Drawer.id == any_id(ids))
    buried = insert(Tombstone).from_select(columns, dead.order_by(Drawer.identity))
    again = {"conversation_id": buried.excluded.conversation_id, "forgotten_at": buried.excluded.forgotten_at}
    session.execute(
        buried.on_conflict_do_update(index_elements=["user_id", "identity"], set_=again | {"restored_by": None})
    )


def _remove_closets(session: UserSession, rooms: Sequence[int]) -> None:
    # Unset first, by one statement: the foreign key would do it closet by closet.
    session.update(Drawer, Drawer.room_id.in_(rooms), Drawer.closet_id.is_not(None), closet_id=None)
    session.delete(Closet, Closet.room_id.in_(rooms))


def _remove_empty_places(session: UserSession, rooms: Sequence[int]) -> tuple[int, int]:
    inhabited = session.select(Drawer.id).where(Drawer.room_id == Room.id).exists()
    wings = session.delete(Room, Room.id.in_(rooms), ~inhabited, returning=Room.wing_id).scalars().all()
    furnished = session.select(Room.id).where(Room.wing_id == Wing.id).exists()
    gone = session.delete(Wing, Wing.id.in_(set(wings)), ~furnished).rowcount
    return len(wings), gone


def _remove_empty_conversations(session: UserSession, conversations: Sequence[int]) -> set[int]:
    here = Conversation.id.in_(conversations)
    filed = session.select(Drawer.id).where(Drawer.conversation_id == Conversation.id)
    buried = session.select(Tombstone.identity).where(Tombstone.conversation_id == Conversation.id)
    quiet = (here, ~filed.exists(), buried.exists())
    gone = set(session.update(Conversation, *quiet, title=None, returning=Conversation.id).scalars())
    drop_steps(session, sorted(gone))
    empty = (here, ~filed.exists(), ~buried.exists())
    gone |= set(session.delete(Conversation, *empty, returning=Conversation.id).scalars())
    make_pending(session, sorted(set(conversations) - gone))
    return gone


def remove_unused_user(session: UserSession) -> None:
    """Delete the user unless their palace has any run, wing, setting, summary or key."""
    # A transaction that begins something waits for this lock, and then finds no user.
    session.execute(session.select(PalaceUser.id).with_for_update())
    if not _has_any(session, MiningRun, Wing, StoredSetting, WorkingSummary, ApiKey):
        session.delete(PalaceUser)


def has_anything_beside(session: UserSession) -> bool:
    """Check whether a user without drawers has settings, summaries or keys."""
    return _has_any(session, StoredSetting, WorkingSummary, ApiKey)


def _has_any(session: UserSession, *tables: Any) -> bool:
    return session.has(*(session.select(table.user_id) for table in tables))


def remove_user(session: UserSession) -> None:
    """Delete the user with everything that is theirs, tombstones and ledger included, and create them anew.

    The new row has the same id: a program that has the palace open finds it empty and goes on. Filing in progress fails
    on a foreign key and is tried again.
    """
    name = session.delete(PalaceUser, returning=PalaceUser.name).scalar_one_or_none()
    if name is not None:  # otherwise another transaction has just done it
        session.insert(insert(PalaceUser), {"name": name})


def count_everything(session: UserSession) -> Removal:
    """Count everything that the user has."""
    return Removal(*(session.count(table) for table in (Drawer, Passage, Room, Wing, Conversation)))
