"""Keeping the graph true: whatever comes or goes, the names it touches are resolved and the claims folded again.

Entities and relations are a function of all that was read, whatever order it was read in. So nothing is patched: the
families of names that a change touches are resolved anew from all of their aliases, and the groups of claims anew from
all of their assertions, in the transaction of the change. One transaction at a time does this to a user's palace.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
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
"""Groups whose assertions are read by one statement."""


@dataclass(frozen=True, slots=True)
class Owner:
    """The person whose palace it is."""

    zone: tzinfo
    """In which their days begin."""
    names: tuple[str, ...] = ()
    """What they go by."""


@dataclass(slots=True)
class Touched:
    """What a change touches: families of names, entities, and groups of claims."""

    families: set[str] = field(default_factory=set)
    entity_ids: set[int] = field(default_factory=set)
    groups: set[Group] = field(default_factory=set)


def write_reading(session: UserSession, conversation_id: int, reading: NewReading, owner: Owner) -> None:
    """Put what was read from a conversation in the place of what there was, and have the graph follow."""
    wait_alone(session, Guarded.GRAPH)
    touched = Touched(readings.list_families(session, conversation_id))
    touched.groups |= relations.list_groups(session, conversation_id=conversation_id)
    touched.entity_ids |= kinds.list_entities_in(session, [conversation_id])
    told = entities.list_names_in(session, conversation_id)
    readings.replace_reading(session, conversation_id, reading)
    tags.drop_untold_names(session, told.difference(new.alias.folded for new in reading.aliases))
    touched.families |= {alias.family for alias in reading.aliases}
    follow(session, touched, owner, conversation_id)


@dataclass(slots=True)
class GraphFollower:
    """Has the graph follow drawers that go, in the transaction in which they do."""

    owner: Owner
    touched: Touched = field(default_factory=Touched)
    names: set[str] = field(default_factory=set)
    """Those that the drawers mention, folded."""

    def before(self, session: UserSession, drawer_ids: Sequence[int]) -> None:
        """Remember what drawers name and claim."""
        wait_alone(session, Guarded.GRAPH)
        mentioned = readings.list_mentioned(session, drawer_ids)
        self.names = {folded for _, folded in mentioned}
        families, entity_ids = entities.list_standing(session, mentioned)
        self.touched = Touched(families, entity_ids, relations.list_groups_of_drawers(session, drawer_ids))

    def after(self, session: UserSession, conversations: Collection[int]) -> None:
        """Take away the names that stand nowhere any more, and what only those drawers claimed."""
        readings.drop_unused(session, conversations)
        tags.drop_untold_names(session, self.names)
        kinds.forget_kinds(session, conversations)
        self.touched.entity_ids |= kinds.list_entities_in(session, conversations)
        follow(session, self.touched, self.owner)


def follow(session: UserSession, touched: Touched, owner: Owner, conversation_id: int | None = None) -> None:
    """Resolve touched families and fold touched groups, those of names that stand for another entity now included."""
    moved = _resolve(session, touched.families, owner)
    if conversation_id is not None:
        entities.settle(session, conversation_id, SELF_KEY, SELF)
    if moved:
        # What a name took along is claimed of another entity now, and the relations of this one have to go.
        touched.groups |= relations.list_groups(session, entity_ids=moved)
        touched.groups |= relations.list_groups_held(session, moved)
    if conversation_id is not None:
        touched.groups |= relations.list_groups(session, conversation_id=conversation_id)
    fold_groups(session, touched.groups, owner.zone)
    entities.drop_unnamed(session, touched.entity_ids | moved)
    kinds.fold_kinds(session, touched.entity_ids | moved)


def respect(session: UserSession, decisions: Sequence[Decision], owner: Owner) -> None:
    """Have names resolved anew that were decided on, and claims folded again that speak of them."""
    wait_alone(session, Guarded.GRAPH)
    names = {fold_name(name) for each in decisions for name in (each.name, each.other)}
    follow(session, Touched({family_of(name) for name in names}), owner)


def forget_decisions(session: UserSession, names: Collection[str], owner: Owner) -> None:
    """Delete what was decided of those of some folded names that nobody is called any more.

    What somebody was to be called then is a name of nobody's, too.
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
    """Return the folded names that a decision is of; what a person made up to call somebody by is none."""
    is_made_up = decision.verb is DecisionVerb.RENAME or decision.is_partial
    return {fold_name(decision.name), *(() if is_made_up else (fold_name(decision.other),))}


def sweep(session: UserSession, owner: Owner) -> None:
    """Take away what nothing supports: relations without evidence, entities without a name."""
    wait_alone(session, Guarded.GRAPH)
    fold_groups(session, relations.list_unsupported_groups(session), owner.zone)
    entities.drop_unnamed(session)


def fold_groups(session: UserSession, groups: Iterable[Group], zone: tzinfo) -> None:
    """Fold groups of claims and write what they come to; one for which nothing is claimed has no relations."""
    ordered = sorted(groups)
    for start in range(0, len(ordered), FOLDED_AT_ONCE):
        claimed = relations.list_assertions(session, ordered[start : start + FOLDED_AT_ONCE])
        folded = []
        for group, assertions in claimed.items():
            # That a thing is called by a name is told by its entity, which goes by both.
            told = [one for one in assertions if one.object_id != group.subject_id]
            made = fold(group.predicate, told, zone)
            folded.append(NewRelations(group, is_single_valued(group.predicate), made.relations, made.overtaken))
        drawers = {one.id: one.drawer_id for assertions in claimed.values() for one in assertions}
        relations.write_relations(session, folded, drawers)


def _resolve(session: UserSession, families: Collection[str], owner: Owner) -> set[int]:
    """Resolve families; give the entities that a name went from or to."""
    decisions = list_decisions(session)
    reached, called = _reached(session, families, decisions)
    # The person themselves go by "I" in nearly every conversation: those rows are settled one by one.
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
    # A name that stood for nothing is new in its conversation, whose claims are folded anyway.
    moved = {key: entity for key in changed if (entity := before.get(key)) is not None}
    return set(moved.values()) | {changed[key] for key in moved}


def _reached(
    session: UserSession, families: Collection[str], decisions: Sequence[Decision]
) -> tuple[Collection[str], list[Called]]:
    """List families with those tied to them, and what claims call names of theirs.

    Claims and decisions tie families, and so does a name that is of one family here and of another there.
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
