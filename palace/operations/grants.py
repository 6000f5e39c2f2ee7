"""What people let programs do by OAuth: codes, access and refresh tokens, of which hashes are stored.

A code or token says which user and which grant it is (``pal_12g7_<secret>``), and is looked up as keys are
(docs/decisions/0048-oauth.md).
"""

from __future__ import annotations

import hmac
import re
import secrets
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import TypeVar

from palace.db import grants, keys
from palace.db.database import Database, UserSession
from palace.errors import BadRequest, NotFound
from palace.models import AppGrant, AppRequest, AppTokens, KeyGrant, KeyScope, KeyState, intake
from palace.opened import Verbs
from palace.operations.keys import LONGEST_KEY, NO_DIGEST, PREFIX, digest_of, state_of

Result = TypeVar("Result")
Check = Callable[[grants.StoredGrant, str], bool | None]
"""Checks a code or token: True if it is valid, None if it is spent."""
CODE = timedelta(seconds=60)
"""How long a code may be exchanged for tokens."""
ACCESS = timedelta(hours=1)
REFRESH = timedelta(days=60)
"""How long a grant lasts whose tokens are not renewed."""
_ID = re.compile(r"([0-9]{1,18})g([0-9]{1,18})", re.ASCII)
_TOKEN = re.compile(rf"{PREFIX}_{_ID.pattern}_([0-9a-f]{{64}})", re.ASCII)
_FAMILY = 32
"""Digits of a refresh token that all of its grant share, by which a spent one is told from a guess."""


class GrantVerbs(Verbs):
    """What programs may do in this palace by OAuth."""

    def list(self) -> tuple[AppGrant, ...]:
        """List the grants, oldest first; revoked ones too, until they expire."""
        user_id = self._opened.database.user_id
        return self._opened.run(lambda session: tuple(_shown(user_id, each) for each in grants.list_grants(session)))

    def revoke(self, grant_id: str) -> AppGrant:
        """Revoke a grant at once and for good; one that is revoked already stays as it is.

        Raises:
            NotFound: there is no such grant; ``BadRequest``: this is no grant's id.
        """
        found = _ID.fullmatch(intake.text("grant_id", grant_id).strip())
        if found is None:
            raise BadRequest(f"{grant_id!r} is no grant's id: it looks like 12g345 (`palace keys grants`)")

        def revoke(session: UserSession) -> AppGrant:
            is_own = int(found[1]) == session.user_id
            stored = grants.find_grant(session, int(found[2]), locks=True) if is_own else None
            if stored is None:
                raise NotFound(f"there is no grant {grant_id.strip()}; `palace keys grants` lists them")
            if stored.revoked_at is None:
                _revoke(session, stored)
                stored = grants.find_grant(session, stored.id) or stored
            return _shown(session.user_id, stored)

        return self._opened.run(revoke)


class Grants:
    """Codes and tokens of programs, of all users of a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def allow(self, key: KeyGrant, asked: AppRequest) -> str:
        """Store what the owner of a key allows a program, and return the code for it.

        Raises:
            BadRequest: the key is a gateway's, or allows nothing of what is asked.
        """
        user_id, key_id = map(int, key.id.split("x"))
        scopes = [scope.value for scope in asked.scopes if scope in key.scopes and scope != KeyScope.ADMIN]
        if key.is_gateways or not scopes:
            raise BadRequest("this key cannot let a program in: it is a gateway's, or its scopes allow nothing of that")
        secret, moment = secrets.token_hex(32), datetime.now(UTC)
        row = {
            "key_id": key_id,
            "client": digest_of(asked.client_id),
            "client_name": asked.client_name,
            "redirect_uri": asked.redirect_uri,
            "resource": asked.resource,
            "scopes": scopes,
            "code_digest": digest_of(secret),
            "code_challenge": asked.code_challenge,
            "expires_at": moment + CODE,
        }

        def allow(session: UserSession) -> str:
            grant = f"{user_id}g{grants.add_grant(session, row)}"
            keys.add_audit(session, key.id, "grants.create", grant)
            return f"{PREFIX}_{grant}_{secret}"

        return self._database.of(user_id).run(allow)

    def find_code(self, code: str, client_id: str) -> tuple[AppRequest, datetime] | None:
        """Return what a code stands for, and when it expires; None if it is wrong, spent or another program's.

        A spent one revokes the grant.
        """
        return self._with_grant(code, client_id, _check_code, lambda _, stored, __: _asked(stored, client_id))

    def exchange_code(self, code: str, client_id: str) -> AppTokens | None:
        """Spend a code and return the first tokens; None as in ``find_code``."""
        return self._with_grant(code, client_id, _check_code, _issue)

    def find_refresh(self, token: str, client_id: str) -> tuple[AppRequest, datetime] | None:
        """Return what a token stands for, and when it expires; None if it is wrong, spent or another program's.

        A spent one revokes the grant. An access token is found too, which ``revoke`` takes and ``renew`` does not.
        """
        return self._with_grant(token, client_id, _check_any, lambda _, stored, __: _asked(stored, client_id))

    def renew(self, token: str, client_id: str) -> AppTokens | None:
        """Spend a refresh token and return the next tokens; None as in ``find_refresh``."""
        return self._with_grant(token, client_id, _check_refresh, _issue)

    def check(self, token: str, resource: str) -> KeyGrant | None:
        """Return what an access token for a server allows; None if it is wrong, expired, revoked or for another."""
        user_id, grant_id, secret = _parse(token)
        if not secret:
            return None
        moment = datetime.now(UTC)

        def check(session: UserSession) -> KeyGrant | None:
            stored = grants.find_grant(session, grant_id)
            is_right = _is(secret, stored.access_digest if stored else None)
            if stored is None or stored.access_until is None or _state(stored) is not KeyState.VALID:
                return None
            if not is_right or stored.access_until <= moment or stored.resource != resource:
                return None
            grants.touch_grant(session, stored, moment)
            wings = stored.key_wing_ids
            return KeyGrant(
                id=f"{user_id}g{stored.id}",
                user=stored.user,
                scopes=tuple(KeyScope(scope) for scope in stored.scopes if scope in stored.key_scopes),
                wing_ids=None if wings is None else tuple(wings),
            )

        return self._database.of(user_id).run(check, flush=False)

    def revoke(self, token: str, client_id: str) -> None:
        """Revoke the grant of a program's token; anything else changes nothing."""
        self._with_grant(token, client_id, _check_any, lambda session, stored, _: _revoke(session, stored))

    def _with_grant(
        self, token: str, client_id: str, check: Check, work: Callable[[UserSession, grants.StoredGrant, str], Result]
    ) -> Result | None:
        """Do some work on the grant of a valid code or token of a program; revoke that of a spent one."""
        user_id, grant_id, secret = _parse(token)

        def checked(session: UserSession) -> Result | None:
            stored = grants.find_grant(session, grant_id, locks=True)
            if stored is None or _state(stored) is not KeyState.VALID or not _is(client_id, stored.client):
                return None
            is_valid = check(stored, secret)
            if is_valid is None:
                _revoke(session, stored)
            return work(session, stored, secret) if is_valid else None

        return self._database.of(user_id).run(checked)


def _check_code(stored: grants.StoredGrant, secret: str) -> bool | None:
    if not _is(secret, stored.code_digest):
        return False
    return None if stored.access_digest else True


def _check_refresh(stored: grants.StoredGrant, secret: str) -> bool | None:
    is_current, is_ours = _is(secret, stored.refresh_digest), _is(secret[:_FAMILY], stored.family_digest)
    return True if is_current else None if is_ours else False


def _check_any(stored: grants.StoredGrant, secret: str) -> bool | None:
    return _is(secret, stored.access_digest) or _check_refresh(stored, secret)


def _issue(session: UserSession, stored: grants.StoredGrant, secret: str) -> AppTokens:
    """Replace the tokens of a grant; refresh tokens begin as the one before, whose secret is given."""
    family = secret[:_FAMILY] if stored.family_digest else secrets.token_hex(_FAMILY // 2)
    access, moment = secrets.token_hex(32), datetime.now(UTC)
    refresh = family + secrets.token_hex(32 - _FAMILY // 2)
    values = {
        "family_digest": digest_of(family),
        "refresh_digest": digest_of(refresh),
        "access_digest": digest_of(access),
        "access_until": moment + ACCESS,
        "expires_at": moment + REFRESH,
    }
    grants.change_grant(session, stored.id, values)
    head = f"{PREFIX}_{session.user_id}g{stored.id}_"
    seconds = int(ACCESS.total_seconds())
    return AppTokens(head + access, head + refresh, seconds, tuple(map(KeyScope, stored.scopes)))


def _revoke(session: UserSession, stored: grants.StoredGrant) -> None:
    grants.change_grant(session, stored.id, {"revoked_at": datetime.now(UTC)})
    keys.add_audit(session, f"{session.user_id}x{stored.key_id}", "grants.revoke", f"{session.user_id}g{stored.id}")


def _asked(stored: grants.StoredGrant, client_id: str) -> tuple[AppRequest, datetime]:
    scopes = tuple(map(KeyScope, stored.scopes))
    of = (stored.client_name, stored.redirect_uri, stored.resource, scopes, stored.code_challenge)
    return AppRequest(client_id, *of), stored.expires_at


def _state(stored: grants.StoredGrant) -> KeyState:
    """Return the state of a grant, which ends with its key."""
    return state_of(stored, datetime.now(UTC)) if stored.is_key_valid else KeyState.REVOKED


def _shown(user_id: int, stored: grants.StoredGrant) -> AppGrant:
    return AppGrant(
        id=f"{user_id}g{stored.id}",
        client=stored.client_name,
        redirect_uri=stored.redirect_uri,
        resource=stored.resource,
        scopes=tuple(map(KeyScope, stored.scopes)),
        key=f"{user_id}x{stored.key_id}",
        state=_state(stored),
        created_at=stored.created_at,
        expires_at=stored.expires_at,
        revoked_at=stored.revoked_at,
        last_used_at=stored.last_used_at,
    )


def _parse(token: str) -> tuple[int, int, str]:
    """Return the numbers of user and grant in a code or token, and its secret; zeros where it is malformed."""
    written = _TOKEN.fullmatch(token[:LONGEST_KEY])
    return (int(written[1]), int(written[2]), written[3]) if written else (0, 0, "")


def _is(secret: str, digest: bytes | None) -> bool:
    return hmac.compare_digest(digest_of(secret), digest or NO_DIGEST)
