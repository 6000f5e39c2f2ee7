"""``palace rename``: give a wing or a room another name."""

from __future__ import annotations

from typing import Annotated

from rich.text import Text

from palace.models import Room, Wing
from palace_cli import completion, options, output
from palace_cli.opening import open_palace
from palace_cli.options import argument
from palace_cli.render.visible import one_line

What = Annotated[
    str,
    argument("WHAT", 'A wing ("Efoil rebuild", W-001) or a room (W-001/R-02).', completion.places(completion.ROOMS)),
]
Name = Annotated[str, argument("NAME", "The new name.")]


def rename(what: What, name: Name, *, user: options.User = None, as_json: options.Json = False) -> None:
    """Rename a wing or a room; pointers stay.

    A wing's old name stays an alias: recall and mining still find it by that.

    \b
    palace rename W-001 "Efoil, second build"
    palace rename W-001/R-02 "First water test"
    """
    with open_palace(user) as palace:
        renamed = palace.tree.rename(what, name)
    output.present(renamed, lambda place: renamed_view(what, place), as_json=as_json)


def renamed_view(what: str, place: Wing | Room) -> Text:
    return Text(f"{one_line(what)} is now called {one_line(place.name)!r}")
