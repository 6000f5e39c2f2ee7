"""``palace relations``: what held at a moment, and putting it right."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import partial
from typing import Annotated

from rich.text import Text

from palace.errors import BadRequest
from palace_cli import completion, diagnostics, options, output
from palace_cli.command import show
from palace_cli.opening import open_palace
from palace_cli.options import argument, option
from palace_cli.render.graph import relations_view

Words = Annotated[
    list[str] | None,
    argument(
        "[ENTITY | add|end|reject WHO WHAT WHOM]",
        'Of whom or what, by any name; "I" for yourself; all unless given. Or what to add, end or reject.',
        completion.known("ENTITY"),
    ),
]
Believed = Annotated[
    str | None,
    option("--believed", "As it was known then, not as it is known now; a date is its end.", "WHEN"),
]
About = Annotated[str | None, option("--about", "Only what a question in quotes asks for.", "QUESTION")]
Limit = Annotated[int, option("--limit", "How many at most, latest first.", "N", min=1, max=100_000)]
Since = Annotated[str | None, option("--from", "With add: since 2026, 2026-05, 2026-05-03.", "DATE")]
Until = Annotated[str | None, option("--until", "With add and end: until then.", "DATE")]


def relations(
    words: Words = None,
    *,
    as_of: options.AsOf = None,
    believed: Believed = None,
    about: About = None,
    limit: Limit = 200,
    since: Since = None,
    until: Until = None,
    user: options.User = None,
    as_json: options.Json = False,
) -> None:
    """Show what is true of someone or something, or was at a moment; add, end or reject it.

    Each line says who, what, since when as exactly as it is known, and which drawer said it last. What is put right is
    a note, whose pointer is printed: forgetting it takes it back. What was said before never brings back what is
    rejected.

    \b
    palace relations efoil
    palace relations me --about "where do I live"
    palace relations efoil --as-of 2026-04-15 --believed 2026-05-01
    palace relations add me "work at" Arcadis --from 2026-06
    palace relations end Derek own "spot welder" --until 2025-06
    palace relations reject Mara is vegetarian
    """
    if len(words or ()) > 1 or since or until:
        if as_of or believed or about:
            raise BadRequest("--as-of, --believed and --about are for showing what is known")
        return _correct(words or [""], {"since": since, "until": until}, user, as_json)
    at, known = options.last_moment("--as-of", as_of), options.last_moment("--believed", believed)
    with open_palace(user) as palace:
        found = palace.relations(words[0] if words else None, as_of=at, believed=known, about=about, limit=limit)
    view = partial(relations_view, now=at or known or datetime.now(UTC))
    nothing = "nothing of that is known" if words or about else "nothing is known of anyone or anything"
    show(found, view, as_json=as_json, nothing=nothing + (" for then" if at or known else ""))
    if len(found) == limit:
        diagnostics.remark(f"the latest {limit:,}: --limit shows more")


def _correct(words: list[str], dates: dict[str, str | None], user: str | None, as_json: bool) -> None:
    verb, *sides = words
    if verb not in ("add", "end", "reject") or len(sides) != 3:
        raise BadRequest('name one, or say add, end or reject with three: palace relations reject me "live in" Kessel')
    given = {name: date for name, date in dates.items() if date}
    if given and (verb == "reject" or (verb == "end" and "since" in given)):
        raise BadRequest("--from is for add, --until for add and end")
    with open_palace(user) as palace:
        drawer = getattr(palace.corrections, verb)(*sides, **given)
    output.present(drawer, lambda note: Text(str(note.pointer)), as_json=as_json)
