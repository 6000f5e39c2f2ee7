"""What English verbs say of things: who has them, what becomes of them, what they cost. Pure."""

from __future__ import annotations

from palace.records.graph import Action, EntityType
from palace.text.claims.drafts import Aspect, Party, Tense, acted
from palace.text.claims.english.clause import Clause
from palace.text.claims.english.grammar.complements import Complement
from palace.text.claims.english.objects import fits
from palace.text.claims.english.special.owners import OF_THE_SPEAKER, owner_and_noun
from palace.text.claims.kinds import kin, roles, words
from palace.text.claims.people import tell_named
from palace.text.claims.phrases import Phrase, english
from palace.text.claims.tokens import listed
from palace.text.entities.lists.lexicon import well_known
from palace.text.times.vocabulary import fold

_GIVEN = listed("me him her them us my his our their someone somebody")
_FROM_TO = (("from", "off", "away from"), ("to", "over to", "onto", "into"))
_INSTEAD = {
    "replace": (("",), ("with", "by")),
    **dict.fromkeys(("swap", "exchange", "trade"), (("", "in"), ("for",))),
    "upgrade": (("from", ""), ("to",)),
}
"""What stands before what is given up, and before what takes its place."""
_OTHERS = listed("his her their your its")
_TAKERS = listed("home owner owners couple family charity student scrap scrapyard scrappers dump tip museum collector")


def is_somebody(each: Complement) -> bool:
    """Whether it is a person."""
    is_person = each.phrase.name is not None and each.phrase.name.type is EntityType.PERSON
    return each.phrase.head in kin() or each.phrase.head in _GIVEN or is_person


def is_software(phrase: Phrase) -> bool:
    """Tell whether it is a program or the like by its name alone, which is used and not owned: "we have Redis"."""
    name = phrase.name
    return name is not None and phrase.owner == "" and well_known().get(fold(name.text)) is EntityType.ITEM


def gender_of_thing(each: Complement) -> str:
    """Tell whether pronouns mean it as an animal or as a thing."""
    return "a" if each.phrase.head in words("animals") else "t"


def left_firm(behind: list[Complement]) -> str:
    """Name the firm of "my job at Siemens"; empty where it is not told."""
    return next((each.phrase.text for each in behind if each.before in ("at", "with") and each.phrase.is_named), "")


def read_gift(clause: Clause, party: Party, behind: list[Complement]) -> None:
    """Read "gave my guitar to Tom"."""
    given = next((each.phrase for each in behind if each.before == "" and fits(each.phrase, "sold")), None)
    is_done = clause.is_done and party.gender == "s"
    if given is not None and given.owner in ("my", "our") and is_done and any(each.before == "to" for each in behind):
        clause.claim(party.text, "owns", given.text, Action.ENDS)


def read_rise(clause: Clause, _party: Party, behind: list[Complement]) -> None:
    """Read "the rent went up to 1,450"."""
    value = next((each.phrase for each in behind if each.before in ("to", "up to", "down to")), None)
    owner, noun = owner_and_noun(clause.group.subject, clause.message, clause.sentence)
    is_told = clause.is_done or (clause.times.start is not None and clause.group.tense is not Tense.USED_TO)
    if value is None or not value.is_value or not is_told:
        return
    if noun in OF_THE_SPEAKER and owner is not None:
        clause.claim(clause.message.speaker if owner == "the" else owner, f"has_{noun}", value.text, Action.BEGINS)


def read_having(clause: Clause, party: Party, behind: list[Complement]) -> None:
    """Read what somebody has: kin by name, things, animals, illnesses."""
    action = acted(Aspect.STATE, clause.group.tense, clause.times, is_ended=clause.is_ended)
    if action is None or party.gender == "t":
        return
    for each in behind:
        if each.before:
            return
        phrase = each.phrase
        place = next(place for place, token in enumerate(clause.tokens) if token.start == phrase.tokens[0].start)
        nouns = range(place, min(place + len(phrase.tokens), len(clause.tokens)))
        if any(tell_named(clause.tokens, at, party.text, clause) for at in nouns):
            return
        is_appointment = phrase.head in roles() and phrase.owner in ("the", "a")
        if phrase.head in words("illnesses") and phrase.head not in ("allergy", "allergies", "intolerance"):
            clause.claim(party.text, "has", phrase.text, action)
        elif clause.is_ahead and (phrase.head in words("dated") or is_appointment):
            planned = f"{phrase.head} appointment" if is_appointment else phrase.text
            clause.claim(party.text, "planned", planned, Action.HAPPENS)
        else:
            _owned(clause, party, each, action)


def _owned(clause: Clause, party: Party, each: Complement, action: Action) -> None:
    phrase = each.phrase
    if (action is Action.WAS and phrase.owner in ("my", "our")) or is_software(phrase):
        return
    if action is Action.ENDS and phrase.owner in ("the", "my", "our") and fits(phrase, "sold"):
        clause.claim(party.text, "owns", phrase.text, action)
    elif (
        (phrase.owner or phrase.name is None)
        and fits(phrase, "possession")
        and phrase.owner in ("a", "an", "", "two", "three", "our", "my")
    ):
        name = clause.name_behind(phrase) or phrase.text
        clause.claim(party.text, "owns", name, action)
        clause.note(name, gender_of_thing(each))


def read_switch(clause: Clause, party: Party, behind: list[Complement]) -> None:
    """Read "switched from WhatsApp to Signal", "replaced the boiler with a heat pump"."""
    party, behind = _with_it(clause, party, behind)
    if not clause.is_done or party.gender == "t":
        return
    before = _INSTEAD.get(clause.group.verb, _FROM_TO)
    left = next((each.phrase for each in behind if each.before in before[0]), None)
    taken = next((each.phrase for each in behind if each.before in before[1]), None)
    if taken is None:
        return
    is_sure = clause.group.verb != "move" or (taken.name is not None and taken.name.type is EntityType.ITEM)
    if is_sure and _is_tool(taken) and (left is None or _is_tool(left)):
        for phrase, action in ((left, Action.ENDS), (taken, Action.BEGINS)):
            if phrase is not None:
                clause.claim(party.text, "uses", phrase.text, action)
    elif clause.group.verb not in ("move", "change") and taken.owner in ("a", "an", "the") and _is_new(taken):
        if left is not None and fits(left, "sold"):
            clause.claim(party.text, "owns", left.text, Action.ENDS)
        elif left is not None and left.text.casefold() != "it" and not fits(left, "goods"):
            return
        clause.claim(party.text, "owns", taken.text, Action.BEGINS)
        clause.note(taken.text, "t")


def _with_it(clause: Clause, party: Party, behind: list[Complement]) -> tuple[Party, list[Complement]]:
    """Read on behind "it": "my kettle broke, replaced it with a Dualit" is said of the speaker."""
    if clause.text_at(clause.group.next) not in ("it", "them"):
        return party, behind
    speaker = Party(clause.message.speaker, "s", clause.message.turn, clause.sentence)
    return speaker if party.gender == "t" else party, clause.behind(clause.group.next + 1)


def _is_tool(phrase: Phrase) -> bool:
    return fits(phrase, "used") and phrase.owner in ("", "the") and not fits(phrase, "medicine")


def _is_new(phrase: Phrase) -> bool:
    is_person = phrase.name is not None and phrase.name.type is EntityType.PERSON
    if phrase.head in english().praise or any(token.text in ("one", "ones") for token in phrase.tokens):
        return False
    first, last = phrase.tokens[0], phrase.tokens[-1]
    if not is_person and len(phrase.tokens) > 1 and first.text[0].isalpha() and last.text[0].isdigit():
        return True
    return not is_person and (fits(phrase, "goods") or (phrase.is_named and fits(phrase, "goods_named")))


def read_leaving(clause: Clause, behind: list[Complement]) -> None:
    """Read of a thing that went to somebody else: "the piano went to a new home", "the old Galaxy went to my dad"."""
    subject = clause.group.subject
    is_own = len(subject) > 1 and subject[0].text in ("my", "our", "the")
    thing = clause.thing()
    for each in behind:
        is_given = each.before == "to" and (is_somebody(each) or each.phrase.head in _TAKERS)
        is_given = is_given or (each.before in ("to", "for") and each.phrase.head in ("scrap", "charity"))
        if clause.is_done and is_own and thing is not None and is_given:
            clause.claim(clause.message.speaker, "owns", thing.text, Action.ENDS)


def read_death(clause: Clause, party: Party, behind: list[Complement]) -> None:
    """Read of an animal that died: it is nobody's any longer."""
    del behind
    spoken = clause.message.spoken
    subject = clause.group.subject
    is_animal = any(token.text in words("animals") for token in subject)
    is_another = subject[0].text in _OTHERS or any(token.text.endswith("'s") for token in subject)
    is_model = subject[0].text in ("my", "our") and len(subject) > 2 and any(map(str.isdigit, subject[-1].text))
    is_dead = clause.group.verb == "die" or clause.text_at(clause.group.next) == "away"
    if not (is_dead and clause.is_done):
        return
    owners = [claim.subject for _, claim in spoken.claims if claim.predicate == "owns" and claim.object == party.text]
    if owners:
        clause.claim(owners[-1], "owns", party.text, Action.ENDS)
    elif not is_another and (spoken.owned(party.text) or is_animal or is_model):
        clause.claim(clause.message.speaker, "owns", party.text, Action.ENDS)
