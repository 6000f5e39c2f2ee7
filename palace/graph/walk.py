"""The neighbourhood of an entity: a breadth-first walk over relations, up to a distance. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field

from palace.models.graph import Relation

RelationsOf = Callable[[Collection[int]], Sequence[Relation]]
"""Returns the relations that have any of the entities as subject or object, the most relevant first."""


@dataclass(frozen=True, slots=True)
class Reached:
    """An entity or a value in the neighbourhood."""

    name: str
    hops: int
    entity_id: int | None
    """None for a value."""


@dataclass(slots=True)
class Walk:
    """The entities and values reached from an entity, with their relations."""

    reached: list[Reached]
    """The start first, then by distance."""
    links: list[tuple[int, int, Relation]] = field(default_factory=list)
    """Indices of subject and object in ``reached``, with the relation; in the order in which they were found."""
    _places: dict[int, int] = field(default_factory=dict)
    _met: set[int] = field(default_factory=set)
    _refused: set[int | str] = field(default_factory=set)

    @classmethod
    def begin(cls, entity_id: int, name: str) -> Walk:
        """Start at an entity."""
        return cls([Reached(name, 0, entity_id)], _places={entity_id: 0})

    @property
    def left_out(self) -> int:
        """Number of members that were found when there was no room left."""
        return len(self._refused)

    def take(self, relation: Relation, hops: int, most: int) -> None:
        """Follow a relation from a side that was reached to the other; each relation is followed once."""
        if relation.id in self._met:
            return
        self._met.add(relation.id)
        subject = self._place(relation.subject, relation.subject_id, hops, most)
        if subject is None:
            return
        target = self._place_of_object(relation, hops, most)
        if target is not None and target != subject:
            self.links.append((subject, target, relation))

    def _place_of_object(self, relation: Relation, hops: int, most: int) -> int | None:
        if relation.object_id is not None:
            return self._place(relation.object, relation.object_id, hops, most)
        if len(self.reached) >= most:
            self._refused.add(f"{relation.subject_id} {relation.predicate} {relation.object}")
            return None
        # A value belongs to its subject: two things of the same price are not related.
        self.reached.append(Reached(relation.object, hops, None))
        return len(self.reached) - 1

    def _place(self, name: str, entity_id: int, hops: int, most: int) -> int | None:
        if entity_id in self._places:
            return self._places[entity_id]
        if len(self.reached) >= most:
            self._refused.add(entity_id)
            return None
        self._places[entity_id] = len(self.reached)
        self.reached.append(Reached(name, hops, entity_id))
        return self._places[entity_id]


def walk(start: tuple[int, str], relations_of: RelationsOf, *, hops: int, most: int) -> Walk:
    """Walk from an entity, given by id and name, over at most ``hops`` relations, until ``most`` members are reached.

    Entities of the same distance take turns, so that one with a thousand relations leaves room for the others.
    Relations between the furthest members are not looked up.
    """
    found = Walk.begin(*start)
    frontier = [start[0]]
    for distance in range(1, hops + 1):
        if not frontier:
            break
        before = len(found.reached)
        for relation in _in_turns(frontier, relations_of(frontier)):
            found.take(relation, distance, most)
        frontier = [each.entity_id for each in found.reached[before:] if each.entity_id is not None]
    return found


def _in_turns(frontier: Sequence[int], relations: Sequence[Relation]) -> list[Relation]:
    """Order relations round-robin: the first of each entity, then the second of each."""
    known = set(frontier)
    queues: Mapping[int, list[Relation]] = defaultdict(list)
    for relation in relations:
        side = relation.subject_id if relation.subject_id in known else relation.object_id
        if side is not None:
            queues[side].append(relation)
    rounds = range(max((len(queue) for queue in queues.values()), default=0))
    return [queues[each][turn] for turn in rounds for each in frontier if turn < len(queues.get(each, ()))]
