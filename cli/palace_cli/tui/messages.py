"""What widgets say to the screen that they stand on."""

from __future__ import annotations

from textual.message import Message

from palace_cli.tui.source.places import Mark, Place


class DrawerChosen(Message):
    """A person wants to see a drawer."""

    def __init__(self, pointer: str, *, enters: bool = True, jumps: bool = False) -> None:
        super().__init__()
        self.pointer = pointer
        self.enters = enters
        """Whether they go on to read it; False: the cursor only passes it."""
        self.jumps = jumps
        """Whether the tree is to go there as well."""


class PlaceWanted(Message):
    """What stands in a place is to be listed, behind a mark; None is the palace, and from the first on."""

    def __init__(self, place: Place | None, behind: Mark = None, *, goes_on: bool = False) -> None:
        super().__init__()
        self.place = place
        self.behind = behind
        self.goes_on = goes_on
        """Whether it is to stand behind what is listed, or in its place."""
