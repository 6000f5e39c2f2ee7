"""Groups of alias rows, each of which becomes an entity, and their names. Pure; nothing depends on order."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from palace.graph.names import SELF_KEY, Sort, fullness, sort_of
from palace.models.claims import EntityType
from palace.models.graph import Alias

NOWHERE = 0
"""Stands in for the conversation id in rows of the owner's own names."""


_NONE = ((EntityType.UNKNOWN, 0), (EntityType.UNKNOWN, 0))


class Place(NamedTuple):
    """The key of an alias row: a name in a conversation."""

    conversation_id: int
    folded: str


OWN = Place(NOWHERE, SELF_KEY)
"""The row of the palace's owner."""


class Groups:
    """Disjoint groups of alias rows, which can be joined and split."""

    def __init__(self, rows: Iterable[Alias], sorts: Mapping[Place, Sort]) -> None:
        """Put each of the ``rows``, which are in order, into a group of its own; ``sorts`` has the sort of each row."""
        self.rows = {Place(row.conversation_id, row.folded): row for row in rows}
        self.sorts = sorts
        self.named: dict[int, str] = {}
        """Names assigned by a person, as written, by group."""
        self.called: dict[int, str] = {}
        """Folded names by group, where a person decided."""
        self.typed: dict[int, EntityType] = {}
        """Types by group, where a person decided."""
        self._group_of = {place: number for number, place in enumerate(self.rows)}
        self._members = {number: {place: None} for place, number in self._group_of.items()}
        self._next = len(self.rows)
        self.by_name: dict[str, list[Place]] = defaultdict(list)
        for place in self.rows:
            self.by_name[place.folded].append(place)

    @property
    def own(self) -> int | None:
        """The group of the palace's owner; None if they have no row."""
        return self._group_of.get(OWN)

    def of(self, place: Place) -> int:
        """Return the group of a row."""
        return self._group_of[place]

    def members(self, group: int) -> Collection[Place]:
        """Return the rows of a group."""
        return self._members[group]

    def __iter__(self) -> Iterator[int]:
        """Iterate over the groups."""
        return iter(list(self._members))

    def join(self, group: int, other: int) -> int:
        """Merge one group into another, which keeps its number and a person's decisions; return that number.

        The owner's group always keeps its number.
        """
        if group == other:
            return group
        if group == self.own:
            group, other = other, group
        for place in self._members[group]:
            self._group_of[place] = other
        self._members[other] |= self._members.pop(group)
        for decided in (self.named, self.called, self.typed):
            decided.pop(group, None)
        return other

    def part(self, places: Iterable[Place]) -> int:
        """Move rows out of their groups into a new one; return its number."""
        number, self._next = self._next, self._next + 1
        self._members[number] = {}
        for place in places:
            former = self._group_of[place]
            del self._members[former][place]
            if not self._members[former]:
                del self._members[former]
            self._group_of[place] = number
            self._members[number][place] = None
        return number

    def sort(self, group: int) -> Sort:
        """Return the sort of a group: by a person's decision, else the most frequent one of its mentions."""
        if group in self.typed:
            return sort_of(self.typed[group])
        counts: dict[Sort, int] = defaultdict(int)
        members = self._members[group]
        for place in [each for each in members if self.rows[each].is_named] or list(members):
            counts[self.sorts[place]] += self.rows[place].count
        return min(counts, key=lambda sort: (-counts[sort], list(Sort).index(sort)))

    def folded(self, group: int) -> str:
        """Return the folded name of a group: by a person's decision, else the fullest proper name."""
        if group in self.called:
            return self.called[group]
        counts: dict[str, int] = defaultdict(int)
        named: dict[str, bool] = defaultdict(bool)
        for place in self._members[group]:
            counts[place.folded] += self.rows[place].count
            named[place.folded] |= self.rows[place].is_named
        return min(counts, key=lambda folded: (not named[folded], _least(folded), -counts[folded], folded))


def sorts_of(rows: Sequence[Alias]) -> dict[Place, Sort]:
    """Return the sort of each row: usually the most frequent sort of its name, another one only on clear evidence.

    Evidence is clear if a name has another sort more than once, or at least a fourth as often. A name of unknown type
    has the sort that it has in other conversations.
    """
    counts: dict[str, dict[Sort, int]] = defaultdict(lambda: defaultdict(int))
    for row in rows:
        counts[row.folded][sort_of(row.type)] += row.count if row.type is not EntityType.UNKNOWN else 0
    clear: dict[tuple[str, Sort], Sort] = {}
    for folded, by_sort in counts.items():
        most = min(by_sort, key=lambda sort: (-by_sort[sort], list(Sort).index(sort)))
        for sort, count in by_sort.items():
            clear[folded, sort] = sort if count > 1 or count * 4 >= max(by_sort[most], 1) else most
    return {Place(row.conversation_id, row.folded): clear[row.folded, sort_of(row.type)] for row in rows}


def written_form(rows: Sequence[Alias]) -> str:
    """Choose the spelling of a name: capitalised if any is, then the most frequent, then the first in order."""
    counts: dict[str, int] = defaultdict(int)
    for row in rows:
        counts[row.name] += row.count
    return min(counts, key=lambda name: (name == name.lower(), -counts[name], name))


def usual_type(rows: Sequence[Alias]) -> EntityType:
    """Return the most frequent known type; unknown if two are as frequent."""
    counts: Counter[EntityType] = Counter()
    for row in rows:
        counts[row.type] += row.count
    return usual_of(counts)


def usual_of(counts: Counter[EntityType]) -> EntityType:
    """Choose the most frequent of known types; unknown where there is none, or where two are as frequent."""
    known = Counter({type_: count for type_, count in counts.items() if type_ is not EntityType.UNKNOWN})
    (type_, first), (_, second) = (*known.most_common(2), *_NONE)[:2]
    return type_ if first > second else EntityType.UNKNOWN


def _least(folded: str) -> tuple[int, ...]:
    return tuple(-each for each in fullness(folded))
