"""The clauses of a parsed sentence: who does what since when, and whether it is stated as a fact. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from palace.models import Span
from palace.nlp.claims.kinds import simple_verbs, uses
from palace.nlp.claims.message import Aspect, Tense
from palace.nlp.claims.phrases import Phrase, phrase_of
from palace.nlp.claims.sentence import Sentence
from palace.nlp.claims.states import State, States
from palace.nlp.claims.tree import Node
from palace.nlp.claims.words import RULES
from palace.nlp.rules import late
from palace.nlp.time.clause import Times, times_of

HEADS = frozenset(["ROOT", "conj", "ccomp", "advcl", "relcl", "parataxis", "xcomp", "acl", "pcomp", "dep", "csubj"])
_APART = ("relcl", "ccomp", "advcl", "parataxis", "acl")
_DECADE = late(r"from the (?:early |late |mid-?)?\d{4}s")
_BELOW = frozenset(["xcomp", "pcomp"])
_ASPECTS = {
    **dict.fromkeys(("start", "begin", "resume", "take"), Aspect.BEGIN),
    **dict.fromkeys(("stop", "quit", "cease", "finish", "give"), Aspect.END),
    **dict.fromkeys(("keep", "continue", "use", "end", "go"), Aspect.STATE),
}


@dataclass(slots=True)
class Clause:
    """A verb with its subject, its tense and its times."""

    verb: Node
    subject: Node | None
    """None for a clause without a subject of its own."""
    tense: Tense
    state: State
    is_ended: bool
    """Whether the clause says that something is no longer so."""
    aspect: Aspect | None
    """Aspect that the governing verb gives it: BEGIN for "started taking", END for "stopped smoking"."""
    times: Times
    span: Span
    blank: frozenset[int]
    """Indexes of the words that only express its times."""

    @property
    def is_done(self) -> bool:
        """Check whether the clause is in the past or perfect tense."""
        return self.tense in (Tense.PAST, Tense.PERFECT)

    def is_time(self, node: Node) -> bool:
        """Check whether a word belongs to an expression of time."""
        return node.place in self.blank


def clauses_of(nodes: Sequence[Node], sentence: Sentence, now: datetime | None) -> list[Clause]:
    """Return the clauses of a parsed sentence in the order of their verbs; times are resolved against ``now``."""
    states = States(nodes, sentence)
    found: dict[int, Clause] = {}
    for node in nodes:
        if is_head(node):
            found[node.place] = _clause(node, states, sentence, now, found)
    return list(found.values())


def is_head(node: Node) -> bool:
    """Check whether a word is the verb of a clause."""
    if not node.is_verb or node.label not in HEADS:
        return False
    return not (node.label == "acl" and node.tag == "VBN") and not (node.label == "dep" and node.tag == "VB")


def subject_of(node: Node) -> Node | None:
    """Find the subject of a verb, its own or one shared with another verb; None where it is left out."""
    own, head = node.subject, node.head
    if node.label == "relcl" and head is not None and (own is None or own.tag in ("WDT", "WP")):
        return head
    if own is not None or head is None:
        return own
    if node.label == "conj":
        return subject_of(head) if head.is_verb else None
    if node.label == "acl":
        return head
    verb = _verb_above(node)
    if node.label not in ("xcomp", "ccomp", "pcomp", "advcl") or verb is None:
        return None
    return (verb.one("dobj") if node.label == "xcomp" and verb is head else None) or subject_of(verb)


def _verb_above(node: Node) -> Node | None:
    return next((each for each in node.above() if each.is_verb), None)


def tense_of(node: Node) -> Tense:
    """Return the tense of a verb."""
    helpers = {each.lower for each in node.all("aux", "auxpass")}
    head = node.head
    if node.label == "xcomp" and head is not None and head.is_verb:
        if head.lower == "used":
            return Tense.USED_TO
        if head.lower in ("going", "set", "due") and (node.tag == "VB" or "be" in helpers):
            return Tense.FUTURE
        return tense_of(head)
    is_bare = node.tag in ("VB", "VBN", "VBG") and node.subject is None and not helpers
    if node.label == "conj" and is_bare and head is not None and head.is_verb:
        return tense_of(head)
    return _tense_by(node, helpers)


def _tense_by(node: Node, helpers: set[str]) -> Tense:
    if helpers & {"will", "'ll", "wo", "shall"}:
        return Tense.FUTURE
    if helpers & {"did", "had"} or ("'d" in helpers and node.tag == "VBN"):
        return Tense.PAST
    has = bool(helpers & {"have", "has", "'ve", "having"}) or ("'s" in helpers and _is_has(node))
    if has:
        return Tense.LASTING if node.tag == "VBG" else Tense.PERFECT
    is_past = bool(helpers & {"was", "were", "got"})
    if node.tag == "VBG":
        return Tense.PAST if is_past else Tense.PROGRESSIVE
    if node.tag == "VBN":
        is_being = bool(helpers & {"is", "are", "'s", "am", "'m", "'re", "being"})
        return Tense.PRESENT if is_being and not is_past else Tense.PAST
    return Tense.PAST if node.tag == "VBD" else Tense.PRESENT


def _is_has(node: Node) -> bool:
    """Check whether "'s" before a participle is "has": "she's moved", but "it's called"."""
    return node.tag == "VBN" and (node.one("auxpass") is None or is_active(node))


def is_active(node: Node) -> bool:
    """Check whether a participle is active though the parser takes "'s" for "is": "he's started"."""
    helpers = [each.lower for each in node.all("auxpass")]
    is_known = node.lemma in simple_verbs() and f"be {node.lower}" not in uses()
    return helpers == ["'s"] and node.tag == "VBN" and is_known and node.one("agent") is None


def _clause(node: Node, states: States, sentence: Sentence, now: datetime | None, found: dict[int, Clause]) -> Clause:
    tense, state = tense_of(node), states.of(node)
    region = _region(node)
    span = Span(min(each.word.start for each in region), max(each.word.end for each in region))
    if state is State.OPEN:
        return Clause(node, None, tense, state, False, None, Times(), span, frozenset())
    times, blank = _times(region, span, sentence, now, tense)
    above = found.get(node.head.place) if node.head is not None else None
    if not times.is_told and above is not None and node.label in _BELOW:
        times = above.times
    aspect = _ASPECTS.get(node.head.lemma) if node.label in _BELOW and node.head and node.tag == "VBG" else None
    is_ended = states.is_ended(node)
    return Clause(node, subject_of(node), tense, state, is_ended, aspect, times, span, blank)


def _region(node: Node) -> list[Node]:
    """List the words of a clause, without those of its subordinate clauses."""
    found = [node]
    for child in node.children:
        is_clause = child.label in _APART and (child.is_verb or child.label == "relcl")
        is_other = child.label in ("conj", "cc") and (child.label == "cc" or child.is_verb)
        if not is_clause and not is_other:
            found += _region(child)
    return found


def _times(
    region: Sequence[Node], span: Span, sentence: Sentence, now: datetime | None, tense: Tense
) -> tuple[Times, frozenset[int]]:
    """Read the times of a clause and the indexes of the words that express them."""
    start, end = span.start, span.end
    own: set[int] = set()
    for each in region:
        own.update(range(each.word.start, each.word.end + 1))
    folded = sentence.folded
    text = "".join(folded[at] if at in own or not folded[at].isalnum() else " " for at in range(start, end))
    text = _DECADE.sub(lambda found: " " * len(found[0]), text)
    is_ahead = tense in (Tense.PRESENT, Tense.PROGRESSIVE, Tense.FUTURE)
    times, blanked = times_of(text, now, ahead=False)
    if blanked != text and is_ahead:
        times, blanked = times_of(text, now, ahead=True)
    blank = frozenset(
        each.place for each in region
        if each.word.name is None and not blanked[each.word.start - start : each.word.end - start].strip()
    )  # fmt: skip
    return times, blank


def parts_of(node: Node) -> Iterator[Node]:
    """Return a noun and the nouns coordinated with it: "yoga and pilates"."""
    for each in node.joined():
        if not each.is_verb or each.tag == "VBG":
            yield each


_LINKS = {**dict.fromkeys(("be", "stay", "feel", "become"), "be"), "get": "get"}


@dataclass(frozen=True, slots=True)
class Complement:
    """An object of a verb, or a noun governed by one of its prepositions."""

    before: str
    """The preposition; "" for a direct object, "2" for an indirect one."""
    phrase: Phrase
    is_inner: bool = False
    """Whether it depends on another object: "at the Royal" in "a nurse at the Royal"."""
    is_denied: bool = False
    """Whether "not" negates it: "in Porto, not in Lisbon"."""


def complements(clause: Clause, content: str) -> list[Complement]:
    """List the objects of a clause's verb and their dependents in order, without expressions of time."""
    found = list(_below(clause, content))
    for node in clause.verb.all("acomp", "advmod", "prt"):
        found += _behind(node, clause, content)
        if node.lower in ("allergic", "intolerant"):
            # The parser takes "to shellfish" for a verb where it does not know the noun.
            nouns = (each for inner in node.all("xcomp") for each in inner.joined())
            found += [Complement("to", phrase_of(each, content)) for each in nouns]
    return sorted(found, key=lambda each: each.phrase.start)


def _below(clause: Clause, content: str) -> Iterator[Complement]:
    node = clause.verb
    for child in node.all("dobj", "attr", "oprd", "npadvmod", "dative"):
        if _is_apart(child, node) or (child.label == "dative" and child.tag == "IN"):
            continue
        if child.tag in ("WDT", "WP") and node.label == "relcl" and node.head is not None:
            yield Complement("", phrase_of(node.head, content))
        else:
            yield from _one("2" if child.label == "dative" else "", child, clause, content)
    for child in node.all("xcomp", "ccomp", "pcomp"):
        if child.tag == "VBG" and child.subject is None and not child.all("aux"):
            yield from _one("", child, clause, content)
    yield from _behind(node, clause, content)


def _is_apart(child: Node, verb: Node) -> bool:
    """Check whether a noun is near a verb but not its object: "started swimming, Houtvaart, helps the back"."""
    marks = (mark.place for mark in verb.all("punct"))
    is_behind = child.place > verb.place and not any(verb.place < mark < child.place for mark in marks)
    return child.label == "npadvmod" and not is_behind


def _behind(
    node: Node, clause: Clause, content: str, *, is_inner: bool = False, lead: str = ""
) -> Iterator[Complement]:
    """Return the nouns behind the prepositions of a word, compound ones ("out of") included."""
    for prep in node.all("prep", "agent", "dative"):
        if prep.tag not in ("IN", "TO", "RP", "RB"):
            continue
        before = f"{lead} {prep.lower}".strip()
        for noun in prep.all("pobj", "pcomp"):
            yield from _one(before, noun, clause, content, is_inner=is_inner)
        yield from _behind(prep, clause, content, is_inner=is_inner, lead=before)


def _one(before: str, noun: Node, clause: Clause, content: str, *, is_inner: bool = False) -> Iterator[Complement]:
    for each in parts_of(noun):
        if clause.is_time(each) or each.tag in ("WDT", "WP", "RB"):
            continue
        denied = [*each.all("neg", "cc", "preconj"), *(each.head.all("neg", "advmod") if before and each.head else [])]
        yield Complement(before, phrase_of(each, content), is_inner, any(other.lower == "not" for other in denied))
        yield from _behind(each, clause, content, is_inner=bool(is_inner or before or each.label != "dobj"))


def keys_of(clause: Clause) -> list[str]:
    """List the keys of a verb in the data, alone and with its particle, adjective or noun; the most specific first."""
    verb, lemma = clause.verb, "be" if clause.verb.lemma == "'s" else clause.verb.lemma
    found = []
    helpers = verb.all("auxpass")
    if verb.tag == "VBN" and not is_active(verb) and (helpers or f"be {verb.lower}" in uses()):
        lead = "get" if any(each.lemma == "get" for each in helpers) else "be"
        found = [f"{lead} {verb.lower} {each.lower}" for each in verb.all("prt", "advmod")] + [f"{lead} {verb.lower}"]
        if helpers:
            return found
    if lemma in _LINKS:
        linked = [each.lower for each in verb.all("acomp", "advmod", "attr", "prep", "xcomp")]
        found += [f"{lead} {each}" for each in linked for lead in dict.fromkeys((_LINKS[lemma], "be"))]
    behind = verb.all("prt", "advmod", "prep")
    found += [
        f"{lemma} {each.lower}" for each in behind if each.lower in RULES.words("particles") and not each.all("pobj")
    ]
    for each in verb.all("dobj"):
        found.append(f"{lemma} years" if each.lemma in ("year", "month") else f"{lemma} {each.lemma}")
    if lemma == "join" and any(each.lower == "as" for each in verb.all("prep")):
        found.append("join as")
    if verb.tag == "VBG":
        found.append(f"be {verb.lower}")
    is_other = any(each.label == "prt" and f"{lemma} {each.lower}" not in uses() for each in verb.children)
    is_other = is_other or (lemma == "be" and verb.one("acomp") is not None)
    return found if is_other else [*found, lemma]
