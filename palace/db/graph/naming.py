"""The entities that a query names, the drawers that mention them, and those that state relations of them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import NamedTuple

import sqlalchemy as sa

from palace.db.database import UserSession
from palace.db.driver import Answer
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
    # Nearly every query might be about the user, of whom often nothing is known.
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


class NamedEntity(NamedTuple):
    """An entity that a name stands for."""

    folded: str
    """The folded name."""
    entity_id: int
    is_small: bool
    """Whether it is written in lower case somewhere."""
    times: int
    """How often drawers mention the entity, by any name."""


class Asking(NamedTuple):
    """Which relations of entities a query asks for."""

    predicates: Collection[str]
    """Predicates followed from entities that are one relation away."""
    time: tuple[datetime, datetime] | None
    """A time in which they hold at least partly; None for any time."""
    events: Collection[str]
    """Predicates of events, which count at any time."""
    most: int
    """The most relations examined, the latest first."""
    own: Collection[str] | None = None
    """Predicates of the entities' own relations; None for all."""


class Told(NamedTuple):
    """A drawer that is evidence of a relation."""

    drawer_id: int
    predicate: str
    hops: int
    """0 for a relation of the entities themselves, 1 for one of an entity that is one relation away."""
    subject_id: int
    object_id: int | None


def list_known(session: UserSession, folded: Sequence[str]) -> set[str]:
    """Return those of some folded words that are the name of an entity."""
    return set(session.values(_KNOWN, {"folded": list(folded)}))


def find_named(session: UserSession, folded: Collection[str], *, self_key: str) -> list[NamedEntity]:
    """Return the entities that folded names stand for in any conversation, without the palace's owner."""
    if not folded:
        return []
    rows = session.execute(_NAMED, {"folded": sorted(folded), "self": self_key}, generic_plan=True)
    return [NamedEntity(*row) for row in rows]


def ask_entity_names(session: UserSession, entity_ids: Collection[int], scope: Scope = _ALL) -> Answer[list[str]]:
    """List the names of some entities; with wings in ``scope``, the names used there."""
    wings = scope.places["wings"]
    parameters = {"entities": list(entity_ids)}
    text, given = (_CALLED, parameters) if wings is None else (_CALLED_THERE, {**parameters, "wings": wings})
    return session.ask(text, given, lambda rows: list(rows.scalars()), generic_plan=wings is None)


def ask_self(session: UserSession, self_key: str, predicates: Collection[str]) -> Answer[int | None]:
    """Return the palace's owner if they have a relation with one of some predicates, else None."""
    parameters = {"self": self_key, "predicates": sorted(predicates)}
    return session.ask(_SELF, parameters, lambda rows: rows.scalar_one_or_none(), generic_plan=True)


def ask_naming(
    session: UserSession, entity_ids: Collection[int], *, most: int, scope: Scope = _ALL
) -> Answer[list[tuple[int, int]]]:
    """List (entity, drawer) pairs of mentions in the wings of a scope, for each entity the latest filed drawers."""
    parameters = {"entities": sorted(entity_ids), "most": most, "wings": scope.places["wings"]}
    return session.ask(_MENTIONING, parameters, lambda rows: [(row[0], row[1]) for row in rows], generic_plan=True)


def ask_told(
    session: UserSession, entity_ids: Collection[int], asking: Asking, *, self_key: str, scope: Scope = _ALL
) -> Answer[list[Told]]:
    """List the evidence of entities' relations, and of those one relation away, except from the palace's owner.

    With wings in ``scope``, only evidence there counts, also on the way.
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
    return session.ask("facts_about", parameters, lambda rows: [Told(*row) for row in rows])
