"""Rows of aliases put together, and what each group of them is called. Pure; nothing depends on order."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from palace.graph.names import Sort, fold_name, fullness, sort_of
from palace.models.claims import SELF, EntityType
from palace.models.graph import Alias

NOWHERE = 0
"""The conversation of the names that the person themselves goes by."""


_NONE = ((EntityType.UNKNOWN, 0), (EntityType.UNKNOWN, 0))


class Place(NamedTuple):
    """A row of aliases: a name in a conversation."""

    conversation_id: int
    folded: str


OWN = Place(NOWHERE, fold_name(SELF))
"""The row of the person whose palace it is."""


class Groups:
    """Rows of aliases, each in one group; groups are joined and parted."""

    def __init__(self, rows: Iterable[Alias], sorts: Mapping[Place, Sort]) -> None:
        """``rows`` in order; each is a group of its own at first. ``sorts`` says what each row is taken for."""
        self.rows = {Place(row.conversation_id, row.folded): row for row in rows}
        self.sorts = sorts
        self.named: dict[int, str] = {}
        """Names that a person gave, as written, by group."""
        self.called: dict[int, str] = {}
        """Folded names that a group goes by, where a person decided."""
        self.typed: dict[int, EntityType] = {}
        """What a person decided that a group is."""
        self._group_of = {place: number for number, place in enumerate(self.rows)}
        self._members = {number: {place: None} for place, number in self._group_of.items()}
        self._next = len(self.rows)
        self.by_name: dict[str, list[Place]] = defaultdict(list)
        for place in self.rows:
            self.by_name[place.folded].append(place)

    @property
    def own(self) -> int | None:
        """The group of the person whose palace it is; None where they have no row."""
        return self._group_of.get(OWN)

    def of(self, place: Place) -> int:
        """Get the group that a row is in."""
        return self._group_of[place]

    def members(self, group: int) -> Collection[Place]:
        """Return a group's rows."""
        return self._members[group]

    def __iter__(self) -> Iterator[int]:
        """Go through the groups."""
        return iter(list(self._members))

    def join(self, group: int, other: int) -> int:
        """Put one group into another, which keeps its number and what was decided on it. Gives that number.

        The person whose palace it is keeps theirs, whoever they are joined with.
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
        """Take rows out of their groups into one of their own; gives its number."""
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
        """Return what a person decided that a group is, else what most of its mentions take it for."""
        if group in self.typed:
            return sort_of(self.typed[group])
        counts: dict[Sort, int] = defaultdict(int)
        members = self._members[group]
        for place in [each for each in members if self.rows[each].is_named] or list(members):
            counts[self.sorts[place]] += self.rows[place].count
        return min(counts, key=lambda sort: (-counts[sort], list(Sort).index(sort)))

    def folded(self, group: int) -> str:
        """Return the folded name that a group goes by: what a person decided, else the fullest that is a name."""
        if group in self.called:
            return self.called[group]
        counts: dict[str, int] = defaultdict(int)
        named: dict[str, bool] = defaultdict(bool)
        for place in self._members[group]:
            counts[place.folded] += self.rows[place].count
            named[place.folded] |= self.rows[place].is_named
        return min(counts, key=lambda folded: (not named[folded], _least(folded), -counts[folded], folded))


def sorts_of(rows: Sequence[Alias]) -> dict[Place, Sort]:
    """Return what each row is taken for: what its name mostly is, unless there is clear evidence of something else too.

    Evidence is clear where a name is taken for another sort more than once, or no less than a fourth as often. Of what
    sort a name is that is of an unknown type, other conversations say.
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
    """Choose how a name is written: with capitals where anyone did, then most often, then first in order."""
    counts: dict[str, int] = defaultdict(int)
    for row in rows:
        counts[row.name] += row.count
    return min(counts, key=lambda name: (name == name.lower(), -counts[name], name))


def usual_type(rows: Sequence[Alias]) -> EntityType:
    """Choose the type that most mentions of a known one have; unknown where as many have two."""
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
