"""Which known conversation one without an id is that another palace filed; by the same evidence as in mining."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from palace.db.database import UserSession
from palace.db.filing import conversations as stored
from palace.mining.filing.candidates import lines_as_said, list_alike, list_holding, list_openings
from palace.mining.filing.choose import Candidate, Choice, choose, choose_holding
from palace.mining.filing.identity import content_digest
from palace.mining.keeping import Keeping
from palace.models import Conversation
from palace.models.external_keys import is_hidden
from palace.nlp.edges import edges_of


class Recognised(NamedTuple):
    """Who a conversation is here."""

    identity: str
    """That of the known one, or a free one."""
    turns: dict[int, bytes]
    """Identities here of the turns that are known, by their place."""


def recognise(session: UserSession, conversation: Conversation, name: str, keeping: Keeping) -> Recognised:
    """Find which known conversation this is; where it is new, give it the name that it had there, or the next free one.

    Others that decide on the same wait until the transaction ends.
    """
    stored.lock_edges(session, edges_of(lines_as_said(conversation)))
    opening = name.partition("#")[0]
    openings = list_openings(session, opening, keeping)
    choice = Choice()
    if conversation.turns:
        alike = [_by_what_is_kept(each) for each in list_alike(session, conversation, keeping, openings)]
        choice = choose(conversation, alike)
        if choice.candidate is None:
            choice = choose_holding(conversation, list_holding(session, conversation, keeping))
    if choice.candidate is not None:
        known = choice.candidate.own
        pairs = choice.candidate.match(known, conversation.turns)
        shared = {pair.given: known[pair.known].identity for pair in pairs}
        return Recognised(choice.candidate.identity, dict(choice.elsewhere) | shared)
    taken = {identity for _, identity in openings}
    numbered = (f"{opening}#{number}" for number in range(2, len(taken) + 3))
    return Recognised(next(free for free in (name, opening, *numbered) if free not in taken), {})


def _by_what_is_kept(candidate: Candidate) -> Candidate:
    """Compare what is kept: of what was taken out, each palace has a hash under a key of its own."""
    if not any(turn.digest is not None and is_hidden(turn.digest) for turn in candidate.known):
        return candidate
    known = [
        replace(turn, digest=content_digest(candidate.content_of(turn)))
        if turn.digest is not None and is_hidden(turn.digest)
        else turn
        for turn in candidate.known
    ]
    return replace(candidate, known=known)
