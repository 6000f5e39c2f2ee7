"""``palace browse``: the palace in a terminal."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from palace.errors import BadRequest
from palace_cli import diagnostics, options, output
from palace_cli.completion import offers
from palace_cli.opening import open_palace

if TYPE_CHECKING:
    from palace.palace import Palace

PointerText = Annotated[
    str | None,
    typer.Argument(
        metavar="POINTER",
        help="Where to begin: a drawer, a room (W-001/R-02) or a wing (W-001).",
        autocompletion=offers.pointers(offers.DRAWERS),
    ),
]


@contextmanager
def opening(user: str | None) -> Iterator[Palace]:
    """Open the palace; what was imported for it is left out of later searches for garbage, which hold up frames."""
    with open_palace(user) as palace:
        gc.freeze()
        yield palace


def browse(pointer: PointerText = None, *, user: options.User = None) -> None:
    """Walk the palace in the terminal: see, find, move and forget.

    Wings, rooms, closets and drawers stand in a tree, what was said beside it. ? shows every key, q leaves.

    \b
    palace browse
    palace browse W-001/R-02/D-003
    """
    if not output.is_terminal() or not sys.stdin.isatty():
        raise BadRequest("browse is for a terminal: `palace ls` and `palace show` write to anything")
    from palace_cli.tui.app import BrowseApp

    app = BrowseApp(lambda: opening(user), pointer)
    problem = app.run()
    if app.source.leaving.is_undone:
        diagnostics.remark("what was under way when you left was not done: nothing of it was changed")
    if problem is not None:
        raise problem
