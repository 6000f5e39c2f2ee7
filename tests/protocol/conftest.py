"""Clients of the protocol's own library, in both of its generations, and the server that they talk to."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from datetime import UTC
from typing import Any, TypeVar

import anyio
import pytest
from mcp import Client

from palace import Palace, Settings
from palace_mcp.calling import Opening
from palace_mcp.server import Memory, make_server
from palace_mcp.tools.tool import Bounds
from tests.held import variables_of

T = TypeVar("T")
Talk = Callable[..., Any]


def talk_with(
    opens: Callable[[], Palace],
    what: Callable[[Client], Awaitable[T]],
    *,
    mode: str = "auto",
    profile: str = "default",
    seconds: float = 60.0,
    **bounds: Any,
) -> T:
    """Talk with a server of a palace."""
    memory = Memory.of(Opening(opens), Bounds(UTC, **bounds), profile=profile, seconds=seconds)

    async def main() -> T:
        async with Client(make_server(memory), mode=mode) as client:
            return await what(client)

    try:
        return anyio.run(main)
    finally:
        memory.caller.close()


@pytest.fixture
def talk(palace: Palace) -> Talk:
    """Talk with a server of the test's own palace: ``talk(lambda client: client.list_tools(), mode="legacy")``."""
    return lambda what, *, opens=lambda: palace, **how: talk_with(opens, what, **how)


@pytest.fixture
def call(talk: Talk) -> Callable[..., Any]:
    """Call one tool: ``call("recall", query="…", mode="legacy")`` gives its text and its data, or its error."""

    def run(name: str, given: dict[str, Any] | None = None, **how: Any) -> Any:
        return talk(lambda client: client.call_tool(name, given or {}), **how)

    return run


@pytest.fixture
def environment(settings: Settings) -> dict[str, str]:
    """What a program is given so that it works on the test's database."""
    return variables_of(settings, PALACE_WORKER_STARTS="false")


def text_of(result: Any) -> str:
    """Give the one text of an answer."""
    assert len(result.content) == 1
    return str(result.content[0].text)


def error_of(result: Any) -> str:
    """Give the one line of an error."""
    assert result.is_error, result
    told = text_of(result)
    assert "\n" not in told
    assert "pydantic" not in told
    return told


def message(method: str, ident: int | str | None = None, **params: Any) -> str:
    """Write a message as a client without any library does."""
    made: dict[str, Any] = {"jsonrpc": "2.0", "method": method, "params": params}
    return json.dumps(made if ident is None else made | {"id": ident})


GREETING = message(
    "initialize", 1, protocolVersion="2025-06-18", capabilities={}, clientInfo={"name": "by hand", "version": "1"}
)
