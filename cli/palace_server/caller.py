"""The caller of a request: its key, the user it acts for, their palace, and the parts of it that the key reaches."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cached_property
from threading import Lock
from typing import Annotated

from anyio.to_thread import run_sync
from fastapi import Depends, Query, Request
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

from palace import KeyGrant, KeyScope, NotFound, Palace, PalaceError, Palaces, Room, Scope, ShownDrawer, Wing
from palace.models.keys import LOCAL_KEY
from palace_server.codes import OneTimeCode
from palace_server.metrics import Metrics
from palace_server.problems import Refused
from palace_server.rates import Rates
from palace_server.running import Running

MOST_PALACES = 256
"""Palaces that stay open, which is cheap; the least recently used are closed."""
HOUR = 3600.0
BEARER = HTTPBearer(auto_error=False, bearerFormat="pal_…", description="A key of `palace keys create`.")
NO_SESSION = "sign in first"
NO_KEY = "a valid key is needed: Authorization: Bearer pal_…"
"""The one answer to a wrong, expired, revoked or missing key."""
UserId = Annotated[
    str | None,
    Query(
        min_length=1,
        max_length=200,
        description="The user it is for: the key's own, or one that a gateway's key covers.",
    ),
]


class Service:
    """The state that all requests share: open palaces, rate limits, metrics, and which reads were logged lately."""

    def __init__(
        self, palaces: Palaces, *, keyless_user: str | None, rate: float, public_url: str | None = None
    ) -> None:
        self.palaces, self.metrics, self.rates = palaces, Metrics(), Rates(rate)
        self.keyless_user = keyless_user
        """The user of requests without a key; None where each needs one."""
        self.opened_user: str | None = None
        """The user whose page is opened by a one-time code; None where each browser signs in with a key."""
        self.code, self.sign_ins = OneTimeCode(), Rates(rate / 10)
        self.public_url = public_url
        """The address of this server for programs that connect by OAuth; None without OAuth."""
        self.running = Running()
        self._lock = Lock()
        self._open: OrderedDict[str, Palace] = OrderedDict()
        self._read: dict[tuple[str, str, str], float] = {}

    def palace(self, user: str) -> Palace:
        """Return a user's palace.

        Raises:
            NotFound: there is no such user.
        """
        with self._lock:
            if user in self._open:
                self._open.move_to_end(user)
                return self._open[user]
        try:
            palace = self.palaces.palace(user, make_user=False)
        except NotFound:
            # The library's message may suggest names of other users.
            raise NotFound("there is no such user") from None
        with self._lock:
            self._open[user] = palace
            if len(self._open) > MOST_PALACES:
                self._open.popitem(last=False)
        return palace

    def is_open(self, user: str) -> bool:
        """Check whether a user's palace is open, which needs no database."""
        with self._lock:
            return user in self._open

    def warm(self) -> None:
        """Load what a recall needs, so that the first request does not wait; a failure is left to that."""
        with suppress(PalaceError):
            self.palace(self.palaces.settings.user).recall("what was said last?")

    @contextmanager
    def filing(self, user: str) -> Iterator[None]:
        """Create the user if needed while a block files for them; a new user is removed if the block files nothing."""
        try:
            with self.palaces.palace(user, make_user=True):
                yield
        except PalaceError:
            with self._lock:
                self._open.pop(user, None)
            raise

    def is_first_of_hour(self, key: str, user: str, action: str) -> bool:
        """Check whether this is the first such read of a palace with a key within the hour, and remember it."""
        now, what = time.monotonic(), (key, user, action)
        with self._lock:
            if now - self._read.get(what, -HOUR) < HOUR:
                return False
            if len(self._read) > MOST_PALACES * 100:
                self._read = {each: at for each, at in self._read.items() if now - at < HOUR}
            self._read[what] = now
        return True

    def grant_of(self, secret: str | None) -> KeyGrant:
        """Return what a key allows, or a request without one.

        Raises:
            Refused: there is none, or it is wrong, expired or revoked.
        """
        if secret is None and self.keyless_user is not None:
            return KeyGrant.of_account(self.keyless_user)
        grant = None if secret is None else self.palaces.check_key(secret)
        if grant is None:
            raise Refused(401, NO_KEY, **{"WWW-Authenticate": "Bearer"})
        return grant

    def grant_of_session(self, secret: str) -> KeyGrant:
        """Return what the session of a browser allows.

        Raises:
            Refused: it is wrong or over, its key is not valid, or it has no key and another server opened it.
        """
        grant = self.palaces.check_session(secret)
        if grant is None or (grant.id == LOCAL_KEY and grant.user != self.opened_user):
            raise Refused(401, NO_SESSION)
        return grant

    def grant_at_mcp(self, secret: str | None) -> KeyGrant:
        """Return what a key or an access token allows at ``/mcp``.

        Raises:
            Refused: as ``grant_of``, with a header that says where to ask for a token.
        """
        url = self.public_url
        grant = None if url is None or secret is None else self.palaces.grants.check(secret, f"{url}/mcp")
        try:
            return grant or self.grant_of(secret)
        except Refused as refused:
            if url is not None:
                metadata = f"{url}/.well-known/oauth-protected-resource/mcp"
                refused.headers["WWW-Authenticate"] = f'Bearer resource_metadata="{metadata}"'
            raise


@dataclass(frozen=True)
class Caller:
    """The key of a request, and the user that it acts for."""

    service: Service
    grant: KeyGrant
    user: str

    @property
    def palace(self) -> Palace:
        """The palace of the user.

        Raises:
            NotFound: there is no such user.
        """
        return self.service.palace(self.user)

    def did(self, action: str, target: str = "") -> None:
        """Enter into the palace's log that something was done."""
        self.palace.keys.enter(self.grant.id, action, target)

    def has_read(self, action: str) -> None:
        """Enter into the palace's log that something was read, once an hour."""
        if self.service.is_first_of_hour(self.grant.id, self.user, action):
            self.did(action)

    @cached_property
    def wings(self) -> tuple[Wing, ...] | None:
        """The only wings that the key reaches, without those that are gone; None for all."""
        ids = self.grant.wing_ids
        return None if ids is None else self.palace.tree.wings(ids=ids, counted=False)

    def scope(self, named: list[str] | None) -> Scope:
        """Return the wings that a request may search: those that it names, else those of the key.

        Raises:
            NotFound: there is no such wing, or the key does not reach it.
        """
        chosen = None if named is None else tuple(self.wing(name).id for name in named)
        return Scope(wing_ids=self.grant.wing_ids if chosen is None else chosen)

    def wing(self, name: str) -> Wing:
        """Return a wing by name or number, if the key reaches it.

        Raises:
            NotFound: there is none, or the key does not reach it.
        """
        with self._confined():
            wing = self.palace.tree.wing(name)
            self._require(wing.id)
        return wing

    def room(self, pointer: str) -> Room:
        """Return a room, if the key reaches it.

        Raises:
            NotFound: there is none, or the key does not reach it.
        """
        with self._confined():
            room = self.palace.tree.room(pointer)
            self._require(room.wing_id)
        return room

    def home(self, named: str | None) -> str | None:
        """Return the wing to file in: the named one, else the first of the key's; None for Palace's own choice.

        Raises:
            NotFound: the key reaches no wing of that name, or none at all.
        """
        if self.wings is None:
            return named
        if named is not None:
            return str(self.wing(named).pointer)
        if not self.wings:
            raise not_there()
        return str(self.wings[0].pointer)

    def drawer(self, pointer: str, *, context: int = 0) -> ShownDrawer:
        """Return a drawer with its neighbours on each side, if the key reaches it.

        Raises:
            NotFound: there is none, or the key does not reach it.
        """
        with self._confined():
            return self.palace.show(pointer, context=context, scope=self.scope(None))

    @contextmanager
    def _confined(self) -> Iterator[None]:
        """Replace NotFound for a key for some wings, so that its message does not tell what is in other wings."""
        try:
            yield
        except NotFound:
            if self.grant.wing_ids is None:
                raise
            raise not_there() from None

    def _require(self, wing_id: int) -> None:
        if self.grant.wing_ids is not None and wing_id not in self.grant.wing_ids:
            raise not_there()

    def require_whole(self) -> None:
        """Refuse a request about the whole palace with a key for some wings.

        Raises:
            Refused: the key is for some wings.
        """
        if self.grant.wing_ids is not None:
            raise Refused(403, "this key is for some wings alone, and this looks at the whole palace")


def allowed(*scopes: KeyScope, whole: bool = False) -> Callable[..., Awaitable[Caller]]:
    """Return the dependency that checks what the key allows: it has one of the scopes, and reaches the named user.

    The key itself was checked before. With ``whole`` a key for some wings is refused. Only what asks the database runs
    in a thread. What reads is entered into the log by its tag and the first word of its operation: "drawers.list".
    """

    async def caller(
        request: Request,
        _credentials: Annotated[HTTPAuthorizationCredentials | None, Depends(BEARER)],
        user_id: UserId = None,
    ) -> Caller:
        service: Service = request.app.state.service
        grant: KeyGrant = request.state.grant
        user = user_of(grant, user_id)
        if not set(scopes) & set(grant.scopes):
            raise Refused(403, f"this key does not allow that: its scopes are {', '.join(grant.scopes)}")
        made = Caller(service, grant, user)
        if whole:
            made.require_whole()
        # Filing creates the user, once the request is known to be valid.
        if scopes != (KeyScope.WRITE,) and not service.is_open(user):
            await run_sync(service.palace, user)
        if KeyScope.READ in scopes:
            route = request.scope["route"]
            verb = route.operation_id.partition("_")[0]
            action = ".".join(dict.fromkeys((route.tags[0], verb)))
            if service.is_first_of_hour(grant.id, user, action):
                await run_sync(made.did, action)
        return made

    return caller


def user_of(grant: KeyGrant, named: str | None) -> str:
    """Return the user that a request is for: the named one, else the key's own.

    Raises:
        Refused: the key does not reach that user, or it is a gateway's and none is named.
    """
    if grant.is_gateways and named is None:
        raise Refused(400, "a gateway's key names the user: ?user_id=NAME")
    user = grant.user if named is None else named
    if not grant.covers(user):
        raise Refused(403, "this key is not for that user")
    return user


def not_there() -> NotFound:
    """Return the one error for what does not exist and what a key for some wings does not reach."""
    return NotFound("there is nothing of that name where this key may look")


Reader = Annotated[Caller, Depends(allowed(KeyScope.READ))]
WholeReader = Annotated[Caller, Depends(allowed(KeyScope.READ, whole=True))]
Writer = Annotated[Caller, Depends(allowed(KeyScope.WRITE))]
Forgetter = Annotated[Caller, Depends(allowed(KeyScope.FORGET))]
Follower = Annotated[Caller, Depends(allowed(KeyScope.READ, KeyScope.WRITE, KeyScope.ADMIN, whole=True))]
"""Whoever may look at background jobs."""
Administrator = Annotated[Caller, Depends(allowed(KeyScope.ADMIN, whole=True))]
