"""Sessions of browsers that signed in to a server: start, check and end them.

Like a key, a session's secret says which user and which session it is, so that it is looked up as that user
(docs/decisions/0045-keys-name-their-user.md).
"""

from __future__ import annotations

import hmac
import re
import secrets
from datetime import UTC, datetime, timedelta

from palace.db import keys
from palace.db.database import Database, UserSession
from palace.errors import BadRequest
from palace.models import KeyGrant, KeyState
from palace.models.keys import LOCAL_KEY
from palace.opened import get_user
from palace.operations.keys import NO_DIGEST, digest_of, grant_of, state_of

_SECRET = re.compile(r"pas_([0-9]{1,18})x([0-9]{1,18})_[0-9a-f]{64}", re.ASCII)
LONGEST_SECRET = 200
LASTS = timedelta(days=14)
LASTS_WITHOUT_KEY = timedelta(days=1)


def start_session(database: Database, grant: KeyGrant) -> str:
    """Store a session of a browser that signed in, and return its secret, which is stored nowhere.

    Raises:
        BadRequest: the key is a gateway's; ``NotFound``: there is no such user.
    """
    if grant.is_gateways:
        raise BadRequest("a gateway's key is for programs: sign in with a key of your own palace")
    user_id = get_user(database, grant.user)
    is_local = grant.id == LOCAL_KEY
    values = {
        "digest": NO_DIGEST,
        "key_id": None if is_local else int(grant.id.partition("x")[2]),
        "expires_at": datetime.now(UTC) + (LASTS_WITHOUT_KEY if is_local else LASTS),
    }

    def start(session: UserSession) -> str:
        number = keys.add_session(session, values)
        secret = f"pas_{user_id}x{number}_{secrets.token_hex(32)}"
        keys.change_session(session, number, {"digest": digest_of(secret)})
        keys.add_audit(session, grant.id, "sessions.start", "")
        return secret

    return database.of(user_id).run(start)


def check_session(database: Database, secret: str) -> KeyGrant | None:
    """Return what a session allows; None if it is wrong or over, or its key is not valid, after the same work."""
    user_id, number = _numbers(secret)
    digest, now = digest_of(secret[:LONGEST_SECRET]), datetime.now(UTC)

    def check(session: UserSession) -> KeyGrant | None:
        found = keys.find_presented_session(session, number)
        is_known = hmac.compare_digest(digest, found[1].digest if found else NO_DIGEST)
        if found is None or not is_known:
            return None
        user, stored, key = found
        if stored.expires_at <= now:
            return None
        if stored.key_id is None:
            return KeyGrant.of_account(user)
        if key is None or state_of(key, now) is not KeyState.VALID:
            return None
        keys.touch_key(session, key, now)
        return grant_of(user_id, user, key)

    return database.of(user_id).run(check, flush=False)


def end_session(database: Database, secret: str) -> None:
    """Delete a session, if it is one."""
    if (grant := check_session(database, secret)) is None:
        return
    user_id, number = _numbers(secret)

    def end(session: UserSession) -> None:
        keys.delete_session(session, number)
        keys.add_audit(session, grant.id, "sessions.end", "")

    database.of(user_id).run(end)


def _numbers(secret: str) -> tuple[int, int]:
    written = _SECRET.fullmatch(secret[:LONGEST_SECRET])
    return (int(written[1]), int(written[2])) if written else (0, 0)
