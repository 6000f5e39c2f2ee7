"""``palace ls`` and ``show``: what the palace holds, level by level, and a drawer or a room by its pointer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from rich.console import Group
from rich.table import Table
from rich.text import Text

from palace.errors import BadRequest
from palace.models import (
    LARGEST_NUMBER,
    Closet,
    Drawer,
    Memory,
    PalaceContents,
    Room,
    RoomContents,
    RoomPointer,
    ShownDrawer,
    Wing,
    WingContents,
)
from palace.nlp.pointers import find_wing_number, is_room
from palace_cli import completion, diagnostics, options, output
from palace_cli.command import Answer, Palace, answers
from palace_cli.opening import open_palace
from palace_cli.options import argument, flag, option, since, until
from palace_cli.render.drawer import preview, said, speaker, tagged, version, whereabouts
from palace_cli.render.figures import count, held, moment
from palace_cli.render.graph import said_lines
from palace_cli.render.layout import Columns, records
from palace_cli.render.memory import kind_of
from palace_cli.render.visible import one_line
from palace_cli.styles import HEADING

PREVIEW = 120
"""Characters of a drawer on its line."""


@answers()
def ls(
    palace: Palace,
    place: str | None = argument(
        "PLACE",
        'A wing ("Efoil rebuild", W-001) or a room (W-001/R-02).',
        default=None,
        completes=completion.places(completion.ROOMS),
    ),
    *,
    limit: int = option("--limit", "How many lines at most.", "N", default=200, min=1, max=100_000),
    offset: int = option("--offset", "How many to skip.", "N", default=0, min=0, max=LARGEST_NUMBER),
    since: datetime | None = since("--since", "Only rooms that began, drawers said from then on."),
    until: datetime | None = until("--until", "Only those up to then; a date includes its day."),
) -> Answer:
    """List wings, the rooms of a wing, the drawers of a room.

    \b
    palace ls
    palace ls "Efoil rebuild" --since "last month"
    palace ls W-001/R-02
    """
    contents = palace.tree.contents(place, limit=limit, offset=offset, since=since, until=until)
    end = contents.next_offset
    remarks = [] if end is None else [f"{end:,} of {_all_of(contents)}: --offset {end} continues"]
    if isinstance(contents, RoomContents):
        return Answer(contents, room_view, remarks=remarks)
    if isinstance(contents, WingContents):
        return Answer(contents, wing_view, remarks=remarks)
    return Answer(contents.wings, wings_view, "the palace is empty: palace mine FILE fills it", remarks)


def _all_of(contents: PalaceContents | WingContents | RoomContents) -> str:
    if not isinstance(contents, RoomContents):
        return f"{contents.total:,}"
    is_whole = contents.total == contents.room.drawer_count
    return _held(contents.room) if is_whole else count(contents.total, "drawer")


def wings_view(wings: Sequence[Wing]) -> Table:
    columns = {"wing": "pointer", "name": "name", "kind": "kind", "rooms": "room_count"}
    return _counted(wings, columns, elastic="name")


def wing_view(contents: WingContents) -> Group:
    columns: Columns = {
        "room": lambda room: RoomPointer(contents.wing.number, room.number),
        "name": "name",
        "began": lambda room: moment(room.started_at),
    }
    return Group(
        Text(one_line(contents.wing.name), style=HEADING), "", _counted(contents.rooms, columns, elastic="name")
    )


def room_view(contents: RoomContents) -> Group:
    """Show one line per closet, then one per drawer, below the names of wing and room."""
    name = one_line(f"{contents.wing.name} / {contents.room.name}")
    title = f"{RoomPointer(contents.wing.number, contents.room.number)}  {name}"
    if contents.room.replaced_count:
        title += f" ({_held(contents.room)})"
    tables = (_counted(contents.closets, {"closet": "name"}, elastic="closet"), _drawers(contents.drawers))
    return Group(Text(title, style=HEADING), *(line for part in tables if part.row_count for line in ("", part)))


def _drawers(drawers: Sequence[Drawer]) -> Table:
    """Show one line per drawer, with its version where any of the messages has several."""
    columns: Columns = {
        "drawer": "pointer",
        "when": lambda drawer: moment(drawer.said_at),
        "who": speaker,
        **({"version": version} if any(map(version, drawers)) else {}),
        "begins": lambda drawer: preview(drawer.content, limit=PREVIEW),
    }
    return records(drawers, columns, elastic=("who", "begins"))


def _counted(listed: Sequence[Wing | Room | Closet], columns: Columns, *, elastic: str) -> Table:
    """Show one line per place, with its drawers, and its old versions where there are any."""
    replaced = {"replaced": "replaced_count"} if any(each.replaced_count for each in listed) else {}
    columns = {**columns, "drawers": "drawer_count", **replaced}
    return records(listed, columns, numbers=("rooms", "drawers", "replaced"), elastic=(elastic,))


def _held(room: Room) -> str:
    return held(room.drawer_count, room.replaced_count)


@dataclass(frozen=True, slots=True)
class ShownRoom:
    """A room with all of its drawers."""

    room: Room
    drawers: tuple[Drawer, ...]


def show(
    pointer: str = argument(
        "POINTER",
        'A drawer ("§ W-001/R-02/D-003", § left out or not) or a room (W-001/R-02).',
        completes=completion.pointers(completion.DRAWERS),
    ),
    *,
    raw: bool = flag("--raw", "Print the content alone, byte for byte."),
    context: options.Context = 0,
    user: options.User = None,
    as_json: options.Json = False,
) -> None:
    """Show a drawer, verbatim, or a whole room.

    The drawers of a room come in the order they were said.

    \b
    palace show W-001/R-02
    palace show "§ W-001/R-02/D-003"
    palace show W-001/R-02/D-003 --raw > message.txt
    """
    options.exclusive(("--json", as_json), ("--raw", raw))
    options.exclusive(("--context", context > 0), ("--raw", raw))
    if find_wing_number(pointer) is not None:
        raise BadRequest(f"{pointer.strip()} is a wing: `palace ls {pointer.strip()}` lists its rooms")
    options.refuse_closet(pointer)
    if is_room(pointer) and (raw or context):
        raise BadRequest("--raw and --context are for a drawer: a room is shown whole")
    with open_palace(user) as palace:
        if is_room(pointer):
            return _show_room(palace, pointer, as_json)
        shown = palace.show(pointer, context=context)
        last = (shown.drawer, *shown.after)[-1].pointer
        after = () if raw or as_json else palace.show(str(last), context=1).after
    if as_json:
        output.write_json(shown)
    elif raw:
        output.write_raw(shown.drawer.content)
    else:
        output.write_all_verbatim([shown_text(shown)])
        for drawer in after:
            diagnostics.remark(
                f"next: palace show {str(drawer.pointer).removeprefix('§ ')}; all: palace show {last.of_room}"
            )


def _show_room(palace: Palace, pointer: str, as_json: bool) -> None:
    room = palace.tree.room(pointer)
    drawers = palace.tree.iter_drawers(room)
    if as_json:
        output.write_json(ShownRoom(room, tuple(drawers)))
    else:
        output.write_all_verbatim("\n" * (number > 0) + drawer_text(drawer) for number, drawer in enumerate(drawers))


def shown_text(shown: ShownDrawer) -> str:
    """Return the drawer and its neighbours as text, each below header lines; its relations are among its own."""
    kind = [kind_of(shown.memory)] if shown.memory else []
    told = drawer_text(shown.drawer, (*kind, *said_lines(shown.says, shown.ends)), shown.memory)
    return "\n".join([*map(drawer_text, shown.before), told, *map(drawer_text, shown.after)])


def drawer_text(drawer: Drawer, told: Sequence[str] = (), memory: Memory | None = None) -> str:
    """Return a drawer as text: pointer, place, who and when, further lines, an empty line, the content."""
    end = "" if drawer.content.endswith("\n") else "\n"
    head = "\n".join((str(drawer.pointer), whereabouts(drawer), said(drawer, memory=memory), *tagged(drawer), *told))
    return f"{head}\n\n{drawer.content}{end}"
