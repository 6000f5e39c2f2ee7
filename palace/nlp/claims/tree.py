"""A parsed sentence as a tree of words. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache

from palace.nlp.claims.kinds import simple_verbs
from palace.nlp.claims.parsing import Arc
from palace.nlp.claims.words import RULES, Word

FINITE = frozenset(["VBD", "VBZ", "VBP", "MD"])
VERBS = FINITE | {"VB", "VBN", "VBG"}
SUBJECTS = ("nsubj", "nsubjpass")
CORE = frozenset(["compound", "amod", "nummod", "nmod", "poss", "det", "quantmod", "predet", "case", "punct", "advmod"])
"""What a noun's name or kind is told by, beside the noun."""


@dataclass(slots=True, eq=False)
class Node:
    """A word with what hangs on it."""

    place: int
    word: Word
    arc: Arc
    label: str
    lower: str
    lemma: str
    tag: str
    is_verb: bool
    head: Node | None = None
    children: list[Node] = field(default_factory=list)

    def all(self, *labels: str) -> list[Node]:
        """List what hangs on it as one of some labels, in order."""
        return [each for each in self.children if each.label in labels]

    def one(self, *labels: str) -> Node | None:
        """Return the first that hangs on it as one of some labels."""
        return next((each for each in self.children if each.label in labels), None)

    def subtree(self, *without: str) -> Iterator[Node]:
        """Return the word and all below it, in no order, but for what hangs on it as some labels."""
        yield self
        for child in self.children:
            if child.label not in without:
                yield from child.subtree()

    def above(self) -> Iterator[Node]:
        """Return what it hangs on, from the nearest on."""
        node = self.head
        while node is not None:
            yield node
            node = node.head

    def joined(self) -> Iterator[Node]:
        """Return the word and what is joined to it by "and" or a comma."""
        yield self
        for each in self.all("conj"):
            yield from each.joined()

    @property
    def subject(self) -> Node | None:
        inner = (each.one(*SUBJECTS) for each in self.all("aux", "auxpass"))
        return self.one(*SUBJECTS) or next((each for each in inner if each is not None), None)

    @property
    def is_finite(self) -> bool:
        """Check whether it is a verb with a tense, by itself or by an auxiliary."""
        return self.tag in FINITE or any(each.tag in FINITE for each in self.all("aux", "auxpass"))


@cache
def _of_verb(form: str, lemma: str) -> str:
    """Return the base form of a verb: the lemmatiser's, or where no entry has that, a regular one."""
    known = simple_verbs()
    if lemma in known:
        return lemma
    guesses = [
        form[: len(form) - cut] + ending for cut, ending in ((1, ""), (2, ""), (2, "e"), (3, ""), (3, "e"), (4, ""))
    ]
    return next((each for each in guesses if each in known and len(each) > 2), lemma)


def grow(words: Sequence[Word], arcs: Sequence[Arc]) -> list[Node]:
    """Make the nodes of a sentence, in order, from its words and how they hang together."""
    nodes = [_node(place, word, arc) for place, (word, arc) in enumerate(zip(words, arcs, strict=True))]
    for node in nodes:
        if node.arc.head != node.place:
            node.head = nodes[node.arc.head]
            node.head.children.append(node)
    for node in nodes:
        if node.label == "aux" and node.is_verb and (node.subject or node.one("xcomp")) and node.head is not None:
            node.label = "parataxis"
        if node.label in ("ccomp", "advcl", "dep", "acl") and _stands_alone(node):
            node.label = "parataxis"
    return nodes


def _node(place: int, word: Word, arc: Arc) -> Node:
    lower, lemma, is_verb = word.lower, arc.lemma.lower(), arc.tag in VERBS and word.name is None
    lemma = lower if word.name is not None else _of_verb(lower, lemma) if arc.tag[:2] == "VB" else lemma
    return Node(place, word, arc, arc.label, lower, lemma, arc.tag, is_verb)


def _stands_alone(node: Node) -> bool:
    """Check whether a clause was joined to another that it has nothing to do with, for want of a mark between."""
    head = node.head
    if head is None or node.one("mark") or not node.is_finite or _begins_with_question(node):
        return False
    is_telling = head.lemma in RULES.words("opaque") and (
        head.one("dobj") is None or head.lemma in RULES.words("told_to")
    )
    if node.place < head.place:
        return node.label == "ccomp" and not (head.lemma in RULES.words("quoting") and head.one("dobj") is None)
    return node.subject is not None and not is_telling and head.lemma != "be" and head.is_verb


def _begins_with_question(node: Node) -> bool:
    return any(each.tag in ("WP", "WRB", "WDT") for each in node.children if each.place < node.place)
