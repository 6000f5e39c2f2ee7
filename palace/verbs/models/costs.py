"""What calls to models cost, as a verb of the façade."""

from __future__ import annotations

from datetime import datetime

from palace.errors import BadRequest
from palace.opened import OpenPalace
from palace.records import CostGrouping, CostLine
from palace.store.ledger.sums import list_costs, list_costs_by


def costs(opened: OpenPalace, *, since: datetime | None, by: str | None) -> tuple[CostLine, ...]:
    """Sum the ledger from a moment on.

    Raises:
        BadRequest: ``by`` is no grouping.
    """
    if by is None:
        return opened.run(lambda session: list_costs(session, since=since))
    try:
        grouping = CostGrouping(by)
    except ValueError as problem:
        raise BadRequest(f"costs are summed by {', '.join(CostGrouping)}, not {by!r}") from problem
    return opened.run(lambda session: list_costs_by(session, grouping, zone=opened.settings.zone, since=since))
