"""Errors as problem details (RFC 9457), with the codes of the command line."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Any, Self

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.types import Scope

from palace import errors
from palace_mcp.calling import tell_fault

MEDIA_TYPE = "application/problem+json"
BUSY = "the server has too much to do: try again"
RETRY_SECONDS = 1
"""What ``Retry-After`` says where the server has too much to do, or cannot reach its database."""

_log = logging.getLogger("palace.server")

STATUSES: dict[type[errors.PalaceError], int] = {
    errors.NotFound: 404,
    errors.MoreToForget: 409,
    errors.TwoTypes: 409,
    errors.StillRunning: 409,
    errors.AnotherRequest: 422,
    errors.BadRequest: 400,
    errors.UnreadableSource: 422,
    errors.DataRefused: 400,
    errors.UserNotNamed: 500,
    errors.PalaceError: 503,
}
"""The HTTP status of each error; of a subclass that is not listed, that of its nearest base."""

MembersOf = Callable[[int, str, str], dict[str, Any]]
"""Returns members that the clients of some paths expect in a problem, by its status, detail and code."""
CODES = {400: "bad_request", 401: "unauthorized", 403: "forbidden", 404: "not_found", 405: "method_not_allowed"} | {
    408: "too_slow", 409: "conflict", 412: "changed", 413: "too_large", 415: "not_json", 421: "misdirected",
    422: "invalid", 429: "too_many_requests", 500: "failed", 502: "no_provider", 503: "busy",
    504: "provider_too_slow",
}  # fmt: skip
"""The code of a problem that is no error of Palace."""


SENTENCES = {"extra_forbidden": "unknown member", "missing": "is missing", "model_attributes_type": "must be an object"}
"""Messages in place of those of pydantic, by the type of its error."""
_COMMAND = re.compile(r"[;,]? ?\(?`palace [^`]+`[^`]*$")
"""The end of a message that names a command of the terminal."""


class Fault(BaseModel):
    """One thing that is wrong with a request."""

    pointer: str | None = Field(None, description="Where in the body, as a JSON Pointer.")
    parameter: str | None = Field(None, description="In which parameter, by name.")
    message: str

    @classmethod
    def of(cls, error: Mapping[str, Any]) -> Self:
        """Convert an error of validation."""
        where, *rest = (str(part).encode("utf-8", "replace").decode() for part in error["loc"] or ("",))
        message = SENTENCES.get(error["type"], str(error["msg"]))
        if where == "body":
            return cls(pointer="/" + "/".join(rest), parameter=None, message=message)
        return cls(pointer=None, parameter=rest[0] if rest else where, message=message)


class Problem(BaseModel):
    """Why a request was not carried out (RFC 9457)."""

    type: str = Field(default="about:blank", description="Always about:blank: `code` tells problems apart.")
    title: str
    status: int
    detail: str = Field(description="One line for a person.")
    code: str = Field(description="For programs: a code of the command line, or one for the HTTP status.")
    errors: list[Fault] = Field(default=[], description="With 422: each thing that is wrong with the request.")


class Refused(Exception):
    """A request that is refused, with a status and one line for a person."""

    def __init__(self, status: int, detail: str, **headers: str) -> None:
        super().__init__(detail)
        self.status, self.detail, self.headers = status, detail, headers


def problem(
    scope: Scope, status: int, detail: str, *, code: str = "", headers: dict[str, str] | None = None
) -> JSONResponse:
    """Return a problem as a response; 503, 429 and the 409 of a request that still runs say when to try again."""
    made = Problem(title=HTTPStatus(status).phrase, status=status, detail=detail, code=code or CODES[status])
    return _response(scope, made, headers)


def responses(*statuses: int, needs_key: bool = True) -> dict[int | str, dict[str, Any]]:
    """Describe problems in OpenAPI: those of some statuses, and those that every route may answer with."""
    schema = {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}
    every = {*statuses, 400, 403, 408, 413, 421, 503, *((401, 415, 422, 429) if needs_key else ())}
    return {status: {"description": HTTPStatus(status).phrase, "content": schema} for status in sorted(every)}


def handle_problems(app: FastAPI) -> None:
    """Answer every error of an application with problem details."""
    app.add_exception_handler(errors.PalaceError, _of_failure)
    app.add_exception_handler(Refused, _of_failure)
    app.add_exception_handler(RequestValidationError, _of_validation)
    app.add_exception_handler(HTTPException, _of_http)
    app.add_exception_handler(Exception, _of_failure)


def log_fault(failure: Exception) -> None:
    """Log an internal error without its message."""
    tell_fault(_log, "request_failed", failure)


def response_to(scope: Scope, failure: Exception) -> Response:
    """Return the answer to a request that failed, and log what is no fault of the caller.

    ``scope["state"]["members_of"]`` adds the members that its client expects.
    """
    status, detail = status_and_detail(failure)
    code = failure.code if isinstance(failure, errors.PalaceError) else ""
    return problem(scope, status, detail, code=code, headers=failure.headers if isinstance(failure, Refused) else None)


def status_and_detail(failure: Exception) -> tuple[int, str]:
    """Return the status of a request that failed and one line for a person, and log what is no fault of the caller."""
    if isinstance(failure, Refused):
        return failure.status, failure.detail
    if not isinstance(failure, errors.PalaceError):
        log_fault(failure)
        return 500, "internal error in Palace: the server's log says where"
    status = next(STATUSES[kind] for kind in type(failure).__mro__ if kind in STATUSES)
    if status < 500:
        return status, _without_commands(str(failure))
    log_fault(failure)
    # The message may name the database's address, or what a model's provider said.
    return status, f"the palace cannot do this now ({failure.code}): try again"


async def _of_failure(request: Request, failure: Exception) -> Response:
    return response_to(request.scope, failure)


async def _of_validation(request: Request, failure: Exception) -> Response:
    assert isinstance(failure, RequestValidationError)
    found = failure.errors()
    if any(each["type"] == "json_invalid" for each in found):
        return problem(request.scope, 400, "the body is not valid JSON")
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    is_other = any(each["type"] == "model_attributes_type" and each["loc"] == ("body",) for each in found)
    if is_other and kind != "application/json":
        return problem(request.scope, 415, "send the body as application/json")
    faults = [Fault.of(each) for each in found[:20]]
    first = faults[0] if faults else None
    detail = f"{first.pointer or first.parameter}: {first.message}" if first else "the request is invalid"
    made = Problem(title=HTTPStatus(422).phrase, status=422, detail=detail, code=CODES[422], errors=faults)
    return _response(request.scope, made, None)


async def _of_http(request: Request, failure: Exception) -> Response:
    assert isinstance(failure, HTTPException)
    status = failure.status_code if failure.status_code in CODES else 400
    headers = dict(failure.headers or {})
    if status == 405 and (described := _methods(request)):
        headers["Allow"] = ", ".join(described)
    return problem(request.scope, status, f"{HTTPStatus(status).phrase.lower()} here", headers=headers)


def _methods(request: Request) -> list[str]:
    """List the methods that are described for a path."""
    paths: dict[str, dict[str, object]] = request.app.openapi()["paths"]
    here = request.url.path
    leading = [here] if here in paths else [path for path in paths if _leads_to(path, here)]
    return sorted({each.upper() for path in leading for each in paths[path]})


def _leads_to(path: str, here: str) -> bool:
    wanted = re.sub(r"\\{\w+\\}", "[^/]+", re.escape(path))
    return re.fullmatch(wanted, here) is not None


def _without_commands(message: str) -> str:
    """Return a message of the library for readers who have no terminal: without the commands that it suggests."""
    before, now = "", " ".join(message.split())
    while now != before:
        before, now = now, _COMMAND.sub("", now)
    return re.sub(r"(?<= )--(?=[a-z])", "", now)


def _response(scope: Scope, made: Problem, headers: dict[str, str] | None) -> JSONResponse:
    is_for_later = made.status in (429, 503) or made.code == errors.StillRunning.code
    again = {"Retry-After": str(RETRY_SECONDS)} if is_for_later else {}
    members_of: MembersOf | None = scope.get("state", {}).get("members_of")
    more = members_of(made.status, made.detail, made.code) if members_of else {}
    content = {**made.model_dump(exclude_none=True), **more}
    return JSONResponse(content, made.status, {**again, **(headers or {})}, MEDIA_TYPE)
