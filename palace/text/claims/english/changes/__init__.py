"""What English says of things that change: bonds, jobs, plans that are dropped, medicines in place of others. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from palace.text.claims.clauses import HIDDEN, Sentence
from palace.text.claims.drafts import Message
from palace.text.claims.english.changes.doses import read_doses
from palace.text.claims.english.changes.medicines import read_medicines
from palace.text.claims.english.changes.partings import read_partings
from palace.text.claims.english.changes.posts import read_posts
from palace.text.claims.english.changes.withdrawn import read_withdrawn
from palace.text.claims.english.idioms.said import Said
from palace.text.claims.tokens import Token

__all__ = ["read_changes"]


def read_changes(tokens: Sequence[Token], sentence: Sentence, message: Message, number: int) -> None:
    """Add what a sentence says that changed to its message's claims, for what is asked nothing."""
    if sentence.is_asked or any(token.text == HIDDEN for token in tokens):
        return
    said = Said(tokens, sentence, message, number)
    read_partings(said)
    read_posts(said)
    read_withdrawn(said)
    read_medicines(said)
    read_doses(said)
