"""Noun phrases of a parsed sentence, and which kinds of things they are. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from palace.models.claims import EntityType
from palace.nlp.claims.kinds import gender_of, is_job, kin, roles, words
from palace.nlp.claims.tree import CORE, Node
from palace.nlp.claims.words import is_medicine_word
from palace.nlp.names.lexicon import folded, well_known

_OWNERS = frozenset(["my", "our", "his", "her", "their", "its", "your"])
_EDGES = re.compile(r"^[\s'\"“”„«»*_(]+|[\s'\"“”„«»*_,.;:!?)]+$")
HIS = frozenset(["his", "her", "their", "its", "your", "'s"])
_VAGUE = frozenset(["this", "that", "these", "those", "every", "each", "another", "some", "such", "what"])
_MONEY = re.compile(
    r"[€£$¥]\s?\d|\d[\d.,]*\s?k?\s?(?:euros?|dollars?|bucks|pounds?|quid|francs?|eur|usd|gbp|chf|stutz|€|£)(?!\w)", re.I
)


@dataclass(frozen=True, slots=True)
class Phrase:
    """A noun with what tells it from others."""

    node: Node
    """Its noun, or its name."""
    nodes: tuple[Node, ...]
    """Without its article or possessive, and without praise."""
    owner: str
    """The article, possessive or pointing word it begins with, in lower case; "'s" behind a noun or a name."""
    text: str
    """As it is written; a name alone where it ends with one."""
    start: int
    end: int

    @property
    def head(self) -> str:
        """Its noun in lower case, as it is written."""
        return self.node.lower

    @property
    def lemma(self) -> str:
        return self.node.lemma

    @property
    def type(self) -> EntityType | None:
        return self.node.word.name.type if self.node.word.name else None

    @property
    def is_named(self) -> bool:
        """Whether it is a name, or is written as one."""
        if any(node.word.name for node in self.nodes):
            return True
        return self.text[:1].isupper() and self.nodes[-1].word.text[:1].isupper()

    @property
    def is_value(self) -> bool:
        """Whether it holds a figure."""
        return any(letter.isdigit() for letter in self.text)

    @property
    def lowers(self) -> list[str]:
        return [node.lower for node in self.nodes]

    @property
    def is_hidden(self) -> bool:
        return any(node.word.is_hidden for node in self.nodes)

    def is_type(self, *types: EntityType) -> bool:
        """Whether it is a name of one of some types."""
        return self.type in types


def phrase_of(node: Node, content: str) -> Phrase:
    """Read the phrase of a noun: with "of …" behind it, without relative clauses and prepositions."""
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
    """List what tells a noun, itself among it, in order."""
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
    """Leave out numbers and praise in front, and all but a name."""
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


def _no_pronoun(it: Phrase) -> bool:
    if it.owner in ("no", "any") and it.head not in words("eaten"):
        return False
    return (
        it.head not in words("pronounish")
        and it.lemma not in words("pronounish")
        and it.owner not in _VAGUE
        and it.node.tag not in ("PRP", "DT", "WP")
    )


def _place(it: Phrase) -> bool:
    if it.type is not None:
        return it.is_type(EntityType.PLACE, EntityType.ORGANISATION) and it.owner in ("", "the")
    if it.owner or any(each in words("no_place") for each in it.lowers) or not _no_pronoun(it) or it.is_value:
        return False
    return it.is_named


def _place_named(it: Phrase) -> bool:
    return it.is_type(EntityType.PLACE) or (it.type is None and _place(it))


def _sight(it: Phrase) -> bool:
    return it.is_type(EntityType.PLACE, EntityType.EVENT) or (it.type is None and _place(it))


def _organisation(it: Phrase) -> bool:
    if it.type is not None:
        return it.is_type(EntityType.ORGANISATION, EntityType.PROJECT) and it.owner in ("", "the")
    if it.is_value or not _no_pronoun(it) or it.head in words("no_place") - words("workplaces"):
        return False
    if it.owner not in ("", "the", "a", "an"):
        return False
    named = {each for each in it.lowers if each not in ("the", "of")}
    is_kind = it.head in words("workplaces") | words("schools") | words("institutions")
    return it.is_named or (is_kind and len(named) > 1)


def _school(it: Phrase) -> bool:
    named = it.is_named and it.owner in ("", "the")
    return named and bool(words("schools") & set(re.findall(r"\w+", it.text.lower())))


def is_medicine_phrase(it: Phrase) -> bool:
    """Tell whether a noun phrase is a medicine."""
    return any(is_medicine_word(each) for each in re.findall(r"[\w-]+", it.text.lower()))


def _goods(it: Phrase) -> bool:
    if is_medicine_phrase(it) or not _no_pronoun(it) or it.owner in ("his", "her", "their", "your", "its", "'s"):
        return False
    if it.type is not None and well_known().get(folded(it.text)) is EntityType.ITEM and not it.owner:
        return False
    if it.head in words("not_owned") or it.head in kin() or it.lemma in words("not_owned") or is_person(it):
        return False
    if it.is_type(EntityType.ITEM) or is_kept(it):
        return True
    is_counted = it.nodes[0].tag == "CD" and it.is_named and len(it.nodes) > 1
    return (is_counted or (it.type is None and it.owner in ("a", "an", "my", "our", "the"))) and not is_money(it.text)


def is_kept(it: Phrase) -> bool:
    """Tell whether it is one of the things, or the animals, that people keep."""
    kept = words("owned") | words("animals")
    is_named = any(each.word.name and each.word.name.type is EntityType.ITEM for each in it.node.all("appos"))
    return it.head in kept or it.lemma in kept or is_named


def _possession(it: Phrase) -> bool:
    if it.type is not None and well_known().get(folded(it.text)) is EntityType.ITEM and not it.owner:
        return False
    return _no_pronoun(it) and (it.is_type(EntityType.ITEM) if it.type else is_kept(it)) and not is_medicine_phrase(it)


def _sold(it: Phrase) -> bool:
    if not _no_pronoun(it) or it.owner == "'s" or is_person(it):
        return False
    is_thing = it.owner in ("my", "our", "the", "his", "her") and it.head not in words("not_owned")
    return _possession(it) or (is_thing and not it.is_type(EntityType.PLACE, EntityType.ORGANISATION))


def is_person(it: Phrase) -> bool:
    """Tell whether it is somebody."""
    is_tool = it.node.one("compound") is not None and it.lemma in ("cleaner", "trainer", "builder", "agent")
    return it.is_type(EntityType.PERSON) or (gender_of(it.lemma) is not None and not is_tool) or it.node.tag == "PRP"


def _is_written_as_name(it: Phrase) -> bool:
    return it.type is None and it.node.tag == "NNP" and it.is_named and not it.owner and not it.is_value


def _liked(it: Phrase) -> bool:
    if "'" in it.text or (it.node.is_verb and it.head not in words("sports") and _goes_on(it.node)):
        return False
    if any(each in words("of_answers") for each in it.lowers[-2:]) or not _no_pronoun(it) or len(it.nodes) > 4:
        return False
    if it.type is None and it.node.tag[:2] == "JJ":
        return False
    if it.type is not None:
        return not it.is_type(EntityType.PERSON) and (
            not it.owner or it.is_type(EntityType.ORGANISATION, EntityType.EVENT)
        )
    if any(
        each.label in ("prep", "relcl", "acl", "advcl", "dobj", "xcomp") and each.lower != "of"
        for each in it.node.children
    ):
        return False
    return not it.owner and not it.is_value and not is_person(it)


def _goes_on(node: Node) -> bool:
    """Whether what somebody does is only begun by its verb: "being outdoors"."""
    return node.lower in ("being", "having", "getting", "going", "doing") or any(
        each.label not in ("punct", "cc", "conj", "neg") for each in node.children
    )


def _activity(it: Phrase) -> bool:
    sports = (words("sports") | words("games") | words("habits")) - words("groups")
    return not it.is_value and it.head in sports and it.owner in ("", "the", "my")


def _group(it: Phrase) -> bool:
    if it.owner in _VAGUE or not _no_pronoun(it):
        return False
    return it.head in words("groups") or it.is_type(EntityType.ORGANISATION)


def _joined(it: Phrase) -> bool:
    if set(it.lowers) & words("joined_once") or it.owner in _VAGUE:
        return False
    return _group(it) or (it.is_type(EntityType.PLACE) and " " in it.text)


def is_money(text: str) -> bool:
    """Tell whether a text is an amount of money."""
    return _MONEY.search(text) is not None


def _is_model(it: Phrase) -> bool:
    """Whether it is a thing by its make: "an MG4", "the Pixel 7"."""
    return it.is_named and (it.is_type(EntityType.ITEM) or any(each.isdigit() for each in it.lowers[-1]))


def _used(it: Phrase) -> bool:
    if it.type is not None:
        return it.is_type(EntityType.ITEM, EntityType.ORGANISATION, EntityType.PROJECT) and not is_medicine_phrase(it)
    return it.is_named and it.owner in ("", "the")


def _job(it: Phrase) -> bool:
    return (is_job(it.lemma) or is_job(it.head)) and it.type is None


KINDS: dict[str, Callable[[Phrase], bool]] = {
    "place": _place,
    "place_named": _place_named,
    "sight": _sight,
    "organisation": _organisation,
    "employer": _organisation,
    "employer_at": lambda it: _organisation(it) or (it.is_type(EntityType.PLACE) and not it.owner),
    "firm": lambda it: it.is_type(EntityType.ORGANISATION) and not _school(it),
    "school": _school,
    "subject": lambda it: not it.owner and bool(words("subjects") & set(it.lowers[-2:])),
    "language": lambda it: it.head in words("languages"),
    "job": _job,
    "person": lambda it: it.is_type(EntityType.PERSON) or _is_written_as_name(it),
    "project": lambda it: it.is_type(EntityType.PROJECT),
    "goods": _goods,
    "kept": lambda it: _possession(it) and it.owner not in ("his", "her", "their", "your", "'s"),
    "sold": _sold,
    "animal": lambda it: it.lemma in words("animals") or it.is_type(EntityType.ITEM),
    "medicine": is_medicine_phrase,
    "illness": lambda it: it.lemma in words("illnesses") or it.head in words("illnesses"),
    "allergen": lambda it: _no_pronoun(it) and not is_person(it) and len(it.nodes) <= 3,
    "instrument": lambda it: it.head in words("instruments"),
    "played": lambda it: it.head in words("instruments") or it.head in words("games"),
    "activity": _activity,
    "liked": _liked,
    "used": _used,
    "group": _group,
    "joined": _joined,
    "led": lambda it: (it.owner not in _VAGUE and it.head in words("groups")) or it.is_type(EntityType.PROJECT),
    "business": lambda it: (
        it.is_type(EntityType.ORGANISATION, EntityType.PROJECT)
        or (it.lemma in words("businesses") and not it.node.is_verb)
    ),
    "gotten": lambda it: (
        (
            _possession(it)
            and it.owner not in HIS
            and it.lemma not in words("homes")
            and not any(each.lower == "of" for each in it.node.all("prep"))
        )
        or (_goods(it) and _is_model(it))
    ),
    "lost": lambda it: _possession(it) and it.owner in ("my", "our", "his", "her", ""),
    "tool": lambda it: _used(it) and not it.owner and len(it.nodes) < 3,
    "left_group": lambda it: _group(it) and it.type is None,
    "group_in": lambda it: it.head in words("groups") and it.owner in ("a", "the", ""),
    "avoided": lambda it: _no_pronoun(it) and it.type is None and it.owner in ("", "no", "any") and not is_person(it),
    "made": lambda it: (it.owner in ("the", "my", "our") and not is_person(it) and not it.is_value) or it.head == "it",
    "event": lambda it: it.is_type(EntityType.EVENT),
    "place_city": lambda it: it.is_type(EntityType.PLACE) and not it.owner,
    "vehicle": lambda it: (
        (it.is_named or it.nodes[-1].word.text[:1].isupper()) and it.owner in ("a", "an", "my", "our")
    ),
    "appointment": lambda it: it.lemma in words("dated") or (it.lemma in roles() and it.owner in ("the", "a")),
    "stay": lambda it: it.is_type(EntityType.PLACE, EntityType.ORGANISATION, EntityType.EVENT, EntityType.ITEM),
    "anything": _no_pronoun,
}
"""Tests of noun phrases by the names that kinds have in the data."""


def fits(it: Phrase, kind: str) -> bool:
    """Tell whether a noun phrase is of a kind; of several that are parted by a slash, of any."""
    return not it.is_hidden and any(KINDS[each](it) for each in kind.split("/"))
