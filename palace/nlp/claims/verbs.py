"""What is claimed by an English verb with its subject and objects, by the entries of the data. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from palace.models.claims import Action, Precision
from palace.nlp.claims.clauses import Clause, Complement, keys_of
from palace.nlp.claims.kinds import gender_of, words
from palace.nlp.claims.message import Aspect, Party, Tense, acted
from palace.nlp.claims.objects import is_doctor, is_for_another, is_medical, limit_of, object_of
from palace.nlp.claims.people import Telling, parties_of, tell_named
from palace.nlp.claims.phrases import HIS, fits, is_money, phrase_of
from palace.nlp.claims.states import State
from palace.nlp.claims.uses import Use, uses
from palace.nlp.time.clause import Times

_FELT = frozenset(["likes", "dislikes", "prefers"])
_ASPECTS = {"state": Aspect.STATE, "begin": Aspect.BEGIN, "end": Aspect.END, "thing": Aspect.STATE}
_HAD = frozenset(["owns", "has", "takes"])
_OF_ONE = frozenset(["works_at", "works_as"])
"""What "we" does not say of the speaker alone: a firm may speak so."""
_OPEN = (Tense.PROGRESSIVE, Tense.FUTURE, Tense.PRESENT)
_STOOD = frozenset(["stand", "bear"])
_WHERE = {"move": ("lives_in",), "live": ("lives_in",), **dict.fromkeys(("be", "work"), ("works_at", "lives_in"))}


def read_uses(clause: Clause, telling: Telling, found: list[Complement]) -> None:
    """Claim what the entries for a verb say of its subject and its objects."""
    keys = keys_of(clause)
    for party in parties_of_clause(clause, telling):
        if _ends_what_was_told(clause, telling, party, keys, found):
            continue
        _there(clause, telling, party, found)
        _lost(clause, telling, party, keys)
        for key, use in _uses_of(keys, clause):
            is_theirs = use.predicate == "takes" and party.gender != "s" and is_doctor(party.text, telling)
            if is_theirs or (party.gender == "t" and use.does != "thing"):
                continue
            is_state = key.split()[0] == "be" and clause.verb.tag != "VBG" and clause.tense is Tense.PRESENT
            is_over = is_state and use.does != "state" and (key != "be" or use.does != "event")
            _use(replace(clause, tense=Tense.PERFECT) if is_over else clause, telling, party, use, found)


def parties_of_clause(clause: Clause, telling: Telling) -> list[Party]:
    """Resolve who does what a clause says: who was last spoken of where that is left out, or the speaker."""
    if clause.subject is not None:
        return parties_of(clause.subject, telling)
    if clause.verb.tag != "VBZ":
        return [telling.speaker]
    spoken = telling.message.spoken.parties
    return [each for each in spoken if each.turn == telling.message.turn and each.is_subject][-1:]


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
    if clause.verb.lemma in _STOOD and clause.state is State.DENIED:
        yield "can't stand", Use(frozenset([""]), "liked", "dislikes", "state")


def _ends_what_was_told(
    clause: Clause, telling: Telling, party: Party, keys: list[str], found: list[Complement]
) -> bool:
    """End what was told of somebody by another verb: "quit Wet Concrete" of a band; tell whether it did."""
    before = {each for _, use in _uses_of(keys, clause) if use.does == "end" for each in use.before}
    done = acted(Aspect.END, clause.tense, clause.times, is_ended=clause.is_ended)
    if clause.state is not State.SO or done is None:
        return False
    told = [claim for _, claim in reversed(telling.message.spoken.claims) if claim.action is not Action.ENDS]
    told = [claim for claim in told if claim.subject == party.text and claim.predicate in words("ended")]
    for each in found:
        text = f" {each.phrase.text.casefold()}"
        same = next((claim for claim in told if f" {claim.object.casefold()}".endswith(text)), None)
        if each.before in before and not each.is_inner and same is not None:
            telling.claim(party.text, same.predicate, same.object, Action.ENDS, clause.times, clause.span)
            telling.note(same.object, telling.message.spoken.gender(same.object) or "t")
            return True
    return False


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
    """Read "she moved there in May" and "I have been there since 1996" of where somebody was said to live or work."""
    verb = clause.verb
    is_there = any(each.lower in ("there", "here") for each in verb.all("advmod", "acomp"))
    begun = clause.times.start if verb.lemma == "move" else clause.times.since
    if not is_there or begun is None or clause.state is not State.SO or any(each.before == "to" for each in found):
        return
    for claim in reversed(telling.message.claims):
        is_held = claim.predicate in _WHERE.get(verb.lemma, ()) and claim.action is not Action.ENDS
        if claim.subject == party.text and is_held:
            action = Action.BEGINS if verb.lemma == "move" else Action.HOLDS
            telling.claim(party.text, claim.predicate, claim.object, action, Times(since=begun), clause.span)
            return


def _use(clause: Clause, telling: Telling, party: Party, use: Use, found: list[Complement]) -> None:
    predicate, action = _action(clause, use)
    if action is None or not _may_be_said(use, predicate, clause, party, telling):
        return
    for each in found:
        if not _is_meant(each, use, clause, telling, found) or (
            each.phrase.owner in HIS and party.gender == "s" and predicate in _HAD
        ):
            continue
        if action is Action.HAPPENS and use.does == "event" and clause.tense in _OPEN:
            if clause.verb.lemma != "head" and not each.phrase.node.all("conj"):
                telling.claim(party.text, "planned", f"{each.phrase.text} trip", action, clause.times, clause.span)
            continue
        obj, does = object_of(each.phrase, predicate, telling), action
        if use.does == "refuse":
            obj += limit_of(clause)
        if clause.is_ended and any(other.is_denied for other in found):
            does = Action.ENDS if each.is_denied else Action.HOLDS
        elif each.is_denied:
            continue
        telling.claim(party.text, predicate, obj, does, clause.times, clause.span)
        if predicate == "owns":
            telling.note(obj, "a" if each.phrase.lemma in words("animals") else "t")


def _may_be_said(use: Use, predicate: str, clause: Clause, party: Party, telling: Telling) -> bool:
    """Whether it can be said of somebody, and is not said of answers that are wanted."""
    if predicate in _FELT:
        is_wanted = any(node.lower in words("of_answers") for node in telling.nodes)
        return clause.tense is not Tense.PAST and not is_wanted
    is_of_one = use.predicate in _OF_ONE and clause.subject is not None and clause.subject.lower == "we"
    is_visit = clause.times.start is None or clause.times.start.precision is Precision.DAY
    is_stay = use.predicate == "works_at" and clause.verb.lemma == "be" and clause.tense is Tense.PAST
    is_anothers_order = clause.verb.lemma == "order" and party.gender != "s"
    if is_of_one or (is_stay and is_visit) or is_anothers_order:
        return False
    genders = {"thing": "ta", "other": "fmn"}.get(use.does)
    return genders is None or party.gender in genders


def _is_meant(each: Complement, use: Use, clause: Clause, telling: Telling, found: list[Complement]) -> bool:
    """Whether an object is what an entry speaks of."""
    phrase = each.phrase
    is_fitting = fits(phrase, use.kind) or (use.kind == "medicine" and is_medical(phrase, telling))
    if each.before not in use.before or not is_fitting or is_for_another(use, each, clause, found):
        return False
    if _is_of_something_else(each, use, clause, found):
        return False
    if use.does == "refuse":
        return phrase.head in words("eaten") and (phrase.owner == "no" or clause.state is State.DENIED)
    if use.predicate == "studies_at":
        return not any(fits(other.phrase, "job") for other in found if other.before == "")
    is_of_verb = clause.verb.lemma in ("be", "'s") and use.predicate == "studies"
    is_lasting = use.does in ("state", "thing") and use.predicate != "lives_in" and not is_of_verb
    return not each.is_inner or (each.before != "" and is_lasting)


def _is_short(clause: Clause, predicate: str) -> bool:
    """Whether what was so lasted a day at most, or nobody says when it was that something was at hand."""
    start = clause.times.start
    if start is None:
        return predicate == "owns" and clause.times.until is None
    return start.precision is Precision.DAY and clause.times.until is None


def _is_of_something_else(each: Complement, use: Use, clause: Clause, found: list[Complement]) -> bool:
    """Whether a direct object changes what is said: a thing is moved, money is spent, the sound of it is liked."""
    direct = [other for other in clause.verb.all("dobj") if not clause.is_time(other)]
    if use.predicate == "lives_in" and each.before and clause.verb.lemma in ("move", "relocate"):
        return any(other.lower not in ("home", "house", "flat") for other in direct)
    if use.predicate in _FELT:
        return any(other.lemma in words("liked_of") for other in direct)
    return clause.verb.lemma == "spend" and any(is_money(other.phrase.text) for other in found)


def _action(clause: Clause, use: Use) -> tuple[str, Action | None]:
    """Say what a use claims in the tense of its clause: what it says, and None where that is nothing to hold to."""
    predicate, is_present = use.predicate, clause.tense is Tense.PRESENT
    if use.does == "refuse" or predicate == "comes_from":
        is_so = clause.state is State.SO if use.does == "state" else is_present and not clause.is_ended
        return predicate, Action.HOLDS if is_so else None
    if clause.state is State.DENIED:
        is_disliked = (predicate == "likes" and is_present) or (predicate == "dislikes" and clause.verb.lemma in _STOOD)
        return "dislikes", Action.HOLDS if is_disliked else None
    if use.does == "other":
        return clause.verb.lower, Action.HAPPENS if clause.is_done else None
    if use.does in _ASPECTS:
        aspect = _ASPECTS[use.does]
        if clause.aspect is not None and aspect is not Aspect.STATE:
            return predicate, None
        aspect = clause.aspect or aspect
        is_short = aspect is Aspect.STATE and clause.tense is Tense.PAST and _is_short(clause, predicate)
        done = acted(aspect, clause.tense, clause.times, is_ended=clause.is_ended)
        return predicate, None if is_short else done
    return predicate, _happens(clause, use.does)


def _happens(clause: Clause, does: str) -> Action | None:
    """Say what is claimed by a verb that tells an event, or a bond between two."""
    if does == "was":
        return Action.WAS if clause.is_done else None
    if does == "wed":
        is_begun = clause.verb.lemma == "get" or any(each.lemma == "get" for each in clause.verb.all("auxpass"))
        return Action.BEGINS if is_begun and clause.is_done else Action.HOLDS
    if does == "dating":
        return Action.HOLDS if clause.tense in (Tense.PROGRESSIVE, Tense.LASTING) else None
    if clause.is_done and clause.aspect is None:
        is_ever = clause.tense is Tense.PERFECT and clause.times.at is None
        return Action.WAS if is_ever else Action.HAPPENS
    is_ahead = clause.times.at is not None and clause.times.is_ahead and clause.tense is not Tense.USED_TO
    return Action.HAPPENS if is_ahead else None


def read_having(clause: Clause, telling: Telling, found: list[Complement]) -> None:
    """Read kin by name that somebody has: "we have two kids, Simi and Dapo"."""
    if clause.state is not State.SO or clause.verb.lemma not in ("have", "get", "adopt") or clause.tense is Tense.PAST:
        return
    for party in parties_of_clause(clause, telling)[:1]:
        for each in found:
            is_somebody = gender_of(each.phrase.lemma) is not None and each.phrase.owner in ("", "a", "the")
            if each.before == "" and is_somebody and party.gender != "t":
                tell_named(each.phrase.node, party.text, telling)
