"""A call ends: when its time is over, when the client ends it, when what it needs is gone; the next one is answered."""

from __future__ import annotations

import logging
import threading
import time
from typing import Any

import anyio
import pytest
from mcp import Client

from palace import DatabaseUnavailable, Effective, Palace, PalaceError, Settings
from palace.cancellation import is_cancelled
from palace_mcp.calling import UNKNOWN, Opening
from tests.hosts import Host
from tests.hosts.away import away
from tests.protocol.conftest import Talk, error_of, text_of


class Unset:
    """Settings of which none was set."""

    def effective(self, agent: str | None) -> Effective:
        """Give what holds for anybody."""
        return Effective.of(Settings(), {}, agent)


class Slow:
    """A palace of which a call takes as long as nobody ends it."""

    settings = Unset()

    def __init__(self) -> None:
        self.began = threading.Event()
        self.ended = threading.Event()

    def recall(self, *_: Any, **__: Any) -> Any:
        """Wait to be cancelled."""
        self.began.set()
        while not is_cancelled():
            time.sleep(0.01)
        self.ended.set()
        raise PalaceError("too late for this to be told")


def test_a_call_has_its_time(talk: Talk) -> None:
    slow: Any = Slow()

    async def ask(client: Client) -> Any:
        late = await client.call_tool("recall", {"query": "x"})
        return late, await client.list_tools()

    late, tools = talk(ask, seconds=0.3, opens=lambda: slow)
    assert error_of(late).startswith("no answer within 0.3 seconds")
    assert slow.ended.is_set()
    assert len(tools.tools) == 4


def test_a_call_that_the_client_ends_ends(talk: Talk) -> None:
    slow: Any = Slow()

    async def ask(client: Client) -> Any:
        async with anyio.create_task_group() as group:
            group.start_soon(client.call_tool, "recall", {"query": "x"})
            await anyio.to_thread.run_sync(slow.began.wait, 20)
            group.cancel_scope.cancel()
        with anyio.fail_after(10):
            while not slow.ended.is_set():
                await anyio.sleep(0.01)
        return await client.list_tools()

    assert len(talk(ask, opens=lambda: slow).tools) == 4


def test_a_fault_of_ours_is_one_harmless_line(talk: Talk, caplog: pytest.LogCaptureFixture) -> None:
    class Broken:
        settings = Unset()

        def recall(self, *_: Any, **__: Any) -> Any:
            raise ZeroDivisionError("the secret diary of Mara")

    broken: Any = Broken()
    with caplog.at_level(logging.ERROR, "palace.mcp"):
        told = talk(lambda client: client.call_tool("recall", {"query": "x"}), opens=lambda: broken)
    assert error_of(told) == UNKNOWN
    assert "ZeroDivisionError" in caplog.text
    assert "test_calls_end.py" in caplog.text
    assert "Mara" not in caplog.text


def test_a_palace_is_opened_once_for_all_calls(palace: Palace, talk: Talk) -> None:
    opened: list[int] = []

    def opens() -> Palace:
        time.sleep(0.1)
        opened.append(1)
        return palace

    async def ask(client: Client) -> None:
        assert not opened
        async with anyio.create_task_group() as group:
            for _ in range(12):
                group.start_soon(client.call_tool, "recall", {"query": "x"})

    talk(ask, opens=opens)
    assert opened == [1]


def test_a_palace_that_cannot_be_opened_is_tried_again(palace: Palace, talk: Talk) -> None:
    tried: list[int] = []

    def opens() -> Palace:
        tried.append(1)
        if len(tried) == 1:
            raise DatabaseUnavailable("no server answers at 127.0.0.1")
        return palace

    async def ask(client: Client) -> Any:
        return [await client.call_tool("recall", {"query": "x"}) for _ in range(3)]

    first, *rest = talk(ask, opens=opens)
    assert error_of(first) == "no server answers at 127.0.0.1"
    assert not any(each.is_error for each in rest)
    assert len(tried) == 2


def test_those_that_wait_share_an_opening_that_fails(talk: Talk) -> None:
    tried: list[int] = []
    told: list[str] = []

    def opens() -> Palace:
        tried.append(1)
        time.sleep(1)
        raise DatabaseUnavailable("no server answers at 127.0.0.1")

    async def ask(client: Client) -> None:
        async def one() -> None:
            told.append(error_of(await client.call_tool("recall", {"query": "x"})))

        async with anyio.create_task_group() as group:
            for _ in range(8):
                group.start_soon(one)

    talk(ask, opens=opens)
    assert told == ["no server answers at 127.0.0.1"] * 8
    assert tried == [1]


def test_a_palace_that_is_still_opening_is_closed_when_it_is() -> None:
    closed, goes_on = threading.Event(), threading.Event()

    class Closing:
        close = closed.set

    def opens() -> Any:
        goes_on.wait(20)
        return Closing

    opening = Opening(opens)
    threading.Thread(target=opening.palace, daemon=True).start()
    while not opening._opened:
        time.sleep(0.01)
    opening.close()
    assert not closed.is_set()
    goes_on.set()
    assert closed.wait(20)


def test_a_database_that_stopped_is_one_line_and_then_works_again(palace: Palace, talk: Talk, host: Host) -> None:
    palace.note("Mara's spare key is with Derek.")

    async def ask(client: Client) -> Any:
        with away(host, palace):
            gone = await client.call_tool("recall", {"query": "who has the spare key?"})
        return gone, await client.call_tool("recall", {"query": "who has the spare key?"})

    gone, again = talk(ask)
    assert error_of(gone)
    assert "Derek" in text_of(again)
