"""Memory around a program's own calls of a model: recall before each, filing after it, the reply as it came.

``litellm.completion`` and its like are wrapped by what they take, a client of the OpenAI package by what it has.
Neither package is imported.
"""

from __future__ import annotations

import asyncio
import inspect
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial, wraps
from types import TracebackType
from typing import Any, Protocol, Self, TypeVar, cast

from palace.agent.guard import Outcome, log_failure
from palace.agent.options import TurnOptions
from palace.agent.turn import Turn
from palace.errors import BadRequest, PalaceError

Wrapped = TypeVar("Wrapped")
OnEnd = Callable[[object], None]


class Remembering(Protocol):
    """A palace, as far as this needs one."""

    @property
    def turns(self) -> Any:
        """The verbs of its turn loop, ``take_request`` among them."""


def remember(
    wrapped: Wrapped,
    palace: Remembering,
    *,
    session: str | None = None,
    agent: str | None = None,
    options: TurnOptions | None = None,
) -> Wrapped:
    """Give a function that calls a model, or a client, with memory: recall before each call, filing after it.

    ``wrapped`` is ``litellm.completion``, ``litellm.acompletion``, any function that takes ``messages`` by name, or an
    object with ``chat.completions.create``, as ``openai.OpenAI`` and ``AsyncOpenAI`` are; the object itself is not
    changed. What the call gives back is what it gave: a reply, or a stream of pieces, which is filed when it ends. Once
    a message of the person is recalled for, not again when tools have answered. Memory fails no call.

    Raises:
        BadRequest: it is neither.
    """
    memory = _Memory(palace, session, agent, options)
    if callable(getattr(getattr(getattr(wrapped, "chat", None), "completions", None), "create", None)):
        return cast(Wrapped, _Path(wrapped, ("chat", "completions", "create"), partial(_function, memory)))
    if callable(wrapped) and not isinstance(wrapped, type):
        return cast(Wrapped, _function(memory, wrapped))
    raise BadRequest(
        "remember wraps a function that takes messages, such as litellm.completion, or a client that has"
        f" chat.completions.create, not {type(wrapped).__name__}"
    )


@dataclass(frozen=True, slots=True)
class _Memory:
    """Whose memory it is, and of which conversation."""

    palace: Remembering
    session: str | None = None
    agent: str | None = None
    options: TurnOptions | None = None

    def before(self, arguments: Mapping[str, Any], started: float) -> tuple[dict[str, Any], Turn | None]:
        """Put what is recalled into the arguments of a call; they are as they were where that fails."""
        given = dict(arguments)
        messages = given.get("messages")
        if not isinstance(messages, (list, tuple)) or not messages:
            return given, None
        try:
            turn: Turn | None = self.palace.turns.take_request(
                messages, agent=self.agent, session=self.session, options=self.options
            )
        except Exception as problem:  # noqa: BLE001 — the program's call is made whatever memory makes of its messages
            code = problem.code if isinstance(problem, PalaceError) else "fault"
            log_failure("turn", Outcome(code), step="begin", started=started)
            return given, None
        if turn is not None:
            given["messages"] = turn.messages
        return given, turn

    @staticmethod
    def after(turn: Turn | None, reply: object) -> None:
        """File what was said."""
        if turn is None or reply is None:
            return
        started = time.perf_counter()
        try:
            turn.finish(reply)
        except Exception:  # noqa: BLE001 — the reply is the program's, whatever memory makes of it
            log_failure("turn_finished", Outcome("fault"), step="finish", started=started)


class _Path:
    """An object of which one attribute, at the end of a path, is another; all else is the object's own."""

    def __init__(self, inner: Any, path: tuple[str, ...], change: Callable[[Any], Any]) -> None:
        self._inner, self._path, self._change = inner, path, change

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._inner, name)
        if name == self._path[0]:
            return self._change(found) if len(self._path) == 1 else _Path(found, self._path[1:], self._change)
        if name in ("with_options", "copy") and callable(found):
            # A client of the same kind: it remembers as well.
            return lambda *given, **named: _Path(found(*given, **named), self._path, self._change)
        return found

    def __enter__(self) -> Any:
        self._inner.__enter__()
        return self

    def __exit__(self, *ended: Any) -> Any:
        return self._inner.__exit__(*ended)

    async def __aenter__(self) -> Any:
        await self._inner.__aenter__()
        return self

    async def __aexit__(self, *ended: Any) -> Any:
        return await self._inner.__aexit__(*ended)


def _function(memory: _Memory, call: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap a function; one that gives something to be awaited is awaited."""
    if inspect.iscoroutinefunction(call) or inspect.iscoroutinefunction(inspect.unwrap(call)):

        @wraps(call, updated=())
        async def acall(*given: Any, **named: Any) -> Any:
            started = time.perf_counter()
            given, named = _by_name(call, given, named)
            # In a thread: the loop goes on with its other tasks.
            named, turn = await asyncio.to_thread(memory.before, named, started)
            return await _awaited(memory, turn, call(*given, **named))

        return acall

    @wraps(call, updated=())
    def scall(*given: Any, **named: Any) -> Any:
        given, named = _by_name(call, given, named)
        named, turn = memory.before(named, time.perf_counter())
        reply = call(*given, **named)
        if inspect.isawaitable(reply):
            return _awaited(memory, turn, reply)
        if named.get("stream") and hasattr(reply, "__next__"):
            return _SyncStream(reply, partial(memory.after, turn))
        memory.after(turn, reply)
        return reply

    return scall


async def _awaited(memory: _Memory, turn: Turn | None, awaitable: Awaitable[Any]) -> Any:
    reply = await awaitable
    if hasattr(reply, "__anext__"):
        return _AsyncStream(reply, partial(memory.after, turn))
    await asyncio.to_thread(memory.after, turn, reply)
    return reply


def _by_name(
    call: Callable[..., Any], given: tuple[Any, ...], named: dict[str, Any]
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Name what was given by position, where the messages are among it."""
    if not given:
        return given, named
    try:
        bound = inspect.signature(call).bind_partial(*given).arguments
    except (TypeError, ValueError):
        return given, named
    return ((), {**bound, **named}) if isinstance(bound.get("messages"), (list, tuple)) else (given, named)


class _Stream:
    """A stream that is passed on piece by piece, and filed when it ends: read to the end, closed, left or broken.

    Whatever else is asked of it, the client's own stream answers.
    """

    def __init__(self, inner: Any, on_end: OnEnd) -> None:
        self._inner, self._on_end, self._is_over = inner, on_end, False
        self._text: list[str] = []
        self._refusal: list[str] = []
        self._calls: dict[int, dict[str, Any]] = {}

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    def __del__(self) -> None:
        if not self.__dict__.get("_is_over", True):
            self._end()

    def _took(self, piece: object) -> Any:
        # A piece of a shape that nobody knows is passed on all the same.
        with suppress(AttributeError, TypeError, ValueError, LookupError):
            self._take(piece)
        return piece

    def _end(self) -> None:
        if not self._is_over:
            self._is_over = True
            self._on_end(self._message())

    def _take(self, piece: object) -> None:
        """Add a piece in the shape of OpenAI's to the message."""
        choices = _get(piece, "choices")
        first = choices[0] if isinstance(choices, (list, tuple)) and choices else None
        if first is None or _get(first, "index") not in (None, 0):
            return
        delta = _get(first, "delta")
        for name, into in (("content", self._text), ("refusal", self._refusal)):
            if isinstance(said := _get(delta, name), str):
                into.append(said)
        calls = _get(delta, "tool_calls")
        for call in calls if isinstance(calls, (list, tuple)) else ():
            self._take_call(call)

    def _take_call(self, piece: object) -> None:
        index = _get(piece, "index")
        call = self._calls.setdefault(
            index if isinstance(index, int) else len(self._calls),
            {"id": None, "type": "function", "function": {"name": "", "arguments": ""}},
        )
        call["id"] = _get(piece, "id") or call["id"]
        function = _get(piece, "function")
        for name in ("name", "arguments"):
            if isinstance(said := _get(function, name), str):
                call["function"][name] += said

    def _message(self) -> dict[str, Any] | None:
        """Return the message as far as it came; None where nothing was said."""
        text = "".join(self._text) or "".join(self._refusal)
        if not text and not self._calls:
            return None
        made: dict[str, Any] = {"role": "assistant", "content": text or None}
        if self._calls:
            made["tool_calls"] = [call for _, call in sorted(self._calls.items())]
        return made


class _SyncStream(_Stream):
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


class _AsyncStream(_Stream):
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


def _get(value: object, name: str) -> Any:
    return value.get(name) if isinstance(value, Mapping) else getattr(value, name, None)
