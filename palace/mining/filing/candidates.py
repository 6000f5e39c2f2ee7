"""Which known conversations one without an id may be: those with a line of it, its opening, or its longest turns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from palace.db.database import UserSession
from palace.db.filing import conversations as stored
from palace.mining.filing.choose import Candidate, most_telling
from palace.mining.filing.identity import content_digest
from palace.mining.keeping import Keeping
from palace.models import Conversation, Turn
from palace.nlp.edges import line_hash, lines_of
from palace.nlp.passages import split_passages
from palace.nlp.repair import repair

SOUGHT_CHARACTERS = 120
"""With how many characters of a turn a conversation that holds it is looked for."""
LOOKED_THROUGH = 4000
"""In how many characters its first passage is found: twice what a passage has at most."""

Named = Sequence[tuple[int, str]]
"""Conversations, by id and identity."""


def list_openings(session: UserSession, opening: str, keeping: Keeping) -> Named:
    """List the conversations with an opening, hidden or not."""
    hidden = keeping.key.hide_name(opening)
    found = [*stored.list_openings(session, opening), *stored.list_openings(session, hidden)]
    return list(dict.fromkeys(found))


def list_alike(session: UserSession, conversation: Conversation, keeping: Keeping, openings: Named) -> list[Candidate]:
    """List the conversations with an edge among the lines of one, whole or without its secrets, and some others."""
    texts = _texts(conversation)
    hashes = {line_hash(line) for line in lines_of([*texts, *(keeping.redacted(text).text for text in texts)])}
    return _as_candidates(session, dict([*stored.list_candidates(session, hashes), *openings]), keeping)


def list_beginning_so(session: UserSession, beginning: str, reader: str, keeping: Keeping) -> list[Candidate]:
    """List the conversations that other readers made of texts beginning so, whole or without its secrets."""
    hashes = {line_hash(line) for line in lines_of([beginning, keeping.redacted(beginning).text])}
    found = stored.list_candidates(session, hashes) if hashes else []
    others = {each: identity for each, identity in found if identity.partition(":")[0] != reader}
    return _as_candidates(session, others, keeping)


def list_holding(session: UserSession, conversation: Conversation, keeping: Keeping) -> list[Candidate]:
    """Find the conversations that hold the longest turns of one, word for word; mostly none has the first of them."""
    found: dict[int, str] | None = None
    for turn in most_telling(conversation):
        digest, words = content_digest(turn.content), _first_words(turn, keeping)
        if not words:
            continue
        holding = dict(stored.list_holding(session, words, digest, keeping.key.hide(digest)))
        found = holding if found is None else {key: name for key, name in found.items() if key in holding}
        if not found:
            break
    return _as_candidates(session, dict(list((found or {}).items())[: stored.MOST_CANDIDATES]), keeping)


def lines_as_said(conversation: Conversation) -> list[str]:
    """List the lines of a conversation, which miners of the same lock."""
    return lines_of(_texts(conversation))


def lines_as_kept(conversation: Conversation, keeping: Keeping) -> list[str]:
    """List the lines of a conversation as they are filed, by which it is found again."""
    return lines_of(keeping.stored(text).text for text in _texts(conversation))


def _texts(conversation: Conversation) -> Sequence[str]:
    said = [turn.content for turn in conversation.turns]
    return [*said, conversation.whole_text] if conversation.whole_text else said


def _first_words(turn: Turn, keeping: Keeping) -> str:
    """Return what the first passage of a turn begins with, in whole words, up to the first secret."""
    beginning = repair(turn.content[:LOOKED_THROUGH])[0]
    passage = next((beginning[slice(*span)] for span in split_passages(beginning)), "")
    secrets = keeping.redacted(turn.content).findings
    clear = passage[: max(secrets[0].start - beginning.find(passage), 0)] if secrets else passage
    if len(clear) == len(passage) <= SOUGHT_CHARACTERS:
        return passage
    return clear[:SOUGHT_CHARACTERS].rpartition(" ")[0] or ("" if secrets else passage)


def _as_candidates(session: UserSession, found: Mapping[int, str], keeping: Keeping) -> list[Candidate]:
    return [
        Candidate(
            conversation_id,
            identity,
            stored.list_known_turns(session, conversation_id),
            partial(stored.get_contents, session, conversation_id),
            keeping,
        )
        for conversation_id, identity in found.items()
    ]
