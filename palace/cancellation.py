"""Cancelling a long call from another thread: what the caller cancels, and how the running code notices.

A call runs in several threads and layers. Its cancellation is a context variable, so no function in between has to pass
it on; code that starts a thread for a call starts it in a copy of the context.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from threading import Event, Lock, Thread
from time import sleep

from palace.errors import BadRequest, Cancelled, PalaceError

AGAIN_SECONDS = 0.05
"""Seconds between attempts to stop a call: a statement that began just after one attempt is stopped by the next."""


class Cancellation:
    """Cancels the calls that it is passed to, from any thread or signal handler; safe to share.

    One object may be passed to several calls, at once or one after the other. Once cancelled it stays so.
    """

    def __init__(self) -> None:
        self._cancelled = Event()
        self._lock = Lock()
        self._stops: dict[object, Callable[[], None]] = {}

    def cancel(self) -> None:
        """Cancel the calls, which raise ``Cancelled`` at their next step; returns at once.

        Statements in the database and requests to a remote model are stopped; a model on this computer finishes its
        work first. A call that has ended already, or that is cancelled already, is left alone.
        """
        if not self._cancelled.is_set():
            self._cancelled.set()
            Thread(target=self._stop_all, name="palace-cancel", daemon=True).start()

    @property
    def is_cancelled(self) -> bool:
        """Whether ``cancel`` was called."""
        return self._cancelled.is_set()

    def check(self) -> None:
        """Raise an error if this is cancelled.

        Raises:
            Cancelled: it is.
        """
        if self._cancelled.is_set():
            raise Cancelled

    @contextmanager
    def stopping(self, stop: Callable[[], None]) -> Iterator[None]:
        """Call ``stop`` from another thread if this is cancelled within the block, repeatedly until the block is left.

        After the block ``stop`` is neither called again nor still running.

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
        """Wait for some seconds or until this is cancelled; return whether it is."""
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
    """Let ``cancel`` cancel the work in the block; with None, the cancellation of the surrounding call stays in force.

    Raises:
        BadRequest: ``cancel`` is no ``Cancellation``.
        Cancelled: it is cancelled already, or the block failed because of it.
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
    """Run the block to its end even if the call is cancelled, so that what is paid for is recorded."""
    return _set(None)


def _is_told_in(problem: BaseException) -> bool:
    """Check whether an error was raised because of a cancellation."""
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
    """Return whether the current call is cancelled."""
    current = _CURRENT.get()
    return current is not None and current.is_cancelled


def go_on() -> None:
    """Raise an error if the current call is cancelled; called before each step.

    Raises:
        Cancelled: the call is cancelled.
    """
    if current := _CURRENT.get():
        current.check()


@contextmanager
def stopped_by(stop: Callable[[], None]) -> Iterator[None]:
    """Call ``stop`` if the current call is cancelled within the block, as ``Cancellation.stopping`` does.

    Raises:
        Cancelled: the call is cancelled already.
    """
    if current := _CURRENT.get():
        with current.stopping(stop):
            yield
    else:
        yield


def pause(seconds: float) -> bool:
    """Wait for some seconds and return True; return False at once when the current call is cancelled."""
    if current := _CURRENT.get():
        return not current.wait(seconds)
    sleep(seconds)
    return True
