"""Add memory to a program's own model calls: recall before each, filing after it, the reply unchanged.

Functions like ``litellm.completion`` are recognised by their ``messages`` parameter, OpenAI clients by their
attributes. Neither package is imported.
"""

from __future__ import annotations

import asyncio
import inspect
import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial, wraps
from typing import Any, TypeVar, cast

from palace.agent.guard import Outcome, log_failure
from palace.agent.options import TurnOptions
from palace.agent.turn import Turn
from palace.errors import BadRequest, PalaceError

Wrapped = TypeVar("Wrapped")
_WRAPPED = ("chat", "completions", "create")
"""The attribute path to the function of a client that calls a model."""


def remember(
    wrapped: Wrapped,
    palace: Any,
    *,
    session: str | None = None,
    agent: str | None = None,
    options: TurnOptions | None = None,
) -> Wrapped:
    """Wrap a function or client that calls a model, so that each call recalls before it and is filed after it.

    ``wrapped`` is ``litellm.completion``, ``litellm.acompletion``, any function that takes ``messages`` by name, or an
    object with ``chat.completions.create``, as ``openai.OpenAI`` and ``AsyncOpenAI`` are; the object itself is not
    changed. The reply is returned as it came; a stream is filed when it ends. A message is recalled for once, not again
    when tools have answered. Failures of memory never fail the call.

    Raises:
        BadRequest: ``wrapped`` is neither.
    """
    memory = _Memory(palace, session, agent, options)
    if callable(getattr(getattr(getattr(wrapped, "chat", None), "completions", None), "create", None)):
        return cast(Wrapped, _Client(wrapped, _WRAPPED, memory.wrap))
    if callable(wrapped) and not isinstance(wrapped, type):
        return cast(Wrapped, memory.wrap(wrapped))
    raise BadRequest(
        "remember wraps a function that takes messages, such as litellm.completion, or a client that has"
        f" chat.completions.create, not {type(wrapped).__name__}"
    )


@dataclass(frozen=True, slots=True)
class _Memory:
    """Wraps functions for one palace and conversation."""

    palace: Any
    session: str | None = None
    agent: str | None = None
    options: TurnOptions | None = None

    def wrap(self, call: Callable[..., Any]) -> Callable[..., Any]:
        """Return a wrapped function; a coroutine function stays one."""
        if inspect.iscoroutinefunction(inspect.unwrap(call)):

            @wraps(call, updated=())
            async def acall(*given: Any, **named: Any) -> Any:
                # In a thread, so that the event loop is not blocked.
                given, named, turn = await asyncio.to_thread(self._begin, call, given, named)
                return await self._awaited(turn, call(*given, **named))

            return acall

        @wraps(call, updated=())
        def scall(*given: Any, **named: Any) -> Any:
            given, named, turn = self._begin(call, given, named)
            reply = call(*given, **named)
            if inspect.isawaitable(reply):
                return self._awaited(turn, reply)
            if named.get("stream") and hasattr(reply, "__next__"):
                return _Stream(reply, partial(self._finish, turn))
            self._finish(turn, reply)
            return reply

        return scall

    async def _awaited(self, turn: Turn | None, awaitable: Awaitable[Any]) -> Any:
        reply = await awaitable
        if hasattr(reply, "__anext__"):
            return _Stream(reply, partial(self._finish, turn))
        await asyncio.to_thread(self._finish, turn, reply)
        return reply

    def _begin(
        self, call: Callable[..., Any], given: tuple[Any, ...], named: dict[str, Any]
    ) -> tuple[tuple[Any, ...], dict[str, Any], Turn | None]:
        """Return the arguments of a call with memories added, and its turn; unchanged and None where that fails."""
        started, bound = time.perf_counter(), {}
        if given:
            with suppress(TypeError, ValueError):
                bound = inspect.signature(call).bind_partial(*given).arguments
        messages = {**bound, **named}.get("messages")
        if not isinstance(messages, (list, tuple)) or not messages:
            return given, named, None
        if "messages" in bound:
            given, named = (), {**bound, **named}
        try:
            turn: Turn | None = self.palace.turns.take_request(
                messages, agent=self.agent, session=self.session, options=self.options
            )
        except Exception as problem:  # noqa: BLE001 — the program's call is made whatever memory makes of its messages
            code = problem.code if isinstance(problem, PalaceError) else "fault"
            log_failure("turn", Outcome(code), step="begin", started=started)
            return given, named, None
        return given, {**named, "messages": turn.messages} if turn else named, turn

    @staticmethod
    def _finish(turn: Turn | None, reply: object) -> None:
        """File the exchange, if there was a turn."""
        if turn is None or reply is None:
            return
        started = time.perf_counter()
        try:
            turn.finish(reply)
        except Exception:  # noqa: BLE001 — the reply is the program's, whatever memory makes of it
            log_failure("turn_finished", Outcome("fault"), step="finish", started=started)


class _Proxy:
    """Delegates every attribute to another object."""

    def __init__(self, inner: Any) -> None:
        self._inner = inner

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    def __enter__(self) -> Any:
        if hasattr(self._inner, "__enter__"):
            self._inner.__enter__()
        return self

    def __exit__(self, *ended: Any) -> Any:
        return self._inner.__exit__(*ended) if hasattr(self._inner, "__exit__") else None

    async def __aenter__(self) -> Any:
        if hasattr(self._inner, "__aenter__"):
            await self._inner.__aenter__()
        return self

    async def __aexit__(self, *ended: Any) -> Any:
        return await self._inner.__aexit__(*ended) if hasattr(self._inner, "__aexit__") else None


class _Client(_Proxy):
    """A proxy that replaces the attribute at the end of a path."""

    def __init__(self, inner: Any, path: tuple[str, ...], change: Callable[[Any], Any]) -> None:
        super().__init__(inner)
        self._path, self._change = path, change

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._inner, name)
        if name == self._path[0]:
            return self._change(found) if len(self._path) == 1 else _Client(found, self._path[1:], self._change)
        if name in ("with_options", "copy") and callable(found):
            # It returns another client, which remembers as well.
            return lambda *given, **named: _Client(found(*given, **named), self._path, self._change)
        return found


class _Stream(_Proxy):
    """A stream that is passed through, and filed once it is read to its end, closed, left or broken off."""

    def __init__(self, inner: Any, on_end: Callable[[object], None]) -> None:
        super().__init__(inner)
        self._on_end, self._is_over = on_end, False
        self._texts: dict[str, list[str]] = {"content": [], "refusal": []}
        self._calls: dict[int, dict[str, Any]] = {}

    def __iter__(self) -> Any:
        return self

    def __aiter__(self) -> Any:
        return self

    def __next__(self) -> Any:
        try:
            return self._took(next(self._inner))
        except BaseException:  # its end, or whatever breaks it off: what was said until then was said
            self._end()
            raise

    async def __anext__(self) -> Any:
        try:
            return self._took(await anext(self._inner))
        except StopAsyncIteration:  # one that is read to its end holds up nobody but the task that reads it
            await asyncio.to_thread(self._end)
            raise
        except BaseException:  # a cancelled task, or whatever breaks it off: there is no time to await anything
            self._end()
            raise

    def __exit__(self, *ended: Any) -> Any:
        try:
            return super().__exit__(*ended)
        finally:
            self._end()

    async def __aexit__(self, *ended: Any) -> Any:
        try:
            return await super().__aexit__(*ended)
        finally:
            self._end()

    def close(self) -> Any:
        """Close the stream early; an asynchronous one returns an awaitable."""
        try:
            return self._inner.close() if hasattr(self._inner, "close") else None
        finally:
            self._end()

    def __del__(self) -> None:
        if "_calls" in self.__dict__:
            self._end()

    def _took(self, piece: object) -> Any:
        # A chunk of unknown shape is passed on unchanged.
        with suppress(AttributeError, TypeError, ValueError, LookupError):
            self._take(piece)
        return piece

    def _take(self, piece: object) -> None:
        choices = _get(piece, "choices")
        first = choices[0] if isinstance(choices, (list, tuple)) and choices else None
        if first is None or _get(first, "index") not in (None, 0):
            return
        delta = _get(first, "delta")
        for name, texts in self._texts.items():
            if isinstance(said := _get(delta, name), str):
                texts.append(said)
        calls = _get(delta, "tool_calls")
        for each in calls if isinstance(calls, (list, tuple)) else ():
            index = _get(each, "index")
            empty = {"id": None, "type": "function", "function": {"name": "", "arguments": ""}}
            call = self._calls.setdefault(index if isinstance(index, int) else len(self._calls), empty)
            call["id"] = _get(each, "id") or call["id"]
            for name in ("name", "arguments"):
                if isinstance(said := _get(_get(each, "function"), name), str):
                    call["function"][name] += said

    def _end(self) -> None:
        """File the message as far as it came, once; nothing if it is empty."""
        if self._is_over:
            return
        self._is_over = True
        text = "".join(self._texts["content"]) or "".join(self._texts["refusal"])
        message: dict[str, Any] = {"role": "assistant", "content": text or None}
        if self._calls:
            message["tool_calls"] = [call for _, call in sorted(self._calls.items())]
        self._on_end(message if text or self._calls else None)


def _get(value: object, name: str) -> Any:
    return value.get(name) if isinstance(value, Mapping) else getattr(value, name, None)
