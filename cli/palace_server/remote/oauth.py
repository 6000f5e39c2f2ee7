"""OAuth 2.1 for ``/mcp``: the provider behind the routes of the protocol's library (docs/decisions/0048-oauth.md)."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from anyio import CapacityLimiter
from anyio.to_thread import run_sync
from mcp.server.auth.provider import (
    AccessToken,
    AuthorizationCode,
    AuthorizationParams,
    AuthorizeError,
    OAuthAuthorizationServerProvider,
    RefreshToken,
    RegistrationError,
    TokenError,
)
from mcp.server.auth.routes import create_auth_routes, create_protected_resource_routes
from mcp.server.auth.settings import ClientRegistrationOptions, RevocationOptions
from mcp.shared.auth import OAuthClientInformationFull, OAuthToken
from pydantic import AnyHttpUrl, AnyUrl, ConfigDict, TypeAdapter
from starlette.routing import Route

from palace import AppRequest, AppTokens, KeyScope, Palaces
from palace.operations.grants import Grants
from palace_server.rates import Rates
from palace_server.remote.clients import Clients, Signed

SCOPES = [KeyScope.READ.value, KeyScope.WRITE.value, KeyScope.FORGET.value]
CONSENT = "/consent"
REQUEST_SECONDS = 600
"""Seconds for a person to decide."""
REGISTRATIONS = 10.0
"""Programs that may register in a second, of all together, and twice as many at once."""
LONGEST_REQUEST = 7800
"""So that a browser which has to sign in first is led back to it."""
THREADS = 3
"""Threads for requests of programs that show no key."""

_URL = TypeAdapter(AnyHttpUrl, config=ConfigDict(url_preserve_empty_path=True))
"""Programs compare the server's name as it is written, without a slash at its end."""
Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Pending:
    """What a program asks for, and where its answer goes."""

    request: AppRequest
    state: str | None


class Provider(OAuthAuthorizationServerProvider[AuthorizationCode, RefreshToken, AccessToken]):
    """Codes and tokens of the palaces' users, for one server."""

    def __init__(self, palaces: Palaces, issuer: str) -> None:
        self.issuer, self.resource = issuer, f"{issuer}/mcp"
        self.grants: Grants = palaces.grants
        self._signed = Signed(palaces.settings.home_folder)
        self._clients = Clients(self._signed)
        self._registrations = Rates(REGISTRATIONS)
        self._threads = CapacityLimiter(THREADS)

    def routes(self) -> list[Route]:
        """Return the routes of the protocol's library."""
        address, resource = map(_URL.validate_python, (self.issuer, self.resource))
        registration = ClientRegistrationOptions(enabled=True, valid_scopes=SCOPES, default_scopes=SCOPES)
        return [
            *create_auth_routes(
                self,
                address,
                client_registration_options=registration,
                revocation_options=RevocationOptions(enabled=True),
            ),
            *create_protected_resource_routes(resource, [address], SCOPES, "Palace"),
        ]

    async def in_thread(self, work: Callable[..., Result], *arguments: Any) -> Result:
        """Do some work in one of few threads, so that checks of keys do not wait."""
        return await run_sync(work, *arguments, limiter=self._threads)

    async def get_client(self, client_id: str) -> OAuthClientInformationFull | None:
        """Return a registered program."""
        return await self.in_thread(self._clients.find, client_id)

    async def register_client(self, client_info: OAuthClientInformationFull) -> None:
        """Register a program: nothing is stored, and nothing fetched from its addresses.

        Raises:
            RegistrationError: its redirect addresses are refused, or too many register.
        """
        if not self._registrations.allow(""):
            raise RegistrationError("invalid_client_metadata", "too many programs register at once: try again")
        await self.in_thread(self._clients.register, client_info)

    async def authorize(self, client: OAuthClientInformationFull, params: AuthorizationParams) -> str:
        """Return the address of the page where a person decides.

        Raises:
            AuthorizeError: the request is for another server, or incomplete.
        """
        if params.resource not in (None, self.resource):
            raise AuthorizeError("invalid_target", f"this server is {self.resource}")
        if not params.redirect_uri_provided_explicitly:
            raise AuthorizeError("invalid_request", "redirect_uri is missing")
        asked = [params.scopes or SCOPES, str(params.redirect_uri), params.code_challenge, params.state]
        until = int(time.time()) + REQUEST_SECONDS
        written = self._signed.write("request", [until, client.client_id, *asked])
        if len(written) > LONGEST_REQUEST:
            raise AuthorizeError("invalid_request", "state or code_challenge is too long")
        return f"{self.issuer}{CONSENT}?request={written}"

    def pending(self, written: str) -> Pending | None:
        """Return the request that ``authorize`` signed; None if it did not, or if it has expired."""
        said = self._signed.read("request", written)
        if said is None or said[0] < time.time():
            return None
        _, client_id, scopes, uri, challenge, state = said
        client = self._clients.find(client_id)
        name = (client and client.client_name) or ""
        wanted = tuple(scope for scope in KeyScope if scope in scopes)
        return Pending(AppRequest(client_id, name, uri, self.resource, wanted, challenge), state)

    async def load_authorization_code(
        self, client: OAuthClientInformationFull, authorization_code: str
    ) -> AuthorizationCode | None:
        """Return what a code stands for."""
        found = await self.in_thread(self.grants.find_code, authorization_code, client.client_id)
        if found is None:
            return None
        asked, until = found
        return AuthorizationCode(
            code=authorization_code,
            scopes=list(asked.scopes),
            expires_at=until.timestamp(),
            client_id=client.client_id,
            code_challenge=asked.code_challenge,
            redirect_uri=AnyUrl(asked.redirect_uri),
            redirect_uri_provided_explicitly=True,
            resource=asked.resource,
        )

    async def exchange_authorization_code(
        self, client: OAuthClientInformationFull, authorization_code: AuthorizationCode
    ) -> OAuthToken:
        """Spend a code."""
        return _answer(await self.in_thread(self.grants.exchange_code, authorization_code.code, client.client_id))

    async def load_refresh_token(self, client: OAuthClientInformationFull, refresh_token: str) -> RefreshToken | None:
        """Return what a token stands for; an access token is only revoked, not renewed."""
        found = await self.in_thread(self.grants.find_refresh, refresh_token, client.client_id)
        if found is None:
            return None
        asked, until = found
        return RefreshToken(
            token=refresh_token,
            client_id=client.client_id,
            scopes=list(asked.scopes),
            expires_at=int(until.timestamp()),
            resource=asked.resource,
        )

    async def exchange_refresh_token(
        self, client: OAuthClientInformationFull, refresh_token: RefreshToken, _scopes: list[str]
    ) -> OAuthToken:
        """Spend a refresh token; the next ones have all scopes of the grant, whatever was asked."""
        return _answer(await self.in_thread(self.grants.renew, refresh_token.token, client.client_id))

    async def load_access_token(self, _token: str) -> AccessToken | None:
        """Return nothing: access tokens are checked where keys are, and revoked as refresh tokens are."""
        return None

    async def revoke_token(self, token: AccessToken | RefreshToken) -> None:
        """Revoke the grant of a token."""
        await self.in_thread(self.grants.revoke, token.token, token.client_id)


def _answer(tokens: AppTokens | None) -> OAuthToken:
    if tokens is None:
        raise TokenError("invalid_grant", "it is spent or revoked")
    return OAuthToken(
        access_token=tokens.access,
        refresh_token=tokens.refresh,
        expires_in=tokens.seconds,
        scope=" ".join(tokens.scopes),
    )
