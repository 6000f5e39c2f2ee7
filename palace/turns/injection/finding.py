"""Which hits are put beside a message: recalled for it, not seen already, and telling something."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, tzinfo
from typing import NamedTuple

from palace.mining.filing.identity import content_digest
from palace.recall.broad import hits_wanted
from palace.recall.intent import read_intent
from palace.recall.request import LONGEST_QUERY, RecallRequest, make_request
from palace.recall.strategy import Strategy
from palace.records import FloorLevel, Hit, Recollection, Scope
from palace.turns.injection.telling import telling

MOST_VISIBLE = 15
"""Hits beyond those wanted that are looked at because some may be in the history already, or tell nothing."""
MOST_EMPTY = 10
"""Of them, those that may tell nothing."""

Visible = frozenset[bytes | int]
"""What the model sees already: digests of what was said, and ids of drawers that were quoted."""


@dataclass(frozen=True, slots=True)
class Sought:
    """What is looked for beside a message, and where."""

    query: str
    message: str
    scope: Scope
    top_k: int | None = None
    floor: str = "normal"
    least_similarity: float = 0.0
    visible: Visible = frozenset()
    context: int = 0
    """Turns before and after each hit that are given with it."""


class Found(NamedTuple):
    """What came of it."""

    recollection: Recollection
    told: list[Hit]
    """The hits that say something beside the message, the best first."""
    wanted: int
    """How many of them are shown at most."""


@dataclass(frozen=True, slots=True)
class Finder:
    """Finds hits in one palace."""

    answer: Callable[[RecallRequest], Recollection]
    strategy: Strategy
    zone: tzinfo
    person: tuple[str, ...] = ()
    """What queries may call the person whose palace it is."""

    def find(self, sought: Sought) -> Found:
        """Recall, and leave out what is seen already and what tells nothing.

        Raises:
            PalaceError: recall failed.
        """
        now = datetime.now(self.zone)
        wanted = hits_wanted(sought.top_k, read_intent(sought.query[:LONGEST_QUERY], now), self.strategy.broad)
        top_k = wanted + min(len(sought.visible) + MOST_EMPTY, MOST_VISIBLE)
        request = make_request(
            sought.query, top_k=top_k, scope=sought.scope, context=sought.context, now=now, person=self.person
        )
        request = replace(request, floor=FloorLevel(sought.floor), least_similarity=sought.least_similarity)
        found = self.answer(request)
        hits = [hit for hit in found.hits if not _is_visible(hit, sought.visible)]
        return Found(found, telling(hits, sought.message), wanted)


def _is_visible(hit: Hit, visible: Visible) -> bool:
    return hit.drawer.id in visible or content_digest(hit.drawer.content) in visible
