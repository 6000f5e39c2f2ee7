"""Sessions of browsers: who is signed in, the token of their forms."""

from __future__ import annotations

import hashlib
import hmac
import re
from dataclasses import dataclass
from urllib.parse import parse_qsl

from fastapi import Request
from starlette.datastructures import Headers, ImmutableMultiDict
from starlette.responses import RedirectResponse, Response

from palace import KeyGrant
from palace_server.checks import COOKIE, secret_of
from palace_server.problems import Refused

COOKIE_SECONDS = 14 * 24 * 3600
MOST_FIELDS = 100
_LOCAL_PATH = re.compile(r"/(?![/\\])[^\\\x00-\x20\x7f]{0,8000}")
Fields = ImmutableMultiDict[str, str]
"""The fields of a form; of several with one name, its items are the last."""


class SignInNeeded(Exception):
    """A page needs a browser that is signed in; ``return_to`` is the page to show afterwards."""

    def __init__(self, return_to: str) -> None:
        super().__init__("sign in first")
        self.return_to = return_to


@dataclass(frozen=True, slots=True)
class WebSession:
    """A browser that is signed in."""

    grant: KeyGrant
    csrf: str
    """What each of its forms sends as ``csrf``."""


def session_of(request: Request) -> WebSession | None:
    """Return the session of a request that came in by an entrance for browsers; None without a valid one."""
    grant, secret = getattr(request.state, "grant", None), secret_of(request.headers)
    if grant is None or not secret:
        return None
    return WebSession(grant, hmac.new(secret.encode(), b"csrf", hashlib.sha256).hexdigest())


def require_session(request: Request) -> WebSession:
    """Return the session of a request.

    Raises:
        SignInNeeded: there is no valid one.
    """
    if (found := session_of(request)) is None:
        here = request.url.path + (f"?{request.url.query}" if request.url.query else "")
        raise SignInNeeded(local_path(here if request.method == "GET" else "/"))
    return found


async def form_of(request: Request) -> Fields:
    """Return the fields of a form.

    Raises:
        Refused: it is no form.
    """
    try:
        fields = parse_qsl((await request.body()).decode(), keep_blank_values=True, max_num_fields=MOST_FIELDS)
    except ValueError:
        raise Refused(400, "this is no form") from None
    return Fields(fields)


async def signed_form(request: Request) -> Fields:
    """Return the fields of a form, after checking the token that the page put into it.

    Raises:
        SignInNeeded: nobody is signed in; ``Refused``: the form's token is missing or wrong.
    """
    session, form = require_session(request), await form_of(request)
    if not hmac.compare_digest(session.csrf.encode(), form.get("csrf", "").encode("utf-8", "replace")):
        raise Refused(403, "this form is not from this page, or you signed in again: load the page and repeat it")
    return form


def local_path(written: str) -> str:
    """Return ``written`` if it is a path of this server, else "/"."""
    return written if _LOCAL_PATH.fullmatch(written) else "/"


def signed_in(headers: Headers, secret: str, return_to: str) -> Response:
    """Return a redirect that sets the cookie of a session, for https alone if the browser came by https."""
    answer = RedirectResponse(local_path(return_to), 303)
    is_encrypted = headers.get("origin", "").startswith("https:")
    answer.set_cookie(COOKIE, secret, COOKIE_SECONDS, httponly=True, samesite="lax", secure=is_encrypted)
    return answer
