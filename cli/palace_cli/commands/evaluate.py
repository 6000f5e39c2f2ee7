"""``palace eval``: one's own queries, captured on this computer and asked again after an upgrade."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from statistics import median

import typer
from rich.console import Group
from rich.table import Table

from palace.models import Replay
from palace_cli.command import Answer, Palace, answers, subcommand
from palace_cli.options import argument, option
from palace_cli.render.figures import count, moment
from palace_cli.render.layout import named_values, records

app = typer.Typer(help="Capture your queries on this computer; ask them again to see whether recall has changed.")


class OnOff(StrEnum):
    """Whether queries are captured."""

    ON = "on"
    OFF = "off"


@dataclass(frozen=True, slots=True)
class Capturing:
    """Whether queries are captured, and how many are."""

    capturing: bool
    queries: int
    latest: datetime | None


@dataclass(frozen=True, slots=True)
class Cleared:
    """How many captured queries were deleted."""

    cleared: int


def capturing_view(found: Capturing) -> Table:
    latest = f", the latest of {moment(found.latest)}" if found.latest else ""
    is_on = "yes" if found.capturing else "no: palace eval capture on"
    return named_values({"capturing": is_on, "captured": f"{count(found.queries, 'question')}{latest}"})


def replay_view(found: Replay) -> Group:
    asked, of = found.queries, f" of {len(found.queries):,}"
    now, before = median(each.milliseconds_now for each in asked), median(each.milliseconds_before for each in asked)
    rows = {
        "same hits": f"{found.same:,}{of}",
        "same first hit": f"{found.same_first:,}{of}",
        "former hits still found": f"{found.kept:.1%}",
        "recall, median": f"{now:,.0f} ms, {before:,.0f} ms before",
        "program": " → ".join(dict.fromkeys((*(each.version for each in asked), found.version))),
        "model": " → ".join(dict.fromkeys(each or "none" for each in (*(one.model for one in asked), found.model))),
    }
    columns = {
        "query": "query",
        "no longer found": lambda each: ", ".join(each.lost),
        "found instead": lambda each: ", ".join(each.new) or ("" if each.lost else "another order"),
    }
    changed = records([each for each in asked if each.before != each.now], columns, elastic=("query",))
    return Group(named_values(rows), *(("", changed) if found.same < len(asked) else ()))


def _state(palace: Palace) -> Capturing:
    captured = palace.evaluation.captured()
    return Capturing(palace.evaluation.is_capturing, len(captured), captured[0].at if captured else None)


@app.callback(invoke_without_command=True)
@answers(capturing_view, is_group=True)
def status(palace: Palace) -> Capturing:
    """Say whether queries are captured on this computer, and how many are.

    \b
    palace eval
    """
    return _state(palace)


@subcommand(app, "capture", capturing_view)
def capture(palace: Palace, switch: OnOff = argument("on|off", "Whether to capture from now on.")) -> Capturing:
    """Capture the queries of recall from now on, or no longer; what was captured stays until `clear`.

    Queries and pointers of their hits go to a file in the home folder, no texts of drawers. Secrets are replaced.

    \b
    palace eval capture on
    """
    palace.evaluation.capture(on=switch is OnOff.ON)
    return _state(palace)


@subcommand(app, "replay", replay_view, nothing="nothing was captured: palace eval capture on")
def replay(
    palace: Palace,
    *,
    limit: int = option("--limit", "So many queries, the latest.", "N", default=200, min=1, max=10_000),
) -> Answer:
    """Ask the captured queries again, and show what is found otherwise than before.

    Drawers that were filed or forgotten since do not count, nor memories that no longer hold. No language model is
    called.

    \b
    palace eval replay
    """
    found = palace.evaluation.replay(limit=limit)
    return Answer(found if found.queries else None)


@subcommand(app, "clear", lambda done: f"deleted {count(done.cleared, 'question')}")
def clear(palace: Palace) -> Cleared:
    """Delete the captured queries of this computer.

    \b
    palace eval clear
    """
    return Cleared(palace.evaluation.clear())
