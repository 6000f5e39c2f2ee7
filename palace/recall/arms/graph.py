"""The graph arm: proposes drawers that name the query's entities, and evidence of relations about them."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from palace.db.database import UserSession
from palace.db.graph.naming import Asking, NamedEntity, Told, ask_naming, ask_self, ask_told, find_named
from palace.db.graph.tags import CalledEntity, ask_tagged, list_called_so
from palace.graph.names import SELF_KEY, fold_name
from palace.models import Candidate, PassageKey, TagKind
from palace.models.claims import EntityType
from palace.nlp.aaak import Wish
from palace.nlp.names.lexicon import english
from palace.nlp.words import STOP_WORDS
from palace.recall.arms.protocol import ArmRequest, GraphLimits, Proposal
from palace.recall.intent import Intent, asking_words, asks_about, own_predicates, predicates_asked

LONGEST = 4
"""Most words of a name."""
WORDS = 60
"""Most words of a query that are searched for names."""

KINDS = {
    EntityType.PERSON: TagKind.PERSON,
    EntityType.PLACE: TagKind.PLACE,
    EntityType.EVENT: TagKind.EVENT,
    EntityType.ITEM: TagKind.ITEM,
    EntityType.ORGANISATION: TagKind.ITEM,
    EntityType.PROJECT: TagKind.ITEM,
    EntityType.TIME: TagKind.TIME,
}
"""Kind of tag for each type of entity; none for the unknown type."""

_WORD = re.compile(r"[^\s,;:!?()\"“”„]+")


class Written(NamedTuple):
    """Words of a query that may be a name."""

    start: int
    end: int
    """Indexes of its words, ``[start, end)``."""
    folded: str
    has_capital: bool
    """Whether it has a capital letter other than at the beginning of the query."""


def names_in(session: UserSession, query: str) -> list[NamedEntity]:
    """Return the entities that a query names, preferring longer names; a word counts in only one name.

    An ordinary English word is a name only if capitalised, or if the name is known in lower case.
    """
    written = list(_written(query))
    known: dict[str, list[NamedEntity]] = {}
    for found in find_named(session, {each.folded for each in written}, self_key=SELF_KEY):
        known.setdefault(found.folded, []).append(found)
    taken: set[int] = set()
    entities: dict[int, NamedEntity] = {}
    for each in sorted(written, key=lambda one: (one.start - one.end, one.start)):
        meant = [one for one in known.get(each.folded, ()) if _is_meant(each, one)]
        if meant and taken.isdisjoint(range(each.start, each.end)):
            taken |= set(range(each.start, each.end))
            entities |= {one.entity_id: one for one in meant}
    return list(entities.values())


def _written(query: str) -> Iterator[Written]:
    words = _WORD.findall(query)[:WORDS]
    for start in range(len(words)):
        for end in range(start + 1, min(start + LONGEST, len(words)) + 1):
            folded = fold_name(" ".join(words[start:end]))
            capital = any(word[:1].isupper() for word in words[max(start, 1) : end])
            if folded and (capital or not all(part in STOP_WORDS for part in folded.split())):
                yield Written(start, end, folded, capital)


def _is_meant(written: Written, entity: NamedEntity) -> bool:
    is_ordinary = all(part in english() for part in written.folded.split())
    return written.has_capital or entity.is_small or not is_ordinary


def wished_in(session: UserSession, wishes: Sequence[Wish]) -> list[int]:
    """Return ids of the entities that requested tags mean: of the tag's kind, by the longest name that is known."""
    folded = {name: fold_name(name) for wish in wishes for name in wish.names}
    known: dict[str, list[CalledEntity]] = {}
    for one in list_called_so(session, {each for each in folded.values() if each}, self_key=SELF_KEY):
        known.setdefault(one.folded, []).append(one)
    found: dict[int, None] = {}
    for wish in wishes:
        meant = (
            [one for one in known.get(folded[name], ()) if KINDS.get(one.type, wish.kind) is wish.kind]
            for name in wish.names
        )
        found |= dict.fromkeys(one.entity_id for one in next(filter(None, meant), ()))
    return list(found)


EVENTS = ("planned", "visited")
"""Predicates of past events, which may be asked about at any time."""
WISHED = 2.0
"""Value of being about an entity of a requested tag, in comparison with stating what is asked (1)."""


@dataclass(frozen=True, slots=True)
class GraphArm:
    """The arm that proposes drawers by entities and relations."""

    name: str = "graph"
    needs_vector: bool = False

    def propose(self, session: UserSession, request: ArmRequest) -> Proposal:
        """Propose drawers that name the query's entities, and evidence of relations that it asks about."""
        limits = request.strategy.graph
        predicates = own_predicates(request.query)
        oneself = ask_self(session, SELF_KEY, predicates) if predicates else None
        wished = wished_in(session, request.wishes)
        entities = [each for each in names_in(session, request.query) if each.entity_id not in wished]
        person = oneself.get() if oneself else None
        own = {} if person is None else _of_oneself(session, person, predicates, request)
        if not entities and not wished:
            candidates = (Candidate(PassageKey(drawer_id, 0), share) for drawer_id, share in own.items())
            return Proposal(tuple(candidates), holding=own)
        ids = [*wished, *(each.entity_id for each in entities)]
        # Relations of "my sister" may identify the entity, but are noise if several answers are asked for.
        is_several = request.intent.breadth.is_broad or request.intent.asks_several
        words = asking_words(request.query, [each.folded for each in entities] if is_several else [])
        asking = Asking(predicates_asked(words), _time(request.intent), EVENTS, limits.relations)
        most = limits.wished if wished else limits.drawers
        told_asked = ask_told(session, ids, asking, self_key=SELF_KEY, scope=request.scope)
        naming_asked = ask_naming(session, ids, most=most, scope=request.scope)
        tagged = ask_tagged(session, ids, most=most, scope=request.scope).get()
        told, naming = told_asked.get(), naming_asked.get()
        tells = weights_of(entities, request.sizes_in(session).drawers, limits) | dict.fromkeys(wished, 1.0)
        about_wished = {drawer_id for entity_id, drawer_id in (*naming, *tagged) if entity_id in wished}
        holding = own | _holding(told, set(ids), words, limits) | dict.fromkeys(about_wished, WISHED)
        scores = dict.fromkeys((*own, *(one.drawer_id for one in told)), 0.0)
        for entity_id, drawer_id in naming:
            scores[drawer_id] = scores.get(drawer_id, 0.0) + tells[entity_id]
        for entity_id, drawer_id in set(tagged) - set(naming):
            scores[drawer_id] = scores.get(drawer_id, 0.0) + limits.tag * tells[entity_id]
        for drawer_id, share in holding.items():
            scores[drawer_id] += share
        found = (Candidate(PassageKey(drawer_id, 0), score) for drawer_id, score in scores.items())
        return Proposal(tuple(found), tells=tells, holding=holding)


def _of_oneself(
    session: UserSession, person: int, predicates: Collection[str], request: ArmRequest
) -> dict[int, float]:
    """Return drawers that state what the query asks about the user, who is not named, with the value 1."""
    asking = Asking((), _time(request.intent), EVENTS, request.strategy.graph.relations, predicates)
    told = ask_told(session, [person], asking, self_key=SELF_KEY, scope=request.scope).get()
    return dict.fromkeys((one.drawer_id for one in told), 1.0)


def weights_of(entities: list[NamedEntity], drawers: int, limits: GraphLimits) -> dict[int, float]:
    """Return the weight of naming each entity: 1 for a rare one, 0 for one that every drawer names.

    Several entities share the weight equally.
    """
    full = math.log(1 / limits.rare) if 0 < limits.rare < 1 else 1.0
    rarity = {one.entity_id: math.log(max(drawers, 1) / max(one.times, 1)) / full for one in entities}
    return {entity_id: min(max(rare, 0.0), 1.0) / len(rarity) for entity_id, rare in rarity.items()}


def _holding(told: list[Told], entities: set[int], words: frozenset[str], limits: GraphLimits) -> dict[int, float]:
    """Return how far drawers state what is asked: fully if the query has the predicate, or both entities."""
    found: dict[int, float] = {}
    for one in told:
        names_both = one.subject_id in entities and one.object_id in entities and one.subject_id != one.object_id
        if asks_about(one.predicate, words) or names_both:
            share = limits.hop if one.hops else 1.0
            found[one.drawer_id] = max(share, found.get(one.drawer_id, 0.0))
    return found


def _time(intent: Intent) -> tuple[datetime, datetime] | None:
    """Return the time that is asked about; None for any, because past events and former states are not current."""
    if intent.windows or intent.earlier or intent.asks_past or intent.asks_several:
        return intent.stretch
    return intent.now, intent.now
