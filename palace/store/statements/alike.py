"""Which drawers say alike, as far as a query is concerned."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from palace.records import Alike, Generation
from palace.store.database import UserSession


def alike_drawers(
    session: UserSession,
    drawer_ids: Sequence[int],
    near: tuple[Generation, Sequence[float]],
    *,
    least: float,
    rare: int | None = None,
    named: str | None = None,
) -> Mapping[frozenset[int], Alike]:
    """Map pairs of drawers to how alike they say what is nearest to a query, where their cosine is ``least``.

    ``rare`` is in how many passages a word may stand that both say, None where no such word is looked for; ``named``
    what a drawer is looked through for, a pattern of Postgres.
    """
    if len(drawer_ids) < 2:
        return {}
    parameters = {"drawers": list(drawer_ids), "vector": str(list(near[1])), "least": least, "rare": rare}
    rows = session.run("alike_drawers", {**parameters, "named": named}, generation=near[0].id)
    return {
        frozenset((row.one, row.other)): Alike(
            row.likeness,
            row.shares,
            frozenset(
                drawer_id for drawer_id, names in ((row.one, row.one_names), (row.other, row.other_names)) if names
            ),
        )
        for row in rows
    }
