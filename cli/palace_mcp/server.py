"""The MCP server: lists its tools and calls them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from mcp import types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server

import palace
from palace.nlp.secrets.numbers import with_accounts, with_accounts_in
from palace.telemetry.logs import log_alike
from palace_mcp.arguments import read, schema_of
from palace_mcp.calling import Caller, Failed, Opening
from palace_mcp.profiles import instructions_of, tools_of
from palace_mcp.tools.tool import Answer, Bounds, Called, Tool, one_line
from palace_mcp.wire import Wire

if TYPE_CHECKING:
    from palace.api.palace import Palace

NAME = "palace"
Context = ServerRequestContext[Any, Any]


LIBRARIES = ("mcp", "uvicorn")


@dataclass(frozen=True)
class Offer:
    """What a client may use: tools on a palace, within bounds."""

    palace: Callable[[], Palace]
    """Opens the palace, on the first call."""
    bounds: Bounds
    caller: Caller
    tools: Mapping[str, Tool]

    async def list(self, _: Context, __: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        """List the tools."""
        return types.ListToolsResult(tools=[described(tool, self.bounds) for tool in self.tools.values()])

    async def call(self, _: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        """Call a tool; a failure is returned in one line as a tool error, which models see."""
        tool = self.tools.get(params.name)
        if tool is None:
            return _failed(f"there is no tool {params.name!r}: there is {', '.join(self.tools) or 'none'}")
        try:
            answer = await self.caller.call(tool.name, partial(self.run, tool, params.arguments or {}))
        except Failed as problem:
            return _failed(str(problem))
        return types.CallToolResult(content=[_text(answer.text)], structured_content=answer.data)

    def run(self, tool: Tool, arguments: Mapping[str, object]) -> Answer:
        """Carry out a call.

        Raises:
            PalaceError: it failed.
        """
        # Validate the arguments before opening the palace.
        given = read(tool.offered(self.bounds), arguments)
        memory = self.palace()
        answer = tool.run(Called(memory, self.bounds, given))
        how = memory.settings.effective(self.bounds.agent).accounts
        return Answer(with_accounts(answer.text, how), with_accounts_in(answer.data, how))


@dataclass(frozen=True)
class Memory(Offer):
    """The state of a server for one palace."""

    opening: Opening

    @classmethod
    def of(cls, opening: Opening, bounds: Bounds, *, profile: str, seconds: float) -> Memory:
        """Return the state for a profile; each call may take ``seconds``.

        Raises:
            BadRequest: there is no such profile.
        """
        return cls(opening.palace, bounds, Caller(seconds), named(tools_of(profile, bounds)), opening)

    def serve_streams(self, wire: Wire) -> None:
        """Serve the client that started this process, over standard streams."""
        from palace_mcp.stdio import serve

        with self._serving():
            serve(make_server(self), wire)

    def serve_http(self, port: int, token: str | None, ready: Callable[[str], None]) -> None:
        """Serve programs on this machine over HTTP; ``ready`` is called with the URL.

        Raises:
            BadRequest: the port is in use.
        """
        from palace_mcp.http.listening import listen
        from palace_mcp.http.serving import HOST, serve

        with self._serving(), listen(HOST, port) as taken:
            serve(make_server(self), taken, token, ready)

    @contextmanager
    def _serving(self) -> Iterator[None]:
        log_alike(*LIBRARIES)
        try:
            yield
        finally:
            self.caller.close()
            self.opening.close()


def named(tools: Iterable[Tool]) -> dict[str, Tool]:
    """Return tools by name."""
    return {tool.name: tool for tool in tools}


def make_server(memory: Memory) -> Server[Any]:
    """Create an MCP server for the tools; it can serve any number of clients."""
    return Server(
        NAME,
        version=palace.__version__,
        title="Palace",
        instructions=instructions_of(tuple(memory.tools.values())),
        on_list_tools=memory.list,
        on_call_tool=memory.call,
    )


def described(tool: Tool, bounds: Bounds) -> types.Tool:
    """Return the protocol's description of a tool."""
    return types.Tool(
        name=tool.name,
        description=tool.description,
        input_schema=schema_of(tool.offered(bounds)),
        output_schema={"type": "object", "properties": tool.answers},
        # Hosts decide by these whether to ask the person first; for a read-only tool the other hints have no meaning.
        annotations=types.ToolAnnotations(
            read_only_hint=tool.is_read_only,
            destructive_hint=None if tool.is_read_only else tool.is_destructive,
            idempotent_hint=None if tool.is_read_only else True,
            open_world_hint=False,
        ),
    )


def _failed(told: str) -> types.CallToolResult:
    return types.CallToolResult(content=[_text(one_line(told))], is_error=True)


def _text(text: str) -> types.TextContent:
    return types.TextContent(type="text", text=text)
