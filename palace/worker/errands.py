"""What a job does: the same index steps that the command line does, for one user."""

from __future__ import annotations

from palace.errors import NotFound
from palace.mining.index import do_pending
from palace.mining.steps.extraction import EXTRACTION
from palace.opened import Fittings, OpenPalace
from palace.store.database import UserSession
from palace.store.filing.steps import has_outdated
from palace.store.queue.jobs import enqueue_index
from palace.store.users import get_name


def index(fittings: Fittings, user_id: int, conversation_id: int | None, *, asked: bool) -> tuple[str, ...]:
    """Do the index steps that are pending for a conversation of a user's, or for all; name those that still are.

    ``asked`` tries what failed too often before. A user or conversation that is gone leaves nothing to do.
    """
    fittings.database.check_schema()
    try:
        opened = _open_by_id(fittings, user_id)
    except NotFound:
        return ()
    conversations = None if conversation_id is None else [conversation_id]
    left = do_pending(opened.work_without_model(), conversations, asked=asked)
    opened.index_if_large()
    opened.run(_enqueue_outdated)
    return left


def _enqueue_outdated(session: UserSession) -> None:
    """Have what an older version read read again: nobody files it anew, so no other job comes for it."""
    if has_outdated(session, EXTRACTION):
        enqueue_index(session, None)


def _open_by_id(fittings: Fittings, user_id: int) -> OpenPalace:
    """Open the palace of a user who is known by number alone.

    Raises:
        NotFound: there is no such user any more.
    """
    name = get_name(fittings.database, user_id)
    person = fittings.settings.person if name == fittings.settings.user else None
    return OpenPalace.of(fittings, user=name, make_user=False, person=person)
