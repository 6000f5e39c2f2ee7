"""Update the graph after every change: resolve the affected names and fold the affected claims again.

Entities and relations are a function of all extracted claims, independent of their order. So nothing is patched: the
affected families of names are resolved again from all of their aliases, and the affected groups of claims from all of
their assertions, in the transaction of the change. One transaction at a time does this in a user's palace.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import tzinfo

from palace.db.database import UserSession
from palace.db.graph import entities, kinds, readings, relations, tags
from palace.db.graph.decisions import drop_decisions, list_decisions
from palace.db.graph.entities import AliasKey, Called
from palace.db.graph.readings import NewReading
from palace.db.graph.relations import Group, NewRelations
from palace.db.locks import Guarded, wait_alone
from palace.graph.fold import fold
from palace.graph.predicates import is_single_valued
from palace.graph.resolve import SELF_KEY, families_reached, family_of, fold_name, resolve
from palace.graph.resolve.employers import PREDICATES, Membership
from palace.models.claims import SELF
from palace.models.graph import Decision, DecisionVerb

FOLDED_AT_ONCE = 500
"""Groups whose assertions are loaded by one statement."""


@dataclass(frozen=True, slots=True)
class Owner:
    """The owner of the palace."""

    zone: tzinfo
    """The time zone of their days."""
    names: tuple[str, ...] = ()
    """Their names."""


@dataclass(slots=True)
class Touched:
    """What a change affects: families of names, entities, and groups of claims."""

    families: set[str] = field(default_factory=set)
    entity_ids: set[int] = field(default_factory=set)
    groups: set[Group] = field(default_factory=set)


def write_readings(session: UserSession, extracted: Mapping[int, NewReading], owner: Owner) -> None:
    """Replace the extractions of conversations, and update the graph."""
    wait_alone(session, Guarded.GRAPH)
    known = entities.list_names_in(session, extracted)
    touched = Touched({each.family for each in known}, {each.entity_id for each in known if each.entity_id is not None})
    if known:
        before = {each.conversation_id for each in known}
        touched.groups |= relations.list_groups(session, conversations=before)
        readings.delete_readings(session, before)
    readings.write_readings(session, extracted)
    new = [alias for reading in extracted.values() for alias in reading.aliases]
    tags.drop_untold_names(session, {each.folded for each in known}.difference(each.alias.folded for each in new))
    touched.families |= {alias.family for alias in new}
    if touched.families:
        follow(session, touched, owner, extracted)


@dataclass(slots=True)
class GraphFollower:
    """Updates the graph when drawers are removed, in the same transaction."""

    owner: Owner
    touched: Touched = field(default_factory=Touched)
    names: set[str] = field(default_factory=set)
    """The folded names that the drawers mention."""

    def before(self, session: UserSession, drawer_ids: Sequence[int]) -> None:
        """Record the names and claims of drawers before they are removed."""
        wait_alone(session, Guarded.GRAPH)
        mentioned = readings.list_mentioned(session, drawer_ids)
        self.names = {folded for _, folded in mentioned}
        families, entity_ids = entities.list_standing(session, mentioned)
        self.touched = Touched(families, entity_ids, relations.list_groups_of_drawers(session, drawer_ids))

    def after(self, session: UserSession, conversations: Collection[int]) -> None:
        """Delete names without mentions, and claims of the removed drawers alone."""
        readings.drop_unused(session, conversations)
        tags.drop_untold_names(session, self.names)
        kinds.forget_kinds(session, conversations)
        self.touched.entity_ids |= kinds.list_entities_in(session, conversations)
        follow(session, self.touched, self.owner)


def follow(session: UserSession, touched: Touched, owner: Owner, extracted: Collection[int] = ()) -> None:
    """Resolve the affected families and fold the affected groups, with those of names that changed entity.

    ``extracted`` are conversations whose readings were just written.
    """
    moved = _resolve(session, touched.families, owner)
    if extracted:
        entities.settle(session, extracted, SELF_KEY, SELF)
    if moved:
        # The claims of a moved name belong to another entity now, and the old entity's relations must be updated too.
        touched.groups |= relations.list_groups(session, entity_ids=moved)
        touched.groups |= relations.list_groups_held(session, moved)
    if extracted:
        touched.groups |= relations.list_groups(session, conversations=extracted)
    fold_groups(session, touched.groups, owner.zone)
    entities.drop_unnamed(session, touched.entity_ids | moved)
    kinds.fold_kinds(session, touched.entity_ids | moved)


def respect(session: UserSession, decisions: Sequence[Decision], owner: Owner) -> None:
    """Resolve the names of decisions again, and fold the claims about them."""
    wait_alone(session, Guarded.GRAPH)
    names = {fold_name(name) for each in decisions for name in (each.name, each.other)}
    follow(session, Touched({family_of(name) for name in names}), owner)


def forget_decisions(session: UserSession, names: Collection[str], owner: Owner) -> None:
    """Delete decisions about folded names that no longer occur.

    Names that were only introduced by a deleted decision count as gone too.
    """
    dropped: set[Decision] = set()
    while names:
        gone = set(names) - entities.list_folded(session, {family_of(name) for name in names})
        found = {each for each in list_decisions(session, undone=True) if gone & _about(each)} - dropped
        dropped |= found
        names = {fold_name(each.other) for each in found}
    drop_decisions(session, [each.id for each in dropped])
    if dropped:
        respect(session, [*dropped], owner)


def _about(decision: Decision) -> set[str]:
    """Return the folded names that a decision is about, without a name that the person made up."""
    is_made_up = decision.verb is DecisionVerb.RENAME or decision.is_partial
    return {fold_name(decision.name), *(() if is_made_up else (fold_name(decision.other),))}


def sweep(session: UserSession, owner: Owner) -> None:
    """Delete relations without evidence, and entities without a name."""
    wait_alone(session, Guarded.GRAPH)
    fold_groups(session, relations.list_unsupported_groups(session), owner.zone)
    entities.drop_unnamed(session)


def fold_groups(session: UserSession, groups: Iterable[Group], zone: tzinfo) -> None:
    """Fold groups of claims and store the relations; a group without claims has none."""
    ordered = sorted(groups)
    for start in range(0, len(ordered), FOLDED_AT_ONCE):
        claimed = relations.list_assertions(session, ordered[start : start + FOLDED_AT_ONCE])
        folded = []
        for group, assertions in claimed.items():
            # A claim that a thing goes by a name is no relation: its entity has both names.
            told = [one for one in assertions if one.object_id != group.subject_id]
            made = fold(group.predicate, told, zone)
            folded.append(NewRelations(group, is_single_valued(group.predicate), made.relations, made.overtaken))
        drawers = {one.id: one.drawer_id for assertions in claimed.values() for one in assertions}
        relations.write_relations(session, folded, drawers)


def _resolve(session: UserSession, families: Collection[str], owner: Owner) -> set[int]:
    """Resolve families; return the entities that lost or gained a name."""
    decisions = list_decisions(session)
    reached, called = _reached(session, families, decisions)
    # "I" is an alias in nearly every conversation: those rows are assigned one by one.
    known = entities.list_aliases(session, reached, but=SELF_KEY)
    stored = {alias.key: alias.family for alias in known}
    memberships = [Membership(*row) for row in entities.list_held(session, reached, PREDICATES)]
    resolved = resolve(
        [alias.alias for alias in known],
        called,
        decisions,
        self_names=owner.names,
        families=stored,
        memberships=memberships,
    )
    found = entities.write_entities(session, [one for one in resolved if one.members])
    before = {alias.key: alias.entity_id for alias in known}
    changed: dict[AliasKey, int] = {key: entity for key, entity in found.items() if before.get(key) != entity}
    entities.assign_entities(session, changed)
    # A name without an entity before is new in its conversation, whose claims are folded anyway.
    moved = {key: entity for key in changed if (entity := before.get(key)) is not None}
    return set(moved.values()) | {changed[key] for key in moved}


def _reached(
    session: UserSession, families: Collection[str], decisions: Sequence[Decision]
) -> tuple[Collection[str], list[Called]]:
    """Return families with those tied to them, and the claims that give names to their nouns.

    Families are tied by claims, by decisions, and by a name that has different families in different conversations.
    """
    reached = frozenset(families)
    decided = {fold_name(name) for each in decisions for name in (each.name, each.other)}
    while True:
        called = entities.list_called(session, reached)
        names = entities.list_folded(session, reached) | {name for call in called for name in call[1:]}
        names |= {name for name in decided if family_of(name) in reached}
        sharing = entities.list_families_of(session, names) | {family_of(name) for name in names}
        found = families_reached(reached | sharing, called, decisions)
        if found == reached:
            return reached, called
        reached = found
