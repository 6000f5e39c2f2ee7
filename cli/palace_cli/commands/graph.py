"""``palace graph``: what stands around someone or something."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from palace.errors import BadRequest
from palace.models import Neighbourhood
from palace_cli import diagnostics, options, output
from palace_cli.opening import open_palace
from palace_cli.options import option
from palace_cli.render.graph import dot_text, neighbourhood_table, tree_text
from palace_cli.render.svg import svg_text


class GraphFormat(StrEnum):
    """What a neighbourhood is written as."""

    TREE = "tree"
    TABLE = "table"
    SVG = "svg"
    DOT = "dot"
    JSON = "json"


Hops = Annotated[int, option("--hops", "How many relations far, at most 5.", "N")]
Limit = Annotated[int, option("--limit", "How many are shown at most, the nearest.", "N", min=1, max=1000)]
Past = Annotated[bool, option("--past", "Take what is over as well; a picture has it in dashes.")]
Format = Annotated[GraphFormat, option("--format", "A tree, a table, a picture (SVG), Graphviz's language, or JSON.")]


def graph(
    entity: options.Entity,
    *,
    hops: Hops = 1,
    as_of: options.AsOf = None,
    past: Past = False,
    limit: Limit = 60,
    format_: Format = GraphFormat.TREE,
    user: options.User = None,
    as_json: options.Json = False,
) -> None:
    """Show what stands around someone or something, now or at a moment.

    \b
    palace graph efoil --hops 2 --as-of 2026-05-01
    palace graph me --hops 2 --past --format svg > me.svg
    palace graph efoil --format dot | dot -Tpdf > efoil.pdf
    """
    if as_json and format_ not in (GraphFormat.TREE, GraphFormat.JSON):
        raise BadRequest(f"--json and --format {format_} exclude each other: give one of them")
    at = options.last_moment("--as-of", as_of)
    with open_palace(user) as palace:
        found = palace.graph(entity, hops=hops, as_of=at, past=past, limit=limit)
    _write(found, GraphFormat.JSON if as_json else format_)
    if found.left_out:
        diagnostics.remark(f"at least {found.left_out:,} more left out: --limit shows them")
    if not found.links:
        diagnostics.remark("nothing stands around it then")


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
