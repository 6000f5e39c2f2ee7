"""``palace entities``: who and what messages name, and deciding who is who."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.console import Group
from rich.table import Table
from rich.text import Text

from palace.models import LARGEST_NUMBER
from palace.models.graph import Decision, DecisionSummary, DecisionVerb, Doubtful, Entity, Naming
from palace_cli import completion, diagnostics, options, output
from palace_cli.command import Palace, answers
from palace_cli.opening import open_palace
from palace_cli.options import argument, option
from palace_cli.render.figures import LIKENESS, count, moment
from palace_cli.render.layout import cell, table
from palace_cli.render.visible import one_line
from palace_cli.styles import HEADING

app = typer.Typer(help="Who and what messages name, and deciding who is who.")

Name = Annotated[
    str,
    argument(
        "NAME", 'A name it goes by, "Austin (place)" where several do, or I for yourself.', completion.known("ENTITY")
    ),
]
Into = Annotated[
    str,
    argument("INTO", "The one that it is; its name stays.", completion.known("ENTITY")),
]
New = Annotated[str, argument("NEW", "What it is called from now on.")]
Type = Annotated[
    str | None,
    option(
        "--type",
        "Only of a type: person, place, organisation, event, item, project or time.",
        "TYPE",
        completion.words("person", "place", "organisation", "event", "item", "project", "time"),
    ),
]
All = Annotated[bool, option("--all", 'Times too, and what has no name ("the boat").')]
Limit = Annotated[int, option("--limit", "How many at most.", "N", min=1, max=100_000)]
Offset = Annotated[int, option("--offset", "How many to skip.", "N", min=0, max=LARGEST_NUMBER)]
Conversation = Annotated[
    str | None,
    option(
        "--conversation",
        "Only there: a room (W-001/R-02) or a drawer of it.",
        "POINTER",
        completion.pointers(completion.DRAWERS),
    ),
]
InWing = Annotated[
    str | None,
    option("--wing", "Only in the conversations that the wing has now.", "NAME", completion.places(1)),
]
To = Annotated[
    str | None,
    option("--to", 'Who is meant there; "NAME (2)" unless given.', "NAME", completion.known("ENTITY")),
]
From = Annotated[
    str | None,
    option("--from", "Keep the two apart: not one, and not suggested again.", "OTHER", completion.known("ENTITY")),
]
Anyway = Annotated[bool, option("--yes,-y", "Merge even what is of two types.")]
DecisionId = Annotated[
    int,
    argument("ID", "As `palace entities decisions` lists it.", completion.known("DECISION"), min=1, max=LARGEST_NUMBER),
]

MOST_NAMES = 6
"""Other names of one that a line shows; `--json` gives all of them."""


def entities_view(found: tuple[Entity, ...]) -> Table:
    kinds = ("kinds",) if any(each.kinds for each in found) else ()
    columns = ("name", "type", *kinds, "also called", "named", "first", "last")
    shown = table(*columns, numbers=("named",), elastic=("name", "kinds", "also called"))
    for each in found:
        of_kinds = (cell(", ".join(each.kinds)),) if kinds else ()
        said = (moment(each.first_said_at), moment(each.last_said_at))
        shown.add_row(
            cell(each.name), each.type.value, *of_kinds, cell(_listed(each.aliases)), f"{each.mention_count:,}", *said
        )
    return shown


def entity_view(found: Entity) -> Table:
    return entities_view((found,))


def decided_view(made: DecisionSummary) -> Group:
    """Say what was decided or taken back, and show whom it is about."""
    line = f"decision {made.decision.id}: {_told(made.decision)}"
    if made.decision.undone_at is not None:
        line += ", taken back"
    return Group(Text(line, style=HEADING), *((entities_view(made.entities),) if made.entities else ()))


def decisions_view(found: tuple[Decision, ...]) -> Table:
    shown = table("decision", "when", "what", "taken back", numbers=("decision",), elastic=("what",))
    for each in found:
        shown.add_row(
            str(each.id), moment(each.decided_at), cell(_told(each)), moment(each.undone_at) if each.undone_at else ""
        )
    return shown


def doubtful_view(found: tuple[Doubtful, ...]) -> Group:
    """Show a line a pair, and below it where each of the two is named."""
    lines = []
    for each in found:
        names = f"{one_line(each.one.name)} {LIKENESS[each.likeness]} {one_line(each.other.name)}"
        lines.append(
            Text(
                f"{names} ({each.other.type}; named {each.one.mention_count:,} + {each.other.mention_count:,})",
                style=HEADING,
            )
        )
        lines += [_said(naming) for naming in (each.one_said, each.other_said) if naming is not None]
    return Group(*lines)


def _said(naming: Naming) -> Text:
    said = one_line(naming.text.strip())
    return Text(f"  {naming.pointer}  … {said} …", no_wrap=True, overflow="ellipsis")


def _listed(names: tuple[str, ...]) -> str:
    more = f" and {len(names) - MOST_NAMES:,} more" if len(names) > MOST_NAMES else ""
    return ", ".join(names[:MOST_NAMES]) + more


def _told(decision: Decision) -> str:
    name, other = one_line(decision.name), one_line(decision.other)
    if decision.verb is DecisionVerb.MERGE:
        return f"{name} is {other}"
    if decision.verb is DecisionVerb.RENAME:
        return f"{name} is called {other}"
    if not decision.is_partial:
        return f"{name} is not {other}"
    return f"{name} is {other} in {count(len(decision.conversations), 'conversation')}"


@app.callback(invoke_without_command=True)
def entities(
    context: typer.Context,
    type_: Type = None,
    *,
    everything: All = False,
    limit: Limit = 50,
    offset: Offset = 0,
    user: options.User = None,
    as_json: options.Json = False,
) -> None:
    """List who and what messages name, the most named first; decide who is who.

    \b
    palace entities --type person
    palace entities merge "D-Man" "Derek Hughes"
    palace entities split Sarah --conversation W-001/R-03 --to "Sarah Miller"
    """
    if not options.is_alone(context):
        return
    with open_palace(user) as palace:
        found = palace.entities.list(type=type_, everything=everything, limit=limit, offset=offset)
    if found or as_json:
        output.present(found, entities_view, as_json=as_json)
    if not found:
        diagnostics.remark("nobody and nothing is known there: palace mine FILE reads names from what it files")
    elif len(found) == limit:
        diagnostics.remark(f"there may be more: --offset {offset + limit} continues")


@app.command("find")
@answers(entity_view)
def find(palace: Palace, name: Name) -> Entity:
    """Show who or what goes by a name, in any case and without accents.

    \b
    palace entities find derek
    palace entities find "Brightwater Farm"
    """
    return palace.entities.find(name)


@app.command("merge")
@answers(decided_view)
def merge(palace: Palace, name: Name, into: Into, *, yes: Anyway = False) -> DecisionSummary:
    """Say that two are one, called by the second name.

    A person and a place, or either and a thing, only with --yes. `palace entities undo` takes it back.

    \b
    palace entities merge "D-Man" "Derek Hughes"
    """
    return palace.entities.merge(name, into, anyway=yes)


@app.command("split")
@answers(decided_view)
def split(
    palace: Palace,
    name: Name,
    *,
    conversation: Conversation = None,
    wing: InWing = None,
    to: To = None,
    other: From = None,
) -> DecisionSummary:
    """Say that a name is somebody else's.

    Everywhere, or in one conversation or wing. With --from, that two are not one.

    \b
    palace entities split Derek
    palace entities split Sarah --conversation W-001/R-03 --to "Sarah Miller"
    palace entities split Brightwater --from "Brightwater Farm"
    """
    return palace.entities.split(name, conversation=conversation, wing=wing, to=to, other=other)


@app.command("rename")
@answers(decided_view)
def rename(palace: Palace, name: Name, new: New) -> DecisionSummary:
    """Give someone or something the name to go by.

    The old one still finds it.

    \b
    palace entities rename "the boat (item)" Albatross
    """
    return palace.entities.rename(name, new)


@app.command("undo")
@answers(decided_view)
def undo(palace: Palace, decision: DecisionId) -> DecisionSummary:
    """Take a decision back, as if it had never been taken.

    \b
    palace entities undo 1
    """
    return palace.entities.undo(decision)


@app.command("decisions")
@answers(decisions_view, nothing="nothing was decided yet: palace entities merge, split and rename do")
def decisions(palace: Palace, limit: Limit = 50) -> tuple[Decision, ...]:
    """List what was decided, and what was taken back of it.

    \b
    palace entities decisions
    """
    return palace.entities.decisions(limit=limit)


@app.command("suggest")
@answers(doubtful_view, nothing="no two of those known look like one")
def suggest(palace: Palace, limit: Limit = 20) -> tuple[Doubtful, ...]:
    """List pairs that may be one, why, and where each is named.

    None is joined unless you merge it. What `palace entities split NAME --from OTHER` keeps apart is not listed again.

    \b
    palace entities suggest
    palace entities merge Brightwater "Brightwater Energy"
    """
    return palace.entities.suggest(limit=limit)
