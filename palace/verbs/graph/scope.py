"""The conversations that a person means by a place."""

from __future__ import annotations

from palace.errors import BadRequest, NotFound
from palace.intake import given
from palace.opened import OpenPalace
from palace.store.drawers import find_conversation_of
from palace.store.filing.rebuilding import list_conversations
from palace.text.pointers import is_pointer
from palace.verbs.tree import TreeVerbs


def conversations_of(opened: OpenPalace, conversation: str | None, wing: str | None) -> frozenset[int] | None:
    """List the conversations that a room or a drawer is of, or that have a room in a wing; None where none is named.

    Raises:
        BadRequest: both are named; NotFound: there is no such place.
    """
    place, wing = given.optional_text("conversation", conversation), given.optional_text("wing", wing)
    if place is not None and wing is not None:
        raise BadRequest("name a conversation or a wing, not both")
    tree = TreeVerbs(opened)
    if wing is not None:
        wing_id = tree.wing(wing).id
        return frozenset(opened.run(lambda session: list_conversations(session, wing_id)))
    if place is None:
        return None
    room = tree.room(place.strip().rpartition("/")[0] if is_pointer(place) else place)
    found = opened.run(lambda session: find_conversation_of(session, room_id=room.id))
    if found is None:
        raise NotFound(f"there is no conversation at {place.strip()}")
    return frozenset((found,))
