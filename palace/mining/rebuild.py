"""Making everything that is an index afresh from the drawers, while recall and miners go on.

It begins by having every conversation wait for its steps; interrupted, the next one goes on with what still waits.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

from palace.db.counts import recount
from palace.db.database import UserSession
from palace.db.filing import rebuilding
from palace.db.filing.rebuilding import StartedRebuild
from palace.db.vectors import rebuild_indexes
from palace.graph.update import Owner, sweep
from palace.mining.index import Runner
from palace.mining.steps.step import Work
from palace.models import Phase, RebuildSummary, Wing


@dataclass(frozen=True, slots=True)
class Rebuild:
    """One call of rebuild on one user's palace."""

    work: Work
    wing: Wing | None = None

    def rebuild(self) -> RebuildSummary:
        """Make afresh what was not made since the rebuild began; a conversation for which that fails is a warning."""
        started = time.monotonic()
        work, runner = self.work, Runner(self.work, asked=True)
        rebuild, conversations = self._start()
        first = runner.steps[0]
        before = len(conversations) - len(runner.list_pending(first, conversations))
        runner.run(conversations)
        return RebuildSummary(
            wing=self.wing.name if self.wing else None,
            resumed=rebuild.resumed,
            conversations=work.conversations,
            conversations_before=before,
            conversations_left=len(runner.list_pending(first, conversations)),
            drawers=work.drawers,
            passages=work.passages,
            passages_embedded=work.embedded,
            closets=work.closets,
            indexes=() if runner.failures else self._finish(rebuild),
            cost_usd=work.cost_usd,
            seconds=time.monotonic() - started,
            warnings=tuple(_told(failure) for failure in runner.failures.values()),
        )

    def _start(self) -> tuple[StartedRebuild, list[int]]:
        wing_id = self.wing.id if self.wing else None

        def start(session: UserSession) -> tuple[StartedRebuild, list[int]]:
            return rebuilding.start_rebuild(session, wing_id), rebuilding.list_conversations(session, wing_id)

        return self.work.database.run(start)

    def _finish(self, rebuild: StartedRebuild) -> tuple[str, ...]:
        database = self.work.database
        indexes: tuple[str, ...] = ()
        # After a wing too: what was counted for it was the difference to before, and that may have been counted wrong.
        database.run(recount)
        if self.wing is None and database.shared.may_own:
            generation = self.work.embedding.generation
            self.work.expect(Phase.INDEX, 1)
            self.work.tell(Phase.INDEX, 0, "indexes", generation.model)
            indexes = rebuild_indexes(database, generation)
            self.work.tell(Phase.INDEX, 1, "indexes", generation.model)
        owner = Owner(self.work.zone, self.work.person)
        database.run(lambda session: _finish(session, rebuild, owner))
        return indexes


def _finish(session: UserSession, rebuild: StartedRebuild, owner: Owner) -> None:
    sweep(session, owner)
    rebuilding.finish_rebuild(session, rebuild)


def _told(failure: str) -> str:
    return f"not everything is rebuilt: {failure}; run the same command again to go on"
