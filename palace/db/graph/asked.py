"""Reading relations: of entities, at a moment, of a drawer; and statements of drawers that ended."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlalchemy import and_, func

from palace.db.database import UserSession
from palace.db.graph.listing import find_going_by
from palace.db.rows import any_id, record_of
from palace.db.tables import Assertion, Drawer, Entity, Evidence, Room, Wing, aliased
from palace.db.tables import Relation as RelationRow
from palace.models import Pointer
from palace.models.claims import EntityType
from palace.models.graph import Relation

_CHANGES = sa.text(
    "SELECT a.drawer_id, a.until, a.superseded_by, coalesce(d.said_at, r.started_at, d.filed_at) AS learned_at,"
    " 2 * (a.char_end - a.char_start) >= length(o.content) AS is_most,"
    " a.predicate, ARRAY(SELECT DISTINCT h.predicate FROM assertion AS h WHERE h.user_id = :user_id"
    " AND h.drawer_id = a.drawer_id AND h.until IS NULL AND h.action IN ('holds', 'begins', 'corrects')"
    " ORDER BY h.predicate) AS holding"
    " FROM assertion AS a JOIN drawer AS d ON d.user_id = :user_id AND d.id = a.superseded_by"
    " JOIN room AS r ON r.user_id = :user_id AND r.id = d.room_id"
    " JOIN drawer AS o ON o.user_id = :user_id AND o.id = a.drawer_id"
    " WHERE a.user_id = :user_id AND (a.drawer_id = ANY(:drawers) OR a.superseded_by = ANY(:drawers))"
    " AND a.until IS NOT NULL AND a.superseded_by <> a.drawer_id AND a.action IN ('holds', 'begins', 'corrects')"
    " ORDER BY a.drawer_id, a.until, a.ordinal"
)


class Moments(NamedTuple):
    """The time at which relations hold, and the time at which they are believed."""

    as_of: datetime | None = None
    """Only relations that hold then; None for any time."""
    believed: datetime | None = None
    """As believed then; None for now."""

    @property
    def parameters(self) -> dict[str, object]:
        """These as parameters of statements."""
        return {
            "begun_by": self.as_of.isoformat() if self.as_of else "infinity",
            "over_after": self.as_of.isoformat() if self.as_of else "-infinity",
            "believed": self.believed.isoformat() if self.believed else "infinity",
        }


class NamedEntity(NamedTuple):
    """An entity with its name and type, without counts."""

    id: int
    name: str
    type: EntityType
    is_named: bool
    """Whether it has a proper name, not only a noun."""


class Said(NamedTuple):
    """The relations in a drawer, as believed now."""

    supported: tuple[Relation, ...]
    closed: tuple[Relation, ...]
    """Relations that it ends and does not support."""


class Change(NamedTuple):
    """A statement of a drawer that ended, and the drawer that replaced it."""

    drawer_id: int
    until: datetime
    successor_id: int
    """The drawer that says what holds instead."""
    learned_at: datetime
    """When that drawer was said, or filed if that is unknown."""
    is_most: bool
    """Whether the ended statement makes up most of the drawer."""
    predicate: str
    holding: tuple[str, ...] = ()
    """Predicates of the drawer's other statements that still hold."""


def list_relations_of(
    session: UserSession, entity_ids: Collection[int], moments: Moments, *, most: int
) -> list[Relation]:
    """List the relations of entities, latest begun first; at most ``most`` of each entity, as subject and as object."""
    found = session.run("relations_of", {**moments.parameters, "entity_ids": sorted(entity_ids), "most": most})
    return [_record(row, {False: _pointers(row.supports), True: _pointers(row.closes)}) for row in found]


def list_relations_at(session: UserSession, moments: Moments, *, most: int) -> list[Relation]:
    """List up to ``most`` relations of any entities, latest begun first."""
    found = session.run("relations_at", {**moments.parameters, "most": most})
    return get_relations(session, [row.id for row in found], believed=moments.believed)


def get_said(session: UserSession, drawer_id: int) -> Said:
    """Return the relations that a drawer supports and those that it ends."""
    sides: dict[int, set[bool]] = defaultdict(set)
    for relation_id, closes in session.execute(_read_from(session, Assertion.drawer_id == drawer_id)):
        sides[relation_id].add(closes)
    relations = get_relations(session, sides)
    return Said(
        tuple(each for each in relations if False in sides[each.id]),
        tuple(each for each in relations if sides[each.id] == {True}),
    )


def list_read_in(session: UserSession, conversations: Collection[int]) -> list[Relation]:
    """List the believed relations that are read from conversations."""
    found = session.execute(_read_from(session, Assertion.conversation_id == any_id(conversations), ~Evidence.closes))
    return get_relations(session, {row.relation_id for row in found})


def _read_from(session: UserSession, *where: sa.ColumnElement[bool]) -> sa.Select[int, bool]:
    return (
        session.select(Evidence.relation_id, Evidence.closes)
        .join(Assertion)
        .join(RelationRow, and_(RelationRow.user_id == Evidence.user_id, RelationRow.id == Evidence.relation_id))
        .where(RelationRow.superseded_at.is_(None), *where)
    )


def get_relations(session: UserSession, ids: Collection[int], *, believed: datetime | None = None) -> list[Relation]:
    """Return relations with their evidence, latest begun first; those that are gone are left out.

    With ``believed``, the evidence is what was said by then.
    """
    if not ids:
        return []
    begun = func.coalesce(RelationRow.valid_from, sa.cast("-infinity", sa.DateTime(timezone=True)))
    one, other = aliased(Entity), aliased(Entity)
    query = (
        session.select(
            RelationRow, one.name.label("subject"), func.coalesce(other.name, RelationRow.object).label("named")
        )
        .join(one, and_(one.user_id == RelationRow.user_id, one.id == RelationRow.subject_id))
        .outerjoin(other, and_(other.user_id == RelationRow.user_id, other.id == RelationRow.object_id))
        .where(RelationRow.id == any_id(ids))
        .order_by(begun.desc(), one.key, RelationRow.predicate, RelationRow.ordinal)
    )
    rows = session.execute(query).all()
    evidence = _evidence(session, [row.id for row in rows], believed)
    return [_record(row, evidence[row.id]) for row in rows]


def list_going_by(session: UserSession, folded: str) -> list[NamedEntity]:
    """List the entities whose own name is this, folded, in order of id; aliases in conversations do not count."""
    return get_named(session, find_going_by(session, folded))


def get_named(session: UserSession, entity_ids: Sequence[int]) -> list[NamedEntity]:
    """Return the names of entities, in the given order; those that are gone are left out."""
    query = session.select(Entity.id, Entity.name, Entity.type, Entity.is_named).where(Entity.id == any_id(entity_ids))
    found = {row.id: record_of(NamedEntity, row) for row in session.execute(query)}
    return [found[each] for each in entity_ids if each in found]


def list_changes(session: UserSession, drawer_ids: Collection[int]) -> list[Change]:
    """List the changes from or to some drawers, by drawer and time."""
    if not drawer_ids:
        return []
    rows = session.execute(_CHANGES, {"drawers": sorted(drawer_ids)}, generic_plan=True)
    return [Change(*row)._replace(holding=tuple(row.holding)) for row in rows]


def _evidence(
    session: UserSession, relation_ids: Sequence[int], believed: datetime | None
) -> dict[int, dict[bool, list[Pointer]]]:
    """Map relations to the drawers that support them (False) and that end them (True), in chronological order."""
    learned_at = func.coalesce(Drawer.said_at, Room.started_at, Drawer.filed_at)
    query = (
        session.select(Evidence.relation_id, Evidence.closes, Wing.number, Room.number, Drawer.number)
        .join(Assertion)
        .join(Drawer, and_(Drawer.user_id == Assertion.user_id, Drawer.id == Assertion.drawer_id))
        .join(Room)
        .join(Wing)
        .where(Evidence.relation_id == any_id(relation_ids))
        .order_by(learned_at, Drawer.position, Assertion.ordinal, Assertion.id)
    )
    if believed is not None:
        query = query.where(learned_at <= believed)
    found: dict[int, dict[bool, list[Pointer]]] = defaultdict(lambda: {False: [], True: []})
    for relation_id, closes, *numbers in session.execute(query):
        found[relation_id][closes].append(Pointer(*numbers))
    return found


def _pointers(places: Sequence[Sequence[int]] | None) -> list[Pointer]:
    return [Pointer(*numbers) for numbers in places or ()]


def _record(row: Any, evidence: dict[bool, list[Pointer]]) -> Relation:
    said, closing = dict.fromkeys(evidence[False]), dict.fromkeys(evidence[True])
    closed_by = tuple(each for each in closing if each not in said)
    return record_of(Relation, row, object=row.named, evidence=tuple(said), closed_by=closed_by)
