"""Collect the aliases of a conversation: the names in it, and the subjects and objects of its claims. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field

from palace.db.graph.readings import NewAlias, NewAssertion, NewMention, NewReading
from palace.graph.names import SELF_KEY, TIMES, fold_name
from palace.graph.predicates import is_of_people, object_types
from palace.graph.resolve import families_in, usual_of
from palace.models.claims import SELF, Claim, EntityType, NamedSpan, Reading
from palace.models.graph import Alias
from palace.nlp.names.known import KIN, NO_SPEAKERS

LONGEST_NAME = 200
"""Characters of a name, at most."""
LONGEST_OBJECT = 400
MOST_CLAIMS = 200
"""Claims of one drawer, at most."""


@dataclass(slots=True)
class _Seen:
    """A name with its occurrences so far."""

    written: Counter[str] = field(default_factory=Counter)
    types: Counter[EntityType] = field(default_factory=Counter)
    is_named: bool = False


def name_conversation(readings: Sequence[tuple[int, Reading]], speakers: Collection[str] = ()) -> NewReading:
    """Return the aliases of a conversation, with their mentions and assertions.

    ``readings`` has the id of each drawer with its extraction, in order. A name with several types gets the most
    frequent one, the unknown type where two are as frequent; the noun of an unnamed thing becomes an alias if there are
    claims about it. The ``speakers`` that are named, or that there are claims about, are people.
    """
    seen: dict[str, _Seen] = {}
    mentions, assertions = [], []
    for drawer_id, reading in readings:
        for span in reading.names:
            folded = _met(seen, span)
            if folded is not None:
                mentions.append(NewMention(drawer_id, span.start, span.end, folded))
    for drawer_id, reading in readings:
        for ordinal, claim in enumerate(_usable(reading.claims)):
            subject = _meet(seen, claim.subject, _type_of_subject(claim))
            target = _object_of(seen, claim)
            assertions.append(NewAssertion(drawer_id, ordinal, claim, subject, target))
    for folded in seen.keys() & ({fold_name(name) for name in speakers} - NO_SPEAKERS):
        seen[folded].types = Counter({EntityType.PERSON: seen[folded].written.total()})
        seen[folded].is_named = True
    aliases = [_alias(folded, one) for folded, one in sorted(seen.items())]
    return NewReading(tuple(_with_families(aliases)), tuple(_apart(mentions)), tuple(assertions))


def _met(seen: dict[str, _Seen], span: NamedSpan) -> str | None:
    folded = fold_name(span.text)
    if not folded or len(folded) > LONGEST_NAME:
        return None
    if span.type is EntityType.TIME:
        folded = TIMES + folded
    one = seen.setdefault(folded, _Seen())
    one.written[span.text] += 1
    one.types[span.type] += 1
    one.is_named = True
    return folded


def _meet(seen: dict[str, _Seen], name: str, type_: EntityType) -> str:
    """Return the alias of a claim's subject or object, added if the conversation does not have it yet."""
    folded = fold_name(name)
    if folded not in seen:
        seen[folded] = _Seen(Counter([name]), Counter([type_]), is_named=folded == SELF_KEY)
    return folded


def _object_of(seen: dict[str, _Seen], claim: Claim) -> str | None:
    folded = fold_name(claim.object)
    if not folded or len(folded) > LONGEST_NAME:
        return None
    if claim.predicate == "called":
        return _meet(seen, claim.object, _type_of_subject(claim))
    if folded not in seen and claim.predicate in object_types():
        return _meet(seen, claim.object, object_types()[claim.predicate])
    return folded if folded in seen else None


def _type_of_subject(claim: Claim) -> EntityType:
    if claim.subject == SELF or is_of_people(claim.predicate):
        return EntityType.PERSON
    words = fold_name(claim.subject).split()
    return EntityType.PERSON if words and words[-1] in KIN else EntityType.ITEM


def _usable(claims: Sequence[Claim]) -> Iterator[Claim]:
    for claim in claims[:MOST_CLAIMS]:
        if 0 < len(fold_name(claim.subject)) <= LONGEST_NAME and len(claim.object) <= LONGEST_OBJECT:
            yield claim


def _alias(folded: str, one: _Seen) -> Alias:
    """Return the alias for a folded name: in its most frequent spelling, with its most frequent type."""
    name = min(one.written, key=lambda written: (-one.written[written], written))
    return Alias(0, folded, name, usual_of(one.types), one.is_named, one.written.total())


def _with_families(aliases: Sequence[Alias]) -> Iterator[NewAlias]:
    families = families_in(aliases)
    for alias in aliases:
        yield NewAlias(alias, alias.folded if alias.folded.startswith(TIMES) else families[alias.folded])


def _apart(mentions: Sequence[NewMention]) -> Iterator[NewMention]:
    """Leave out mentions at exactly the same position as another."""
    places = set()
    for mention in mentions:
        place = (mention.drawer_id, mention.start, mention.end)
        if place not in places:
            places.add(place)
            yield mention
