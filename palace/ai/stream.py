"""A language model whose reply is read while it is being written.

A thread of its own reads the pieces, so that their reader can be interrupted and need not wait for a provider that has
fallen silent.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from queue import Empty, Queue
from threading import Event, Thread
from typing import Any

from palace.ai.client import LONGEST_STREAM, lent, ours, the_client
from palace.ai.provider import CallFailed, Endpoint, failure_of, listed, missing_keys, no_reply, record_of
from palace.errors import LanguageModelError
from palace.models import CallRecord

SILENCE_SECONDS = 120.0
"""The longest silence of a model: one that runs on this machine may have to be loaded first."""

LONGEST_CHARACTERS = 2_000_000
"""The most characters read of a reply; a model that writes more has lost control."""

NO_KEY = "none"
"""The key for servers that need none: litellm refuses to call without one."""

_END = object()


class StreamedReply:
    """A reply as it arrives: its text in pieces, and the record of the call. Iterate once, then close."""

    def __init__(self, endpoint: Endpoint, messages: Sequence[Any], options: Mapping[str, Any] | None = None) -> None:
        """Start the call; only the import of litellm is waited for, which takes seconds the first time.

        ``options`` are further members of the request, such as ``tools``.
        """
        the_client()
        self._endpoint, self._options = endpoint, options or {}
        self._tool_calls: dict[int, list[str]] = {}
        self._started = time.monotonic()
        self._pieces: Queue[Any] = Queue()
        self._closed = Event()
        self._usage: Any = None
        self._outcome: CallFailed | None = None
        Thread(target=self._read, args=(list(messages),), name="palace-stream", daemon=True).start()

    def __iter__(self) -> Iterator[str]:
        """Yield each piece of the text as it arrives, without the model's reasoning.

        Raises:
            LanguageModelError: a key is missing, or the model did not reply, broke off, or fell silent.
        """
        length = 0
        try:
            while length <= LONGEST_CHARACTERS and (piece := self._next()) is not _END:
                if isinstance(piece, CallFailed):
                    self._outcome = piece
                    raise LanguageModelError(no_reply(piece), calls=piece.calls) from piece
                self._collect_calls(piece)
                if said := _text_of(piece):
                    yield said
                    length += len(said)
        finally:
            self.close()
        if not length and not self._tool_calls:
            call = self.call
            raise LanguageModelError(f"{call.model} gave an empty reply", calls=(replace(call, outcome="malformed"),))

    @property
    def call(self) -> CallRecord:
        """The record of the call so far."""
        if self._outcome is not None:
            return self._outcome.call
        return record_of(self._endpoint.model, self._usage, time.monotonic() - self._started)

    @property
    def tool_calls(self) -> list[tuple[str, str, str]]:
        """The tool calls of the reply so far: id, name, and arguments as the model wrote them."""
        return [(call, name, arguments) for _, (call, name, arguments) in sorted(self._tool_calls.items()) if name]

    def close(self) -> None:
        """Stop reading; later pieces are dropped."""
        self._closed.set()

    def _collect_calls(self, piece: Any) -> None:
        """Add the parts of tool calls in a piece to those before it."""
        choices = getattr(piece, "choices", None) or []
        for part in (getattr(getattr(choices[0], "delta", None), "tool_calls", None) or ()) if choices else ():
            call = self._tool_calls.setdefault(part.index, [f"call_{part.index}", "", ""])
            call[0] = part.id or call[0]
            call[1] += part.function.name or ""
            call[2] += part.function.arguments or ""

    def _next(self) -> Any:
        try:
            return self._pieces.get(timeout=self._endpoint.timeout)
        except Empty:
            return self._failure(TimeoutError(), self._endpoint.timeout)

    def _failure(self, problem: Exception, seconds: float) -> CallFailed:
        # A server at a custom address needs no key, unless it says so.
        refuses = getattr(problem, "status_code", None) in (401, 403)
        return failure_of(self._endpoint.model, problem, seconds, wants_key=refuses or not self._endpoint.api_base)

    def _read(self, messages: list[Any]) -> None:
        try:
            with ours(longest=LONGEST_STREAM):
                with lent():
                    response = self._call(messages)
                try:
                    self._pass_on(response)
                finally:
                    _close(response)
        except Exception as problem:  # noqa: BLE001 — the reader raises it; a provider's library may raise anything
            self._pieces.put(self._failure(problem, time.monotonic() - self._started))

    def _call(self, messages: list[Any]) -> Any:
        endpoint = self._endpoint
        key = {"api_key": NO_KEY} if endpoint.api_base and missing_keys(endpoint.model) else {}
        return the_client().completion(
            model=listed(endpoint.model),
            timeout=endpoint.timeout,
            api_base=endpoint.api_base,
            messages=messages,
            stream=True,
            stream_options={"include_usage": True},
            drop_params=True,  # parameters that a provider lacks are left out instead of refused
            max_retries=0,
            **self._options,
            **key,
        )

    def _pass_on(self, response: Any) -> None:
        for piece in response:
            self._usage = getattr(piece, "usage", None) or self._usage
            if self._closed.is_set():
                return
            self._pieces.put(piece)
        self._pieces.put(_END)


@dataclass(frozen=True, slots=True)
class StreamingLanguageModel:
    """Asks any language model that litellm knows, and streams its reply.

    Keys come from the environment, as litellm documents them; a server at a custom address may need none.
    """

    model: str
    timeout: float = SILENCE_SECONDS
    """The longest silence, in seconds."""
    api_base: str | None = None

    def stream(self, messages: Sequence[Any]) -> StreamedReply:
        """Send messages in OpenAI's format; returns without waiting for the reply."""
        return StreamedReply(Endpoint(self.model, self.timeout, self.api_base), messages)


def takes_tools(model: str) -> bool:
    """Tell whether a model's provider takes descriptions of tools; loads litellm."""
    supported = the_client().get_supported_openai_params(listed(model))
    return supported is None or "tools" in supported


def _text_of(piece: Any) -> str:
    choices = getattr(piece, "choices", None) or []
    said = getattr(getattr(choices[0], "delta", None), "content", None) if choices else None
    return said if isinstance(said, str) else ""


def _close(response: Any) -> None:
    """Release the connection, as far as this client's stream allows it."""
    for each in (response, getattr(response, "completion_stream", None)):
        close = getattr(each, "close", None)
        if callable(close):
            with suppress(Exception):
                close()
