"""Serve MCP over a pair of streams: one message per line, until the client closes its end or a signal arrives."""

from __future__ import annotations

import json
import os
import re
import signal
from collections.abc import AsyncIterator
from contextlib import suppress
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
"""Bytes of one message, as over HTTP; a longer one is skipped and answered by an error."""
PIECE = 1 << 16

FINISHING_SECONDS = 1.5
"""Seconds for requests under way after the client has closed its end, so that ``printf … | palace mcp`` is answered.
Clients wait two seconds for a server to exit."""

_ID = rb'("(?:[^"\\]|\\.){0,200}"|-?\d{1,18})'
_AT_ITS_BEGINNING = re.compile(rb'\s*\{\s*"jsonrpc"\s*:\s*"2\.0"\s*,\s*"id"\s*:\s*' + _ID)
_AT_ITS_END = re.compile(rb'\}\s*,\s*"jsonrpc"\s*:\s*"2\.0"\s*,\s*"id"\s*:\s*' + _ID + rb"\s*\}\s*$")
"""Where clients built on the protocol's own SDKs write a message's id: before or after its other members."""

TOO_LONG = f"a message has at most {LARGEST_MESSAGE:,} bytes"


class NoMessage(ValueError):
    """A line that is no valid message; ``id`` is the request id for the error response, or None."""

    def __init__(self, told: str, code: int, ident: str | int | None = None) -> None:
        super().__init__(told)
        self.code, self.id = code, ident


def read_message(line: bytes) -> types.JSONRPCMessage:
    """Parse a message; lone surrogates, as written by programs that cut text anywhere, are read as "?".

    Raises:
        NoMessage: it is invalid.
    """
    if len(line.rstrip(b"\n")) > LARGEST_MESSAGE:
        raise NoMessage(TOO_LONG, types.INVALID_REQUEST, _id_in(line))
    try:
        fields = json.loads(line)
    except (ValueError, RecursionError):
        raise NoMessage("not JSON", types.PARSE_ERROR) from None
    ident = fields.get("id") if isinstance(fields, dict) else None
    # A request with a null id would be taken for a notification, and its client would wait for ever.
    if isinstance(fields, dict) and "id" in fields and (isinstance(ident, bool) or not isinstance(ident, (str, int))):
        raise NoMessage("a message's id is a text or a whole number", types.INVALID_REQUEST)
    try:
        whole = json.dumps(fields, ensure_ascii=False).encode("utf-8", "replace")
        return types.jsonrpc_message_adapter.validate_json(whole, by_name=False)
    except (ValidationError, RecursionError):
        raise NoMessage("not a message of JSON-RPC 2.0", types.INVALID_REQUEST, ident) from None


def _id_in(line: bytes) -> str | int | None:
    found = _AT_ITS_BEGINNING.match(line) or _AT_ITS_END.search(line[-PIECE:])
    if found is None:
        return None
    with suppress(ValueError):
        ident = json.loads(found[1])
        return ident if isinstance(ident, (str, int)) else None
    return None


def serve(server: Server[Any], wire: Wire) -> None:
    """Serve one client until it disconnects or a signal arrives."""
    anyio.run(_Served(server, wire).run)


class _Served:
    def __init__(self, server: Server[Any], wire: Wire) -> None:
        self.server, self.wire = server, wire
        self.under_way, self.lock, self.rest = 0, anyio.Lock(), b""
        server.middleware.append(self._count)

    async def run(self) -> None:
        into, reads = anyio.create_memory_object_stream[SessionMessage | Exception](0)
        writes, out_of = anyio.create_memory_object_stream[SessionMessage](0)
        with anyio.open_signal_receiver(signal.SIGTERM, signal.SIGINT, signal.SIGHUP) as signals:
            async with anyio.create_task_group() as group:
                group.start_soon(_end_at, signals, group)
                group.start_soon(self._read, into)
                group.start_soon(self._write, out_of, group)
                await self.server.run(reads, writes, self.server.create_initialization_options())
                group.cancel_scope.cancel()

    async def _count(self, ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
        self.under_way += 1
        try:
            return await call_next(ctx)
        finally:
            self.under_way -= 1

    async def _read(self, into: MemoryObjectSendStream[SessionMessage | Exception]) -> None:
        # Errors are answered at once, when the client may no longer read.
        with suppress(anyio.BrokenResourceError, anyio.ClosedResourceError, OSError):
            async with into:
                # A thread blocked in a read cannot be cancelled: it is abandoned, and ends with the process.
                while line := await to_thread.run_sync(self._read_line, abandon_on_cancel=True):
                    if line.strip():
                        await self._pass_on(line, into)
                await self._finish()

    async def _pass_on(self, line: bytes, into: MemoryObjectSendStream[SessionMessage | Exception]) -> None:
        try:
            message = read_message(line)
        except NoMessage as problem:
            error = {"jsonrpc": "2.0", "id": problem.id, "error": {"code": problem.code, "message": str(problem)}}
            await self._write_line(json.dumps(error))
        else:
            await into.send(SessionMessage(message))

    def _read_line(self) -> bytes:
        """Read a line, b"" at the end; of one that is too long, only its beginning and end."""
        line = bytearray()
        while True:
            piece, end, self.rest = self.rest.partition(b"\n")
            line += piece
            del line[LARGEST_MESSAGE + 1 : -PIECE]
            if end:
                return bytes(line) + end
            self.rest = self._read_piece()
            if not self.rest:
                return bytes(line)

    def _read_piece(self) -> bytes:
        while True:
            try:
                return os.read(self.wire.reads, PIECE)
            except BlockingIOError:
                # The other end of a terminal or socket may have made the descriptor non-blocking.
                select([self.wire.reads], [], [])
            except OSError:  # the writing end is closed
                return b""

    async def _write(self, out_of: MemoryObjectReceiveStream[SessionMessage], group: TaskGroup) -> None:
        async with out_of:
            async for each in out_of:
                try:
                    await self._write_line(each.message.model_dump_json(by_alias=True, exclude_unset=True))
                except OSError:  # the reading end is closed
                    group.cancel_scope.cancel()
                    return

    async def _write_line(self, text: str) -> None:
        async with self.lock:
            await to_thread.run_sync(self._write_bytes, text.encode("utf-8", "replace") + b"\n", abandon_on_cancel=True)

    def _write_bytes(self, data: bytes) -> None:
        rest = memoryview(data)
        while rest:
            try:
                rest = rest[os.write(self.wire.writes, rest) :]
            except BlockingIOError:
                select([], [self.wire.writes], [])

    async def _finish(self) -> None:
        """Wait shortly for requests that arrived before the client closed its end."""
        with anyio.move_on_after(FINISHING_SECONDS):
            await anyio.sleep(0.05)
            while self.under_way:
                await anyio.sleep(0.02)


async def _end_at(signals: AsyncIterator[signal.Signals], group: TaskGroup) -> None:
    async for _ in signals:
        group.cancel_scope.cancel()
        return
