"""Tags: the entities that drawers mention or make claims about, or whose names are known from other conversations."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

import sqlalchemy as sa

from palace.db.database import UserSession
from palace.db.driver import Answer, TextResult
from palace.db.rows import grouped, ids_text
from palace.models import Role, Scope
from palace.models.claims import EntityType, Said

_NAMES = sa.text(
    "SELECT DISTINCT a.folded FROM alias AS a WHERE a.user_id = :user_id AND a.type <> 'time'"
    " AND (a.is_named OR a.folded LIKE 'my %') AND (CAST(:words AS text[]) IS NULL"
    " OR split_part(a.folded, ' ', 1) = ANY(CAST(:words AS text[]))) LIMIT :most"
)
_NEW = sa.text(
    "SELECT a.conversation_id, a.folded FROM alias AS a WHERE a.user_id = :user_id"
    " AND a.conversation_id = ANY(CAST(:conversations AS bigint[]))"
    " AND a.type <> 'time' AND a.is_named AND length(a.folded) > 2"
    " AND NOT EXISTS (SELECT FROM alias AS o WHERE o.user_id = :user_id AND o.folded = a.folded"
    " AND o.conversation_id <> a.conversation_id) ORDER BY a.conversation_id, a.folded"
)
_STORED = sa.text(
    "SELECT d.conversation_id, k.drawer_id, k.folded, NOT EXISTS (SELECT FROM alias AS a"
    " WHERE a.user_id = :user_id AND a.folded = k.folded) AS is_untold FROM drawer AS d JOIN known_name AS k"
    " ON k.user_id = :user_id AND k.drawer_id = d.id WHERE d.user_id = :user_id"
    " AND d.conversation_id = ANY(CAST(:conversations AS bigint[]))"
)
_DROPPED = sa.text(
    "DELETE FROM known_name AS k USING unnest(CAST(:drawer_ids AS bigint[]), CAST(:folded AS text[]))"
    " AS given (drawer_id, folded) WHERE k.user_id = :user_id AND k.drawer_id = given.drawer_id"
    " AND k.folded = given.folded"
)
_UNTOLD = sa.text(
    "DELETE FROM known_name AS k WHERE k.user_id = :user_id AND k.folded = ANY(:folded) AND k.folded NOT LIKE 'my %'"
    " AND NOT EXISTS (SELECT FROM alias AS a WHERE a.user_id = :user_id AND a.folded = k.folded)"
)
_SAID = sa.text(
    "SELECT d.id, d.content, d.role, d.language FROM drawer AS d"
    " WHERE d.user_id = :user_id AND d.id = ANY(CAST(:drawer_ids AS bigint[])) ORDER BY d.id"
)
_ABOUT = sa.text(
    # Mentions come last: of one entity they count.
    "SELECT m.drawer_id, a.entity_id, true AS is_named FROM mention AS m JOIN alias AS a ON a.user_id = :user_id"
    " AND a.conversation_id = m.conversation_id AND a.folded = m.folded"
    " WHERE m.user_id = :user_id AND m.drawer_id = ANY(:drawers) AND a.entity_id = ANY(:entities)"
    " UNION SELECT t.drawer_id, a.entity_id, false FROM assertion AS t JOIN alias AS a ON a.user_id = :user_id"
    " AND a.conversation_id = t.conversation_id AND a.folded IN (t.subject, t.object_folded)"
    " WHERE t.user_id = :user_id AND t.drawer_id = ANY(:drawers) AND a.entity_id = ANY(:entities)"
    " UNION SELECT k.drawer_id, a.entity_id, false FROM known_name AS k JOIN alias AS a ON a.user_id = :user_id"
    " AND a.folded = k.folded AND a.entity_id = ANY(:entities)"
    " WHERE k.user_id = :user_id AND k.drawer_id = ANY(:drawers)"
    " AND NOT EXISTS (SELECT FROM alias AS o WHERE o.user_id = :user_id AND o.folded = k.folded"
    " AND o.entity_id <> a.entity_id) ORDER BY is_named"
)
_CALLED = sa.text(
    "SELECT DISTINCT a.folded, e.id, e.type FROM alias AS a JOIN entity AS e ON e.user_id = :user_id"
    " AND e.id = a.entity_id WHERE a.user_id = :user_id AND a.folded = ANY(:folded) AND e.key <> :self"
    " ORDER BY a.folded, e.id"
)

KnownName = tuple[int, str]
"""A drawer's id, and a folded name in its text."""


class FoundTag(NamedTuple):
    """An entity that a drawer is tagged with."""

    drawer_id: int
    type: EntityType
    name: str
    """The entity's present name."""
    start: int | None
    end: int | None
    """Span of the first mention; of the claim if there is only that; None where only the name is known."""


class CalledEntity(NamedTuple):
    """An entity that a name stands for."""

    folded: str
    entity_id: int
    type: EntityType


def ask_tags(
    session: UserSession, drawer_ids: Collection[int], *, self_key: str, most: int, as_said: bool = False
) -> Answer[list[FoundTag]]:
    """List the tags of drawers, ``most`` for each, in order of their text.

    The palace's owner, with the key ``self_key``, is left out. ``as_said`` returns names as used in the drawer's own
    conversation, and leaves out entities known only from other ones.
    """

    def read(rows: TextResult) -> list[FoundTag]:
        return [FoundTag(drawer_id, EntityType(type_), *named) for drawer_id, type_, *named in rows]

    parameters = {"drawer_ids": sorted(drawer_ids), "self": self_key, "most": most, "as_said": as_said}
    return session.ask("tags_of", parameters, read)


def ask_tagged(
    session: UserSession, entity_ids: Collection[int], *, most: int, scope: Scope
) -> Answer[list[tuple[int, int]]]:
    """List (entity, drawer) pairs of drawers tagged with entities they do not mention, the latest filed of each.

    Only in the wings of ``scope``.
    """
    parameters = {"entities": sorted(entity_ids), "most": most, "wings": scope.places["wings"]}
    return session.ask("tagged_with", parameters, lambda rows: [(row[0], row[1]) for row in rows])


def list_about(
    session: UserSession, drawer_ids: Collection[int], entity_ids: Collection[int]
) -> dict[int, dict[int, bool]]:
    """Map drawers to those of some entities that they are about, and whether they mention them; others are left out."""
    if not drawer_ids or not entity_ids:
        return {}
    found: dict[int, dict[int, bool]] = {}
    parameters = {"drawers": ids_text(sorted(drawer_ids)), "entities": sorted(entity_ids)}
    for drawer_id, entity_id, is_named in session.execute(_ABOUT, parameters, generic_plan=True):
        found.setdefault(drawer_id, {})[entity_id] = is_named
    return found


def list_called_so(session: UserSession, folded: Collection[str], *, self_key: str) -> list[CalledEntity]:
    """List the entities that folded names stand for in any conversation, without the palace's owner."""
    if not folded:
        return []
    rows = session.execute(_CALLED, {"folded": sorted(folded), "self": self_key})
    return [CalledEntity(row[0], row[1], EntityType(row[2])) for row in rows]


def list_names(session: UserSession, words: Collection[str] | None = None, *, most: int) -> list[str]:
    """List the palace's folded names, times excepted: those that begin with one of some words, or all."""
    return session.values(_NAMES, {"words": None if words is None else sorted(words), "most": most})


def list_new_names(session: UserSession, conversations: Collection[int], *, most: int) -> dict[int, list[str]]:
    """Map conversations to the folded names that occur in them alone, at most ``most`` of each."""
    found = grouped(session.execute(_NEW, {"conversations": ids_text(conversations)}))
    return {conversation_id: names[:most] for conversation_id, names in found.items()}


def list_drawers_naming(
    session: UserSession, names: Mapping[int, Collection[str]], *, most: int
) -> dict[int, list[int]]:
    """Map keys to at most ``most`` drawers each that may contain one of the names under the key."""
    if not names:
        return {}
    pairs = [(key, name) for key, each in names.items() for name in sorted(each)]
    parameters = {"keys": [key for key, _ in pairs], "names": [name for _, name in pairs], "most": most}
    found = grouped(session.run("drawers_naming", parameters))
    return {key: drawer_ids[:most] for key, drawer_ids in found.items()}


def list_said(session: UserSession, drawer_ids: Collection[int]) -> list[tuple[int, Said]]:
    """List drawers as messages, with their ids, in order of these."""
    rows = session.execute(_SAID, {"drawer_ids": ids_text(drawer_ids)}) if drawer_ids else ()
    return [(row.id, Said(row.content, Role(row.role), language=row.language)) for row in rows]


def replace_known_names(
    session: UserSession, looked_for: Mapping[int, Collection[str]], found: Collection[KnownName]
) -> None:
    """Store the known names in drawers, those of the conversations in ``looked_for`` and others.

    In those conversations, replaces the entries for the names that were looked for in each, and for names that no
    conversation uses any more.
    """
    stored = session.execute(_STORED, {"conversations": ids_text(looked_for)})
    gone = [
        (row.drawer_id, row.folded) for row in stored if row.is_untold or row.folded in looked_for[row.conversation_id]
    ]
    if gone:
        session.execute(_DROPPED, _columns(gone))
    add_known_names(session, found)


def drop_untold_names(session: UserSession, names: Collection[str]) -> None:
    """Delete the entries for those of some folded names that no conversation uses any more."""
    if names:
        session.execute(_UNTOLD, {"folded": sorted(names)})


def add_known_names(session: UserSession, found: Collection[KnownName]) -> None:
    """Store names in drawers; names that the drawer mentions anyway, and drawers that are gone, are left out."""
    if found:
        session.run("write_known_names", _columns(sorted(found)))


def _columns(names: Sequence[KnownName]) -> dict[str, object]:
    return {"drawer_ids": ids_text(one[0] for one in names), "folded": [one[1] for one in names]}
