"""``palace forget``: take something out of the palace for good."""

from __future__ import annotations

from functools import partial
from typing import Annotated

from rich.table import Table
from rich.text import Text

from palace.errors import BadRequest
from palace.models import ForgetSummary, HiddenPlace
from palace_cli import completion, options, output
from palace_cli.command import agreed, show
from palace_cli.opening import open_palace
from palace_cli.options import argument, option
from palace_cli.render.figures import moment, removal_line
from palace_cli.render.layout import cell, table
from palace_cli.render.visible import one_line

What = Annotated[
    str | None,
    argument(
        "WHAT",
        'A drawer (W-001/R-02/D-003), a room (W-001/R-02) or a wing ("Efoil").',
        completion.places(completion.DRAWERS),
    ),
]
ClosetName = Annotated[str | None, option("--closet", "Only this closet of the room.", "NAME")]
WholeConversation = Annotated[
    bool, option("--conversation", "All of the conversation that the drawer or room belongs to.")
]
Everything = Annotated[bool, option("--everything", "All that the user has, and the user.")]
Now = Annotated[bool, option("--now", "Delete it at once and for good; it cannot be restored.")]
Hidden = Annotated[bool, option("--list", "List what was forgotten and can still be restored.")]
DryRun = Annotated[bool, option("--dry-run", "Say what would go; forget nothing.")]


def forget(
    what: What = None,
    *,
    closet: ClosetName = None,
    conversation: WholeConversation = False,
    everything: Everything = False,
    now: Now = False,
    hidden: Hidden = False,
    dry_run: DryRun = False,
    yes: options.Yes = False,
    user: options.User = None,
    as_json: options.Json = False,
) -> None:
    """Forget a drawer, a closet, a room, a wing, or everything.

    Says what will go and asks. Nothing finds it from then on, and mining its source again does not bring it back. For
    some days it can be restored (palace restore); then, or with --now, it is deleted. --everything leaves no trace.

    \b
    palace forget "§ W-001/R-02/D-003"
    palace forget W-001/R-02 --closet "Battery wiring"
    palace forget "Efoil rebuild" --yes
    palace forget --list
    """
    if hidden:
        _list(user, as_json=as_json, is_alone=what is None and not everything)
        return
    if (what is None) != everything:
        raise BadRequest("say what to forget: a drawer, a room, a wing, or --everything")
    with open_palace(user) as palace:

        def run(*, rehearsing: bool, at_most: int | None = None) -> ForgetSummary:
            if what is None:
                return palace.forget_everything(dry_run=rehearsing)
            part = partial(palace.forget, what, closet=closet, conversation=conversation, now=now)
            return part(dry_run=rehearsing, at_most=at_most)

        planned = run(rehearsing=True)
        if not dry_run:
            question = f"Forget {planned.what}: {removal_line(planned.removal)}?"
            agreed(question, yes=yes, otherwise="nothing was forgotten")
            # Who was not asked agreed to no number.
            planned = run(rehearsing=False, at_most=None if yes else planned.removal.drawers)
    output.present(planned, forgotten_view, as_json=as_json)


def forgotten_view(summary: ForgetSummary) -> Text:
    verb = "would forget" if summary.dry_run else "forgot"
    until = f"; palace restore takes it back until {moment(summary.until)}" if summary.until else ""
    return Text(one_line(f"{verb} {summary.what}: {removal_line(summary.removal)}{until}"))


def _list(user: str | None, *, as_json: bool, is_alone: bool) -> None:
    if not is_alone:
        raise BadRequest("--list lists all that can be restored: give nothing else")
    with open_palace(user) as palace:
        places = palace.forgotten.list()
    show(places, hidden_view, as_json=as_json, nothing="nothing is hidden")


def hidden_view(places: tuple[HiddenPlace, ...]) -> Table:
    """Show a line a room: how much of it is hidden, since when, and when it is deleted."""
    made = table("room", "drawers", "wing", "name", "forgotten", "deleted", numbers=("drawers",), elastic=("name",))
    for place in places:
        numbers = f"{len(place.pointers):,}"
        names = (cell(place.wing_name), cell(place.room_name))
        made.add_row(place.room, numbers, *names, moment(place.hidden_at), moment(place.due_at))
    return made
