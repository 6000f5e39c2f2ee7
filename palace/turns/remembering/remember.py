"""Wrapping what calls a model: ``litellm.completion`` and its like, or a client of the OpenAI package.

Nothing of either package is imported: a function is wrapped by what it takes, a client by what it has.
"""

from __future__ import annotations

import asyncio
import inspect
import time
from collections.abc import Awaitable, Callable
from functools import partial, wraps
from typing import Any, TypeVar, cast

from palace.errors import BadRequest
from palace.turns.loop.options import TurnOptions
from palace.turns.loop.turn import Turn
from palace.turns.remembering.memory import Memory, Remembering
from palace.turns.remembering.streams import RememberedAsyncStream, RememberedStream

Wrapped = TypeVar("Wrapped")


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
    memory = Memory(palace, session, agent, options)
    if callable(getattr(getattr(getattr(wrapped, "chat", None), "completions", None), "create", None)):
        return cast(Wrapped, _Path(wrapped, ("chat", "completions", "create"), partial(_function, memory)))
    if callable(wrapped) and not isinstance(wrapped, type):
        return cast(Wrapped, _function(memory, wrapped))
    raise BadRequest(
        "remember wraps a function that takes messages, such as litellm.completion, or a client that has"
        f" chat.completions.create, not {type(wrapped).__name__}"
    )


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


def _function(memory: Memory, call: Callable[..., Any]) -> Callable[..., Any]:
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
            return RememberedStream(reply, partial(memory.after, turn))
        memory.after(turn, reply)
        return reply

    return scall


async def _awaited(memory: Memory, turn: Turn | None, awaitable: Awaitable[Any]) -> Any:
    reply = await awaitable
    if hasattr(reply, "__anext__"):
        return RememberedAsyncStream(reply, partial(memory.after, turn))
    await asyncio.to_thread(memory.after, turn, reply)
    return reply


def _by_name(
    call: Callable[..., Any], given: tuple[Any, ...], named: dict[str, Any]
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Name what was given by place, where the messages are among it."""
    if not given:
        return given, named
    try:
        bound = inspect.signature(call).bind_partial(*given).arguments
    except (TypeError, ValueError):
        return given, named
    return ((), {**bound, **named}) if isinstance(bound.get("messages"), (list, tuple)) else (given, named)
