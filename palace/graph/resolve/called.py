"""Nouns and names joined with the names that they are said to go by. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

from palace.graph.names import courtesy_of
from palace.graph.nouns import Noun, is_kin, is_of_one, noun_of
from palace.graph.resolve.groups import OWN, Groups, Place

Parted = frozenset[frozenset[str]]


def join_called(groups: Groups, called: Iterable[tuple[int, str, str]], parted: Parted) -> None:
    """Join what goes by a noun with the one name it is said to have, and a name with another name for the same.

    Of what one has one of ("my sister", "the boat"), what is said once holds everywhere, unless several names are said
    for it: then each holds where it is said, as it does of friends, shops and what else there are several of.
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
    """List the rows without a name that go by each noun."""
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
        # What has more than a noun stays together; a noun alone may be somebody else's in another conversation.
        if group not in pure:
            pure[group] = all(noun_of(each.folded) == key for each in groups.members(group))
        groups.join(groups.part([place]) if pure[group] else group, only)


def _join_own(groups: Groups, named: set[int | str]) -> None:
    """Join the one who is said to be the person: the person's entity stays theirs, and keeps its name."""
    (only, *others) = named
    if not others and isinstance(only, int):
        groups.join(only, groups.of(OWN))


def _group_named(groups: Groups, place: Place) -> int | str:
    """Find who goes by a name in a conversation, else the only one who does; the name itself where none is known."""
    if place in groups.rows:
        return groups.of(place)
    found = {groups.of(each) for each in groups.by_name.get(place.folded, ())}
    return found.pop() if len(found) == 1 else place.folded


class NounNames:
    """Which nouns ("my sister") are said to go by which names, and where."""

    def __init__(self, called: Iterable[tuple[int, str, str]]) -> None:
        """``called`` is (conversation_id, folded noun, folded name)."""
        self._nouns: dict[Place, set[Noun]] = defaultdict(set)
        self._everywhere: dict[str, set[Noun]] = defaultdict(set)
        self._told: set[Place] = set()
        for conversation_id, noun, name in called:
            if noun == name:
                continue
            self._told.add(Place(conversation_id, name))
            read = noun_of(noun)
            # A boss may be a friend as well; a sister is nobody else.
            if is_kin(read.noun):
                self._nouns[Place(conversation_id, name)].add(read)
                self._everywhere[name].add(read)

    def keeps_apart(self, short: Place, full: str, *, is_here: bool) -> bool:
        """Check whether a short name is another noun's than a fuller one: my sister Anna is no friend Anna Kowalska.

        Where the fuller one is named in its conversation (``is_here``), only what is said of both keeps them apart.
        Elsewhere a name that a noun goes by is nobody's of whom that is not said: there may be another Anna.
        """
        nouns = self._nouns.get(short) or (set() if is_here else self._everywhere.get(short.folded, set()))
        others = self._everywhere.get(full, set())
        return bool(nouns and (others or not is_here) and not nouns & others)

    def is_courtesy_of(self, place: Place) -> bool:
        """Check whether a claim says whose "Mrs Weber" is."""
        return courtesy_of(place.folded.split()[0]) is not None and place in self._told
