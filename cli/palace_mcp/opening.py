"""The palace behind a server: opened once, when the first tool is called, and again where that failed."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from threading import Lock, Thread
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from palace.palace import Palace


class Opening:
    """Gives all calls the one palace; safe to share between threads.

    It opens in a thread of its own: a call that is cancelled, or has no more time, leaves it to those that come.
    """

    def __init__(self, opens: Callable[[], Palace]) -> None:
        self._opens = opens
        self._lock = Lock()
        self._opened: Future[Palace] | None = None
        self._closed = False

    def palace(self) -> Palace:
        """Give the palace, opening it where it is not.

        Raises:
            PalaceError: it cannot be opened; the next call tries again.
        """
        return self._future().result()

    def close(self) -> None:
        """Give back what is open; what is still opening is given back when it is."""
        with self._lock:
            self._closed, opened = True, self._opened
        if opened is not None:
            opened.add_done_callback(_close)

    def _future(self) -> Future[Palace]:
        with self._lock:
            if self._opened is None or _failed(self._opened):
                self._opened = Future()
                Thread(target=self._open, args=(self._opened,), name="palace-mcp-open", daemon=True).start()
            return self._opened

    def _open(self, waiting: Future[Palace]) -> None:
        try:
            waiting.set_result(self._opens())
        except BaseException as problem:  # noqa: BLE001 — whoever waits is told, whatever it is
            waiting.set_exception(problem)


def _failed(future: Future[Palace]) -> bool:
    return future.done() and future.exception() is not None


def _close(opened: Future[Palace]) -> None:
    if not _failed(opened):
        opened.result().close()
