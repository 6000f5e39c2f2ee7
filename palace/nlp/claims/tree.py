"""The dependency tree of a parsed sentence. Pure."""

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
"""Dependency labels of a noun's modifiers that belong to its name or kind."""


@dataclass(slots=True, eq=False)
class Node:
    """A word with its head and its dependents."""

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
        """List the dependents with any of these labels, in order."""
        return [each for each in self.children if each.label in labels]

    def one(self, *labels: str) -> Node | None:
        """Return the first dependent with any of these labels; None for none."""
        return next((each for each in self.children if each.label in labels), None)

    def subtree(self, *without: str) -> Iterator[Node]:
        """Yield the word and all words below it, in no order, except direct dependents labelled ``without``."""
        yield self
        for child in self.children:
            if child.label not in without:
                yield from child.subtree()

    def above(self) -> Iterator[Node]:
        """Yield the heads above the word, the nearest first."""
        node = self.head
        while node is not None:
            yield node
            node = node.head

    def joined(self) -> Iterator[Node]:
        """Yield the word and those coordinated with it by "and" or a comma."""
        yield self
        for each in self.all("conj"):
            yield from each.joined()

    @property
    def subject(self) -> Node | None:
        inner = (each.one(*SUBJECTS) for each in self.all("aux", "auxpass"))
        return self.one(*SUBJECTS) or next((each for each in inner if each is not None), None)

    @property
    def is_finite(self) -> bool:
        """Check whether the verb, or an auxiliary of it, has a tense."""
        return self.tag in FINITE or any(each.tag in FINITE for each in self.all("aux", "auxpass"))


@cache
def _of_verb(form: str, lemma: str) -> str:
    """Return the base form of a verb: the lemmatiser's, or one guessed by its ending where the data lacks that."""
    known = simple_verbs()
    if lemma in known:
        return lemma
    guesses = [
        form[: len(form) - cut] + ending for cut, ending in ((1, ""), (2, ""), (2, "e"), (3, ""), (3, "e"), (4, ""))
    ]
    return next((each for each in guesses if each in known and len(each) > 2), lemma)


def grow(words: Sequence[Word], arcs: Sequence[Arc]) -> list[Node]:
    """Build the nodes of a sentence, in order, from its words and their arcs."""
    nodes = [_node(place, word, arc) for place, (word, arc) in enumerate(zip(words, arcs, strict=True))]
    for node in nodes:
        if node.arc.head != node.place:
            node.head = nodes[node.arc.head]
            node.head.children.append(node)
    for node in nodes:
        if node.label in SUBJECTS and node.head is not None and _is_compound(node, node.head):
            node.label, node.head.tag, node.head.is_verb = "compound", "NN", False
        if node.label == "aux" and node.is_verb and (node.subject or node.one("xcomp")) and node.head is not None:
            node.label = "parataxis"
        if node.label in ("ccomp", "advcl", "dep", "acl") and _stands_alone(node):
            node.label = "parataxis"
    return nodes


def _is_compound(node: Node, head: Node) -> bool:
    """Check whether the parser takes the first noun of two for the second's subject: "I am team lead"."""
    return (
        node.tag == "NN" and head.tag in ("NN", "VB", "VBD") and head.label == "attr" and head.place == node.place + 1
    )


def _node(place: int, word: Word, arc: Arc) -> Node:
    lower, lemma, is_verb = word.lower, arc.lemma.lower(), arc.tag in VERBS and word.name is None
    lemma = lower if word.name is not None else _of_verb(lower, lemma) if arc.tag[:2] == "VB" else lemma
    return Node(place, word, arc, arc.label, lower, lemma, arc.tag, is_verb)


def _stands_alone(node: Node) -> bool:
    """Check whether a clause is independent, though the parser attached it to another for lack of punctuation."""
    head = node.head
    if head is None or node.one("mark") or not node.is_finite or _begins_with_question(node):
        return False
    is_telling = head.lemma in RULES.words("opaque") and (
        head.one("dobj") is None or head.lemma in RULES.words("told_to")
    )
    if node.place < head.place:
        if node.label == "advcl" and node.tag == "VBD":  # "Joined a choir, they do Bach"; "put" may be an order
            return node.lower != node.lemma
        return node.label == "ccomp" and not (head.lemma in RULES.words("quoting") and head.one("dobj") is None)
    return node.subject is not None and not is_telling and head.lemma != "be" and head.is_verb


def _begins_with_question(node: Node) -> bool:
    return any(each.tag in ("WP", "WRB", "WDT") for each in node.children if each.place < node.place)
