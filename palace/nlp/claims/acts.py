"""What verbs say with a noun that gives them their meaning: jobs got and left, homes, things swapped, prices, plans."""

from __future__ import annotations

from dataclasses import replace

from palace.models.claims import Action, EntityType
from palace.nlp.claims.clauses import Clause, Complement, keys_of
from palace.nlp.claims.kinds import roles, words
from palace.nlp.claims.message import Aspect, Party, Tense, acted
from palace.nlp.claims.objects import is_doctor, is_medical, object_of
from palace.nlp.claims.people import Telling, owner_of, party_of
from palace.nlp.claims.phrases import Phrase, fits, is_money, is_person, phrase_of
from palace.nlp.claims.states import State
from palace.nlp.claims.tree import Node
from palace.nlp.claims.uses import NOUNS
from palace.nlp.claims.verbs import parties_of_clause
from palace.nlp.claims.words import RULES
from palace.nlp.time.clause import Times, times_of

_FOR_ONE = frozenset(["put", "start", "switch", "take", "prescribe", "keep", "get"])
_TRIPS = frozenset(["trip", "holiday", "vacation", "flight", "journey", "visit"])
_DOCTORS = frozenset(
    ["gp", "doctor", "nurse", "dr", "psychiatrist", "consultant", "dermatologist", "vet", "cardiologist"]
)


def read_acts(clause: Clause, telling: Telling, found: list[Complement]) -> None:
    """Read all that no entry of the data can say by itself."""
    if clause.state is not State.SO:
        return
    parties = parties_of_clause(clause, telling)
    day = clause.subject
    if day is not None and day.lemma in ("day", "shift", "week") and day.word.name is None:
        _day_at(clause, telling, day)
        return
    _parting(clause, telling)
    for read in (_post, _medicine, _price, _planned, _cancelled, _booked, _borrowed):
        for party in parties[:1] or ([telling.speaker] if read in (_medicine, _price) else []):
            read(clause, telling, party, found)


def _parting(clause: Clause, telling: Telling) -> None:
    """Read "Lukas and I broke up in March", "Anna and I got married"."""
    subject, verbs = clause.subject, {_verb(clause), *keys_of(clause)}
    is_over = bool(verbs & {"break up", "split up", "split", "separate", "divorce"})
    bond = next(
        (bond for bond in ("married", "engaged", "dating") if any(each.endswith(f" {bond}") for each in verbs)), None
    )
    if subject is None or not (is_over or bond) or (is_over and not clause.is_done):
        return
    pair = [party for each in subject.joined() for party in (party_of(each, telling),) if party is not None]
    if len(pair) != 2:
        return
    one, other = sorted(pair, key=lambda party: party.gender != "s")
    if bond is not None and not is_over:
        predicate = "married_to" if bond == "married" else "partner_of"
        is_new = clause.is_done and bond != "dating"
        telling.claim(
            one.text, predicate, other.text, Action.BEGINS if is_new else Action.HOLDS, clause.times, clause.span
        )
        return
    married = {claim.object for _, claim in telling.message.spoken.claims if claim.predicate == "married_to"}
    predicate = "married_to" if other.text in married else "partner_of"
    telling.claim(one.text, predicate, other.text, Action.ENDS, clause.times, clause.span)


def _verb(clause: Clause) -> str:
    particles = [each.lower for each in clause.verb.all("prt", "advmod") if len(each.lower) < 5]
    return " ".join([clause.verb.lemma, *particles[:1]])


def _action(clause: Clause, aspect: Aspect) -> Action | None:
    if clause.aspect is not None and aspect is Aspect.STATE:
        aspect = clause.aspect
    return acted(aspect, clause.tense, clause.times, is_ended=clause.is_ended)


def _post(clause: Clause, telling: Telling, party: Party, found: list[Complement]) -> None:
    """Read "got the internship at Bosch", "my last day at Bosch is Friday", "handed in my notice at Bosch"."""
    firm = next(
        (each.phrase for each in found if each.before in ("at", "with", "from") and fits(each.phrase, "employer")), None
    )
    nouns = {each.phrase.lemma for each in found if each.before in ("", "in")}
    if firm is None or party.gender == "t":
        return
    if nouns & NOUNS.words("posts") and clause.verb.lemma in NOUNS.words("gets"):
        action = _action(clause, Aspect.BEGIN)
    elif nouns & {"notice", "resignation"}:
        action = Action.ENDS if clause.is_done or clause.tense is Tense.PROGRESSIVE else None
    elif nouns & NOUNS.words("posts") and clause.verb.lemma in ("quit", "leave", "lose"):
        action = _action(clause, Aspect.END)
    else:
        return
    if action is not None:
        times = clause.times if clause.times.is_told else told_later(telling, clause, action) or clause.times
        telling.claim(party.text, "works_at", firm.text, action, times, clause.span)


def told_later(telling: Telling, clause: Clause, action: Action) -> Times | None:
    """Read when it begins or ends from what stands further on: "starts 8 June", "last shift is Sunday"."""
    text = telling.message.content[clause.span.start : telling.span.end].lower()
    found = RULES.pattern("later_end" if action is Action.ENDS else "later_begin").search(text)
    if found is None:
        return None
    times, _ = times_of(text[found.end() : found.end() + 40], telling.message.now, ahead=True)
    return times if times.at is not None else None


def _day_at(clause: Clause, telling: Telling, day: Node) -> None:
    order = {each.lower for each in day.all("amod")}
    times = clause.times
    for prep in day.all("prep"):
        noun = prep.one("pobj")
        if prep.lower in ("at", "with") and noun is not None:
            phrase = phrase_of(noun, telling.message.content)
            owner = owner_of(day, telling) or _last_subject(telling)
            action = Action.ENDS if "last" in order else Action.BEGINS if order & {"first", "1st"} else None
            if action is not None and fits(phrase, "employer"):
                telling.claim(owner, "works_at", phrase.text, action, times, clause.span)


def _last_subject(telling: Telling) -> str:
    """Give whom the sentence spoke of last, the speaker where it spoke of none."""
    for party in reversed(telling.message.spoken.parties):
        if (
            (party.turn, party.sentence) == (telling.message.turn, telling.number)
            and party.is_subject
            and party.gender != "t"
        ):
            return party.text
    return telling.message.speaker


def _medicine(clause: Clause, telling: Telling, party: Party, found: list[Complement]) -> None:
    """Read "the GP put me on losartan", "she stopped the amlodipine", "the nurse took him off Clenil"."""
    if not (clause.is_done and clause.verb.lemma in _FOR_ONE | {"stop"}):
        return
    is_doctor = party.gender != "s" and _is_doctor(clause.subject, party, telling)
    patient = next((each for each in clause.verb.all("dobj", "dative") if each.tag == "PRP" or each.word.name), None)
    whom = party_of(patient, telling) if patient is not None else telling.speaker if is_doctor else None
    if whom is None or whom.gender == "t" or (not is_doctor and patient is None):
        return
    for each in found:
        if not (fits(each.phrase, "medicine") or is_medical(each.phrase, telling)):
            continue
        if each.before == "off" or (each.before == "" and clause.verb.lemma == "stop"):
            telling.claim(whom.text, "takes", each.phrase.text, Action.ENDS, clause.times, clause.span)
        elif each.before in ("on", "with") or (each.before == "" and clause.verb.lemma in ("prescribe", "start")):
            times = clause.times if clause.times.is_told else told_later(telling, clause, Action.BEGINS) or clause.times
            telling.claim(
                whom.text, "takes", object_of(each.phrase, "takes", telling), Action.BEGINS, times, clause.span
            )


def _is_doctor(subject: Node | None, party: Party, telling: Telling) -> bool:
    return subject is not None and (subject.lemma in _DOCTORS or is_doctor(party.text, telling))


def _price(clause: Clause, telling: Telling, party: Party, found: list[Complement]) -> None:
    """Read "the mooring costs 2,180 pounds", "bought a kayak for 400 euros", "it went for £2,100"."""
    money = next(
        (each for each in found if is_money(each.phrase.text) and each.before in ("", "for", "at", "to")), None
    )
    if money is None:
        return
    lemma, value = clause.verb.lemma, money.phrase.text
    subject = phrase_of(clause.subject, telling.message.content) if clause.subject is not None else None
    if lemma in ("cost", "run") and money.before == "" and subject is not None and clause.verb.label != "relcl":
        thing = party.text if clause.subject is not None and clause.subject.tag == "PRP" else subject.text
        if party.gender != "s" and not is_person(subject) and subject.lemma not in words("amounts"):
            telling.claim(thing, "costs", value, Action.HOLDS, replace(clause.times, at=None), clause.span)
    elif lemma in ("pay", "want", "charge", "ask", "quote") and money.before == "":
        other = next(
            (each.phrase for each in found if each.before in ("for", "on") and not is_money(each.phrase.text)), None
        )
        if other is not None and not is_person(other) and other.node.tag != "PRP":
            telling.claim(other.text, "costs", value, Action.HOLDS, None, clause.span)
    elif lemma in ("buy", "get", "sell", "go", "order") and money.before == "for":
        direct = (each.phrase for each in found if each.before == "" and each.phrase.node.head is clause.verb)
        thing_ = next(
            (each for each in direct if each.node is not money.phrase.node and each.lemma not in words("amounts")), None
        )
        name = (
            thing_.text
            if thing_ is not None and thing_.node.tag != "PRP"
            else party.text
            if party.gender in "ta"
            else None
        )
        if name is not None:
            telling.claim(name, "costs", value, Action.HOLDS, None, clause.span)


def _planned(clause: Clause, telling: Telling, party: Party, found: list[Complement]) -> None:
    """Read "I have a dentist appointment on 2 July", "our wedding is in June", "I'm going to Rome on Friday"."""
    now = telling.message.now
    at = clause.times.at or clause.times.since
    if now is None or at is None or at.day < now.date():
        return
    times = replace(clause.times, since=None, at=at)
    verb, subject = clause.verb.lemma, clause.subject
    if verb in ("have", "get", "be") and clause.tense in (Tense.PRESENT, Tense.PROGRESSIVE, Tense.FUTURE):
        for each in found:
            if each.before == "" and party.gender != "t" and verb == "have" and _is_event(each.phrase):
                telling.claim(party.text, "planned", _event(each.phrase), Action.HAPPENS, times, clause.span)
    if subject is not None and clause.verb.lemma in ("be", "'s", "plan", "schedule", "start", "take", "get", "move"):
        event = phrase_of(subject, telling.message.content)
        owner = owner_of(subject, telling)
        if (
            event.type is None
            and fits(event, "dated")
            and (owner or (event.owner == "the" and _last_subject(telling) == telling.message.speaker))
        ):
            telling.claim(owner or telling.message.speaker, "planned", event.text, Action.HAPPENS, times, clause.span)


def _cancelled(clause: Clause, telling: Telling, party: Party, found: list[Complement]) -> None:
    """Read that no journey or move will be made: "we cancelled the trip to Rome", "the move to Rome was called off"."""
    if not {"cancel", "call off"} & {clause.verb.lemma, _verb(clause)}:
        return
    trips = [each.phrase.node for each in found] + ([clause.subject] if clause.subject is not None else [])
    whom = telling.message.speaker if party.gender == "t" else party.text
    for trip in trips:
        for place in (prep.one("pobj") for prep in trip.all("prep")):
            named = phrase_of(place, telling.message.content).text if place is not None else ""
            if named and trip.lemma == "move":
                telling.claim(whom, "lives_in", named, Action.DENIES)
            elif named and trip.lemma in _TRIPS:
                telling.claim(whom, "planned", f"{named} trip", Action.DENIES)


def _booked(clause: Clause, telling: Telling, party: Party, found: list[Complement]) -> None:
    """Read "we booked Casa Olivi in Torbole, 12 to 20 September", of which the days are ahead."""
    if clause.verb.lemma not in ("book", "reserve") or not clause.is_done or party.gender == "t":
        return
    text = telling.message.content[clause.span.start : telling.span.end].lower()
    times, _ = times_of(text, telling.message.now, ahead=True)
    for each in found:
        is_place = each.phrase.type in (EntityType.PLACE, EntityType.ORGANISATION, EntityType.EVENT, EntityType.ITEM)
        if each.before == "" and is_place and (times.at is not None or times.since is not None):
            until = None if times.at_end else times.until
            ahead = replace(times, at=times.at or times.since, since=None, until=until)
            telling.claim(party.text, "booked", each.phrase.text, Action.HAPPENS, ahead, clause.span)
            return


def _borrowed(clause: Clause, telling: Telling, party: Party, found: list[Complement]) -> None:
    """Read "I have a drill on loan from Tom until May", "borrowed a drill from Tom"."""
    thing = next((each.phrase for each in found if each.before == "" and each.phrase.type is None), None)
    lender = next((each.phrase for each in found if each.before == "from" and is_person(each.phrase)), None)
    is_lent = any(each.before == "on" and each.phrase.head == "loan" for each in found)
    if thing is None or lender is None or not (is_lent or clause.verb.lemma == "borrow") or party.gender == "t":
        return
    owner = party_of(lender.node, telling)
    if owner is not None and thing.owner in ("a", "an", "the", "his", "her"):
        telling.claim(owner.text, "owns", thing.text, Action.HOLDS, None, clause.span)
        telling.claim(party.text, "borrows", thing.text, Action.HOLDS, Times(until=clause.times.until), clause.span)


def _is_event(phrase: Phrase) -> bool:
    return fits(phrase, "dated") or (phrase.lemma in roles() and phrase.owner in ("the", "a"))


def _event(phrase: Phrase) -> str:
    return f"{phrase.head} appointment" if phrase.lemma in roles() else phrase.text
