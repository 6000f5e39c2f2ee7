"""Join nouns and names with the names that claims give them. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

from palace.graph.names import courtesy_of
from palace.graph.nouns import Noun, is_kin, is_of_one, noun_of
from palace.graph.resolve.groups import OWN, Groups, Place

Parted = frozenset[frozenset[str]]


def join_called(groups: Groups, called: Iterable[tuple[int, str, str]], parted: Parted) -> None:
    """Join a noun with the one name that claims give it, and a name with another name for the same.

    For a noun that a person has only one of ("my sister", "the boat"), a claim applies in all conversations, unless
    several names are claimed. Otherwise, and for nouns like friend or shop, each applies in its conversation only.
    ``called`` is (conversation_id, folded noun or name, folded name), in order.
    """
    nouns: dict[Noun, list[tuple[int, str]]] = defaultdict(list)
    for conversation_id, noun, name in called:
        if noun == name or frozenset((noun, name)) in parted:
            continue
        place = Place(conversation_id, noun)
        if place in groups.rows and groups.rows[place].is_named:
            _join_names(groups, place, Place(conversation_id, name))
        else:
            nouns[noun_of(noun)].append((conversation_id, name))
    rows = _rows_of(groups, nouns)
    for key in sorted(nouns):
        _join_noun(groups, key, nouns[key], rows[key])


def _join_names(groups: Groups, one: Place, other: Place) -> None:
    target = _group_named(groups, other)
    if isinstance(target, int):
        groups.join(groups.of(one), target)


def _rows_of(groups: Groups, nouns: Mapping[Noun, object]) -> dict[Noun, list[Place]]:
    """Return the unnamed rows of each noun."""
    rows: dict[Noun, list[Place]] = defaultdict(list)
    for folded, places in groups.by_name.items():
        key = noun_of(folded)
        if key in nouns:
            rows[key] += [place for place in places if not groups.rows[place].is_named]
    return rows


def _join_noun(groups: Groups, key: Noun, said: Iterable[tuple[int, str]], rows: Iterable[Place]) -> None:
    names = [Place(conversation_id, name) for conversation_id, name in said]
    here: dict[int, set[int | str]] = defaultdict(set)
    for name in names:
        here[name.conversation_id].add(_group_named(groups, name))
    everywhere = {group for found in here.values() for group in found}
    if key.noun == OWN.folded:
        _join_own(groups, everywhere)
        return
    is_one = len(everywhere) == 1 and is_of_one(key.noun)
    pure: dict[int, bool] = {}
    for place in rows:
        found = everywhere if is_one else here.get(place.conversation_id, set())
        (only, *others) = found or (None,)
        group = groups.of(place)
        if others or not isinstance(only, int) or group == only:
            continue
        # A group of more than this noun stays together; a noun alone may mean another entity in another conversation.
        if group not in pure:
            pure[group] = all(noun_of(each.folded) == key for each in groups.members(group))
        groups.join(groups.part([place]) if pure[group] else group, only)


def _join_own(groups: Groups, named: set[int | str]) -> None:
    """Merge an entity that a claim equates with the owner into the owner's, which keeps its name."""
    (only, *others) = named
    if not others and isinstance(only, int):
        groups.join(only, groups.of(OWN))


def _group_named(groups: Groups, place: Place) -> int | str:
    """Return the group of a name in a conversation, else the only one of that name; the name itself if unknown."""
    if place in groups.rows:
        return groups.of(place)
    found = {groups.of(each) for each in groups.by_name.get(place.folded, ())}
    return found.pop() if len(found) == 1 else place.folded


class NounNames:
    """Which names claims give to nouns ("my sister"), and in which conversations."""

    def __init__(self, called: Iterable[tuple[int, str, str]]) -> None:
        """Read claims of the form (conversation_id, folded noun, folded name)."""
        self._nouns: dict[Place, set[Noun]] = defaultdict(set)
        self._everywhere: dict[str, set[Noun]] = defaultdict(set)
        self._told: set[Place] = set()
        for conversation_id, noun, name in called:
            if noun == name:
                continue
            self._told.add(Place(conversation_id, name))
            read = noun_of(noun)
            # Only kinship is used: a boss may be a friend as well, but a sister is nobody else.
            if is_kin(read.noun):
                self._nouns[Place(conversation_id, name)].add(read)
                self._everywhere[name].add(read)

    def keeps_apart(self, short: Place, full: str, *, is_here: bool) -> bool:
        """Check whether a short name has another noun than a fuller one: sister Anna, friend Anna Kowalska.

        If the fuller name occurs in the same conversation (``is_here``), both need nouns, and different ones. Elsewhere
        a short name with a noun matches only a fuller name with the same noun: there may be another Anna.
        """
        nouns = self._nouns.get(short) or (set() if is_here else self._everywhere.get(short.folded, set()))
        others = self._everywhere.get(full, set())
        return bool(nouns and (others or not is_here) and not nouns & others)

    def is_courtesy_of(self, place: Place) -> bool:
        """Check whether a claim says whose name "Mrs Weber" is."""
        return courtesy_of(place.folded.split()[0]) is not None and place in self._told
