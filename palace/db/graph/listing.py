"""Entities for display: with their names, and how often and when drawers mention them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Select, and_, func, or_

from palace.db.database import UserSession
from palace.db.rows import any_id, record_of
from palace.db.tables import Alias, Drawer, Mention
from palace.db.tables import Entity as EntityRow
from palace.models import Pointer
from palace.models.claims import EntityType
from palace.models.graph import Entity, Naming

AROUND = 60
"""The most characters shown of a message before a name, and after it."""
_LATEST = sa.text(
    "SELECT named.entity_id, w.number AS wing, r.number AS room, d.number AS drawer,"
    " substr(d.content, found.char_start + 1, found.char_end - found.char_start) AS name,"
    " substr(d.content, found.char_end + 1, :width) AS behind,"
    " substr(d.content, greatest(found.char_start + 1 - :width, 1), least(found.char_start, :width)) AS before"
    " FROM unnest(CAST(:entities AS bigint[])) AS named (entity_id)"
    " CROSS JOIN LATERAL (SELECT m.drawer_id, m.char_start, m.char_end FROM alias AS a JOIN mention AS m"
    " ON m.user_id = :user_id AND m.conversation_id = a.conversation_id AND m.folded = a.folded"
    " WHERE a.user_id = :user_id AND a.entity_id = named.entity_id"
    " ORDER BY m.drawer_id DESC, m.char_start LIMIT 1) AS found"
    " JOIN drawer AS d ON d.user_id = :user_id AND d.id = found.drawer_id"
    " JOIN room AS r ON r.user_id = :user_id AND r.id = d.room_id"
    " JOIN wing AS w ON w.user_id = :user_id AND w.id = r.wing_id"
)
_WITHOUT = ("time",)
"""Types of entities that are listed only on request."""


def list_entities(
    session: UserSession,
    *,
    type: EntityType | None = None,
    everything: bool = False,
    limit: int | None = None,
    offset: int = 0,
    behind: int | None = None,
) -> list[Entity]:
    """List entities, most mentioned first: those with a name and without times, unless ``everything``.

    ``behind`` is the id of the entity after which the list begins; it is empty if that one is gone.
    """
    named = func.sum(Alias.count)
    query = session.select(Alias.entity_id).join(EntityRow)
    if type is not None:
        query = query.where(EntityRow.type == type.value)
    if not everything:
        query = query.where(EntityRow.is_named)
    if not everything and type is None:
        query = query.where(EntityRow.type.not_in(_WITHOUT))
    query = query.group_by(Alias.entity_id, EntityRow.key).order_by(named.desc(), EntityRow.key)
    if behind is not None:
        count = session.select(func.sum(Alias.count)).where(Alias.entity_id == behind).scalar_subquery()
        key = session.select(EntityRow.key).where(EntityRow.id == behind).scalar_subquery()
        query = query.having(or_(named < count, and_(named == count, EntityRow.key > key)))
    return get_entities(session, [row[0] for row in session.execute(query.limit(limit).offset(offset))])


def get_entities(session: UserSession, entity_ids: Sequence[int]) -> list[Entity]:
    """Return entities in the given order; those that are gone are left out."""
    if not entity_ids:
        return []
    query = session.select(EntityRow).where(EntityRow.id == any_id(entity_ids))
    rows = {row.id: row for row in session.execute(query)}
    aliases = _aliases(session, entity_ids)
    mentioned = {row.entity_id: row for row in session.execute(_mentioned(session, entity_ids))}
    return [_entity(rows[each], aliases.get(each, []), mentioned.get(each)) for each in entity_ids if each in rows]


def find_going_by(session: UserSession, folded: str) -> list[int]:
    """Return the entities whose own name is this, folded, in order of id; aliases in conversations do not count."""
    query = session.select(EntityRow.id).where(
        sa.or_(EntityRow.key == folded, EntityRow.key.startswith(f"{folded}|", autoescape=True))
    )
    return session.values(query.order_by(EntityRow.id))


def find_called(session: UserSession, folded: str, *, where: Collection[int] | None = None) -> list[int]:
    """Return the entities that a folded name stands for in any conversation, or in some, in order of id."""
    query = session.select(Alias.entity_id).where(Alias.folded == folded, Alias.entity_id.is_not(None))
    if where is not None:
        query = query.where(Alias.conversation_id == any_id(where))
    return [each for each in session.execute(query.distinct().order_by(Alias.entity_id)).scalars() if each is not None]


def list_names(session: UserSession, *, most: int = 20_000) -> list[str]:
    """List the names of all entities as written, most frequent first."""
    query = session.select(Alias.name).group_by(Alias.name)
    return session.values(query.order_by(func.sum(Alias.count).desc(), Alias.name).limit(most))


def list_aliases_of(session: UserSession, entity_id: int) -> list[tuple[int, str]]:
    """List the keys of an entity's aliases, (conversation, folded name), in order."""
    query = session.select(Alias.conversation_id, Alias.folded).where(Alias.entity_id == entity_id)
    return [(row[0], row[1]) for row in session.execute(query.order_by(Alias.conversation_id, Alias.folded))]


def list_latest_naming(session: UserSession, entity_ids: Collection[int]) -> dict[int, Naming]:
    """Map entities to the latest message that mentions each; entities without a mention are left out."""
    if not entity_ids:
        return {}
    rows = session.execute(_LATEST, {"entities": sorted(entity_ids), "width": AROUND})
    return {
        row.entity_id: Naming(
            Pointer(row.wing, row.room, row.drawer), f"{row.before or ''}{row.name}{row.behind or ''}"
        )
        for row in rows
    }


def _aliases(session: UserSession, entity_ids: Sequence[int]) -> dict[int, list[str]]:
    """Map entities to their names, most frequent first; each in its most frequent spelling."""
    times = func.sum(Alias.count)
    query = (
        session.select(Alias.entity_id, Alias.folded, Alias.name, times.label("times"))
        .where(Alias.entity_id == any_id(entity_ids))
        .group_by(Alias.entity_id, Alias.folded, Alias.name)
        .order_by(Alias.entity_id, times.desc(), Alias.name)
    )
    written: dict[int, dict[str, str]] = {}
    counts: dict[tuple[int, str], int] = {}
    for row in session.execute(query):
        written.setdefault(row.entity_id, {}).setdefault(row.folded, row.name)
        counts[row.entity_id, row.folded] = counts.get((row.entity_id, row.folded), 0) + row.times
    return {
        entity_id: [names[folded] for folded in sorted(names, key=lambda each: (-counts[entity_id, each], each))]
        for entity_id, names in written.items()
    }


def _mentioned(session: UserSession, entity_ids: Sequence[int]) -> Select[*tuple[Any, ...]]:
    alias = and_(
        Alias.user_id == Mention.user_id,
        Alias.conversation_id == Mention.conversation_id,
        Alias.folded == Mention.folded,
    )
    return (
        session.select(
            func.count(Mention.drawer_id).label("mention_count"),
            Alias.entity_id,
            func.min(Drawer.said_at).label("first_said_at"),
            func.max(Drawer.said_at).label("last_said_at"),
        )
        .join(Alias, alias)
        .join(Drawer, and_(Drawer.user_id == Mention.user_id, Drawer.id == Mention.drawer_id))
        .where(Alias.entity_id == any_id(entity_ids))
        .group_by(Alias.entity_id)
    )


def _entity(row: Any, names: Sequence[str], mentioned: Any) -> Entity:
    counted = {} if mentioned is None else dict(mentioned._mapping)
    counted.pop("entity_id", None)
    return record_of(Entity, row, aliases=tuple(name for name in names if name != row.name), **counted)
