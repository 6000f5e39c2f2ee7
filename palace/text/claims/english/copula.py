"""What English says with "to be": names, jobs, kin, prices, properties, allergies. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence

from palace.records.graph import Action, EntityType
from palace.text.claims.dates import Times
from palace.text.claims.drafts import Aspect, Party, Tense, acted
from palace.text.claims.english.clause import Clause
from palace.text.claims.english.grammar.complements import Complement
from palace.text.claims.english.objects import fits, is_money
from palace.text.claims.english.people import subject_of
from palace.text.claims.english.special.being import read_being, read_off
from palace.text.claims.english.special.journeys import read_been
from palace.text.claims.english.special.owners import OF_THE_SPEAKER, owner_and_noun
from palace.text.claims.kinds import kin, roles, words
from palace.text.claims.people import name_at, tell_named, tell_one
from palace.text.claims.phrases import Phrase, phrase_at
from palace.text.claims.tokens import Token, listed

_PROPERTIES = listed(
    """
password code pin passcode rent salary address number birthday battery capacity size weight height
length width depth voltage model colour color username handle email mileage mortgage ssid deposit combination
licence license plate range speed wage type
"""
)
_NO_PROPERTIES = listed(
    """
goal target question problem issue plan idea guess point budget score record time thing opinion answer problem first
second last next favorite favourite best worst flight trip class shift meeting appointment exam team lunch dinner age
daughter's son's course order choice
"""
)
_IN_WORDS = listed("password address model username handle email colour color ssid type")
_SKIPPED = listed("now just currently still actually also really like around about only officially basically")
_TITLES = listed("dr doctor mr mrs ms prof professor")
_ADJECTIVES = {
    "allergic": ("allergic_to", "to", ""),
    "married": ("married_to", "to", "person"),
    "engaged": ("partner_of", "to", "person"),
    "intolerant": ("allergic_to", "to", ""),
    "divorced": ("married_to", "from", "person"),
    "separated": ("married_to", "from", "person"),
    "born": ("comes_from", "in", "place_named"),
}
_BEFORE = ("at", "in", "on", "with")
_ACTIONS = {Tense.PRESENT: Action.HOLDS, Tense.PAST: Action.WAS, Tense.USED_TO: Action.WAS}


def read_copula(clause: Clause) -> None:
    """Read a clause whose verb is "to be"."""
    place = clause.group.next
    while clause.text_at(place) in _SKIPPED:
        place += 1
    if _dated(clause, place):
        return
    if place >= len(clause.tokens) or read_off(clause, place) or _property(clause, place):
        return
    party = subject_of(clause.group.subject, clause.message, clause.sentence)
    action = acted(Aspect.STATE, clause.group.tense, clause.times, is_ended=clause.is_ended)
    if party is None and clause.text_at(place) in ("my", "our") and clause.group.subject[0].text in ("that", "this"):
        party = _pointed_at(clause)
    if party is None or read_been(clause, party, place) or action is None:
        return
    if _is_named_role(clause, place, party):
        return
    clause.note(party.text, party.gender, is_subject=True)
    if clause.text_at(place) in ("based", "enrolled", "employed") and party.gender != "t":
        read_being(clause, party, clause.behind(place + 1), action)
    elif clause.text_at(place) in _ADJECTIVES:
        _adjective(clause, place, party, action)
    elif clause.text_at(place) in ("called", "named"):
        _called(clause, place + 1, party, action)
    else:
        _noun(clause, place, party, action)


def _dated(clause: Clause, place: int) -> bool:
    """Read "my birthday is on 3 March" and "our wedding is in June", whose times are all that is told."""
    subject, message, at = clause.group.subject, clause.message, clause.times.at
    if len(subject) < 2 or clause.group.tense is not Tense.PRESENT:
        return False
    owner, noun = owner_and_noun(subject, message, clause.sentence)
    if owner is None:
        return False
    if noun == "birthday" and owner != "the":
        verb = next((token for token in clause.tokens[clause.group.next - 1 :: -1]), subject[-1])
        told = message.content[verb.end : clause.span.end].strip(" .,;!\n")
        value = told.removeprefix("on ").removeprefix("the ").removesuffix(" and").rstrip(" ,")
        if place >= len(clause.tokens) - 1 and any(letter.isdigit() for letter in value) and len(value) < 30:
            clause.claim(owner, "has_birthday", value, Action.HOLDS, Times())
        return True
    is_ahead = at is not None and message.now is not None and at.day >= message.now.date()
    if noun not in words("dated") or not is_ahead or place < len(clause.tokens) - 2:
        return False
    mine = subject[0].text in ("my", "our", "the")
    text = message.content[subject[1 if mine else 0].start : subject[-1].end]
    clause.claim(message.speaker if mine else owner, "planned", text, Action.HAPPENS)
    return True


def _pointed_at(clause: Clause) -> Party | None:
    """Find whom "that's my dentist" means: the last who was named in the message."""
    message = clause.message
    people = [each for each in message.spoken.parties if each.turn == message.turn and each.gender in "fmn"]
    return people[-1] if people else None


def _is_named_role(clause: Clause, place: int, party: Party) -> bool:
    """Read "he's Mr Okafor" and "he's called Marek" of one who was only spoken of as "my landlord"."""
    noun = party.text.removeprefix("my ")
    if noun == party.text or (noun not in roles() and noun not in kin()):
        return False
    while clause.text_at(place).rstrip(".") in (*_TITLES, "mr", "mrs", "ms", "called", "named", ""):
        place += 1
        if place >= len(clause.tokens):
            return False
    name = name_at(clause.tokens, place, clause.message)
    if name is None or (name[1] < len(clause.tokens) and clause.tokens[name[1]].is_word):
        return False
    tell_one(clause, clause.message.speaker, noun, name[0])
    return True


def _adjective(clause: Clause, place: int, party: Party, action: Action) -> None:
    predicate, before, wants = _ADJECTIVES[clause.text_at(place)]
    for each in clause.behind(place + 1):
        if each.before == before and party.gender != "t" and (not wants or fits(each.phrase, wants)):
            action = Action.HOLDS if predicate == "comes_from" else Action.ENDS if before == "from" else action
            clause.claim(
                party.text, predicate, each.phrase.text, action, Times() if predicate == "comes_from" else None
            )


def _called(clause: Clause, place: int, party: Party, action: Action) -> None:
    name = name_at(clause.tokens, place, clause.message)
    phrase = clause.phrase(place)
    text = name[0] if name else phrase.text if phrase and (phrase.is_named or len(phrase.tokens) <= 2) else ""
    is_told = text.casefold() == party.text.casefold()
    if text and not is_told and action in (Action.HOLDS, Action.WAS):
        _goes_by(clause, party.text, text, action)


def _noun(clause: Clause, place: int, party: Party, action: Action) -> None:
    behind = clause.behind(place)
    if not behind:
        return
    before, phrase = behind[0].before, behind[0].phrase
    is_person = party.gender != "t"
    if before == "" and is_person:
        _of_person(clause, place, party, behind, action)
    elif before == "" and _is_mine(clause.group.subject) and fits(phrase, "vehicle"):
        clause.claim(clause.message.speaker, "owns", phrase.text, action)
    elif before == "from" and is_person and fits(phrase, "place_named"):
        clause.claim(party.text, "comes_from", phrase.text, action)
    elif before in _BEFORE:
        read_being(clause, party, behind, action)


def _is_mine(subject: Sequence[Token]) -> bool:
    """Whether it is a thing of the speaker's: "my car"."""
    return len(subject) > 1 and subject[0].text in ("my", "our") and subject[-1].text in words("owned")


def _of_person(clause: Clause, place: int, party: Party, behind: list[Complement], action: Action) -> None:
    """Read what somebody is: a nurse, a member, a fan, my sister, or a name."""
    phrase = behind[0].phrase
    after = next((at for at in range(place, len(clause.tokens)) if clause.text_at(at) in ("called", "named")), None)
    if phrase.head in words("animals") and after is not None and phrase.owner in ("a", "an"):
        _called(clause, after + 1, party, action)
        return
    inner = " ".join(token.text for token in phrase.tokens)
    if "member of" in inner or "fan of" in inner:
        _after_of(clause, phrase, party, action)
    elif fits(phrase, "job") and (phrase.owner not in ("my", "our", "the") or _is_at_firm(behind)):
        _works(clause, party, behind, action)
    elif party.gender == "s":
        _own_name(clause, place, phrase, party)
    elif phrase.owner in ("my", "our") and action is Action.HOLDS:
        _of_the_speaker(clause, phrase, party)
    elif phrase.owner in ("my", "our") and phrase.head in roles():
        clause.claim(clause.message.speaker, f"has_{phrase.head}", party.text, action)


def _is_at_firm(behind: list[Complement]) -> bool:
    """Whether a firm is told as well: "the secretary at Shannon Park Elementary"."""
    is_mine = behind[0].phrase.owner in ("my", "our")
    return not is_mine and len(behind) > 1 and behind[1].before in ("at", "for") and behind[1].phrase.is_named


def _works(clause: Clause, party: Party, behind: list[Complement], action: Action) -> None:
    """Read "a nurse at the Royal", "a retired postwoman"."""
    phrase = behind[0].phrase
    is_former = phrase.tokens[0].text in ("retired", "former", "ex") and len(phrase.tokens) > 1
    named = clause.message.content[phrase.tokens[is_former].start : phrase.tokens[-1].end]
    text = phrase.text if phrase.name else named
    clause.claim(party.text, "works_as", text, Action.WAS if is_former else action)
    for each in behind[1:]:
        if each.before in ("at", "for", "with") and fits(each.phrase, "organisation"):
            clause.claim(party.text, "works_at", each.phrase.text, action)


def _of_the_speaker(clause: Clause, phrase: Phrase, party: Party) -> None:
    """Read "Anna is my sister", "Pepper is our 9 year old beagle", "Dr Sato is my dentist"."""
    speaker = clause.message.speaker
    if phrase.head in kin():
        tell_one(clause, speaker, phrase.head, party.text)
    elif phrase.head in words("animals"):
        clause.claim(speaker, "owns", party.text, Action.HOLDS)
    elif phrase.head in roles():
        clause.claim(speaker, f"has_{phrase.head}", party.text, Action.HOLDS)


def _own_name(clause: Clause, place: int, phrase: Phrase, party: Party) -> None:
    """Take "I'm Tunde Bakare" for a name: of two words, or one that is known for one."""
    name = name_at(clause.tokens, place, clause.message)
    if name is None or phrase.owner or not (phrase.name or len(name[0].split()) > 1):
        return
    if phrase.name is None or phrase.name.type is EntityType.PERSON:
        clause.claim(party.text, "called", name[0], Action.HOLDS, Times())


def _after_of(clause: Clause, phrase: Phrase, party: Party, action: Action) -> None:
    place = next(place for place, token in enumerate(phrase.tokens) if token.text == "of")
    message = clause.message
    behind = phrase_at(phrase.tokens, place + 1, message.content, message.names)
    is_member = any(token.text == "member" for token in phrase.tokens[:place])
    if behind is not None and (is_member or fits(behind, "liked")):
        clause.claim(party.text, "member_of" if is_member else "likes", behind.text, action)


def _property(clause: Clause, place: int) -> bool:
    """Read "my dentist is Dr Sato", "the rent is 1,450", "the boat's battery is 24 V", "her name is Momo"."""
    subject, action = clause.group.subject, _ACTIONS.get(clause.group.tense)
    is_short = len(subject) == 1 and subject[0].text not in ("mine", *roles())
    if is_short or not 1 <= len(subject) <= 6 or clause.is_ended or action is None:
        return False
    owner, noun = owner_and_noun(subject, clause.message, clause.sentence)
    if _several(clause, place):
        return True
    return owner is not None and _property_of(clause, place, (owner, noun), action)


def _property_of(clause: Clause, place: int, whose: tuple[str, str], action: Action) -> bool:
    owner, noun = whose
    if noun == "name":
        return _name_is(clause, place, owner, action)
    if noun in kin() or noun in words("animals") or noun in roles():
        return _somebody_is(clause, place, whose, action)
    is_known = noun in _PROPERTIES or (owner != "the" and noun not in _NO_PROPERTIES and _is_figure(clause, place))
    return is_known and _has(clause, place, whose, action)


def _is_figure(clause: Clause, place: int) -> bool:
    """Whether all that is said of something is a value with a figure: "a Beta 43", "24V 20Ah"."""
    value = clause.phrase(place)
    subject = clause.group.subject
    is_one_of = subject[-1].text in words("owned")
    if any(token.text in kin() or token.text in words("animals") for token in subject[:-1]):
        return False
    if value is None or not value.is_value or value.owner == "the" or (is_one_of and value.owner):
        return False
    is_end = (
        value.next >= len(clause.tokens) or clause.tokens[value.next].is_mark or clause.text_at(value.next) == "and"
    )
    return is_end and not is_money(value) and value.tokens[-1].text not in ("years", "old", "minutes", "weeks", "days")


def _has(clause: Clause, place: int, what: tuple[str, str], action: Action) -> bool:
    owner, noun = what
    value = clause.phrase(place)
    if value is None or value.owner not in ("", "the", "a") or not (value.is_value or noun in _IN_WORDS):
        return False
    if owner == "the" and noun in OF_THE_SPEAKER:
        owner = clause.message.speaker
    if owner == "the":
        name = " ".join(token.text for token in clause.group.subject[1:])
        clause.claim(name, "is", value.text, action)
    else:
        clause.claim(owner, f"has_{_property_name(clause.group.subject)}", value.text, action)
    return True


def _property_name(subject: Sequence[Token]) -> str:
    """Name a property by its noun with the words before it: "wifi_password"."""
    texts = [token.text for token in subject]
    behind = next(
        (place for place, text in enumerate(texts) if place > 1 and text in ("of", "for", "at", "on", "in")), None
    )
    texts = texts[:behind]
    first = next((place for place in range(len(texts) - 1, 0, -1) if texts[place - 1].endswith("'s")), 1)
    kept = [text for text in texts[first:] if text not in ("new", "old", "current", "own", "monthly")]
    return re.sub(r"\W+", "_", "_".join(kept or texts[-1:]))


def _name_is(clause: Clause, place: int, owner: str, action: Action) -> bool:
    name = name_at(clause.tokens, place, clause.message)
    phrase = clause.phrase(place)
    text = name[0] if name else phrase.text if phrase and len(phrase.tokens) == 1 and not phrase.owner else ""
    if not text or owner == "the":
        return True
    noun = owner.lower()
    if clause.group.subject[0].text in ("my", "our") and noun in words("animals"):
        tell_one(clause, clause.message.speaker, noun, text)
    elif noun.startswith("my ") and noun[3:] in kin():
        tell_one(clause, clause.message.speaker, noun[3:], text)
    else:
        _goes_by(clause, owner, text, action)
    return True


def _goes_by(clause: Clause, noun: str, name: str, action: Action) -> None:
    """Claim what something is called, and that what is owned by its noun is owned by that name."""
    message = clause.message
    if message.name(noun, name):
        clause.note(name, message.spoken.gender(noun) or "t")
        return
    if not (noun.startswith("my ") or "'s " in noun or message.spoken.owned(noun)):
        return
    clause.claim(noun, "called", name, action)
    owner, _, bond = noun.rpartition("'s ")
    if owner and bond in ("husband", "wife"):
        clause.claim(owner, "married_to", name, Action.HOLDS, Times())
    if message.spoken.owned(noun):
        clause.claim(message.speaker, "owns", name, Action.HOLDS, Times())


def _somebody_is(clause: Clause, place: int, whom: tuple[str, str], action: Action) -> bool:
    """Read "my boss is now Hanneke", "the vet is doctor Kovacs"; what somebody is otherwise is read elsewhere."""
    owner, noun = whom
    place += clause.text_at(place) in ("called", "named")
    name = name_at(clause.tokens, place, clause.message)
    if name is None and clause.text_at(place).rstrip(".") in _TITLES and place + 1 < len(clause.tokens):
        last = place + 2 if clause.text_at(place + 1) == "." and place + 2 < len(clause.tokens) else place + 1
        written = clause.message.content[clause.tokens[place].start : clause.tokens[last].end]
        name = (written, last + 1)
    if name is None or (owner == "the" and noun not in roles()):
        return False
    holder = clause.message.speaker if owner == "the" else owner
    if noun in roles():
        clause.claim(holder, f"has_{noun}", name[0], action)
        clause.note(name[0], roles()[noun])
    elif action is Action.HOLDS:
        tell_one(clause, holder, noun, name[0])
    return True


def _several(clause: Clause, place: int) -> bool:
    """Read "our hens are called Dolly, Loretta and Tammy"."""
    subject = clause.group.subject
    if len(subject) < 2 or subject[0].text not in ("my", "our") or clause.text_at(place) not in ("called", "named"):
        return False
    tokens = (*subject[-1:], *clause.tokens[place:])
    return tell_named(tokens, 0, clause.message.speaker, clause) > 0
