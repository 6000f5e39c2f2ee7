"""``palace move``: give a room another wing, or merge a wing into another."""

from __future__ import annotations

from typing import Annotated

from rich.console import Group
from rich.table import Table
from rich.text import Text

from palace.errors import BadRequest
from palace.models import MoveSuggestion, MoveSummary
from palace_cli import completion, options, output
from palace_cli.command import show
from palace_cli.opening import open_palace
from palace_cli.options import argument, option
from palace_cli.render.figures import count
from palace_cli.render.layout import cell, table
from palace_cli.render.visible import one_line
from palace_cli.styles import HEADING

SHOWN = 20
"""Rooms listed one by one."""

What = Annotated[
    str | None,
    argument("WHAT", "A room (W-001/R-02), or a wing, which is then merged.", completion.places(completion.ROOMS)),
]
To = Annotated[
    str | None,
    argument("WING", "Where to: a wing by name or number.", completion.places(1)),
]
Suggest = Annotated[bool, option("--suggest", "Propose better homes for rooms; move nothing.")]
Limit = Annotated[int, option("--limit", "How many proposals at most.", "N", min=1, max=10_000)]
Create = Annotated[bool, option("--create", "Make the wing if there is none of that name.")]


def move(
    what: What = None,
    to: To = None,
    *,
    create: Create = False,
    suggest: Suggest = False,
    limit: Limit = 20,
    user: options.User = None,
    as_json: options.Json = False,
) -> None:
    """Move a room, or merge a whole wing, into another wing.

    --suggest says instead which rooms have a better home.

    Old pointers still resolve. The name of a merged wing leads to the other from then on, for mining too.

    \b
    palace move W-001/R-02 "Efoil rebuild"
    palace move W-003 W-001
    palace move --suggest
    """
    if suggest:
        _suggest(what, limit, user, as_json=as_json)
        return
    if what is None or to is None:
        raise BadRequest("name what to move and the wing to move it to, or ask with --suggest")
    with open_palace(user) as palace:
        moved = palace.tree.move(what, to, create=create)
    output.present(moved, move_view, as_json=as_json)


def _suggest(what: str | None, limit: int, user: str | None, *, as_json: bool) -> None:
    if what is not None:
        raise BadRequest("--suggest looks at every room: name none")
    with open_palace(user) as palace:
        found = palace.tree.suggest_moves(limit=limit)
    show(
        found, suggestions_view, as_json=as_json, nothing="every room stands where it clearly belongs, or nothing tells"
    )


def suggestions_view(found: tuple[MoveSuggestion, ...]) -> Table:
    """Show a line a room, as `palace move` takes it, with the wing and the reason."""
    shown = table("room", "to", "name", "wing", "because", elastic=("name", "wing", "because"))
    for each in found:
        shown.add_row(each.room, str(each.to.pointer), cell(each.name), cell(each.to.name), cell(each.reason))
    return shown


def move_view(moved: MoveSummary) -> Group:
    wing = f"{moved.wing.pointer} {one_line(moved.wing.name)}"
    lines = [Text(f"{room.before} is now {room.after}") for room in moved.rooms[:SHOWN]]
    if len(moved.rooms) > SHOWN:
        lines.append(Text(f"… and {len(moved.rooms) - SHOWN:,} more"))
    title = f"merged {count(len(moved.rooms), 'room')} into {wing}" if moved.merged else f"moved into {wing}"
    return Group(Text(title, style=HEADING), *lines)
