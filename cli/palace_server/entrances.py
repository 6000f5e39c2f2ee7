"""Entrances: how the requests to a group of paths are authenticated, and how large they may be."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from starlette.datastructures import Headers

from palace import KeyGrant
from palace_server.caller import Service
from palace_server.checks import KeyChecks

LARGEST_BODY = 1 << 20
"""Bytes of a request's body, at most."""
LARGEST_OF_CONVERSATIONS = 8 << 20
LARGEST_OF_MCP = 4 << 20
PAGE = ("/", "/consent", "/palace/", "/sign-in", "/sign-out", "/static/")
"""Paths of the page, where a browser shows its session."""
PUBLIC = ("/healthz", "/readyz", "/openapi.json")
"""Paths that need no key; their requests have no body."""
OAUTH = ("/.well-known/", "/authorize", "/register", "/revoke", "/token")
"""Paths of OAuth, used before a program has a token."""
LARGEST_OF_OAUTH = 64 << 10


@dataclass(frozen=True, slots=True)
class Entrance:
    """A group of paths whose requests are authenticated in the same way."""

    paths: tuple[str, ...]
    """The paths, and with a slash at their end, "/" itself excepted, everything below them."""
    grant_of: Callable[[Headers], Awaitable[KeyGrant | None]]
    """Returns what the headers of a request allow it to do; None on paths open to all. Raises ``Refused``."""
    largest: int = LARGEST_BODY
    keeps_bodies: bool = False
    """Whether a request's body stays in memory until its answer ends."""
    is_for_files: bool = False
    """Whether a page that was opened from a file, whose ``Origin`` is null, may send requests here."""
    larger: Mapping[str, int] = field(default_factory=dict)
    """Other limits, by path."""
    members_of: Callable[[str, Headers, int, str, str], dict[str, Any]] | None = None
    """Returns members that clients expect in a problem: by path and headers of the request, status, detail and code."""

    def leads_to(self, path: str) -> bool:
        """Check whether a path is one of these."""
        return any(
            path == each or (len(each) > 1 and each.endswith("/") and path.startswith(each)) for each in self.paths
        )

    def largest_body(self, path: str) -> int:
        """Return how many bytes a request's body may have."""
        return self.larger.get(path, self.largest)


async def anybody(_: Headers) -> None:
    """Accept every request."""


def entrances_of(service: Service, *further: Callable[[KeyChecks], Entrance]) -> tuple[Entrance, ...]:
    """Return the entrances of a server; the first that leads to a path is used, and the last leads to every path."""
    checks, at_mcp = KeyChecks(service, service.grant_of), KeyChecks(service, service.grant_at_mcp)
    return (
        Entrance(PUBLIC, anybody, largest=0),
        Entrance(OAUTH, anybody, largest=LARGEST_OF_OAUTH),
        Entrance(("/mcp",), at_mcp.grant_of, largest=LARGEST_OF_MCP),
        *(make(checks) for make in further),
        Entrance(("/open",), anybody, is_for_files=True),
        Entrance(PAGE, checks.grant_of_session),
        Entrance((), checks.grant_of, larger={"/v1/conversations": LARGEST_OF_CONVERSATIONS}),
    )
