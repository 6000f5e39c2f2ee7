"""``palace show``: give a drawer back by its pointer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from palace.errors import BadRequest
from palace.models import Drawer, Room, ShownDrawer
from palace.nlp.pointers import find_wing_number, is_room
from palace_cli import completion, options, output
from palace_cli.command import Palace
from palace_cli.opening import open_palace
from palace_cli.options import argument, option
from palace_cli.render.drawer import said, tagged, whereabouts
from palace_cli.render.graph import said_lines

PointerText = Annotated[
    str,
    argument(
        "POINTER",
        'A drawer ("§ W-001/R-02/D-003", § left out or not) or a room (W-001/R-02).',
        completion.pointers(completion.DRAWERS),
    ),
]
Raw = Annotated[bool, option("--raw", "Print the content alone, byte for byte.")]


@dataclass(frozen=True, slots=True)
class ShownRoom:
    """A room with all of its drawers."""

    room: Room
    drawers: tuple[Drawer, ...]


def show(
    pointer: PointerText,
    *,
    raw: Raw = False,
    context: options.Context = 0,
    user: options.User = None,
    as_json: options.Json = False,
) -> None:
    """Give a drawer back, verbatim, or a whole room.

    The drawers of a room come in the order they were said.

    \b
    palace show W-001/R-02
    palace show "§ W-001/R-02/D-003"
    palace show W-001/R-02/D-003 --raw > message.txt
    """
    options.exclusive(("--json", as_json), ("--raw", raw))
    options.exclusive(("--context", context > 0), ("--raw", raw))
    _require_shown(pointer)
    if is_room(pointer):
        if raw or context:
            raise BadRequest("--raw and --context are for a drawer: a room is shown whole")
        with open_palace(user) as palace:
            _show_room(palace, pointer, as_json)
        return
    with open_palace(user) as palace:
        shown = palace.show(pointer, context=context)
    if as_json:
        output.write_json(shown)
    elif raw:
        output.write_raw(shown.drawer.content)
    else:
        output.write_all_verbatim([shown_text(shown)])


def _require_shown(pointer: str) -> None:
    """Send those elsewhere who point at what is not shown but listed."""
    if find_wing_number(pointer) is not None:
        raise BadRequest(f"{pointer.strip()} is a wing: `palace ls {pointer.strip()}` lists its rooms")
    options.refuse_closet(pointer)


def _show_room(palace: Palace, pointer: str, as_json: bool) -> None:
    room = palace.tree.room(pointer)
    drawers = palace.tree.iter_drawers(room)
    if as_json:
        output.write_json(ShownRoom(room, tuple(drawers)))
        return
    output.write_all_verbatim("\n" * (number > 0) + drawer_text(drawer) for number, drawer in enumerate(drawers))


def shown_text(shown: ShownDrawer) -> str:
    """Write the drawer and its neighbours, each below header lines of its own; what it says is told in its own."""
    told = drawer_text(shown.drawer, said_lines(shown.says, shown.ends))
    return "\n".join([*map(drawer_text, shown.before), told, *map(drawer_text, shown.after)])


def drawer_text(drawer: Drawer, told: Sequence[str] = ()) -> str:
    """Write a drawer: pointer, place, who and when, what is told of it, an empty line, the content."""
    end = "" if drawer.content.endswith("\n") else "\n"
    head = "\n".join((str(drawer.pointer), whereabouts(drawer), said(drawer), *tagged(drawer), *told))
    return f"{head}\n\n{drawer.content}{end}"
