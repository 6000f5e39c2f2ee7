"""``palace ls``: what the palace holds, level by level."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer
from rich.console import Group
from rich.table import Table
from rich.text import Text

from palace.errors import BadRequest
from palace.records import LARGEST_NUMBER, Closet, Drawer, Room, RoomPointer, Wing
from palace.text.pointers import is_pointer, is_room, parse_room
from palace_cli import diagnostics, options, output
from palace_cli.opening import open_palace
from palace_cli.render.drawer import speaker, version
from palace_cli.render.excerpt import preview
from palace_cli.render.figures import count, held, moment
from palace_cli.render.layout import cell, table
from palace_cli.render.visible import one_line

if TYPE_CHECKING:
    from palace.palace import Palace

Listed = TypeVar("Listed", Wing, Room)
PREVIEW = 120
"""Characters of a drawer on its line."""

Place = Annotated[
    str | None,
    typer.Argument(metavar="PLACE", help='A wing ("Efoil rebuild", W-001) or a room (W-001/R-02).'),
]
Limit = Annotated[int, typer.Option("--limit", metavar="N", min=1, max=100_000, help="How many lines at most.")]
Offset = Annotated[int, typer.Option("--offset", metavar="N", min=0, max=LARGEST_NUMBER, help="How many to skip.")]
Since = Annotated[
    str | None, typer.Option("--since", metavar="WHEN", help="Only rooms that began, drawers said from then on.")
]
Until = Annotated[
    str | None,
    typer.Option("--until", metavar="WHEN", help="Only those up to then; a date includes its day."),
]


@dataclass(frozen=True, slots=True)
class Page:
    """Which part of a list is shown."""

    limit: int
    offset: int
    since: datetime | None = None
    until: datetime | None = None

    @property
    def is_narrowed(self) -> bool:
        """Whether a time was given."""
        return self.since is not None or self.until is not None

    def part_of(self, listed: tuple[Listed, ...]) -> tuple[Listed, ...]:
        """Cut a whole list; tell where it goes on."""
        end = self.offset + self.limit
        if end < len(listed):
            diagnostics.remark(f"{end:,} of {len(listed):,}: --offset {end} continues")
        return listed[self.offset : end]

    def holds(self, moment: datetime | None) -> bool:
        """Tell whether a moment is within the time that was given; an unknown one is, where none was."""
        if not self.is_narrowed or moment is None:
            return not self.is_narrowed
        return (self.since is None or moment >= self.since) and (self.until is None or moment < self.until)


@dataclass(frozen=True, slots=True)
class WingContents:
    """A wing and its rooms."""

    wing: Wing
    rooms: tuple[Room, ...]


@dataclass(frozen=True, slots=True)
class RoomContents:
    """A room of a wing, its closets and some of its drawers."""

    wing: Wing
    room: Room
    closets: tuple[Closet, ...]
    drawers: tuple[Drawer, ...]


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
    page = Page(limit, offset, options.moment("--since", since), options.last_moment("--until", until))
    if place is not None:
        _require_listed(place)
    if place is None and page.is_narrowed:
        raise BadRequest("--since and --until narrow a wing or a room: name one")
    with open_palace(user) as palace:
        if place is None:
            _list_wings(palace, page, as_json)
        elif is_room(place):
            _list_room(read_room(palace, place, page), page, as_json)
        else:
            wing = palace.tree.wing(place)
            rooms = tuple(room for room in palace.tree.rooms(wing) if page.holds(room.started_at))
            output.present(WingContents(wing, page.part_of(rooms)), wing_view, as_json=as_json)


def _require_listed(place: str) -> None:
    """Send those elsewhere who point at what is not listed but shown."""
    if is_pointer(place):
        raise BadRequest(f"{place.strip()} is a drawer: `palace show '{place.strip()}'` gives it back")
    options.refuse_closet(place)


def read_room(palace: Palace, place: str, page: Page) -> RoomContents:
    """Read a room and its contents, given its pointer."""
    room = palace.tree.room(place)
    drawers = palace.tree.drawers(room, limit=page.limit, offset=page.offset, since=page.since, until=page.until)
    return RoomContents(palace.tree.wing(str(parse_room(place).of_wing)), room, palace.tree.closets(room), drawers)


def _list_wings(palace: Palace, page: Page, as_json: bool) -> None:
    wings = page.part_of(palace.tree.wings())
    if wings or as_json:
        output.present(wings, wings_view, as_json=as_json)
    if not wings:
        diagnostics.remark("the palace is empty: palace mine FILE fills it")


def _list_room(contents: RoomContents, page: Page, as_json: bool) -> None:
    output.present(contents, room_view, as_json=as_json)
    end = page.offset + len(contents.drawers)
    if page.is_narrowed:
        # How many drawers there are in a stretch of time is not counted.
        if len(contents.drawers) == page.limit:
            diagnostics.remark(f"{count(page.limit, 'drawer')}: --offset {end} continues")
    elif end < contents.room.drawer_count:
        diagnostics.remark(f"{end:,} of {_held(contents.room)}: --offset {end} continues")


def wings_view(wings: tuple[Wing, ...]) -> Table:
    """Show a line a wing."""
    counts = _counts(wings)
    shown = table("wing", "name", "kind", "rooms", *counts, numbers=("rooms", *counts), elastic=("name",))
    for number, wing in enumerate(wings):
        numbers = (f"{wing.room_count:,}", *(column[number] for column in counts.values()))
        shown.add_row(str(wing.pointer), cell(wing.name), wing.kind.value, *numbers)
    return shown


def wing_view(contents: WingContents) -> Group:
    """Show a line a room below the wing's name."""
    counts = _counts(contents.rooms)
    shown = table("room", "name", "began", *counts, numbers=counts, elastic=("name",))
    for number, room in enumerate(contents.rooms):
        numbers = (column[number] for column in counts.values())
        shown.add_row(
            str(RoomPointer(contents.wing.number, room.number)), cell(room.name), moment(room.started_at), *numbers
        )
    return Group(Text(one_line(contents.wing.name), style="bold"), "", shown)


def room_view(contents: RoomContents) -> Group:
    """Show a line a closet, then a line a drawer, below the names of wing and room."""
    name = one_line(f"{contents.wing.name} / {contents.room.name}")
    title = f"{RoomPointer(contents.wing.number, contents.room.number)}  {name}"
    if contents.room.replaced_count:
        title += f" ({_held(contents.room)})"
    tables = [part for part in (_closets(contents.closets), _drawers(contents.drawers)) if part.row_count]
    return Group(Text(title, style="bold"), *(line for part in tables for line in ("", part)))


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
