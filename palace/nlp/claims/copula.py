"""What English says with "to be": names, jobs, kin, ages, prices, properties and lasting states. Pure."""

from __future__ import annotations

import re

from palace.models.claims import Action, EntityType
from palace.nlp.claims.clauses import Clause, Complement, parts_of
from palace.nlp.claims.kinds import gender_of, kin, roles, words
from palace.nlp.claims.message import Aspect, Party, acted
from palace.nlp.claims.people import Telling, names_behind, noun_of_somebody, owner_of, party_of, tell_named, tell_one
from palace.nlp.claims.phrases import Phrase, fits, is_kept, is_money, is_person, phrase_of
from palace.nlp.claims.states import State
from palace.nlp.claims.tree import Node
from palace.nlp.claims.verbs import parties_of_clause

_LINKS = frozenset(["be", "'s", "become", "remain", "stay"])
_CHANGED = frozenset(["new", "old", "current", "own", "monthly", "whole", "actual", "total", "full"])
_UNITS = frozenset(["year", "month", "week", "day", "hour", "minute", "metre", "meter", "mile", "km", "%", "people"])


def read_copula(clause: Clause, telling: Telling, found: list[Complement]) -> None:
    """Read a clause whose verb links its subject to what it is."""
    if clause.verb.lemma not in _LINKS or clause.state is not State.SO or clause.is_ended:
        return
    subject = clause.subject
    action = acted(Aspect.STATE, clause.tense, clause.times, is_ended=False)
    if clause.verb.lemma == "become":
        action = Action.BEGINS if clause.is_done else None
    if action is None:
        return
    if subject is not None and _is_named(subject, telling, found, action):
        return
    if subject is not None and _property(subject, clause, telling, found, action):
        return
    parties = parties_of_clause(clause, telling)
    if not parties and subject is not None and subject.lower in ("that", "this"):
        people = [
            each
            for each in telling.message.spoken.parties
            if each.turn == telling.message.turn and each.gender in "fmn"
        ]
        parties = people[-1:]
    for party in parties:
        _state(party, clause, telling, found, action)


def read_called(clause: Clause, telling: Telling) -> None:
    """Read "he is called Kojo", "we call it Coldhouse", "my mentor is called Seun"."""
    verb = clause.verb
    if verb.lemma not in ("call", "name") or clause.state is not State.SO or clause.subject is None:
        return
    inner = verb.one("oprd", "attr", "xcomp", "ccomp")
    is_passive = verb.one("auxpass") is not None
    if inner is None or not is_passive or not clause.subject.joined():
        return
    _goes_by(clause.subject, inner, telling, acted(Aspect.STATE, clause.tense, clause.times, is_ended=False))


def _is_named(subject: Node, telling: Telling, found: list[Complement], action: Action) -> bool:
    """Read "her name is Momo", "my name is Walter Ashdown", "the cat's name is Bo"."""
    if subject.lemma != "name" or subject.word.name is not None:
        return False
    poss, named = subject.one("poss"), _value(found)
    if poss is None or named is None or not (named.is_named or len(named.nodes) == 1):
        return True
    if poss.lower in ("my", "our"):
        telling.claim(telling.message.speaker, "called", named.text, action)
    elif poss.lower in ("his", "her", "its"):
        _pronoun_goes_by(subject, named, telling)
    else:
        _goes_by(poss, named.node, telling, action)
    return True


def _pronoun_goes_by(subject: Node, named: Phrase, telling: Telling) -> None:
    meant = owner_of(subject, telling)
    if meant is None:
        return
    if telling.message.name(meant, named.text):
        telling.note(named.text, telling.message.spoken.gender(meant) or "t")
        return
    noun = meant.removeprefix("my ")
    if noun != meant and (noun in kin() or noun in roles()):
        tell_one(telling, telling.message.speaker, noun, named.text)
    elif telling.message.spoken.owned(meant) or noun != meant or "'s " in meant:
        telling.claim(meant, "called", named.text, Action.HOLDS)


def _goes_by(who: Node, named: Node, telling: Telling, action: Action | None) -> None:
    """Claim what somebody or something is called who was spoken of by a noun or a pronoun."""
    noun = noun_of_somebody(who)
    poss = who.one("poss")
    text = phrase_of(named, telling.message.content).text
    if action is None or not text:
        return
    if noun is not None and poss is not None:
        owner = owner_of(who, telling)
        if owner is not None and who.tag in ("NN", "NNP"):
            tell_one(telling, owner, noun, text)
        elif owner is not None:
            tell_named(who, owner, telling)
        return
    party = party_of(who, telling)
    if party is None:
        return
    if party.gender == "s":
        telling.claim(party.text, "called", text, action)
    elif telling.message.name(party.text, text):
        telling.note(text, party.gender)
    elif party.text.startswith("my ") and party.text[3:] in {*kin(), *roles()}:
        tell_one(telling, telling.message.speaker, party.text[3:], text)
    elif telling.message.spoken.owned(party.text) or party.gender == "t":
        telling.claim(party.text, "called", text, action)


def _value(found: list[Complement]) -> Phrase | None:
    """Give what a subject is said to be."""
    behind = [each.phrase for each in found if each.before == "" and not each.is_inner]
    return next((each for each in behind if each.node.label in ("attr", "oprd")), behind[-1] if behind else None)


def _property(subject: Node, clause: Clause, telling: Telling, found: list[Complement], action: Action) -> bool:
    """Read "my dentist is Dr Sato", "the rent is 1,450", "the boat's battery is 24 V"; tell whether it is one."""
    value, noun = _value(found), subject.lemma
    if noun == "birthday" and clause.blank:
        return _birthday(subject, clause, telling, action)
    if subject.word.name is not None or value is None or subject.tag in ("PRP", "DT", "WP", "EX"):
        return False
    holder = _holder(subject, telling)
    if holder is None or noun_of_somebody(subject) is not None:
        return holder is not None and _somebody_is(subject, holder, value, telling, action)
    if is_money(value.text) and noun not in words("properties") | words("own_properties"):
        if noun not in words("amounts") and clause.verb.label != "relcl":
            telling.claim(phrase_of(subject, telling.message.content).text, "costs", value.text, action, clause.times)
        return True
    is_told = noun in words("properties") | words("own_properties")
    is_value = value.is_value and value.node.lemma not in _UNITS and value.owner in ("", "a", "an")
    is_in_words = (noun in words("in_words") and value.owner == "") or (
        noun in ("bank", "landlord", "insurance") and value.is_named
    )
    if not (is_told and (is_value or is_in_words)):
        return False
    if holder == "the" and noun in words("own_properties"):
        holder = telling.message.speaker
    if holder == "the":
        telling.claim(phrase_of(subject, telling.message.content).text, "is", value.text, action, clause.times)
    else:
        telling.claim(holder, f"has_{_property_name(subject)}", value.text, action, clause.times)
    return True


def _birthday(subject: Node, clause: Clause, telling: Telling, action: Action) -> bool:
    """Read "my sister's birthday is on 9 June"."""
    owner, days = owner_of(subject, telling), [telling.nodes[place] for place in sorted(clause.blank)]
    days = [each for each in days if each.tag != "IN"]
    if owner is not None and any(each.tag == "CD" for each in days):
        day = telling.message.content[days[0].word.start : days[-1].word.end]
        telling.claim(owner, "has_birthday", day, action)
    return True


def _holder(subject: Node, telling: Telling) -> str | None:
    """Say whose a property is: the speaker's, a person's, a thing's; "the" of one that is nobody's in particular."""
    owner = owner_of(subject, telling)
    if owner is not None:
        return owner
    for prep in subject.all("prep"):
        inner = prep.one("pobj")
        is_mine = inner is not None and any(each.lower in ("my", "our") for each in inner.all("poss"))
        if inner is not None and (inner.tag in ("PRP", "CD") or (is_mine and subject.lemma in words("own_properties"))):
            return telling.message.speaker
        if prep.lower in ("of", "for", "on", "in", "at") and inner is not None:
            return phrase_of(inner, telling.message.content).text
    determiner = subject.one("det")
    if determiner is not None and determiner.lower == "the":
        return "the"
    return telling.message.speaker if subject.lemma in words("own_properties") else None


def _property_name(subject: Node) -> str:
    """Name a property by its noun with the words before it: "wifi_password"."""
    kept = [each for each in subject.all("compound", "amod") if each.lower not in _CHANGED] + [subject]
    return re.sub(r"\W+", "_", "_".join(each.lower for each in sorted(kept, key=lambda each: each.place)))


def _somebody_is(subject: Node, holder: str, value: Phrase, telling: Telling, action: Action) -> bool:
    """Read "my boss is Hanneke", "the vet is Dr Kovacs"; what somebody is otherwise is read elsewhere."""
    noun = noun_of_somebody(subject) or ""
    if not value.is_type(EntityType.PERSON) and not (value.is_named and value.node.tag == "NNP" and value.type is None):
        return False
    if holder == "the" and noun not in roles():
        return False
    holder = telling.message.speaker if holder == "the" else holder
    if noun in roles():
        title = telling.nodes[value.nodes[0].place - 1]
        is_doctor = title.lower.rstrip(".") in ("dr", "doctor", "prof", "professor")
        start = title.word.start if is_doctor else value.start
        telling.claim(holder, f"has_{noun}", telling.message.content[start : value.end], action)
        telling.note(value.text, roles()[noun])
    elif action is Action.HOLDS:
        tell_one(telling, holder, noun, value.text)
    return True


def _state(party: Party, clause: Clause, telling: Telling, found: list[Complement], action: Action) -> None:
    """Read what somebody or something is: a nurse, my sister, eleven, vegetarian, a Raspberry Pi."""
    told = clause.verb.one("acomp", "attr")
    if told is None or clause.is_time(told):
        return
    if (
        party.gender != "t"
        and told.tag in ("JJ", "VBN", "NN")
        and told.lower in words("states")
        and not told.all("prep")
    ):
        telling.claim(party.text, "is", told.lower, action, clause.times)
        return
    for each in found:
        is_price = is_money(each.phrase.text)
        if is_price and (clause.verb.label == "relcl" or each.before or party.gender not in "ta"):
            continue
        if is_price and telling.message.spoken.owned(party.text):
            telling.claim(party.text, "costs", each.phrase.text, action, clause.times)
        elif not is_price and each.before == "" and not each.is_inner:
            _noun(party, each.phrase, clause, telling, found, action)


def _noun(
    party: Party, phrase: Phrase, clause: Clause, telling: Telling, found: list[Complement], action: Action
) -> None:
    owner = owner_of(phrase.node, telling)
    if party.gender == "t" and phrase.node.one("case") and phrase.is_type(EntityType.PERSON) and action is Action.HOLDS:
        telling.claim(phrase.text, "owns", party.text, action)
        return
    is_person = party.gender != "t"
    if fits(phrase, "job") and is_person and phrase.owner not in ("my", "our", "his", "her", "'s"):
        _works(party, phrase, clause, telling, found, action)
    elif owner is not None and is_person and party.gender != "s" and action in (Action.HOLDS, Action.WAS):
        _of_somebody(owner, phrase, party, telling, action)
    elif party.gender == "s" and phrase.is_type(EntityType.PERSON) and phrase.owner == "":
        telling.claim(party.text, "called", phrase.text, Action.HOLDS)
    elif phrase.lemma in words("animals") and phrase.owner in ("a", "an"):
        _animal(phrase, telling)
    elif party.gender == "t" and _is_mine(clause, telling) and fits(phrase, "vehicle"):
        telling.claim(telling.message.speaker, "owns", phrase.text, action, clause.times)
    elif owner is not None and party.gender == "t" and phrase.node.one("poss") and not is_kept(phrase):
        return
    elif party.gender in "ta" and phrase.owner in ("a", "an") and _is_make(phrase):
        telling.claim(party.text, "is", phrase.text, action, clause.times)


def _is_mine(clause: Clause, telling: Telling) -> bool:
    """Whether it is said of a thing of the speaker's: "my car"."""
    subject = clause.subject
    return (
        subject is not None
        and subject.lemma in words("owned")
        and owner_of(subject, telling) == telling.message.speaker
    )


def _animal(phrase: Phrase, telling: Telling) -> None:
    """Read "she's a whippet called Pepper" of an animal that the message spoke of before."""
    name = next((name for name, _ in names_behind(phrase.node.place, telling)), None)
    owned = [
        claim
        for claim in telling.message.claims
        if claim.predicate == "owns" and claim.object.lower() in words("animals")
    ]
    if name is not None and owned:
        telling.message.name(owned[-1].object, name)
        telling.note(name, "a")


def _is_make(phrase: Phrase) -> bool:
    """Whether it is what a thing is by its make: "a Beta 43", "an old HP Microserver"."""
    is_written = phrase.nodes[-1].word.text[:1].isupper() or phrase.nodes[-1].word.text[:1].isdigit()
    return phrase.is_type(EntityType.ITEM) or (
        phrase.is_named and phrase.type is None and is_written and not is_person(phrase)
    )


def _works(
    party: Party, phrase: Phrase, clause: Clause, telling: Telling, found: list[Complement], action: Action
) -> None:
    """Read "a nurse at the Royal", "a retired postwoman"."""
    lowers = phrase.lowers
    is_former = lowers[0] in ("retired", "former", "ex") and len(lowers) > 1
    text = phrase.text.split(" ", 1)[1] if is_former and " " in phrase.text else phrase.text
    for each in parts_of(phrase.node):
        inner = phrase if each is phrase.node else phrase_of(each, telling.message.content)
        named = text if each is phrase.node else inner.text
        if fits(inner, "job"):
            telling.claim(party.text, "works_as", named, Action.WAS if is_former else action, clause.times, clause.span)
    for other in found:
        if other.before in ("at", "for", "with") and fits(other.phrase, "employer"):
            telling.claim(party.text, "works_at", other.phrase.text, action, clause.times, clause.span)


def _of_somebody(owner: str, phrase: Phrase, party: Party, telling: Telling, action: Action) -> None:
    """Read "Anna is my sister", "Pepper is our beagle", "Dr Sato is Tom's dentist"."""
    noun = phrase.lemma
    if any(each in words("former") for each in phrase.lowers) and noun not in roles():
        return
    if noun in kin() and action is Action.HOLDS:
        tell_one(telling, owner, noun, party.text)
    elif noun in words("animals") and action is Action.HOLDS:
        telling.claim(owner, "owns", party.text, Action.HOLDS)
    elif noun in roles() or gender_of(noun):
        telling.claim(owner, f"has_{noun}", party.text, action)
