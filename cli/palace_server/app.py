"""The application: its routes, its error answers, and the checks around it."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, nullcontext
from typing import TYPE_CHECKING

from anyio import create_task_group
from anyio.to_thread import current_default_thread_limiter
from fastapi import FastAPI
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Match, Route
from starlette.types import ASGIApp, Receive, Scope, Send

import palace
from palace_server.caller import Service
from palace_server.description import Described
from palace_server.entrances import entrances_of
from palace_server.guard import Guard, Names
from palace_server.metrics import Counted
from palace_server.page import account, people, places, reviewing, signing
from palace_server.problems import Refused, handle_problems
from palace_server.proxy.routes import Proxy
from palace_server.proxy.upstream import Upstream
from palace_server.routes import (
    conversations,
    drawers,
    entities,
    export,
    health,
    jobs,
    memory,
    recall,
    relations,
    turns,
    work,
)

if TYPE_CHECKING:
    from palace_server.remote.tools import RemoteTools

THREADS = 20
"""Requests carried out at once: the pool has 25 connections, of which background work needs some."""
MOST_UNDER_WAY = 5 * THREADS
"""Requests under way, including those that wait for a thread; more are answered with 503."""
ROUTES = (conversations, drawers, entities, export, health, jobs, memory, recall, relations, turns, work)
PAGE = (signing, account, people, reviewing, places)
DESCRIPTION = "A long-term memory: verbatim, local, with citations. Pointers name drawers: W-001/R-02/D-003."


def make_app(service: Service, upstream: Upstream | None = None) -> FastAPI:
    """Return the application without its guard; with a provider, also with the routes of the proxy."""
    proxy = None if upstream is None else Proxy(service, upstream)
    remote = _remote_tools(service)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        current_default_thread_limiter().total_tokens = THREADS
        async with create_task_group() as tasks, remote.running() if remote else nullcontext():
            tasks.start_soon(service.running.keep)
            yield
            if proxy is not None:
                await proxy.close()
            tasks.cancel_scope.cancel()

    app = Described(
        title="Palace",
        version=palace.__version__,
        description=DESCRIPTION,
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url="/openapi.json",
        redirect_slashes=False,
    )
    app.state.service, app.state.streams = service, Counter[str]()
    app.state.proxy = proxy
    handle_problems(app)
    for module in (*ROUTES, *PAGE):
        app.include_router(module.router)
    app.router.routes.append(Route("/mcp", remote or _without_tools, methods=["POST"]))
    if remote:
        app.router.routes.extend(remote.oauth_routes())
    if proxy is not None:
        app.router.routes.extend(proxy.routes())
    return app


def _remote_tools(service: Service) -> RemoteTools | None:
    """Return the handler of ``/mcp``; None where the library of the protocol is not installed."""
    try:
        from palace_server.remote.tools import RemoteTools
    except ImportError as problem:
        if (problem.name or "").partition(".")[0] in {"mcp", "mcp_types"}:
            return None
        raise
    return RemoteTools(service)


async def _without_tools(_: Request) -> Response:
    raise Refused(404, "this server has no MCP: pip install 'memory-palace-pg[mcp]'")


def guarded(app: FastAPI, names: Names) -> ASGIApp:
    """Return the application behind the checks of every request."""
    proxy: Proxy | None = app.state.proxy
    entrances = entrances_of(app.state.service, *([] if proxy is None else [proxy.entrance]))
    guard = Guard(app, names, entrances, most=MOST_UNDER_WAY)
    app.state.guard = guard

    async def led(scope: Scope, receive: Receive, send: Send) -> None:
        """Lead a browser that asks for an address without a route to the page that says so."""
        if (
            scope["type"] == "http"
            and scope["method"] == "GET"
            and "text/html" in Headers(scope=scope).get("accept", "")
        ) and not any(route.matches(scope)[0] is Match.FULL for route in app.routes):
            scope = {**scope, "path": places.NOWHERE, "raw_path": places.NOWHERE.encode(), "query_string": b""}
        await guard(scope, receive, send)

    return Counted(led, app.state.service.metrics)
