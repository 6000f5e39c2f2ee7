"""Programs that registered themselves: their ids contain the registration, signed, so that none is stored."""

from __future__ import annotations

import base64
import hmac
import json
import re
import secrets
from functools import cached_property
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from mcp.server.auth.provider import RegistrationError
from mcp.shared.auth import OAuthClientInformationFull

from palace_mcp.http.token import token_of
from palace_mcp.tools.tool import one_line

FILE = "serve.secret"
"""The file in the home folder with the secret that signs."""
LONGEST_URI = 500
MOST_URIS = 10
LONGEST_NAME = 100
LONGEST_ID = 4000
LOOPBACK = ("127.0.0.1", "localhost", "::1")
RUN_BY_BROWSERS = ("http", "javascript", "data", "file", "blob")
"""Schemes of addresses that a browser opens or runs itself; of other schemes it opens a program."""
_HOST = re.compile(r"[a-z0-9_.:-]+", re.ASCII)
"""A name of a host, which the page of consent puts into its policy."""


class Signed:
    """Signs texts that come back from others, with the secret of this home folder."""

    def __init__(self, home: Path) -> None:
        self._home = home

    @cached_property
    def _secret(self) -> bytes:
        return token_of(self._home, None, FILE).encode()

    def mac(self, purpose: str, text: str) -> str:
        """Return the signature of a text for a purpose, in hexadecimal digits."""
        return hmac.new(self._secret, f"{purpose}\0{text}".encode(), "sha256").hexdigest()

    def write(self, purpose: str, content: Any) -> str:
        """Return a signed text with JSON in it, for URLs."""
        text = base64.urlsafe_b64encode(json.dumps(content, separators=(",", ":")).encode()).decode().rstrip("=")
        return f"{text}.{self.mac(purpose, text)}"

    def read(self, purpose: str, written: str) -> Any:
        """Return the JSON in a signed text; None where it was not signed here for the purpose."""
        text, _, mac = written.partition(".")
        if not hmac.compare_digest(mac.encode("utf-8", "replace"), self.mac(purpose, text).encode()):
            return None
        return json.loads(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)))


class Clients:
    """Registers programs, and finds them again by their ids."""

    def __init__(self, signed: Signed) -> None:
        self._signed = signed

    def register(self, client: OAuthClientInformationFull) -> None:
        """Give a program its id and, where it wants one, its secret.

        Raises:
            RegistrationError: it says too much, or names a redirect address that is none.
        """
        uris = [str(uri) for uri in client.redirect_uris or ()]
        if len(uris) > MOST_URIS or not all(map(_is_allowed, uris)):
            allowed = "https, http on this machine, or a scheme of the program's own, without a fragment"
            raise RegistrationError("invalid_redirect_uri", f"1 to {MOST_URIS} redirect addresses: {allowed}")
        name = one_line(client.client_name or "")[:LONGEST_NAME] or "a program without a name"
        method = client.token_endpoint_auth_method
        # With something random: else whoever registers the same gets the same secret.
        said = [name, uris, method, client.grant_types, client.scope, secrets.token_hex(8)]
        client.client_id = self._signed.write("client", said)
        if len(client.client_id) > LONGEST_ID:
            raise RegistrationError("invalid_client_metadata", "this is too much to register")
        client.client_name = name
        client.client_secret = self._secret_of(client.client_id, method)

    def find(self, client_id: str) -> OAuthClientInformationFull | None:
        """Return a program by its id; None where it is no id of this server."""
        said = self._signed.read("client", client_id)
        if said is None:
            return None
        name, uris, method, grants, scope = said[:5]
        return OAuthClientInformationFull(
            client_id=client_id,
            client_name=name,
            redirect_uris=uris,
            token_endpoint_auth_method=method,
            grant_types=grants,
            scope=scope,
            client_secret=self._secret_of(client_id, method),
        )

    def _secret_of(self, client_id: str, method: str | None) -> str | None:
        return None if method == "none" else self._signed.mac("secret", client_id)


def _is_allowed(uri: str) -> bool:
    if len(uri) > LONGEST_URI or "#" in uri:
        return False
    parts = urlsplit(uri)
    if parts.username or parts.password:
        return False
    if parts.scheme == "http":
        return parts.hostname in LOOPBACK
    if parts.scheme == "https":
        return _HOST.fullmatch(parts.hostname or "") is not None
    return parts.scheme not in RUN_BY_BROWSERS
