"""The protocol over a pair of streams: a message a line, until the client closes its end or a signal comes."""

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
"""Bytes of one message, as over HTTP: what is longer is passed over, and answered by an error."""
PIECE = 1 << 16

FINISHING_SECONDS = 1.5
"""How long what was asked may take when the client has closed its end: ``printf … | palace mcp`` is answered. Clients
wait two seconds for a program to end."""

_ID = rb'("(?:[^"\\]|\\.){0,200}"|-?\d{1,18})'
_AT_ITS_BEGINNING = re.compile(rb'\s*\{\s*"jsonrpc"\s*:\s*"2\.0"\s*,\s*"id"\s*:\s*' + _ID)
_AT_ITS_END = re.compile(rb'\}\s*,\s*"jsonrpc"\s*:\s*"2\.0"\s*,\s*"id"\s*:\s*' + _ID + rb"\s*\}\s*$")
"""Where the clients of the protocol's authors write a message's id, before and behind what it is about."""

TOO_LONG = f"a message has at most {LARGEST_MESSAGE:,} bytes"


class NoMessage(ValueError):
    """A line that is no message; ``id`` is what its answer is to name, None where it names none."""

    def __init__(self, told: str, code: int, ident: str | int | None = None) -> None:
        super().__init__(told)
        self.code, self.id = code, ident


def read_message(line: bytes) -> types.JSONRPCMessage:
    """Read a message; halves of characters, as programs write them that cut a text anywhere, are read as "?".

    Raises:
        NoMessage: it is none.
    """
    if len(line.rstrip(b"\n")) > LARGEST_MESSAGE:
        raise NoMessage(TOO_LONG, types.INVALID_REQUEST, _id_in(line))
    try:
        fields = json.loads(line)
    except (ValueError, RecursionError):
        raise NoMessage("not JSON", types.PARSE_ERROR) from None
    ident = fields.get("id") if isinstance(fields, dict) else None
    # A request whose id is none would pass for what wants no answer, and whoever asked would wait.
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
    """Serve one client until it is gone, or a signal asks for the end."""
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
        # What is refused is answered at once, and nobody may read that any more.
        with suppress(anyio.BrokenResourceError, anyio.ClosedResourceError, OSError):
            async with into:
                # A thread that waits for a line cannot be called back: it is left behind, as the process is.
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
        """Read a line, b"" at the end; of one that is too long no more than shows that, and its end."""
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
                # Whoever holds the other end of a terminal or a socket may have had it not wait.
                select([self.wire.reads], [], [])
            except OSError:  # nobody writes any more
                return b""

    async def _write(self, out_of: MemoryObjectReceiveStream[SessionMessage], group: TaskGroup) -> None:
        async with out_of:
            async for each in out_of:
                try:
                    await self._write_line(each.message.model_dump_json(by_alias=True, exclude_unset=True))
                except OSError:  # nobody reads any more
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
        """Wait for what was asked before the client closed its end, for a moment."""
        with anyio.move_on_after(FINISHING_SECONDS):
            await anyio.sleep(0.05)
            while self.under_way:
                await anyio.sleep(0.02)


async def _end_at(signals: AsyncIterator[signal.Signals], group: TaskGroup) -> None:
    async for _ in signals:
        group.cancel_scope.cancel()
        return
