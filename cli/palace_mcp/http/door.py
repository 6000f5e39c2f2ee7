"""Which HTTP requests are let in: those that name this machine, come from no web page, and show the token."""

from __future__ import annotations

import hmac
from dataclasses import dataclass

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

NAMES = ("127.0.0.1", "localhost", "[::1]")
METHODS = ("GET", "POST", "DELETE")
RESUMED = b"last-event-id"
"""What a client that lost its stream asks to have repeated; nothing is kept for that, so it gets a new stream."""


@dataclass(frozen=True, slots=True)
class Door:
    """Stands in front of an application, whatever path of it is asked for."""

    app: ASGIApp
    port: int
    token: str | None
    """What a request has to show; without one, whoever is on this machine is let in."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        refused = self._refuse(scope) if scope["type"] == "http" else None
        headers = [each for each in scope.get("headers", ()) if each[0] != RESUMED]
        await (refused or self.app)({**scope, "headers": headers}, receive, send)

    def _refuse(self, scope: Scope) -> PlainTextResponse | None:
        """Return the answer to a request that is not let in. A web page that had its name lead here names another."""
        headers, hosts = Headers(scope=scope), hosts_at(self.port)
        if [host.lower() in hosts for host in headers.getlist("host")] != [True]:
            return _refusal(421, f"this server answers to {hosts[0]} only: Host names another")
        if any(origin.lower().removeprefix("http://") not in hosts for origin in headers.getlist("origin")):
            return _refusal(403, "this server is not for web pages of other places: Origin names one")
        if self.token is not None and not self._is_shown(headers.getlist("authorization")):
            told = "the token is missing or wrong: send Authorization: Bearer TOKEN (palace mcp --show-token)"
            return _refusal(401, told, {"WWW-Authenticate": "Bearer"})
        if scope["method"] not in METHODS:
            return _refusal(405, "there is no such method here", {"Allow": ", ".join(METHODS)})
        return None

    def _is_shown(self, shown: list[str]) -> bool:
        scheme, _, token = shown[0].partition(" ") if len(shown) == 1 else ("", "", "")
        is_same = hmac.compare_digest(token.strip().encode("latin-1"), (self.token or "").encode())
        return is_same and scheme.lower() == "bearer"


def hosts_at(port: int) -> list[str]:
    """List what requests may call a server on a port of this machine."""
    return [f"{name}:{port}" for name in NAMES]


def _refusal(status: int, told: str, headers: dict[str, str] | None = None) -> PlainTextResponse:
    # Whoever is not let in keeps no connection either.
    return PlainTextResponse(f"{told}\n", status, headers={"Connection": "close", **(headers or {})})
