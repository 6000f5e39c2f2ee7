"""The paths of the proxy: requests with messages get memory, others are passed on as they are."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from dataclasses import replace

import httpx
from anyio import CancelScope, create_task_group
from anyio.to_thread import run_sync
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route
from starlette.types import Send

from palace import KeyGrant, KeyScope
from palace_server.caller import Service, user_of
from palace_server.checks import KeyChecks
from palace_server.entrances import Entrance
from palace_server.problems import Refused
from palace_server.proxy.asked import read_request
from palace_server.proxy.dialects import DIALECTS, Dialect, error_members
from palace_server.proxy.memory import Memory, Recalled
from palace_server.proxy.upstream import Pairs, Upstream, is_palace_key, palace_key

LARGEST_BODY = 32 << 20
"""Bytes of a request: images are in it."""
LARGEST_REPLY = 8 << 20
"""Bytes of an answer that is filed; a larger one is passed on alone."""
NOTE = "x-palace-memory"
Keeper = Callable[[bytes, bool], None]
"""Takes an answer after its end, and whether it was complete."""
PASSED_ON = {
    "/v1/models": ("GET",),
    "/v1/models/": ("GET",),
    "/v1/embeddings": ("POST",),
    "/v1/messages/count_tokens": ("POST",),
    "/v1/responses/": ("GET", "POST", "DELETE"),
}
"""Paths that are passed on without memory, and with a slash at their end what is below them, with their methods."""
_PLAIN_PATH = re.compile(r"(/(?!\.\.?(/|$))[\w.:@-]+)+", re.ASCII)


class Proxy:
    """Passes requests on to a provider, with memory."""

    def __init__(self, service: Service, upstream: Upstream) -> None:
        self._upstream, self._memory = upstream, Memory(service)

    def entrance(self, checks: KeyChecks) -> Entrance:
        """Return the entrance of requests for the provider."""

        async def grant_of(headers: Headers) -> KeyGrant:
            is_ours = any(is_palace_key(headers, name) for name in ("authorization", "x-api-key"))
            if is_ours and self._upstream.key is None:
                raise Refused(401, "Palace's key belongs in X-Palace-Key here, the provider's in Authorization")
            key = palace_key(headers)
            grant = await checks.grant_of(Headers({} if key is None else {"authorization": f"Bearer {key}"}))
            if not {KeyScope.READ, KeyScope.WRITE} & set(grant.scopes):
                raise Refused(403, f"this key does not allow that: its scopes are {', '.join(grant.scopes)}")
            return grant

        paths = (*(each.path for each in DIALECTS), *PASSED_ON)
        return Entrance(paths, grant_of, largest=LARGEST_BODY, keeps_bodies=True, members_of=error_members)

    def routes(self) -> list[Route]:
        """Return the routes."""
        asking = [Route(each.path, self._answer_to(each), methods=["POST"]) for each in DIALECTS]
        passing = ((f"{path}{{rest:path}}" if path.endswith("/") else path, PASSED_ON[path]) for path in PASSED_ON)
        return asking + [Route(path, self._pass_on, methods=methods) for path, methods in passing]

    async def close(self) -> None:
        """File what is still to be filed, and close the connections."""
        await run_sync(self._memory.close)
        await self._upstream.transport.aclose()

    def _answer_to(self, dialect: Dialect) -> Callable[[Request], Awaitable[Response]]:
        async def answer(request: Request) -> Response:
            content, grant = await request.body(), request.state.grant
            asked = await run_sync(read_request, dialect, content, request.headers)
            if asked is None:
                user_of(grant, None)
                return await self._send(request, content, dialect, note="skipped;reason=unreadable")
            user = user_of(grant, asked.context.user_id)
            recalled = await self._memory.recall(asked, grant, user)
            if recalled.blocks or asked.is_changed:
                content = await run_sync(asked.written, recalled.blocks)
            recalled.asked = replace(recalled.asked, body={})  # images and tools need not wait for the answer
            return await self._send(request, content, dialect, note=recalled.note, recalled=recalled)

        return answer

    async def _pass_on(self, request: Request) -> Response:
        path = request.scope["raw_path"].decode("latin-1")
        if not _PLAIN_PATH.fullmatch(path):
            raise Refused(404, "not found here")
        dialect = next((each for each in DIALECTS if path.startswith(each.path)), None)
        return await self._send(request, await request.body(), dialect, note="skipped;reason=path")

    async def _send(
        self, request: Request, content: bytes, dialect: Dialect | None, *, note: str, recalled: Recalled | None = None
    ) -> Response:
        has_key_header = dialect.has_key_header if dialect else "anthropic-version" in request.headers
        headers = self._upstream.headers_to(request.headers, has_key_header=has_key_header)
        response = await self._response(request, headers, content)
        if response is None:
            return Response(status_code=400)  # nobody is there to read it
        keep = self._keeper(recalled, response) if recalled is not None and response.status_code == 200 else None
        return Passed(response, [*Upstream.headers_from(response), (NOTE.encode(), note.encode())], keep)

    async def _response(self, request: Request, headers: Pairs, content: bytes) -> httpx.Response | None:
        """Return the provider's response once it begins; None where the client leaves before that."""
        response: httpx.Response | None = None
        status = 0
        async with create_task_group() as tasks:
            tasks.start_soon(_cancel_without, request, tasks.cancel_scope)
            path, query = request.scope["path"], request.scope["query_string"].decode("latin-1")
            try:
                response = await self._upstream.send(request.method, path, query, headers, content)
            except (httpx.HTTPError, httpx.InvalidURL) as problem:
                status = 504 if isinstance(problem, httpx.TimeoutException) else 502
            tasks.cancel_scope.cancel()
        if status:
            raise Refused(status, "the provider cannot be reached")
        return response

    def _keeper(self, recalled: Recalled, response: httpx.Response) -> Keeper:
        is_stream = response.headers.get("content-type", "").startswith("text/event-stream")
        dialect = recalled.asked.dialect

        def keep(content: bytes, is_whole: bool) -> None:
            self._memory.file(recalled, lambda: dialect.read_reply(content, is_stream=is_stream, is_whole=is_whole))

        return keep


async def _cancel_without(request: Request, scope: CancelScope) -> None:
    """Cancel a scope once the client has left."""
    while (await request.receive())["type"] != "http.disconnect":
        pass
    scope.cancel()


class Passed(StreamingResponse):
    """A provider's answer, passed on as it comes."""

    def __init__(self, response: httpx.Response, headers: Pairs, keep: Keeper | None) -> None:
        super().__init__((), response.status_code)
        self.raw_headers = headers
        self._response, self._keep = response, keep
        self._content = bytearray()

    async def stream_response(self, send: Send) -> None:
        """Pass the answer on, and file the part that came, whatever ended it."""
        is_whole = False
        try:
            await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
            async for part in self._response.aiter_raw():
                if len(self._content) <= LARGEST_REPLY:
                    self._content += part
                await send({"type": "http.response.body", "body": part, "more_body": True})
            is_whole = True
            await send({"type": "http.response.body", "body": b"", "more_body": False})
        except httpx.HTTPError:
            return  # it ends for the client as it ended here: before its end
        finally:
            if self._keep is not None and 0 < len(self._content) <= LARGEST_REPLY:
                self._keep(bytes(self._content), is_whole)
            with CancelScope(shield=True):
                await self._response.aclose()
