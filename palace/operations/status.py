"""The size and state of a palace in numbers."""

from __future__ import annotations

from palace.db.changes.runs import find_last_mined
from palace.db.counts import get_counts
from palace.db.database import UserSession
from palace.db.generations import list_generations
from palace.db.graph.relations import count_graph
from palace.db.jobs import count_jobs
from palace.db.tree import count_places, count_replaced
from palace.mining.steps.registry import list_step_statuses
from palace.models import PalaceStatus
from palace.opened import OpenPalace
from palace.operations.outbox import outbox_of


def status_of(opened: OpenPalace) -> PalaceStatus:
    """Return the size and state of a palace in numbers."""
    server, waiting = opened.database.shared.status(), outbox_of(opened.settings, opened.user).count_if_readable()

    def read(session: UserSession) -> PalaceStatus:
        counts = get_counts(session)
        wings, rooms = count_places(session)
        entities, people, relations = count_graph(session)
        return PalaceStatus(
            user=opened.user,
            server=server,
            wings=wings,
            rooms=rooms,
            drawers=counts["drawer"],
            passages=counts["passage"],
            sentences=counts["sentence"],
            embeddings=list_generations(session),
            last_mined_at=find_last_mined(session),
            replaced=count_replaced(session),
            steps=list_step_statuses(session, opened.steps),
            entities=entities,
            people=people,
            relations=relations,
            jobs=count_jobs(session),
            outbox=waiting,
        )

    return opened.run(read)
