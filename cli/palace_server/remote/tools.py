"""``/mcp``: the tools of ``palace mcp`` over streamable HTTP, as far as the key of a request allows them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, nullcontext
from dataclasses import dataclass
from typing import Any

from anyio.to_thread import current_default_thread_limiter
from mcp import types
from mcp.server.context import CallNext, HandlerResult
from mcp.server.lowlevel import Server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from starlette.requests import Request
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

import palace
from palace import KeyScope
from palace.nlp.pointers import is_pointer, parse_pointer, parse_room
from palace_mcp.calling import Caller as Threads
from palace_mcp.profiles import instructions_of, tools_of
from palace_mcp.server import NAME, Context, Offer, named
from palace_mcp.tools.tool import Answer, Bounds, Tool
from palace_server.caller import Caller, Service, user_of
from palace_server.entrances import LARGEST_OF_MCP
from palace_server.models import cited
from palace_server.remote.consent import Consent
from palace_server.remote.oauth import Provider

SECONDS = 30.0
"""Seconds for one call of a tool."""


@dataclass(frozen=True)
class KeyOffer(Offer):
    """What the key of a request allows; what is done with it is entered into the log."""

    requester: Caller

    def run(self, tool: Tool, arguments: Mapping[str, object]) -> Answer:
        """Carry out a call and enter it into the log: its tool, and what it changed, never text."""
        files = _scope_of(tool) == KeyScope.WRITE
        with self.requester.service.filing(self.requester.user) if files else nullcontext():
            answer = super().run(tool, arguments)
        if tool.is_read_only:
            self.requester.has_read(f"mcp.{tool.name}")
        elif answer.data.get("forgotten", True):
            self.requester.did(
                f"mcp.{tool.name}", _target(str(answer.data.get("pointer") or arguments.get("pointer", "")))
            )
        return answer


class RemoteTools:
    """The application at ``/mcp``; each request stands alone."""

    def __init__(self, service: Service) -> None:
        self._service, self._threads = service, Threads(SECONDS)
        server = Server[Any](
            NAME, version=palace.__version__, title="Palace", on_list_tools=_list_tools, on_call_tool=_call_tool
        )
        server.middleware.append(_instruct)
        self._manager = StreamableHTTPSessionManager(
            server, stateless=True, json_response=True, max_request_body_size=LARGEST_OF_MCP
        )

    def oauth_routes(self) -> list[Route]:
        """Return the routes by which programs are let in; none where the server has no address for them."""
        url = self._service.public_url
        if url is None:
            return []
        provider = Provider(self._service.palaces, url)
        return [*provider.routes(), *Consent(provider).routes()]

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Serve for the length of a block."""
        try:
            async with self._manager.run():
                yield
        finally:
            self._threads.close()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, with the tools that its key allows.

        Raises:
            Refused: the key does not reach the user that the request names.
        """
        request = Request(scope)
        query, grant = request.query_params, request.state.grant
        requester = Caller(self._service, grant, user_of(grant, query.get("user_id")))
        bounds = Bounds(self._service.palaces.settings.zone, wing_ids=grant.wing_ids)
        tools = [tool for tool in tools_of(query.get("profile", "default"), bounds) if _scope_of(tool) in grant.scopes]
        request.state.offer = KeyOffer(lambda: requester.palace, bounds, self._threads, named(tools), requester)
        await self._manager.handle_request(scope, receive, send)


async def _list_tools(context: Context, params: types.PaginatedRequestParams | None) -> types.ListToolsResult:
    return await _offer_of(context).list(context, params)


async def _call_tool(context: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
    # As many requests at once as over REST: they share the connections to the database.
    async with current_default_thread_limiter():
        return await _offer_of(context).call(context, params)


async def _instruct(ctx: Context, call_next: CallNext) -> HandlerResult:
    """Add the instructions that go with the tools of this key."""
    result = await call_next(ctx)
    if ctx.method in ("initialize", "server/discover") and isinstance(result, dict):
        return {**result, "instructions": instructions_of(tuple(_offer_of(ctx).tools.values()))}
    return result


def _offer_of(context: Context) -> KeyOffer:
    assert context.request is not None
    offer: KeyOffer = context.request.state.offer
    return offer


def _scope_of(tool: Tool) -> KeyScope:
    if tool.is_read_only:
        return KeyScope.READ
    return KeyScope.FORGET if tool.is_destructive else KeyScope.WRITE


def _target(pointer: str) -> str:
    """Return a pointer as the log has it; "" where there is none."""
    if is_pointer(pointer):
        return str(cited(parse_pointer(pointer)))
    return str(parse_room(pointer)) if pointer else ""
