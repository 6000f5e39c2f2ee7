"""``palace move`` and ``rename``: move a room to another wing, merge a wing into another, and rename them."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Group
from rich.table import Table
from rich.text import Text

from palace.errors import BadRequest
from palace.models import MoveSuggestion, MoveSummary
from palace.nlp.pointers import is_room
from palace_cli import completion, options
from palace_cli.command import Palace, asked_once, write_answer
from palace_cli.opening import open_palace
from palace_cli.options import argument, flag, option
from palace_cli.render.figures import count, moved_lines
from palace_cli.render.layout import records
from palace_cli.render.visible import one_line
from palace_cli.styles import HEADING


def move(
    what: str | None = argument(
        "WHAT",
        "A room (W-001/R-02), or a wing, which is then merged.",
        default=None,
        completes=completion.places(completion.ROOMS),
    ),
    to: str | None = argument(
        "WING", "Where to: a wing by name or number.", default=None, completes=completion.places(1)
    ),
    *,
    create: bool = flag("--create", "Make the wing if there is none of that name."),
    suggest: bool = flag("--suggest", "Propose better homes for rooms; move nothing."),
    limit: int = option("--limit", "How many proposals at most.", "N", default=20, min=1, max=10_000),
    yes: options.Yes = False,
    user: options.User = None,
    as_json: options.Json = False,
) -> None:
    """Move a room, or merge a whole wing, into another wing.

    At a terminal it says how much will move, and asks. Old pointers still resolve. The name of a merged wing leads to
    the other from then on, for mining too. --suggest moves nothing and lists rooms that belong in another wing.

    \b
    palace move W-001/R-02 "Efoil rebuild"
    palace move W-003 W-001
    palace move --suggest
    """
    if suggest and what is not None:
        raise BadRequest("--suggest looks at every room: name none")
    if suggest:
        with open_palace(user) as palace:
            found = palace.tree.suggest_moves(limit=limit)
        nothing = "no room clearly belongs in another wing"
        return write_answer(found, suggestions_view, as_json=as_json, nothing=nothing)
    if what is None or to is None:
        raise BadRequest("name what to move and the wing to move it to, or ask with --suggest")
    with open_palace(user) as palace:

        def question() -> str:
            if not create:
                palace.tree.wing(to)
            return f"Move {place_line(palace, what)} into {to}?"

        asked_once(question, yes=yes, as_json=as_json, otherwise="nothing was moved")
        write_answer(palace.tree.move(what, to, create=create), move_view, as_json=as_json)


def place_line(palace: Palace, what: str) -> str:
    """Return the name of a wing or a room with how much is in it."""
    if is_room(what):
        room = palace.tree.room(what)
        return f"room {what} {room.name!r} ({count(room.drawer_count, 'drawer')})"
    wing = palace.tree.wing(what)
    return f"wing {wing.pointer} {wing.name!r} ({count(wing.room_count, 'room')}, {count(wing.drawer_count, 'drawer')})"


def suggestions_view(found: Sequence[MoveSuggestion]) -> Table:
    """Show one line per room, as `palace move` takes it, with the wing and the reason."""
    columns = {
        "room": "room",
        "to": lambda each: each.to.pointer,
        "name": "name",
        "wing": lambda each: each.to.name,
        "because": "reason",
    }
    return records(found, columns, elastic=("name", "wing", "because"))


def move_view(moved: MoveSummary) -> Group:
    wing = f"{moved.wing.pointer} {one_line(moved.wing.name)}"
    title = f"merged {count(len(moved.rooms), 'room')} into {wing}" if moved.merged else f"moved into {wing}"
    return Group(Text(title, style=HEADING), *moved_lines([(room.before, room.after) for room in moved.rooms]))


def rename(
    what: str = argument(
        "WHAT", 'A wing ("Efoil rebuild", W-001) or a room (W-001/R-02).', completes=completion.places(completion.ROOMS)
    ),
    name: str = argument("NAME", "The new name."),
    *,
    yes: options.Yes = False,
    user: options.User = None,
    as_json: options.Json = False,
) -> None:
    """Rename a wing or a room; pointers stay.

    At a terminal it says what will be renamed, and asks. A wing's old name stays an alias: recall and mining still find
    it by that.

    \b
    palace rename W-001 "Efoil, second build"
    palace rename W-001/R-02 "First water test"
    """
    with open_palace(user) as palace:
        question = lambda: f"Rename {place_line(palace, what)} to {name!r}?"  # noqa: E731
        asked_once(question, yes=yes, as_json=as_json, otherwise="nothing was renamed")
        view = lambda place: f"{one_line(what)} is now called {one_line(place.name)!r}"  # noqa: E731
        write_answer(palace.tree.rename(what, name), view, as_json=as_json)
