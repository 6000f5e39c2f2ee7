"""Rebuild everything that is derived from the drawers, while recall and mining go on.

First every conversation is marked as pending for its steps; after an interruption, the next call continues with those.
"""

from __future__ import annotations

import time
from decimal import Decimal

from palace.db.counts import recount
from palace.db.database import UserSession
from palace.db.filing import rebuilding
from palace.db.filing.rebuilding import StartedRebuild
from palace.db.vectors import rebuild_indexes
from palace.graph.update import sweep
from palace.mining.index import Runner
from palace.mining.steps.step import Work
from palace.models import OnProgress, Phase, RebuildSummary, Wing
from palace.models.activity import REBUILT
from palace.opened import OpenPalace
from palace.operations.activity import rebuilt, recorded


def rebuild(opened: OpenPalace, *, wing: Wing | None, progress: OnProgress | None) -> RebuildSummary:
    """Rebuild the index of a wing or of the whole palace; does nothing before the first mining.

    A conversation that fails becomes a warning.

    Raises:
        EmbeddingError: the settings name another model than the palace has.
    """
    opened.database.shared.check_schema()
    started = time.monotonic()
    if opened.find_generation() is None:
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
    with recorded(opened, REBUILT) as tell:
        work = opened.work(progress)
        summary = _rebuild(opened, work, wing, started)
        opened.index_if_large(progress)
        tell(rebuilt(summary, "conversations_left", "drawers", "passages", "closets"))
    return summary


def _rebuild(opened: OpenPalace, work: Work, wing: Wing | None, started: float) -> RebuildSummary:
    wing_id = wing.id if wing else None

    def start(session: UserSession) -> tuple[StartedRebuild, list[int]]:
        return rebuilding.start_rebuild(session, wing_id), rebuilding.list_conversations(session, wing_id)

    runner = Runner(work, asked=True)
    begun, conversations = opened.run(start)
    first = runner.steps[0]
    before = len(conversations) - len(runner.list_pending(first, conversations))
    runner.run(conversations)
    return RebuildSummary(
        wing=wing.name if wing else None,
        resumed=begun.resumed,
        conversations=work.conversations,
        conversations_before=before,
        conversations_left=len(runner.list_pending(first, conversations)),
        drawers=work.drawers,
        passages=work.passages,
        passages_embedded=work.embedded,
        closets=work.closets,
        indexes=() if runner.failures else _finish(opened, work, begun, is_whole=wing is None),
        cost_usd=work.cost_usd,
        seconds=time.monotonic() - started,
        warnings=tuple(
            f"not everything is rebuilt: {failure}; run the same command again to go on"
            for failure in runner.failures.values()
        ),
    )


def _finish(opened: OpenPalace, work: Work, begun: StartedRebuild, *, is_whole: bool) -> tuple[str, ...]:
    """Recount everything, rebuild the vector indexes of a whole palace, and record the end of the rebuild."""
    indexes: tuple[str, ...] = ()
    # After a wing too: its counts were updated by differences, which may have started from a wrong count.
    opened.run(recount)
    if is_whole and opened.database.shared.may_own:
        generation = work.embedding.generation
        work.expect(Phase.INDEX, 1)
        work.tell(Phase.INDEX, 0, "indexes", generation.model)
        indexes = rebuild_indexes(opened.database, generation)
        work.tell(Phase.INDEX, 1, "indexes", generation.model)

    def finish(session: UserSession) -> None:
        sweep(session, opened.owner)
        rebuilding.finish_rebuild(session, begun)

    opened.run(finish)
    return indexes
