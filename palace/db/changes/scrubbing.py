"""Replaces drawers by copies with secrets removed, under the same pointers.

The copies get new ids: work in progress on the old ones finds them gone, as after forgetting. Related texts (paths,
failures, events) are cleaned as well.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import sqlalchemy as sa
from sqlalchemy import or_
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.sql.selectable import TableValuedAlias

from palace.db.changes.removal import Follower, hold_places, take_out
from palace.db.counts import forget_terms
from palace.db.database import UserSession
from palace.db.filing.drawers import PlacedDrawer, file_placed
from palace.db.generations import hold_generations
from palace.db.memories import get_parts, rename_cited
from palace.db.rows import any_id, given_rows, record_of
from palace.db.tables import (
    ActivityEvent,
    Conversation,
    CostEntry,
    Drawer,
    DrawerUse,
    EntityDecision,
    HiddenDrawer,
    Memory,
    MiningRun,
    PalaceUser,
    Room,
    StepState,
    Tombstone,
    Wing,
    WingAlias,
)
from palace.models import MessageIndex, NewDrawer

_USES = [each for each in DrawerUse.__table__.c if each.name != "user_id"]


@dataclass(frozen=True, slots=True)
class Standing:
    """A stored drawer."""

    id: int
    placed: PlacedDrawer
    """Its present state, with an empty index."""


def list_inhabited(session: UserSession, wing_id: int | None) -> list[tuple[int, int]]:
    """List the conversations with drawers, with the number of each; all, or those with a room in a wing."""
    query = session.select(Drawer.conversation_id, sa.func.count())
    if wing_id is not None:
        here = session.select(Room.conversation_id).where(Room.wing_id == wing_id)
        query = query.where(Drawer.conversation_id.in_(here))
    query = query.group_by(Drawer.conversation_id).order_by(Drawer.conversation_id)
    return [(row[0], row[1]) for row in session.execute(query)]


def list_texts(session: UserSession, conversations: Sequence[int], wing_id: int | None) -> list[tuple[int, str]]:
    """List the texts of conversations' drawers, each with its conversation; only those in a wing, if given."""
    query = session.select(Drawer.conversation_id, Drawer.content).where(Drawer.conversation_id.in_(conversations))
    if wing_id is not None:
        query = query.where(Drawer.room_id.in_(_rooms_of(session, wing_id)))
    return [(row[0], row[1]) for row in session.execute(query)]


def list_names(session: UserSession, conversations: Sequence[int]) -> list[tuple[int, str]]:
    """List the titles of conversations and the names of their rooms, each with its conversation."""
    titles = session.select(Conversation.id, Conversation.title).where(
        Conversation.id.in_(conversations), Conversation.title.is_not(None)
    )
    rooms = session.select(Room.conversation_id, Room.name).where(Room.conversation_id.in_(conversations))
    return [(row[0], row[1]) for row in (*session.execute(titles), *session.execute(rooms))]


def list_standing(session: UserSession, conversation_id: int, wing_id: int | None) -> list[Standing]:
    """List the drawers of a conversation in full, in order of id; only those in a wing, if given."""
    query = session.select(Drawer).where(Drawer.conversation_id == conversation_id)
    if wing_id is not None:
        query = query.where(Drawer.room_id.in_(_rooms_of(session, wing_id)))
    return [_standing(row) for row in session.execute(query.order_by(Drawer.id))]


def replace_drawers(
    session: UserSession, conversation_id: int, anew: Mapping[int, NewDrawer], follower: Follower
) -> None:
    """Replace drawers, by id, with new ones; what was derived from the old ones is deleted, and pending.

    The conversation must be locked (``hold_conversation``).
    """
    standing = {one.id: one for one in list_standing(session, conversation_id, None) if one.id in anew}
    memories = get_parts(session, standing)
    links = _links_of(session, sorted(standing))
    uses = session.execute(session.select(*_USES).where(DrawerUse.drawer_id == any_id(standing))).all()
    rooms = sorted({one.placed.room_id for one in standing.values()})
    generations = hold_generations(session)
    take_out(session, sorted(standing), [conversation_id], rooms, follower)
    placed = [
        replace(one.placed, drawer=replace(anew[one.id], memory=memories.get(one.id))) for one in standing.values()
    ]
    file_placed(session, conversation_id, placed, generations)
    # The memories among them cite one another.
    rename_cited(session, {one.placed.drawer.identity: anew[one.id].identity for one in standing.values()})
    now = _link(session, conversation_id, links, {one.id: anew[one.id].identity for one in standing.values()})
    session.add(DrawerUse, [{**use._mapping, "drawer_id": now[use.drawer_id]} for use in uses])
    forget_terms(session)
    follower.after(session, [conversation_id])


def hold_conversation(session: UserSession, conversation_id: int) -> bool:
    """Lock a conversation and its rooms until the transaction ends; False if it is gone."""
    chosen = session.select(Drawer.id).where(Drawer.conversation_id == conversation_id)
    return bool(hold_places(session, chosen))


def rename_places(session: UserSession, conversation_id: int, names: Mapping[str, str]) -> None:
    """Rename a conversation and its rooms; ``names`` maps old names to new ones."""
    if not names:
        return
    given = given_rows({"was": (sa.Text(), list(names)), "name": (sa.Text(), list(names.values()))})
    session.update(
        Conversation, Conversation.id == conversation_id, Conversation.title == given.c.was, title=given.c.name
    )
    session.update(Room, Room.conversation_id == conversation_id, Room.name == given.c.was, name=given.c.name)


def get_identity(session: UserSession, conversation_id: int) -> str:
    """Return the identity by which a conversation is recognised when it is read again."""
    query = session.select(Conversation.identity).where(Conversation.id == conversation_id)
    return str(session.execute(query).scalar_one())


def rename_identity(session: UserSession, conversation_id: int, identity: str) -> None:
    """Change a conversation's identity, also in decisions that cite it."""
    was = get_identity(session, conversation_id)
    session.update(Conversation, Conversation.id == conversation_id, identity=identity)
    cited = EntityDecision.decided["conversations"].contains(sa.cast([was], JSONB))
    query = session.select(EntityDecision.id, EntityDecision.decided).where(cited)
    for row in session.execute(query).all():
        told = [identity if name == was else name for name in row.decided["conversations"]]
        session.update(EntityDecision, EntityDecision.id == row.id, decided=row.decided | {"conversations": told})


def list_identities(session: UserSession, conversation_id: int) -> list[bytes]:
    """List the identities of a conversation's drawers and tombstones."""
    found: list[bytes] = []
    for table in (Drawer, Tombstone):
        query = session.select(table.identity).where(table.conversation_id == conversation_id)
        found += session.execute(query).scalars()
    return found


def rename_turns(session: UserSession, conversation_id: int, names: Mapping[bytes, bytes]) -> None:
    """Change the identities of a conversation's drawers and tombstones; ``names`` maps old ones to new ones."""
    if not names:
        return
    given = _given_names(names)
    rename_cited(session, names)
    for table in (Drawer, Tombstone):
        here = (table.conversation_id == conversation_id, table.identity == given.c.was)
        session.update(table, *here, identity=given.c.name)


def _given_names(names: Mapping[bytes, bytes]) -> TableValuedAlias:
    return given_rows({"was": (sa.LargeBinary(), list(names)), "name": (sa.LargeBinary(), list(names.values()))})


def _links_of(session: UserSession, ids: Sequence[int]) -> Sequence[sa.Row[Any]]:
    """List the references from and to some drawers."""
    citing = or_(Drawer.id.in_(ids), Drawer.replaced_by.in_(ids), Drawer.answers.in_(ids))
    query = session.select(Drawer.id, Drawer.replaced_by, Drawer.answers, Drawer.replaced_at, Drawer.replaced_run_id)
    return session.execute(query.where(citing)).all()


def _link(
    session: UserSession, conversation_id: int, links: Sequence[sa.Row[Any]], names: Mapping[int, bytes]
) -> dict[int, int]:
    """Restore references between drawers; ``names`` maps the ids of replaced drawers to identities of the new ones.

    Returns the new ids by the former ones.
    """
    query = session.select(Drawer.identity, Drawer.id).where(Drawer.conversation_id == conversation_id)
    filed = {row[0]: row[1] for row in session.execute(query)}
    now = {old: filed[name] for old, name in names.items()}
    for link in links:
        values = {
            "replaced_by": now.get(link.replaced_by or 0, link.replaced_by),
            "answers": now.get(link.answers or 0, link.answers),
            "replaced_at": link.replaced_at,
            "replaced_run_id": link.replaced_run_id,
        }
        if any(value is not None for value in values.values()):
            session.update(Drawer, Drawer.id == now.get(link.id, link.id), **values)
    return now


def _rooms_of(session: UserSession, wing_id: int) -> sa.Select[int]:
    return session.select(Room.id).where(Room.wing_id == wing_id)


def _standing(row: sa.Row[Any]) -> Standing:
    redacted = tuple(sorted((row.redacted or {}).items()))
    drawer = record_of(NewDrawer, row, slice="", index=MessageIndex(()), redacted=redacted)
    return Standing(row.id, PlacedDrawer(drawer, row.room_id, row.number, row.run_id, row.filed_at))


def hide_tombstones(session: UserSession) -> None:
    """Replace the identities of tombstones by hashes under the palace's key, which reveal nothing of the text.

    ``palace.models.external_keys`` computes the same. Tombstones that are hashed already stay, and so do those of
    drawers that can still be restored: their texts were checked.
    """
    restorable = session.select(HiddenDrawer.identity).where(HiddenDrawer.identity == Tombstone.identity)
    key = session.select(PalaceUser.palace_key).scalar_subquery()
    under_key = sa.func.sha256(sa.func.uuid_send(key).op("||")(Tombstone.identity))
    of_note = session.select(Conversation.id).where(
        Conversation.id == Tombstone.conversation_id, Conversation.identity.regexp_match("^(note|memory):[0-9]+/")
    )
    family = sa.func.substring(Tombstone.identity, 1, 8)
    hidden = sa.case(
        (of_note.exists(), family.op("||")(sa.func.substring(under_key, 1, 12))),
        else_=sa.func.substring(under_key, 1, 20),
    )
    graves = session.select(Tombstone.identity, hidden.label("name"))
    graves = graves.where(sa.func.octet_length(Tombstone.identity) == 16, ~restorable.exists())
    names = {row.identity: row.name for row in session.execute(graves)}
    taken = set(session.values(session.select(Tombstone.identity)))
    free = {was: name for was, name in names.items() if name not in taken}
    if free:
        given = _given_names(free)
        session.update(Tombstone, Tombstone.identity == given.c.was, identity=given.c.name)


Cleaning = Callable[[str], str]
_TEXTS = (
    (MiningRun, MiningRun.source),
    (CostEntry, CostEntry.source),
    (StepState, StepState.failure),
    (Memory, Memory.reason),
)
_DETAILS = ((ActivityEvent, ActivityEvent.details), (EntityDecision, EntityDecision.decided))


def clean_texts(session: UserSession, clean: Cleaning, slug_of: Cleaning) -> int:
    """Clean texts and names with ``clean``; return how many changed."""
    changed = sum(_clean_column(session, table, column, clean) for table, column in _TEXTS)
    changed += sum(_clean_details(session, table, column, clean) for table, column in _DETAILS)
    return changed + _clean_wings(session, clean, slug_of)


def _clean_column(session: UserSession, table: Any, column: Any, clean: Cleaning) -> int:
    query = session.select(column).where(column.is_not(None)).distinct()
    changed = 0
    for text in session.values(query):
        cleaned = clean(text)
        if cleaned != text:
            changed += session.update(table, column == text, **{column.key: cleaned}).rowcount
    return changed


def _clean_details(session: UserSession, table: Any, column: Any, clean: Cleaning) -> int:
    changed = 0
    for row in session.execute(session.select(table.id, column.label("told"))).all():
        cleaned = _cleaned(row.told, clean)
        if cleaned != row.told:
            session.update(table, table.id == row.id, **{column.key: cleaned})
            changed += 1
    return changed


def _cleaned(value: Any, clean: Cleaning) -> Any:
    match value:
        case str():
            return clean(value)
        case dict():
            return {name: _cleaned(each, clean) for name, each in value.items()}
        case list():
            return [_cleaned(each, clean) for each in value]
        case _:
            return value


def _clean_wings(session: UserSession, clean: Cleaning, slug_of: Cleaning) -> int:
    query = session.select(Wing.slug)
    aliases = session.select(WingAlias.slug)
    taken = set(session.values(sa.union_all(query, aliases)))
    changed = 0
    for table in (Wing, WingAlias):
        rows = session.execute(session.select(table.slug, table.name)).all()
        for slug, name in rows:
            cleaned = clean(name)
            if cleaned == name:
                continue
            base = free = slug_of(cleaned)
            number = 1
            while free in taken:
                number += 1
                free = f"{base}-{number}"
            taken.add(free)
            session.update(table, table.slug == slug, slug=free, name=cleaned)
            changed += 1
    return changed
