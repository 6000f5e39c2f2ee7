"""Templates, their headers, and errors for people to read."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Coroutine
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

from fastapi import Request
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.responses import HTMLResponse, RedirectResponse, Response

from palace import PalaceError
from palace_server.problems import Refused, status_and_detail
from palace_server.sessions import SignInNeeded, session_of

HERE = Path(__file__).parent / "templates"
POLICY = (
    "default-src 'none'; style-src 'self'; img-src 'self' data:; form-action 'self'{}; base-uri 'none';"
    " frame-ancestors 'none'"
)


class PageRoute(APIRoute):
    """A route whose errors are pages, and which sends to the sign-in whoever is not signed in."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """Return the route's handler."""
        handle = super().get_route_handler()

        async def handling(request: Request) -> Response:
            try:
                return await handle(request)
            except SignInNeeded as needed:
                there = "/sign-in" if needed.return_to == "/" else f"/sign-in?return_to={quote(needed.return_to)}"
                return RedirectResponse(there, 303)
            except RequestValidationError:
                return page(request, "error.html", status=400, detail="this address is not valid")
            except (PalaceError, Refused) as failure:
                status, detail = status_and_detail(failure)
                return page(request, "error.html", status=status, detail=detail)

        return handling


def page(request: Request, template: str, *, status: int = 200, leads_to: str = "", **values: Any) -> HTMLResponse:
    """Render a template; ``leads_to`` is the origin of another site that its form may lead to."""
    session = session_of(request)
    text = templates().get_template(template).render(session=session, status=status, style=style()[1], **values)
    policy = POLICY.format(f" {leads_to}" if leads_to else "")
    headers = {"Content-Security-Policy": policy, "Cache-Control": "no-store"}
    return HTMLResponse(text, status, headers | ALWAYS)


ALWAYS = {"X-Content-Type-Options": "nosniff", "Referrer-Policy": "same-origin"}


@cache
def templates() -> Environment:
    """Return the templates; whatever they show is escaped."""
    made = Environment(
        loader=FileSystemLoader(HERE), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    made.filters.update(day=day, minute=minute, query=urlencode, place=place, counted=counted, setting=setting)
    return made


@cache
def style() -> tuple[bytes, str]:
    """Return the style sheet, and its hash."""
    content = (HERE / "page.css").read_bytes()
    return content, hashlib.sha256(content).hexdigest()[:16]


def place(pointer: object) -> str:
    """Return the address of a place of the palace."""
    return f"/palace/{str(pointer).removeprefix('§ ')}"


def counted(number: int, noun: str) -> str:
    """Write a number of things: 1 room, 2,000 drawers."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def setting(value: object) -> str:
    """Write the value of a setting."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value)) or "none"
    return "not set" if value is None else str(value)


def day(moment: datetime | None) -> str:
    """Write a day: 4 May 2024."""
    return "" if moment is None else f"{moment.day} {moment:%B %Y}"


def minute(moment: datetime | None) -> str:
    """Write a minute: 4 May 2024, 17:05."""
    return "" if moment is None else f"{day(moment)}, {moment:%H:%M}"
