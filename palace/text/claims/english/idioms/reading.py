"""Read the turns of phrase of an English sentence. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date

from palace.records import Span
from palace.records.graph import Action, EntityType, Precision, VagueDate
from palace.text.claims.clauses import HIDDEN, Sentence
from palace.text.claims.dates import Times, times_of
from palace.text.claims.drafts import Message, draft
from palace.text.claims.english.idioms.said import Said
from palace.text.claims.english.idioms.subjects import speaker_of, subject_before
from palace.text.claims.english.idioms.turns import NOTED, TURNS, Turn
from palace.text.claims.english.objects import fits
from palace.text.claims.kinds import roles, words
from palace.text.claims.people import name_at
from palace.text.claims.phrases import Phrase
from palace.text.claims.tokens import Token, listed

_LAST_DAY = re.compile(r"(?<!\w)last (?:shift|day)\s?(?:there |here )?(?:is|was|:|'s)?\s?(?=\S)")
_IS_A_DAY = re.compile(r"(?<!\w)(?:last|first) (?:shift|day|week) at [^,;]*?(?:(?<=\s)(?:is|will be)|'s)\s")
"""What tells a day to come: said of one that has been, it would be "was"."""
_STARTS = re.compile(r"(?<!\w)(?:starts?|starting|i start|from|begins?)\s(?=\S)")
_KEYS = re.compile(r"(?<!\w)(?:keys|move in|moving in|moved in)\s(?=\S)")
_YEARS = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"]
_VALUES = listed("rent salary mortgage")


def read_idioms(tokens: Sequence[Token], sentence: Sentence, message: Message, number: int) -> None:
    """Add what the turns of phrase of a sentence claim, for what is asked nothing."""
    if sentence.is_asked or any(token.text == HIDDEN for token in tokens):
        return
    said = Said(tokens, sentence, message, number)
    for turn in TURNS:
        for found in turn.pattern.finditer(sentence.text):
            _turn(said, turn, found)
    for found in NOTED.finditer(sentence.text):
        _noted(said, found)


def _turn(said: Said, turn: Turn, found: re.Match[str]) -> None:
    offset = said.sentence.span.start
    first, place = said.place(offset + found.start()), said.place(offset + found.end())
    if place >= len(said.tokens) or first >= len(said.tokens):
        return
    span = said.window(first, place)
    behind = said.behind(place)
    if not behind or behind[0].before or not _fits(said, behind[0].phrase, turn.wants):
        return
    if not said.is_said(Span(span.start, said.tokens[place].start)):
        return
    party = subject_before(said, first) if not turn.is_own else speaker_of(said)
    if party is None or (party.gender == "t") != (turn.predicate == "located_in"):
        return
    _claim(said, turn, (party.text, behind[0].phrase), span, found)


def _claim(said: Said, turn: Turn, what: tuple[str, Phrase], span: Span, found: re.Match[str]) -> None:
    is_ahead = turn.action is Action.BEGINS and "start" in said.sentence.text
    times = said.times(span, ahead=is_ahead or _IS_A_DAY.search(said.sentence.text) is not None)
    if turn.predicate == "comes_from":
        times = Times()
    elif "year" in found.groupdict() and said.message.now is not None:
        years = _YEARS.index(found["year"])
        times = Times(since=VagueDate(date(said.message.now.year - years, 1, 1), Precision.YEAR))
    elif turn.wants == "told_keys":
        times = _told_later(said, _KEYS) or times
    elif turn.predicate == "works_at" and times.start is None:
        times = _told_later(said, _LAST_DAY if turn.action is Action.ENDS else _STARTS) or times
    text = what[1].text
    if turn.wants in ("medicine", "taken"):
        text = said.message.content[what[1].tokens[0].start : what[1].tokens[0].end]
    said.message.claim(draft(what[0], turn.predicate, text, turn.action, times, span))


def _told_later(said: Said, opening: re.Pattern[str]) -> Times | None:
    """Read when it ends or begins from what stands further on: "last day is Sunday", "starts 8 June"."""
    found = opening.search(said.sentence.text)
    if found is None or said.message.now is None:
        return None
    rest = said.sentence.text[found.end() : found.end() + 40]
    times, _ = times_of(rest, said.message.now, ahead=True)
    return times if times.at is not None else None


def _fits(said: Said, phrase: Phrase, wants: str) -> bool:
    kind = phrase.name.type if phrase.name is not None else None
    if wants == "company":
        return kind is EntityType.ORGANISATION or _is_known(said, phrase, "works_at")
    if wants == "taken":
        return _is_known(said, phrase, "takes")
    if wants == "taken_up":
        return phrase.owner == "the" and (kind is EntityType.ITEM or phrase.head in words("instruments"))
    if wants == "named":
        return kind in (EntityType.ORGANISATION, EntityType.ITEM)
    return fits(phrase, "place" if wants == "told_keys" else wants) and (
        wants != "told_keys" or _told_later(said, _KEYS) is not None
    )


def _is_known(said: Said, phrase: Phrase, predicate: str) -> bool:
    """Whether it was said of somebody before: that they take it, or work there."""
    claims = (claim for _, claim in said.message.spoken.claims if claim.predicate == predicate)
    return any(claim.object.casefold() in (phrase.text.casefold(), phrase.head) for claim in claims)


def _noted(said: Said, found: re.Match[str]) -> None:
    """Read a property noted without a verb."""
    place = said.place(said.sentence.span.start + found.end())
    phrase = said.phrase(place)
    noun, link = found["noun"], found["link"].strip()
    if phrase is None or phrase.owner:
        return
    is_known = noun in roles() and name_at(said.tokens, place, said.message) is not None
    is_firm = noun not in roles() and noun not in _VALUES and phrase.is_named and phrase.tokens[0].is_upper
    is_value = noun in _VALUES and phrase.tokens[0].text[0] in "0123456789€£$"
    is_noted = bool(link) or is_value or (is_firm and noun == "insurance")
    if not is_noted or not (is_known or is_firm or is_value):
        return
    span = said.window(place, place)
    is_new = "now" in link or " to" in f" {link}"
    times = said.times(span, ahead=True)
    action = Action.BEGINS if is_new and times.start is not None else Action.HOLDS
    text = said.message.content[phrase.tokens[0].start : phrase.tokens[0].end] if is_value else phrase.text
    if is_known:
        text = (name_at(said.tokens, place, said.message) or (text, 0))[0]
    said.message.claim(draft(said.message.speaker, f"has_{noun}", text, action, times, span))
