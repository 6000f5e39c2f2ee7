"""What is claimed by an English verb with its subject and objects, by the entries of the data. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from palace.records.graph import Action, EntityType
from palace.text.claims.dates import Times
from palace.text.claims.drafts import Aspect, Party, Tense, acted
from palace.text.claims.kinds import gender_of, words
from palace.text.parsed.clauses import Clause, is_active, parts_of
from palace.text.parsed.data import Use, uses
from palace.text.parsed.people import Telling, meant_by, name_of, names_behind, parties_of, tell_named
from palace.text.parsed.states import State
from palace.text.parsed.things import Phrase, fits, is_kept, is_medicine_phrase, is_person, phrase_of
from palace.text.parsed.tree import Node
from palace.text.parsed.words import RULES

_PARTICLES = frozenset(["back", "up", "down", "over", "out", "away", "off", "in", "on", "home", "there"])
_NAMED = frozenset(["owns", "works_at", "member_of", "leads", "studies_at"])
_FELT = frozenset(["likes", "dislikes", "prefers"])
_ASPECTS = {"state": Aspect.STATE, "begin": Aspect.BEGIN, "end": Aspect.END, "thing": Aspect.STATE}
_HAD = frozenset(["owns", "has", "takes"])
_HIS = frozenset(["his", "her", "their", "'s", "your"])


@dataclass(frozen=True, slots=True)
class Complement:
    """An object of a verb, or a noun behind one of its prepositions."""

    before: str
    """The preposition; empty of a direct object."""
    phrase: Phrase
    is_inner: bool = False
    """Whether it hangs on another object: "a nurse at the Royal"."""
    is_denied: bool = False
    """Whether "not" stands before it: "in Porto, not in Lisbon"."""


def complements(clause: Clause, content: str) -> list[Complement]:
    """List the objects of a clause's verb in order, with those that hang on them; without times."""
    found = list(_below(clause.verb, clause, content, is_inner=False))
    for node in clause.verb.all("acomp", "advmod", "prt"):
        found += _behind(node, clause, content, is_inner=False)
        if node.lower in ("allergic", "intolerant"):
            # "to shellfish" is taken for a verb where the parser does not know the noun.
            found += [
                Complement("to", phrase_of(each, content)) for inner in node.all("xcomp") for each in inner.joined()
            ]
    return sorted(found, key=lambda each: each.phrase.start)


def _below(node: Node, clause: Clause, content: str, *, is_inner: bool) -> Iterator[Complement]:
    marks = [each.place for each in node.all("punct")]
    for child in node.all("dobj", "attr", "oprd", "npadvmod", "dative"):
        is_apart = child.label == "npadvmod" and (
            child.place < node.place or any(node.place < mark < child.place for mark in marks)
        )
        if is_apart or (child.label == "dative" and child.tag == "IN"):
            continue
        if child.tag in ("WDT", "WP") and clause.verb.label == "relcl" and clause.verb.head is not None:
            yield Complement("", phrase_of(clause.verb.head, content))
            continue
        before = "2" if child.label == "dative" else ""
        yield from _one(before, child, clause, content, is_inner=is_inner)
    for child in node.all("xcomp", "ccomp", "pcomp"):
        if child.tag == "VBG" and child.subject is None and not child.all("aux"):
            yield from _one("", child, clause, content, is_inner=is_inner)
    yield from _behind(node, clause, content, is_inner=is_inner)


def _behind(node: Node, clause: Clause, content: str, *, is_inner: bool, lead: str = "") -> Iterator[Complement]:
    """Give the nouns behind the prepositions of a word, those of "out of" as well."""
    for prep in node.all("prep", "agent", "dative"):
        if prep.tag not in ("IN", "TO", "RP", "RB"):
            continue
        before = f"{lead} {prep.lower}".strip()
        for noun in prep.all("pobj", "pcomp"):
            yield from _one(before, noun, clause, content, is_inner=is_inner)
        yield from _behind(prep, clause, content, is_inner=is_inner, lead=before)


def _one(before: str, noun: Node, clause: Clause, content: str, *, is_inner: bool) -> Iterator[Complement]:
    for each in parts_of(noun):
        if clause.is_time(each) or each.tag in ("WDT", "WP", "RB"):
            continue
        denied = [*each.all("neg", "cc", "preconj"), *(each.head.all("neg", "advmod") if before and each.head else [])]
        yield Complement(before, phrase_of(each, content), is_inner, any(other.lower == "not" for other in denied))
        yield from _behind(each, clause, content, is_inner=bool(is_inner or before or each.label != "dobj"))


def keys_of(clause: Clause) -> list[str]:
    """Name a verb as the data does, with its particle or its adjective; what is most special first."""
    verb, found = clause.verb, []
    lemma, helpers = verb.lemma, verb.all("auxpass")
    if verb.tag == "VBN" and not is_active(verb) and (helpers or f"be {verb.lower}" in uses()):
        is_get = any(each.lemma == "get" for each in helpers)
        lead = "get" if is_get else "be"
        found += [f"{lead} {verb.lower} {each.lower}" for each in verb.all("prt", "advmod")]
        found.append(f"{lead} {verb.lower}")
        if helpers:
            return found
    if lemma in ("be", "get", "become", "stay", "feel"):
        lead = "be" if lemma in ("be", "stay", "feel", "become") else "get"
        for each in verb.all("acomp", "advmod", "attr", "prep", "xcomp"):
            found.append(f"{lead} {each.lower}")
            if lead == "get":
                found.append(f"be {each.lower}")
    behind = [each for each in verb.all("prt", "advmod", "prep") if each.lower in _PARTICLES and not each.all("pobj")]
    found += [f"{lemma} {each.lower}" for each in behind]
    for each in verb.all("dobj"):
        noun = "years" if each.lemma in ("year", "month") else each.lemma
        found.append(f"{lemma} {noun}")
        found += [f"{lemma} {prt.lower} {noun}" for prt in verb.all("prt")]
    found += ["take as", "join as"] if lemma == "join" and any(each.lower == "as" for each in verb.all("prep")) else []
    if verb.tag == "VBG":
        found.append(f"be {verb.lower}")
    is_other = any(each.label == "prt" and f"{lemma} {each.lower}" not in uses() for each in verb.children)
    is_other = is_other or (lemma == "be" and verb.one("acomp") is not None)
    return found if is_other else [*found, "be" if lemma == "'s" else lemma]


def read_uses(clause: Clause, telling: Telling, found: list[Complement]) -> None:
    """Claim what the entries for a verb say of its subject and its objects."""
    keys = keys_of(clause)
    for party in parties_of_clause(clause, telling):
        if _ends_what_was_told(clause, telling, party, keys, found):
            continue
        _there(clause, telling, party, found)
        _lost(clause, telling, party, keys)
        for key, use in _uses_of(keys, clause):
            if party.gender == "t" and use.does != "thing":
                continue
            if use.predicate == "takes" and party.gender != "s" and is_doctor(party.text, telling):
                continue
            is_state = key.split()[0] == "be" and clause.verb.tag != "VBG" and clause.tense is Tense.PRESENT
            _use(
                replace(clause, tense=Tense.PERFECT) if is_state and use.does != "state" else clause,
                telling,
                party,
                use,
                found,
            )


def _ends_what_was_told(
    clause: Clause, telling: Telling, party: Party, keys: list[str], found: list[Complement]
) -> bool:
    """End what was told of somebody by another verb: "quit Wet Concrete" of a band; tell whether it did."""
    before = {each for _, use in _uses_of(keys, clause) if use.does == "end" for each in use.before}
    if not before or clause.state is not State.SO:
        return False
    done = acted(Aspect.END, clause.tense, clause.times, is_ended=clause.is_ended)
    for each in found:
        if done is None or each.before not in before or each.is_inner:
            continue
        text = each.phrase.text.casefold()
        for _, claim in reversed(telling.message.spoken.claims):
            is_same = f" {claim.object.casefold()}".endswith(f" {text}") and claim.subject == party.text
            if is_same and claim.predicate in words("ended") and claim.action is not Action.ENDS:
                telling.claim(party.text, claim.predicate, claim.object, Action.ENDS, clause.times, clause.span)
                telling.note(claim.object, telling.message.spoken.gender(claim.object) or "t")
                return True
    return False


def is_doctor(name: str, telling: Telling) -> bool:
    """Tell whether somebody is called a doctor in the message."""
    title = re.search(rf"(?<!\w)(?:dr\.?|doctor) {re.escape(name.lower())}", telling.message.content.lower())
    return title is not None or name.lower().startswith(("dr ", "dr. ", "doctor "))


def parties_of_clause(clause: Clause, telling: Telling) -> list[Party]:
    """Resolve who does what a clause says: who was last spoken of where that is left out, or the speaker."""
    if clause.subject is not None:
        return parties_of(clause.subject, telling)
    verb = clause.verb
    if verb.tag == "VBZ":
        spoken = telling.message.spoken.parties
        last = next((each for each in reversed(spoken) if each.turn == telling.message.turn and each.is_subject), None)
        return [last] if last is not None else []
    return [telling.speaker]


def _uses_of(keys: list[str], clause: Clause) -> Iterator[tuple[str, Use]]:
    """Give the uses of the most special name of a verb that has any, and those of the verb alone besides."""
    known = uses()
    seen: set[str] = set()
    exclusive = next((key for key in keys if key in known and key.startswith(("spend ", "have ", "do "))), None)
    for key in dict.fromkeys([exclusive] if exclusive else keys):
        for use in known.get(key, ()):
            if use.predicate not in seen:
                yield key, use
        seen |= {use.predicate for use in known.get(key, ()) if " " in key}
    if clause.verb.lemma in ("stand", "bear") and clause.state is State.DENIED:
        yield "can't stand", Use(frozenset([""]), "liked", "dislikes", "state")


def _lost(clause: Clause, telling: Telling, party: Party, keys: list[str]) -> None:
    """End that somebody owns what is the subject: "my bike was stolen", "our dog Rufus died"."""
    subject = clause.subject
    if subject is None or party.gender in "sp" or not clause.is_done or clause.state is not State.SO:
        return
    thing = phrase_of(subject, telling.message.content)
    for _, use in _uses_of(keys, clause):
        told = [claim for _, claim in telling.message.spoken.claims if claim.predicate == use.predicate]
        owners = [claim.subject for claim in told if claim.object == party.text]
        is_mine = thing.owner in ("my", "our", "the") and fits(thing, use.kind) and not party.text.startswith("my ")
        if "subject" in use.before and (owners or is_mine):
            holder = owners[-1] if owners else telling.message.speaker
            telling.claim(holder, use.predicate, party.text, Action.ENDS, clause.times, clause.span)


def _there(clause: Clause, telling: Telling, party: Party, found: list[Complement]) -> None:
    """Read "she moved there in May" and "I have been there since 1996" of where somebody was last said to live or work."""
    is_there = any(each.lower in ("there", "here") for each in clause.verb.all("advmod", "acomp"))
    if not is_there or clause.state is not State.SO or any(each.before in ("to", "in", "at") for each in found):
        return
    wanted = ("lives_in",) if clause.verb.lemma in ("move", "live") else ("works_at", "lives_in", "member_of")
    if clause.verb.lemma not in ("move", "live", "be", "work"):
        return
    for claim in reversed(telling.message.claims):
        if claim.subject == party.text and claim.predicate in wanted and claim.action is not Action.ENDS:
            begun = clause.times.start if clause.verb.lemma == "move" else clause.times.since
            if begun is not None:
                action = Action.BEGINS if clause.verb.lemma == "move" else Action.HOLDS
                since = Times(since=begun)
                telling.claim(party.text, claim.predicate, claim.object, action, since, clause.span)
            return


def _use(clause: Clause, telling: Telling, party: Party, use: Use, found: list[Complement]) -> None:
    predicate, action = _action(clause, use)
    if action is None or (predicate in _FELT and clause.tense is Tense.PAST):
        return
    if use.does == "thing" and party.gender not in ("t", "a"):
        return
    for each in found:
        if (use.does == "refuse" and not (each.phrase.owner == "no" or clause.state is State.DENIED)) or (
            use.does == "refuse" and each.phrase.head not in words("eaten")
        ):
            continue
        if predicate in _FELT and any(node.lower in words("of_answers") for node in telling.nodes):
            continue
        if use.does == "other" and (party.gender not in "fmn" or (party.text.startswith("my ") and False)):
            continue
        is_fitting = fits(each.phrase, use.kind) or (use.kind == "medicine" and is_medical(each.phrase, telling))
        if (
            each.before not in use.before
            or not is_fitting
            or _is_for_another(use, each, found, is_dated=clause.times.at is not None and not clause.verb.all("prt"))
        ):
            continue
        if each.phrase.owner in _HIS and party.gender == "s" and predicate in _HAD:
            continue
        if predicate == "studies_at" and any(fits(other.phrase, "job") for other in found if other.before == ""):
            continue
        if each.is_inner and clause.verb.lemma in ("be", "'s") and predicate == "studies":
            continue
        if each.is_inner and not (
            each.before and ((use.does in ("state", "thing") and predicate != "lives_in") or predicate == "studies_at")
        ):
            continue
        if (
            action is Action.HAPPENS
            and use.does == "event"
            and clause.tense in (Tense.PROGRESSIVE, Tense.FUTURE, Tense.PRESENT)
        ):
            telling.claim(party.text, "planned", f"{each.phrase.text} trip", action, clause.times, clause.span)
            continue
        obj, does = object_of(each.phrase, predicate, telling), action
        if each.phrase.node.tag == "PRP":
            obj = meant_by("ta", telling) or ""
        if use.does == "refuse":
            obj = f"{obj}{_limit(clause, telling)}"
        if any(other.is_denied for other in found) and clause.is_ended:
            does = Action.ENDS if each.is_denied else Action.HOLDS
        elif each.is_denied:
            continue
        telling.claim(party.text, predicate, obj, does, clause.times, clause.span)
        if predicate == "owns":
            telling.note(obj, "a" if each.phrase.lemma in words("animals") else "t")


def is_medical(phrase: Phrase, telling: Telling) -> bool:
    """Whether a product is a medicine by what the message speaks of besides."""
    is_product = phrase.is_type(EntityType.ITEM) and phrase.owner in ("", "the")
    return is_product and RULES.pattern("medical").search(telling.message.content.lower()) is not None


def _action(clause: Clause, use: Use) -> tuple[str, Action | None]:
    """Say what a use claims in the tense of its clause: what it says, and None where that is nothing to hold to."""
    predicate, tense = use.predicate, clause.tense
    if predicate == "comes_from":
        return predicate, Action.HOLDS if clause.state is State.SO else None
    if use.does == "refuse":
        is_refused = clause.state is State.DENIED and not clause.is_ended and tense is Tense.PRESENT
        return predicate, Action.HOLDS if is_refused or clause.tense is Tense.PRESENT else None
    if use.does == "other":
        return clause.verb.lower, Action.HAPPENS if clause.is_done and clause.state is State.SO else None
    if clause.state is State.DENIED:
        is_disliked = predicate == "likes" and tense is Tense.PRESENT
        is_stood = predicate == "dislikes" and clause.verb.lemma in ("stand", "bear")
        return "dislikes", Action.HOLDS if is_disliked or is_stood else None
    if use.does == "event":
        now = clause.times.at is not None and clause.times.is_ahead
        if clause.is_done and clause.aspect is None:
            is_ever = tense is Tense.PERFECT and clause.times.at is None
            return predicate, Action.WAS if is_ever else Action.HAPPENS
        return predicate, Action.HAPPENS if now and tense is not Tense.USED_TO else None
    if use.does == "was":
        return predicate, Action.WAS if clause.is_done else None
    if use.does == "wed":
        is_begun = clause.verb.lemma == "get" or any(each.lemma == "get" for each in clause.verb.all("auxpass"))
        return predicate, Action.BEGINS if is_begun and clause.is_done else Action.HOLDS
    if use.does == "dating":
        is_dating = clause.tense in (Tense.PROGRESSIVE, Tense.LASTING)
        return predicate, Action.HOLDS if is_dating else None
    aspect = _ASPECTS[use.does]
    if clause.aspect is not None:
        if aspect is not Aspect.STATE:
            return predicate, None
        aspect = clause.aspect
    return predicate, acted(aspect, tense, clause.times, is_ended=clause.is_ended)


def _is_for_another(use: Use, each: Complement, found: list[Complement], *, is_dated: bool) -> bool:
    """Whether a thing that is got is somebody else's: "bought my sister a lamp"."""
    if use.predicate != "owns" or use.does != "begin":
        return False
    if each.phrase.owner in ("my", "our") and not is_dated:
        return True
    if any(
        other.before == "" and other is not each and is_person(other.phrase) and other.phrase.head != "me"
        for other in found
    ):
        return True
    given = any(other.before == "2" and other.phrase.head not in ("me", "us", "myself") for other in found)
    others = [other.phrase for other in found if other.before == "for"]
    return given or any(is_person(other) or other.owner in _HIS for other in others)


def _limit(clause: Clause, telling: Telling) -> str:
    """Write when it is so behind what is not eaten or drunk: " after noon"."""
    for prep in clause.verb.all("prep"):
        noun = prep.one("pobj")
        if prep.lower in ("after", "before", "at", "during") and noun is not None and not clause.is_time(noun):
            return f" {prep.lower} {noun.lower}"
    return ""


def object_of(phrase: Phrase, predicate: str, telling: Telling) -> str:
    """Write an object: what is called by name goes by that, a medicine without its dose."""
    if predicate in _NAMED and phrase.type is None:
        called = called_behind(phrase, telling)
        if called is not None:
            return called
    if predicate == "takes" and phrase.type is not None:
        return re.sub(r"\s*\d[\d.,]*\s?(?:mg|mcg|µg|ml|g)?$", "", phrase.text)
    if predicate == "takes":
        kept = [node for node in phrase.nodes if not node.word.text[0].isdigit()]
        medical = [node for node in kept if is_medicine_phrase(phrase_of(node, telling.message.content))]
        if len(medical) == 1:
            return telling.message.content[medical[0].word.start : medical[0].word.end]
    if predicate == "member_of":
        for prep in phrase.node.all("prep"):
            inner = prep.one("pobj")
            if prep.lower == "at" and inner is not None and inner.word.name is not None:
                return telling.message.content[phrase.start : inner.word.end]
    if predicate == "studies":
        first = next((node for node in phrase.nodes if node.lower in words("subjects")), phrase.nodes[0])
        return telling.message.content[first.word.start : phrase.end]
    return phrase.text


def called_behind(phrase: Phrase, telling: Telling) -> str | None:
    """Give the name by which what is spoken of is called: "a bakery called Flour & Co", "a kayak, the Nordkapp"."""
    node = phrase.node
    for each in node.all("acl"):
        if each.lower in ("called", "named"):
            inner = each.one("oprd", "dobj", "attr", "npadvmod", "xcomp", "ccomp")
            if inner is not None:
                return phrase_of(inner, telling.message.content).text
    if is_kept(phrase) and phrase.owner in ("a", "an", "my", "our"):
        for each in node.all("appos"):
            if each.word.name is not None and each.word.name.type in (EntityType.ITEM, EntityType.PERSON):
                return each.word.name.text
        if phrase.lemma in words("animals"):
            named = name_of(node, telling) if node.one("poss") else None
            return named or next((name for name, _ in names_behind(node.place, telling)), None)
    return None


def read_having(clause: Clause, telling: Telling, found: list[Complement]) -> None:
    """Read kin by name that somebody has: "we have two kids, Simi and Dapo"."""
    if clause.state is not State.SO or clause.verb.lemma not in ("have", "get", "adopt"):
        return
    for party in parties_of_clause(clause, telling)[:1]:
        for each in found:
            is_somebody = gender_of(each.phrase.lemma) is not None and each.phrase.owner in ("", "a", "the")
            if each.before == "" and is_somebody and party.gender != "t" and clause.tense is not Tense.PAST:
                tell_named(each.phrase.node, party.text, telling)
