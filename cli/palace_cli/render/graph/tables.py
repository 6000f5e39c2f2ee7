"""Relations as tables: those of a moment, a timeline, a neighbourhood's."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from rich.console import Group
from rich.table import Table
from rich.text import Text

from palace.graph.wording.dates import when
from palace.graph.wording.predicates import words_of
from palace.records import Entity, Neighbourhood, Pointer, Relation, Standing, Timeline, TimelineEntry
from palace_cli.clock import shown, zone_shown
from palace_cli.render.figures import count
from palace_cli.render.layout import cell, table
from palace_cli.render.visible import one_line
from palace_cli.terminal.styles import AHEAD, ASIDE, HEADING

_STANDING = {Standing.PAST: "", Standing.PRESENT: "now", Standing.FUTURE: "to come"}
_STYLES = {Standing.PAST: ASIDE, Standing.PRESENT: "", Standing.FUTURE: AHEAD}


def relations_view(relations: Sequence[Relation], *, now: datetime) -> Table:
    """Show a line a relation: who, what, when, and where it was said last; times as they are seen from ``now``."""
    made = _table()
    for relation in relations:
        _add(made, relation, when(relation, zone_shown(), now))
    return made


def timeline_view(timeline: Timeline) -> Group:
    """Show a line a relation in order of time below the entity's name, what holds now marked."""
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
    """Show a line a relation, the nearest first."""
    made = _table()
    for link in around.links:
        _add(made, link.relation, link.when)
    return made


def said_lines(says: Iterable[TimelineEntry], ends: Iterable[TimelineEntry]) -> list[str]:
    """Tell what a drawer says, a line each, and where it is no longer so, which drawers tell what is."""
    told = [f"says: {_sentence(each)}{_then(each.relation)}" for each in says]
    return told + [f"ends: {_sentence(each)} ({evidence(each.relation.evidence)})" for each in ends]


def evidence(pointers: Sequence[Pointer]) -> str:
    """Cite the drawer that said it last, and how many more there are."""
    if not pointers:
        return ""
    return f"{pointers[-1]}" + (f" and {len(pointers) - 1} more" if len(pointers) > 1 else "")


def about_line(around: Neighbourhood) -> str:
    """Sum a neighbourhood up: of when it is, how far it reaches, how much of it is left out."""
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
