"""Resolve mentions of people, animals and things: names, pronouns, and nouns of kin and roles. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from palace.models import Span
from palace.models.claims import Action, EntityType
from palace.nlp.claims.kinds import gender_of, in_english, kin, roles, words
from palace.nlp.claims.message import Message, Party, draft
from palace.nlp.claims.phrases import phrase_of
from palace.nlp.claims.tree import Node
from palace.nlp.names.lexicon import folded, is_ordinary, sexes
from palace.nlp.time.clause import Times
from palace.nlp.words import STOP_WORDS

_PRONOUNS = {
    "they": "p", "them": "p", "she": "fna", "her": "fna", "he": "mna", "him": "mna", "it": "ta", "his": "mna",
    "its": "ta",
}  # fmt: skip
_SPEAKER = frozenset(["i", "we", "me", "us", "myself", "ourselves", "mine", "ours"])
_MINE = frozenset(["my", "our"])
_CALLED = frozenset(["called", "named"])
_JOINS = frozenset([",", "and"])
_NOT_BORNE = (EntityType.PLACE, EntityType.ORGANISATION, EntityType.EVENT, EntityType.PROJECT)
_LONGEST_NAME = 3


@dataclass(frozen=True, slots=True)
class Context:
    """A sentence whose claims are being read, with its message."""

    message: Message
    number: int
    """Index of the sentence in the message."""
    nodes: Sequence[Node]
    span: Span

    def note(self, text: str, gender: str, *, is_subject: bool = False) -> None:
        """Remember a person or thing, so that later pronouns may refer to it."""
        self.message.spoken.note(Party(text, gender, self.message.turn, self.number, is_subject))

    def party(self, text: str, gender: str) -> Party:
        return Party(text, gender, self.message.turn, self.number)

    @property
    def speaker(self) -> Party:
        return self.party(self.message.speaker, "s")

    def written(self, node: Node) -> str:
        """Return a word as written, in lower case: "mum" where "mother" was parsed; kin by marriage with hyphens."""
        if node.lower.endswith("-in-law"):
            return node.lower
        return self.message.content[node.word.start : node.word.end].lower()

    def claim(
        self,
        subject: str,
        predicate: str,
        obj: str,
        action: Action,
        times: Times | None = None,
        span: Span | None = None,
    ) -> None:
        """Add a claim to the message, unless its object is the same as its subject, or empty and nothing ends."""
        if subject.casefold() != obj.casefold() and (obj or action is Action.ENDS):
            self.message.claim(draft(subject, predicate, obj, action, times or Times(), span or self.span))


def parties_of(node: Node | None, context: Context) -> list[Party]:
    """Resolve a subject of one or several ("my wife and I"), the speaker first; unresolved ones are left out."""
    if node is None:
        return []
    found = [party for each in node.joined() for party in (party_of(each, context),) if party]
    return sorted(found, key=lambda party: party.gender != "s")


def party_of(node: Node, context: Context) -> Party | None:
    """Resolve one noun, pronoun or name; None where its referent is indefinite or ambiguous."""
    spoken = context.message.spoken
    lower = node.lower
    if lower in _SPEAKER:
        return context.speaker
    if lower in _PRONOUNS and node.tag in ("PRP", "PRP$"):
        genders = _PRONOUNS[lower]
        meant = meant_by(genders, context)
        return context.party(meant, spoken.gender(meant) or genders[0]) if meant else None
    if node.tag in ("PRP", "WP", "WDT", "DT", "EX", "WRB", "CD") or node.word.is_hidden:
        return None
    named = name_of(node, context)
    if named is not None:
        return context.party(named, _gender(node, named, context))
    return _unnamed(node, context)


def _unnamed(node: Node, context: Context) -> Party | None:
    """Resolve "my sister", "Anna's brother", "mum", "my boat", "the boat"."""
    phrase = phrase_of(node, context.message.content)
    noun = context.written(node)
    gender = gender_of(node.lemma) or gender_of(noun)
    owner = owner_of(node, context)
    if gender is not None:
        if owner is None and noun in words("bare_kin") and not phrase.owner:
            owner = context.message.speaker
        if owner is None or any(each in words("former") for each in phrase.lowers):
            return None
        return context.party(context.message.of_owner(owner, noun), "p" if node.tag == "NNS" else gender)
    is_told_apart = any(each.lower != "of" for each in node.all("prep")) or bool(node.all("relcl", "acl"))
    if is_told_apart:  # "the boat in berth 4" is not the boat
        return None
    if phrase.owner in ("my", "our", "the") and node.tag in ("NN", "NNP") and not phrase.is_hidden:
        gender = "a" if node.lemma in words("animals") else "t"
        return context.party(phrase.text, gender)
    if not phrase.owner and node.tag == "NNP" and node.lower not in STOP_WORDS and len(phrase.nodes) <= _LONGEST_NAME:
        return context.party(phrase.text, context.message.spoken.gender(phrase.text) or "n")
    return None


def meant_by(genders: str, context: Context) -> str | None:
    """Find the referent of a pronoun: the last fitting subject, or the only fitting mention; None if ambiguous."""
    turn, number = context.message.turn, context.number
    fitting = [each for each in context.message.spoken.parties if each.gender in genders]
    for group in (
        [each for each in fitting if each.turn == turn and each.sentence == number],
        [each for each in fitting if each.turn == turn and each.sentence == number - 1],
        [each for each in fitting if each.turn == turn],
        [each for each in fitting if each.turn == turn - 1],
    ):
        subjects = [each for each in group if each.is_subject]
        sure = [each for each in group if each.gender != "n"]
        for chosen in (subjects, group, sure):
            if len(chosen) == 1:
                return chosen[0].text
        if group:
            return subjects[-1].text if subjects and subjects[-1].sentence == number else None
    return None


def owner_of(node: Node, context: Context) -> str | None:
    """Return the owner of a noun by the possessive before it; None for none."""
    poss = node.one("poss")
    return owner_by(poss, node, context) if poss is not None else None


def owner_by(poss: Node, node: Node, context: Context) -> str | None:
    """Return the referent of a possessive before a noun; None where it cannot be resolved."""
    if poss.lower in _MINE:
        return context.message.speaker
    if poss.lower in ("his", "her", "its"):
        genders = _PRONOUNS.get(poss.lower, "p")
        genders = genders.replace("a", "") if gender_of(node.lemma) else f"{genders}t"
        return meant_by(genders, context)
    party = party_of(poss, context)
    return party.text if party is not None and party.text != context.message.speaker else None


def name_of(node: Node, context: Context) -> str | None:
    """Return the name with which a noun is mentioned ("my sister Anna", "Tom"); None for none."""
    if node.word.name is not None:
        return node.word.name.text
    if gender_of(node.lemma) is None and node.lemma not in words("animals"):
        return None
    if node.tag == "NNS" or not (node.one("poss") or node.lower in words("bare_kin")):
        return None
    return next((name for name, _ in names_behind(node.place, context)), None)


def _gender(node: Node, name: str, context: Context) -> str:
    if node.word.name is not None and node.word.name.type not in (EntityType.PERSON, EntityType.ITEM):
        return "t"
    known = context.message.spoken.gender(name) or gender_of(node.lemma)
    if known:
        return known
    if node.word.name is None:
        return "a"
    is_person = node.word.name.type is EntityType.PERSON
    return sex_of(name) if is_person else "t"


def sex_of(name: str) -> str:
    """Return the gender of a name by its first word: "f", "m", or "n" for either or unknown."""
    return sexes().get(folded(name).split()[0], "n") if name.strip() else "n"


def names_behind(place: int, context: Context) -> Iterator[tuple[str, int]]:
    """Return the names behind a noun ("sister Anna", "kids, Simi and Dapo"), each with the index after it."""
    nodes = context.nodes
    at = _opened(nodes, place + 1)
    while at < len(nodes):
        found = _name_at(nodes, at)
        if found is None:
            return
        name, at = found
        if at == place + 2 and name.islower() and is_ordinary(name):
            return
        at = _aged(nodes, at)
        yield name, at
        start = at
        while at < len(nodes) and nodes[at].lower in _JOINS:
            at += 1
        if at == start:
            return


def _opened(nodes: Sequence[Node], at: int) -> int:
    """Return the index behind the link between a noun and its name: a mark, "called", "by the name of", a title."""
    texts = [node.lower for node in nodes[at : at + 6]]
    if texts[:1] and texts[0] in (",", "(", ":", "-"):
        at, texts = at + 1, texts[1:]
    called = next((n for n, text in enumerate(texts[:4]) if text in _CALLED), None)
    if called is not None and called > 1 and nodes[at].tag == "POS":  # "my mother's dog is called Rex"
        called = None
    if called is not None and (called == 0 or texts[0] in ("a", "an", "the", "is", "are", "who", "'s")):
        at += called + 1
    elif texts[:4] == ["by", "the", "name", "of"]:
        at += 4
    while at < len(nodes) and nodes[at].lower.rstrip(".") in words("titles") and nodes[at].word.name is None:
        at += 1
    return at


def _name_at(nodes: Sequence[Node], at: int) -> tuple[str, int] | None:
    name = nodes[at].word.name
    is_borne = name is not None and name.type not in _NOT_BORNE and name.type is not EntityType.TIME
    return (name.text, at + 1) if name is not None and is_borne else None


def _aged(nodes: Sequence[Node], at: int) -> int:
    """Return the index behind an age that follows a name: "(7)", ", 7,", "who's eleven"."""
    end = at
    while end < len(nodes) and nodes[end].lower in (",", "(", "who", "is", "'s", "age", "aged"):
        end += 1
    if end >= len(nodes) or nodes[end].tag != "CD":
        return at
    end += 1
    while end < len(nodes) and nodes[end].lower in (")", "years", "old", "yrs"):
        end += 1
    return end


def claim_people(context: Context, *, theirs: bool = False, without: Collection[int] = ()) -> None:
    """Add the claims of named kin, roles and animals: "my sister Anna", "our dog Biscuit".

    Those with a pronoun as owner ("his brother Chidi") are read only with ``theirs``, once the pronouns of the sentence
    can be resolved. ``without`` are the indexes of nouns that are left out.
    """
    for node in context.nodes:
        noun = noun_of_somebody(node)
        poss = _possessive_before(node, context) if noun is not None and node.place not in without else None
        if poss is None or (poss.lower in ("his", "her", "their")) is not theirs:
            continue
        former = {each.lower for each in context.nodes[poss.place : node.place]} & words("former")
        owner = owner_by(poss, node, context)
        if owner is not None and not former:
            claim_all_named(node, owner, context)


def _possessive_before(node: Node, context: Context) -> Node | None:
    """Find the possessive of a noun by searching to its left: "my dear old sister", "Tom's sister"."""
    for at in range(node.place - 1, max(-1, node.place - 6), -1):
        each = context.nodes[at]
        if each.tag == "PRP$":
            return each
        if each.tag == "POS" or each.lower == "'s":
            return context.nodes[at - 1] if at else None
        if each.tag[:2] not in ("JJ", "NN", "CD", "VB") or each.word.name is not None:
            return None
    return None


def noun_of_somebody(node: Node) -> str | None:
    """Return a noun of kin, a role or an animal in the singular; None for any other word."""
    if node.word.name is not None or node.tag[:2] not in ("NN", "JJ"):
        return None
    noun = node.lemma if node.tag[:2] == "NN" else node.lower
    return noun if noun in kin() or noun in roles() or noun in words("animals") else None


def claim_all_named(node: Node, owner: str, context: Context) -> int:
    """Claim what the people or animals named beside a noun are to its owner; return how many there are."""
    is_many = node.tag in ("NNS", "NNPS")
    noun = noun_of_somebody(node) or ""
    noun = "child" if noun == "twin" and is_many else noun
    named = [name for name, _ in names_behind(node.place, context)]
    named = named if is_many else named[:1] or _name_before(node, context)
    for name in named:
        claim_named(context, owner, noun, name, is_only=not is_many)
    return len(named)


def _name_before(node: Node, context: Context) -> list[str]:
    """Return the name directly before a noun with its possessive: "Pickle my rabbit", "Tom, my brother"."""
    at = (
        min(each.place for each in node.subtree() if each.label in ("poss", "amod", "case", "compound") or each is node)
        - 1
    )
    if at > 0 and context.nodes[at].lower == ",":
        at -= 1
    name = context.nodes[at].word.name if at >= 0 else None
    is_first = at == 0 or context.nodes[at - 1].lower in ("and", ",", "of", "with", "for", "from", ".")
    return (
        [name.text]
        if name is not None and name.type not in _NOT_BORNE and is_first and name.type is not EntityType.TIME
        else []
    )


def claim_named(context: Context, owner: str, noun: str, name: str, *, is_only: bool = True) -> None:
    """Claim that an owner's sister, dog or dentist has this name; only the relation where there are several of them."""
    predicate = f"has_{in_english(noun)}"
    if noun in kin():
        predicate = kin()[noun][0]
    elif noun in words("animals"):
        predicate = "owns"
    context.note(name, gender_of(noun) or "a")
    if is_only and not predicate.startswith("has_"):
        context.claim(context.message.of_owner(owner, noun), "called", name, Action.HOLDS)
    context.claim(owner, predicate, name, Action.HOLDS)


def note_people(context: Context, first: int, end: int) -> None:
    """Remember the people mentioned in ``nodes[first:end]`` for later pronouns, whatever is claimed of them."""
    for node in context.nodes[first:end]:
        name = node.word.name
        if name is not None:
            if name.type is EntityType.PERSON:
                context.note(name.text, context.message.spoken.gender(name.text) or sex_of(name.text))
            continue
        if gender_of(node.lemma) and noun_of_somebody(node) and name_of(node, context) is None:
            party = party_of(node, context)
            if party is not None and party.gender in "fmnp":
                context.note(party.text, party.gender)
