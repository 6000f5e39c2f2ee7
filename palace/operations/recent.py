"""Looking back as a verb of the façade: what the caller gives is checked, and becomes one view of some days."""

from __future__ import annotations

from datetime import datetime

from palace.config.zones import in_zone
from palace.models import Recent, Scope, intake
from palace.opened import OpenPalace
from palace.recall.pack import within
from palace.recall.recent.look_back import RecentRequest, check_budget, look_back
from palace.telemetry import memory


def recent(  # noqa: PLR0913 — the options of Palace.recent
    opened: OpenPalace,
    *,
    days: int,
    since: datetime | None,
    scope: Scope,
    limit: int,
    now: datetime | None,
    budget: int | None,
) -> Recent:
    """Look back on some days; with a ``budget`` of tokens, as much as fits.

    Raises:
        BadRequest: a number makes no sense, or a moment.
    """
    zone = opened.settings.zone
    asked_at = intake.moment("now", now, zone) or datetime.now(zone)
    days, limit = intake.integer("days", days), intake.integer("limit", limit)
    request = RecentRequest.of(
        days=days,
        names=opened.names,
        since=intake.moment("since", since, zone),
        now=in_zone(asked_at, zone),
        limit=limit,
        scope=scope,
    )
    if budget is not None:
        check_budget(intake.integer("budget", budget))
    with memory("search_memory", "recent"):
        found = opened.run(lambda session: look_back(session, request))
    return found if budget is None else within(found, token_budget=budget, zone=zone)
