"""Rooms, wings and closets whose names match a query, and the drawers in them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import sqlalchemy as sa

from palace.db.candidates.words import QueryWords
from palace.db.database import UserSession
from palace.db.rows import vector_text
from palace.models import Candidate, Generation, NamedLimits, PassageKey, PlaceKind, Scope

_ALL = Scope()
_PLACES = sa.text("SELECT kind, id, n FROM named_places(:user_id, CAST(:terms AS tsquery[]), :most)")


class NamedPlace(NamedTuple):
    """A room, wing or closet whose name holds words of a query."""

    kind: PlaceKind
    id: int
    words: tuple[int, ...]
    """Indices of the query's words that the name holds, ascending."""


def named_places(session: UserSession, words: QueryWords, *, most: int) -> list[NamedPlace]:
    """Return places whose names hold words of a query; words in more than ``most`` places of one kind are ignored."""
    if not words.words:
        return []
    parameters = {"terms": [word.query for word in words.words], "most": most}
    rows = session.execute(_PLACES, parameters, generic_plan=True).all()
    found: dict[tuple[str, int], set[int]] = {}
    for kind, place, number in rows:
        found.setdefault((kind, place), set()).add(number - 1)
    return [NamedPlace(PlaceKind(kind), place, tuple(sorted(held))) for (kind, place), held in sorted(found.items())]


def named_drawers(
    session: UserSession,
    places: Sequence[NamedPlace],
    near: tuple[Generation, Sequence[float]],
    *,
    limits: NamedLimits,
    scope: Scope = _ALL,
) -> list[Candidate]:
    """Propose what the user said in some places, nearest to a query first; of wings only in small ones.

    Only drawers in the wings of ``scope`` are proposed.
    """
    generation, vector = near
    by_kind = {kind: [place.id for place in places if place.kind is kind] for kind in PlaceKind}
    parameters = {
        "rooms": by_kind[PlaceKind.ROOM],
        "closets": by_kind[PlaceKind.CLOSET],
        "wings": by_kind[PlaceKind.WING],
        "small": limits.small_wing,
        "looked_at": limits.looked_at,
        "vector": vector_text(vector),
        "limit": limits.drawers,
        "within": scope.places["wings"],
    }
    rows = session.run("named_drawers", parameters, generation=generation.id).all()
    return [Candidate(PassageKey(drawer_id, ordinal), -negated) for drawer_id, ordinal, negated in rows]
