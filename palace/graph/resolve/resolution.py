"""Resolution: from alias rows to entities. Pure, and independent of the order of rows."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from palace.graph.names import SELF_KEY, fold_name
from palace.graph.nouns import is_kin, noun_of
from palace.graph.resolve.called import NounNames, join_called
from palace.graph.resolve.decided import decide, parted_names
from palace.graph.resolve.employers import Membership, join_employers
from palace.graph.resolve.family import join_families
from palace.graph.resolve.groups import NOWHERE, OWN, Groups, Place, sorts_of, usual_type, written_form
from palace.graph.resolve.tied import join_tied
from palace.models.claims import SELF, EntityType
from palace.models.graph import Alias, Decision, Resolved


def resolve(
    aliases: Sequence[Alias],
    called: Sequence[tuple[int, str, str]] = (),
    decisions: Sequence[Decision] = (),
    *,
    self_names: Sequence[str] = (),
    families: Mapping[tuple[int, str], str] | None = None,
    memberships: Iterable[Membership] = (),
) -> list[Resolved]:
    """Resolve alias rows to entities, in order of key; each row belongs to one.

    ``aliases`` are all rows of some families, in all conversations, with the families tied to them by claims and
    decisions (``families_reached``) or by a name with rows in several (``families_in``); ``families`` maps rows to
    families. ``called`` are claims that a noun goes by a name: (conversation_id, folded noun, folded name).
    ``memberships`` are claims about employers, schools and groups. ``self_names`` are the names of the palace's owner,
    whose entity is always included.
    """
    rows = _own_rows(self_names, called) + _one_each(aliases)
    groups = Groups(rows, sorts_of(rows))
    parted = parted_names(decisions)
    nouns = NounNames(called)
    join_families(groups, parted, nouns)
    join_tied(groups, families or {}, parted, nouns)
    join_employers(groups, memberships, parted)
    _join_the_person(groups)
    join_called(groups, sorted(set(called)), parted)
    decide(groups, decisions)
    return _resolved(groups)


def _own_rows(names: Sequence[str], called: Iterable[tuple[int, str, str]]) -> list[Alias]:
    """Return rows for the owner's names, except those that a relative is said to have."""
    folded = {fold_name(name): name for name in names}
    for name in {"", *(name for _, noun, name in called if _is_of_kin(noun))}:
        folded.pop(name, None)
    folded[SELF_KEY] = SELF
    return [Alias(NOWHERE, key, name, EntityType.PERSON, key != SELF_KEY, 0) for key, name in sorted(folded.items())]


def _is_of_kin(noun: str) -> bool:
    read = noun_of(noun)
    return not read.owner and is_kin(read.noun)


def _one_each(aliases: Iterable[Alias]) -> list[Alias]:
    """Return rows in order, one for each name in a conversation: the most frequent."""
    rows: dict[Place, Alias] = {}
    for row in sorted(aliases, key=lambda row: (row.count, row.type, row.name)):
        rows[Place(row.conversation_id, row.folded)] = row
    return [rows[place] for place in sorted(rows)]


def _join_the_person(groups: Groups) -> None:
    """Join all names of the palace's owner."""
    own = groups.of(OWN)
    for place in [place for place in groups.rows if place.conversation_id == NOWHERE]:
        groups.join(groups.of(place), own)
    groups.called[own] = SELF_KEY
    groups.named[own] = SELF


def _resolved(groups: Groups) -> list[Resolved]:
    own = groups.of(OWN)
    by_name: dict[str, list[int]] = defaultdict(list)
    for group in groups:
        by_name[groups.folded(group)].append(group)
    resolved = [_entity(groups, own, SELF_KEY)]
    for folded, same in by_name.items():
        others = [group for group in same if group != own]
        used: set[str] = {SELF_KEY}
        for group in sorted(others, key=lambda each: min(groups.members(each))):
            key = folded if len(others) == 1 and folded != SELF_KEY else f"{folded}|{groups.sort(group)}"
            while key in used:
                key += "+"
            used.add(key)
            resolved.append(_entity(groups, group, key))
    return sorted(resolved, key=lambda each: each.key)


def _entity(groups: Groups, group: int, key: str) -> Resolved:
    places = sorted(groups.members(group))
    rows = [groups.rows[place] for place in places]
    folded = groups.folded(group)
    going_by = [row for row in rows if row.folded == folded] or rows
    named = [row for row in rows if row.is_named]
    return Resolved(
        key=key,
        name=groups.named.get(group) or written_form(going_by),
        type=EntityType.PERSON if key == SELF_KEY else groups.typed.get(group) or usual_type(named or rows),
        is_named=bool(named) or group in groups.named,
        members=tuple((place.conversation_id, place.folded) for place in places if place.conversation_id != NOWHERE),
    )
