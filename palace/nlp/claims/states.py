"""Whether a clause is stated as a fact, denied, or left open: asked, supposed, wished, planned or quoted. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from palace.nlp.claims.sentence import Sentence
from palace.nlp.claims.tree import Node
from palace.nlp.claims.words import RULES


class State(StrEnum):
    """Whether a clause is stated, denied or left open."""

    SO = "so"
    DENIED = "denied"
    OPEN = "open"
    """Asked, supposed, wished, commanded or quoted."""


_WH = frozenset(["WP", "WRB", "WDT", "WP$"])
_LASTING = frozenset(["speak", "stand", "bear"])
"""Verbs that state a fact with "can" and "can't"."""
_INDEPENDENT = frozenset(["ROOT", "parataxis"])


class States:
    """The states of the clauses of one sentence."""

    def __init__(self, nodes: Sequence[Node], sentence: Sentence) -> None:
        self._nodes = nodes
        self._known: dict[int, State] = {}
        self._asked = _asked_from(nodes) if sentence.is_asked else len(nodes)
        self._reported = _reported_from(nodes, sentence)

    def of(self, node: Node) -> State:
        """Return the state of the clause of a verb."""
        if node.place not in self._known:
            # Ends the recursion should the parse have a cycle, which a tree has not.
            self._known[node.place] = State.OPEN
            self._known[node.place] = self._of(node)
        return self._known[node.place]

    def is_ended(self, node: Node) -> bool:
        """Check whether a clause says that something has ended: "no longer", "not … any more"."""
        heads = [each for each in self._nodes if each.is_verb and each.place > node.place and each.subject is not None]
        end = min((_start(each) for each in heads if _start(each) > node.place), default=len(self._nodes))
        texts = " ".join(each.lower for each in self._nodes[_start(node) : end])
        return "no longer" in texts or "any more" in texts or "any longer" in texts

    def _of(self, node: Node) -> State:
        if node.place >= min(self._asked, self._reported):
            return State.OPEN
        own = self._own(node)
        if own is State.OPEN or node.head is None:
            return own
        above = self._governed(node)
        if above is State.OPEN:
            return above
        return State.DENIED if State.DENIED in (own, above) else State.SO

    def _own(self, node: Node) -> State:
        """Return the state of a clause by the words of the clause alone."""
        if self._is_open(node):
            return State.OPEN
        subject = node.subject
        told = {each.lower for each in (subject, *subject.all("det"))} if subject is not None else set()
        is_denied = any(each.label == "neg" or each.lower in ("not", "n't", "never") for each in node.children)
        is_denied = (is_denied and not self.is_ended(node)) or bool(told & RULES.words("nobody"))
        return State.DENIED if is_denied else State.SO

    def _is_open(self, node: Node) -> bool:
        helpers = node.all("aux", "auxpass")
        texts = {each.lower for each in helpers}
        modal = texts & RULES.words("modals") - ({"can", "ca"} if node.lemma in _LASTING else set())
        if modal and not (modal == {"'d"} and node.tag == "VBN"):
            return True
        words = {each.lower for each in node.all("advmod", "mark", "neg", "cc", "preconj", "prep", "intj")}
        if words & (RULES.words("hedges") - {"never"}):
            return True
        if _is_condition(node) or _waits(node) or any(_is_condition(each) for each in node.all("advcl")):
            return True
        return _is_told_to_do(node) or _is_inverted(node) or (node.label != "relcl" and _is_questioned(node))

    def _governed(self, node: Node) -> State:
        """Return the state of a clause by the clause that it depends on."""
        head, label = node.head, node.label
        verb = next((each for each in node.above() if each.is_verb), None)
        if head is None or verb is None:
            return State.SO
        above = self.of(verb)
        if label == "csubj":
            return State.OPEN
        if label == "ccomp":
            return self._reported_by(head, above)
        if label in ("xcomp", "pcomp", "acl"):
            return _inner(node, head, verb, above)
        is_free = label not in ("conj", "advcl", "relcl") or (
            not _is_shared(node, verb, above)
            if label == "conj"
            else bool(_marks(node) & RULES.words("reasons"))
            if label == "advcl"
            else above is State.DENIED or _is_known(head)
        )
        if label == "conj" and node.tag == head.tag == "VBG" and head.lemma in RULES.words("opaque"):
            return State.OPEN
        return State.SO if is_free else above

    def _reported_by(self, head: Node, above: State) -> State:
        subject = head.subject
        is_own = head.lemma in RULES.words("saying") and subject is not None and subject.lower == "i"
        if above is State.OPEN or (head.lemma in RULES.words("opaque") and not (is_own and above is State.SO)):
            return State.OPEN
        return State.SO


def _is_shared(node: Node, verb: Node, above: State) -> bool:
    """Check whether a coordinated verb shares the state of the verb before "and"."""
    if above is State.DENIED:
        return node.tag == "VB" and not node.all("aux")
    is_below = node.subject is None or verb.label in ("ccomp", "xcomp", "advcl", "pcomp", "acl")
    return is_below or any(_is_condition(each) for each in verb.all("advcl"))


def _is_known(noun: Node) -> bool:
    """Check whether a noun denotes a definite person or thing: "my sister, who …"."""
    return noun.word.name is not None or any(each.lower in ("my", "our") for each in noun.all("poss"))


def _start(node: Node) -> int:
    """Return the index of the first word among a clause's verb, subject, auxiliaries and adverbs."""
    own = [node, *node.all("nsubj", "nsubjpass", "aux", "auxpass", "neg", "advmod")]
    return min(each.place for each in own)


def _inner(node: Node, head: Node, verb: Node, above: State) -> State:
    """Return the state of a verb without tense by its governing verb: "started taking", "used to live"."""
    if node.label == "acl":
        return above if node.tag == "VBG" else State.OPEN
    is_telling = verb.lemma in RULES.words("aspects") and (node.label == "xcomp" or verb.one("prt") is not None)
    if is_telling or (node.label == "xcomp" and head.is_verb and head.lemma in RULES.words("going_on")):
        return above
    return State.OPEN


def _is_condition(node: Node) -> bool:
    """Check whether a clause is a condition: "if …", "were I younger"."""
    if _marks(node) & RULES.words("conditions"):
        return True
    return node.label == "advcl" and _is_inverted(node)


def _marks(node: Node) -> set[str]:
    return {each.lower for each in node.all("mark", "advmod", "prep") if each.place < node.place}


def _waits(node: Node) -> bool:
    """Check whether a clause is about a future time: "once I have a dog"."""
    now = ("is", "are", "'s", "have", "has", "'ve")
    is_open = node.tag in ("VBZ", "VBP", "VB") or any(each.lower in now for each in node.all("aux"))
    return bool(_marks(node) & RULES.words("waiting")) and is_open and node.label == "advcl"


def _is_inverted(node: Node) -> bool:
    """Check whether a verb or auxiliary stands before its subject, as in a question."""
    subject = node.subject
    if subject is None or node.one("expl") is not None or subject.tag in _WH:
        return False
    helpers = [each for each in node.all("aux", "auxpass") if each.place < subject.place]
    if helpers:
        return True
    return node.lemma in ("be", "have") and node.place < subject.place


def _is_questioned(node: Node) -> bool:
    """Check whether a clause begins with a question word: "where he lives"."""
    for each in node.subtree("relcl", "advcl", "ccomp", "conj", "parataxis", "acl"):
        if each.tag in _WH and each.place < node.place and each.label not in ("mark",):
            is_time = each.lower == "when" and node.label == "advcl"
            if not is_time:
                return True
    return False


def _is_told_to_do(node: Node) -> bool:
    """Check whether a verb is an imperative: a bare form without a subject."""
    if node.subject is not None or node.label not in _INDEPENDENT | {"conj"} or node.all("aux", "auxpass"):
        return False
    if node.label == "conj" and node.head is not None and node.head.is_verb:
        return False
    return node.tag == "VB" or (node.tag == "VBP" and node.lemma not in RULES.words("felt"))


def _asked_from(nodes: Sequence[Node]) -> int:
    """Return the index of the word at which the question begins in a sentence that ends with a question mark."""
    heads = [node for node in nodes if node.is_verb and _is_independent(node)]
    starts = {head.place: min(each.place for each in head.subtree("parataxis", "conj")) for head in heads}
    for head in heads:
        if _is_inverted(head) or _is_questioned(head):
            return starts[head.place]
    last = max((head.place for head in heads), default=0)
    behind = [node for node in nodes if node.place > last and (node.lower in RULES.words("asking") or node.tag in _WH)]
    if behind:
        return behind[0].place
    return starts[heads[-1].place] if len(heads) > 1 else 0


def _is_independent(node: Node) -> bool:
    return node.label in _INDEPENDENT or (node.label == "conj" and node.subject is not None)


def _reported_from(nodes: Sequence[Node], sentence: Sentence) -> int:
    """Return the index of a colon before reported speech ("the ad said: I quit"); the number of words for none."""
    reports = RULES.pattern("reports")
    for node in nodes:
        if node.lower == ":" and reports.search(sentence.folded, sentence.span.start, node.word.start):
            return node.place
    return len(nodes)
