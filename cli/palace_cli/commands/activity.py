"""``palace activity``: what happened, one event after the other."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from rich.table import Table

from palace.models import Activity
from palace.models.activity import IMPORTED, MINED, MOVED
from palace_cli import options
from palace_cli.command import show
from palace_cli.opening import open_palace
from palace_cli.options import option
from palace_cli.render.figures import count, moment
from palace_cli.render.layout import cell, table

_COUNTED = (
    ("runs", "run"),
    ("drawers", "drawer"),
    ("conversations", "conversation"),
    ("rooms", "room"),
    ("wings", "wing"),
)
"""Members of events that are told, each by its noun."""

Limit = Annotated[int, option("--limit", "How many events at most.", "N", min=1, max=10_000)]
Since = Annotated[str | None, option("--since", "Only events from this date or moment on.", "WHEN")]


KindOption = Annotated[
    str | None,
    option("--kind", "Only events of this kind: mined, forgotten, moved, rebuilt, …", "KIND"),
]


def activity(
    limit: Limit = 20,
    since: Since = None,
    kind: KindOption = None,
    user: options.User = None,
    as_json: options.Json = False,
) -> None:
    """List what happened, the latest first.

    Every run of mining says what landed and what failed of it; what was forgotten, undone, moved, renamed, decided of
    entities, rebuilt, imported or restored says how much, never what it said.

    \b
    palace activity --since 2026-04-01
    palace activity --kind forgotten
    """
    start = options.moment("--since", since)
    with open_palace(user) as palace:
        found = palace.activity(limit=limit, since=start, kind=kind)
    is_any = since is None and kind is None
    nothing = "nothing happened yet: palace mine FILE starts it" if is_any else "no such event"
    show(found, activity_view, as_json=as_json, nothing=nothing)


def activity_view(found: tuple[Activity, ...]) -> Table:
    """Show a line an event, and one below it for each thing that failed."""
    shown = table("when", "what", "run", "how much", "outcome", numbers=("run",), elastic=("how much", "outcome"))
    for event in found:
        run = "" if event.run_id is None else str(event.run_id)
        what = event.kind.removeprefix("memory_").replace("_", " ")
        shown.add_row(moment(event.happened_at), cell(what), run, cell(_extent(event)), cell(_outcome(event)))
        for failure in _each(event, "failures"):
            shown.add_row("", "", "", cell(f"failed: {failure.get('message', '')}"), "")
    return shown


def _extent(event: Activity) -> str:
    """Say how much it was about: "a.json: 12 drawers in W-001", "room W-001/R-02: 4 drawers, 1 room"."""
    numbers = {name: value for name, value in event.details.items() if isinstance(value, int)}
    counted = ", ".join(count(numbers[name], noun) for name, noun in _COUNTED if numbers.get(name))
    if event.kind in (MINED, IMPORTED):
        return _landed(event, numbers)
    if event.kind == MOVED:
        rooms = count(numbers.get("rooms", 0), "room")
        return f"{rooms} from W-{numbers.get('from', 0):03d} to W-{numbers.get('to', 0):03d}"
    if "decision" in numbers:
        return f"decision {numbers['decision']:,}"
    if place := event.details.get("place"):
        return f"{event.details.get('what', '')} {place}" + (f": {counted}" if counted else "")
    return counted


def _landed(event: Activity, numbers: Mapping[str, int]) -> str:
    source, new = event.details.get("source"), numbers.get("drawers_new")
    if new is None:
        return ""
    found = [number for wing in _each(event, "wings") if isinstance(number := wing.get("number"), int)]
    where = f" in {', '.join(f'W-{number:03d}' for number in found)}" if found else ""
    landed = f"{count(new, 'drawer')}{where}" if new else "nothing new"
    return f"{source}: {landed}" if source else landed


def _outcome(event: Activity) -> str:
    failed, outcome = event.details.get("failure_count"), str(event.details.get("outcome", ""))
    if message := event.details.get("message") or event.details.get("error"):
        outcome = f"{outcome}: {message}"
    if isinstance(failed, int) and failed:
        outcome = f"{outcome}, {failed:,} failed"
    read = event.details.get("extraction")
    unread = read.get("unread") if isinstance(read, dict) else None
    return f"{outcome}, {unread:,} left to rules" if isinstance(unread, int) and unread else outcome


def _each(event: Activity, member: str) -> list[dict[str, object]]:
    found = event.details.get(member)
    return [each for each in found if isinstance(each, dict)] if isinstance(found, list) else []
