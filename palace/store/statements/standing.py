"""What a user said that holds from then on, whatever else is nearer to a query."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from palace.records import Generation, PassageKey, Scope, Statement
from palace.store.database import UserSession

_ALL = Scope()


def standing_candidates(
    session: UserSession, near: tuple[Generation, Sequence[float]], *, newest: int, limit: int, scope: Scope = _ALL
) -> list[Statement]:
    """Propose standing statements by similarity to a unit vector, nearest first.

    Of very many, the ``newest`` filed are looked at; at most ``limit`` are given. In the wings of a
    ``scope`` alone.
    """
    parameters = {"vector": str(list(near[1])), "newest": newest, "limit": limit, "wings": scope.places["wings"]}
    rows = session.run("standing_candidates", parameters, generation=near[0].id)
    return [
        Statement(PassageKey(drawer_id, ordinal), text, similarity, said_at)
        for drawer_id, ordinal, text, similarity, said_at in rows
    ]


def alike_statements(
    session: UserSession, keys: Sequence[PassageKey], generation: Generation, *, least: float
) -> Mapping[frozenset[PassageKey], float]:
    """Map pairs of passages, each of another drawer, to how alike they are: their cosine, where it is ``least``."""
    if len(keys) < 2:
        return {}
    parameters = {
        "drawers": [key.drawer_id for key in keys],
        "ordinals": [key.ordinal for key in keys],
        "least": least,
    }
    rows = session.run("alike_statements", parameters, generation=generation.id)
    return {frozenset((keys[one - 1], keys[other - 1])): likeness for one, other, likeness in rows}
