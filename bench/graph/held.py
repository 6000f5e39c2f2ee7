"""What a palace holds of names, entities and relations, read from its tables."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from bench.graph.identities import SELF
from bench.graph.relations import Held, Told, Turn
from bench.graph.spans import Span
from bench.graph.words import SELVES, bare, fold
from palace import Pointer, Relation

if TYPE_CHECKING:
    from palace import Palace

_POINTERS = """
    SELECT d.id, w.number AS wing, r.number AS room, d.number AS drawer
    FROM drawer d JOIN room r ON r.id = d.room_id JOIN wing w ON w.id = r.wing_id"""
_MENTIONS = """
    SELECT m.drawer_id, m.char_start, substr(d.content, m.char_start + 1, m.char_end - m.char_start), a.type
    FROM mention m JOIN drawer d ON d.id = m.drawer_id
    JOIN alias a ON a.conversation_id = m.conversation_id AND a.folded = m.folded
    WHERE a.is_named"""
_ALIASES = """
    SELECT e.id, e.key, e.name, a.name, a.folded FROM entity e JOIN alias a ON a.entity_id = e.id"""
_RELATIONS = """
    SELECT r.id, r.subject_id, r.predicate, r.object, r.object_id, r.valid_from, r.from_precision, r.valid_to,
           r.to_precision, r.recorded_at, r.superseded_at
    FROM relation r ORDER BY r.id"""
_EVIDENCE = """
    SELECT e.relation_id, a.drawer_id FROM evidence e JOIN assertion a ON a.id = e.assertion_id WHERE NOT e.closes"""


@dataclass(frozen=True, slots=True)
class Graph:
    """Everything that a palace holds of who, what and when."""

    spans: Mapping[Turn, tuple[Span, ...]]
    """The names in each message."""
    names: Mapping[int, frozenset[str]]
    """All the names of each entity; ``SELF`` is one of those of the person whose palace it is."""
    relations: tuple[Held, ...]
    """Superseded ones included."""

    def entities_of(self, name: str) -> set[int]:
        """Give the entities that a name stands for; none where the palace does not know it."""
        return {id for id, names in self.names.items() if any(bare(each) == bare(name) for each in names)}

    @property
    def namings(self) -> tuple[Held, ...]:
        """List as relations that entities go by their names, for those that have several."""
        return tuple(Held(names, "called", names) for names in self.names.values() if len(names) > 1)

    def held(self, relation: Relation) -> Held:
        """Give a relation that was read through the library under all the names of both sides; without its evidence."""
        return Held(
            self.names.get(relation.subject_id, frozenset()) | {relation.subject},
            relation.predicate,
            self.names.get(relation.object_id or 0, frozenset()) | {relation.object},
            _told(relation.valid_from, relation.from_precision),
            _told(relation.valid_to, relation.to_precision),
            relation.recorded_at,
            relation.superseded_at,
        )


def read_graph(palace: Palace, turns: Mapping[str, Turn]) -> Graph:
    """Read it; ``turns`` maps pointers to the messages that were filed there."""
    with palace._opened.session() as session:
        rows = session.connection.exec_driver_sql
        places = {row[0]: turns.get(str(Pointer(*row[1:]))) for row in rows(_POINTERS)}
        mentions = list(rows(_MENTIONS))
        aliases = list(rows(_ALIASES))
        evidence = defaultdict(set)
        for relation_id, drawer_id in rows(_EVIDENCE):
            evidence[relation_id].add(places[drawer_id])
        found = list(rows(_RELATIONS))
    names: dict[int, set[str]] = defaultdict(set)
    for entity_id, key, name, alias, folded in aliases:
        names[entity_id] |= {name, alias}
        if fold(key) in SELVES or folded in SELVES:
            names[entity_id].add(SELF)
    spans: dict[Turn, list[Span]] = defaultdict(list)
    for drawer_id, start, text, type in mentions:
        if (turn := places[drawer_id]) is not None:
            spans[turn].append(Span(start, text, type))
    known = {id: frozenset(each) for id, each in names.items()}
    return Graph(
        {turn: tuple(each) for turn, each in spans.items()},
        known,
        tuple(_held(row, known, frozenset(turn for turn in evidence[row[0]] if turn)) for row in found),
    )


def _held(row: Any, names: Mapping[int, frozenset[str]], evidence: frozenset[Turn]) -> Held:
    _, subject_id, predicate, text, object_id, begun, begun_as, ended, ended_as, recorded_at, superseded_at = row
    return Held(
        names.get(subject_id, frozenset()),
        predicate,
        names.get(object_id, frozenset()) | {text},
        _told(begun, begun_as),
        _told(ended, ended_as),
        recorded_at,
        superseded_at,
        evidence,
    )


def _told(moment: datetime | None, precision: str | None) -> Told | None:
    return None if moment is None else Told(moment.astimezone(UTC).date(), precision or "moment")
