"""Views of relations, timelines and neighbourhoods: tables, a text tree, and Graphviz's DOT language."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from rich.console import Group
from rich.table import Table
from rich.text import Text

from palace.graph.wording import when, words_of
from palace.models import Entity, Link, Member, Neighbourhood, Pointer, Relation, Standing, Timeline, TimelineEntry
from palace.models.graph import Decision, DecisionVerb, Likeness
from palace_cli.clock import shown, zone_shown
from palace_cli.render.figures import count
from palace_cli.render.layout import cell, table
from palace_cli.render.visible import one_line
from palace_cli.styles import AHEAD, ASIDE, HEADING

LIKENESS = {
    Likeness.SHORT: "may be short for",
    Likeness.SPELLING: "is spelled like",
    Likeness.INITIALS: "has the initials of",
    Likeness.MEANING: "means something like",
}
"""How two names are similar, as words between them."""


@dataclass(slots=True)
class Branch:
    """A member in the tree of a neighbourhood, with the relations to its parent, and its children."""

    place: int
    """Its index among the neighbourhood's members."""
    member: Member
    links: list[Link]
    children: list[Branch] = field(default_factory=list)

    def is_object(self, link: Link) -> bool:
        """Return whether a relation leads to this member, not from it."""
        return link.object == self.place


def branches(around: Neighbourhood) -> tuple[Branch, list[Link]]:
    """Return the tree of a neighbourhood, each member below the first that reaches it, and the remaining links."""
    between: dict[frozenset[int], list[Link]] = defaultdict(list)
    for link in around.links:
        between[frozenset((link.subject, link.object))].append(link)
    root = Branch(0, around.members[0], [])
    made = {0: root}
    across: list[Link] = []
    for pair, links in between.items():
        near, far = sorted(pair)
        if far not in made and near in made:
            made[far] = Branch(far, around.members[far], links)
            made[near].children.append(made[far])
        else:
            across += links
    return root, across


def tree_text(around: Neighbourhood) -> str:
    """Return one line per member, indented below its parent; the remaining relations follow."""
    root, across = branches(around)
    lines = [one_line(root.member.name), *_lines(root, "")]
    if across:
        names = [one_line(member.name) for member in around.members]
        lines += ["", "and across"]
        lines += [f"  {names[link.subject]} {told(link)} {names[link.object]}{_when(link)}" for link in across]
    return "".join(f"{line}\n" for line in lines)


def told(link: Link) -> str:
    """Return a relation's predicate in words."""
    return one_line(words_of(link.relation.predicate, link.relation.subject))


def _lines(branch: Branch, indent: str) -> Iterator[str]:
    for number, child in enumerate(branch.children):
        is_last = number == len(branch.children) - 1
        for index, link in enumerate(child.links):
            mark = ("└─ " if is_last else "├─ ") if index == 0 else ("   " if is_last else "│  ")
            name = one_line(child.member.name)
            said = f"{told(link)} → {name}" if child.is_object(link) else f"← {told(link)} — {name}"
            yield f"{indent}{mark}{said}{_when(link)}"
        yield from _lines(child, indent + ("   " if is_last else "│  "))


def _when(link: Link) -> str:
    return f"  ({link.when})" if link.when else ""


_STANDING = {Standing.PAST: "", Standing.PRESENT: "now", Standing.FUTURE: "to come"}
_STYLES = {Standing.PAST: ASIDE, Standing.PRESENT: "", Standing.FUTURE: AHEAD}


def relations_view(relations: Sequence[Relation], *, now: datetime) -> Table:
    """Return a table of relations: who, what, when, and the latest evidence; times are relative to ``now``."""
    made = _table()
    for relation in relations:
        _add(made, relation, when(relation, zone_shown(), now))
    return made


def timeline_view(timeline: Timeline) -> Group:
    """Return a table of an entity's relations in order of time, under its name; current ones are marked."""
    made = table("", "when", *_SIDES, "evidence", elastic=_SIDES)
    for each in timeline.entries:
        relation, style = each.relation, _STYLES[each.standing]
        made.add_row(
            _STANDING[each.standing],
            Text(each.when, style=style),
            *(cell(side, style) for side in _sides(relation)),
            evidence(relation.evidence),
        )
    return Group(Text(_title(timeline.entity), style=HEADING), "", made)


def neighbourhood_table(around: Neighbourhood) -> Table:
    made = _table()
    for link in around.links:
        _add(made, link.relation, link.when)
    return made


def said_lines(says: Iterable[TimelineEntry], ends: Iterable[TimelineEntry]) -> list[str]:
    """Return a line for each relation that a drawer states or ends, with the drawers that replaced it."""
    told = [f"says: {_sentence(each)}{_then(each.relation)}" for each in says]
    return told + [f"ends: {_sentence(each)} ({evidence(each.relation.evidence)})" for each in ends]


def evidence(pointers: Sequence[Pointer]) -> str:
    """Return the pointer of the latest evidence, and how many more there are."""
    if not pointers:
        return ""
    return f"{pointers[-1]}" + (f" and {len(pointers) - 1} more" if len(pointers) > 1 else "")


def about_line(around: Neighbourhood) -> str:
    """Return a neighbourhood's date, reach, and number of members shown and left out, on one line."""
    members = len(around.members) - 1
    line = f"{shown(around.as_of):%Y-%m-%d}, {count(around.hops, 'hop')}: {members:,} around it"
    return f"{line}, {around.left_out:,} more left out" if around.left_out else line


_SIDES = ("who", "what", "whom or what")


def _table() -> Table:
    return table(*_SIDES, "when", "evidence", elastic=_SIDES)


def _add(made: Table, relation: Relation, told: str) -> None:
    made.add_row(*(cell(side) for side in _sides(relation)), told, evidence(relation.evidence))


def _sides(relation: Relation) -> tuple[str, str, str]:
    return relation.subject, words_of(relation.predicate, relation.subject), relation.object


def _title(entity: Entity) -> str:
    others = f", also called {', '.join(entity.aliases[:5])}" if entity.aliases else ""
    return one_line(f"{entity.name} ({entity.type}){others}")


def _sentence(each: TimelineEntry) -> str:
    said = " ".join(_sides(each.relation))
    return one_line(f"{said}, {each.when}" if each.when else said)


def _then(relation: Relation) -> str:
    return f", then {relation.closed_by[0]}" if relation.valid_to and relation.closed_by else ""


def dot_text(around: Neighbourhood) -> str:
    """Return a directed graph in DOT: `palace graph efoil --format dot | dot -Tpdf`. Names are quoted."""
    return "".join(f"{line}\n" for line in _dot_lines(around))


def _dot_lines(around: Neighbourhood) -> Iterator[str]:
    yield "digraph {"
    yield '  graph [rankdir="LR"];'
    yield '  node [shape="box", style="rounded", fontname="sans-serif"];'
    yield '  edge [fontname="sans-serif", fontsize="10"];'
    for index, member in enumerate(around.members):
        shape = ', shape="plaintext"' if member.type is None else ""
        yield f"  m{index} [label={_quoted(member.name)}{shape}];"
    for link in around.links:
        label = f"{told(link)}\n{link.when}" if link.when else told(link)
        style = ', style="dashed"' if link.standing is Standing.PAST else ""
        yield f"  m{link.subject} -> m{link.object} [label={_quoted(label)}{style}];"
    yield "}"


def _quoted(text: str) -> str:
    """Quote a text for DOT; backslashes are escaped."""
    lines = (one_line(line).replace("\\", "\\\\").replace('"', '\\"') for line in text.split("\n", 1))
    return '"' + "\\n".join(lines) + '"'


def decision_line(decision: Decision) -> str:
    """Say what was decided on who is who."""
    name, other = one_line(decision.name), one_line(decision.other)
    if decision.verb is DecisionVerb.MERGE:
        return f"{name} is {other}"
    if decision.verb is DecisionVerb.RENAME:
        return f"{name} is called {other}"
    if not decision.is_partial:
        return f"{name} is not {other}"
    return f"{name} is {other} in {count(len(decision.conversations), 'conversation')}"
