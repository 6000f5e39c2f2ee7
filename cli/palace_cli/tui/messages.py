"""What widgets say to the screen that they stand on."""

from __future__ import annotations

from textual.message import Message

from palace_cli.tui.source.places import Place


class DrawerChosen(Message):
    """A person wants to see a drawer."""

    def __init__(self, pointer: str, *, jumps: bool = False) -> None:
        super().__init__()
        self.pointer = pointer
        self.jumps = jumps
        """Whether the tree is to go there as well."""


class PlaceWanted(Message):
    """What stands in a place is to be listed, behind what is listed already; None is the palace."""

    def __init__(self, place: Place | None, after: Place | None = None) -> None:
        super().__init__()
        self.place = place
        self.after = after
