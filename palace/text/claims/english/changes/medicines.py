"""Medicines as they are noted and changed in English: "on 50 mg of sertraline now", "from X to Y". Pure."""

from __future__ import annotations

import re

from palace.records import Span
from palace.records.graph import Action
from palace.text.claims.dates import Times
from palace.text.claims.drafts import Party
from palace.text.claims.english.changes.told import stretches, whom
from palace.text.claims.english.idioms.said import Said
from palace.text.claims.english.idioms.subjects import speaker_of, subject_before
from palace.text.claims.english.objects import fits, is_medicine_word
from palace.text.claims.phrases import Phrase

_AMOUNT = r"(?:\d[\d.,/]*\s?(?:mg|mcg|µg|g|ml|units?|iu|micrograms?|milligrams?|tablets?|pills?|puffs?)\s(?:of\s)?)?"
_NOTED_ON = re.compile(rf"(?:^|(?<=[.;,•*-] ))(?:now |back |still |currently |started |put )?on {_AMOUNT}(?=[^\W\d_])")
_OFTEN = (
    r"(?:every|each|once|twice|three times|daily|nightly|at night|in the (?:morning|evening)|before bed"
    r"|with (?:food|meals|breakfast|dinner)|\d ?x|as needed)(?!\w)"
)
_NOTED = re.compile(
    rf"(?:^|(?<=[.;,:•*-] )|(?<=and ))(?:(?:my|still|now|currently|also|meds:) )?(?P<medicine>[^\W\d_][\w-]{{3,30}})"
    rf"(?: {_AMOUNT.rstrip('?')})? ?,? ?{_OFTEN}"
)
_CHANGED = re.compile(
    r"(?<!\w)(?:switched|moved|changed|swapped|transferred|took|taken|put|switching|changing)"
    r"(?: (?P<whom>me|him|her|mum|mom|dad|us))?(?: over)?(?: (?:from|off) (?P<old>[^.;!?]{3,40}?))?"
    rf" (?:to|onto|on to|and (?:put (?:me|him|her) )?on(?:to)?|for) {_AMOUNT}"
    r"(?P<new>(?:my |the )?[^\W\d_][\w-]{3,30})"
)


def read_medicines(said: Said) -> None:
    """Read which medicines somebody takes, and which in place of others."""
    for _found, _first, place, span in stretches(said, _NOTED_ON):
        phrase = _medicine(said, place)
        if phrase is not None and said.is_said(span):
            _take(said, speaker_of(said), phrase, Action.HOLDS, span)
    for found, _first, _place, span in stretches(said, _NOTED):
        phrase = _medicine(said, said.place(said.sentence.span.start + found.start("medicine")))
        is_said = said.is_said(span) and is_medicine_word(found["medicine"])
        if phrase is not None and is_said:
            _take(said, _taker(said), phrase, Action.HOLDS, span)
    for found, first, _place, span in stretches(said, _CHANGED):
        _changed(said, found, first, span)


def _taker(said: Said) -> Party:
    """Give whose medicines the sentence lists: theirs of whom it says so, else the speaker's."""
    inside = (claim for claim in reversed(said.message.claims) if claim.start >= said.sentence.span.start)
    subject = next((claim.subject for claim in inside if claim.predicate == "takes"), None)
    return Party(subject, "n", said.message.turn, said.number) if subject else speaker_of(said)


def _changed(said: Said, found: re.Match[str], first: int, span: Span) -> None:
    """Read "my doctor switched me from X to Y"."""
    offset = said.sentence.span.start
    new = _medicine(said, said.place(offset + found.start("new")))
    old = _medicine(said, said.place(offset + found.start("old"))) if found["old"] else None
    if new is None or (found["old"] and old is None) or not said.is_said(span):
        return
    if found["whom"]:
        party, _ = whom(said, said.place(offset + found.start("whom")))
        if found["whom"] in ("mum", "mom", "dad"):
            party = Party(f"my {found['whom']}", "n", said.message.turn, said.number)
    else:
        party = subject_before(said, first)
    if party is None or party.gender == "t":
        return
    if old is not None:
        _take(said, party, old, Action.ENDS, span)
    _take(said, party, new, Action.BEGINS, span)


def _medicine(said: Said, place: int) -> Phrase | None:
    phrase = said.phrase(place)
    return phrase if phrase is not None and fits(phrase, "medicine") else None


def _take(said: Said, party: Party, phrase: Phrase, action: Action, span: Span) -> None:
    word = next((token for token in phrase.tokens if is_medicine_word(token.text)), phrase.tokens[-1])
    text = phrase.text if phrase.name is not None else said.message.content[word.start : word.end]
    known = {(claim.predicate, claim.object.casefold(), claim.action) for claim in said.message.claims}
    same = {action, Action.BEGINS, Action.HOLDS} if action is not Action.ENDS else {action}
    if not any(("takes", text.casefold(), each) in known for each in same):
        times = said.times(span) if action is not Action.HOLDS else Times(since=said.times(span).since)
        said.claim(party.text, "takes", text, action, times, span)
