"""Hashes under a palace's key, which tell nobody what was said. Pure.

A plain hash of 16 bytes lets whoever has it try what a secret was. Under the key it has 20 bytes, so that it tells of
itself which it is; and since it is made of the plain one, what was filed plainly becomes it without being read again.
Postgres makes the same: ``substring(sha256(uuid_send(palace_key) || plain), 1, 20)``.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from uuid import UUID

PLAIN, HIDDEN = 16, 20
"""Bytes of a plain hash, and of one under the key."""
_FAMILY = 8
"""Bytes that the identities of all versions of a note begin with."""
_ANONYMOUS = ":~"
"""What stands between reader and hash in the identity of a conversation without an id."""


def is_hidden(digest: bytes) -> bool:
    """Check whether a hash was made under a key."""
    return len(digest) > PLAIN


@dataclass(frozen=True, slots=True)
class Key:
    """What a palace hides hashes with: its own key, which its exports bring along."""

    palace: UUID = field(repr=False)

    def hide(self, plain: bytes) -> bytes:
        """Return a hash under the key; one that is under it stays as it is."""
        if is_hidden(plain):
            return plain
        return hashlib.sha256(self.palace.bytes + plain).digest()[:HIDDEN]

    def forms(self, plain: bytes) -> tuple[bytes, bytes]:
        """Return the two forms in which a hash may be stored."""
        return plain, self.hide(plain)

    def hide_note(self, plain: bytes) -> bytes:
        """Return a note's identity under the key: what all versions of the note begin with, and a hash of the rest."""
        return plain if is_hidden(plain) else plain[:_FAMILY] + self.hide(plain)[: HIDDEN - _FAMILY]

    def hide_name(self, name: str) -> str:
        """Return a conversation's identity without a hash of its opening in it, where it has one; else as it is.

        Notes of Palace 0.2 were conversations called by a hash of their words.
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
    """Check whether the identity of a conversation without an id hides its opening."""
    return len(name.partition(_ANONYMOUS)[2].partition("#")[0]) == 2 * HIDDEN


NO_KEY = Key(UUID(int=0))
"""That of what is no palace: turns that are compared by themselves."""
