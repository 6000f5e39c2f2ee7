"""``palace graph``, ``timeline`` and ``relations``: what is known of someone or something, and correcting it."""

from __future__ import annotations

from datetime import UTC, datetime
from enum import StrEnum
from functools import partial

from palace.errors import BadRequest
from palace.models import Neighbourhood
from palace_cli import completion, diagnostics, options, output
from palace_cli.command import Answer, Palace, answers, write_answer
from palace_cli.opening import open_palace
from palace_cli.options import argument, flag, option, until
from palace_cli.render.graph import dot_text, neighbourhood_table, relations_view, timeline_view, tree_text
from palace_cli.render.svg import svg_text

AS_OF = "What held then; a date means its end. Now unless given."
VERBS = ("add", "end", "reject")


class GraphFormat(StrEnum):
    """The formats of a neighbourhood."""

    TREE = "tree"
    TABLE = "table"
    SVG = "svg"
    DOT = "dot"
    JSON = "json"


def graph(
    entity: options.Entity,
    *,
    hops: int = option("--hops", "How many relations far, at most 5.", "N", default=1),
    as_of: datetime | None = until("--as-of", AS_OF),
    past: bool = flag("--past", "Take what is over as well; a picture has it in dashes."),
    limit: int = option("--limit", "How many are shown at most, the nearest.", "N", default=60, min=1, max=1000),
    format_: GraphFormat = option(
        "--format", "A tree, a table, a picture (SVG), Graphviz's language, or JSON.", default=GraphFormat.TREE
    ),
    user: options.User = None,
    as_json: options.Json = False,
) -> None:
    """Show to whom and what someone or something is related, now or at a moment.

    \b
    palace graph derek --hops 2 --as-of 2026-05-01
    palace graph me --hops 2 --past --format svg > me.svg
    palace graph derek --format dot | dot -Tpdf > derek.pdf
    """
    if as_json and format_ not in (GraphFormat.TREE, GraphFormat.JSON):
        raise BadRequest(f"--json and --format {format_} exclude each other: give one of them")
    with open_palace(user) as palace:
        found = palace.graph(entity, hops=hops, as_of=as_of, past=past, limit=limit)
    _write(found, GraphFormat.JSON if as_json else format_)
    if found.left_out:
        diagnostics.remark(f"at least {found.left_out:,} more left out: --limit shows them")
    if not found.links:
        diagnostics.remark("no relations at that time")


def _write(found: Neighbourhood, format_: GraphFormat) -> None:
    if format_ is GraphFormat.JSON:
        output.write_json(found)
    elif format_ is GraphFormat.TABLE:
        output.present(found, neighbourhood_table, as_json=False)
    elif format_ is GraphFormat.TREE:
        output.write_all_verbatim([tree_text(found)])
    else:
        # Of these whatever reads them wants UTF-8, whatever the terminal writes.
        output.write_raw(svg_text(found) if format_ is GraphFormat.SVG else dot_text(found))


@answers(timeline_view)
def timeline(
    palace: Palace,
    entity: options.Entity,
    *,
    about: str | None = option("--about", "Only what a question in quotes asks for.", "QUESTION"),
    limit: int = option("--limit", "How many at most, the latest.", "N", default=100, min=1, max=100_000),
) -> Answer:
    """Show all that is known of someone or something, in order of time.

    What holds now and what is still to come is marked. Times are shown as exactly as they are known: "known since" is
    when it was said.

    \b
    palace timeline derek
    palace timeline me
    palace timeline me --about "where do I live"
    """
    found = palace.timeline(entity, about=about, limit=limit)
    nothing = "nothing of that is known of it" if about else "it is named, and nothing more is known of it"
    cut = f"the latest {limit:,}: --limit shows more, --about narrows it"
    return Answer(found, remarks=[*([] if found.entries else [nothing]), *([] if found.is_whole else [cut])])


def relations(
    words: list[str] | None = argument(
        "[ENTITY | add|end|reject WHO WHAT WHOM]",
        'Of whom or what, by any name; "I" for yourself; all unless given. Or what to add, end or reject.',
        default=None,
        completes=completion.known("ENTITY"),
    ),
    *,
    as_of: datetime | None = until("--as-of", AS_OF),
    believed: datetime | None = until("--believed", "As it was known then, not as it is known now; a date is its end."),
    about: str | None = option("--about", "Only what a question in quotes asks for.", "QUESTION"),
    limit: int = option("--limit", "How many at most, latest first.", "N", default=200, min=1, max=100_000),
    since: str | None = option("--from", "With add: since 2026, 2026-05, 2026-05-03.", "DATE"),
    to: str | None = option("--until", "With add and end: until then.", "DATE"),
    user: options.User = None,
    as_json: options.Json = False,
) -> None:
    """Show what is true of someone or something, or was at a moment; add, end or reject it.

    Each line says who, what, since when as exactly as it is known, and which drawer said it last. A correction is a
    note, whose pointer is printed; forgetting the note undoes it. What was said before a rejection does not revive what
    was rejected.

    \b
    palace relations derek
    palace relations me --about "where do I live"
    palace relations derek --as-of 2026-04-15 --believed 2026-05-01
    palace relations add me "work at" Arcadis --from 2026-06
    palace relations end Derek own "spot welder" --until 2025-06
    palace relations reject Mara is vegetarian
    """
    if (words and (len(words) > 1 or words[0] in VERBS)) or since or to:
        if as_of or believed or about:
            raise BadRequest("--as-of, --believed and --about are for showing what is known")
        return _correct(words or [""], {"since": since, "until": to}, user, as_json)
    with open_palace(user) as palace:
        found = palace.relations(words[0] if words else None, as_of=as_of, believed=believed, about=about, limit=limit)
    nothing = "nothing of that is known" if words or about else "nothing is known of anyone or anything"
    then = as_of or believed
    view = partial(relations_view, now=then or datetime.now(UTC))
    write_answer(found, view, as_json=as_json, nothing=nothing + (" for then" if then else ""))
    if len(found) == limit:
        diagnostics.remark(f"the latest {limit:,}: --limit shows more")


def _correct(words: list[str], dates: dict[str, str | None], user: str | None, as_json: bool) -> None:
    verb, *sides = words
    if verb not in VERBS or len(sides) != 3:
        raise BadRequest('name whom to show, or add, end or reject as in `palace relations reject me "live in" Kessel`')
    given = {name: date for name, date in dates.items() if date}
    if given and (verb == "reject" or (verb == "end" and "since" in given)):
        raise BadRequest("--from is for add, --until for add and end")
    with open_palace(user) as palace:
        drawer = getattr(palace.corrections, verb)(*sides, **given)
    output.present(drawer, lambda note: str(note.pointer), as_json=as_json)
