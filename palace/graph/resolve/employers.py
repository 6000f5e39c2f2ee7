"""Names of one firm, school or group that one person works, learns or is a member at. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import NamedTuple

from palace.graph.names import Sort, fold_name, is_version
from palace.graph.resolve.groups import Groups
from palace.models.claims import SELF, Action

PREDICATES = ("works_at", "studies_at", "member_of")
"""Relations whose object a shorter name stands for as well, where the same is said of it."""
MOST_NAMES = 50
"""Of one relation of one person, that are compared."""
_SELF_KEY = fold_name(SELF)


class Membership(NamedTuple):
    """That somebody works, learns or is a member at what goes by a name."""

    conversation_id: int
    drawer_id: int
    subject: str
    """Folded."""
    predicate: str
    name: str
    """Folded."""
    action: Action


def join_employers(groups: Groups, memberships: Iterable[Membership], parted: frozenset[frozenset[str]]) -> None:
    """Join a short name of an employer, a school or a group with the one fuller name that the same is said of.

    "I work at Brightwater" and "I work at Brightwater Energy" are of one. Others than the person themselves are the
    same within a conversation alone. Two that one message tells of are two, and so are two where the one ended as the
    other began, or where of one is said only that it was so.
    """
    said: dict[tuple[int, str, str], dict[str, list[Membership]]] = defaultdict(lambda: defaultdict(list))
    for each in memberships:
        where = 0 if each.subject == _SELF_KEY else each.conversation_id
        said[where, each.subject, each.predicate][each.name].append(each)
    fuller: dict[str, set[str]] = defaultdict(set)
    for names in said.values():
        for one, other in combinations(sorted(names)[:MOST_NAMES], 2):
            if _is_short_for(one, other) and not _are_two(names[one], names[other]):
                fuller[one].add(other)
    for short in sorted(fuller):
        full = fuller[short]
        # Of names that begin one another the fullest is meant: "BBC", "BBC Wales", "BBC Wales News".
        longest = max(full, key=lambda name: (len(name), name))
        if all(longest.startswith(name) for name in full) and frozenset((short, longest)) not in parted:
            _join(groups, short, longest)


def _is_short_for(one: str, other: str) -> bool:
    return other.startswith(f"{one} ") and len(one) > 2 and not one.isdigit() and not is_version(other)


def _are_two(one: Sequence[Membership], other: Sequence[Membership]) -> bool:
    if {each.drawer_id for each in one} & {each.drawer_id for each in other}:
        return True
    actions, others = ({each.action for each in some} for some in (one, other))
    if {Action.WAS} in (actions, others):
        return True
    return any(
        Action.ENDS in ended and Action.BEGINS in begun for ended, begun in ((actions, others), (others, actions))
    )


def _join(groups: Groups, short: str, full: str) -> None:
    found = [_only_thing(groups, name) for name in (short, full)]
    if found[0] is not None and found[1] is not None:
        groups.join(found[0], found[1])


def _only_thing(groups: Groups, name: str) -> int | None:
    """Find the one thing of a name; None where there are none or several, or it is no name."""
    places = [place for place in groups.by_name.get(name, ()) if groups.sorts[place] is Sort.THING]
    if not any(groups.rows[place].is_named for place in places):
        return None
    found = {groups.of(place) for place in places}
    return found.pop() if len(found) == 1 else None
