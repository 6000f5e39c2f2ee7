"""Keyed hashes of message texts, from which the texts cannot be guessed. Pure.

Anybody who has a plain hash of 16 bytes can test guesses of a secret against it. A hash under the palace's key has 20
bytes, so the two kinds differ in length; it is made from the plain hash, so that old ones can be converted without the
text. Postgres computes the same: ``substring(sha256(uuid_send(palace_key) || plain), 1, 20)``.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from uuid import UUID

PLAIN, HIDDEN = 16, 20
"""Bytes of a plain hash, and of a keyed one."""
_FAMILY = 8
"""Leading bytes that the identities of all versions of a note share."""
_ANONYMOUS = ":~"
"""Separates reader and hash in the identity of a conversation without an id."""


def is_hidden(digest: bytes) -> bool:
    """Check whether a hash is a keyed one."""
    return len(digest) > PLAIN


@dataclass(frozen=True, slots=True)
class Key:
    """The palace's key for hashes, which is part of its exports."""

    palace: UUID = field(repr=False)
    others: tuple[UUID, ...] = field(default=(), repr=False)
    """Keys of other palaces, under which what came from them is hashed."""

    def hide(self, plain: bytes) -> bytes:
        """Return the keyed form of a hash; one that is keyed already is returned unchanged."""
        if is_hidden(plain):
            return plain
        return hashlib.sha256(self.palace.bytes + plain).digest()[:HIDDEN]

    def forms(self, plain: bytes) -> tuple[bytes, ...]:
        """Return the forms in which a hash may be stored: plain, keyed, and under the keys of other palaces."""
        return (plain, self.hide(plain), *(Key(each).hide(plain) for each in self.others))

    def hide_note(self, plain: bytes) -> bytes:
        """Return the keyed form of a note's identity: its leading bytes, and a keyed hash of the rest."""
        return plain if is_hidden(plain) else plain[:_FAMILY] + self.hide(plain)[: HIDDEN - _FAMILY]

    def hide_name(self, name: str) -> str:
        """Return a conversation's identity with any hash of its opening replaced by the keyed one.

        Notes of Palace 0.2 were conversations named by a hash of their text.
        """
        mark = _ANONYMOUS if _ANONYMOUS in name else ":"
        reader, _, rest = name.partition(mark)
        written, number, of_them = rest.partition("#")
        if len(written) != 2 * PLAIN or set(written) - set("0123456789abcdef"):
            return name
        if mark == ":" and reader != "note":
            return name
        return f"{reader}{mark}{self.hide(bytes.fromhex(written)).hex()}{number}{of_them}"


def is_hidden_name(name: str) -> bool:
    """Check whether the identity of a conversation without an id contains a keyed hash."""
    return len(name.partition(_ANONYMOUS)[2].partition("#")[0]) == 2 * HIDDEN


NO_KEY = Key(UUID(int=0))
"""The key for turns that are compared outside of any palace."""
