"""What English says with "to be" and a preposition or an adjective: schools, firms, homes, journeys, tools. Pure."""

from __future__ import annotations

from palace.records.graph import Action, EntityType, Precision
from palace.text.claims.drafts import Party
from palace.text.claims.english.clause import Clause
from palace.text.claims.english.grammar.complements import Complement
from palace.text.claims.english.objects import fits
from palace.text.claims.english.special.owners import owner_and_noun
from palace.text.claims.kinds import words
from palace.text.claims.tokens import listed

_MOVES = ("move", "relocation", "moving", "relocating")
_OFF = ("off", "cancelled", "canceled", "postponed")
_AFTER_OFF = ("", ",", ".", "!", ";", "because", "after", "again", "for", "and", "but", "now")
_CALLED_OFF = ("called off", "not happening", "fallen through")
_NOW = listed("now currently nowadays")
_NO_PROPERTY = listed("one friend sister brother appointment question issue problem plan flight trip meeting team work")


def read_being(clause: Clause, party: Party, behind: list[Complement], action: Action) -> None:
    """Read what stands behind "to be" with a preposition, for whom it can be said of."""
    if party.gender == "t":
        _with_firm(clause, behind, action)
        return
    for place, each in enumerate(behind[:2]):
        if not place or fits(behind[0].phrase, "subject"):
            _been(clause, party, each, action)
        if each.before == "in" and fits(each.phrase, "subject"):
            subject = next(token for token in reversed(each.phrase.tokens) if token.text not in ("year",))
            clause.claim(party.text, "studies", clause.message.content[subject.start : subject.end], action)
        elif each.before == "on" and not place:
            _on(clause, party, each, action)


def _been(clause: Clause, party: Party, each: Complement, action: Action) -> None:
    phrase, texts = each.phrase, {token.text for token in clause.tokens}
    is_place = each.before == "in" and fits(phrase, "place_named")
    if each.before == "at" and fits(phrase, "school"):
        clause.claim(party.text, "studies_at", phrase.text, action)
    elif (
        each.before in ("at", "with")
        and phrase.name is not None
        and phrase.name.type is EntityType.ORGANISATION
        and not (action is Action.WAS and _is_of_a_day(clause))
    ):
        clause.claim(party.text, "works_at", phrase.text, action)
    elif is_place and ("based" in texts or (texts & _NOW and party.gender != "s" and action is Action.HOLDS)):
        clause.claim(party.text, "lives_in", phrase.text, action)
    elif is_place and action is Action.WAS and clause.times.at is not None and party.gender == "s":
        clause.claim(party.text, "visited", phrase.text, Action.HAPPENS)
    elif each.before == "in" and fits(phrase, "group") and phrase.owner in ("a", "the", ""):
        clause.claim(party.text, "member_of", phrase.text, action)


def _is_of_a_day(clause: Clause) -> bool:
    """Tell whether it was so on one day: "I was at Globex yesterday" was a visit."""
    at, end = clause.times.at, clause.times.at_end
    return at is not None and end is None and at.precision is Precision.DAY


def _on(clause: Clause, party: Party, each: Complement, action: Action) -> None:
    """Read "I'm on sertraline" and "we're on Signal now"."""
    is_now = any(token.text in _NOW for token in clause.tokens)
    if clause.is_medicine(each.phrase):
        clause.claim(party.text, "takes", clause.medicine(each.phrase), action)
    elif is_now and fits(each.phrase, "tool") and party.gender == "s" and action is Action.HOLDS:
        clause.claim(party.text, "uses", each.phrase.text, action)


def _with_firm(clause: Clause, behind: list[Complement], action: Action) -> None:
    """Read "my pension is with Aviva"."""
    owner, noun = owner_and_noun(clause.group.subject, clause.message, clause.sentence)
    first = behind[0] if behind else None
    if first is None or owner in (None, "the") or first.before != "with" or noun in _NO_PROPERTY:
        return
    is_person = first.phrase.name is not None and first.phrase.name.type is EntityType.PERSON
    if first.phrase.is_named and not first.phrase.owner and not is_person:
        clause.claim(owner or "", f"has_{noun}", first.phrase.text, action)


def read_off(clause: Clause, place: int) -> bool:
    """Read "the trip to Oslo is cancelled", "Moving to Porto is off": what was planned will not be."""
    text = " ".join(token.text for token in clause.tokens[place : place + 3])
    is_off = clause.text_at(place) in _OFF and clause.text_at(place + 1) in _AFTER_OFF
    if not (is_off or text.startswith(_CALLED_OFF)):
        return False
    subject, message = clause.group.subject, clause.message
    named = message.names.within(subject[0].start, subject[-1].end)
    places = [name.text for name in named if name.type in (EntityType.PLACE, EntityType.EVENT)]
    if any(token.text in _MOVES for token in subject):
        for name in places[:1]:
            clause.claim(message.speaker, "lives_in", name, Action.DENIES)
        return True
    nouns = {token.text for token in subject} & words("dated")
    said = {each.casefold() for each in places} | nouns
    planned = [claim for _, claim in message.spoken.claims if claim.predicate == "planned"]
    for claim in planned:
        if said & set(claim.object.casefold().split()):
            clause.claim(claim.subject, "planned", claim.object, Action.DENIES)
            return True
    if places and nouns & {"trip", "holiday", "vacation", "flight"}:
        clause.claim(message.speaker, "planned", f"{places[0]} trip", Action.DENIES)
    return True
