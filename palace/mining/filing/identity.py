"""Identities of conversations and turns, by which they are recognised when read again.

A conversation is identified by its source's id, else by its content (see ``evidence``), its identity then being only a
name. A turn is identified by message id and content; without an id by its content and position (see ``plan``), its
identity then counting earlier turns of the same content. Paths never count. Identities cover the content before
redaction, so changed rules file nothing twice; those of redacted turns are hidden under the palace's key (see
``palace.models.external_keys``), and both forms are looked up.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from datetime import UTC

from palace.mining.redaction import Redactor
from palace.models import Conversation, Role, Turn
from palace.models.external_keys import Key, is_hidden_name
from palace.models.intake import bounded_id, repair


def conversation_identity(conversation: Conversation) -> str:
    """Return a conversation's identity: reader and source id, or without an id a name derived from its first turn."""
    if conversation.source_id is not None:
        return f"{conversation.reader}:{bounded_id(conversation.source_id)}"
    return _named_after(conversation.reader, conversation.turns[0])


def _named_after(reader: str, opening: Turn) -> str:
    said_at = opening.said_at.astimezone(UTC).isoformat() if opening.said_at else ""
    return f"{reader}:~{_digest(opening.role, opening.speaker or '', said_at, opening.content).hex()}"


def scopes_of(identity: str, turns: Sequence[Turn], key: Key) -> tuple[str, ...]:
    """Return the identities that turns without ids may be filed under: the conversation's own, and its former one.

    The former one precedes the hiding of its opening, and counts only if the turns begin with that opening.
    """
    if not is_hidden_name(identity) or not turns:
        return (identity,)
    opening = _named_after(identity.partition(":~")[0], turns[0])
    name, number, of_them = identity.partition("#")
    return (identity, f"{opening}{number}{of_them}") if key.hide_name(opening) == name else (identity,)


def is_anonymous(conversation: Conversation) -> bool:
    """Check whether the source gives the conversation no id, so that it is identified by its content."""
    return conversation.source_id is None


def content_digest(content: str) -> bytes:
    """Return the first 16 bytes of the SHA-256 of content as it is stored, which Postgres can compute as well."""
    return hashlib.sha256(repair(content)[0].encode()).digest()[:16]


def identity_by_id(conversation: Conversation, identity: str, turn: Turn) -> bytes:
    """Return the identity of a turn with a message id; ``identity`` is the conversation's."""
    assert turn.source_id is not None
    return _in_scope(conversation.reader if conversation.turn_ids_are_global else identity, turn)


def _in_scope(scope: str, turn: Turn) -> bytes:
    return _digest(scope, turn.source_id or "", _digest(turn.role, turn.content).hex())


def identity_by_count(identity: str, turn: Turn, count: int) -> bytes:
    """Return the identity of the ``count``-th turn (from 1) with the same role and content."""
    return _digest(identity, str(count), _digest(turn.role, turn.content).hex())


def possible_identities(identity: str, turn: Turn, most: int) -> Iterator[bytes]:
    """Yield the identities that a turn of a conversation without an id may have, in any role.

    They are that of its message id, if any, and those of up to ``most`` equal turns.
    """
    for role in (turn.role, *(role for role in Role if role is not turn.role)):
        if turn.source_id is not None:
            yield _in_scope(identity, replace(turn, role=role))
        for count in range(1, most + 1):
            yield identity_by_count(identity, replace(turn, role=role), count)


def identities_by_id(conversation: Conversation, identity: str, turn: Turn) -> Iterator[bytes]:
    """Yield the identity of a turn with an id, then those that it would have in other roles."""
    for role in (turn.role, *(role for role in Role if role is not turn.role)):
        yield identity_by_id(conversation, identity, replace(turn, role=role))


def identity_of_reading(known: bytes, turn: Turn) -> bytes:
    """Return the identity of a turn that is filed again because its reading has improved."""
    said_at = turn.said_at.astimezone(UTC).isoformat() if turn.said_at else ""
    return _digest("reading", known.hex(), turn.role, turn.speaker or "", said_at)


def _digest(*parts: str) -> bytes:
    sha = hashlib.blake2b(digest_size=16)
    for part in parts:
        encoded = part.encode("utf-8", "surrogatepass")
        sha.update(len(encoded).to_bytes(8, "big"))
        sha.update(encoded)
    return sha.digest()


MOST_COUNTS = 20
"""How many equal forgotten turns are tried for a turn that is filed again."""


class Names:
    """A generator of identities for the turns without ids of one conversation, in order."""

    def __init__(
        self, conversation: Conversation, identity: str, redactor: Redactor, taken: AbstractSet[bytes]
    ) -> None:
        self._redactor, self._taken = redactor, taken
        self._scopes = scopes_of(identity, conversation.turns, redactor.key)
        self._given: Counter[tuple[str, str]] = Counter()

    def fresh(self, turn: Turn, buried: set[bytes]) -> bytes:
        """Return the next identity that is free or belongs to a forgotten turn with the same content."""
        said = (turn.role, turn.content)
        while True:
            self._given[said] += 1
            plain = [identity_by_count(scope, turn, self._given[said]) for scope in self._scopes]
            forms = [form for name in plain for form in self._redactor.key.forms(name)]
            known = next((form for form in forms if form in buried), None)
            if known is not None:
                return known
            if self._taken.isdisjoint(forms):
                return self._redactor.key.hide(plain[0]) if self._redactor.hides(turn.content) else plain[0]


def names_of(conversation: Conversation, identity: str, given: Iterable[int], key: Key) -> set[bytes]:
    """Return all identities under which some turns of a conversation may have been forgotten."""
    turns = conversation.turns
    found: set[bytes] = set()
    for turn in (turns[index] for index in given):
        for scope in scopes_of(identity, turns, key):
            if turn.source_id is None:
                plain = possible_identities(scope, turn, min(len(turns), MOST_COUNTS))
            else:
                plain = identities_by_id(conversation, scope, turn)
            found.update(form for name in plain for form in key.forms(name))
    return found
