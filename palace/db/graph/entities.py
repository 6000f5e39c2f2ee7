"""Entities: the aliases to be resolved, by family, and writing the entities that they resolve to."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlalchemy import and_
from sqlalchemy.sql.selectable import TableValuedAlias
from sqlalchemy.types import TypeEngine

from palace.db.database import UserSession
from palace.db.rows import any_id, any_text, columns_of, given_rows, record_of
from palace.db.tables import Alias as AliasRow
from palace.db.tables import Assertion, Entity
from palace.models.claims import Action, EntityType
from palace.models.graph import Alias, Resolved

_CALLED = sa.text(
    "SELECT DISTINCT t.conversation_id, t.subject, t.object_folded FROM assertion AS t"
    " CROSS JOIN LATERAL (SELECT a.family FROM alias AS a WHERE a.user_id = :user_id"
    " AND a.conversation_id = t.conversation_id AND a.folded = t.subject OFFSET 0) AS named"
    " CROSS JOIN LATERAL (SELECT a.family FROM alias AS a WHERE a.user_id = :user_id"
    " AND a.conversation_id = t.conversation_id AND a.folded = t.object_folded OFFSET 0) AS other"
    " WHERE t.user_id = :user_id AND t.predicate = 'called'"
    " AND (named.family = ANY(:families) OR other.family = ANY(:families))"
    " ORDER BY t.conversation_id, t.subject, t.object_folded"
)
"""Each alias is looked up by its key: the planner has no statistics on rows that were just written."""
_PUT = sa.text(
    # With an empty list of kinds: finding that there are none then updates no row, as it would from null.
    "INSERT INTO entity AS e (user_id, key, name, type, is_named, kinds) SELECT :user_id, given.*, '{}'"
    " FROM unnest(CAST(:keys AS text[]), CAST(:names AS text[]), CAST(:types AS text[]), CAST(:named AS boolean[]))"
    " AS given (key, name, type, is_named) ON CONFLICT (user_id, key) DO UPDATE SET name = excluded.name,"
    " type = excluded.type, is_named = excluded.is_named WHERE (e.name, e.type, e.is_named)"
    " IS DISTINCT FROM (excluded.name, excluded.type, excluded.is_named)"
)
_IDS = sa.text("SELECT e.key, e.id FROM entity AS e WHERE e.user_id = :user_id AND e.key = ANY(CAST(:keys AS text[]))")

AliasKey = tuple[int, str]
"""Key of an alias: the conversation's id, and the name folded."""


def key_of(alias: Alias) -> AliasKey:
    """Return the key of an alias, unique for the user."""
    return alias.conversation_id, alias.folded


@dataclass(frozen=True, slots=True)
class KnownAlias:
    """An alias, and the entity that it stands for so far."""

    alias: Alias
    family: str
    entity_id: int | None

    @property
    def key(self) -> AliasKey:
        """Its key, unique for the user."""
        return key_of(self.alias)


class Called(NamedTuple):
    """A claim in a conversation that something has a name: "my sister" is called "Anna"."""

    conversation_id: int
    subject: str
    name: str
    """The name; both are folded."""


def list_aliases(session: UserSession, families: Collection[str], *, but: str = "") -> list[KnownAlias]:
    """List the aliases of families, except those of one folded name, in order of name and conversation."""
    query = (
        session.select(AliasRow)
        .where(AliasRow.family == any_text(families), AliasRow.folded != but)
        .order_by(AliasRow.folded, AliasRow.conversation_id)
    )
    return [KnownAlias(record_of(Alias, row), row.family, row.entity_id) for row in session.execute(query)]


def list_folded(session: UserSession, families: Collection[str]) -> set[str]:
    """List the folded names of families."""
    query = session.select(AliasRow.folded).where(AliasRow.family == any_text(families))
    return set(session.values(query.distinct()))


def list_families_of(session: UserSession, names: Collection[str]) -> set[str]:
    """List the families of folded names."""
    query = session.select(AliasRow.family).where(AliasRow.folded == any_text(names))
    return set(session.values(query.distinct()))


class NameInside(NamedTuple):
    """A name of a conversation, with its family and the entity that it stands for."""

    conversation_id: int
    folded: str
    family: str
    entity_id: int | None


def list_names_in(session: UserSession, conversations: Collection[int]) -> list[NameInside]:
    """List the names of conversations; one without any has no reading."""
    query = session.select(*columns_of(AliasRow, NameInside)).where(AliasRow.conversation_id == any_id(conversations))
    return [NameInside(*row) for row in session.execute(query)]


def list_standing(session: UserSession, keys: Collection[AliasKey]) -> tuple[set[str], set[int]]:
    """List the families of aliases, and the entities that they stand for."""
    if not keys:
        return set(), set()
    given = _given(sorted(keys))
    here = and_(AliasRow.conversation_id == given.c.conversation_id, AliasRow.folded == given.c.folded)
    query = session.select(AliasRow.family, AliasRow.entity_id).join(given, here)
    rows = session.execute(query).all()
    return {row.family for row in rows}, {row.entity_id for row in rows if row.entity_id is not None}


def list_called(session: UserSession, families: Collection[str]) -> list[Called]:
    """List the claims on what something is called that involve names of families."""
    if not families:
        return []
    found = session.execute(_CALLED, {"families": sorted(families)})
    return [Called(row[0], row[1], row[2]) for row in found]


def list_held(
    session: UserSession, families: Collection[str], predicates: Collection[str]
) -> list[tuple[int, int, str, str, str, Action]]:
    """List claims of some predicates whose object is a name of families, in order of drawer.

    Each is (conversation_id, drawer_id, folded subject, predicate, folded name, action).
    """
    named = and_(
        AliasRow.user_id == Assertion.user_id,
        AliasRow.conversation_id == Assertion.conversation_id,
        AliasRow.folded == Assertion.object_folded,
    )
    query = (
        session.select(
            Assertion.conversation_id,
            Assertion.drawer_id,
            Assertion.subject,
            Assertion.predicate,
            AliasRow.folded,
            Assertion.action,
        )
        .join(AliasRow, named)
        .where(Assertion.predicate == any_text(predicates), AliasRow.family == any_text(families))
        .order_by(Assertion.drawer_id, Assertion.ordinal)
    )
    return [(*row[:5], Action(row[5])) for row in session.execute(query)]


def write_entities(session: UserSession, resolved: Sequence[Resolved]) -> dict[AliasKey, int]:
    """Upsert resolved entities by their keys; return the entity of each alias."""
    if not resolved:
        return {}
    rows = sorted(resolved, key=lambda entity: entity.key)
    columns = {
        "keys": [entity.key for entity in rows],
        "names": [entity.name for entity in rows],
        "types": [entity.type.value for entity in rows],
        "named": [entity.is_named for entity in rows],
    }
    session.execute(_PUT, columns)
    ids = {row.key: row.id for row in session.execute(_IDS, {"keys": columns["keys"]})}
    return {member: ids[entity.key] for entity in resolved for member in entity.members}


def assign_entities(session: UserSession, assigned: Mapping[AliasKey, int]) -> None:
    """Set the entities that aliases stand for."""
    if not assigned:
        return
    keys = sorted(assigned)
    given = _given(keys, entity_id=(sa.BigInteger(), [assigned[key] for key in keys]))
    session.update(
        AliasRow,
        AliasRow.conversation_id == given.c.conversation_id,
        AliasRow.folded == given.c.folded,
        entity_id=given.c.entity_id,
    )


def _given(keys: Sequence[AliasKey], **further: tuple[TypeEngine[Any], Sequence[Any]]) -> TableValuedAlias:
    conversations, folded = [key[0] for key in keys], [key[1] for key in keys]
    return given_rows({"conversation_id": (sa.BigInteger(), conversations), "folded": (sa.Text(), folded), **further})


def settle(session: UserSession, conversations: Collection[int], key: str, name: str) -> None:
    """Let unresolved aliases ``key`` of conversations stand for the person of that key, created if missing."""
    here = and_(AliasRow.conversation_id == any_id(conversations), AliasRow.folded == key, AliasRow.entity_id.is_(None))
    if not session.has(session.select(AliasRow.folded).where(here)):
        return
    session.add(Entity, [{"key": key, "name": name, "type": EntityType.PERSON.value, "is_named": True}])
    own = session.select(Entity.id).where(Entity.key == key)
    entity_id = session.execute(own).scalar_one()
    session.update(AliasRow, here, entity_id=entity_id)


def drop_unnamed(session: UserSession, entity_ids: Collection[int] | None = None) -> None:
    """Delete those of some entities, or of all, that no alias stands for, with their relations."""
    if entity_ids is not None and not entity_ids:
        return
    stands = session.select(AliasRow.entity_id).where(AliasRow.entity_id == Entity.id)
    among = () if entity_ids is None else (Entity.id == any_id(entity_ids),)
    session.delete(Entity, ~stands.exists(), *among)
