"""Relations as sentences, to the person whose palace it is ("You live in Ghent") or to a model. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from palace.models.claims import EntityType
from palace.models.graph import Entity, Relation, Standing
from palace.nlp.claims.kinds import kin, words
from palace.nlp.rules import rules

_RULES = rules("graph", "about")
_PART = re.compile(r"\{(\w+)\}")
_HAS = "has_"
INSTRUMENT = "musical instrument"
"""The kind whose objects take an article after "play"."""


class Voice(NamedTuple):
    """The words for the user in one voice."""

    who: str
    whose: str
    is_spoken_to: bool


YOU, USER = Voice("you", "your", True), Voice("the user", "their", False)


@dataclass(frozen=True, slots=True)
class Writer:
    """Writes relations as sentences in one voice."""

    voice: Voice
    own_id: int | None
    """The user's entity; None if nothing is known of them."""
    entities: Mapping[int, Entity]
    """The entities of the relations, by id."""

    def sentence(self, relation: Relation, standing: Standing = Standing.PRESENT) -> str:
        """Write a relation without its time: "you live in Ghent", "you lived in Ghent", "you will live in Ghent"."""
        predicate, noun = relation.predicate, _noun(relation, self.entities)
        subject, obj = self._name(relation.subject, relation.subject_id), self._object(relation)
        if noun:
            verb = self._verb("is", relation.object_id, standing)
            return f"{obj} {verb} {self._whose(relation)} {noun}"
        if predicate.startswith(_HAS):
            prop = predicate.removeprefix(_HAS).replace("_", " ")
            is_many = prop.endswith("s") and not prop.endswith("ss")
            verb = self._verb("are" if is_many else "is", None, standing)
            return f"{self._whose(relation)} {prop} {verb} {obj}"
        written = _RULES.table("sentences").get(predicate) or _written(predicate)
        found = self.entities.get(relation.object_id or 0)
        is_instrument = found is not None and INSTRUMENT in found.kinds
        parts = {"object": obj, "a": _article(obj), "the": "the " if is_instrument else ""}

        def part(named: re.Match[str]) -> str:
            if named[1] in parts:
                return parts[named[1]]
            return self._verb(named[1], relation.subject_id, standing)

        return f"{subject} {_PART.sub(part, written)}"

    def _whose(self, relation: Relation) -> str:
        if relation.subject_id == self.own_id:
            return self.voice.whose if self.voice.is_spoken_to else f"{self.voice.who}'s"
        return f"{self._name(relation.subject, relation.subject_id)}'s"

    def _name(self, name: str, entity_id: int | None) -> str:
        if entity_id is not None and entity_id == self.own_id:
            return self.voice.who
        entity = self.entities.get(entity_id or 0)
        is_noun = entity is not None and entity.type is not EntityType.PERSON and name[:1].islower()
        return f"the {name}" if is_noun else name

    def _object(self, relation: Relation) -> str:
        if relation.object_id is not None and relation.object_id == self.own_id:
            return self.voice.who
        return _RULES["owned"].sub(self.voice.whose, relation.object)

    def _verb(self, verb: str, entity_id: int | None, standing: Standing) -> str:
        other, _, past = _RULES.table("verbs").get(verb, verb.removesuffix("s")).partition(" ")
        is_you = self.voice.is_spoken_to and entity_id is not None and entity_id == self.own_id
        if standing is Standing.FUTURE:
            return "will be" if verb == "is" else f"will {other}"
        if standing is Standing.PAST:
            return "were" if is_you and verb == "is" else past or f"used to {other}"
        return other if is_you else verb


def kind_of(relation: Relation, entities: Mapping[int, Entity]) -> str:
    """Return the section of the page for a relation ("people", "home")."""
    kinds: dict[str, str] = _RULES.table("kinds")
    found = entities.get(relation.object_id or 0)
    asked = [relation.predicate]
    if relation.predicate.startswith(_HAS) and found is not None and found.type is EntityType.PERSON:
        asked.insert(0, "person")
    if relation.predicate == "has" and not words("illnesses").isdisjoint(relation.object.lower().split()):
        asked.insert(0, "illness")
    return next((kind for each in asked for kind in kinds if each in kinds[kind].split()), list(kinds)[-1])


def place_of(predicate: str) -> int:
    """Return the rank of a predicate within its section."""
    listed = " ".join(_RULES.table("kinds").values()).split()
    return listed.index(predicate) if predicate in listed else len(listed)


def is_of_people(predicate: str) -> bool:
    """Check whether a predicate is a relationship between two people."""
    return predicate in _RULES.table("nouns")


def _noun(relation: Relation, entities: Mapping[int, Entity]) -> str:
    """Return the noun for the object's relationship to the subject ("sister"); "" for other predicates."""
    usual: str = _RULES.table("nouns").get(relation.predicate, "")
    found = entities.get(relation.object_id or 0)
    if not usual or found is None:
        return usual
    return next((kind for kind in found.kinds if kin().get(kind, ("",))[0] == relation.predicate), usual)


def _written(predicate: str) -> str:
    verb, *more = predicate.split("_")
    return " ".join((f"{{{verb}}}", *more, "{object}"))


def _article(name: str) -> str:
    """Return the article for a common noun or a model name; "" if it takes none."""
    is_many = name.endswith("s") and not name.endswith("ss")
    is_thing = name[:1].islower() or any(each.isdigit() for each in name)
    if not is_thing or is_many or _RULES["determined"].match(name):
        return ""
    return "an " if _RULES["vowel"].match(name) else "a "
