"""``palace entities``: who and what messages name, and deciding who is who."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.console import Group
from rich.table import Table
from rich.text import Text

from palace.models import LARGEST_NUMBER
from palace.models.graph import Decision, DecisionSummary, Doubtful, Entity
from palace_cli import completion, options
from palace_cli.command import Answer, Palace, answers, asked_once, subcommand, write_answer
from palace_cli.opening import open_palace
from palace_cli.options import argument, flag, option
from palace_cli.render.figures import count, moment
from palace_cli.render.graph import LIKENESS, decision_line
from palace_cli.render.layout import Columns, records
from palace_cli.render.visible import one_line
from palace_cli.styles import HEADING

app = typer.Typer(help="Who and what messages name, and deciding who is who.")

Name = Annotated[
    str,
    argument(
        "NAME",
        'A name it goes by, "Austin (place)" where several do, or I for yourself.',
        completes=completion.known("ENTITY"),
    ),
]


Limit = Annotated[int, option("--limit", "How many at most.", "N", default=..., min=1, max=100_000)]


NOBODY = "nobody and nothing is known there: palace mine FILE reads names from what it files"
MOST_NAMES = 6
"""Other names of one that a line shows; `--json` gives all of them."""


def entities_view(found: tuple[Entity, ...]) -> Table:
    columns: Columns = {
        "name": "name",
        "type": "type",
        **({"kinds": lambda each: ", ".join(each.kinds)} if any(each.kinds for each in found) else {}),
        "also called": _aliases,
        "named": "mention_count",
        "first": lambda each: moment(each.first_said_at),
        "last": lambda each: moment(each.last_said_at),
    }
    return records(found, columns, numbers=("named",), elastic=("name", "kinds", "also called"))


def decided_view(made: DecisionSummary) -> Group:
    """Show a decision, whether it was taken back, and the entities that it is about."""
    line = f"decision {made.decision.id}: {decision_line(made.decision)}"
    if made.decision.undone_at is not None:
        line += ", taken back"
    return Group(Text(line, style=HEADING), *((entities_view(made.entities),) if made.entities else ()))


def decisions_view(found: tuple[Decision, ...]) -> Table:
    columns = {"decision": "id", "when": "decided_at", "what": decision_line, "taken back": "undone_at"}
    return records(found, columns, numbers=("decision",), elastic=("what",))


def doubtful_view(found: tuple[Doubtful, ...]) -> Group:
    """Show one line per pair, and below it a message that names each of the two."""
    lines = []
    for each in found:
        names = f"{one_line(each.one.name)} {LIKENESS[each.likeness]} {one_line(each.other.name)}"
        named = f"named {each.one.mention_count:,} + {each.other.mention_count:,}"
        lines.append(Text(f"{names} ({each.other.type}; {named})", style=HEADING))
        for said in filter(None, (each.one_said, each.other_said)):
            text = f"  {said.pointer}  … {one_line(said.text.strip())} …"
            lines.append(Text(text, no_wrap=True, overflow="ellipsis"))
    return Group(*lines)


def _aliases(entity: Entity) -> str:
    names = entity.aliases
    more = f" and {len(names) - MOST_NAMES:,} more" if len(names) > MOST_NAMES else ""
    return ", ".join(names[:MOST_NAMES]) + more


@app.callback(invoke_without_command=True)
@answers(entities_view, nothing=NOBODY, is_group=True)
def entities(
    palace: Palace,
    type_: str | None = option(
        "--type",
        "Only of a type: person, place, organisation, event, item, project, time or unknown.",
        "TYPE",
        completes=completion.words("person", "place", "organisation", "event", "item", "project", "time", "unknown"),
    ),
    *,
    everything: bool = flag("--all", 'Times too, and what has no name ("the boat").'),
    limit: Limit = 50,
    offset: int = option("--offset", "How many to skip.", "N", default=0, min=0, max=LARGEST_NUMBER),
) -> Answer:
    """List who and what messages name, the most named first; decide who is who.

    \b
    palace entities --type person
    palace entities merge "D-Man" "Derek Hughes"
    palace entities split Sarah --conversation W-001/R-03 --to "Sarah Miller"
    """
    found = palace.entities.list(type=type_, everything=everything, limit=limit, offset=offset)
    remarks = [f"there may be more: --offset {offset + limit} continues"] if len(found) == limit else []
    return Answer(found, remarks=remarks)


@subcommand(app, "find", lambda found: entities_view((found,)))
def find(palace: Palace, name: Name) -> Entity:
    """Show who or what goes by a name, in any case and without accents.

    \b
    palace entities find derek
    palace entities find "Brightwater Farm"
    """
    return palace.entities.find(name)


@app.command("merge")
def merge(
    name: Name,
    into: str = argument("INTO", "The one that it is; its name stays.", completes=completion.known("ENTITY")),
    *,
    yes: bool = flag("--yes,-y", "Do not ask, and merge even what is of two types."),
    user: options.User = None,
    as_json: options.Json = False,
) -> None:
    """Merge two names that mean the same person or thing; the second name stays.

    At a terminal it says what each of them is, and asks. A script merges a person and a place, or either and a thing,
    only with --yes. `palace entities undo` takes it back.

    \b
    palace entities merge "D-Man" "Derek Hughes"
    """
    with open_palace(user) as palace:
        question = lambda: f"Merge {entity_line(palace, name)} into {entity_line(palace, into)}?"  # noqa: E731
        anyway = asked_once(question, yes=yes, as_json=as_json, otherwise="nothing was merged")
        write_answer(palace.entities.merge(name, into, anyway=anyway), decided_view, as_json=as_json)


def entity_line(palace: Palace, name: str) -> str:
    """Name an entity with its type and how often messages name it."""
    found = palace.entities.find(name)
    return f"{found.name} ({found.type}, {count(found.mention_count, 'mention')})"


@subcommand(app, "split", decided_view)
def split(
    palace: Palace,
    name: Name,
    *,
    conversation: str | None = option(
        "--conversation",
        "Only there: a room (W-001/R-02) or a drawer of it.",
        "POINTER",
        completes=completion.pointers(completion.DRAWERS),
    ),
    wing: str | None = option(
        "--wing", "Only in the conversations that the wing has now.", "NAME", completes=completion.places(1)
    ),
    to: str | None = option(
        "--to", 'Who is meant there; "NAME (2)" unless given.', "NAME", completes=completion.known("ENTITY")
    ),
    other: str | None = option(
        "--from", "Keep the two apart: not one, and not suggested again.", "OTHER", completes=completion.known("ENTITY")
    ),
) -> DecisionSummary:
    """Split off a name that means somebody else.

    Everywhere, or in one conversation or wing. With --from, that two are not one.

    \b
    palace entities split Derek
    palace entities split Sarah --conversation W-001/R-03 --to "Sarah Miller"
    palace entities split Brightwater --from "Brightwater Farm"
    """
    return palace.entities.split(name, conversation=conversation, wing=wing, to=to, other=other)


@subcommand(app, "rename", decided_view)
def rename(palace: Palace, name: Name, new: str = argument("NEW", "What it is called from now on.")) -> DecisionSummary:
    """Change the name of someone or something.

    The old name still finds it.

    \b
    palace entities rename "the boat (item)" Albatross
    """
    return palace.entities.rename(name, new)


@subcommand(app, "undo", decided_view)
def undo(
    palace: Palace,
    decision: int = argument(
        "ID",
        "As `palace entities decisions` lists it.",
        completes=completion.known("DECISION"),
        min=1,
        max=LARGEST_NUMBER,
    ),
) -> DecisionSummary:
    """Undo a merge, split or rename.

    \b
    palace entities undo 1
    """
    return palace.entities.undo(decision)


@subcommand(
    app, "decisions", decisions_view, nothing="nothing was decided yet: palace entities merge, split and rename do"
)
def decisions(palace: Palace, limit: Limit = 50) -> tuple[Decision, ...]:
    """List merges, splits and renames, and which of them were undone.

    \b
    palace entities decisions
    """
    return palace.entities.decisions(limit=limit)


@subcommand(app, "suggest", doubtful_view, nothing="no two of those known look like one")
def suggest(palace: Palace, limit: Limit = 20) -> tuple[Doubtful, ...]:
    """List pairs of names that may mean the same, why, and where each is named.

    Only `palace entities merge` merges them. Those that `palace entities split NAME --from OTHER` keeps apart are not
    listed again.

    \b
    palace entities suggest
    palace entities merge Brightwater "Brightwater Energy"
    """
    return palace.entities.suggest(limit=limit)
