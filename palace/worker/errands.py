"""What a job does: the same index steps that the command line does, for one user."""

from __future__ import annotations

from palace.errors import NotFound
from palace.mining.index import do_pending
from palace.opened import Fittings, OpenPalace


def index(fittings: Fittings, user_id: int, conversation_id: int | None, *, asked: bool) -> tuple[str, ...]:
    """Do the index steps that are pending for a conversation of a user's, or for all; name those that still are.

    ``asked`` tries what failed too often before. A user or conversation that is gone leaves nothing to do.
    """
    fittings.database.check_schema()
    try:
        opened = OpenPalace.of_id(fittings, user_id)
    except NotFound:
        return ()
    conversations = None if conversation_id is None else [conversation_id]
    left = do_pending(opened.work_without_model(), conversations, asked=asked)
    opened.index_if_large()
    return left
