"""``palace note``: file a note by hand."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.text import Text

from palace.errors import UnreadableSource
from palace.intake.limits import LARGEST_MESSAGE
from palace.intake.spool import STANDARD_INPUT, own_input
from palace.records import Drawer
from palace_cli import options, output
from palace_cli.opening import open_palace

NoteText = Annotated[str, typer.Argument(metavar="TEXT", help="The note, or - to read it from standard input.")]
SaidAt = Annotated[
    str | None,
    typer.Option("--said-at", metavar="WHEN", help="When it was so: a date or moment; now unless given."),
]


Id = Annotated[
    str | None,
    typer.Option("--id", metavar="NAME", help="Your own name for the note: another text under it replaces the former."),
]


def note(
    text: NoteText,
    *,
    wing: options.Wing = None,
    said_at: SaidAt = None,
    id_: Id = None,
    user: options.User = None,
    new_user: options.NewUser = False,
    as_json: options.Json = False,
) -> None:
    """File a note by hand and print its pointer.

    The very same note again, with the same words, wing and moment, is the drawer that it has.

    \b
    palace note "The spare battery is with Derek" --wing "Efoil rebuild"
    palace note "The spare battery is with Mara" --id spare-battery
    date | palace note -
    """
    when = options.moment("--said-at", said_at)
    content = _read_standard_input() if text == "-" else text
    with open_palace(user, new_user=new_user) as palace:
        drawer = palace.note(content, wing=wing, said_at=when, id=id_)
    output.present(drawer, pointer_view, as_json=as_json)


def pointer_view(drawer: Drawer) -> Text:
    """Show the pointer alone, ready to be cited."""
    return Text(str(drawer.pointer))


def _read_standard_input() -> str:
    # One byte more than a note can have is enough to tell that it is too large.
    raw = own_input().read(LARGEST_MESSAGE + 1)
    if len(raw) > LARGEST_MESSAGE:
        raise UnreadableSource(STANDARD_INPUT, f"has more than the {LARGEST_MESSAGE:,} bytes that a note can have")
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as problem:
        raise UnreadableSource(STANDARD_INPUT, "is not UTF-8 text", place=f"byte {problem.start}") from problem
