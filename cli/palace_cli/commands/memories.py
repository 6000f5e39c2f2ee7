"""``palace memories`` and ``impact``: typed memories to list, make and decide on, and what came of them."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Annotated

import typer

from palace.errors import BadRequest
from palace.models import (
    EXPIRED,
    ForgetSummary,
    MadeMemories,
    Memory,
    MemoryState,
    MemoryType,
    SweepSummary,
)
from palace_cli import completion, options
from palace_cli.command import Answer, Palace, agreed, answers, listing, subcommand
from palace_cli.commands.forget import forgotten_view
from palace_cli.options import argument, choice, flag, option
from palace_cli.render.figures import removal_line
from palace_cli.render.memory import (
    conflicts_view,
    impact_view,
    made_view,
    memories_view,
    memory_view,
    proposals_view,
    swept_view,
)

app = typer.Typer(help="List and make typed memories; accept, reject, pin, update and merge them.")

WHICH = 'Its pointer, or that of a former version: "§ W-001/R-02/D-003".'
Id = Annotated[str, argument("ID", WHICH, completes=completion.pointers(completion.DRAWERS))]
NOTHING = "there are no memories: palace memories make finds some in what was said, palace note --type stores one"
NO_SUCH = "there are no such memories; without options, palace memories lists all"
DECIDE = "palace memories accept ID takes one in, reject ID refuses it for good"
FOLLOWED = "used: its words, or another file that it names, appear later in the session"
NOTHING_YET = (
    "nothing was counted yet: what turns put into requests counts at once, what hooks added to tool calls when the"
    " session is mined (--by-week at once), and what they answered to prompts and session starts never"
)
COUNTED = "used: the reply has words of it; corrected: the person said otherwise next"
KEEP = "palace memories resolve ID keeps one of a pair"


@listing(app, "list", memories_view, nothing=NOTHING)
def list_(
    palace: Palace,
    *,
    type_: str | None = choice("--type", "Only memories of this type.", *MemoryType),
    state: str | None = choice("--state", "Only memories in this state.", *MemoryState, EXPIRED),
    wing: options.Wing = None,
    limit: int = option("--limit", "So many at most.", "N", default=100, min=1, max=10_000),
) -> Answer:
    """List the memories that none supersedes, the latest first; with --state proposed, also what they stand on.

    \b
    palace memories
    palace memories list --state proposed
    palace memories list --type instruction --limit 10
    """
    found = palace.memories.list(
        types=[type_] if type_ else None, states=[state] if state else None, wing=wing, limit=limit
    )
    nothing = NO_SUCH if type_ or state or wing else NOTHING
    if state == MemoryState.PROPOSED and found:
        evidence = palace.memories.evidence(found)
        return Answer(found, lambda memories: proposals_view(memories, evidence), remarks=[DECIDE])
    return Answer(found, nothing=nothing)


@subcommand(app, "show", memory_view)
def show(palace: Palace, memory_id: Id) -> Memory:
    """Show a memory: what it says, what it stands on, and how often it was used.

    \b
    palace memories show W-001/R-02/D-003
    """
    return palace.memories.get(memory_id)


@subcommand(app, "accept", memory_view)
def accept(palace: Palace, memory_id: Id) -> Memory:
    """Accept a proposed or rejected memory: recall returns it from then on.

    \b
    palace memories accept W-001/R-02/D-003
    """
    return palace.memories.accept(memory_id)


@subcommand(app, "reject", memory_view)
def reject(palace: Palace, memory_id: Id, *, reason: str | None = option("--reason", "Why.", "TEXT")) -> Memory:
    """Reject a memory: it is no longer found, and not proposed again.

    \b
    palace memories reject W-001/R-02/D-003 --reason "she moved"
    """
    return palace.memories.reject(memory_id, reason)


@subcommand(app, "pin", memory_view)
def pin(palace: Palace, memory_id: Id) -> Memory:
    """Keep a memory from expiring and fading.

    \b
    palace memories pin W-001/R-02/D-003
    """
    return palace.memories.pin(memory_id)


@subcommand(app, "unpin", memory_view)
def unpin(palace: Palace, memory_id: Id) -> Memory:
    """Let a pinned memory fade again.

    \b
    palace memories unpin W-001/R-02/D-003
    """
    return palace.memories.pin(memory_id, pinned=False)


@subcommand(app, "update", memory_view)
def update(palace: Palace, memory_id: Id, text: str = argument("TEXT", "What it says from now on.")) -> Memory:
    """Give a memory another text: a newer version with the same type and evidence.

    \b
    palace memories update W-001/R-02/D-003 "The spare battery is with Mara"
    """
    return palace.memories.update(memory_id, text)


@subcommand(app, "versions", memories_view)
def versions(palace: Palace, memory_id: Id) -> tuple[Memory, ...]:
    """List the versions of a memory, the current one last.

    \b
    palace memories versions W-001/R-02/D-003
    """
    return palace.memories.versions(memory_id)


@subcommand(app, "make", made_view)
def make(
    palace: Palace,
    conversation: str | None = argument(
        "POINTER",
        "A drawer of the only conversation to read; all are read unless given.",
        default=None,
        completes=completion.pointers(completion.DRAWERS),
    ),
    *,
    wing: options.Wing = None,
) -> MadeMemories:
    """Make memories of what was mined; what memories stand on already is left out.

    \b
    palace memories make
    palace memories make --wing "Efoil rebuild"
    """
    return palace.memories.make(conversation, wing=wing)


@subcommand(app, "conflicts", conflicts_view, nothing="no memories contradict each other")
def conflicts(palace: Palace) -> Answer:
    """List the pairs of memories that contradict each other, the latest first.

    \b
    palace memories conflicts
    """
    found = palace.memories.conflicts()
    return Answer(found, remarks=[KEEP] if found else [])


@subcommand(app, "resolve", memory_view)
def resolve(palace: Palace, memory_id: Id) -> Memory:
    """Keep one of two memories that contradict each other: it takes the place of the other.

    \b
    palace memories resolve W-001/R-02/D-003
    """
    return palace.memories.resolve(memory_id)


@subcommand(app, "consolidate", memories_view, nothing="no memories are alike")
def consolidate(
    palace: Palace,
    memory_ids: list[str] | None = argument(
        "ID...",
        "Memories of one type; each group of alike ones unless given.",
        default=None,
        completes=completion.pointers(completion.DRAWERS),
    ),
    *,
    wing: options.Wing = None,
) -> tuple[Memory, ...]:
    """Replace several memories of one type by one; forgetting it brings them back.

    \b
    palace memories consolidate W-001/R-02/D-003 W-001/R-02/D-004
    palace memories consolidate --wing "Efoil rebuild"
    """
    return palace.memories.consolidate(memory_ids or None, wing=wing)


@subcommand(app, "reflect", memories_view, nothing="there is no new lesson")
def reflect(palace: Palace) -> tuple[Memory, ...]:
    """Store lessons: what was corrected twice after it was shown, and facts that changed twice.

    \b
    palace memories reflect
    """
    return palace.memories.reflect()


@subcommand(app, "forget", forgotten_view)
def forget(
    palace: Palace,
    memory_id: str | None = argument("ID", WHICH, default=None, completes=completion.pointers(completion.DRAWERS)),
    *,
    type_: str | None = choice("--type", "All memories of this type.", *MemoryType),
    wing: options.Wing = None,
    everything: bool = flag("--all", "All memories."),
    dry_run: bool = flag("--dry-run", "Say what would go; forget nothing."),
    yes: options.Yes = False,
) -> ForgetSummary:
    """Forget a memory with all its versions, or those of a type or a wing; the drawers they stand on stay.

    Says first how many there are, and asks. For some days `palace restore` takes them back.

    \b
    palace memories forget W-001/R-02/D-003
    palace memories forget --wing "Efoil rebuild" --type instruction --yes
    palace memories forget --all --dry-run
    """
    chosen = [memory_id is not None, bool(wing or type_), everything]
    if chosen.count(True) != 1:
        raise BadRequest("say which: a memory, those of a --wing or a --type, or --all")
    if memory_id is None:
        forgets = partial(palace.memories.forget_all, wing=wing, type=type_)
    else:
        forgets = partial(palace.memories.forget, memory_id)
    planned = forgets(dry_run=True)
    if dry_run or not planned.removal.drawers:
        return replace(planned, dry_run=dry_run)
    question = f"Forget {planned.what}: {removal_line(planned.removal)}?"
    agreed(question, yes=yes, otherwise="nothing was forgotten")
    return forgets()


@subcommand(app, "sweep", swept_view)
def sweep(palace: Palace) -> SweepSummary:
    """Let memories fade and expire, as a worker does after each of its jobs; accept and pin bring them back.

    \b
    palace memories sweep
    """
    return palace.memories.sweep()


@answers(impact_view, nothing=NOTHING_YET)
def impact(
    palace: Palace,
    *,
    wing: options.Wing = None,
    limit: int = option("--limit", "So many at most.", "N", default=20, min=1, max=10_000),
    by_week: bool = flag(
        "--by-week", "What hooks added before and after tool calls on this machine, by week and project."
    ),
) -> Answer:
    """List what was put into requests: how often it was used, and how often the person said otherwise next.

    \b
    palace impact
    palace impact --by-week
    """
    if by_week:
        return Answer(palace.hand_overs(), remarks=[FOLLOWED])
    found = palace.impact(wing=wing, limit=limit)
    return Answer(found, remarks=[COUNTED] if found else [])
