"""Who is let in: programs that name this machine, come from no web page, and show the token."""

from __future__ import annotations

import hmac
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

NAMES = ("127.0.0.1", "localhost", "[::1]")
METHODS = ("GET", "POST", "DELETE")


@dataclass(frozen=True, slots=True)
class Door:
    """Stands in front of an application, whatever path of it is asked for."""

    app: ASGIApp
    hosts: frozenset[str]
    """What a request may call this machine; a web page that had a name lead here asks for another."""
    token: str | None
    """What a request has to show; without one, whoever is on this machine is let in."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request in, or answer it in one line."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
        elif scope["type"] == "http":
            refused = self._refused(scope["method"], _headers(scope["headers"]))
            await (refused or self.app)(scope, receive, send)

    def _refused(self, method: str, headers: Mapping[bytes, Sequence[bytes]]) -> PlainTextResponse | None:
        hosts, origins = headers.get(b"host", ()), headers.get(b"origin", ())
        if len(hosts) != 1 or _text(hosts[0]).lower() not in self.hosts:
            return refusal(421, f"this server answers to {min(self.hosts)} only: Host names another")
        if any(_text(origin).lower().removeprefix("http://") not in self.hosts for origin in origins):
            return refusal(403, "this server is not for web pages of other places: Origin names one")
        if self.token is not None and not self._is_shown(headers.get(b"authorization", ())):
            told = "the token is missing or wrong: send Authorization: Bearer TOKEN (palace mcp --show-token)"
            return refusal(401, told, {"WWW-Authenticate": "Bearer"})
        if method not in METHODS:
            # The protocol's own library would begin a session for it first.
            return refusal(405, f"there is {', '.join(METHODS)} here", {"Allow": ", ".join(METHODS)})
        return None

    def _is_shown(self, shown: Sequence[bytes]) -> bool:
        wanted = (self.token or "").encode()
        scheme, _, token = shown[0].partition(b" ") if len(shown) == 1 else (b"", b"", b"")
        return hmac.compare_digest(token.strip(), wanted) and scheme.lower() == b"bearer"


def hosts_at(port: int) -> frozenset[str]:
    """List what requests may call a server on a port of this machine."""
    return frozenset(f"{name}:{port}" for name in NAMES)


def _headers(listed: Sequence[tuple[bytes, bytes]]) -> Mapping[bytes, Sequence[bytes]]:
    found: dict[bytes, list[bytes]] = {}
    for name, value in listed:
        found.setdefault(name.lower(), []).append(value)
    return found


def _text(value: bytes) -> str:
    return value.decode("latin-1")


def refusal(status: int, told: str, headers: Mapping[str, str] | None = None) -> PlainTextResponse:
    """Answer a request that is not passed on."""
    # Whoever is not let in keeps no connection either.
    return PlainTextResponse(f"{told}\n", status, headers={"Connection": "close", **(headers or {})})
