"""Keys by which programs reach a palace over a server, and the log of what was done with them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Self

LOCAL_KEY = "local"
"""The id in the log of a program of the same account, which needs no key."""


class KeyScope(StrEnum):
    """What a key allows."""

    READ = "read"
    """Recall, and looking at drawers, entities and relations."""
    WRITE = "write"
    """Filing conversations and notes."""
    FORGET = "forget"
    """Forgetting drawers and restoring them."""
    ADMIN = "admin"
    """Exporting the palace, and its background jobs."""


class KeyState(StrEnum):
    """Whether a key is valid."""

    VALID = "valid"
    EXPIRED = "expired"
    REVOKED = "revoked"


@dataclass(frozen=True, slots=True)
class ApiKey:
    """A key, without its secret."""

    id: str
    """The part of the key between its first two underscores."""
    label: str
    scopes: tuple[KeyScope, ...]
    state: KeyState
    wings: tuple[str, ...] | None
    """Names of the only wings that it reaches; None for all. A deleted wing is left out."""
    users: tuple[str, ...]
    """A gateway's key: the only users that it may name; empty for one that reaches its own user."""
    user_prefix: str | None
    """A gateway's key: it may name the users whose names begin with this."""
    created_at: datetime
    expires_at: datetime | None
    revoked_at: datetime | None
    last_used_at: datetime | None
    """When it was last used, at most an hour too early."""
    former_until: datetime | None
    """Until then the secret before the last rotation is valid too."""


@dataclass(frozen=True, slots=True)
class NewApiKey:
    """A new or rotated key, with the secret that is shown this once."""

    key: ApiKey
    secret: str = field(repr=False)
    """The whole key, as programs send it."""


@dataclass(frozen=True, slots=True)
class KeyGrant:
    """What a valid key allows, and whom it is from."""

    id: str
    user: str
    """The user that the key belongs to."""
    scopes: tuple[KeyScope, ...]
    wing_ids: tuple[int, ...] | None = None
    """Ids of the only wings that it reaches; None for all."""
    users: tuple[str, ...] | None = None
    user_prefix: str | None = None

    @classmethod
    def of_account(cls, user: str) -> Self:
        """Return what the account that serves the palace may do, without a key: everything."""
        return cls(LOCAL_KEY, user, tuple(KeyScope))

    @property
    def is_gateways(self) -> bool:
        """Whether it is a gateway's: its requests name the user they are for."""
        return self.users is not None or self.user_prefix is not None

    def covers(self, user: str) -> bool:
        """Check whether it may act for a user: its own, or for a gateway's key one of its list or prefix."""
        if not self.is_gateways:
            return user == self.user
        is_listed = self.users is not None and user in self.users
        return is_listed or (self.user_prefix is not None and user.startswith(self.user_prefix))


@dataclass(frozen=True, slots=True)
class AppGrant:
    """What a person allowed a program to do by OAuth, without its tokens."""

    id: str
    client: str
    """What the program calls itself."""
    redirect_uri: str
    """The address of the program to which the person was redirected after consenting."""
    resource: str
    """The URL of the server that its tokens are for."""
    scopes: tuple[KeyScope, ...]
    key: str
    """The id of the key that the person consented with; the grant ends with it."""
    state: KeyState
    created_at: datetime
    expires_at: datetime
    """When it ends unless the program renews its tokens."""
    revoked_at: datetime | None
    last_used_at: datetime | None


@dataclass(frozen=True, slots=True)
class AppRequest:
    """What a program asks a person for by OAuth."""

    client_id: str
    client_name: str
    redirect_uri: str
    resource: str
    scopes: tuple[KeyScope, ...]
    code_challenge: str


@dataclass(frozen=True, slots=True)
class AppTokens:
    """The tokens of a grant."""

    access: str = field(repr=False)
    refresh: str = field(repr=False)
    seconds: int
    """How long the access token is valid."""
    scopes: tuple[KeyScope, ...]


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """One thing that was done with a key, or to a key."""

    id: int
    happened_at: datetime
    key: str
    """The id of the key, which may be a gateway's of another user."""
    action: str
    """What was done: "drawers.forget", "recall" …; reading is entered once an hour for each key."""
    target: str
    """A pointer or a number; "" where there is no single one."""


@dataclass(frozen=True, slots=True)
class StoredAnswer:
    """The answer to a request that is to be carried out once: ids, never text."""

    status: int
    """The HTTP status."""
    body: Mapping[str, object]
