"""The page where a person allows a program to use the palace."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from urllib.parse import urlsplit

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from mcp.server.auth.provider import construct_redirect_uri
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from palace import BadRequest, KeyScope
from palace_server.caller import Service
from palace_server.problems import Refused
from palace_server.remote.oauth import CONSENT, Pending, Provider

MEANINGS = {
    KeyScope.READ: "read what you and your assistants said",
    KeyScope.WRITE: "remember new things for you",
    KeyScope.FORGET: "forget what you ask it to forget",
}
HEADERS = {"Cache-Control": "no-store", "Referrer-Policy": "no-referrer", "X-Content-Type-Options": "nosniff"}


class Consent:
    """Shows what a program asks for, and carries out what the person decides."""

    def __init__(self, provider: Provider, service: Service) -> None:
        self._provider, self._service = provider, service
        templates = FileSystemLoader(Path(__file__).parent.parent / "templates")
        self._templates = Environment(loader=templates, autoescape=True, undefined=StrictUndefined)

    def routes(self) -> list[Route]:
        """Return the routes of the page."""
        return [Route(CONSENT, self.show, methods=["GET"]), Route(CONSENT, self.decide, methods=["POST"])]

    async def show(self, request: Request) -> Response:
        """Show what a program asks for."""
        return self._page(request.query_params.get("request", ""))

    async def decide(self, request: Request) -> Response:
        """Send the person back to the program: with a code, or with an error if they refused."""
        form = await request.form()
        written = str(form.get("request", ""))
        pending = self._provider.pending(written)
        if pending is None:
            return self._page(written)
        if form.get("decision") != "allow":
            return self._back(pending, error="access_denied")
        chosen = tuple(scope for scope in pending.request.scopes if scope in form.getlist("scope"))
        try:
            key = await self._provider.in_thread(self._service.grant_of, str(form.get("key", "")).strip())
            asked = replace(pending.request, scopes=chosen)
            code = await self._provider.in_thread(self._provider.grants.allow, key, asked)
        except Refused:
            return self._page(written, "This is no valid key.", 403)
        except BadRequest:
            return self._page(written, "This key allows nothing of that, or is a gateway's.", 403)
        return self._back(pending, code=code)

    def _back(self, pending: Pending, **answer: str) -> Response:
        answer |= {"iss": self._provider.issuer} | ({} if pending.state is None else {"state": pending.state})
        return RedirectResponse(construct_redirect_uri(pending.request.redirect_uri, **answer), 303, HEADERS)

    def _page(self, written: str, error: str = "", status: int = 200) -> Response:
        pending = self._provider.pending(written)
        asked = pending.request if pending else None
        parts = urlsplit(asked.redirect_uri if asked else "")
        target = f"{parts.scheme}://{parts.netloc}" if parts.netloc else f"{parts.scheme}:"
        text = self._templates.get_template("consent.html").render(
            asked=asked,
            target=target,
            error=error,
            request=written,
            meanings=MEANINGS,
        )
        # A browser checks where a form leads to after the redirect as well.
        allowed = f"'self' {target if parts.scheme in ('http', 'https') else f'{parts.scheme}:'}" if asked else "'none'"
        policy = f"default-src 'none'; style-src 'unsafe-inline'; form-action {allowed}; " + (
            "frame-ancestors 'none'; base-uri 'none'"
        )
        return HTMLResponse(text, status if asked else 400, {**HEADERS, "Content-Security-Policy": policy})
