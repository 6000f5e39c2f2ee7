"""The text of claims' objects, and claims of ownership that noun phrases make. Pure."""

from __future__ import annotations

import re

from palace.models.claims import Action, EntityType
from palace.nlp.claims.clauses import Clause, Complement
from palace.nlp.claims.kinds import Use, words
from palace.nlp.claims.people import Context, meant_by, name_of, names_behind
from palace.nlp.claims.phrases import HIS, Phrase, is_kept, is_medicine_phrase, is_person, phrase_of
from palace.nlp.claims.tree import Node
from palace.nlp.claims.words import RULES

_NAMED = frozenset(["owns", "works_at", "member_of", "leads", "studies_at"])
_DOSE_BEHIND = re.compile(r"\s*\d[\d.,]*\s?(?:mg|mcg|µg|ml|g)?$")


def object_of(phrase: Phrase, predicate: str, context: Context) -> str:
    """Return the text of a claim's object: its name if it has one, a medicine without dose, a pronoun's referent."""
    if phrase.node.tag == "PRP":
        return meant_by("ta", context) or ""
    if predicate == "takes":
        return _medicine(phrase, context)
    if predicate == "works_at" and phrase.lemma in words("posts"):
        return ""  # ends whatever work there is: "I handed in my notice"
    if predicate == "studies":
        first = next((node for node in phrase.nodes if node.lower in words("subjects")), phrase.nodes[0])
        return context.message.content[first.word.start : phrase.end]
    called = called_behind(phrase, context) if predicate in _NAMED and phrase.type is None else None
    return called or phrase.text


def _medicine(phrase: Phrase, context: Context) -> str:
    content = context.message.content
    if phrase.type is not None:
        return _DOSE_BEHIND.sub("", phrase.text)
    medical = [
        node for node in phrase.nodes if is_medicine_phrase(phrase_of(node, content)) and node.word.text[0].isalpha()
    ]
    inner = next((node for node in medical if node is not phrase.node or len(medical) == 1), phrase.node)
    return content[inner.word.start : inner.word.end] if medical else phrase.text


def called_behind(phrase: Phrase, context: Context) -> str | None:
    """Return the name given to a noun behind it: "a bakery called Flour & Co", "a kayak, the Nordkapp"."""
    node = phrase.node
    for each in node.all("acl"):
        inner = each.one("oprd", "dobj", "attr", "npadvmod", "xcomp", "ccomp")
        if each.lower in ("called", "named") and inner is not None:
            return phrase_of(inner, context.message.content).text
    if not (is_kept(phrase) and phrase.owner in ("a", "an", "my", "our")):
        return None
    is_animal = phrase.lemma in words("animals")
    for each in node.all("appos"):
        # Without a comma it is somebody spoken to: "we have a house tobi".
        between = {other.lower for other in context.nodes[node.place : each.place]}
        is_apart = phrase.owner in ("my", "our") or not between.isdisjoint((",", "(", "-"))
        if (
            each.word.name is not None
            and (is_apart or is_animal)
            and each.word.name.type in (EntityType.ITEM, EntityType.PERSON)
        ):
            return each.word.name.text
    if not is_animal:
        return None
    named = name_of(node, context) if node.one("poss") else None
    return named or next((name for name, _ in names_behind(node.place, context)), None)


def is_for_another(use: Use, each: Complement, clause: Clause, found: list[Complement]) -> bool:
    """Check whether a thing is got for another person or was the speaker's already: "bought my sister a lamp"."""
    if use.predicate != "owns" or use.does != "begin":
        return False
    is_dated = clause.times.at is not None and not clause.verb.all("prt")
    if each.phrase.owner in ("my", "our") and not is_dated:
        return True
    given = [other.phrase for other in found if other.before in ("", "2") and other is not each]
    others = [other.phrase for other in found if other.before == "for"]
    is_given = any(is_person(other) and other.head not in ("me", "us", "myself") for other in given)
    return is_given or any(is_person(other) or other.owner in HIS for other in others)


def is_medical(phrase: Phrase, context: Context) -> bool:
    """Check whether a product may be a medicine, by medical words anywhere in the message."""
    is_product = phrase.is_type(EntityType.ITEM) and phrase.owner in ("", "the")
    return is_product and RULES.pattern("medical").search(context.message.content.lower()) is not None


def is_doctor(name: str, context: Context) -> bool:
    """Check whether a person has a doctor's title in the message."""
    title = re.search(rf"(?<!\w)(?:dr\.?|doctor) {re.escape(name.lower())}", context.message.content.lower())
    return title is not None or name.lower().startswith(("dr ", "dr. ", "doctor "))


def limit_of(clause: Clause) -> str:
    """Return the time of day to which a refusal of food or drink is limited (" after noon"); "" for none."""
    for prep in clause.verb.all("prep"):
        noun = prep.one("pobj")
        if prep.lower in ("after", "before", "at", "during") and noun is not None and not clause.is_time(noun):
            return f" {prep.lower} {noun.lower}"
    return ""


def read_nominal(context: Context, *, is_open: bool) -> None:
    """Add the claims of noun phrases; only ownership where ``is_open``, that is, where some clause is no statement."""
    is_supposed = any(node.lower in ("if", "unless", "whether", "imagine") for node in context.nodes)
    for node in context.nodes:
        if node.one("poss") is not None and not is_supposed:
            _belonging(node, context)
        if not is_open and node.word.name is not None and node.word.name.type is EntityType.ORGANISATION:
            _located(node, context)


def _located(node: Node, context: Context) -> None:
    """Claim where an organisation is: "Bosch in Stuttgart"."""
    for prep in node.all("prep"):
        place = prep.one("pobj")
        name = place.word.name if place is not None and prep.place == node.place + 1 and prep.lower == "in" else None
        if name is not None and name.type is EntityType.PLACE and node.word.name is not None:
            context.claim(node.word.name.text, "located_in", name.text, Action.HOLDS)


def _belonging(node: Node, context: Context) -> None:
    """Claim ownership of a thing that the speaker calls theirs with more than a noun: "my mountain bike"."""
    poss = node.one("poss")
    phrase = phrase_of(node, context.message.content)
    if poss is None or poss.lower not in ("my", "our") or len(phrase.nodes) > 4 or phrase.is_hidden:
        return
    if poss.place and context.nodes[poss.place - 1].lower in ("not", "like", "of"):
        return
    is_kept = (
        {phrase.lemma, phrase.head} & (words("owned") - words("rooms"))
        and not phrase.is_value
        and len(phrase.nodes) > 1
    )
    if (is_kept or _is_model(phrase)) and not any(map(_is_no_own, phrase.nodes[:-1])):
        context.note(phrase.text, "t")
        context.claim(context.message.speaker, "owns", phrase.text, Action.HOLDS)


def _is_model(phrase: Phrase) -> bool:
    last = phrase.text.split()[-1]
    return (
        phrase.text[:1].isupper()
        and last[0].isalnum()
        and any(map(str.isdigit, last))
        and phrase.type in (None, EntityType.ITEM)
    )


def _is_no_own(node: Node) -> bool:
    return node.lower.endswith(("ing", "ed")) or node.lower in words("former") or node.lower in ("work", "company")
