"""Kinds of things: the texts and claims that show the kinds of names, and storing kinds with names and entities."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

import sqlalchemy as sa

from palace.db.database import UserSession
from palace.db.graph.entities import AliasKey
from palace.db.rows import any_id, columns_of, grouped, record_of
from palace.db.tables import Alias as AliasRow
from palace.db.tables import Assertion
from palace.models.graph import Alias

MOST_KINDS = 8
"""The most kinds of one entity."""
MOST_PLACES = 20
"""The most mentions of a name in a conversation whose surroundings are read."""

_AROUND = sa.text(
    "SELECT m.conversation_id, m.folded, substr(d.content, m.char_end + 1, :width) AS behind,"
    " substr(d.content, greatest(m.char_start + 1 - :width, 1), least(m.char_start, :width)) AS before"
    " FROM (SELECT conversation_id, drawer_id, folded, char_start, char_end, row_number() OVER"
    " (PARTITION BY conversation_id, folded ORDER BY drawer_id, char_start) AS number FROM mention"
    " WHERE user_id = :user_id AND conversation_id = ANY(:conversations)) AS m"
    " JOIN drawer AS d ON d.user_id = :user_id AND d.id = m.drawer_id"
    " WHERE m.number <= :most AND d.role = 'user' ORDER BY m.conversation_id, m.folded, m.number"
)
_STEMS = sa.text(
    "SELECT word, (ts_lexize('english_stem', word))[1] AS english, (ts_lexize('german_stem', word))[1] AS german"
    " FROM unnest(CAST(:words AS text[])) AS word"
)
_KEEP = sa.text(
    "UPDATE alias SET kinds = ARRAY(SELECT jsonb_array_elements_text(given.kinds))"
    " FROM jsonb_to_recordset(CAST(:given AS jsonb)) AS given (conversation_id bigint, folded text, kinds jsonb)"
    " WHERE alias.user_id = :user_id AND alias.conversation_id = given.conversation_id AND alias.folded = given.folded"
)
_FOLD = sa.text(
    "UPDATE entity SET kinds = folded.kinds FROM (SELECT wanted.id, coalesce((array_agg(told.kind ORDER BY told.place,"
    " told.times DESC, told.kind) FILTER (WHERE told.kind IS NOT NULL))[1:CAST(:most AS int)], '{}') AS kinds"
    " FROM unnest(CAST(:entities AS bigint[])) AS wanted (id) LEFT JOIN (SELECT a.entity_id, kind.kind,"
    " min(kind.place) AS place, sum(a.count) AS times FROM alias AS a CROSS JOIN LATERAL unnest(a.kinds)"
    " WITH ORDINALITY AS kind (kind, place) WHERE a.user_id = :user_id AND a.entity_id = ANY(:entities)"
    " GROUP BY a.entity_id, kind.kind) AS told ON told.entity_id = wanted.id GROUP BY wanted.id) AS folded"
    " WHERE entity.user_id = :user_id AND entity.id = folded.id AND entity.kinds IS DISTINCT FROM folded.kinds"
)
_OF_KINDS = sa.text(
    "SELECT e.id, (SELECT sum(a.count) FROM alias AS a WHERE a.user_id = :user_id AND a.entity_id = e.id) AS times"
    " FROM entity AS e WHERE e.user_id = :user_id AND e.kinds && CAST(:kinds AS text[])"
    " ORDER BY times, e.id LIMIT :most"
)


class Claimed(NamedTuple):
    """A claim in a conversation."""

    conversation_id: int
    subject: str
    """The folded subject."""
    predicate: str
    object: str
    object_folded: str | None


def list_unread(session: UserSession, among: Sequence[int] | None = None) -> set[int]:
    """List the conversations, of some or all, with a name whose kinds were not determined yet."""
    query = session.select(AliasRow.conversation_id).where(AliasRow.kinds.is_(None))
    if among is not None:
        query = query.where(AliasRow.conversation_id == any_id(among))
    return set(session.values(query.distinct()))


def list_aliases_in(session: UserSession, conversations: Sequence[int]) -> list[Alias]:
    """List the names of conversations, in order of conversation and of their folded form."""
    query = session.select(*columns_of(AliasRow, Alias)).where(AliasRow.conversation_id == any_id(conversations))
    rows = session.execute(query.order_by(AliasRow.conversation_id, AliasRow.folded))
    return [record_of(Alias, row) for row in rows]


def list_entities_in(session: UserSession, conversations: Collection[int]) -> set[int]:
    """List the entities that names of conversations stand for."""
    query = session.select(AliasRow.entity_id).where(
        AliasRow.conversation_id == any_id(conversations), AliasRow.entity_id.is_not(None)
    )
    return {entity_id for entity_id in session.execute(query.distinct()).scalars() if entity_id is not None}


def list_around(
    session: UserSession, conversations: Sequence[int], *, width: int
) -> dict[AliasKey, list[tuple[str, str]]]:
    """Map names of conversations to the texts before and after them where the user mentions them."""
    parameters = {"conversations": list(conversations), "width": width, "most": MOST_PLACES}
    rows = session.execute(_AROUND, parameters)
    return grouped(((row.conversation_id, row.folded), (row.before, row.behind)) for row in rows)


def list_claimed(session: UserSession, conversations: Sequence[int]) -> list[Claimed]:
    """List the claims of conversations, except denials, in chronological order."""
    query = session.select(
        Assertion.conversation_id, Assertion.subject, Assertion.predicate, Assertion.object, Assertion.object_folded
    ).where(Assertion.conversation_id == any_id(conversations), Assertion.action != "denies")
    return [Claimed(*row) for row in session.execute(query.order_by(Assertion.drawer_id, Assertion.ordinal))]


def stems_of(session: UserSession, words: Collection[str]) -> dict[str, tuple[str, str]]:
    """Map lower-case words to their English and German stems; stop words of either language are left out."""
    rows = session.execute(_STEMS, {"words": sorted(words)})
    return {row.word: (row.english, row.german) for row in rows if row.english and row.german}


def keep_kinds(session: UserSession, kinds: Mapping[AliasKey, Sequence[str]]) -> None:
    """Store the kinds of names; names that are gone are left out."""
    given = [
        {"conversation_id": number, "folded": folded, "kinds": list(words)} for (number, folded), words in kinds.items()
    ]
    session.execute(_KEEP, {"given": json.dumps(given)})


def forget_kinds(session: UserSession, conversations: Collection[int]) -> None:
    """Clear the kinds of conversations' names, so that they are determined again."""
    session.update(AliasRow, AliasRow.conversation_id == any_id(sorted(conversations)), kinds=None)


def fold_kinds(session: UserSession, entity_ids: Collection[int]) -> None:
    """Set the kinds of entities from those of their names, most specific first."""
    if entity_ids:
        session.execute(_FOLD, {"entities": sorted(entity_ids), "most": MOST_KINDS})


def find_of_kinds(session: UserSession, kinds: Collection[str], *, most: int) -> list[tuple[int, int]]:
    """Return the entities of any of some kinds, with their number of mentions, rarest first."""
    if not kinds:
        return []
    rows = session.execute(_OF_KINDS, {"kinds": sorted(kinds), "most": most}, generic_plan=True)
    return [(entity_id, times or 0) for entity_id, times in rows]
