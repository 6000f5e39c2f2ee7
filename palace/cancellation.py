"""Ending a long call from another thread: what the caller cancels, and how what is under way hears of it.

A call goes on in several threads and layers. What it is cancelled by is a context variable, so nothing between them has
to pass it on; whoever starts a thread for a call starts it in a copy of the context.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from threading import Event, Lock, Thread
from time import sleep

from palace.errors import BadRequest, Cancelled, PalaceError

AGAIN_SECONDS = 0.05
"""A statement that began just after it was to be stopped is stopped so much later."""


class Cancellation:
    """Ends the calls that are given it, from whatever thread or signal handler; safe to share.

    One may be given to several calls, at once or one after the other. Once cancelled it stays so.
    """

    def __init__(self) -> None:
        self._cancelled = Event()
        self._lock = Lock()
        self._stops: dict[object, Callable[[], None]] = {}

    def cancel(self) -> None:
        """Have the calls end; returns at once. They raise ``Cancelled`` when they come to their next step.

        What runs in the database, or waits for a model behind an API, is stopped; what a model on this computer is at
        is waited for. A call that has ended already, or that is cancelled already, is left alone.
        """
        if not self._cancelled.is_set():
            self._cancelled.set()
            Thread(target=self._stop_all, name="palace-cancel", daemon=True).start()

    @property
    def is_cancelled(self) -> bool:
        """Whether somebody cancelled it."""
        return self._cancelled.is_set()

    def check(self) -> None:
        """Raise where it is cancelled.

        Raises:
            Cancelled: it is.
        """
        if self._cancelled.is_set():
            raise Cancelled

    @contextmanager
    def stopping(self, stop: Callable[[], None]) -> Iterator[None]:
        """Call ``stop`` when it is cancelled within the block, from another thread, again until the block is left.

        After the block ``stop`` is called no more, nor still at work.

        Raises:
            Cancelled: it is cancelled already.
        """
        key = object()
        with self._lock:
            self.check()
            self._stops[key] = stop
        try:
            yield
        finally:
            with self._lock:
                del self._stops[key]

    def wait(self, seconds: float) -> bool:
        """Wait so long, or until it is cancelled; tell whether it is."""
        return self._cancelled.wait(seconds)

    def _stop_all(self) -> None:
        while keys := self._keys():
            for key in keys:
                with self._lock:
                    if stop := self._stops.get(key):
                        stop()
            sleep(AGAIN_SECONDS)

    def _keys(self) -> list[object]:
        with self._lock:
            return list(self._stops)


_CURRENT: ContextVar[Cancellation | None] = ContextVar("palace_cancellation", default=None)


@contextmanager
def ended_by(cancel: Cancellation | None) -> Iterator[None]:
    """Let what is done in the block be cancelled; without a cancellation it is by what the call around it is.

    Raises:
        BadRequest: it is no cancellation.
        Cancelled: it is cancelled already, or what failed in the block failed for that.
    """
    if cancel is None:
        yield
        return
    if not isinstance(cancel, Cancellation):
        raise BadRequest(f"cancel must be a Cancellation, not {type(cancel).__name__}")
    cancel.check()
    with _set(cancel):
        try:
            yield
        except PalaceError as problem:
            if not isinstance(problem, Cancelled) and _is_told_in(problem):
                raise Cancelled from problem
            raise


def unstopped() -> AbstractContextManager[None]:
    """Do what the block does to its end, although the call is cancelled: what is paid for is kept and written down."""
    return _set(None)


def _is_told_in(problem: BaseException) -> bool:
    """Tell whether an error was raised because of a cancelling."""
    cause = problem.__cause__
    return cause is not None and (isinstance(cause, Cancelled) or _is_told_in(cause))


@contextmanager
def _set(cancel: Cancellation | None) -> Iterator[None]:
    token = _CURRENT.set(cancel)
    try:
        yield
    finally:
        _CURRENT.reset(token)


def is_cancelled() -> bool:
    """Whether the call under way is cancelled."""
    current = _CURRENT.get()
    return current is not None and current.is_cancelled


def go_on() -> None:
    """Begin the next step of the call under way.

    Raises:
        Cancelled: the call is cancelled.
    """
    if current := _CURRENT.get():
        current.check()


@contextmanager
def stopped_by(stop: Callable[[], None]) -> Iterator[None]:
    """Call ``stop`` when the call under way is cancelled within the block; ``Cancellation.stopping`` has the rest.

    Raises:
        Cancelled: the call is cancelled already.
    """
    if current := _CURRENT.get():
        with current.stopping(stop):
            yield
    else:
        yield


def pause(seconds: float) -> bool:
    """Wait so long; False, and no longer, where the call under way is cancelled."""
    if current := _CURRENT.get():
        return not current.wait(seconds)
    sleep(seconds)
    return True
