"""The neighbourhood of an entity: what relations lead to, breadth first and no further than asked. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field

from palace.models.graph import Relation

RelationsOf = Callable[[Collection[int]], Sequence[Relation]]
"""Gives the relations that some entities have part in, as subject or object, the most telling first."""


@dataclass(frozen=True, slots=True)
class Reached:
    """An entity or a value that was come to."""

    name: str
    hops: int
    entity_id: int | None
    """None of a value."""


@dataclass(slots=True)
class Walk:
    """What was come to from an entity, and by which relations."""

    reached: list[Reached]
    """Where it began first, then the nearest."""
    links: list[tuple[int, int, Relation]] = field(default_factory=list)
    """Places of subject and object among ``reached``, with the relation; in the order in which they were met."""
    _places: dict[int, int] = field(default_factory=dict)
    _met: set[int] = field(default_factory=set)
    _refused: set[int | str] = field(default_factory=set)

    @classmethod
    def begin(cls, entity_id: int, name: str) -> Walk:
        """Begin at an entity."""
        return cls([Reached(name, 0, entity_id)], _places={entity_id: 0})

    @property
    def left_out(self) -> int:
        """How many more were met when there was no room any more."""
        return len(self._refused)

    def take(self, relation: Relation, hops: int, most: int) -> None:
        """Follow a relation, of which one side was come to already, to the other; each is followed once."""
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
        # A value is its subject's own: two things that cost as much have nothing to do with each other.
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
    """Walk from an entity, given by id and name, over so many relations, until ``most`` members are come to.

    Those of each distance take turns, so that one with a thousand relations leaves room for the others. What relates
    those furthest away to each other is not looked for.
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
    """Order relations so that each entity gives its first, then each its second."""
    known = set(frontier)
    queues: Mapping[int, list[Relation]] = defaultdict(list)
    for relation in relations:
        side = relation.subject_id if relation.subject_id in known else relation.object_id
        if side is not None:
            queues[side].append(relation)
    rounds = range(max((len(queue) for queue in queues.values()), default=0))
    return [queues[each][turn] for turn in rounds for each in frontier if turn < len(queues.get(each, ()))]
