"""``palace browse``: the palace in a terminal."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext

from palace.errors import BadRequest
from palace_cli import completion, diagnostics, options, output
from palace_cli.command import Palace
from palace_cli.opening import open_palace
from palace_cli.options import argument

GARBAGE = (3_000, 20, 50)
"""After how many new objects, and searches among these, garbage is searched for: each search takes milliseconds."""


@contextmanager
def opening(user: str | None) -> Iterator[Palace]:
    """Open the palace; searches for garbage leave out what was imported for it, and come often rather than take long.

    What the program sets for commands, which end soon, holds up a frame for a tenth of a second.
    """
    with open_palace(user) as palace:
        gc.freeze()
        gc.set_threshold(*GARBAGE)
        yield palace


def browse(
    place: str | None = argument(
        "PLACE",
        'Where to begin: a wing ("Efoil rebuild", W-001), a room (W-001/R-02) or a drawer.',
        default=None,
        completes=completion.places(completion.DRAWERS),
    ),
    *,
    user: options.User = None,
) -> None:
    """Walk the palace in the terminal: see, find, move and forget.

    Wings, rooms, closets and drawers stand in a tree, what was said beside it. ? shows every key, q leaves.

    \b
    palace browse
    palace browse "Efoil rebuild"
    palace browse W-001/R-02/D-003
    """
    if not output.is_terminal() or not _input_is_terminal():
        raise BadRequest("browse is for a terminal: `palace ls` and `palace show` write to anything")
    with ExitStack() as held:
        opens: Callable[[], AbstractContextManager[Palace]] = lambda: opening(user)  # noqa: E731
        if place is not None:
            # What is not there is refused where it was typed: before the application takes the screen.
            palace = held.enter_context(opening(user))
            from palace.nlp.pointers import is_pointer

            _ = palace.show(place) if is_pointer(place) else palace.tree.contents(place, limit=1)
            opens = lambda: nullcontext(palace)  # noqa: E731
        _run(opens, place)


def _input_is_terminal() -> bool:
    return sys.stdin.isatty()


def _run(opens: Callable[[], AbstractContextManager[Palace]], place: str | None) -> None:
    from palace_cli.tui.app import BrowseApp

    app = BrowseApp(opens, place)
    problem = app.run()
    if app.source.leaving.is_undone:
        diagnostics.remark("what was under way when you left was not done: nothing of it was changed")
    if problem is not None:
        raise problem
