"""People and things that messages name, and the timeline of one."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from palace.models import Timeline, TimelineEntry
from palace_server.page.rendering import PageRoute, page
from palace_server.page.visitor import PAGE_SIZE, Cursor, WholeVisitor

router = APIRouter(route_class=PageRoute, include_in_schema=False)
MOST_ENTRIES = 200
WIDTH = 1000
LEAST_WIDTH = 8


@router.get("/palace/entities")
def entities(request: Request, caller: WholeVisitor, cursor: Cursor = "") -> Response:
    """Show people and things, the most mentioned first."""
    behind = int(cursor.partition(".")[0]) if cursor else None
    found = caller.palace.entities.list(limit=PAGE_SIZE + 1, behind=behind)
    following = found[PAGE_SIZE - 1].id if len(found) > PAGE_SIZE else None
    return page(request, "entities.html", entities=found[:PAGE_SIZE], cursor=following)


@router.get("/palace/entity")
def entity(
    request: Request, caller: WholeVisitor, name: Annotated[str, Query(min_length=1, max_length=200)]
) -> Response:
    """Show one of them, with the timeline of what is known."""
    timeline = caller.palace.timeline(name, limit=MOST_ENTRIES)
    return page(request, "entity.html", entity=timeline.entity, timeline=timeline, **drawn(timeline))


@dataclass(frozen=True, slots=True)
class Bar:
    """An entry of a timeline with its bar, in thousandths of the width."""

    entry: TimelineEntry
    x: int
    width: int


def drawn(timeline: Timeline) -> dict[str, Any]:
    """Return the bars of a timeline and the first and last moment of its scale; open ends reach to its edges."""
    moments = [timeline.seen_from]
    for entry in timeline.entries:
        moments += [each for each in (entry.relation.valid_from, entry.relation.valid_to) if each is not None]
    first, last = min(moments), max(moments)
    length = (last - first).total_seconds() or 1.0

    def at(moment: datetime | None, otherwise: int) -> int:
        return otherwise if moment is None else round((moment - first).total_seconds() / length * WIDTH)

    bars = []
    for entry in timeline.entries:
        start, end = at(entry.relation.valid_from, 0), at(entry.relation.valid_to, WIDTH)
        start = min(start, WIDTH - LEAST_WIDTH)
        bars.append(Bar(entry, start, max(LEAST_WIDTH, end - start)))
    return {"bars": bars, "first": first, "last": last, "now": at(timeline.seen_from, WIDTH)}
