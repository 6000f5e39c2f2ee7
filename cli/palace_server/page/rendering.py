"""Templates, their headers, and errors for people to read."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Coroutine
from datetime import UTC, datetime, tzinfo
from functools import cache, partial
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

from fastapi import Request
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from jinja2 import Environment, FileSystemLoader, StrictUndefined, pass_context
from jinja2.runtime import Context
from starlette.responses import HTMLResponse, RedirectResponse, Response

from palace import Drawer, PalaceError
from palace.config.zones import in_zone
from palace.graph.wording import words_of
from palace.models import Memory, MemoryOrigin, Relation, Role
from palace.models.claims import SELF
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
    always = {"session": session, "status": status, "style": style()[1]}
    zone = request.app.state.service.palaces.settings.zone
    text = templates().get_template(template).render(**always, zone=zone, **values)
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
    made.filters.update(who=who, named=named, said=said, sentence=sentence)
    made.globals["now"] = partial(datetime.now, UTC)
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


def who(drawer: Drawer, memory: Memory | None = None) -> str:
    """Write who said a drawer, or what a memory stands on; whom the palace belongs to is "You"."""
    if memory is not None:
        return "You" if memory.origin == MemoryOrigin.PERSON else memory.origin.capitalize()
    return drawer.speaker or ("You" if drawer.role == Role.USER else drawer.role.capitalize())


def named(name: str, owner: str = "You") -> str:
    """Write the name of an entity; that of the palace's owner as ``owner``."""
    return owner if name == SELF else name


def said(relation: Relation) -> str:
    """Write the predicate of a relation, as it follows its subject: "lives in", "live in" after "You"."""
    words = words_of(relation.predicate, relation.subject)
    verb, space, more = words.partition(" ")
    return f"{IF_YOU.get(verb, verb)}{space}{more}" if relation.subject == SELF else words


IF_YOU = {"am": "are", "was": "were"}


def sentence(text: str) -> str:
    """Write a text with a capital at its beginning."""
    return text[:1].upper() + text[1:]


@pass_context
def day(context: Context, moment: datetime | None) -> str:
    """Write a day in the person's time zone: 4 May 2024."""
    return _day(_local(context, moment)) if moment else ""


@pass_context
def minute(context: Context, moment: datetime | None) -> str:
    """Write a minute in the person's time zone: 4 May 2024, 17:05."""
    if moment is None:
        return ""
    local = _local(context, moment)
    return f"{_day(local)}, {local:%H:%M}"


def _day(local: datetime) -> str:
    return f"{local.day} {local:%B %Y}"


def _local(context: Context, moment: datetime) -> datetime:
    zone: tzinfo = context["zone"]
    return in_zone(moment, zone)
