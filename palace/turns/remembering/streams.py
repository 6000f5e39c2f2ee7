"""Streams that are passed on piece by piece, and told of when they end: read to the end, closed, left or broken."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import suppress
from types import TracebackType
from typing import Any, Self

from palace.turns.remembering.pieces import Pieces

OnEnd = Callable[[object], None]


class _Stream:
    """What both kinds share; whatever else is asked of it, the client's own stream answers."""

    def __init__(self, inner: Any, on_end: OnEnd) -> None:
        self._inner, self._on_end = inner, on_end
        self._pieces, self._is_over = Pieces(), False

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    def _took(self, piece: object) -> Any:
        # A piece of a shape that nobody knows is passed on all the same.
        with suppress(AttributeError, TypeError, ValueError, LookupError):
            self._pieces.take(piece)
        return piece

    def _end(self) -> None:
        if not self._is_over:
            self._is_over = True
            self._on_end(self._pieces.message())


class RememberedStream(_Stream):
    """A stream."""

    def __iter__(self) -> Iterator[Any]:
        return self

    def __next__(self) -> Any:
        try:
            return self._took(next(self._inner))
        except BaseException:  # its end, or whatever breaks it off: what was said until then was said
            self._end()
            raise

    def __enter__(self) -> Self:
        if hasattr(self._inner, "__enter__"):
            self._inner.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if hasattr(self._inner, "__exit__"):
                self._inner.__exit__(kind, problem, trace)
        finally:
            self._end()

    def close(self) -> None:
        """End the stream early."""
        try:
            if hasattr(self._inner, "close"):
                self._inner.close()
        finally:
            self._end()

    def __del__(self) -> None:
        if not self.__dict__.get("_is_over", True):
            self._end()


class RememberedAsyncStream(_Stream):
    """A stream that is awaited; one that is read to its end holds up nobody but the task that reads it."""

    def __aiter__(self) -> AsyncIterator[Any]:
        return self

    async def __anext__(self) -> Any:
        try:
            return self._took(await anext(self._inner))
        except StopAsyncIteration:
            await asyncio.to_thread(self._end)
            raise
        except BaseException:  # a cancelled task, or whatever breaks it off: there is no time to await anything
            self._end()
            raise

    async def __aenter__(self) -> Self:
        if hasattr(self._inner, "__aenter__"):
            await self._inner.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if hasattr(self._inner, "__aexit__"):
                await self._inner.__aexit__(kind, problem, trace)
        finally:
            self._end()

    async def close(self) -> None:
        """End the stream early."""
        try:
            if hasattr(self._inner, "close"):
                await self._inner.close()
        finally:
            self._end()

    def __del__(self) -> None:
        if not self.__dict__.get("_is_over", True):
            self._end()
