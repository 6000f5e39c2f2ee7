"""What a speaker has claimed so far that a change may be of. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from palace.records import Span
from palace.records.graph import Action, Claim, EntityType
from palace.text.claims.drafts import Message, Party
from palace.text.claims.english.grammar.verbs import forms
from palace.text.claims.english.idioms.said import Said
from palace.text.claims.english.people import subject_of
from palace.text.claims.kinds import gender_of
from palace.text.claims.people import name_at
from palace.text.claims.phrases import Phrase, phrase_at
from palace.text.claims.tokens import Token, listed

BONDS = ("married_to", "partner_of")
_SUBJECTS = {"me": "i", "us": "we", "him": "he", "her": "she", "them": "they", "it": "it"}
_COUPLE = frozenset(
    ["wife", "husband", "spouse", "hubby", "partner", "girlfriend", "boyfriend", "gf", "bf", "fiancé", "fiancée"]
)


def latest(message: Message, predicates: Collection[str], subject: str) -> Claim | None:
    """Find what was claimed last of somebody with one of some predicates, whatever it did."""
    for _, claim in reversed(message.spoken.claims):
        if claim.predicate in predicates and claim.object and claim.subject.casefold() == subject.casefold():
            return claim
    return None


def predicate_of(message: Message, subject: str, obj: str, predicates: Collection[str]) -> str | None:
    """Say by which of some predicates somebody was last told to have to do with something."""
    for _, claim in reversed(message.spoken.claims):
        is_same = claim.object.casefold() == obj.casefold() and claim.subject.casefold() == subject.casefold()
        if is_same and claim.predicate in predicates and claim.action is not Action.DENIES:
            return claim.predicate
    return None


def places(said: Said, found: re.Match[str]) -> tuple[int, int]:
    """Give the places of the first token of a match, and of the one behind it."""
    offset = said.sentence.span.start
    return said.place(offset + found.start()), said.place(offset + found.end())


def whom(said: Said, place: int) -> tuple[Party | None, int]:
    """Read the person at a place, who may be a pronoun's object: who it is, and where what names them ends."""
    if place >= len(said.tokens):
        return None, place
    token = said.tokens[place]
    if token.text in _SUBJECTS:
        pronoun = Token(_SUBJECTS[token.text], token.start, token.end)
        return subject_of([pronoun], said.message, said.number), place + 1
    if token.text in ("my", "our", "his", "her") and place + 1 < len(said.tokens):
        noun = said.tokens[place + 1].text
        if gender_of(noun):
            return subject_of(said.tokens[place : place + 2], said.message, said.number), place + 2
        return None, place
    named = name_at(said.tokens, place, said.message)
    if named is None:
        return None, place
    name = said.message.names.at(token.start)
    is_person = name is None or name.type is EntityType.PERSON
    return (Party(named[0], "n", said.message.turn, said.number), named[1]) if is_person else (None, place)


def is_couple(text: str) -> bool:
    """Whether somebody is told by what they are in a couple: "my boyfriend"."""
    return text.rpartition(" ")[2] in _COUPLE


def closes(tokens: Sequence[Token], place: int) -> bool:
    """Whether no more objects follow at a place."""
    return place >= len(tokens) or tokens[place].is_mark or tokens[place].text in _AFTER


_AFTER = listed(
    """
and but so because cos cuz in on at after before last for when over this yesterday today now again just then too
finally officially out as since while by during two three four five six a the back years months weeks around about
"""
)


def named_at(said: Said, place: int) -> Phrase | None:
    """Read the noun phrase at a place, and no verb behind it: "Bosch" of "Bosch ended"."""
    if place >= len(said.tokens):
        return None
    name = said.message.names.at(said.tokens[place].start)
    last = name.end if name is not None else len(said.message.content)
    end = next((at for at in range(place, len(said.tokens)) if _is_behind(said.tokens[at], last)), len(said.tokens))
    return phrase_at(said.tokens[:end], place, said.message.content, said.message.names)


def _is_behind(token: Token, last: int) -> bool:
    return token.start >= last or token.text in forms()


_REPORTED = re.compile(
    r"(?<!\w)(?:said|says|saying|told|tells|thinks?|thought|reckons?|claims?|claimed|heard|posted|wrote|reads?|dreamt|dreamed"
    r"|hope|hopes|afraid|worried|imagine|wish|friend who|someone who|people who|guy who|woman who|man who)(?!\w)"
)
"""Before what is another's to say, or not so."""


def stretches(said: Said, pattern: re.Pattern[str]) -> Iterator[tuple[re.Match[str], int, int, Span]]:
    """Give the matches of a pattern with their places, and the stretch of the clauses they stand in."""
    for found in pattern.finditer(said.sentence.text):
        first, place = places(said, found)
        if first < len(said.tokens) and not _REPORTED.search(said.sentence.text[: found.start()]):
            yield found, first, place, said.window(first, max(first, place - 1))
