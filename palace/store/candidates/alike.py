"""Which drawers say alike, as far as a query is concerned."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from palace.records import Generation
from palace.store.database import UserSession


def alike_drawers(
    session: UserSession, drawer_ids: Sequence[int], near: tuple[Generation, Sequence[float]], *, least: float
) -> Mapping[frozenset[int], float]:
    """Map pairs of drawers to how alike they say what is nearest to a query: their cosine, where it is ``least``."""
    if len(drawer_ids) < 2:
        return {}
    parameters = {"drawers": list(drawer_ids), "vector": str(list(near[1])), "least": least}
    rows = session.run("alike_drawers", parameters, generation=near[0].id)
    return {frozenset((one, other)): likeness for one, other, likeness in rows}
