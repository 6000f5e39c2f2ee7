"""A neighbourhood in the language of Graphviz."""

from __future__ import annotations

from collections.abc import Iterator

from palace.records import Neighbourhood, Standing
from palace_cli.render.graph.tree import told
from palace_cli.render.visible import one_line


def dot_text(around: Neighbourhood) -> str:
    """Write a directed graph: `palace graph efoil --format dot | dot -Tpdf`. Names are quoted, whatever they hold."""
    return "".join(f"{line}\n" for line in _lines(around))


def _lines(around: Neighbourhood) -> Iterator[str]:
    yield "digraph {"
    yield '  graph [rankdir="LR"];'
    yield '  node [shape="box", style="rounded", fontname="sans-serif"];'
    yield '  edge [fontname="sans-serif", fontsize="10"];'
    for place, member in enumerate(around.members):
        shape = ', shape="plaintext"' if member.type is None else ""
        yield f"  m{place} [label={_quoted(member.name)}{shape}];"
    for link in around.links:
        label = f"{told(link)}\n{link.when}" if link.when else told(link)
        style = ', style="dashed"' if link.standing is Standing.PAST else ""
        yield f"  m{link.subject} -> m{link.object} [label={_quoted(label)}{style}];"
    yield "}"


def _quoted(text: str) -> str:
    """Quote a text; a backslash in it is one, and begins none of Graphviz's escapes."""
    lines = (one_line(line).replace("\\", "\\\\").replace('"', '\\"') for line in text.split("\n", 1))
    return '"' + "\\n".join(lines) + '"'
