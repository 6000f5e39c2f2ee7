"""Relations: the assertions from which they are folded, by group, and storing the result."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlalchemy import Select, and_, func, insert, select, tuple_

from palace.db.database import UserSession
from palace.db.rows import any_id, given_rows, ids_text, record_of, row_of
from palace.db.tables import Alias, Drawer, Entity, Evidence, Relation, Room, aliased
from palace.db.tables import Assertion as AssertionRow
from palace.models import Role
from palace.models.claims import EntityType, Precision, VagueDate
from palace.models.graph import Assertion, FoldedRelation, Overtaken

_GROUPS_IN = sa.text(
    "SELECT DISTINCT subject.entity_id, t.predicate FROM assertion AS t CROSS JOIN LATERAL (SELECT a.entity_id"
    " FROM alias AS a WHERE a.user_id = :user_id AND a.conversation_id = t.conversation_id AND a.folded = t.subject"
    " OFFSET 0) AS subject WHERE t.user_id = :user_id AND t.conversation_id = ANY(CAST(:conversations AS bigint[]))"
    " AND subject.entity_id IS NOT NULL"
)
"""Each alias is looked up by its key: the planner has no statistics on rows that were just written."""
_GROUPS_OF = sa.text(
    "SELECT DISTINCT subject.entity_id, t.predicate FROM (SELECT DISTINCT a.conversation_id FROM alias AS a"
    " WHERE a.user_id = :user_id AND a.entity_id = ANY(:entities)) AS here"
    " JOIN assertion AS t ON t.user_id = :user_id AND t.conversation_id = here.conversation_id"
    " CROSS JOIN LATERAL (SELECT a.entity_id FROM alias AS a WHERE a.user_id = :user_id"
    " AND a.conversation_id = t.conversation_id AND a.folded = t.subject OFFSET 0) AS subject"
    " LEFT JOIN LATERAL (SELECT a.entity_id FROM alias AS a WHERE a.user_id = :user_id"
    " AND a.conversation_id = t.conversation_id AND a.folded = t.object_folded OFFSET 0) AS object ON true"
    " WHERE subject.entity_id IS NOT NULL"
    " AND (subject.entity_id = ANY(:entities) OR object.entity_id = ANY(:entities))"
)


class Group(NamedTuple):
    """The claims on one subject with one predicate, which are folded together."""

    subject_id: int
    predicate: str


@dataclass(frozen=True, slots=True)
class NewRelations:
    """The relations to which a group was folded."""

    group: Group
    is_single: bool
    relations: tuple[FoldedRelation, ...]
    overtaken: tuple[Overtaken, ...]


def list_groups(
    session: UserSession, *, conversations: Collection[int] | None = None, entity_ids: Collection[int] | None = None
) -> set[Group]:
    """List the groups of the claims of conversations, or those of claims with some entities as subject or object."""
    if conversations is not None:
        rows = session.execute(_GROUPS_IN, {"conversations": ids_text(conversations)})
    else:
        rows = session.execute(_GROUPS_OF, {"entities": sorted(entity_ids or ())})
    return {Group(row[0], row[1]) for row in rows}


def list_groups_held(session: UserSession, entity_ids: Collection[int]) -> set[Group]:
    """List the groups with relations of some entities, as subject or object, even where no claims are left."""
    query = session.select(Relation.subject_id, Relation.predicate).where(
        sa.or_(Relation.subject_id == any_id(entity_ids), Relation.object_id == any_id(entity_ids))
    )
    return {Group(row[0], row[1]) for row in session.execute(query.distinct())}


def list_unsupported_groups(session: UserSession) -> set[Group]:
    """List the groups with a relation that lacks evidence, which none should."""
    said = session.select(Evidence.relation_id).where(Evidence.relation_id == Relation.id, ~Evidence.closes)
    query = session.select(Relation.subject_id, Relation.predicate).where(~said.exists())
    return {Group(row[0], row[1]) for row in session.execute(query.distinct())}


def list_groups_of_drawers(session: UserSession, drawer_ids: Sequence[int]) -> set[Group]:
    """List the groups of drawers' claims."""
    query = _claims(session, Alias.entity_id, AssertionRow.predicate).where(
        AssertionRow.drawer_id == any_id(drawer_ids), Alias.entity_id.is_not(None)
    )
    return {Group(row[0], row[1]) for row in session.execute(query.distinct())}


def count_graph(session: UserSession) -> tuple[int, int, int]:
    """Count the named entities, without times, the people among them, and the relations that are believed."""
    entities = session.count(Entity, Entity.is_named, Entity.type != EntityType.TIME.value)
    people = session.count(Entity, Entity.is_named, Entity.type == EntityType.PERSON.value)
    return entities, people, session.count(Relation, Relation.superseded_at.is_(None))


def list_assertions(session: UserSession, groups: Collection[Group]) -> dict[Group, list[Assertion]]:
    """Map groups to their claims in drawers that their sources still hold; an empty list where there are none.

    The object key of an entity is its own, of any other object its text.
    """
    about = _object(session)
    drawer = and_(Drawer.user_id == AssertionRow.user_id, Drawer.id == AssertionRow.drawer_id)
    named = (
        Alias.entity_id.label("subject_id"),
        about.c.entity_id.label("object_id"),
        about.c.key.label("object_key"),
    )
    said_at = func.coalesce(Drawer.said_at, Room.started_at)
    learned_at = func.coalesce(said_at, Drawer.filed_at).label("learned_at")
    is_dated = said_at.is_not(None).label("is_dated")
    query = (
        _claims(session, AssertionRow, *named, learned_at, is_dated, Drawer.role, Drawer.filed_at, Drawer.position)
        .join(Drawer, drawer)
        .join(Room, and_(Room.user_id == Drawer.user_id, Room.id == Drawer.room_id))
        .outerjoin(about, sa.true())
        .where(
            Drawer.replaced_at.is_(None),
            tuple_(Alias.entity_id, AssertionRow.predicate).in_([tuple(group) for group in groups]),
        )
        .order_by(learned_at, AssertionRow.drawer_id, AssertionRow.ordinal)
    )
    found: dict[Group, list[Assertion]] = {group: [] for group in groups}
    for row in session.execute(query):
        found[Group(row.subject_id, row.predicate)].append(
            record_of(
                Assertion,
                row,
                object_key=row.object_key or row.object,
                valid_from=_date(row.valid_from, row.from_precision),
                valid_to=_date(row.valid_to, row.to_precision),
                is_rejection=row.role == Role.TOOL,
            )
        )
    return found


def write_relations(session: UserSession, folded: Sequence[NewRelations], drawers: Mapping[int, int]) -> None:
    """Replace the relations of groups; ``drawers`` maps assertion ids to drawer ids."""
    groups = [tuple(new.group) for new in folded]
    if not groups:
        return
    session.delete(Relation, tuple_(Relation.subject_id, Relation.predicate).in_(groups))
    rows = {
        (*new.group, ordinal): row_of(
            Relation, relation, **new.group._asdict(), is_single=new.is_single, ordinal=ordinal
        )
        for new in folded
        for ordinal, relation in enumerate(new.relations)
    }
    if rows:
        key = (Relation.subject_id, Relation.predicate, Relation.ordinal)
        made = session.insert(insert(Relation).returning(Relation.id, *key), list(rows.values()))
        ids = {(row.subject_id, row.predicate, row.ordinal): row.id for row in made}
        session.insert(insert(Evidence), [line for new in folded for line in _evidence_of(new, ids)])
    _write_overtaken(session, [new for one in folded for new in one.overtaken], drawers)


def _write_overtaken(session: UserSession, overtaken: Sequence[Overtaken], drawers: Mapping[int, int]) -> None:
    """Set for all assertions in ``drawers`` whether, when and by which drawer they were superseded."""
    stale = (AssertionRow.id == any_id(drawers), AssertionRow.until.is_not(None))
    session.update(AssertionRow, *stale, until=None, superseded_by=None)
    if not overtaken:
        return
    given = given_rows(
        {
            "id": (sa.BigInteger(), [one.assertion_id for one in overtaken]),
            "until": (sa.DateTime(timezone=True), [one.until for one in overtaken]),
            "superseded_by": (sa.BigInteger(), [drawers.get(one.successor_id or 0) for one in overtaken]),
        }
    )
    session.update(
        AssertionRow, AssertionRow.id == given.c.id, until=given.c.until, superseded_by=given.c.superseded_by
    )


def _claims(session: UserSession, *columns: Any) -> Select[*tuple[Any, ...]]:
    subject = and_(
        Alias.user_id == AssertionRow.user_id,
        Alias.conversation_id == AssertionRow.conversation_id,
        Alias.folded == AssertionRow.subject,
    )
    mine = AssertionRow.user_id == session.user_id
    return select(*columns).select_from(AssertionRow).join(Alias, subject).where(mine)


def _object(session: UserSession) -> sa.FromClause:
    """Select the entity of an assertion's object by key, since statistics may lag behind a growing palace."""
    name, entity = aliased(Alias), aliased(Entity)
    key = session.select(entity.key).where(entity.id == name.entity_id).scalar_subquery()
    found = session.select(name.entity_id, key.label("key")).where(_object_of(name))
    return found.correlate(AssertionRow).offset(0).lateral("about")


def _object_of(about: type[Alias]) -> sa.ColumnElement[bool]:
    return and_(
        about.user_id == AssertionRow.user_id,
        about.conversation_id == AssertionRow.conversation_id,
        about.folded == AssertionRow.object_folded,
    )


def _evidence_of(new: NewRelations, ids: Mapping[tuple[int, str, int], int]) -> Iterator[dict[str, int]]:
    for ordinal, relation in enumerate(new.relations):
        yield from _evidence(ids[(*new.group, ordinal)], relation)


def _evidence(relation_id: int, relation: FoldedRelation) -> list[dict[str, int]]:
    said = [
        {"relation_id": relation_id, "assertion_id": one, "closes": False} for one in dict.fromkeys(relation.evidence)
    ]
    if relation.closed_by is None:
        return said
    return [*said, {"relation_id": relation_id, "assertion_id": relation.closed_by, "closes": True}]


def _date(day: date | None, precision: str | None) -> VagueDate | None:
    return None if day is None or precision is None else VagueDate(day, Precision(precision))
