"""Keys by which programs reach a palace over a server: create, list, rotate, revoke and check them.

A key says which user and which key it is (``pal_12x345_<secret>``), so that it is looked up as that user, under
row-level security; its secret has 256 random bits, so one round of SHA-256 is enough
(docs/decisions/0045-keys-name-their-user.md).
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from palace.db import keys
from palace.db.database import Database, UserSession
from palace.db.grants import StoredGrant, revoke_grants_of_key
from palace.db.projects import name_wings
from palace.errors import BadRequest, NotFound
from palace.models import ApiKey, AuditEntry, KeyGrant, KeyScope, KeyState, NewApiKey, intake
from palace.opened import LONGEST_NAME, Verbs
from palace.operations.moving import known_wing

PREFIX = "pal"
_ID = re.compile(r"([0-9]{1,18})x([0-9]{1,18})", re.ASCII)
_KEY = re.compile(rf"{PREFIX}_({_ID.pattern})_[0-9a-f]{{64}}", re.ASCII)
LONGEST_KEY = 200
"""Characters of what is looked at as a key."""
LONGEST_LABEL = 200
MOST_USERS = 1000
"""Users in the list of a gateway's key."""
LONGEST_DAYS = 3650
NO_DIGEST = bytes(32)
"""Compared where there is no key, so that a wrong key takes the same work as a right one."""


class KeyVerbs(Verbs):
    """Keys by which programs reach this palace over a server."""

    def create(
        self,
        label: str,
        *,
        scopes: Iterable[str] = (KeyScope.READ,),
        wings: Sequence[str] | None = None,
        days: int | None = None,
        users: Sequence[str] | None = None,
        user_prefix: str | None = None,
    ) -> NewApiKey:
        """Create a key; its secret is in the result and nowhere else.

        ``scopes`` are "read", "write", "forget" and "admin"; ``wings`` (names or ``W-042``) are the only ones that it
        reaches; it expires after so many ``days``. With ``users`` or ``user_prefix`` it is a gateway's: it reaches the
        palaces of these users, and of those whose names begin with the prefix, instead of this one.

        Raises:
            BadRequest: an argument is invalid; ``NotFound``: there is no such wing.
        """
        chosen = {intake.choice("a scope", each, KeyScope) for each in intake.texts("scopes", scopes)}
        named = intake.name("label", label) or ""
        if not chosen or not named or len(named) > LONGEST_LABEL:
            raise BadRequest(f"a key has a label of 1 to {LONGEST_LABEL} characters, and a scope at least")
        listed = None if users is None else _users(users)
        if wings is not None and (listed is not None or user_prefix is not None):
            raise BadRequest("a gateway's key reaches whole palaces: name wings, or users")
        if user_prefix is not None and not (intake.name("user_prefix", user_prefix) == user_prefix):
            raise BadRequest("a prefix of users is a beginning of their names, without spaces around it")
        row: dict[str, Any] = {
            "label": named,
            "scopes": [scope.value for scope in KeyScope if scope in chosen],
            "users": listed,
            "user_prefix": user_prefix,
            "expires_at": None if days is None else _now() + timedelta(days=_within("days", days, LONGEST_DAYS)),
        }

        def create(session: UserSession) -> NewApiKey:
            row["wing_ids"] = None if wings is None else _wing_ids(session, wings)
            stored = keys.add_key(session, row | {"digest": NO_DIGEST})
            return self._renew(session, stored, {}, "keys.create")

        return self._opened.run(create)

    def list(self) -> tuple[ApiKey, ...]:
        """List the keys, the oldest first; revoked ones too."""
        return self._opened.run(lambda session: tuple(self._shown(session, each) for each in keys.list_keys(session)))

    def revoke(self, key_id: str) -> ApiKey:
        """Revoke a key at once and for good; a revoked one stays as it is.

        Raises:
            NotFound: there is no such key; ``BadRequest``: this is no key's id.
        """

        def revoke(session: UserSession) -> ApiKey:
            stored = self._get(session, key_id)
            if stored.revoked_at is None:
                keys.change_key(session, stored.id, {"revoked_at": _now()})
                keys.add_audit(session, self._id_of(stored), "keys.revoke", "")
            return self._shown(session, self._get(session, key_id))

        return self._opened.run(revoke)

    def rotate(self, key_id: str, *, hours: int = 0) -> NewApiKey:
        """Give a key another secret; the former one stays valid for so many ``hours``. It signs all browsers out.

        Without ``hours``, as after a leak, the programs that the key let in lose access as well.

        Raises:
            NotFound: there is no such key.
            BadRequest: this is no key's id, or the key is expired or revoked.
        """
        grace = timedelta(hours=_within("hours", hours, LONGEST_DAYS * 24, least=0))

        def rotate(session: UserSession) -> NewApiKey:
            stored, now = self._get(session, key_id), _now()
            if (state := state_of(stored, now)) is not KeyState.VALID:
                raise BadRequest(f"the key {key_id} is {state.value}: create another")
            former = {"former_digest": stored.digest if grace else None, "former_until": now + grace if grace else None}
            keys.delete_sessions_of_key(session, stored.id)
            if not grace:
                revoke_grants_of_key(session, stored.id, now)
            return self._renew(session, stored, former, "keys.rotate")

        return self._opened.run(rotate)

    def audit(self, *, limit: int = 100, since: datetime | None = None) -> tuple[AuditEntry, ...]:
        """List what was done in this palace with keys, and to its keys, the latest first: ids, never text."""
        most, begun = intake.row_count("limit", limit), intake.moment("since", since, self._opened.settings.zone)
        return self._opened.run(lambda session: tuple(keys.list_audit(session, limit=most, since=begun)))

    def enter(self, key_id: str, action: str, target: str = "") -> None:
        """Enter into the log that something was done in this palace with a key, which may be a gateway's."""
        self._opened.database.run(lambda session: keys.add_audit(session, key_id, action, target), flush=False)

    def _renew(self, session: UserSession, stored: keys.StoredKey, beside: dict[str, Any], action: str) -> NewApiKey:
        secret = f"{PREFIX}_{self._id_of(stored)}_{secrets.token_hex(32)}"
        keys.change_key(session, stored.id, {"digest": digest_of(secret), **beside})
        keys.add_audit(session, self._id_of(stored), action, "")
        return NewApiKey(self._shown(session, stored._replace(former_until=beside.get("former_until"))), secret)

    def _id_of(self, stored: keys.StoredKey) -> str:
        return f"{self._opened.database.user_id}x{stored.id}"

    def _get(self, session: UserSession, key_id: str) -> keys.StoredKey:
        found = _ID.fullmatch(intake.text("key_id", key_id).strip())
        if found is None:
            raise BadRequest(f"{key_id!r} is no key's id: it looks like 12x345 (`palace keys list`)")
        is_own = int(found[1]) == session.user_id
        stored = keys.lock_key(session, int(found[2])) if is_own else None
        if stored is None:
            raise NotFound(f"there is no key {key_id.strip()}; `palace keys list` lists them")
        return stored

    def _shown(self, session: UserSession, stored: keys.StoredKey) -> ApiKey:
        ids = stored.wing_ids
        wings = None if ids is None else [wing.name for wing in name_wings(session, ids).values()]
        return ApiKey(
            id=self._id_of(stored),
            label=stored.label,
            scopes=tuple(map(KeyScope, stored.scopes)),
            state=state_of(stored, _now()),
            wings=None if wings is None else tuple(sorted(wings)),
            users=tuple(stored.users or ()),
            user_prefix=stored.user_prefix,
            created_at=stored.created_at,
            expires_at=stored.expires_at,
            revoked_at=stored.revoked_at,
            last_used_at=stored.last_used_at,
            former_until=stored.former_until,
        )


def check_key(database: Database, presented: str) -> KeyGrant | None:
    """Return what a presented key allows; None if it is wrong, expired or revoked, after the same work.

    It is looked up in a transaction of the user that it names, by one statement.
    """
    written = _KEY.fullmatch(presented[:LONGEST_KEY])
    user_id, key_id = (int(written[2]), int(written[3])) if written else (0, 0)
    digest, now = digest_of(presented[:LONGEST_KEY]), _now()

    def check(session: UserSession) -> KeyGrant | None:
        found = keys.find_presented_key(session, key_id)
        current, former = (found[1].digest, found[1].former_digest) if found else (NO_DIGEST, None)
        is_current = hmac.compare_digest(digest, current)
        is_former = hmac.compare_digest(digest, former or NO_DIGEST)
        if found is None:
            return None
        user, stored = found
        in_grace = stored.former_until is not None and now < stored.former_until
        is_known = is_current or (is_former and in_grace)
        if not is_known or state_of(stored, now) is not KeyState.VALID:
            return None
        keys.touch_key(session, stored, now)
        return grant_of(user_id, user, stored)

    return database.of(user_id).run(check, flush=False)


def grant_of(user_id: int, user: str, stored: keys.StoredKey) -> KeyGrant:
    """Return what a stored key of a user allows."""
    return KeyGrant(
        id=f"{user_id}x{stored.id}",
        user=user,
        scopes=tuple(map(KeyScope, stored.scopes)),
        wing_ids=None if stored.wing_ids is None else tuple(stored.wing_ids),
        users=None if stored.users is None else tuple(stored.users),
        user_prefix=stored.user_prefix,
    )


def digest_of(key: str) -> bytes:
    """Return the hash by which a key is stored."""
    return hashlib.sha256(key.encode("utf-8", "surrogatepass")).digest()


def state_of(stored: keys.StoredKey | StoredGrant, now: datetime) -> KeyState:
    """Return whether a key, or a grant, is valid."""
    if stored.revoked_at is not None:
        return KeyState.REVOKED
    is_over = stored.expires_at is not None and stored.expires_at <= now
    return KeyState.EXPIRED if is_over else KeyState.VALID


def _now() -> datetime:
    return datetime.now(UTC)


def _within(name: str, value: int, most: int, *, least: int = 1) -> int:
    number = intake.integer(name, value)
    if not least <= number <= most:
        raise BadRequest(f"{name} must be from {least} to {most:,}, not {number}")
    return number


def _users(users: Sequence[str]) -> list[str]:
    named = [intake.name("a user", each) or "" for each in intake.texts("users", users)]
    if not 1 <= len(named) <= MOST_USERS or any(len(each) > LONGEST_NAME for each in named):
        raise BadRequest(f"a gateway's key names 1 to {MOST_USERS:,} users of at most {LONGEST_NAME} characters each")
    return sorted(set(named))


def _wing_ids(session: UserSession, wings: Sequence[str]) -> list[int]:
    named = intake.texts("wings", wings)
    if not named:
        raise BadRequest("a key for some wings names one at least")
    return sorted({known_wing(session, each) for each in named})
