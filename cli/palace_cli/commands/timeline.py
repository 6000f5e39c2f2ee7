"""``palace timeline``: what held, holds and will hold of someone or something."""

from __future__ import annotations

from typing import Annotated

from palace_cli import diagnostics, options, output
from palace_cli.opening import open_palace
from palace_cli.options import option
from palace_cli.render.graph import timeline_view

About = Annotated[str | None, option("--about", "Only what a question in quotes asks for.", "QUESTION")]
Limit = Annotated[int, option("--limit", "How many at most, the latest.", "N", min=1, max=100_000)]


def timeline(
    entity: options.Entity,
    *,
    about: About = None,
    limit: Limit = 100,
    user: options.User = None,
    as_json: options.Json = False,
) -> None:
    """Show all that is known of someone or something, in order of time.

    What holds now and what is still to come is marked. Times are told as exactly as they are known: what was only said
    to be so is "known since" then.

    \b
    palace timeline efoil
    palace timeline me
    palace timeline me --about "where do I live"
    """
    with open_palace(user) as palace:
        found = palace.timeline(entity, about=about, limit=limit)
    output.present(found, timeline_view, as_json=as_json)
    if not found.entries:
        nothing = "nothing of that is known of it" if about else "it is named, and nothing more is known of it"
        diagnostics.remark(nothing)
    if not found.is_whole:
        diagnostics.remark(f"the latest {limit:,}: --limit shows more, --about narrows it")
