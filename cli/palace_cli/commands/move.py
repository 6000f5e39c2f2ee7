"""``palace move``: give a room another wing, or merge a wing into another."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.console import Group
from rich.text import Text

from palace.records import MoveSummary
from palace_cli import options, output
from palace_cli.opening import open_palace
from palace_cli.render.figures import count
from palace_cli.render.visible import one_line

SHOWN = 20
"""Rooms listed one by one."""

What = Annotated[str, typer.Argument(metavar="WHAT", help="A room (W-001/R-02), or a wing, which is then merged.")]
To = Annotated[str, typer.Argument(metavar="WING", help="Where to: a wing by name or number.")]
Create = Annotated[bool, typer.Option("--create", help="Make the wing if there is none of that name.")]


def move(
    what: What, to: To, *, create: Create = False, user: options.User = None, as_json: options.Json = False
) -> None:
    """Move a room to another wing, or merge a whole wing into it.

    Old pointers still resolve. The name of a merged wing leads to the other from then on, for mining too.

    \b
    palace move W-001/R-02 "Efoil rebuild"
    palace move W-003 W-001
    """
    with open_palace(user) as palace:
        moved = palace.tree.move(what, to, create=create)
    output.present(moved, move_view, as_json=as_json)


def move_view(moved: MoveSummary) -> Group:
    """Show where each room stands now."""
    wing = f"{moved.wing.pointer} {one_line(moved.wing.name)}"
    lines = [Text(f"{room.before} is now {room.after}") for room in moved.rooms[:SHOWN]]
    if len(moved.rooms) > SHOWN:
        lines.append(Text(f"… and {len(moved.rooms) - SHOWN:,} more"))
    title = f"merged {count(len(moved.rooms), 'room')} into {wing}" if moved.merged else f"moved into {wing}"
    return Group(Text(title, style="bold"), *lines)
