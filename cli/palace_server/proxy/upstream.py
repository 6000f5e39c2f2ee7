"""The provider that requests are passed on to: its address, its key, and which headers go there and back.

The transport is used without httpx's client, which keeps cookies, and reads proxies and passwords from the environment.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from urllib.parse import urlsplit

import httpx
from starlette.datastructures import Headers

from palace.errors import BadRequest

PALACE_KEY = "x-palace-key"
OURS = "x-palace-"
VERSION = "/v1"
LIMITS = httpx.Limits(max_connections=1000, max_keepalive_connections=20)
KEY_PREFIX = "pal_"
_A_KEY = re.compile(rb"\bpal_\w+_[0-9a-f]{32}")
CONNECT_SECONDS, SILENT_SECONDS = 10.0, 600.0
"""Seconds to connect, and for the provider to send nothing."""
_OF_CONNECTION = {"connection", "keep-alive", "te", "trailer", "transfer-encoding", "upgrade", "proxy-connection"}
_OF_CONNECTION |= {"proxy-authenticate", "proxy-authorization"}
_NOT_SENT = _OF_CONNECTION | {"host", "content-length", "cookie", "accept-encoding", "expect", "origin", "referer"}
_NOT_RETURNED = _OF_CONNECTION | {"set-cookie", "date"}
Pairs = list[tuple[bytes, bytes]]


@dataclass(frozen=True, slots=True)
class Upstream:
    """The one provider that a server passes requests on to."""

    url: str
    """Its address, to the version of its API."""
    key: str | None = field(default=None, repr=False)
    """Its key, for requests that bring none of their own."""
    transport: httpx.AsyncHTTPTransport = field(
        default_factory=lambda: httpx.AsyncHTTPTransport(limits=LIMITS), repr=False
    )

    @classmethod
    def of(cls, url: str, key: str | None = None) -> Upstream:
        """Return the provider at an address; without a path it is that of version 1.

        Raises:
            BadRequest: it is no address of HTTP, or has more than a path.
        """
        try:
            parts = urlsplit(url)
            is_address = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
        except ValueError:
            is_address = False
        if not is_address or set("?#@") & set(url) or not url.isprintable():
            raise BadRequest("--proxy takes the address of a provider's API: https://api.openai.com/v1")
        base = url.rstrip("/")
        return cls(base if parts.path.strip("/") else f"{base}{VERSION}", key)

    async def send(self, method: str, path: str, query: str, headers: Pairs, content: bytes) -> httpx.Response:
        """Send a request, and return the response once its headers are here.

        Raises:
            httpx.HTTPError: it cannot be reached.
        """
        seconds = {"connect": CONNECT_SECONDS, "read": SILENT_SECONDS, "write": SILENT_SECONDS, "pool": CONNECT_SECONDS}
        request = httpx.Request(
            method,
            self.url + path.removeprefix(VERSION) + (f"?{query}" if query else ""),
            headers=headers,
            content=content,
            extensions={"timeout": seconds},
        )
        return await self.transport.handle_async_request(request)

    def headers_to(self, headers: Headers, *, has_key_header: bool) -> Pairs:
        """Return the headers of a request to pass on, with the provider's key instead of one of Palace's."""
        sent = [*_without(headers.raw, _NOT_SENT), (b"accept-encoding", b"identity")]
        own = {"x-api-key", "authorization"} & {name for name in headers if not is_palace_key(headers, name)}
        sent = [
            (name, value)
            for name, value in sent
            if name.decode("latin-1") not in {"x-api-key", "authorization"} - own and not _A_KEY.search(value)
        ]
        if self.key is not None and not own:
            name, value = ("x-api-key", self.key) if has_key_header else ("authorization", f"Bearer {self.key}")
            sent.append((name.encode(), value.encode()))
        return sent

    @staticmethod
    def headers_from(response: httpx.Response) -> Pairs:
        """Return the headers of a response to pass on."""
        return _without(((name.lower(), value) for name, value in response.headers.raw), _NOT_RETURNED)


def palace_key(headers: Headers) -> str | None:
    """Return Palace's key among the headers of a request."""
    found = headers.get(PALACE_KEY)
    names = (name for name in ("authorization", "x-api-key") if is_palace_key(headers, name))
    return found or next((_secret(headers[name]) for name in names), None)


def is_palace_key(headers: Headers, name: str) -> bool:
    """Check whether a header has a key of Palace."""
    return any(_secret(value).startswith(KEY_PREFIX) for value in headers.getlist(name))


def _secret(value: str) -> str:
    scheme, *secret = value.split(None, 1)[:2] or [""]
    return "".join(secret).strip() if scheme.lower() == "bearer" else value.strip()


def _without(headers: Iterable[tuple[bytes, bytes]], left_out: set[str]) -> Pairs:
    pairs = list(headers)
    named = {
        each.strip().lower()
        for name, value in pairs
        if name == b"connection"
        for each in value.decode("latin-1").split(",")
    }
    return [
        (name, value)
        for name, value in pairs
        if (text := name.decode("latin-1")) not in left_out | named and not text.startswith(OURS)
    ]
