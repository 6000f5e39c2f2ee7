"""Maps identities of another palace's conversations to this one's. Pure.

Most identities are hashes of the text and the same everywhere, with two exceptions: a turn with a secret is hashed
under its palace's key, and one without an id depends on its conversation, which may have another name here.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from uuid import UUID

from palace.models.external_keys import PLAIN, Key, is_hidden
from palace.models.lines import DrawerLine, ExportedConversation, Here, Home

Names = dict[bytes, bytes]
"""Identities here by those in the file, where they differ."""


def hidden_names(conversation: ExportedConversation, here: Sequence[Here], *, own: Key, theirs: Key) -> Names:
    """Map drawers and tombstones of a file to those here with another hash, because one of the two is under a key.

    If both are under keys, only their remaining texts can be compared; a tombstone has none, so it matches whatever is
    at its position.
    """
    known = {each.identity for each in here}
    by_their_hash = {
        form: each.identity
        for each in here
        if not is_hidden(each.identity)
        for form in (theirs.hide(each.identity), theirs.hide_note(each.identity))
    }
    kept = _HashedDrawers(here)
    names: Names = {}
    for identity in _identities(conversation):
        if identity in known:
            continue
        forms = () if is_hidden(identity) else (own.hide(identity), own.hide_note(identity))
        found = next((form for form in forms if form in known), by_their_hash.get(identity))
        if found is not None:
            names[identity] = found
    for line in conversation.drawers:
        if is_hidden(line.identity) and line.identity not in known and line.identity not in names:
            found = kept.take(line)
            if found is not None:
                names[line.identity] = found
    return names


class _HashedDrawers:
    """Drawers and tombstones here that are hashed under the palace's key; each is matched once."""

    def __init__(self, here: Sequence[Here]) -> None:
        self._drawers: dict[object, list[bytes]] = defaultdict(list)
        self._graves: dict[int, list[bytes]] = defaultdict(list)
        for each in reversed([each for each in here if is_hidden(each.identity)]):
            if each.is_forgotten:
                self._graves[each.position].append(each.identity)
            else:
                self._drawers[each.role, each.said_at, each.content].append(each.identity)

    def take(self, line: DrawerLine) -> bytes | None:
        alike = self._drawers[line.role.value, line.said_at, line.content] or self._graves[line.position]
        return alike.pop() if alike else None


def free_names(
    conversation: ExportedConversation,
    matched: Mapping[bytes, bytes],
    homes: Mapping[bytes, Home],
    *,
    here: str,
    palace: UUID,
) -> Names:
    """Assign the turns of a conversation without an id their identities here.

    ``matched`` are the turns shared with the conversation ``here``. Of the others, one whose identity is taken by
    another turn gets a derived one, the same each time. Forgotten turns keep their identity, in any conversation.
    """
    taken = set(matched.values())
    names: Names = {theirs: here for theirs, here in matched.items() if theirs != here}
    for identity in _identities(conversation):
        if identity in matched:
            continue
        home = homes.get(identity)
        is_there = home is not None and home.conversation == here
        if identity in taken or (home is not None and home.is_filed and not is_there):
            names[identity] = other_name(identity, palace)
    return names


def other_name(identity: bytes, palace: UUID) -> bytes:
    """Return a derived identity for a turn of another palace whose own identity is taken here."""
    return hashlib.blake2b(palace.bytes + identity, digest_size=PLAIN, person=b"palace-joined").digest()


def renamed(conversation: ExportedConversation, names: Mapping[bytes, bytes]) -> ExportedConversation:
    """Return a conversation with the identities that its drawers have here."""

    def name(identity: bytes | None) -> bytes | None:
        return None if identity is None else names.get(identity, identity)

    return replace(
        conversation,
        drawers=tuple(
            replace(
                line,
                identity=names.get(line.identity, line.identity),
                replaced_by=name(line.replaced_by),
                answers=name(line.answers),
            )
            for line in conversation.drawers
        ),
        tombstones=tuple(
            replace(line, identity=names.get(line.identity, line.identity), restored_by=None)
            for line in conversation.tombstones
            if line.restored_by is None
        ),
        replies=tuple(
            replace(line, drawers=tuple(names.get(each, each) for each in line.drawers))
            for line in conversation.replies
        ),
    )


def _identities(conversation: ExportedConversation) -> Iterator[bytes]:
    lines: Iterable[DrawerLine] = conversation.drawers
    yield from (line.identity for line in lines)
    yield from (line.identity for line in conversation.tombstones)
