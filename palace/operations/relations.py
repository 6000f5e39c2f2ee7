"""Read the graph: relations, timelines and neighbourhoods of entities."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING

from palace.db.database import UserSession
from palace.db.graph.asked import Moments, NamedEntity, get_named, get_said, list_relations_at, list_relations_of
from palace.db.graph.tags import ask_tags
from palace.errors import BadRequest
from palace.graph.names import SELF_KEY
from palace.models import About, Scope, intake
from palace.models.claims import EntityType
from palace.models.graph import Entity, Link, Member, Neighbourhood, Relation, ShownDrawer, Standing, Timeline
from palace.opened import OpenPalace
from palace.operations.naming import find_entity, find_named, name_given

if TYPE_CHECKING:
    from palace.graph.walk import Walk

MOST_HOPS = 5
MOST_MEMBERS = 60
"""Default limit of members in a neighbourhood: what a picture of it can show."""
MOST_RELATIONS = 200
"""Default limit of relations in a list."""
LOOKED_AT = 5_000
"""Relations of an entity, the latest, that are searched for a question or shown in a timeline."""
OF_EACH = 200
"""Relations of one entity that a walk follows, at most."""


class GraphReading:
    """Read the graph: relations, timelines and neighbourhoods of entities.

    Modules for walking and wording are imported where they are needed.
    """

    _opened: OpenPalace

    def relations(
        self,
        entity: str | None = None,
        *,
        as_of: datetime | None = None,
        believed: datetime | None = None,
        about: str | None = None,
        limit: int = MOST_RELATIONS,
    ) -> tuple[Relation, ...]:
        """List the relations that were true at a moment, the latest begun first: of an entity, or of all.

        ``as_of`` is that moment, by default the current time; a naive one is local. ``believed`` uses the knowledge of
        that time instead of today's, and is the default of ``as_of``. ``about`` is a question ("where does he live"):
        only relations that its words ask for are returned, best first. ``entity`` is a name or alias, in any case, or
        "I".

        Raises:
            NotFound: there is no such entity; BadRequest: the name is ambiguous, or a value out of range.
        """
        from palace.graph.wording import ranked

        name = None if entity is None else name_given("entity", entity)
        moments = _moments(self._opened, as_of, believed)
        question, most = intake.question("about", about), intake.row_count("limit", limit)

        def read(session: UserSession) -> list[Relation]:
            looked_at = most if question is None else LOOKED_AT
            if name is None:
                return list_relations_at(session, moments, most=looked_at)
            return list_relations_of(session, [_find(self._opened, session, name).id], moments, most=looked_at)

        found = self._opened.run(read)
        return tuple(found if question is None else ranked(found, question))[:most]

    def timeline(self, entity: str, *, about: str | None = None, limit: int = LOOKED_AT) -> Timeline:
        """Return the past, present and future relations of an entity in order of time, as they are believed now.

        ``entity`` is a name or alias, in any case, or "I". ``about`` is a question ("where does he live") that limits
        them to those that answer it, by its words. With a ``limit``, those that began last are returned.

        Raises:
            NotFound: there is no such entity; BadRequest: the name is ambiguous, or the limit out of range.
        """
        from palace.graph.wording import entry, in_order, ranked

        name, most = name_given("entity", entity), intake.row_count("limit", limit)
        question, now, zone = intake.question("about", about), datetime.now(UTC), self._opened.settings.zone

        def read(session: UserSession) -> tuple[Entity, list[Relation]]:
            found = find_entity(session, name, person=self._opened.names)
            looked_at = most + 1 if question is None else LOOKED_AT
            return found, list_relations_of(session, [found.id], Moments(), most=looked_at)

        found, relations = self._opened.run(read)
        if question is not None:
            answers = set(ranked(relations, question))
            relations = [relation for relation in relations if relation in answers]
        entries = in_order([entry(relation, zone, now) for relation in relations[:most]])
        return Timeline(found, now, entries, is_whole=len(relations) <= most)

    def about(
        self, name: str | None = None, *, past: bool = False, limit: int = 20, now: datetime | None = None
    ) -> About:
        """Give a page of what holds now of someone or something, by kinds; of the person themselves unless named.

        Each line is a sentence with the drawer that said it last. Of the person there are also their standing
        instructions, their decisions, what is coming up and what stands open; of others, what was said last that no
        relation tells. ``past`` adds what is no longer so. ``limit`` is the most lines of each kind, ``now``
        the moment it is asked at, this one unless given.

        Raises:
            NotFound: nobody is called so; BadRequest: several are, or something is out of range.
        """
        from palace.operations.about import about

        return about(self._opened, name, past=past, limit=limit, now=now)

    def graph(
        self,
        entity: str,
        *,
        hops: int = 1,
        as_of: datetime | None = None,
        past: bool = False,
        limit: int = MOST_MEMBERS,
    ) -> Neighbourhood:
        """Return the surroundings of an entity at a moment, up to ``hops`` relations away, with the relations between.

        ``as_of`` is that moment, by default the current time; ``past`` includes relations that had ended by then.
        ``hops`` is 0 to 5, ``limit`` the most members. If more are reached, members of the same distance take turns,
        and ``left_out`` counts the rest.

        Raises:
            NotFound: there is no such entity; BadRequest: the name is ambiguous, or a number is out of range.
        """
        from palace.graph.walk import walk
        from palace.graph.wording import standing, when

        name, most = name_given("entity", entity), intake.row_count("limit", limit)
        far = intake.integer("hops", hops)
        if not 0 <= far <= MOST_HOPS:
            raise BadRequest(f"hops must be from 0 to {MOST_HOPS}, not {far}")
        moments = _moments(self._opened, as_of, None)
        at, zone = moments.as_of or datetime.now(UTC), self._opened.settings.zone

        def around(session: UserSession, ids: Collection[int]) -> list[Relation]:
            found = list_relations_of(session, ids, Moments() if past else moments, most=OF_EACH)
            return [relation for relation in found if standing(relation, at) is not Standing.FUTURE]

        def read(session: UserSession) -> tuple[Walk, dict[int, EntityType]]:
            start = _find(self._opened, session, name)
            found = walk((start.id, start.name), partial(around, session), hops=far, most=most)
            ids = [each.entity_id for each in found.reached if each.entity_id is not None]
            return found, {each.id: each.type for each in get_named(session, ids)}

        found, types = self._opened.run(read)
        members = [
            Member(each.name, types.get(each.entity_id or 0), each.hops, each.entity_id) for each in found.reached
        ]
        links = [
            Link(one, other, relation, when(relation, zone, at), standing(relation, at))
            for one, other, relation in found.links
        ]
        return Neighbourhood(at, far, tuple(members), tuple(links), found.left_out)


def with_said(opened: OpenPalace, session: UserSession, shown: ShownDrawer, scope: Scope) -> ShownDrawer:
    """Add the relations that a drawer states, as they are believed now, and the tags of all drawers shown.

    Both draw on all wings, so nothing is added in a scope of wings.
    """
    if scope.is_confined:
        return shown
    from palace.graph.wording import entry, in_order
    from palace.recall.hits import MOST_TAGS, with_tags

    now, zone = datetime.now(UTC), opened.settings.zone
    said = get_said(session, shown.drawer.id)
    says, ends = (in_order([entry(relation, zone, now) for relation in side]) for side in said)
    drawers = (shown.drawer, *shown.before, *shown.after)
    tags = ask_tags(session, [drawer.id for drawer in drawers], self_key=SELF_KEY, most=MOST_TAGS).get()
    tagged = with_tags(drawers, tags, zone)
    before, after = (tuple(tagged[drawer.id] for drawer in side) for side in (shown.before, shown.after))
    return replace(shown, drawer=tagged[shown.drawer.id], before=before, after=after, says=says, ends=ends)


def _find(opened: OpenPalace, session: UserSession, name: str) -> NamedEntity:
    return find_named(session, name, person=opened.names)


def _moments(opened: OpenPalace, as_of: datetime | None, believed: datetime | None) -> Moments:
    zone = opened.settings.zone
    known_by = intake.moment("believed", believed, zone)
    return Moments(intake.moment("as_of", as_of, zone) or known_by or datetime.now(UTC), known_by)
