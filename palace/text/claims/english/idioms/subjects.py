"""Who does what an English turn of phrase says, by what stands before it. Pure."""

from __future__ import annotations

from palace.text.claims.drafts import Party
from palace.text.claims.english.idioms.said import Said
from palace.text.claims.english.people import subject_of
from palace.text.claims.tokens import listed
from palace.text.stopwords import STOP_WORDS

_BEFORE_VERBS = listed(
    """
's is am are was were has have had been being just finally now also already both recently since still then
officially actually um uh i'm im all though be started gone come
"""
)
_OPENERS = listed("and but so because then that plus & when since as")


def speaker_of(said: Said) -> Party:
    return Party(said.message.speaker, "s", said.message.turn, said.number)


def subject_before(said: Said, place: int) -> Party | None:
    """Find whose the verb at a place is, by what stands before it; the speaker's where nothing does."""
    end = place
    while end and said.tokens[end - 1].text in _BEFORE_VERBS:
        end -= 1
    if not end or said.tokens[end - 1].is_mark or said.tokens[end - 1].text in _OPENERS:
        return _before(said)
    if said.tokens[end - 1].text in ("my", "our"):
        return speaker_of(said)
    return _resolved(said, end)


def _before(said: Said) -> Party:
    """Give the subject of the sentence so far, the speaker where none is told."""
    for party in reversed(said.message.spoken.parties):
        if (party.turn, party.sentence) == (said.message.turn, said.number) and party.is_subject:
            return party if party.gender != "t" else speaker_of(said)
    return speaker_of(said)


def _resolved(said: Said, end: int) -> Party | None:
    last = said.tokens[end - 1]
    first = end - 1
    if last.is_upper and last.text not in STOP_WORDS:
        while first and said.tokens[first - 1].is_upper and said.tokens[first - 1].text not in STOP_WORDS:
            first -= 1
        if first and said.tokens[first - 1].text in ("the", "my", "our"):
            first -= 1
    elif first and said.tokens[first - 1].text in ("my", "our", "her", "his", "the"):
        first -= 1
    return subject_of(said.tokens[first:end], said.message, said.number)
