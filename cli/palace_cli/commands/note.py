"""``palace note``: file a note by hand."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Any

from rich.text import Text

from palace.errors import NotFound, UnreadableSource
from palace.models import Drawer
from palace.models.intake import LARGEST_MESSAGE
from palace.models.spool import STANDARD_INPUT, own_input
from palace_cli import diagnostics, options, output
from palace_cli.clock import shown
from palace_cli.command import Palace
from palace_cli.opening import open_palace, worker_follows
from palace_cli.options import argument, option
from palace_cli.render.figures import secrets_of
from palace_cli.warm import ask_worker

NoteText = Annotated[str, argument("TEXT", "The note, or - to read it from standard input.")]
SaidAt = Annotated[
    str | None,
    option("--said-at", "When it was so: a date or moment; now unless given.", "WHEN"),
]


Id = Annotated[
    str | None,
    option("--id", "Your own name for the note: another text under it replaces the former.", "NAME"),
]


KeepSecrets = Annotated[bool, option("--keep-secrets", "File keys, passwords and card numbers as they stand in it.")]


def note(
    text: NoteText,
    *,
    wing: options.Wing = None,
    said_at: SaidAt = None,
    id_: Id = None,
    keep_secrets: KeepSecrets = False,
    user: options.User = None,
    new_user: options.NewUser = False,
    as_json: options.Json = False,
) -> None:
    """File a note by hand and print its pointer.

    The very same note again, with the same words, wing and moment, is the drawer that it has. A note with an id
    stays in the wing where it was filed first. Secrets are replaced by [secret: kind], unless --keep-secrets.

    \b
    palace note "The spare battery is with Derek" --wing "Efoil rebuild"
    palace note "The spare battery is with Mara" --id spare-battery
    date | palace note -
    """
    when = options.moment("--said-at", said_at)
    content = _read_standard_input() if text == "-" else text
    how: dict[str, Any] = {"wing": wing, "id": id_, "keep_secrets": keep_secrets}
    # What a worker filed without answering in time is the same note here, by its moment.
    now = datetime.now(UTC)
    done = None if new_user else ask_worker("note", user, text=content, said_at=when, now=now, **how)
    drawer, is_elsewhere = done or (None, False)
    if drawer is None:
        with open_palace(user, new_user=new_user) as palace:
            drawer = palace.note(content, said_at=when or shown(now), **how, background=worker_follows())
            is_elsewhere = wing is not None and not _stands_in(palace, drawer, wing)
    output.present(drawer, pointer_view, as_json=as_json)
    if drawer.redacted:
        diagnostics.remark(f"taken out of the note: {secrets_of(drawer.redacted)}")
    if is_elsewhere:
        there = f"stands in the wing {drawer.wing_name!r} already; `palace move` takes its room to another"
        diagnostics.warn([f"the note {there}"])


def _stands_in(palace: Palace, drawer: Drawer, wing: str) -> bool:
    """Tell whether a note stands in the wing that is asked for: one that has an id stays where it was filed first."""
    try:
        return palace.tree.wing(wing).number == drawer.pointer.wing
    except NotFound:
        return False


def pointer_view(drawer: Drawer) -> Text:
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
