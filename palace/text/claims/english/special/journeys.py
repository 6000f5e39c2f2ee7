"""What English verbs say of journeys: made, ahead, called off. Pure."""

from __future__ import annotations

from dataclasses import replace

from palace.records.graph import Action
from palace.text.claims.dates import Times
from palace.text.claims.drafts import Party, Tense
from palace.text.claims.english.clause import Clause
from palace.text.claims.english.grammar.complements import Complement
from palace.text.claims.english.objects import fits
from palace.text.claims.english.special.things import read_leaving, read_rise
from palace.text.claims.tokens import listed

GO_AHEAD = listed("go fly travel head visit")
_MOVES = listed("move relocation")


def is_called_off(clause: Clause) -> bool:
    """Whether it says that a journey will not be: "we're not going to Lisbon after all"."""
    texts = " ".join(token.text for token in clause.tokens)
    is_dropped = clause.group.is_negated and "after all" in texts and clause.group.verb in GO_AHEAD
    is_done = clause.group.verb == "cancel" and clause.group.tense in (Tense.PAST, Tense.PERFECT)
    return is_dropped or (is_done and not clause.group.is_negated and not clause.group.is_unsure)


def call_off(clause: Clause, party: Party, behind: list[Complement]) -> None:
    """Deny the journey, or of "cancelled the move to Oslo" the home, that was to be."""
    is_move = any(each.phrase.head in _MOVES for each in behind)
    for each in behind:
        if is_move and each.before == "to" and fits(each.phrase, "place_named") and party.gender != "t":
            clause.claim(party.text, "lives_in", each.phrase.text, Action.DENIES, Times())
            return
        if each.before in ("to", "") and fits(each.phrase, "sight") and party.gender != "t":
            clause.claim(party.text, "planned", f"{each.phrase.text} trip", Action.DENIES, Times())


def read_going(clause: Clause, party: Party, behind: list[Complement]) -> None:
    """Read of a journey ahead, where it is told when, and of what goes up and down."""
    read_rise(clause, party, behind)
    if clause.group.verb == "go":
        read_leaving(clause, behind)
    is_ahead = clause.group.tense in (Tense.PROGRESSIVE, Tense.FUTURE, Tense.PRESENT)
    if not is_ahead or not clause.is_ahead or party.gender == "t":
        return
    for each in behind:
        fitting = each.before in ("to", "back to", "over to", "out to", "down to", "up to", "") and each.phrase.is_named
        if fitting and fits(each.phrase, "sight"):
            times = replace(clause.times, since=None)
            clause.claim(party.text, "planned", f"{each.phrase.text} trip", Action.HAPPENS, times)


def read_been(clause: Clause, party: Party, place: int) -> bool:
    """Read "I've been to Lisbon twice", at a time where one is told; tell whether it is that."""
    if clause.text_at(place) not in ("to", "back", "over"):
        return False
    if clause.group.tense not in (Tense.PERFECT, Tense.PAST) or party.gender == "t":
        return True
    for each in clause.behind(place):
        if each.before in ("to", "back from", "back to", "over to") and fits(each.phrase, "sight"):
            is_dated = clause.times.at is not None
            clause.claim(party.text, "visited", each.phrase.text, Action.HAPPENS if is_dated else Action.WAS)
    return True
