"""Read from a conversation what its people claim of themselves and of others. Pure.

Rules of our own for English and German, made to be right where they speak rather than to find every claim. What is
asked, denied, supposed, wished, quoted or not meant is none, and what an assistant says is none either.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import tzinfo

from palace.records.graph import SELF, Claim, NamedSpan, Said
from palace.records.source import Role
from palace.text.claims.clauses import sentences_of
from palace.text.claims.drafts import Message, Spoken
from palace.text.claims.english import reader as english
from palace.text.claims.german import reader as german
from palace.text.claims.phrases import Names
from palace.text.languages import languages_of

MOST_CLAIMS = 60
"""Of one message; one that claims more is a list or a document."""


def read_claims(turns: Sequence[Said], names: Sequence[Sequence[NamedSpan]], zone: tzinfo) -> list[tuple[Claim, ...]]:
    """Read the claims of each turn of a conversation, in order of telling: one tuple a turn, as many as turns.

    ``names`` are those that stand in each turn; it works without them, and finds more with them. Times are resolved
    against when a turn was said, and left out where that is not known. Claims are read from what people say, never from
    an assistant's, a system's or a tool's turns. None are read from more than 6,000 characters at once, which is no
    speech. Takes time linear in the length of the turns. Raises ValueError when there are not as many lists of names as
    turns.
    """
    by_speaker: dict[str, tuple[Spoken, int]] = {}
    read: list[tuple[Claim, ...]] = []
    languages = languages_of((said.content, said.language) for said in turns)
    for said, spans, language in zip(turns, names, languages, strict=True):
        if said.role is not Role.USER:
            read.append(())
            continue
        speaker = SELF if said.is_self or not said.speaker else said.speaker
        spoken, turn = by_speaker.get(speaker, (Spoken(), 0))
        by_speaker[speaker] = (spoken, turn + 1)
        now = said.said_at.astimezone(zone) if said.said_at else None
        message = Message(said.content, Names(spans), now, turn + 1, speaker, spoken)
        read.append(_read(message, language))
    return read


def _read(message: Message, language: str | None) -> tuple[Claim, ...]:
    for number, sentence in enumerate(sentences_of(message.content)):
        if german.is_german(sentence.text, language):
            german.read_sentence(sentence, message, number)
        elif language in (None, "en", "de") or number == 0:
            english.read_sentence(sentence, message, number)
        if len(message.claims) >= MOST_CLAIMS:
            break
    return tuple(message.claims[:MOST_CLAIMS])
