"""Claims of English verbs with their subjects and objects, by the entries of the data. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from palace.models.claims import Action, EntityType, Precision
from palace.nlp.claims.clauses import Clause, Complement, keys_of
from palace.nlp.claims.kinds import Use, gender_of, uses, words
from palace.nlp.claims.message import Aspect, Party, Tense, acted
from palace.nlp.claims.objects import is_doctor, is_for_another, is_medical, limit_of, object_of
from palace.nlp.claims.people import Context, claim_all_named, parties_of, party_of
from palace.nlp.claims.phrases import HIS, Phrase, fits, is_money, is_person, phrase_of
from palace.nlp.claims.states import State
from palace.nlp.claims.tree import Node
from palace.nlp.claims.words import RULES
from palace.nlp.time.clause import Times, times_of

_FELT = frozenset(["likes", "dislikes", "prefers"])
_BONDS = frozenset(["married_to", "partner_of"])
_ASPECTS = {"state": Aspect.STATE, "begin": Aspect.BEGIN, "end": Aspect.END, "thing": Aspect.STATE}
_HAD = frozenset(["owns", "has", "takes"])
_OF_ONE = frozenset(["works_at", "works_as"])
"""Predicates that "we" does not claim of the speaker, as it may stand for a firm."""
_OPEN = (Tense.PROGRESSIVE, Tense.FUTURE, Tense.PRESENT)
_STOOD = frozenset(["stand", "bear"])
_PRICED = {"buy": "for", "get": "for", "sell": "for", "go": "for", "order": "for", "cost": "", "run": "", "pay": ""}
"""Map verbs to the preposition before their price; "" for a direct object."""


def read_uses(clause: Clause, context: Context, found: list[Complement]) -> None:
    """Add the claims that a clause's verb makes of its subject and objects."""
    keys = keys_of(clause)
    parties = parties_of_clause(clause, context)
    if clause.state is State.SO:
        _kin(clause, context, parties, found)
        _price(clause, context, parties, found)
        _cancelled(clause, context, parties, found)
        _borrowed(clause, context, parties, found)
        _pair(clause, context, parties, keys, found)
    treated = _treated(clause, context)
    for party in parties or ([treated] if treated else []):
        if _ends_earlier_claim(clause, context, party, keys, found):
            continue
        _lost(clause, context, party, keys)
        for key, use in _uses_of(keys, clause):
            whom = party
            if use.predicate == "takes" and treated is not None:
                whom = treated
            elif use.predicate == "takes" and party.gender != "s" and _is_doctor(clause, party, context):
                whom = context.speaker
            if whom.gender == "t" and use.does != "thing":
                continue
            is_state = key.split()[0] == "be" and clause.verb.tag != "VBG" and clause.tense is Tense.PRESENT
            is_over = is_state and use.does != "state" and (key != "be" or use.does != "event")
            _use(replace(clause, tense=Tense.PERFECT) if is_over else clause, context, whom, use, found)


def parties_of_clause(clause: Clause, context: Context) -> list[Party]:
    """Resolve the subject of a clause; where it is left out, the last subject (before "-s" forms) or the speaker."""
    if clause.subject is not None:
        return parties_of(clause.subject, context)
    if clause.verb.one("csubj", "csubjpass", "expl") is not None:
        return []
    if clause.verb.tag != "VBZ":
        return [context.speaker]
    spoken = context.message.spoken.parties
    return [each for each in spoken if each.turn == context.message.turn and each.is_subject][-1:]


def _uses_of(keys: list[str], clause: Clause) -> Iterator[tuple[str, Use]]:
    """Yield the uses of a verb's keys, the most specific key first, which hides the same predicates of simpler keys."""
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


def _kin(clause: Clause, context: Context, parties: Sequence[Party], found: list[Complement]) -> None:
    """Claim named kin as the object of "have": "we have two kids, Simi and Dapo"."""
    if clause.verb.lemma not in ("have", "get", "adopt") or clause.tense is Tense.PAST:
        return
    for party in parties[:1]:
        for each in found:
            is_somebody = gender_of(each.phrase.lemma) is not None and each.phrase.owner in ("", "a", "the")
            if each.before == "" and is_somebody and party.gender != "t":
                claim_all_named(each.phrase.node, party.text, context)


def _price(clause: Clause, context: Context, parties: Sequence[Party], found: list[Complement]) -> None:
    """Claim a price: "the mooring costs 2,180 pounds", "bought a kayak for 400 euros"."""
    before = _PRICED.get(clause.verb.lemma)
    money = next((each.phrase for each in found if is_money(each.phrase.text) and each.before == before), None)
    if money is None:
        return
    things = [each.phrase for each in found if each.phrase is not money and not is_money(each.phrase.text)]
    if before == "for":
        things = [each.phrase for each in found if each.before == "" and each.phrase.node.head is clause.verb]
    elif clause.verb.lemma != "pay":
        things = [phrase_of(clause.subject, context.message.content)] if clause.subject is not None else []
    elif not any(each.before in ("for", "on") for each in found):
        return
    thing = next((each for each in things if each.lemma not in words("amounts") and each.node is not money.node), None)
    meant = next((party.text for party in parties if party.gender in "ta"), None)
    if thing is not None and thing.node.tag != "PRP" and not is_person(thing):
        meant = thing.text
    if meant and clause.verb.label != "relcl":
        context.claim(meant, "costs", money.text, Action.HOLDS, None, clause.span)


def _cancelled(clause: Clause, context: Context, parties: Sequence[Party], found: list[Complement]) -> None:
    """Deny a cancelled journey or move: "we cancelled the trip to Rome", "the move was called off"."""
    if clause.verb.lemma != "cancel" and "call off" not in {f"{clause.verb.lemma} {each.lower}" for each in
                                                            clause.verb.all("prt")}:  # fmt: skip
        return
    trips = [each.phrase.node for each in found] + ([clause.subject] if clause.subject is not None else [])
    whom = next((party.text for party in parties if party.gender != "t"), context.message.speaker)
    for trip in trips:
        for place in (prep.one("pobj") for prep in trip.all("prep")):
            named = phrase_of(place, context.message.content).text if place is not None else ""
            if named and trip.lemma == "move":
                context.claim(whom, "lives_in", named, Action.DENIES)
            elif named[:1].isupper() and trip.lemma in RULES.words("trips"):
                context.claim(whom, "planned", f"{named} trip", Action.DENIES)


def _borrowed(clause: Clause, context: Context, parties: Sequence[Party], found: list[Complement]) -> None:
    """Claim who owns and who borrows a lent thing: "I have a drill on loan from Tom", "borrowed a drill from Tom"."""
    thing = next((each.phrase for each in found if each.before == "" and each.phrase.type is None), None)
    lender = next((each.phrase for each in found if each.before == "from" and is_person(each.phrase)), None)
    is_lent = clause.verb.lemma == "borrow" or any(each.before == "on" and each.phrase.head == "loan" for each in found)
    owner = party_of(lender.node, context) if lender is not None and is_lent else None
    if owner is None or thing is None or thing.owner not in ("a", "an", "the", "his", "her"):
        return
    for party in (each for each in parties[:1] if each.gender != "t"):
        context.claim(owner.text, "owns", thing.text, Action.HOLDS, None, clause.span)
        context.claim(party.text, "borrows", thing.text, Action.HOLDS, Times(until=clause.times.until), clause.span)


def _pair(clause: Clause, context: Context, parties: Sequence[Party], keys: list[str], found: list[Complement]) -> None:
    """Claim a relation between two joined subjects: "Lukas and I broke up in March", "we got divorced"."""
    use = next((use for _, use in _uses_of(keys, clause) if use.predicate in _BONDS), None)
    if use is None or clause.verb.one("dobj") is not None:
        return
    _, action = _action(clause, use)
    if action is Action.ENDS and clause.subject is not None and clause.subject.lower == "we" and not found:
        context.claim(parties[0].text, use.predicate, "", action, clause.times, clause.span)
    elif action is not None and len(parties) == 2:
        context.claim(parties[0].text, use.predicate, parties[1].text, action, clause.times, clause.span)


def _treated(clause: Clause, context: Context) -> Party | None:
    """Find the person who is the object of a verb: "the GP put me on losartan"."""
    for each in clause.verb.all("dobj", "dative"):
        if each.tag == "PRP" or (each.word.name is not None and each.word.name.type is EntityType.PERSON):
            party = party_of(each, context)
            return party if party is not None and party.gender != "t" else None
    return None


def _is_doctor(clause: Clause, party: Party, context: Context) -> bool:
    subject = clause.subject
    return subject is not None and (subject.lemma in words("doctors") or is_doctor(party.text, context))


def _ends_earlier_claim(
    clause: Clause, context: Context, party: Party, keys: list[str], found: list[Complement]
) -> bool:
    """End an earlier claim that another verb made ("quit Wet Concrete", a band); return whether there was one."""
    before = {each for _, use in _uses_of(keys, clause) if use.does == "end" for each in use.before}
    done = acted(Aspect.END, clause.tense, clause.times, is_ended=clause.is_ended)
    if clause.state is not State.SO or done is None:
        return False
    earlier = [claim for _, claim in reversed(context.message.spoken.claims) if claim.action is not Action.ENDS]
    earlier = [claim for claim in earlier if claim.subject == party.text and claim.predicate in words("ended")]
    for each in found:
        text = f" {each.phrase.text.casefold()}"
        same = next((claim for claim in earlier if f" {claim.object.casefold()}".endswith(text)), None)
        if each.before in before and not each.is_inner and same is not None:
            context.claim(party.text, same.predicate, same.object, Action.ENDS, clause.times, clause.span)
            context.note(same.object, context.message.spoken.gender(same.object) or "t")
            return True
    return False


def _lost(clause: Clause, context: Context, party: Party, keys: list[str]) -> None:
    """End the ownership of a clause's subject: "my bike was stolen", "our dog Rufus died"."""
    subject = clause.subject
    if subject is None or party.gender in "sp" or not clause.is_done or clause.state is not State.SO:
        return
    thing = phrase_of(subject, context.message.content)
    for _, use in _uses_of(keys, clause):
        same = [claim for _, claim in context.message.spoken.claims if claim.predicate == use.predicate]
        owners = [claim.subject for claim in same if claim.object == party.text]
        is_mine = thing.owner in ("my", "our", "the") and fits(thing, use.kind) and not party.text.startswith("my ")
        if "subject" in use.before and (owners or is_mine):
            holder = owners[-1] if owners else context.message.speaker
            context.claim(holder, use.predicate, party.text, Action.ENDS, clause.times, clause.span)


def _use(clause: Clause, context: Context, party: Party, use: Use, found: list[Complement]) -> None:
    is_over = clause.verb.lemma == "have" and clause.tense is Tense.PAST
    times = _times_ahead(clause, context) if use.does == "ahead" and not is_over else clause.times
    predicate, action = _action(replace(clause, times=times), use)
    if action is None or not _may_be_said(use, predicate, clause, party, context):
        return
    for each in found:
        is_others = each.phrase.owner in HIS and party.gender == "s" and predicate in _HAD
        if is_others or not _is_meant(each, use, clause, context, found):
            continue
        if action is Action.HAPPENS and use.does == "event" and clause.tense in _OPEN:
            if clause.verb.lemma != "head" and not each.phrase.node.all("conj"):
                context.claim(party.text, "planned", f"{each.phrase.text} trip", action, times, clause.span)
            continue
        obj, does = object_of(each.phrase, predicate, context), action
        obj += limit_of(clause) if use.does == "refuse" else ""
        if clause.is_ended and any(other.is_denied for other in found):
            does = Action.ENDS if each.is_denied else Action.HOLDS
        elif each.is_denied:
            continue
        context.claim(party.text, predicate, obj, does, times, clause.span)
        if predicate == "owns":
            context.note(obj, "a" if each.phrase.lemma in words("animals") else "t")


def _times_ahead(clause: Clause, context: Context) -> Times:
    """Read the future times of a verb in the past tense: "we booked a hut, 12 to 20 September"."""
    text = context.message.content[clause.span.start : context.span.end].lower()
    times, _ = times_of(text, context.message.now, ahead=True)
    until = None if times.at_end else times.until
    return replace(times, at=times.at or times.since, since=None, until=until)


def _may_be_said(use: Use, predicate: str, clause: Clause, party: Party, context: Context) -> bool:
    """Check that a use may be claimed of a subject, and is no preference about the answers of an assistant."""
    if predicate in _FELT:
        is_wanted = any(node.lower in words("of_answers") for node in context.nodes)
        return clause.tense is not Tense.PAST and not is_wanted
    is_of_one = use.predicate in _OF_ONE and clause.subject is not None and clause.subject.lower == "we"
    is_visit = clause.times.start is None or clause.times.start.precision is Precision.DAY
    is_stay = use.predicate == "works_at" and clause.verb.lemma == "be" and clause.tense is Tense.PAST
    is_anothers_order = clause.verb.lemma == "order" and party.gender != "s"
    if is_of_one or (is_stay and is_visit) or is_anothers_order:
        return False
    genders = {"thing": "ta", "other": "fmn"}.get(use.does)
    return genders is None or party.gender in genders


def _is_meant(each: Complement, use: Use, clause: Clause, context: Context, found: list[Complement]) -> bool:
    """Check whether an object is one that a use of the verb takes."""
    phrase = each.phrase
    is_fitting = fits(phrase, use.kind) or (use.kind == "medicine" and is_medical(phrase, context))
    if each.before not in use.before or not is_fitting:
        return False
    is_other = is_for_another(use, each, clause, found) or _is_of_something_else(each, use, clause, found)
    is_hour = use.kind == "gym" and (clause.times.is_told or len(found) > 1)  # "the gym on Monday"
    if is_other or is_hour or (use.kind == "own_post" and not _ends_job(phrase, clause, context)):
        return False
    if use.does == "refuse":
        return phrase.head in words("eaten") and (phrase.owner == "no" or clause.state is State.DENIED)
    if use.predicate == "studies_at":
        return not any(fits(other.phrase, "job") for other in found if other.before == "")
    is_of_verb = clause.verb.lemma in ("be", "'s") and use.predicate == "studies"
    is_lasting = use.does in ("state", "thing") and use.predicate != "lives_in" and not is_of_verb
    return not each.is_inner or (each.before != "" and (is_lasting or use.is_of_noun))


def _is_of_something_else(each: Complement, use: Use, clause: Clause, found: list[Complement]) -> bool:
    """Check whether another object changes the meaning: a thing is moved, money spent, a guest is at a party."""
    if use.predicate == "works_at" and clause.verb.lemma in ("be", "'s"):
        return next((other for other in found if other.before), each) is not each
    if use.predicate == "works_at" and each.before == "in":
        return any(other.before in ("at", "for", "with") for other in found)
    if use.predicate == "lives_in" and each.phrase.owner == "the" and each.before == "in":  # a street of the town
        return any(other.before == "in" and not (other.phrase.owner or other.is_inner) for other in found)
    direct = [other for other in clause.verb.all("dobj") if not clause.is_time(other)]
    if use.predicate == "lives_in" and each.before and clause.verb.lemma in ("move", "relocate"):
        return any(other.lower not in ("home", "house", "flat") for other in direct)
    return clause.verb.lemma == "spend" and any(is_money(other.phrase.text) for other in found)


def _ends_job(post: Phrase, clause: Clause, context: Context) -> bool:
    """Check whether a job ends with the clause: not with "my notice on the flat", nor before a last day beside it."""
    behind = [
        "because" if _is_reason(each) else each.label
        for each in (*clause.verb.children, *post.node.children)
        if each.place > post.node.place and each.label != "punct" and not clause.is_time(each)
    ]  # fmt: skip
    if post.lemma == "job":
        return {"advmod", "xcomp", "cc", "conj", "because"}.issuperset(behind)
    content = context.message.content.lower()
    beside = f"{content[: clause.span.start]} {content[clause.span.end :]}"
    times, _ = times_of(beside, context.message.now, ahead=True)
    is_later = times.is_told or clause.times.is_ahead or RULES.pattern("last_day").search(content) is not None
    return clause.is_done and not behind and not is_later


def _is_reason(node: Node) -> bool:
    """Check whether a clause or preposition says why or when: "because I was ill", but not "half done"."""
    if node.label == "advcl":
        return node.subject is not None or node.tag == "VB"
    return node.label == "prep" and node.lower in ("after", "because", "due")


def _action(clause: Clause, use: Use) -> tuple[str, Action | None]:
    """Return the predicate and action of a use in the tense of its clause; None as action where it claims nothing."""
    predicate, is_present = use.predicate, clause.tense is Tense.PRESENT
    action: Action | None
    if use.does == "refuse" or predicate == "comes_from":
        is_so = clause.state is State.SO if use.does == "state" else is_present and not clause.is_ended
        action = Action.HOLDS if is_so else None
    elif clause.state is State.DENIED:
        is_disliked = (predicate == "likes" and is_present) or (predicate == "dislikes" and clause.verb.lemma in _STOOD)
        predicate, action = "dislikes", Action.HOLDS if is_disliked else None
    elif use.does == "other":
        predicate, action = clause.verb.lower, Action.HAPPENS if clause.is_done else None
    elif use.does not in _ASPECTS:
        action = _happens(clause, use.does)
    else:
        aspect, is_undated = _ASPECTS[use.does], clause.times.start is None and clause.times.until is None
        is_vague = aspect is Aspect.STATE and clause.tense is Tense.PAST and predicate == "owns" and is_undated
        action = acted(clause.aspect or aspect, clause.tense, clause.times, is_ended=clause.is_ended)
        if is_vague or (clause.aspect is not None and aspect is not Aspect.STATE):
            action = None
    return predicate, action


def _happens(clause: Clause, does: str) -> Action | None:
    """Return the action of a verb of an event or of a bond between two; None where it claims nothing."""
    if does == "was":
        return Action.WAS if clause.is_done else None
    if does == "wed":
        is_begun = clause.verb.lemma == "get" or any(each.lemma == "get" for each in clause.verb.all("auxpass"))
        return Action.BEGINS if is_begun and clause.is_done else Action.HOLDS
    if does == "dating":
        return Action.HOLDS if clause.tense in (Tense.PROGRESSIVE, Tense.LASTING) else None
    is_ahead = clause.times.at is not None and clause.times.is_ahead and clause.tense is not Tense.USED_TO
    if clause.is_done and clause.aspect is None and does != "ahead":
        is_ever = clause.tense is Tense.PERFECT and clause.times.at is None
        return Action.WAS if is_ever else Action.HAPPENS
    return Action.HAPPENS if is_ahead else None
