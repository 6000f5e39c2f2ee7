"""What widgets say to the screen that they stand on."""

from __future__ import annotations

from dataclasses import dataclass

from textual.message import Message

from palace_cli.tui.places import Mark, Place


@dataclass
class DrawerChosen(Message):
    """A person wants to see a drawer."""

    pointer: str
    enters: bool = True
    """Whether they go on to read it; False: the cursor only passes it."""
    jumps: bool = False
    """Whether the tree is to go there as well."""


@dataclass
class PlaceWanted(Message):
    """What stands in a place is to be listed, behind a mark; None is the palace, and from the first on."""

    place: Place | None
    behind: Mark = None
    goes_on: bool = False
    """Whether it is to stand behind what is listed, or in its place."""
