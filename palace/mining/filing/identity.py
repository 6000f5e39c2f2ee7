"""What makes a conversation the same conversation, and a turn the same turn, when they are read again.

A conversation is known by its source's id; where the source has none, by its reader and opening turn (and then by
what follows, see ``plan``). Its path never counts. A turn is known by its message id and content; where it has no
id, by content and how many times the same was said before it in the conversation: a turn inserted or taken out
elsewhere moves no identity.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from datetime import UTC

from palace.records import Conversation, Turn

DISTINCTIVE_CHARACTERS = 40


_FORMERLY = {"whatsapp": "transcript", "journal": "note"}
"""Readers of texts that others read before there was one of their own."""


def conversation_identity(conversation: Conversation) -> str:
    """Give the identity of a conversation; for one without a source id, the part its opening decides."""
    if conversation.source_id is not None:
        return f"{conversation.reader}:{conversation.source_id}"
    opening = conversation.turns[0]
    # A time without a zone counts as it was written, so that a conversation stays itself when its person moves.
    moment = opening.wall_time.replace(tzinfo=UTC) if opening.wall_time else opening.said_at
    return _opening(conversation.reader, opening, moment.isoformat() if moment else "")


def former_identities(conversation: Conversation) -> tuple[str, ...]:
    """Give what a conversation without a source id was known by when no time of its opening could be read.

    Times in more notations are read than were once; a conversation that was filed without is the same one.
    """
    if conversation.source_id is not None:
        return ()
    opening = conversation.turns[0]
    readers = (conversation.reader, _FORMERLY.get(conversation.reader))
    identities = (_opening(reader, opening, "") for reader in readers if reader)
    return tuple(identity for identity in identities if identity != conversation_identity(conversation))


def _opening(reader: str, turn: Turn, said_at: str) -> str:
    return f"{reader}:~{_digest(turn.role, turn.speaker or '', said_at, turn.content).hex()}"


def is_anonymous(conversation: Conversation) -> bool:
    """Tell whether its source gives no id, so that its opening must stand in."""
    return conversation.source_id is None


def is_distinctive(turn: Turn) -> bool:
    """Tell whether two conversations that open with this turn are likely to be one."""
    return len(turn.content) >= DISTINCTIVE_CHARACTERS


def turn_identities(conversation: Conversation, identity: str) -> list[bytes]:
    """Give each turn's identity, 16 bytes, in order; ``identity`` is the conversation's own, resolved."""
    said: Counter[bytes] = Counter()
    identities = []
    for turn in conversation.turns:
        content = _digest(turn.role, turn.content)
        if turn.source_id is not None:
            scope = conversation.reader if conversation.turn_ids_are_global else identity
            identities.append(_digest(scope, turn.source_id, content.hex()))
        else:
            said[content] += 1
            identities.append(_digest(identity, str(said[content]), content.hex()))
    return identities


def _digest(*parts: str) -> bytes:
    sha = hashlib.blake2b(digest_size=16)
    for part in parts:
        encoded = part.encode("utf-8", "surrogatepass")
        sha.update(len(encoded).to_bytes(8, "big"))
        sha.update(encoded)
    return sha.digest()


def leading_known(identities: Sequence[bytes], known: set[bytes]) -> int:
    """Count how many turns from the first on are known."""
    for count, identity in enumerate(identities):
        if identity not in known:
            return count
    return len(identities)
