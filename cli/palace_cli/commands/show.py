"""``palace show``: give a drawer back by its pointer."""

from __future__ import annotations

from typing import Annotated

import typer

from palace.records import Drawer, ShownDrawer
from palace_cli import options, output
from palace_cli.opening import open_palace
from palace_cli.render.drawer import said, whereabouts

PointerText = Annotated[
    str, typer.Argument(metavar="POINTER", help='A pointer: "§ W-001/R-02/D-003", § left out or not.')
]
Raw = Annotated[bool, typer.Option("--raw", help="Print the content alone, byte for byte.")]


def show(
    pointer: PointerText,
    *,
    raw: Raw = False,
    context: options.Context = 0,
    user: options.User = None,
    as_json: options.Json = False,
) -> None:
    """Give a drawer back, verbatim.

    \b
    palace show "§ W-001/R-02/D-003"
    palace show W-001/R-02/D-003 --raw > message.txt
    """
    options.exclusive(("--json", as_json), ("--raw", raw))
    options.exclusive(("--context", context > 0), ("--raw", raw))
    with open_palace(user) as palace:
        shown = palace.show(pointer, context=context)
    if as_json:
        output.write_json(shown)
    elif raw:
        output.write_raw(shown.drawer.content)
    else:
        output.write_verbatim(shown_text(shown))


def shown_text(shown: ShownDrawer) -> str:
    """Write the drawer and its neighbours, each below header lines of its own."""
    return "\n".join(drawer_text(drawer) for drawer in (*shown.before, shown.drawer, *shown.after))


def drawer_text(drawer: Drawer) -> str:
    """Write a drawer: pointer, place, who and when, an empty line, the content."""
    end = "" if drawer.content.endswith("\n") else "\n"
    return f"{drawer.pointer}\n{whereabouts(drawer)}\n{said(drawer)}\n\n{drawer.content}{end}"
