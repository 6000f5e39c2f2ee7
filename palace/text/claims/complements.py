"""What stands with the verb of a clause: its objects, its prepositions, its particles. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from palace.text.claims.clauses import Clause, is_active, parts_of
from palace.text.claims.phrases import Phrase, phrase_of
from palace.text.claims.tree import Node
from palace.text.claims.uses import uses

_PARTICLES = frozenset(["back", "up", "down", "over", "out", "away", "off", "in", "on", "home"])
_LINKS = {**dict.fromkeys(("be", "stay", "feel", "become"), "be"), "get": "get"}


@dataclass(frozen=True, slots=True)
class Complement:
    """An object of a verb, or a noun behind one of its prepositions."""

    before: str
    """The preposition; empty of a direct object, "2" of whom something is given to."""
    phrase: Phrase
    is_inner: bool = False
    """Whether it hangs on another object: "a nurse at the Royal"."""
    is_denied: bool = False
    """Whether "not" stands before it: "in Porto, not in Lisbon"."""


def complements(clause: Clause, content: str) -> list[Complement]:
    """List the objects of a clause's verb in order, with those that hang on them; without times."""
    found = list(_below(clause, content))
    for node in clause.verb.all("acomp", "advmod", "prt"):
        found += _behind(node, clause, content)
        if node.lower in ("allergic", "intolerant"):
            # "to shellfish" is taken for a verb where the parser does not know the noun.
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
    """Whether a noun only stands near a verb: "started swimming, Houtvaart, helps the back"."""
    marks = (mark.place for mark in verb.all("punct"))
    is_behind = child.place > verb.place and not any(verb.place < mark < child.place for mark in marks)
    return child.label == "npadvmod" and not is_behind


def _behind(
    node: Node, clause: Clause, content: str, *, is_inner: bool = False, lead: str = ""
) -> Iterator[Complement]:
    """Give the nouns behind the prepositions of a word, those of "out of" as well."""
    for prep in node.all("prep", "agent", "dative"):
        if prep.tag not in ("IN", "TO", "RP", "RB"):
            continue
        before = f"{lead} {prep.lower}".strip()
        for noun in prep.all("pobj", "pcomp"):
            yield from _one(before, noun, clause, content, is_inner=is_inner)
        yield from _behind(prep, clause, content, is_inner=is_inner, lead=before)


def _one(before: str, noun: Node, clause: Clause, content: str, *, is_inner: bool = False) -> Iterator[Complement]:
    first = phrase_of(noun, content)
    for each in parts_of(noun):
        if clause.is_time(each) or each.tag in ("WDT", "WP", "RB"):
            continue
        denied = [*each.all("neg", "cc", "preconj"), *(each.head.all("neg", "advmod") if before and each.head else [])]
        phrase = phrase_of(each, content)
        if each is not noun and not phrase.owner and first.owner in ("these", "those", "this", "that"):
            phrase = replace(phrase, owner=first.owner)
        yield Complement(before, phrase, is_inner, any(other.lower == "not" for other in denied))
        yield from _behind(each, clause, content, is_inner=bool(is_inner or before or each.label != "dobj"))


def keys_of(clause: Clause) -> list[str]:
    """Name a verb as the data does, with its particle, its adjective or its noun; what is most special first."""
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
    found += [f"{lemma} {each.lower}" for each in behind if each.lower in _PARTICLES and not each.all("pobj")]
    for each in verb.all("dobj"):
        found.append(f"{lemma} years" if each.lemma in ("year", "month") else f"{lemma} {each.lemma}")
    if lemma == "join" and any(each.lower == "as" for each in verb.all("prep")):
        found.append("join as")
    if verb.tag == "VBG":
        found.append(f"be {verb.lower}")
    is_other = any(each.label == "prt" and f"{lemma} {each.lower}" not in uses() for each in verb.children)
    is_other = is_other or (lemma == "be" and verb.one("acomp") is not None)
    return found if is_other else [*found, lemma]
