"""Review what was filed, redacted and changed lately, and mark it as seen."""

from __future__ import annotations

from collections.abc import Iterable

from palace.db import reviewing
from palace.errors import BadRequest
from palace.models import LARGEST_NUMBER, Drawer, Run, intake
from palace.models.review import MOST_REVIEWED, ChangedFact, ReviewCounts, ReviewKey, ReviewKind
from palace.opened import Verbs

PAGE = 100


class ReviewVerbs(Verbs):
    """Review what was filed, redacted and changed lately; marks as seen apply to every program.

    Of each kind only the latest 1,000 can be reviewed. A mark stores ids of runs and drawers only, and is not exported.
    """

    def counts(self) -> ReviewCounts:
        """Count what was not seen yet."""
        return self._opened.run(reviewing.count_unseen)

    def filed(self, *, limit: int = PAGE) -> tuple[Run, ...]:
        """List the runs that were not seen and still have drawers, the latest first."""
        most = intake.row_count("limit", limit)
        return self._opened.run(lambda session: reviewing.list_filed(session, limit=min(most, MOST_REVIEWED)))

    def drawers(self, run_id: int, *, limit: int = PAGE) -> tuple[Drawer, ...]:
        """List the first existing drawers of a run; empty if there is no such run."""
        most, run = intake.row_count("limit", limit), intake.integer("run", run_id)
        if not 1 <= run <= LARGEST_NUMBER:
            return ()
        return self._opened.run(lambda session: reviewing.list_filed_by(session, run, limit=min(most, MOST_REVIEWED)))

    def redacted(self, *, limit: int = PAGE) -> tuple[Drawer, ...]:
        """List the drawers with removed secrets that were not seen, the latest filed first."""
        most = intake.row_count("limit", limit)
        return self._opened.run(lambda session: reviewing.list_redacted(session, limit=min(most, MOST_REVIEWED)))

    def changed(self, *, limit: int = PAGE) -> tuple[ChangedFact, ...]:
        """List the changed facts that were not seen, the latest filed first."""
        most = intake.row_count("limit", limit)
        return self._opened.run(lambda session: reviewing.list_changed(session, limit=min(most, MOST_REVIEWED)))

    def seen(self, kind: str, keys: Iterable[ReviewKey]) -> None:
        """Mark items as seen: runs ("filed"), drawers ("redacted"), or changed facts ("changed").

        Raises:
            BadRequest: there is no such kind, or an item is no key.
        """
        wanted, chosen = intake.choice("kind", kind, ReviewKind), _keys(keys)
        self._opened.database.shared.check_schema()
        self._opened.run(lambda session: reviewing.mark_seen(session, wanted, chosen))

    def unseen(self, kind: str, keys: Iterable[ReviewKey]) -> None:
        """Remove marks.

        Raises:
            BadRequest: there is no such kind, or an item is no key.
        """
        wanted, chosen = intake.choice("kind", kind, ReviewKind), _keys(keys)
        self._opened.database.shared.check_schema()
        self._opened.run(lambda session: reviewing.unmark_seen(session, wanted, chosen))


def _keys(keys: Iterable[ReviewKey]) -> list[ReviewKey]:
    chosen = [ReviewKey(*(intake.integer("key", part) for part in key)) for key in keys]
    if len(chosen) > MOST_REVIEWED:
        raise BadRequest(f"at most {MOST_REVIEWED:,} are marked at a time, not {len(chosen):,}")
    if any(not 0 <= part < 2**63 for key in chosen for part in key):
        raise BadRequest("a key is made of numbers that the lists gave")
    return chosen
