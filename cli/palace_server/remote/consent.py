"""The page where a person allows a program to use the palace."""

from __future__ import annotations

from dataclasses import replace
from urllib.parse import urlsplit

from fastapi import Request
from mcp.server.auth.provider import construct_redirect_uri
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from palace import KeyGrant, KeyScope
from palace.models.keys import LOCAL_KEY
from palace_server.caller import Service
from palace_server.page.rendering import PageRoute, page
from palace_server.page.signing import SignedForm
from palace_server.problems import Refused
from palace_server.remote.oauth import CONSENT, Pending, Provider
from palace_server.sessions import require_session

MEANINGS = {
    KeyScope.READ: "read what you and your assistants said",
    KeyScope.WRITE: "remember new things for you",
    KeyScope.FORGET: "forget what you ask it to forget",
}
LONGEST_NAME = 80
HEADERS = {"Cache-Control": "no-store", "Referrer-Policy": "no-referrer", "X-Content-Type-Options": "nosniff"}


class Consent:
    """Shows what a program asks for, and carries out what the person decides."""

    def __init__(self, provider: Provider) -> None:
        self._provider = provider

    def routes(self) -> list[Route]:
        """Return the routes of the page."""
        return [
            PageRoute(CONSENT, self.show, methods=["GET"], include_in_schema=False),
            PageRoute(CONSENT, self.decide, methods=["POST"], include_in_schema=False),
        ]

    def show(self, http: Request, request: str = "") -> Response:
        """Show what a program asks for."""
        require_session(http)
        asked = self._pending(request).request
        parts = urlsplit(asked.redirect_uri)
        target = f"{parts.scheme}://{parts.netloc}" if parts.netloc else f"{parts.scheme}:"
        # A browser checks where a form leads to after the redirect as well.
        leads_to = target if parts.scheme in ("http", "https") else f"{parts.scheme}:"
        return page(
            http, "consent.html", leads_to=leads_to, asked=asked, meanings=MEANINGS, target=target, written=request
        )

    def decide(self, http: Request, form: SignedForm) -> Response:
        """Send the person back to the program: with a code, or with the word that it was refused."""
        grant = require_session(http).grant
        pending = self._pending(form.get("request", ""))
        answer = {"iss": self._provider.issuer} | ({} if pending.state is None else {"state": pending.state})
        if form.get("decision") == "allow":
            chosen = tuple(scope for scope in pending.request.scopes if scope in form.getlist("scope"))
            if grant.id == LOCAL_KEY:
                grant = self._key_for(http, grant, pending.request.client_name, chosen)
            answer["code"] = self._provider.grants.allow(grant, replace(pending.request, scopes=chosen))
        else:
            answer["error"] = "access_denied"
        return RedirectResponse(construct_redirect_uri(pending.request.redirect_uri, **answer), 303, HEADERS)

    def _key_for(self, http: Request, account: KeyGrant, name: str, scopes: tuple[KeyScope, ...]) -> KeyGrant:
        """Create a key of the account for one program, which depends on it; nobody gets its secret."""
        service: Service = http.app.state.service
        label = f"{name[:LONGEST_NAME]} (OAuth)".strip()
        made = service.palace(account.user).keys.create(label, scopes=scopes)
        return KeyGrant(made.key.id, account.user, scopes)

    def _pending(self, written: str) -> Pending:
        pending = self._provider.pending(written)
        if pending is None:
            raise Refused(400, "this request is over: begin again in the program that sent you here")
        return pending
