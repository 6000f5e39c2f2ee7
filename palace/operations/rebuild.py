"""Making everything that is an index afresh from the drawers."""

from __future__ import annotations

from decimal import Decimal

from palace.mining.rebuild import Rebuild
from palace.models import OnProgress, RebuildSummary, Wing
from palace.models.activity import REBUILT
from palace.opened import OpenPalace
from palace.operations.activity import rebuilt, told


def rebuild(opened: OpenPalace, *, wing: Wing | None, progress: OnProgress | None) -> RebuildSummary:
    """Make the index of a wing or of the whole palace afresh; nothing is done before anything was mined.

    Raises:
        EmbeddingError: the settings name another model than the palace has.
    """
    opened.database.shared.check_schema()
    if opened.find_generation() is None:
        return _nothing(wing)
    with told(opened, REBUILT) as tell:
        summary = Rebuild(opened.work(progress), wing).rebuild()
        opened.index_if_large(progress)
        tell(rebuilt(summary))
    return summary


def _nothing(wing: Wing | None) -> RebuildSummary:
    return RebuildSummary(
        wing=wing.name if wing else None,
        resumed=False,
        conversations=0,
        conversations_before=0,
        conversations_left=0,
        drawers=0,
        passages=0,
        passages_embedded=0,
        closets=0,
        indexes=(),
        cost_usd=Decimal(0),
        seconds=0.0,
    )
