"""Noun phrases of a parsed sentence, and the kinds of things that they denote. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from typing import NamedTuple

from palace.models.claims import EntityType
from palace.nlp.claims.kinds import gender_of, is_job, kin, roles, words
from palace.nlp.claims.tree import CORE, Node
from palace.nlp.claims.words import is_medicine_word
from palace.nlp.names.lexicon import folded, well_known
from palace.nlp.rules import Rules

_OWNERS = frozenset(["my", "our", "his", "her", "their", "its", "your"])
_EDGES = re.compile(r"^[\s'\"“”„«»*_(]+|[\s'\"“”„«»*_,.;:!?)]+$")
HIS = frozenset(["his", "her", "their", "its", "your", "'s"])
"""Possessives of things that are not the speaker's."""
_VAGUE = frozenset(["this", "that", "these", "those", "every", "each", "another", "some", "such", "what"])
_MONEY = re.compile(
    r"[€£$¥]\s?\d|\d[\d.,]*\s?k?\s?(?:euros?|dollars?|bucks|pounds?|quid|francs?|eur|usd|gbp|chf|stutz|€|£)(?!\w)", re.I
)


@dataclass(frozen=True, slots=True)
class Phrase:
    """A noun with its modifiers."""

    node: Node
    """The head noun or the name."""
    nodes: tuple[Node, ...]
    """The words in order, without article, possessive and words of praise."""
    owner: str
    """The article, possessive or demonstrative before it, in lower case; "'s" for a possessive noun, "" for none."""
    text: str
    """The phrase as written; only the name where its head is a name."""
    start: int
    end: int

    @property
    def head(self) -> str:
        """The head noun as written, in lower case."""
        return self.node.lower

    @property
    def lemma(self) -> str:
        return self.node.lemma

    @property
    def type(self) -> EntityType | None:
        """The type of the name that it is; None for no name and for one of unknown type."""
        name = self.node.word.name
        return name.type if name and name.type is not EntityType.UNKNOWN else None

    @property
    def is_named(self) -> bool:
        """Check whether the phrase contains a name, or is capitalised like one."""
        if any(node.word.name for node in self.nodes):
            return True
        return self.text[:1].isupper() and self.nodes[-1].word.text[:1].isupper()

    @property
    def is_value(self) -> bool:
        """Check whether the phrase contains a digit."""
        return any(letter.isdigit() for letter in self.text)

    @property
    def lowers(self) -> list[str]:
        return [node.lower for node in self.nodes]

    @property
    def is_hidden(self) -> bool:
        return any(node.word.is_hidden for node in self.nodes)

    def is_type(self, *types: EntityType) -> bool:
        """Check whether the phrase is a name of any of these types."""
        return self.type in types


def phrase_of(node: Node, content: str) -> Phrase:
    """Build the phrase of a noun, with "of …" behind it and without relative clauses and other prepositions."""
    inner = next((prep.one("pobj") for prep in node.all("prep") if prep.lower == "of"), None)
    if node.lemma in words("measures") and inner is not None and inner.word.name is None:
        return replace(phrase_of(inner, content), owner=_owner(node))
    kept = _stripped(_words(node), node)
    start, end = kept[0].word.start, kept[-1].word.end
    text = " ".join(_EDGES.sub("", content[start:end]).split())
    return Phrase(node, tuple(kept), _owner(node), text, start, end)


def _owner(node: Node) -> str:
    poss = node.one("poss")
    if poss is not None:
        return poss.lower if poss.lower in _OWNERS else "'s"
    return next((each.lower for each in node.all("det") if each.place < node.place), "")


def _words(node: Node) -> list[Node]:
    """List a noun and its modifiers in order."""
    kept = [node]
    for child in node.children:
        if (
            child.label in CORE
            and child.label not in ("det", "poss")
            and child.place < node.place
            and child.lower not in (",", "-", "(")
        ):
            kept += child.subtree("det")
        elif child.label == "nummod" and child.place == node.place + 1:
            kept += child.subtree()
        elif child.label == "prep" and child.lower == "of" and node.word.name is None:
            kept += child.subtree("relcl", "acl", "advcl")
    return sorted(kept, key=lambda each: each.place)


def _stripped(kept: list[Node], node: Node) -> list[Node]:
    """Drop leading numbers and words of praise, and everything but the name where the head is one."""
    if kept[0].label == "nummod" and kept[0] is not node and not kept[0].lower[0].isdigit():
        kept.pop(0)
    while len(kept) > 1 and kept[0] is not node and kept[0].word.name is None and _is_praise(kept[0]):
        kept.pop(0)
    if node.word.name is not None and not any(each.word.name for each in kept if each is not node):
        return [node]
    return kept


def _is_praise(node: Node) -> bool:
    if node.word.text[:1].isupper() and node.place and node.lower.isalpha():
        return False
    is_small = node.label in ("predet", "quantmod", "punct", "advmod") and node.word.text != "$"
    return node.lower in words("praise") or is_small


def fits(it: Phrase, kind: str) -> bool:
    """Check whether a noun phrase is of a kind, or of any of several kinds separated by slashes."""
    return not it.is_hidden and any(
        _SPECIAL[each](it) if each in _SPECIAL else _is_of(it, kinds()[each]) for each in kind.split("/")
    )


class Kind(NamedTuple):
    """The conditions for a kind of thing, one row of the data."""

    types: frozenset[str]
    """Entity types of names that belong to it."""
    lists: frozenset[str]
    """Names of the word lists that its noun may stand in."""
    owners: frozenset[str]
    """Articles and possessives that may stand before it; any if empty."""
    rules: frozenset[str]


@cache
def kinds() -> dict[str, Kind]:
    """Load the kinds of the data by name."""
    rows = Rules("claims", "kinds.toml").table("objects").items()
    return {name: Kind(*(frozenset(part.split()) for part in row.split("|"))) for name, row in rows}


def _is_of(it: Phrase, kind: Kind) -> bool:
    forms = {it.head, it.lemma}
    is_barred = any(forms & words(rule.removeprefix("no_")) for rule in kind.rules & _BARRED)
    is_barred |= "no_value" in kind.rules and it.is_value
    is_barred |= "no_person" in kind.rules and is_person(it)
    if is_barred or not _no_pronoun(it) or (kind.owners and (it.owner or "none") not in kind.owners):
        return False
    if it.type is not None:
        return it.type in kind.types and not is_medicine_phrase(it)
    is_listed = any(forms & words(each) for each in kind.lists - {"named", "anything"})
    return is_listed or ("named" in kind.lists and it.is_named) or "anything" in kind.lists


_BARRED = frozenset(["no_no_place", "no_groups", "no_joined_once"])
"""Rules that exclude a word list from a kind."""


def _no_pronoun(it: Phrase) -> bool:
    if it.owner in _VAGUE or it.node.tag in ("PRP", "DT", "WP") or {it.head, it.lemma} & words("pronounish"):
        return False
    return it.owner not in ("no", "any") or it.head in words("eaten")


def _organisation(it: Phrase) -> bool:
    if it.type is not None:
        return it.is_type(EntityType.ORGANISATION, EntityType.PROJECT) and it.owner in ("", "the")
    if it.is_value or not _no_pronoun(it) or it.head in words("no_place") - words("workplaces"):
        return False
    named = {each for each in it.lowers if each not in ("the", "of")}
    is_kind = it.head in words("workplaces") | words("schools") | words("institutions")
    return it.owner in ("", "the", "a", "an") and (it.is_named or (is_kind and len(named) > 1))


def _school(it: Phrase) -> bool:
    named = it.is_named and it.owner in ("", "the")
    return named and bool(words("schools") & set(re.findall(r"\w+", it.text.lower())))


def is_medicine_phrase(it: Phrase) -> bool:
    """Check whether a noun phrase is a medicine."""
    return any(is_medicine_word(each) for each in re.findall(r"[\w-]+", it.text.lower()))


def _goods(it: Phrase) -> bool:
    """Check whether the phrase is a thing that a buyer owns afterwards."""
    forms = {it.head, it.lemma}
    is_none = is_medicine_phrase(it) or not _no_pronoun(it) or it.owner in HIS or _is_service(it)
    if is_none or forms & words("not_owned") or it.head in kin() or is_person(it):
        return False
    if it.is_type(EntityType.ITEM) or is_kept(it):
        return True
    is_counted = it.nodes[0].tag == "CD" and it.is_named and len(it.nodes) > 1
    return (is_counted or (it.type is None and it.owner in ("a", "an", "my", "our", "the"))) and not is_money(it.text)


def is_kept(it: Phrase) -> bool:
    """Check whether the phrase is a thing or an animal that people own."""
    is_named = any(each.word.name and each.word.name.type is EntityType.ITEM for each in it.node.all("appos"))
    return bool({it.head, it.lemma} & (words("owned") | words("animals"))) or is_named


def _is_service(it: Phrase) -> bool:
    """Check whether the phrase is well-known software or a service, which no user owns."""
    return it.type is not None and well_known().get(folded(it.text)) is EntityType.ITEM and not it.owner


def _possession(it: Phrase) -> bool:
    is_own = it.is_type(EntityType.ITEM) if it.type else is_kept(it)
    return is_own and _no_pronoun(it) and not _is_service(it) and not is_medicine_phrase(it)


def _sold(it: Phrase) -> bool:
    if not _no_pronoun(it) or it.owner == "'s" or is_person(it):
        return False
    is_thing = it.owner in ("my", "our", "the", "his", "her") and it.head not in words("not_owned")
    return _possession(it) or (is_thing and not it.is_type(EntityType.PLACE, EntityType.ORGANISATION))


def _gotten(it: Phrase) -> bool:
    is_model = it.is_named and (it.is_type(EntityType.ITEM) or any(each.isdigit() for each in it.lowers[-1]))
    is_part = any(each.lower == "of" for each in it.node.all("prep"))
    is_own = _possession(it) and it.owner not in HIS and it.lemma not in words("homes")
    return (is_own and not is_part) or (_goods(it) and is_model)


def is_person(it: Phrase) -> bool:
    """Check whether the phrase denotes a person."""
    is_tool = it.node.one("compound") is not None and it.lemma in ("cleaner", "trainer", "builder", "agent")
    return it.is_type(EntityType.PERSON) or (gender_of(it.lemma) is not None and not is_tool) or it.node.tag == "PRP"


def _somebody(it: Phrase) -> bool:
    is_written = it.type is None and it.node.tag == "NNP" and it.is_named and not it.owner and not it.is_value
    return it.is_type(EntityType.PERSON) or is_written


def _job(it: Phrase) -> bool:
    """Check whether the phrase is a profession; a "lead" is one in a compound: "team lead"."""
    is_lead = it.lemma == "lead" and not words("led_at_work").isdisjoint(it.lowers)
    return (is_lead or is_job(it.lemma) or is_job(it.head)) and it.type is None


def _liked(it: Phrase) -> bool:
    """Check whether the phrase is a complete object of "like", and not a wish for how answers should be."""
    node = it.node
    is_wanted = any(each in words("of_answers") for each in it.lowers[-2:])
    is_begun = node.is_verb and it.head not in words("sports") and _goes_on(node)
    if "'" in it.text or is_begun or is_wanted or not _no_pronoun(it) or len(it.nodes) > 4:
        return False
    if it.type is not None:
        is_whole = not it.owner or it.is_type(EntityType.ORGANISATION, EntityType.EVENT)
        return is_whole and not it.is_type(EntityType.PERSON)
    inner = node.all("prep", "relcl", "acl", "advcl", "dobj", "xcomp")
    is_plain = node.tag[:2] != "JJ" and all(each.lower == "of" for each in inner)
    return is_plain and not it.owner and not it.is_value and not is_person(it)


def _goes_on(node: Node) -> bool:
    """Check whether an activity needs more words than its verb: "being outdoors"."""
    return node.lower in ("being", "having", "getting", "going", "doing") or any(
        each.label not in ("punct", "cc", "conj", "neg") for each in node.children
    )


def is_money(text: str) -> bool:
    """Check whether a text is an amount of money."""
    return _MONEY.search(text) is not None


_SPECIAL: dict[str, Callable[[Phrase], bool]] = {
    "employer": _organisation,
    "firm": lambda it: it.is_type(EntityType.ORGANISATION) and not _school(it),
    "school": _school,
    "job": _job,
    "person": _somebody,
    "goods": _goods,
    "kept": lambda it: _possession(it) and it.owner not in HIS,
    "sold": _sold,
    "gotten": _gotten,
    "lost": lambda it: _possession(it) and it.owner in ("my", "our", "his", "her", ""),
    "medicine": is_medicine_phrase,
    "liked": _liked,
    "made": lambda it: (it.owner in ("the", "my", "our") and not is_person(it) and not it.is_value) or it.head == "it",
    "vehicle": lambda it: (
        (it.is_named or it.nodes[-1].word.text[:1].isupper()) and it.owner in ("a", "an", "my", "our")
    ),
    "role": lambda it: it.lemma in roles() and it.owner in ("the", "a"),
}
"""Kinds that need code instead of a row of the data."""
