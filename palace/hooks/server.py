"""The socket server for hooks: threads inside a worker; neither waits for the other.

Clients must run under the same account; each has a limited time and is cut off after it. Connections beyond ``PLACES``
are closed. A failure here only costs a hook its warm answer.
"""

from __future__ import annotations

import json
import logging
import os
import socket
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from threading import BoundedSemaphore, Event, Lock, Thread
from time import monotonic
from typing import Any

from palace.hooks.caller_settings import Declined
from palace.hooks.claim import Claim, Unusable, claimed
from palace.hooks.failures import code_of
from palace.telemetry.logs import tell
from palace_hook import PROTOCOL, VERSION
from palace_hook.asking import peer_of, receive, send

PLACES = 8
"""Hooks that are answered at the same time."""
HEAR_SECONDS = 1.0
"""Seconds for a request to arrive, and for an answer to be taken."""
LARGEST = 32 << 20
"""Bytes of a request: an event of 8 MiB may take that if every character has to be escaped."""
LONGEST_SECONDS = 1.5
LOOK_SECONDS = 0.25
"""Seconds between checks whether to stop, and whether the socket still exists."""
RETRY_SECONDS = 2.0
"""Seconds between checks whether another worker has released the socket."""
END_SECONDS = 1.0

Answer = Callable[[Mapping[str, Any], float], str]
"""Answers a request within some seconds; may raise ``Declined``."""

logger = logging.getLogger("palace.hooks")


class HookServer:
    """Answers the hooks of one home while it runs; of several servers only one has the socket."""

    def __init__(self, home: Path, answer: Answer) -> None:
        """Set up the server; ``begin`` starts it."""
        self.home = home
        self._answer = answer
        self._ending = Event()
        self._places = BoundedSemaphore(PLACES)
        self._lock = Lock()
        self._thread: Thread | None = None
        self.began = monotonic()
        self.asked: float | None = None
        """When the last hook came."""
        self.answered = 0
        self.is_outdated = False
        """Whether a hook of another version of Palace came: then Palace was updated."""
        self.path: Path | None = None
        """Path of the socket; None while another process has it."""

    def begin(self) -> None:
        """Start to listen, in a thread; works again after ``end``."""
        self._ending = Event()
        self._thread = Thread(target=self._run, name="palace-hooks", daemon=True)
        self._thread.start()

    def end(self) -> None:
        """Stop listening; answers in progress are left alone."""
        self._ending.set()
        if self._thread is not None:
            self._thread.join(END_SECONDS)

    def _run(self) -> None:
        is_told, ending = False, self._ending
        while not ending.is_set():
            try:
                with claimed(self.home) as claim:
                    if claim is not None:
                        self._listen(claim, ending)
            except Unusable as problem:
                if not is_told:
                    tell(logger, logging.WARNING, "hooks_not_served", reason=str(problem))
                is_told = True
            except OSError as problem:
                tell(logger, logging.WARNING, "hooks_interrupted", reason=str(problem.strerror))
            finally:
                self.path = None
            ending.wait(RETRY_SECONDS)

    def _listen(self, claim: Claim, ending: Event) -> None:
        self.path = claim.path
        tell(logger, logging.INFO, "hooks_served", path=str(claim.path))
        claim.listener.settimeout(LOOK_SECONDS)
        while not ending.is_set() and claim.stands:
            try:
                line, _ = claim.listener.accept()
            except TimeoutError:
                continue
            if not self._places.acquire(blocking=False):
                line.close()
                continue
            try:
                Thread(target=self._serve, args=(line,), name="palace-hook", daemon=True).start()
            except RuntimeError:  # the system has no thread to give
                self._places.release()
                line.close()

    def _serve(self, line: socket.socket) -> None:
        try:
            with line:
                if peer_of(line) == os.geteuid():
                    told = json.loads(receive(line, monotonic() + HEAR_SECONDS, LARGEST))
                    if isinstance(told, dict):
                        send(line, b"", monotonic() + HEAR_SECONDS)  # tells the client to go on waiting
                        answer = {"v": PROTOCOL, "version": VERSION, **self._said(told)}
                        send(line, json.dumps(answer).encode(), monotonic() + HEAR_SECONDS)
        except (OSError, ValueError, RecursionError):
            pass  # the client has gone, or sent no valid request
        finally:
            self._places.release()

    def _said(self, told: Mapping[str, Any]) -> dict[str, Any]:
        if told.get("ping"):
            return {"answered": self.answered, "since": round(monotonic() - self.began)}
        with self._lock:
            self.asked = monotonic()
        if told.get("v") != PROTOCOL or told.get("version") != VERSION:
            self.is_outdated = True
            return {"cold": "version"}
        try:
            with suppress(Declined):
                out = self._answer(told, _seconds(told))
                with self._lock:
                    self.answered += "command" not in told
                return {"out": out}
        except Exception as problem:  # noqa: BLE001 — the boundary of a hook: whatever it meets, the worker goes on
            tell(logger, logging.WARNING, "hook_failed", outcome=code_of(problem))
        return {"cold": "declined"}


def _seconds(told: Mapping[str, Any]) -> float:
    """Return the seconds that the client will wait, within limits."""
    seconds = told.get("seconds")
    is_number = isinstance(seconds, (int, float)) and not isinstance(seconds, bool)
    return min(max(float(seconds), 0.01), LONGEST_SECONDS) if is_number and seconds is not None else LONGEST_SECONDS
