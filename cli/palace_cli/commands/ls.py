"""``palace ls``: what the palace holds, level by level."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from rich.console import Group
from rich.table import Table
from rich.text import Text

from palace.models import (
    LARGEST_NUMBER,
    Closet,
    Drawer,
    PalaceContents,
    Room,
    RoomContents,
    RoomPointer,
    Wing,
    WingContents,
)
from palace_cli import completion, diagnostics, options, output
from palace_cli.command import show
from palace_cli.opening import open_palace
from palace_cli.options import argument, option
from palace_cli.render.drawer import preview, speaker, version
from palace_cli.render.figures import count, held, moment
from palace_cli.render.layout import cell, table
from palace_cli.render.visible import one_line
from palace_cli.styles import HEADING

PREVIEW = 120
"""Characters of a drawer on its line."""

Place = Annotated[
    str | None,
    argument("PLACE", 'A wing ("Efoil rebuild", W-001) or a room (W-001/R-02).', completion.places(completion.ROOMS)),
]
Limit = Annotated[int, option("--limit", "How many lines at most.", "N", min=1, max=100_000)]
Offset = Annotated[int, option("--offset", "How many to skip.", "N", min=0, max=LARGEST_NUMBER)]
Since = Annotated[str | None, option("--since", "Only rooms that began, drawers said from then on.", "WHEN")]
Until = Annotated[
    str | None,
    option("--until", "Only those up to then; a date includes its day.", "WHEN"),
]


def ls(
    place: Place = None,
    *,
    limit: Limit = 200,
    offset: Offset = 0,
    since: Since = None,
    until: Until = None,
    user: options.User = None,
    as_json: options.Json = False,
) -> None:
    """List wings, the rooms of a wing, the drawers of a room.

    \b
    palace ls
    palace ls "Efoil rebuild" --since "last month"
    palace ls W-001/R-02
    """
    since_then, until_then = options.moment("--since", since), options.last_moment("--until", until)
    with open_palace(user) as palace:
        contents = palace.tree.contents(place, limit=limit, offset=offset, since=since_then, until=until_then)
    if isinstance(contents, RoomContents):
        output.present(contents, room_view, as_json=as_json)
    elif isinstance(contents, WingContents):
        output.present(contents, wing_view, as_json=as_json)
    else:
        _show_wings(contents.wings, as_json)
    if contents.next_offset is not None:
        end = contents.next_offset
        diagnostics.remark(f"{end:,} of {_all_of(contents)}: --offset {end} continues")


def _show_wings(wings: tuple[Wing, ...], as_json: bool) -> None:
    show(wings, wings_view, as_json=as_json, nothing="the palace is empty: palace mine FILE fills it")


def _all_of(contents: PalaceContents | WingContents | RoomContents) -> str:
    if not isinstance(contents, RoomContents):
        return f"{contents.total:,}"
    is_whole = contents.total == contents.room.drawer_count
    return _held(contents.room) if is_whole else count(contents.total, "drawer")


def wings_view(wings: tuple[Wing, ...]) -> Table:
    counts = _counts(wings)
    shown = table("wing", "name", "kind", "rooms", *counts, numbers=("rooms", *counts), elastic=("name",))
    for number, wing in enumerate(wings):
        numbers = (f"{wing.room_count:,}", *(column[number] for column in counts.values()))
        shown.add_row(str(wing.pointer), cell(wing.name), wing.kind.value, *numbers)
    return shown


def wing_view(contents: WingContents) -> Group:
    counts = _counts(contents.rooms)
    shown = table("room", "name", "began", *counts, numbers=counts, elastic=("name",))
    for number, room in enumerate(contents.rooms):
        numbers = (column[number] for column in counts.values())
        shown.add_row(
            str(RoomPointer(contents.wing.number, room.number)), cell(room.name), moment(room.started_at), *numbers
        )
    return Group(Text(one_line(contents.wing.name), style=HEADING), "", shown)


def room_view(contents: RoomContents) -> Group:
    """Show a line a closet, then a line a drawer, below the names of wing and room."""
    name = one_line(f"{contents.wing.name} / {contents.room.name}")
    title = f"{RoomPointer(contents.wing.number, contents.room.number)}  {name}"
    if contents.room.replaced_count:
        title += f" ({_held(contents.room)})"
    tables = [part for part in (_closets(contents.closets), _drawers(contents.drawers)) if part.row_count]
    return Group(Text(title, style=HEADING), *(line for part in tables for line in ("", part)))


def _closets(closets: tuple[Closet, ...]) -> Table:
    counts = _counts(closets)
    shown = table("closet", *counts, numbers=counts, elastic=("closet",))
    for number, closet in enumerate(closets):
        shown.add_row(cell(closet.name), *(column[number] for column in counts.values()))
    return shown


def _drawers(drawers: tuple[Drawer, ...]) -> Table:
    """Show a line a drawer; which version of its message it is, where any of them has several."""
    versions = [version(drawer) for drawer in drawers]
    marked = ("version",) if any(versions) else ()
    shown = table("drawer", "when", "who", *marked, "begins", elastic=("who", "begins"))
    for drawer, mark in zip(drawers, versions, strict=True):
        marks = (mark,) if marked else ()
        begins = cell(preview(drawer.content, limit=PREVIEW))
        shown.add_row(str(drawer.pointer), moment(drawer.said_at), cell(speaker(drawer)), *marks, begins)
    return shown


def _counts(listed: Sequence[Wing | Room | Closet]) -> dict[str, list[str]]:
    """Give the columns of how many drawers each has, and how many are old versions where there are any."""
    counts = {"drawers": [f"{each.drawer_count:,}" for each in listed]}
    if any(each.replaced_count for each in listed):
        counts["replaced"] = [f"{each.replaced_count:,}" for each in listed]
    return counts


def _held(room: Room) -> str:
    return held(room.drawer_count, room.replaced_count)
