"""``palace eval``: one's own queries, captured on this computer and asked again after an upgrade."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from statistics import median

import typer
from rich.console import Group
from rich.table import Table

from palace.models import Replay, ReplayedQuery
from palace_cli.command import Answer, Palace, answers
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


@dataclass(frozen=True, slots=True)
class Compared:
    """A captured query whose hits are others now."""

    query: str
    at: datetime
    lost: tuple[str, ...]
    new: tuple[str, ...]
    before: tuple[str, ...]
    now: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Summary:
    """What came out when the captured queries were asked again."""

    queries: int
    same: int
    """With the same hits in the same order."""
    same_first: int
    kept: float
    """Share of the former hits that are still found, in [0, 1]."""
    milliseconds_before: float
    """The median of a recall."""
    milliseconds_now: float
    versions: tuple[str, ...]
    """Of the programs that the queries were captured with, and the present one."""
    models: tuple[str | None, ...]
    changed: tuple[Compared, ...]


def _summary(found: Replay) -> Summary:
    asked = found.queries
    return Summary(
        len(asked),
        found.same,
        found.same_first,
        round(found.kept, 4),
        median(each.captured.milliseconds for each in asked) if asked else 0.0,
        median(each.milliseconds for each in asked) if asked else 0.0,
        tuple(dict.fromkeys((*(each.captured.version for each in asked), found.version))),
        tuple(dict.fromkeys((*(each.captured.model for each in asked), found.model))),
        tuple(_compared(each) for each in asked if not each.is_same),
    )


def _compared(each: ReplayedQuery) -> Compared:
    return Compared(each.captured.query, each.captured.at, each.lost, each.new, each.before, each.pointers)


def capturing_view(found: Capturing) -> Table:
    latest = f", the latest of {moment(found.latest)}" if found.latest else ""
    is_on = "yes" if found.capturing else "no: palace eval capture on"
    return named_values({"capturing": is_on, "captured": f"{count(found.queries, 'question')}{latest}"})


def summary_view(found: Summary) -> Group:
    of = f" of {found.queries:,}"
    rows = {
        "same hits": f"{found.same:,}{of}",
        "same first hit": f"{found.same_first:,}{of}",
        "former hits still found": f"{found.kept:.1%}",
        "recall, median": f"{found.milliseconds_now:,.0f} ms, {found.milliseconds_before:,.0f} ms before",
        "program": " → ".join(found.versions),
        "model": " → ".join(each or "none" for each in found.models),
    }
    columns = {
        "query": "query",
        "no longer found": lambda each: ", ".join(each.lost),
        "found instead": lambda each: ", ".join(each.new) or ("" if each.lost else "another order"),
    }
    changed = records(found.changed, columns, elastic=("query",))
    return Group(named_values(rows), *(("", changed) if found.changed else ()))


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


@app.command("capture")
@answers(capturing_view)
def capture(palace: Palace, switch: OnOff = argument("on|off", "Whether to capture from now on.")) -> Capturing:
    """Capture the queries of recall from now on, or no longer; what was captured stays until `clear`.

    Queries and pointers of their hits go to a file in the home folder, no texts of drawers. Secrets are replaced.

    \b
    palace eval capture on
    """
    palace.evaluation.capture(on=switch is OnOff.ON)
    return _state(palace)


@app.command("replay")
@answers(summary_view, nothing="nothing was captured: palace eval capture on")
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
    return Answer(_summary(found) if found.queries else None)


@app.command("clear")
@answers(lambda done: f"deleted {count(done.cleared, 'question')}")
def clear(palace: Palace) -> Cleared:
    """Delete the captured queries of this computer.

    \b
    palace eval clear
    """
    return Cleared(palace.evaluation.clear())
