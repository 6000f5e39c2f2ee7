"""``palace forget`` and ``restore``: remove something from the palace, or restore it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from rich.console import Group
from rich.table import Table

from palace.errors import BadRequest
from palace.models import ForgetSummary, HiddenPlace, TakenBack
from palace_cli import completion, options
from palace_cli.command import Palace, agreed, answers, write_answer
from palace_cli.opening import open_palace
from palace_cli.options import argument, flag, option
from palace_cli.render.figures import count, moment, moved_lines, removal_line, restored_line
from palace_cli.render.layout import records
from palace_cli.render.visible import one_line

MOST_NAMED = 3
"""Pointers that the command to restore them names, at most."""


def forget(
    what: str | None = argument(
        "WHAT",
        'A drawer (W-001/R-02/D-003), a room (W-001/R-02) or a wing ("Efoil").',
        default=None,
        completes=completion.places(completion.DRAWERS),
    ),
    *,
    closet: str | None = option("--closet", "Only this closet of the room.", "NAME"),
    conversation: bool = flag("--conversation", "All of the conversation that the drawer or room belongs to."),
    everything: bool = flag("--everything", "All that the user has, and the user."),
    now: bool = flag("--now", "Delete it at once and for good; it cannot be restored."),
    hidden: bool = flag("--list", "List what was forgotten and can still be restored."),
    dry_run: bool = flag("--dry-run", "Say what would go; forget nothing."),
    yes: options.Yes = False,
    user: options.User = None,
    as_json: options.Json = False,
) -> None:
    """Forget a drawer, a closet, a room, a wing, or everything.

    Says first what will be removed, and asks. Nothing finds it from then on, and mining its source again does not bring
    it back. For some days `palace restore` does; then, or with --now, it is deleted. --everything leaves no trace.

    \b
    palace forget "§ W-001/R-02/D-003"
    palace forget W-001/R-02 --closet "Battery wiring"
    palace forget "Efoil rebuild" --yes
    palace forget --list
    """
    if hidden and (what is not None or everything):
        raise BadRequest("--list lists all that can be restored: give nothing else")
    if closet is not None and what is None:
        raise BadRequest(
            f"--closet names a topic of a room: palace forget ROOM --closet {closet!r}; palace ls lists rooms"
        )
    if not hidden and (what is None) != everything:
        raise BadRequest("say what to forget: a drawer, a room, a wing, or --everything")
    with open_palace(user) as palace:
        if hidden:
            return write_answer(palace.forgotten.list(), hidden_view, as_json=as_json, nothing="nothing is hidden")
        part = partial(palace.forget, what or "", closet=closet, conversation=conversation, now=now)
        planned = palace.forget_everything(dry_run=True) if everything else part(dry_run=True)
        if not dry_run:
            question = f"Forget {planned.what}: {removal_line(planned.removal)}?"
            agreed(question, yes=yes, otherwise="nothing was forgotten")
            # Who was not asked agreed to no number.
            most = None if yes else planned.removal.drawers
            planned = palace.forget_everything() if everything else part(at_most=most)
    write_answer(planned, forgotten_view, as_json=as_json)


def forgotten_view(summary: ForgetSummary) -> str:
    verb = "would forget" if summary.dry_run else "forgot"
    few = " ".join(each.removeprefix("§ ") for each in summary.pointers[:MOST_NAMED])
    what = few if len(summary.pointers) <= MOST_NAMED else "POINTER (palace forget --list has them)"
    until = f"; palace restore {what} takes it back until {moment(summary.until)}" if summary.until else ""
    return one_line(f"{verb} {summary.what}: {removal_line(summary.removal)}{until}")


def hidden_view(places: Sequence[HiddenPlace]) -> Table:
    """Show one line per room: how much of it is hidden, since when, and when it is deleted."""
    columns = {
        "room": "room",
        "drawers": lambda place: len(place.pointers),
        "wing": "wing_name",
        "name": "room_name",
        "forgotten": "hidden_at",
        "deleted": "due_at",
    }
    return records(places, columns, numbers=("drawers",), elastic=("name",))


def restored_view(summary: TakenBack) -> Group:
    """Show what was restored, and what of it under other pointers than before."""
    there = f", {count(summary.there, 'drawer')} stood there already" if summary.there else ""
    moved = moved_lines([(place.was, place.now) for place in summary.moved])
    return Group(f"restored {restored_line(summary)}{there}", *moved)


@answers(restored_view)
def restore(
    palace: Palace,
    what: list[str] = argument("POINTER...", "Drawers, rooms or wings, as `palace forget --list` has them."),
) -> TakenBack:
    """Restore what was forgotten, as long as it is not deleted.

    It gets its former pointers and dates, and is found again. What had to get other
    pointers is listed with them.

    \b
    palace restore W-001/R-02
    palace restore "§ W-001/R-03/D-002"
    """
    return palace.forgotten.restore(*what)
