"""``palace forget``: take something out of the palace for good."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.text import Text

from palace.errors import BadRequest
from palace.records import ForgetSummary
from palace_cli import diagnostics, options, output
from palace_cli.diagnostics import ExitCode
from palace_cli.opening import open_palace
from palace_cli.render.figures import removal_line
from palace_cli.render.visible import one_line

What = Annotated[
    str | None,
    typer.Argument(metavar="WHAT", help='A drawer (W-001/R-02/D-003), a room (W-001/R-02) or a wing ("Efoil").'),
]
ClosetName = Annotated[str | None, typer.Option("--closet", metavar="NAME", help="Only this closet of the room.")]
WholeConversation = Annotated[
    bool, typer.Option("--conversation", help="All of the conversation that the drawer or room belongs to.")
]
Everything = Annotated[bool, typer.Option("--everything", help="All that the user has, and the user.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Say what would go; forget nothing.")]


def forget(
    what: What = None,
    *,
    closet: ClosetName = None,
    conversation: WholeConversation = False,
    everything: Everything = False,
    dry_run: DryRun = False,
    yes: options.Yes = False,
    user: options.User = None,
    as_json: options.Json = False,
) -> None:
    """Forget a drawer, a closet, a room, a wing, or everything.

    Says what will go and asks. Text, vectors and keywords go; mining the source again does not bring them
    back unless told to (palace mine --restore-forgotten). --everything leaves no trace at all.

    \b
    palace forget "§ W-001/R-02/D-003"
    palace forget W-001/R-02 --closet "Battery wiring"
    palace forget "Efoil rebuild" --yes
    """
    if (what is None) != everything:
        raise BadRequest("say what to forget: a drawer, a room, a wing, or --everything")
    with open_palace(user) as palace:

        def run(*, rehearsing: bool) -> ForgetSummary:
            if what is None:
                return palace.forget_everything(dry_run=rehearsing)
            return palace.forget(what, closet=closet, conversation=conversation, dry_run=rehearsing)

        planned = run(rehearsing=True)
        if not dry_run:
            question = f"Forget {planned.what}: {removal_line(planned.removal)}?"
            if not yes and not diagnostics.confirm(question):
                diagnostics.remark("nothing was forgotten")
                raise typer.Exit(ExitCode.INCOMPLETE)
            planned = run(rehearsing=False)
    output.present(planned, forgotten_view, as_json=as_json)


def forgotten_view(summary: ForgetSummary) -> Text:
    """Say what went, or would go."""
    verb = "would forget" if summary.dry_run else "forgot"
    return Text(one_line(f"{verb} {summary.what}: {removal_line(summary.removal)}"))
