"""Join names of the same employer, school or group of a person. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import NamedTuple

from palace.graph.names import SELF_KEY, Sort, is_version
from palace.graph.resolve.groups import Groups
from palace.models.claims import Action

PREDICATES = ("works_at", "studies_at", "member_of")
"""Predicates with objects that may be the same under a shorter name."""
MOST_NAMES = 50
"""Names that are compared per person and predicate, at most."""


class Membership(NamedTuple):
    """A claim that somebody works at, studies at or is a member of something."""

    conversation_id: int
    drawer_id: int
    subject: str
    """Folded name of the subject."""
    predicate: str
    name: str
    """Folded name of the object."""
    action: Action


def join_employers(groups: Groups, memberships: Iterable[Membership], parted: frozenset[frozenset[str]]) -> None:
    """Join a short name of an employer, a school or a group with the one longer name in the same kind of claim.

    "I work at Brightwater" and "I work at Brightwater Energy" mean the same firm. Subjects other than the palace's
    owner are only compared within a conversation. Two names in one message are kept apart; so are two where one ended
    when the other began, or of which one is only mentioned as past.
    """
    said: dict[tuple[int, str, str], dict[str, list[Membership]]] = defaultdict(lambda: defaultdict(list))
    for each in memberships:
        where = 0 if each.subject == SELF_KEY else each.conversation_id
        said[where, each.subject, each.predicate][each.name].append(each)
    fuller: dict[str, set[str]] = defaultdict(set)
    for names in said.values():
        for one, other in combinations(sorted(names)[:MOST_NAMES], 2):
            if _is_short_for(one, other) and not _are_two(names[one], names[other]):
                fuller[one].add(other)
    for short in sorted(fuller):
        full = fuller[short]
        # Of names that begin with one another the longest is meant: "BBC", "BBC Wales", "BBC Wales News".
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
    """Return the only thing of a name; None where there are none or several, or it is a mere noun."""
    places = [place for place in groups.by_name.get(name, ()) if groups.sorts[place] is Sort.THING]
    if not any(groups.rows[place].is_named for place in places):
        return None
    found = {groups.of(place) for place in places}
    return found.pop() if len(found) == 1 else None
