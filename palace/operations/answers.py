"""Answers to requests with an idempotency key, stored so that a repeated request gets the same one."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime, timedelta

from palace.db import keys
from palace.db.database import UserSession
from palace.db.users import get_palace_key
from palace.errors import AnotherRequest, StillRunning
from palace.models import StoredAnswer
from palace.models.external_keys import Key
from palace.opened import Verbs

KEPT = timedelta(days=1)
"""How long an answer is kept."""
ABANDONED = timedelta(seconds=30)
"""A request without an answer that was not renewed for so long is one whose program was killed; it may be repeated."""


class AnswerVerbs(Verbs):
    """Answers to repeated requests; they must hold ids and no text, because they outlive what is forgotten."""

    def begin(self, name: str, request: bytes) -> StoredAnswer | None:
        """Reserve the place of an answer and return None, or return the answer to the same request before.

        ``name`` identifies the request among the user's; ``request`` is its content, of which a keyed hash is stored.

        Raises:
            AnotherRequest: another request had this name; ``StillRunning``: the same one is still carried out.
        """
        place, expires_at = _hash(name.encode()), datetime.now(UTC) + KEPT

        def begin(session: UserSession) -> StoredAnswer | None:
            digest = Key(get_palace_key(session)).hide(_hash(request)[:16])
            found = keys.begin_answer(session, place, digest, expires_at, ABANDONED)
            if found is None:
                return None
            if found.request != digest:
                raise AnotherRequest("this Idempotency-Key was sent with another request")
            if found.status is None:
                raise StillRunning("the same request is being carried out: ask again in a moment")
            return StoredAnswer(found.status, found.answer)

        return self._opened.database.run(begin)

    def renew(self, name: str) -> None:
        """Keep the place of a request that is still carried out; to be called more often than ``ABANDONED``."""
        place = _hash(name.encode())
        self._opened.database.run(lambda session: keys.renew_answer(session, place), flush=False)

    def end(self, name: str, answer: StoredAnswer | None) -> None:
        """Store the answer in its place; None frees the place, so that the request can be repeated."""
        place = _hash(name.encode())

        def end(session: UserSession) -> None:
            if answer is None:
                keys.drop_answer(session, place)
            else:
                keys.end_answer(session, place, answer.status, answer.body)

        self._opened.database.run(end)


def _hash(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()
