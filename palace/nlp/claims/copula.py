"""Claims of English clauses with "be" and "be called": names, jobs, kin, prices, properties and states. Pure."""

from __future__ import annotations

import re
from dataclasses import replace

from palace.models.claims import SELF, Action, EntityType
from palace.nlp.claims.clauses import Clause, Complement, parts_of
from palace.nlp.claims.kinds import gender_of, kin, roles, words
from palace.nlp.claims.message import Aspect, Party, acted
from palace.nlp.claims.people import Context, claim_named, noun_of_somebody, owner_of, party_of
from palace.nlp.claims.phrases import Phrase, fits, is_money, phrase_of
from palace.nlp.claims.states import State
from palace.nlp.claims.tree import Node
from palace.nlp.claims.verbs import parties_of_clause

_LINKS = frozenset(["be", "'s", "remain", "stay"])
_POINTING = frozenset(["PRP", "DT", "WP", "EX"])


def read_copula(clause: Clause, context: Context, found: list[Complement]) -> None:
    """Add the claims of a clause whose verb is "be", "stay", "remain", "call" or "name"; others add none."""
    subject, lemma = clause.subject, clause.verb.lemma
    action = acted(Aspect.STATE, clause.tense, clause.times, is_ended=clause.is_ended)
    if action is None or clause.state is not State.SO:
        return
    if clause.is_ended:
        _end_state(clause, context, action)
        return
    if lemma in ("call", "name"):
        inner = clause.verb.one("oprd", "attr", "xcomp", "ccomp")
        if inner is not None and subject is not None and clause.verb.one("auxpass") is not None:
            _goes_by(subject, inner, context, action)
        return
    if lemma not in _LINKS:
        return
    if subject is not None and (_is_named(subject, context, found, action) or _is_dated(subject, clause, context)):
        return
    if subject is not None and _property(subject, clause, context, found, action):
        return
    parties = parties_of_clause(clause, context)
    if not parties and subject is not None and subject.lower in ("that", "this"):
        spoken = context.message.spoken.parties
        parties = [each for each in spoken if each.turn == context.message.turn and each.gender in "fmn"][-1:]
    for party in parties:
        _state(party, clause, context, found, action)


def _is_named(subject: Node, context: Context, found: list[Complement], action: Action) -> bool:
    """Read "her name is Momo", "my name is Walter Ashdown", "the cat's name is Bo"."""
    if subject.lemma != "name" or subject.word.name is not None:
        return False
    poss, named = subject.one("poss"), _value(found)
    if poss is None or named is None or not (named.is_named or len(named.nodes) == 1):
        return True
    if poss.lower in ("my", "our"):
        context.claim(context.message.speaker, "called", named.text, action)
    elif poss.lower in ("his", "her", "its"):
        meant = owner_of(subject, context)
        if meant is not None:
            _name(meant, context.message.spoken.gender(meant) or "n", named.text, context, action)
    else:
        _goes_by(poss, named.node, context, action)
    return True


def _goes_by(who: Node, named: Node, context: Context, action: Action) -> None:
    """Claim the name of a person or thing that the sentence refers to by a noun or pronoun."""
    party, text = party_of(who, context), phrase_of(named, context.message.content).text
    if party is not None and party.gender == "s":
        context.claim(party.text, "called", text, action)
    elif party is not None and (noun_of_somebody(who) is None or who.one("poss") is None):
        _name(party.text, party.gender, text, context, action)


def _name(noun: str, gender: str, name: str, context: Context, action: Action) -> None:
    """Claim the name of a person or thing known only by a noun so far."""
    bare = noun.removeprefix("my ")
    if context.message.name(noun, name):
        context.note(name, gender)
    elif bare != noun and (bare in kin() or bare in roles()):
        claim_named(context, context.message.speaker, bare, name)
    elif bare != noun or "'s " in noun or gender == "t" or context.message.spoken.owned(noun):
        context.claim(noun, "called", name, action)


def _value(found: list[Complement]) -> Phrase | None:
    """Return the phrase that a subject is equated with."""
    behind = [each.phrase for each in found if each.before == "" and not each.is_inner]
    return next((each for each in behind if each.node.label in ("attr", "oprd")), behind[-1] if behind else None)


def _is_dated(subject: Node, clause: Clause, context: Context) -> bool:
    """Read "my sister's birthday is on 9 June", "our wedding is on 3 June"; return whether it has this form."""
    owner, is_birthday = owner_of(subject, context), subject.lemma == "birthday"
    if not clause.blank or not (is_birthday or subject.lemma in words("dated")) or subject.word.name is not None:
        return False
    days = [each for each in map(context.nodes.__getitem__, sorted(clause.blank)) if each.tag != "IN"]
    if owner is not None and is_birthday and any(each.tag == "CD" for each in days):
        day = context.message.content[days[0].word.start : days[-1].word.end]
        context.claim(owner, "has_birthday", day, Action.HOLDS)
    elif owner is not None and not is_birthday and clause.times.is_ahead:
        event = phrase_of(subject, context.message.content).text
        times = replace(clause.times, at=clause.times.start, since=None)
        context.claim(owner, "planned", event, Action.HAPPENS, times, clause.span)
    return True


def _property(subject: Node, clause: Clause, context: Context, found: list[Complement], action: Action) -> bool:
    """Read "my dentist is Dr Sato", "the rent is 1,450", "the boat's battery is 24 V"; return whether it was read."""
    value, noun = _value(found), subject.lemma
    if subject.word.name is not None or value is None or subject.tag in _POINTING:
        return False
    holder, thing = _holder(subject, context), phrase_of(subject, context.message.content).text
    if holder is None or noun_of_somebody(subject) is not None:
        return holder is not None and _somebody_is(subject, holder, value, context, action)
    is_own = noun in words("own_properties")
    is_property = is_own or noun in words("properties")
    if is_money(value.text) and not is_property:
        if noun not in words("amounts") and clause.verb.label != "relcl":
            context.claim(thing, "costs", value.text, action, clause.times)
        return True
    is_figure = value.is_value and value.node.lemma not in words("units") and value.owner in ("", "a", "an")
    is_in_words = (noun in words("in_words") and value.owner == "") or (is_own and value.is_named)
    if not is_property or not (is_figure or is_in_words):
        return False
    if holder == "the" and not is_own:
        context.claim(thing, "is", value.text, action, clause.times)
        return True
    holder = context.message.speaker if holder == "the" else holder
    context.claim(holder, f"has_{_property_name(subject)}", value.text, action, clause.times)
    return True


def _holder(subject: Node, context: Context) -> str | None:
    """Return the owner of a property (the speaker, a person, a thing); "the" for an unowned one, None if unknown."""
    owner, is_own = owner_of(subject, context), subject.lemma in words("own_properties")
    if owner is not None:
        return owner
    for prep in subject.all("prep"):
        inner = prep.one("pobj")
        is_mine = inner is not None and any(each.lower in ("my", "our") for each in inner.all("poss"))
        if inner is not None and (inner.tag in ("PRP", "CD") or (is_mine and is_own)):
            return context.message.speaker
        if prep.lower in ("of", "for", "on", "in", "at") and inner is not None:
            return phrase_of(inner, context.message.content).text
    if any(each.lower == "the" for each in subject.all("det")):
        return "the"
    return context.message.speaker if is_own else None


def _property_name(subject: Node) -> str:
    """Name a property by its noun with what it is for and the words before it: "wifi_password", "flat_budget"."""
    preps = subject.all("prep") if subject.one("poss") is not None else ()
    meant = [
        inner for each in preps if each.lower in ("for", "of") for inner in each.all("pobj") if inner.tag[:2] == "NN"
    ]
    before = [each for each in subject.all("compound", "amod") if each.lower not in words("changed")]
    kept = [*meant, *sorted([*before, subject], key=lambda each: each.place)]
    return re.sub(r"\W+", "_", "_".join(each.lower for each in kept))


def _somebody_is(subject: Node, holder: str, value: Phrase, context: Context, action: Action) -> bool:
    """Read "my boss is Hanneke", "the vet is Dr Kovacs"; return False for any other description of a person."""
    noun = noun_of_somebody(subject) or ""
    if not value.is_type(EntityType.PERSON) and not (value.is_named and value.node.tag == "NNP" and value.type is None):
        return False
    if holder == "the" and noun not in roles():
        return False
    holder = context.message.speaker if holder == "the" else holder
    if noun in roles():
        title = context.nodes[value.nodes[0].place - 1]
        is_doctor = title.lower.rstrip(".") in ("dr", "doctor", "prof", "professor")
        start = title.word.start if is_doctor else value.start
        context.claim(holder, f"has_{noun}", context.message.content[start : value.end], action)
        context.note(value.text, roles()[noun])
    elif action is Action.HOLDS:
        claim_named(context, holder, noun, value.text)
    return True


def _state(party: Party, clause: Clause, context: Context, found: list[Complement], action: Action) -> None:
    """Read what a person or thing is: a nurse, my sister, vegetarian, a Raspberry Pi."""
    told = clause.verb.one("acomp", "attr")
    if told is None or clause.is_time(told) or any(each.lower == "no" for each in told.all("det")):
        return
    if _is_in_state(party, clause, context, action):
        return
    for each in found:
        if each.before or each.is_inner:
            is_worked_at = each.before in ("at", "for", "with") and fits(each.phrase, "employer")
            if is_worked_at and any(fits(other.phrase, "job") for other in found if other.before == ""):
                context.claim(party.text, "works_at", each.phrase.text, action, clause.times, clause.span)
        elif not is_money(each.phrase.text):
            _noun(party, each.phrase, clause, context, action)
        elif clause.verb.label != "relcl" and party.gender in "ta" and context.message.spoken.owned(party.text):
            context.claim(party.text, "costs", each.phrase.text, action, clause.times)


def _end_state(clause: Clause, context: Context, action: Action) -> None:
    for party in parties_of_clause(clause, context) if clause.verb.lemma in _LINKS else ():
        _is_in_state(party, clause, context, action)


def _is_in_state(party: Party, clause: Clause, context: Context, action: Action) -> bool:
    """Claim a lasting state, or its end: "vegetarian", "no longer vegetarian"; return whether it is one."""
    told = clause.verb.one("acomp", "attr")
    if told is None or party.gender == "t" or told.lower not in words("states") or told.all("prep"):
        return False
    context.claim(party.text, "is", told.lower, action, clause.times)
    return True


def _noun(party: Party, phrase: Phrase, clause: Clause, context: Context, action: Action) -> None:
    owner, is_thing, subject = owner_of(phrase.node, context), party.gender == "t", clause.subject
    is_own = subject is not None and subject.lemma in words("owned")
    is_name = subject is not None and subject.word.name is not None and words("former").isdisjoint(phrase.lowers)
    if is_name and phrase.owner in ("my", "our") and phrase.lemma in words("owned"):
        context.claim(context.message.speaker, "owns", party.text, action, clause.times, clause.span)
    elif fits(phrase, "job") and not is_thing and phrase.owner not in ("my", "our", "his", "her", "'s"):
        _works(party, phrase, clause, context, action)
    elif owner is not None and party.gender not in "ts" and action in (Action.HOLDS, Action.WAS):
        _of_somebody(owner, phrase, party, context, action)
    elif party.gender == "s" and phrase.is_type(EntityType.PERSON) and phrase.owner == "":
        context.claim(party.text, "called", phrase.text, Action.HOLDS)
    elif is_thing and is_own and subject and fits(phrase, "vehicle") and owner_of(subject, context) == SELF:
        context.claim(SELF, "owns", phrase.text, action, clause.times)


def _works(party: Party, phrase: Phrase, clause: Clause, context: Context, action: Action) -> None:
    """Claim a profession: "a nurse", "a retired postwoman" (who was one)."""
    is_former = phrase.lowers[0] in ("retired", "former", "ex") and " " in phrase.text
    for each in parts_of(phrase.node):
        inner = phrase if each is phrase.node else phrase_of(each, context.message.content)
        job = inner.text.partition(" ")[2] if is_former and inner is phrase else inner.text
        if fits(inner, "job"):
            does = Action.WAS if is_former else action
            context.claim(party.text, "works_as", job, does, clause.times, clause.span)


def _of_somebody(owner: str, phrase: Phrase, party: Party, context: Context, action: Action) -> None:
    """Claim a relation to an owner: "Anna is my sister", "Dr Sato is Tom's dentist"."""
    noun = phrase.lemma
    if noun in kin() and action is Action.HOLDS:
        claim_named(context, owner, noun, party.text)
    elif noun in roles() or gender_of(noun):
        context.claim(owner, f"has_{noun}", party.text, action)
