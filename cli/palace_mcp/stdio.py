"""The protocol over a pair of streams: a message a line, until the client closes its end or a signal comes."""

from __future__ import annotations

import json
import os
import re
import signal
from collections.abc import AsyncIterator
from contextlib import suppress
from math import isfinite
from select import select
from typing import Any

import anyio
from anyio import to_thread
from anyio.abc import TaskGroup
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp import types
from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.shared.message import SessionMessage
from pydantic import ValidationError

from palace_mcp.wire import Wire

LARGEST_MESSAGE = 4 << 20
"""Bytes of one message, as over HTTP: what is longer is passed over, and answered by an error."""

PIECE = 1 << 16

FINISHING_SECONDS = 1.5
"""How long what was asked may take when the client has closed its end: ``printf … | palace mcp`` is answered. Clients
wait two seconds for a program to end."""

_ID = rb'("(?:[^"\\]|\\.){0,200}"|-?\d{1,18})'
_AT_ITS_BEGINNING = re.compile(rb'\s*\{\s*"jsonrpc"\s*:\s*"2\.0"\s*,\s*"id"\s*:\s*' + _ID)
_AT_ITS_END = re.compile(rb'\}\s*,\s*"jsonrpc"\s*:\s*"2\.0"\s*,\s*"id"\s*:\s*' + _ID + rb"\s*\}\s*$")
"""Where the clients of the protocol's authors write a message's id, before and behind what it is about."""


_HALVES = re.compile("[\ud800-\udfff]")
_NO_MESSAGE = "not a message of JSON-RPC 2.0"


class TooLong(ValueError):
    """A message that is not read; ``id`` is what its answer is to name, None where it cannot be told."""

    def __init__(self, ident: str | int | None) -> None:
        super().__init__(f"a message has at most {LARGEST_MESSAGE:,} bytes")
        self.id = ident


class NoMessage(ValueError):
    """A line that is no message; ``id`` is what its answer is to name, None where it names none."""

    def __init__(self, told: str, code: int, ident: str | float | None = None) -> None:
        super().__init__(told)
        self.code, self.id = code, ident


def read_message(line: bytes) -> types.JSONRPCMessage:
    """Read a message; halves of signs, as programs write them that cut a text anywhere, are what cannot be read.

    Raises:
        NoMessage: it is none.
    """
    try:
        message = types.jsonrpc_message_adapter.validate_json(line, by_name=False)
        # A request whose id is none would pass for what wants no answer, and whoever asked would wait.
        if not isinstance(message, types.JSONRPCNotification) or b"id" not in line:
            return message
    except ValidationError:
        pass
    try:
        given = json.loads(line)
    except (ValueError, RecursionError):
        raise NoMessage("not JSON", types.PARSE_ERROR) from None
    ident = given.get("id") if isinstance(given, dict) else None
    if not isinstance(given, dict) or ("id" in given and not _is_id(ident)):
        named = ident if isinstance(ident, float) and isfinite(ident) else None
        told = "a message's id is a text or a whole number" if isinstance(given, dict) else _NO_MESSAGE
        raise NoMessage(told, types.INVALID_REQUEST, named)
    try:
        whole = _HALVES.sub("\N{REPLACEMENT CHARACTER}", json.dumps(given, ensure_ascii=False))
        return types.jsonrpc_message_adapter.validate_json(whole, by_name=False)
    except (ValidationError, RecursionError):
        raise NoMessage(_NO_MESSAGE, types.INVALID_REQUEST, ident) from None


def _is_id(value: object) -> bool:
    return isinstance(value, (str, int)) and not isinstance(value, bool)


def serve(server: Server[Any], wire: Wire) -> None:
    """Serve one client until it is gone, or a signal asks for the end."""
    anyio.run(_Served(server, wire).run)


class _Served:
    def __init__(self, server: Server[Any], wire: Wire) -> None:
        self.server = server
        self.lines = Lines(wire.reads)
        self.writes = Writes(wire.writes)
        self.under_way = 0
        server.middleware.append(self._counting)

    async def run(self) -> None:
        with anyio.open_signal_receiver(signal.SIGTERM, signal.SIGINT, signal.SIGHUP) as signals:
            async with anyio.create_task_group() as group:
                group.start_soon(_end_at, signals, group)
                await self._serve()
                group.cancel_scope.cancel()

    async def _serve(self) -> None:
        into, reads = anyio.create_memory_object_stream[SessionMessage | Exception](0)
        writes, out_of = anyio.create_memory_object_stream[SessionMessage](0)
        async with anyio.create_task_group() as group:
            group.start_soon(self._read, into)
            group.start_soon(self._write, out_of, group)
            await self.server.run(reads, writes, self.server.create_initialization_options())
            group.cancel_scope.cancel()

    async def _counting(self, ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
        self.under_way += 1
        try:
            return await call_next(ctx)
        finally:
            self.under_way -= 1

    async def _read(self, into: MemoryObjectSendStream[SessionMessage | Exception]) -> None:
        # What is refused is answered at once, and nobody may read that any more.
        with suppress(anyio.BrokenResourceError, anyio.ClosedResourceError, OSError):
            async with into:
                async for line in self.lines:
                    message = await self._message(line)
                    if message is not None:
                        await into.send(SessionMessage(message))
                await self._finished()

    async def _message(self, line: bytes | TooLong) -> Any:
        if isinstance(line, TooLong):
            await self._refuse(line.id, types.INVALID_REQUEST, str(line))
            return None
        if not line.strip():
            return None
        try:
            return read_message(line)
        except NoMessage as problem:
            await self._refuse(problem.id, problem.code, str(problem))
            return None

    async def _refuse(self, ident: str | float | None, code: int, told: str) -> None:
        error = {"jsonrpc": "2.0", "id": ident, "error": {"code": code, "message": told}}
        await self.writes.line(json.dumps(error))

    async def _write(self, out_of: MemoryObjectReceiveStream[SessionMessage], group: TaskGroup) -> None:
        async with out_of:
            async for each in out_of:
                try:
                    await self.writes.line(each.message.model_dump_json(by_alias=True, exclude_unset=True))
                except OSError:
                    # Nobody reads any more.
                    group.cancel_scope.cancel()
                    return

    async def _finished(self) -> None:
        """Wait for what was asked before the client closed its end, for a moment."""
        with anyio.move_on_after(FINISHING_SECONDS):
            await anyio.sleep(0.05)
            while self.under_way:
                await anyio.sleep(0.02)


async def _end_at(signals: AsyncIterator[signal.Signals], group: TaskGroup) -> None:
    async for _ in signals:
        group.cancel_scope.cancel()
        return


class Lines:
    """The lines that come from a descriptor, each without its end; what is too long is passed over as it comes."""

    def __init__(self, descriptor: int, *, largest: int = LARGEST_MESSAGE) -> None:
        self._descriptor = descriptor
        self._largest = largest
        self._rest = b""
        self._is_over = False

    def __aiter__(self) -> Lines:
        return self

    async def __anext__(self) -> bytes | TooLong:
        # A thread that waits for a line cannot be called back: it is left behind, as the process is.
        line = await to_thread.run_sync(self.read, abandon_on_cancel=True)
        if line is None:
            raise StopAsyncIteration
        return line

    def read(self) -> bytes | TooLong | None:
        """Read the next line; None where there is none any more."""
        begun, end, length = bytearray(), b"", 0
        while True:
            piece, is_whole, self._rest = self._rest.partition(b"\n")
            length += len(piece)
            begun += piece[: max(self._largest - len(begun), 0)]
            end = (end + piece)[-PIECE:]
            if is_whole:
                break
            self._more()
            if self._is_over:
                if not length:
                    return None
                break
        return bytes(begun) if length <= self._largest else TooLong(_id_in(bytes(begun[:PIECE]), end))

    def _more(self) -> None:
        try:
            self._rest = self._read()
        except OSError:
            self._rest = b""
        self._is_over = not self._rest

    def _read(self) -> bytes:
        while True:
            try:
                return os.read(self._descriptor, PIECE)
            except BlockingIOError:
                # Whoever holds the other end of a terminal or a socket may have had it not wait.
                select([self._descriptor], [], [])


class Writes:
    """Lines that go to a descriptor, one whole line after the other."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._lock = anyio.Lock()

    async def line(self, text: str) -> None:
        """Write a line.

        Raises:
            OSError: nobody reads it.
        """
        async with self._lock:
            await to_thread.run_sync(self._write, text.encode("utf-8", "replace") + b"\n", abandon_on_cancel=True)

    def _write(self, data: bytes) -> None:
        rest = memoryview(data)
        while rest:
            try:
                rest = rest[os.write(self._descriptor, rest) :]
            except BlockingIOError:
                select([], [self._descriptor], [])


def _id_in(beginning: bytes, end: bytes) -> str | int | None:
    found = _AT_ITS_BEGINNING.match(beginning) or _AT_ITS_END.search(end)
    if found is None:
        return None
    with suppress(ValueError):
        ident = json.loads(found[1])
        return ident if isinstance(ident, (str, int)) else None
    return None
