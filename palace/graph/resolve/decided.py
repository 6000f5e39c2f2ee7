"""Apply a person's decisions about entities to groups of aliases. Pure."""

from __future__ import annotations

from collections.abc import Iterable

from palace.graph.names import Sort, fold_name, sort_of
from palace.graph.resolve.groups import Groups
from palace.models.claims import EntityType
from palace.models.graph import Decision, DecisionVerb


def parted_names(decisions: Iterable[Decision]) -> frozenset[frozenset[str]]:
    """Return the pairs of folded names that a person split everywhere."""
    return frozenset(
        frozenset((fold_name(each.name), fold_name(each.other)))
        for each in decisions
        if each.verb is DecisionVerb.SPLIT and not each.is_partial and each.undone_at is None
    )


def decide(groups: Groups, decisions: Iterable[Decision]) -> None:
    """Apply decisions to groups in order of time; those about names that no longer exist are skipped."""
    for each in sorted(decisions, key=lambda decision: (decision.decided_at, decision.id)):
        if each.undone_at is not None:
            continue
        group = find_group(groups, fold_name(each.name), each.type)
        if each.verb is DecisionVerb.MERGE:
            other = find_group(groups, fold_name(each.other), each.other_type)
            if group is not None and other is not None:
                goes_by = groups.folded(groups.own if group == groups.own else other)
                joined = groups.join(group, other)
                groups.called[joined] = goes_by
                if each.other_type is not EntityType.UNKNOWN and sort_of(each.type) is not sort_of(each.other_type):
                    groups.typed[joined] = _type_of_both(each)
        elif group == groups.own and not each.is_partial and each.verb is DecisionVerb.RENAME:
            continue
        elif group is not None and each.verb is DecisionVerb.RENAME:
            _rename(groups, group, each)
        elif group is not None and each.is_partial:
            _part_there(groups, group, each)
        elif group is not None:
            _part_name(groups, each)


def find_group(groups: Groups, folded: str, type: EntityType) -> int | None:
    """Return the one group with a folded name, else the one that contains it; None if there is none or several."""
    sort = sort_of(type)
    decided = [group for group, called in groups.called.items() if called == folded]
    holding = {groups.of(place) for place in groups.by_name.get(folded, ())}
    going = [*decided, *(group for group in holding if group not in decided and groups.folded(group) == folded)]
    return _only(groups, going, sort) if going else _only(groups, sorted(holding), sort)


def _only(groups: Groups, found: list[int], sort: Sort) -> int | None:
    """Return the only group, of whatever sort, or of several the only one of a sort."""
    if len(found) == 1:
        return found[0]
    of_sort = [group for group in found if groups.sort(group) is sort]
    return of_sort[0] if len(of_sort) == 1 else None


def _type_of_both(merge: Decision) -> EntityType:
    """Return the type of two sorts that a person merged: the target's, but a person's before the default, an item."""
    types = {merge.type, merge.other_type}
    return EntityType.PERSON if types == {EntityType.PERSON, EntityType.ITEM} else merge.other_type


def _rename(groups: Groups, group: int, decision: Decision) -> None:
    new = fold_name(decision.other)
    group = _join_same(groups, group, new)
    groups.named[group] = decision.other
    groups.called[group] = new


def _part_name(groups: Groups, decision: Decision) -> None:
    """Move all rows of a name out of the group that it does not belong to."""
    name = fold_name(decision.name)
    group = find_group(groups, fold_name(decision.other), decision.other_type)
    inside = [place for place in groups.members(group) if place.folded == name] if group is not None else []
    if group is not None and 0 < len(inside) < len(groups.members(group)):
        goes_by = groups.folded(group)
        parted = groups.part(inside)
        if goes_by != name:
            groups.called[group] = goes_by
        _join_same(groups, parted, name)


def _part_there(groups: Groups, group: int, decision: Decision) -> None:
    """Move a group's rows in some conversations into a group with another name."""
    inside = [place for place in groups.members(group) if place.conversation_id in decision.conversations]
    if not inside:
        return
    goes_by = groups.folded(group)
    if len(inside) < len(groups.members(group)):
        former, group = group, groups.part(inside)
        groups.called[former] = goes_by
    name = fold_name(decision.other)
    group = _join_same(groups, group, name)
    groups.named.setdefault(group, decision.other)
    groups.called[group] = name


def _join_same(groups: Groups, group: int, name: str) -> int:
    """Join a group with the one of its sort that has a name already, if any; return the group."""
    same = [
        other
        for other in groups
        if other != group and groups.folded(other) == name and groups.sort(other) is groups.sort(group)
    ]
    return groups.join(group, same[0]) if len(same) == 1 else group
