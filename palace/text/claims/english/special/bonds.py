"""What English verbs say of bonds between people, and of posts. Pure."""

from __future__ import annotations

from palace.records.graph import Action
from palace.text.claims.drafts import Party, Tense
from palace.text.claims.english.clause import Clause
from palace.text.claims.english.grammar.complements import Complement
from palace.text.claims.english.objects import fits
from palace.text.claims.english.people import subject_of, subjects_of
from palace.text.claims.english.special.things import left_firm
from palace.text.claims.kinds import gender_of, roles
from palace.text.claims.people import name_at
from palace.text.claims.tokens import Token


def read_getting(clause: Clause, party: Party, behind: list[Complement]) -> None:
    """Read "got a job at Bosch"."""
    _marry(clause, party, behind)
    first = behind[0] if behind else None
    is_there = first is not None and first.before == "to" and fits(first.phrase, "place_typed")
    if first is not None and is_there and clause.is_done and party.gender != "t":
        clause.claim(party.text, "visited", first.phrase.text, Action.HAPPENS)
    is_job = any(each.before == "" and each.phrase.head in ("job", "position") for each in behind)
    is_done = clause.group.tense in (Tense.PAST, Tense.PERFECT) and party.gender != "t"
    if is_job and is_done and left_firm(behind):
        clause.claim(party.text, "works_at", left_firm(behind), Action.BEGINS)


def read_parting(clause: Clause, party: Party, behind: list[Complement]) -> None:
    """Read "Lukas and I broke up", "Ben and I are splitting up"."""
    is_apart = clause.text_at(clause.group.next) == "up" or clause.group.verb in ("separate", "divorce")
    is_told = clause.is_done or clause.group.tense in (Tense.PROGRESSIVE, Tense.PRESENT)
    if is_apart and is_told and not behind:
        _end_bond(clause, party)


def _end_bond(clause: Clause, party: Party) -> None:
    """End what the speaker and another were to each other, as it was told."""
    other = _other(clause)
    if other is None:
        parties = subjects_of(clause.group.subject, clause.message, clause.sentence)
        if len(parties) != 2 or "t" in (parties[0].gender, parties[1].gender):
            return
        party, other = parties[0], parties[1].text
    if gender_of(other.removeprefix("my ")):
        ended = "married_to" if other.removeprefix("my ") in ("wife", "husband", "spouse") else "partner_of"
        clause.claim(party.text, ended, "", Action.ENDS)
        return
    bonds = ("married_to", "partner_of")
    claims = [claim for _, claim in clause.message.spoken.claims if claim.predicate in bonds]
    both = {party.text.casefold(), other.casefold()}
    told = [claim.predicate for claim in claims if {claim.subject.casefold(), claim.object.casefold()} == both]
    clause.claim(party.text, told[-1] if told else "partner_of", other, Action.ENDS)


def _other(clause: Clause) -> str | None:
    """Find with whom the speaker does it: "Jess and I", "me and Tom"."""
    subject = clause.group.subject
    joint = next((place for place, token in enumerate(subject) if token.text in ("and", "&", "n")), None)
    if joint is None or not {"i", "me"} & {token.text for token in subject}:
        return None
    place = joint + 1 if subject[0].text in ("me", "i") else 0
    while place < len(subject) and (subject[place].text in ("my", "our") or gender_of(subject[place].text)):
        place += 1
    name = name_at(subject, place, clause.message)
    return name[0] if name else None


def _marry(clause: Clause, party: Party, behind: list[Complement]) -> None:
    """Read "Jess and I got married in 2021"."""
    word, other = clause.text_at(clause.group.next), _other(clause)
    predicate = {"married": "married_to", "engaged": "partner_of"}.get(word)
    is_named = any(each.before.endswith(" to") for each in behind)
    if word == "divorced" and clause.is_done:
        _end_bond(clause, party)
    elif predicate and other and not is_named and clause.is_done:
        clause.claim(party.text, predicate, other, Action.BEGINS)


def read_marrying_again(clause: Clause, party: Party, behind: list[Complement]) -> None:
    """Let "his name is Karim" behind "mum remarried" be said of her husband, who is nobody's father by that."""
    if not clause.is_done or party.gender not in "fm" or behind:
        return
    noun, gender = ("husband", "m") if party.gender == "f" else ("wife", "f")
    clause.note(f"{party.text}'s {noun}", gender, is_subject=True)


def read_put(clause: Clause, party: Party, behind: list[Complement]) -> None:
    """Read "they put mum on apixaban", "the nurse put him on Seretide instead"."""
    del party, behind
    if clause.group.verb in ("have", "take", "keep") and clause.text_at(clause.group.next) not in _SUBJECT_OF:
        return
    tokens = clause.tokens[clause.group.next :]
    place = next((place for place, token in enumerate(tokens[:6]) if token.text in ("on", "onto", "off")), None)
    is_told = clause.is_done or (clause.group.verb in ("have", "keep") and clause.group.tense is Tense.PRESENT)
    if place is None or not is_told:
        return
    whom = subject_of([_SUBJECT_OF.get(token.text, token) for token in tokens[:place]], clause.message, clause.sentence)
    for each in clause.behind(clause.group.next + place):
        if whom is None or whom.gender == "t" or not clause.is_medicine(each.phrase):
            continue
        action = Action.BEGINS if clause.is_done else Action.HOLDS
        if each.before in ("on", "off"):
            medicine = clause.medicine(each.phrase)
            clause.claim(whom.text, "takes", medicine, action if each.before == "on" else Action.ENDS)


_SUBJECT_OF = {
    object: Token(subject, 0, 1) for object, subject in (("me", "i"), ("us", "i"), ("him", "he"), ("her", "she"))
}
"""For a pronoun that is an object, the one that is a subject."""


def read_farewell(clause: Clause, party: Party, behind: list[Complement]) -> None:
    """Read "our cleaner Agnieszka left", "my dentist has retired": they are that to the speaker no longer."""
    subject = clause.group.subject
    noun = next((token.text for token in subject[1:3] if token.text in roles()), None)
    is_going = clause.is_done or (clause.group.tense is Tense.PROGRESSIVE and clause.times.at is not None)
    is_gone = clause.group.verb in ("retire", "quit", "leave") or clause.text_at(clause.group.next) in (
        "coming",
        "working",
    )
    if subject[0].text not in ("my", "our") or noun is None or not is_going or not is_gone:
        return
    is_elsewhere = any(each.before == "" for each in behind) and clause.group.verb == "leave"
    if not is_elsewhere:
        known = party.text if party.text[:3] != "my " else ""
        clause.claim(clause.message.speaker, f"has_{noun}", known, Action.ENDS)
