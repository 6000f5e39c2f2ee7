"""``palace relations``: what held at a moment."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import partial
from typing import Annotated

import typer

from palace_cli import diagnostics, options, output
from palace_cli.completion import offers
from palace_cli.opening import open_palace
from palace_cli.render.graph.tables import relations_view

Entity = Annotated[
    str | None,
    typer.Argument(
        metavar="[ENTITY]",
        help='Of whom or what, by any of its names; "I" for yourself. All unless given.',
        autocompletion=offers.known("ENTITY"),
    ),
]
Believed = Annotated[
    str | None,
    typer.Option("--believed", metavar="WHEN", help="As it was known then, not as it is known now; a date is its end."),
]
About = Annotated[
    str | None, typer.Option("--about", metavar="QUESTION", help="Only what a question in quotes asks for.")
]
Limit = Annotated[int, typer.Option("--limit", metavar="N", min=1, max=100_000, help="How many at most, latest first.")]


def relations(
    entity: Entity = None,
    *,
    as_of: options.AsOf = None,
    believed: Believed = None,
    about: About = None,
    limit: Limit = 200,
    user: options.User = None,
    as_json: options.Json = False,
) -> None:
    """Show what is true of someone or something, or was at a moment.

    Each line says who, what, since when as exactly as it is known, and which drawer said it last.

    \b
    palace relations efoil
    palace relations me --about "where do I live"
    palace relations efoil --as-of 2026-04-15 --believed 2026-05-01
    """
    at, known = options.last_moment("--as-of", as_of), options.last_moment("--believed", believed)
    with open_palace(user) as palace:
        found = palace.relations(entity, as_of=at, believed=known, about=about, limit=limit)
    if found or as_json:
        view = partial(relations_view, now=at or known or datetime.now(UTC))
        output.present(found, view, as_json=as_json)
    if not found:
        nothing = "nothing of that is known" if entity or about else "nothing is known of anyone or anything"
        diagnostics.remark(nothing + (" for then" if at or known else ""))
    if len(found) == limit:
        diagnostics.remark(f"the latest {limit:,}: --limit shows more")
