"""Sign in with a key, or by the code of a server that opens its own page; sign out; the style sheet."""

from __future__ import annotations

import webbrowser
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import NamedTemporaryFile
from threading import Thread, Timer
from typing import Annotated

from fastapi import APIRouter, Depends, Request
from starlette.responses import RedirectResponse, Response

from palace import KeyGrant
from palace_server.caller import Service
from palace_server.checks import COOKIE, secret_of
from palace_server.codes import CODE_SECONDS, OneTimeCode
from palace_server.page.rendering import ALWAYS, PageRoute, page, style, templates
from palace_server.problems import Refused
from palace_server.sessions import Fields, form_of, local_path, session_of, signed_form, signed_in

router = APIRouter(route_class=PageRoute, include_in_schema=False)
Form = Annotated[Fields, Depends(form_of)]
SignedForm = Annotated[Fields, Depends(signed_form)]
WRONG = "That key is wrong, expired or revoked."


@router.get("/sign-in")
def ask(request: Request, return_to: str = "/") -> Response:
    """Ask for a key."""
    if session_of(request) is not None:
        return RedirectResponse(local_path(return_to), 303)
    return page(request, "sign_in.html", return_to=local_path(return_to), problem="")


@router.post("/sign-in")
def sign_in(request: Request, form: Form) -> Response:
    """Start a session with a key."""
    service: Service = request.app.state.service
    if not service.sign_ins.allow(request.client.host if request.client else ""):
        raise Refused(429, "too many tried to sign in: wait a moment", **{"Retry-After": "1"})
    grant = service.palaces.check_key(form.get("key", "").strip())
    there = local_path(form.get("return_to", "/"))
    if grant is None:
        return page(request, "sign_in.html", status=401, return_to=there, problem=WRONG)
    return signed_in(request.headers, service.palaces.start_session(grant), there)


@router.post("/open")
def open_by_code(request: Request, form: Form) -> Response:
    """Start a session of the account that serves, by the code that it made."""
    service: Service = request.app.state.service
    if service.opened_user is None or not service.code.take(form.get("code", "")):
        raise Refused(401, "this code is wrong or used, or older than a minute: start palace serve --open again")
    return signed_in(request.headers, service.palaces.start_session(KeyGrant.of_account(service.opened_user)), "/")


@router.post("/sign-out")
def sign_out(request: Request, _form: SignedForm) -> Response:
    """End the session."""
    request.app.state.service.palaces.end_session(secret_of(request.headers))
    answer = RedirectResponse("/sign-in", 303)
    answer.delete_cookie(COOKIE, httponly=True, samesite="lax")
    return answer


@router.get("/static/page.css")
def style_sheet(request: Request) -> Response:
    """Return the style sheet, which its address names by its hash."""
    content, digest = style()
    headers = {"ETag": f'"{digest}"', "Cache-Control": "public, max-age=31536000, immutable"} | ALWAYS
    if request.headers.get("if-none-match") == headers["ETag"]:
        return Response(status_code=304, headers=headers)
    return Response(content, media_type="text/css", headers=headers)


@contextmanager
def opening(folder: Path, address: str, code: OneTimeCode) -> Iterator[Callable[[Callable[[str], None]], None]]:
    """Return a function that opens the page in a browser and reports its address.

    The browser opens a file that only this account can read, and which posts the code: so the code is in no URL, and in
    none of the browser's arguments, which other accounts could list. The file is deleted when its code expires.
    """
    with NamedTemporaryFile("w", encoding="utf-8", dir=folder, prefix="open-", suffix=".html", delete=False) as file:
        path = Path(file.name)
    removal = Timer(CODE_SECONDS, path.unlink, kwargs={"missing_ok": True})

    def open_page(report: Callable[[str], None]) -> None:
        path.write_text(templates().get_template("open.html").render(address=address, code=code.make()), "utf-8")
        removal.start()
        Thread(target=webbrowser.open, args=(path.as_uri(),), daemon=True).start()
        report(f"serving {address}: if no browser opens, open {path} in one within a minute")

    try:
        yield open_page
    finally:
        removal.cancel()
        path.unlink(missing_ok=True)
