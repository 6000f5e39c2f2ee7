"""Finds the known conversations that one without an id may be, by shared lines or the same opening."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import NamedTuple

from palace.db.database import UserSession
from palace.db.filing import conversations as stored
from palace.mining.filing.evidence import GROWN_TURNS
from palace.mining.filing.identity import content_digest
from palace.mining.filing.matching import Candidate, choose
from palace.mining.redaction import Redactor
from palace.models import Conversation, Role, Turn
from palace.models.external_keys import is_hidden
from palace.models.intake import repair
from palace.nlp.edges import edges_of, line_hash, lines_of
from palace.nlp.passages import split_passages

SOUGHT = 3
"""How many of a conversation's longest turns are searched for; ``SOUGHT_CHARACTERS`` is the length used of each."""
SOUGHT_CHARACTERS = 120
LOOKED_THROUGH = 4000
"""Characters in which a turn's first passage is looked for: twice the longest passage."""

Named = Sequence[tuple[int, str]]
"""Conversations as pairs of id and identity."""


def lock_edges(session: UserSession, conversation: Conversation) -> None:
    """Lock a conversation's first and last lines, so that concurrent filings of it wait for this transaction."""
    stored.lock_edges(session, edges_of(lines_of(_texts(conversation))))


def list_openings(session: UserSession, opening: str, redactor: Redactor) -> Named:
    """Return the conversations with an opening, under its plain or its hidden name."""
    hidden = redactor.key.hide_name(opening)
    found = [*stored.list_openings(session, opening), *stored.list_openings(session, hidden)]
    return list(dict.fromkeys(found))


def list_alike(
    session: UserSession, conversation: Conversation, redactor: Redactor, openings: Named
) -> list[Candidate]:
    """Return candidates that share an edge line, plain or redacted, with a conversation, and those in ``openings``."""
    texts = _texts(conversation)
    hashes = {line_hash(line) for line in lines_of([*texts, *(redactor.redacted(text).text for text in texts)])}
    return _as_candidates(session, dict([*stored.list_candidates(session, hashes), *openings]), redactor)


def list_holding(session: UserSession, conversation: Conversation, redactor: Redactor) -> list[Candidate]:
    """Return candidates, also ones with ids, that contain a conversation's longest turns verbatim."""
    said = {turn.content: turn for turn in conversation.turns if turn.role is not Role.SYSTEM}
    if len(said) < GROWN_TURNS:
        return []
    found: dict[int, str] | None = None
    for turn in sorted(said.values(), key=lambda turn: len(turn.content), reverse=True)[:SOUGHT]:
        holding = _holding(session, turn, redactor)
        if holding is None:
            continue
        found = holding if found is None else {key: name for key, name in found.items() if key in holding}
        if not found:
            break
    return _as_candidates(session, dict(list((found or {}).items())[: stored.MOST_CANDIDATES]), redactor)


def find_moved(session: UserSession, document: Conversation, redactor: Redactor) -> str | None:
    """Return the identity of a known document that has the same pages and whose path is gone; None if there is none."""
    holding = _holding(session, max(document.turns, key=lambda turn: len(turn.content)), redactor) or {}
    for candidate in _as_candidates(session, holding, redactor):
        path = candidate.identity.removeprefix(f"{document.reader}:{document.reader}:")
        # Without its folder, it may be another machine's or on a disk that is not there.
        is_gone = path.startswith("/") and Path(path).parent.is_dir() and not os.path.lexists(path)
        if is_gone and len(candidate.match(document.turns)) == len(candidate.standing) == len(document.turns):
            return candidate.identity
    return None


def _holding(session: UserSession, turn: Turn, redactor: Redactor) -> dict[int, str] | None:
    """Return the conversations that contain a turn verbatim; None if it has no words to find it by."""
    digest, words = content_digest(turn.content), _first_words(turn, redactor)
    return dict(stored.list_holding(session, words, digest, redactor.key.hide(digest))) if words else None


def _first_words(turn: Turn, redactor: Redactor) -> str:
    """Return the beginning of a turn's first passage, in whole words, up to the first secret."""
    beginning = repair(turn.content[:LOOKED_THROUGH])[0]
    passage = next((beginning[slice(*span)] for span in split_passages(beginning)), "")
    secrets = redactor.redacted(turn.content).findings
    clear = passage[: max(secrets[0].start - beginning.find(passage), 0)] if secrets else passage
    if len(clear) == len(passage) <= SOUGHT_CHARACTERS:
        return passage
    return clear[:SOUGHT_CHARACTERS].rpartition(" ")[0] or ("" if secrets else passage)


def _as_candidates(session: UserSession, found: Mapping[int, str], redactor: Redactor) -> list[Candidate]:
    return [
        Candidate(
            conversation_id,
            identity,
            stored.list_known_turns(session, conversation_id),
            partial(stored.get_contents, session, conversation_id),
            redactor,
        )
        for conversation_id, identity in found.items()
    ]


def free_name(opening: str, openings: Named) -> str:
    """Return an unused name for a new conversation: its opening, numbered if taken."""
    taken = {identity for _, identity in openings}
    numbered = (f"{opening}#{number}" for number in range(2, len(taken) + 3))
    return next(name for name in (opening, *numbered) if name not in taken)


def _texts(conversation: Conversation) -> Sequence[str]:
    return [turn.content for turn in conversation.turns]


def lines_as_kept(conversation: Conversation, redactor: Redactor) -> list[str]:
    """Return the lines of a conversation as they are filed, by which it is recognised later."""
    return lines_of(redactor.stored(text).text for text in _texts(conversation))


class Recognised(NamedTuple):
    """A conversation of another palace, as it is known in this one."""

    identity: str
    """Of the matching conversation, or an unused one."""
    turns: dict[int, bytes]
    """Identities in this palace of the known turns, by index."""


def recognise(session: UserSession, conversation: Conversation, name: str, redactor: Redactor) -> Recognised:
    """Match a conversation of another palace to one of this palace, by the same evidence as in mining.

    A new one keeps its ``name`` from there, or gets the next free one.
    """
    lock_edges(session, conversation)
    opening = name.partition("#")[0]
    openings = list_openings(session, opening, redactor)
    alike = list_alike(session, conversation, redactor, openings) if conversation.turns else []
    found = choose(conversation, [_by_what_is_kept(each) for each in alike]).candidate
    if found is None:
        is_free = name not in {identity for _, identity in openings}
        return Recognised(name if is_free else free_name(opening, openings), {})
    shared = found.match(conversation.turns)
    return Recognised(found.identity, {pair.given: found.own[pair.known].identity for pair in shared})


def _by_what_is_kept(candidate: Candidate) -> Candidate:
    """Return a candidate compared by what it stores, because each palace hashes secrets under its own key."""
    known = [
        replace(turn, digest=content_digest(candidate.content_of(turn)))
        if turn.digest is not None and is_hidden(turn.digest)
        else turn
        for turn in candidate.known
    ]
    return replace(candidate, known=known)
