"""A German clause while claims are read from it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from palace.records import Span
from palace.records.graph import Action
from palace.text.claims.dates import Times
from palace.text.claims.drafts import Message, Party, Tense, draft
from palace.text.claims.english.objects import Complement
from palace.text.claims.german.objects import complements
from palace.text.claims.people import Telling
from palace.text.claims.tokens import Token


@dataclass(frozen=True, slots=True)
class Place:
    """Where in a message something is told."""

    message: Message
    sentence: int
    span: Span


@dataclass(frozen=True, slots=True)
class German:
    """A clause: its subject, its verb, the words that are neither, and its times."""

    party: Party
    subject: Sequence[Token]
    verb: str
    tense: Tense
    rest: Sequence[Token]
    texts: frozenset[str]
    """All its words, those without a meaning of their own among them."""
    times: Times
    where: Telling
    is_ended: bool
    is_denied: bool = False
    is_passive: bool = False

    @property
    def message(self) -> Message:
        return self.where.message

    def claim(self, subject: str, predicate: str, obj: str, action: Action, times: Times | None = None) -> None:
        """Claim something, at the times of the clause or others."""
        told = self.times if times is None else times
        self.message.claim(draft(subject, predicate, obj, action, told, self.where.span))

    def note(self, text: str, gender: str, *, is_subject: bool = False) -> None:
        """Let pronouns mean someone or something from here on."""
        self.message.spoken.note(Party(text, gender, self.message.turn, self.where.sentence, is_subject))

    @property
    def behind(self) -> list[Complement]:
        """The noun phrases beside the subject."""
        return complements(self.rest, self.message.content, self.message.names)
