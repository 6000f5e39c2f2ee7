"""Entities: list and find them, and decide which names mean the same."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from datetime import UTC, datetime

from palace.db.database import UserSession
from palace.db.drawers import find_conversation_of
from palace.db.filing.rebuilding import list_conversations
from palace.db.graph.decisions import NewDecision, add_decision, count_decisions, list_decisions, take_back_decision
from palace.db.graph.entities import list_standing
from palace.db.graph.listing import find_going_by, get_entities, list_aliases_of, list_entities
from palace.db.locks import Guarded, wait_alone
from palace.errors import BadRequest, NotFound, TwoTypes
from palace.graph.names import sort_of
from palace.graph.resolve import SELF_KEY, family_of, fold_name
from palace.graph.update import Touched, follow
from palace.models import LARGEST_NUMBER, intake
from palace.models.activity import DECISION_UNDONE, ENTITIES_MERGED, ENTITY_RENAMED, ENTITY_SPLIT
from palace.models.claims import EntityType
from palace.models.graph import MOST_DECISIONS, Decision, DecisionSummary, DecisionVerb, Doubtful, Entity
from palace.nlp.pointers import is_pointer
from palace.opened import OpenPalace, Verbs
from palace.operations.activity import record
from palace.operations.contents import Page
from palace.operations.naming import find_entity, name_given, shown
from palace.operations.suggesting import doubtful_joins
from palace.operations.tree import TreeVerbs

_DECIDED = {
    DecisionVerb.MERGE: ENTITIES_MERGED,
    DecisionVerb.SPLIT: ENTITY_SPLIT,
    DecisionVerb.RENAME: ENTITY_RENAMED,
}
PAGE = 50
"""Default number of entities in a list."""


class EntityVerbs(Verbs):
    """Entities: list and find them, and decide which names mean the same.

    An entity is given by its name or an alias, in any case and without accents. "Austin (place)" selects among several
    of one name, and "I" is the owner of the palace. Decisions also apply to what is mined or rebuilt later, until they
    are undone.
    """

    def list(
        self,
        *,
        type: str | None = None,
        everything: bool = False,
        limit: int | None = PAGE,
        offset: int = 0,
        behind: int | None = None,
    ) -> tuple[Entity, ...]:
        """List entities, the most mentioned first; of one ``type``, if given, and after the one of the id ``behind``.

        Times, and entities without a name ("the boat"), are left out unless ``everything`` is set.

        Raises:
            BadRequest: there is no such type, or a number is out of range.
        """
        wanted = None if type is None else intake.choice("type", str(type).strip().lower(), EntityType)
        page = Page.of(self._opened, limit=limit, offset=offset)

        def entities(session: UserSession) -> Iterable[Entity]:
            return list_entities(
                session, type=wanted, everything=everything, limit=page.limit, offset=page.offset, behind=behind
            )

        return tuple(self._opened.run(entities))

    def find(self, name: str) -> Entity:
        """Return the entity of a name.

        Raises:
            NotFound: there is none; the message suggests similar names.
            BadRequest: there are several.
        """
        wanted = name_given("name", name)
        return self._opened.run(lambda session: self._find(session, wanted))

    def merge(self, name: str, into: str, *, anyway: bool = False) -> DecisionSummary:
        """Merge an entity into another, which keeps its name.

        A person and a place, or either and a thing, are merged only with ``anyway``. A person and an item are a person.

        Raises:
            NotFound: there is no such entity; BadRequest: they are the same already, or a name is ambiguous;
                TwoTypes: their types are hardly ever the same.
        """
        one, other = name_given("name", name), name_given("into", into)

        def merge(session: UserSession) -> DecisionSummary:
            entity, target = self._find(session, one), self._find(session, other)
            if entity.id == target.id:
                raise BadRequest(f"{one!r} and {other!r} are one already: {shown(entity)}")
            _refuse_times(entity, target)
            types = {entity.type, target.type} - {EntityType.UNKNOWN}
            if not anyway and len({sort_of(each) for each in types}) > 1:
                raise TwoTypes(shown(entity), shown(target))
            if self._is_self(session, entity):
                entity, target = target, entity
            new = NewDecision(DecisionVerb.MERGE, entity.name, entity.type, target.name, target.type)
            return self._decide(session, new, (entity, target))

        return self._alone(merge)

    def split(
        self,
        name: str,
        *,
        conversation: str | None = None,
        wing: str | None = None,
        to: str | None = None,
        other: str | None = None,
    ) -> DecisionSummary:
        """Split a name off an entity.

        With ``other``, the two entities are kept apart: neither merged nor suggested for merging. With a
        ``conversation`` (a drawer or a room in it, ``W-001/R-02``) or a ``wing``, the name means a separate entity in
        the messages filed there so far, called ``to`` (by default "Anna (2)"). Without these, the alias ``name``
        becomes an entity of its own.

        Raises:
            NotFound: there is no such entity, room or wing; BadRequest: there is nothing to split, or a name is
                ambiguous.
        """
        wanted = name_given("name", name)
        called = None if to is None else name_given("to", to)
        apart = None if other is None else name_given("other", other)
        where = conversations_of(self._opened, conversation, wing)
        if apart is not None and (where is not None or called is not None):
            raise BadRequest("two are kept apart everywhere: name no conversation, wing or new name beside the other")

        def split(session: UserSession) -> DecisionSummary:
            entity = self._find(session, wanted, where)
            _refuse_times(entity)
            if apart is not None:
                return self._keep_apart(session, (wanted, entity), (apart, self._find(session, apart)))
            if where is None:
                return self._decide(session, _parted_name(entity, wanted, called), (entity,))
            new = _parted_there(session, entity, called, where)
            return self._decide(session, new, (entity,))

        return self._alone(split)

    def rename(self, name: str, to: str) -> DecisionSummary:
        """Give an entity a new name.

        Raises:
            NotFound: there is no such entity; BadRequest: another has the name, or a name is ambiguous.
        """
        wanted, called = name_given("name", name), name_given("to", to)

        def rename(session: UserSession) -> DecisionSummary:
            entity = self._find(session, wanted)
            _refuse_times(entity)
            if self._is_self(session, entity):
                raise BadRequest("the person whose palace it is stays 'I': PALACE_PERSON says what names they go by")
            if entity.name == called:
                raise BadRequest(f"{shown(entity)} is called so already")
            taken = get_entities(session, find_going_by(session, fold_name(called)))
            if any(each.id != entity.id for each in taken):
                raise BadRequest(f"{shown(taken[0])} has that name: merge the two where they are one")
            new = NewDecision(DecisionVerb.RENAME, entity.name, entity.type, called, entity.type)
            return self._decide(session, new, (entity,))

        return self._alone(rename)

    def undo(self, decision_id: int) -> DecisionSummary:
        """Undo a decision: names are resolved again as if it had never been made.

        Raises:
            NotFound: there is no such decision; BadRequest: it was undone before.
        """
        number = intake.count("decision_id", decision_id)

        def undo(session: UserSession) -> DecisionSummary:
            found = list_decisions(session, undone=True, decision_id=number) if number <= LARGEST_NUMBER else []
            if not found:
                raise NotFound(f"there is no decision {number}; `palace entities decisions` lists them")
            if not take_back_decision(session, number, datetime.now(UTC)):
                raise BadRequest(f"decision {number} was taken back already")
            about = self._about(session, found[0])
            return self._follow(session, number, about)

        return self._alone(undo)

    def decisions(self, *, limit: int | None = PAGE) -> tuple[Decision, ...]:
        """List the decisions, including undone ones, in order of time; with a limit, the latest."""
        page = Page.of(self._opened, limit=limit, offset=0)
        return tuple(self._opened.run(lambda session: list_decisions(session, undone=True, limit=page.limit)))

    def suggest(self, *, limit: int = PAGE) -> tuple[Doubtful, ...]:
        """List pairs of entities that may be the same, likeliest first; nothing is merged by similarity alone.

        Names are compared by abbreviation and spelling, those of things and places also by meaning, with the palace's
        embedding model. Pairs that ``split`` keeps apart are left out.
        """
        return doubtful_joins(self._opened, intake.row_count("limit", limit))

    def _find(self, session: UserSession, name: str, where: Collection[int] | None = None) -> Entity:
        return find_entity(session, name, person=self._opened.names, where=where)

    def _keep_apart(self, session: UserSession, one: tuple[str, Entity], other: tuple[str, Entity]) -> DecisionSummary:
        (name, entity), (from_name, target) = one, other
        _refuse_times(target)
        if entity.id == target.id:
            is_own = fold_name(name) == fold_name(entity.name)
            return self._decide(session, _parted_name(entity, from_name if is_own else name, None), (entity,))
        if fold_name(entity.name) == fold_name(target.name):
            raise BadRequest(f"{shown(entity)} and {shown(target)} are two already, and go by one name")
        new = NewDecision(DecisionVerb.SPLIT, entity.name, entity.type, target.name, target.type)
        return self._decide(session, new, (entity, target))

    def _is_self(self, session: UserSession, entity: Entity) -> bool:
        return entity.id in find_going_by(session, SELF_KEY)

    def _alone(self, decide: Callable[[UserSession], DecisionSummary]) -> DecisionSummary:
        def alone(session: UserSession) -> DecisionSummary:
            wait_alone(session, Guarded.GRAPH)
            return decide(session)

        self._opened.database.shared.check_schema()
        return self._opened.run(alone)

    def _decide(self, session: UserSession, new: NewDecision, about: Iterable[Entity]) -> DecisionSummary:
        if count_decisions(session) >= MOST_DECISIONS:
            raise BadRequest(f"a palace keeps {MOST_DECISIONS:,} decisions at most, and has them")
        return self._follow(session, add_decision(session, new, datetime.now(UTC)), about)

    def _follow(self, session: UserSession, decision_id: int, about: Iterable[Entity]) -> DecisionSummary:
        (decision,) = list_decisions(session, undone=True, decision_id=decision_id)
        ids = {entity.id for entity in about}
        families, _ = list_standing(session, {key for each in ids for key in list_aliases_of(session, each)})
        families |= {family_of(fold_name(name)) for name in (decision.name, decision.other)}
        follow(session, Touched(families, ids), self._opened.owner)
        kind = _DECIDED[decision.verb] if decision.undone_at is None else DECISION_UNDONE
        record(session, kind, decision=decision_id)
        return DecisionSummary(decision, tuple(self._about(session, decision)))

    def _about(self, session: UserSession, decision: Decision) -> Iterable[Entity]:
        ids: dict[int, None] = {}
        for name in (decision.name, decision.other):
            try:
                ids[self._find(session, name).id] = None
            except BadRequest:
                ids |= dict.fromkeys(find_going_by(session, fold_name(name)))
        return get_entities(session, list(ids))


def _parted_name(entity: Entity, name: str, to: str | None) -> NewDecision:
    """Create the decision that an alias is not the entity."""
    if to is not None:
        raise BadRequest("--to names who is meant in a conversation or a wing: say which, or rename afterwards")
    if not entity.aliases:
        raise BadRequest(f"{shown(entity)} has one name only: say in which conversation or wing it is somebody else's")
    if fold_name(name) not in map(fold_name, entity.aliases):
        others = ", ".join(map(repr, entity.aliases[:5]))
        raise BadRequest(
            f"{shown(entity)} goes by that name: say which of its others is somebody else's ({others}),"
            " or in which conversation or wing"
        )
    return NewDecision(DecisionVerb.SPLIT, name, entity.type, entity.name, entity.type)


def _parted_there(session: UserSession, entity: Entity, to: str | None, where: frozenset[int]) -> NewDecision:
    """Create the decision that a name means another entity in some conversations."""
    if to is not None and fold_name(to) == fold_name(entity.name):
        raise BadRequest(f"it is {shown(entity)} who is meant there already")
    rows = list_aliases_of(session, entity.id)
    inside = {conversation_id for conversation_id, _ in rows} & where
    if not inside:
        raise BadRequest(f"{shown(entity)} is not named there")
    if to is None and all(conversation_id in where for conversation_id, _ in rows):
        raise BadRequest(f"{shown(entity)} is named nowhere else: rename it where it has a wrong name")
    called = to or _free_name(session, entity.name)
    return NewDecision(DecisionVerb.SPLIT, entity.name, entity.type, called, entity.type, tuple(sorted(inside)))


def _free_name(session: UserSession, name: str) -> str:
    number = 2
    while find_going_by(session, fold_name(f"{name} ({number})")):
        number += 1
    return f"{name} ({number})"


def _refuse_times(*entities: Entity) -> None:
    for entity in entities:
        if entity.type is EntityType.TIME:
            raise BadRequest(f"{entity.name!r} is a time, which is what it says")


def conversations_of(opened: OpenPalace, conversation: str | None, wing: str | None) -> frozenset[int] | None:
    """Return the conversations of a room or drawer, or those with a room in a wing; None where neither is named.

    Raises:
        BadRequest: both are named; NotFound: there is no such place.
    """
    place, wing = intake.optional_text("conversation", conversation), intake.optional_text("wing", wing)
    if place is not None and wing is not None:
        raise BadRequest("name a conversation or a wing, not both")
    tree = TreeVerbs(opened)
    if wing is not None:
        wing_id = tree.wing(wing).id
        return frozenset(opened.run(lambda session: list_conversations(session, wing_id)))
    if place is None:
        return None
    room = tree.room(place.strip().rpartition("/")[0] if is_pointer(place) else place)
    found = opened.run(lambda session: find_conversation_of(session, room_id=room.id))
    if found is None:
        raise NotFound(f"there is no conversation at {place.strip()}")
    return frozenset((found,))
