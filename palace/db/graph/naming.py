"""Who and what a query names, the drawers that name them, and those that tell of them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import NamedTuple

import sqlalchemy as sa

from palace.db.database import UserSession
from palace.db.rows import grouped
from palace.models import Scope

_ALL = Scope()

_NAMED = sa.text(
    "SELECT a.folded, a.entity_id, bool_or(a.name = lower(a.name)) AS is_small,"
    " (SELECT sum(o.count) FROM alias AS o WHERE o.user_id = :user_id AND o.entity_id = a.entity_id) AS times"
    " FROM alias AS a JOIN entity AS e ON e.user_id = :user_id AND e.id = a.entity_id"
    " WHERE a.user_id = :user_id AND a.folded = ANY(:folded) AND e.key <> :self"
    " GROUP BY a.folded, a.entity_id ORDER BY a.folded, a.entity_id"
)
_SELF = sa.text(
    # Nearly every query might ask something of the person, and of few is anything known.
    "SELECT e.id FROM entity AS e WHERE e.user_id = :user_id AND e.key = :self AND EXISTS (SELECT FROM relation AS r"
    " WHERE r.user_id = :user_id AND r.subject_id = e.id AND r.predicate = ANY(:predicates)"
    " AND r.superseded_at IS NULL UNION ALL SELECT FROM relation AS r WHERE r.user_id = :user_id"
    " AND r.object_id = e.id AND r.predicate = ANY(:predicates) AND r.superseded_at IS NULL)"
)
_KNOWN = sa.text(
    "SELECT DISTINCT a.folded FROM alias AS a WHERE a.user_id = :user_id AND a.folded = ANY(:folded) AND a.is_named"
)
_CALLED = sa.text(
    "SELECT e.name FROM entity AS e WHERE e.user_id = :user_id AND e.id = ANY(:entities) ORDER BY e.name, e.id"
)
_CALLED_THERE = sa.text(
    "SELECT name FROM (SELECT a.entity_id, a.name, row_number() OVER (PARTITION BY a.entity_id ORDER BY sum(a.count)"
    " DESC, a.name) AS place FROM alias AS a WHERE a.user_id = :user_id AND a.entity_id = ANY(:entities) AND EXISTS ("
    "SELECT FROM mention AS m JOIN drawer AS d ON d.user_id = :user_id AND d.id = m.drawer_id JOIN room AS r"
    " ON r.user_id = :user_id AND r.id = d.room_id AND r.wing_id = ANY(CAST(:wings AS bigint[]))"
    " WHERE m.user_id = :user_id AND m.conversation_id = a.conversation_id AND m.folded = a.folded)"
    " GROUP BY a.entity_id, a.name) AS called WHERE place = 1 ORDER BY name"
)
_MENTIONING = sa.text(
    "SELECT named.entity_id, found.drawer_id FROM unnest(CAST(:entities AS bigint[])) AS named (entity_id)"
    " CROSS JOIN LATERAL (SELECT DISTINCT m.drawer_id FROM alias AS a JOIN mention AS m ON m.user_id = :user_id"
    " AND m.conversation_id = a.conversation_id AND m.folded = a.folded"
    " WHERE a.user_id = :user_id AND a.entity_id = named.entity_id AND (CAST(:wings AS bigint[]) IS NULL OR EXISTS ("
    "SELECT FROM drawer AS d JOIN room AS r ON r.user_id = :user_id AND r.id = d.room_id WHERE d.user_id = :user_id"
    " AND d.id = m.drawer_id AND r.wing_id = ANY(CAST(:wings AS bigint[])))) ORDER BY m.drawer_id DESC"
    " LIMIT :most) AS found"
)
_MENTIONED = sa.text(
    "SELECT DISTINCT m.drawer_id, a.entity_id FROM mention AS m JOIN alias AS a ON a.user_id = :user_id"
    " AND a.conversation_id = m.conversation_id AND a.folded = m.folded"
    " WHERE m.user_id = :user_id AND m.drawer_id = ANY(:drawers) AND a.entity_id = ANY(:entities)"
)


class NamedEntity(NamedTuple):
    """What a name stands for."""

    folded: str
    """The name."""
    entity_id: int
    is_small: bool
    """Whether it is written without a capital anywhere."""
    times: int
    """How often drawers name it, by whatever name."""


class Asking(NamedTuple):
    """What is asked of entities."""

    predicates: Collection[str]
    """What is followed from what they lead to."""
    time: tuple[datetime, datetime] | None
    """When it held, somewhere between the two; None for ever."""
    events: Collection[str]
    """Predicates that are told at any time."""
    most: int
    """Relations that are looked at, the latest first."""
    own: Collection[str] | None = None
    """The predicates of the entities' own relations that are looked at; None for all."""


class Told(NamedTuple):
    """That a drawer is evidence of a relation."""

    drawer_id: int
    predicate: str
    hops: int
    """0 of an entity that was asked for, 1 of what is one relation away from one."""
    subject_id: int
    object_id: int | None


def list_known(session: UserSession, folded: Sequence[str]) -> set[str]:
    """List those of some folded words that drawers have as a name of someone or something."""
    return set(session.values(_KNOWN, {"folded": list(folded)}))


def find_named(session: UserSession, folded: Collection[str], *, self_key: str) -> list[NamedEntity]:
    """Find what some names, folded, stand for in any conversation; the person whose palace it is left out."""
    if not folded:
        return []
    rows = session.execute(_NAMED, {"folded": sorted(folded), "self": self_key}, generic_plan=True)
    return [NamedEntity(*row) for row in rows]


def list_entity_names(session: UserSession, entity_ids: Collection[int], scope: Scope = _ALL) -> list[str]:
    """List what some entities are called; of a scope with wings, what they are called there."""
    wings = scope.places["wings"]
    parameters = {"entities": list(entity_ids)}
    found = (
        session.execute(_CALLED, parameters)
        if wings is None
        else session.execute(_CALLED_THERE, {**parameters, "wings": wings})
    )
    return list(found.scalars())


def find_self(session: UserSession, self_key: str, predicates: Collection[str]) -> int | None:
    """Find the person whose palace it is, where they have part in a relation of one of some predicates."""
    return session.execute(_SELF, {"self": self_key, "predicates": sorted(predicates)}).scalar_one_or_none()


def list_naming(
    session: UserSession, entity_ids: Collection[int], *, most: int, scope: Scope = _ALL
) -> list[tuple[int, int]]:
    """List entities with drawers that name them in the wings of a scope, of each the latest filed ones."""
    parameters = {"entities": sorted(entity_ids), "most": most, "wings": scope.places["wings"]}
    return [(row[0], row[1]) for row in session.execute(_MENTIONING, parameters, generic_plan=True)]


def list_named_in(
    session: UserSession, drawer_ids: Collection[int], entity_ids: Collection[int]
) -> dict[int, set[int]]:
    """Map drawers to which of some entities they name; those that name none are left out."""
    if not drawer_ids or not entity_ids:
        return {}
    parameters = {"drawers": sorted(drawer_ids), "entities": sorted(entity_ids)}
    rows = session.execute(_MENTIONED, parameters, generic_plan=True)
    return {drawer_id: set(entities) for drawer_id, entities in grouped(rows).items()}


def list_told(
    session: UserSession, entity_ids: Collection[int], asking: Asking, *, self_key: str, scope: Scope = _ALL
) -> list[Told]:
    """List the evidence of what holds of entities, and of what they lead to; the palace's person leads nowhere.

    Of a scope with wings only what is told there counts, also on the way.
    """
    start, end = asking.time or (None, None)
    parameters = {
        "entities": sorted(entity_ids),
        "predicates": sorted(asking.predicates),
        "asked_from": start,
        "asked_to": end,
        "events": sorted(asking.events),
        "self": self_key,
        "most": asking.most,
        "own": None if asking.own is None else sorted(asking.own),
        "wings": scope.places["wings"],
    }
    return [Told(*row) for row in session.run("facts_about", parameters)]
