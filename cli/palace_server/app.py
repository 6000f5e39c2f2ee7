"""The application: routes, error answers, and what stands around them."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from anyio import create_task_group
from anyio.to_thread import current_default_thread_limiter
from fastapi import FastAPI
from starlette.types import ASGIApp

import palace
from palace_server.caller import Service
from palace_server.entrances import entrances_of
from palace_server.guard import Guard, Names
from palace_server.metrics import Counted
from palace_server.page import account, people, places, reviewing, signing
from palace_server.problems import Problem, handle_problems
from palace_server.routes import conversations, drawers, entities, export, health, jobs, recall, relations, turns

THREADS = 20
"""Requests that are carried out at once: a pool has 25 connections, some of them for what goes on beside."""
MOST_UNDER_WAY = 5 * THREADS
"""Requests under way, including those that wait for a thread; more are answered with 503."""
ROUTES = (conversations, drawers, entities, export, health, jobs, recall, relations, turns)
PAGE = (signing, account, people, reviewing, places)
DESCRIPTION = "A long-term memory: verbatim, local, with citations. Pointers name drawers: W-001/R-02/D-003."


class _Described(FastAPI):
    def openapi(self) -> dict[str, Any]:
        """Describe the routes, with Palace's own shape of errors instead of FastAPI's."""
        if self.openapi_schema is None:
            shapes = super().openapi()["components"]["schemas"]
            problem = Problem.model_json_schema(ref_template="#/components/schemas/{model}")
            shapes.update({**problem.pop("$defs"), "Problem": problem})
            for unused in ("HTTPValidationError", "ValidationError"):
                shapes.pop(unused, None)
        assert self.openapi_schema is not None
        return self.openapi_schema


def make_app(service: Service) -> FastAPI:
    """Return the application, without what checks requests before it."""

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        current_default_thread_limiter().total_tokens = THREADS
        async with create_task_group() as tasks:
            tasks.start_soon(service.running.keep)
            yield
            tasks.cancel_scope.cancel()

    app = _Described(
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
    handle_problems(app)
    for module in (*ROUTES, *PAGE):
        app.include_router(module.router)

    return app


def guarded(app: FastAPI, names: Names) -> ASGIApp:
    """Return the application behind the checks of every request."""
    guard = Guard(app, names, entrances_of(app.state.service), most=MOST_UNDER_WAY)
    app.state.guard = guard
    return Counted(guard, app.state.service.metrics)
