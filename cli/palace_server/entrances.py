"""Where requests come in: how those below a path show who they are from, and how large they may be."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field

from starlette.datastructures import Headers

from palace import KeyGrant
from palace_server.caller import Service
from palace_server.checks import KeyChecks

LARGEST_BODY = 1 << 20
"""Bytes of a request's body, at most."""
LARGEST_OF_CONVERSATIONS = 8 << 20
LARGEST_OF_MCP = 4 << 20
PUBLIC = ("/healthz", "/readyz", "/openapi.json")
"""Paths that need no key; their requests have no body."""


@dataclass(frozen=True, slots=True)
class Entrance:
    """The paths that a request may come in by, and the check of who it is from."""

    paths: tuple[str, ...]
    """The paths, and with a slash at their end everything below them."""
    grant_of: Callable[[Headers], Awaitable[KeyGrant | None]]
    """Returns what a request may do, by its headers; None for anybody's. Raises ``Refused``."""
    largest: int = LARGEST_BODY
    larger: Mapping[str, int] = field(default_factory=dict)
    """Other limits, by path."""

    def leads_to(self, path: str) -> bool:
        """Check whether a path is one of these."""
        return any(path == each or (each.endswith("/") and path.startswith(each)) for each in self.paths)

    def largest_body(self, path: str) -> int:
        """Return how many bytes a request's body may have."""
        return self.larger.get(path, self.largest)


async def anybody(_: Headers) -> None:
    """Let everybody in."""


def entrances_of(service: Service, *further: Callable[[KeyChecks], Entrance]) -> tuple[Entrance, ...]:
    """Return the entrances of a server; the first that leads to a path is used, and the last leads to every path."""
    checks = KeyChecks(service)
    return (
        Entrance(PUBLIC, anybody, largest=0),
        Entrance(("/mcp",), checks.grant_of, largest=LARGEST_OF_MCP),
        *(make(checks) for make in further),
        Entrance(("/",), checks.grant_of, larger={"/v1/conversations": LARGEST_OF_CONVERSATIONS}),
    )
