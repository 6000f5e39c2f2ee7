"""``palace restore``: take back what was forgotten."""

from __future__ import annotations

from typing import Annotated

from rich.console import Group
from rich.text import Text

from palace.models import TakenBack
from palace_cli.command import Palace, answers
from palace_cli.options import argument
from palace_cli.render.figures import count, restored_line

What = Annotated[list[str], argument("POINTER...", "Drawers, rooms or wings, as `palace forget --list` has them.")]


SHOWN = 20
"""How many of the places that are others by now are listed."""


def restored_view(summary: TakenBack) -> Group:
    """Say what stands again, and what of it elsewhere than it did."""
    there = f", {count(summary.there, 'drawer')} stood there already" if summary.there else ""
    lines = [Text(f"{place.was} is now {place.now}") for place in summary.moved[:SHOWN]]
    if len(summary.moved) > SHOWN:
        lines.append(Text(f"… and {len(summary.moved) - SHOWN:,} more"))
    return Group(Text(f"restored {restored_line(summary)}{there}"), *lines)


@answers(restored_view)
def restore(palace: Palace, what: What) -> TakenBack:
    """Take back what was forgotten, as long as it is not deleted.

    It stands under the pointers and dates that it had, and is found again.
    What stands elsewhere by now is listed with where.

    \b
    palace restore W-001/R-02
    palace restore "§ W-001/R-03/D-002"
    """
    return palace.forgotten.restore(*what)
