"""One call to a model whose reply comes in pieces: how long it may say nothing, and how it is ended early.

The pieces are read in a thread of their own, so that whoever waits for them can be interrupted, and need not wait for a
provider that has fallen silent.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import partial
from queue import Empty, Queue
from threading import Event, Thread
from typing import Any

from palace.ai.client import LONGEST_STREAM, lent, ours, the_client
from palace.ai.provider import CallFailed, Endpoint, failure_of, listed, missing_keys, record_of
from palace.models import CallRecord

NO_KEY = "none"
"""What servers are told that want no key: litellm refuses to call without one."""
_END = object()


class ProviderStream:
    """The pieces of one reply, as litellm gives them; to be read once, and closed."""

    def __init__(self, endpoint: Endpoint, messages: Sequence[Any]) -> None:
        """Begin the call; nothing is waited for but litellm, which takes seconds to load the first time."""
        the_client()
        self._endpoint = endpoint
        self._started = time.monotonic()
        self._pieces: Queue[Any] = Queue()
        self._closed = Event()
        self._usage: Any = None
        self._outcome: CallFailed | None = None
        Thread(target=self._read, args=(list(messages),), name="palace-stream", daemon=True).start()

    def __iter__(self) -> Iterator[Any]:
        """Give each piece as it comes.

        Raises:
            CallFailed: the provider could not be reached, refused the call, broke off, or said nothing for too long.
        """
        try:
            while True:
                piece = self._next()
                if piece is _END:
                    return
                if isinstance(piece, CallFailed):
                    self._outcome = piece
                    raise piece
                yield piece
        finally:
            self.close()

    @property
    def call(self) -> CallRecord:
        """What the call took, as far as it came."""
        if self._outcome is not None:
            return self._outcome.call
        return record_of(self._endpoint.model, self._usage, time.monotonic() - self._started)

    def close(self) -> None:
        """End the call; what still comes is not heard."""
        self._closed.set()

    def _next(self) -> Any:
        try:
            return self._pieces.get(timeout=self._endpoint.timeout)
        except Empty:
            return self._failure(TimeoutError(), self._endpoint.timeout)

    def _failure(self, problem: Exception, seconds: float) -> CallFailed:
        # A server at an address of one's own wants no key, unless it says so.
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
        except Exception as problem:  # noqa: BLE001 — whoever waits is told; a library of a provider raises what it likes
            self._pieces.put(self._failure(problem, time.monotonic() - self._started))

    def _call(self, messages: list[Any]) -> Any:
        endpoint = self._endpoint
        where = {"model": listed(endpoint.model), "timeout": endpoint.timeout, "api_base": endpoint.api_base}
        key = {"api_key": NO_KEY} if endpoint.api_base and missing_keys(endpoint.model) else {}
        ask = partial(the_client().completion, **where, **key, messages=messages)
        # What a provider does not know of this is left out instead of refused.
        return ask(stream=True, stream_options={"include_usage": True}, drop_params=True, max_retries=0)

    def _pass_on(self, response: Any) -> None:
        for piece in response:
            self._usage = getattr(piece, "usage", None) or self._usage
            if self._closed.is_set():
                return
            self._pieces.put(piece)
        self._pieces.put(_END)


def _close(response: Any) -> None:
    """Give the connection back, as far as this client's stream can be told to."""
    for each in (response, getattr(response, "completion_stream", None)):
        close = getattr(each, "close", None)
        if callable(close):
            with suppress(Exception):
                close()
