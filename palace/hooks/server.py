"""The server of hooks: threads beside the work of a worker, which never wait for it and which it never waits for.

Whoever asks is a process of this account, is heard for as long as a hook may last, and is cut off then. More at once
than there are places are turned away. What goes wrong here costs a hook its warm answer, and nobody anything else.
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

from palace.hooks.askers import Declined
from palace.hooks.claim import Claim, Unusable, claimed
from palace.hooks.failures import code_of
from palace.telemetry.logs import tell
from palace_hook import PROTOCOL, VERSION
from palace_hook.asking import peer_of, receive, send

PLACES = 8
"""Hooks that are answered at once."""
HEAR_SECONDS = 1.0
"""How long a request may take to come, and an answer to be taken."""
LARGEST = 32 << 20
"""Bytes of a request: an event of 8 MiB may take that where every character of it has to be escaped."""
LONGEST_SECONDS = 1.5
LOOK_SECONDS = 0.25
"""How often it looks whether it is to end, and whether its socket is still there."""
RETRY_SECONDS = 2.0
"""How often it looks whether another worker has given up the socket."""
END_SECONDS = 1.0

Answer = Callable[[Mapping[str, Any], float], str]
"""Answers a request within some seconds; may raise ``Declined``."""

logger = logging.getLogger("palace.hooks")


class HookServer:
    """Answers the hooks of one home for as long as it is there; several may be, and one has the socket."""

    def __init__(self, home: Path, answer: Answer) -> None:
        """Prepare; nothing is listened on yet."""
        self.home = home
        self._answer = answer
        self._ending = Event()
        self._places = BoundedSemaphore(PLACES)
        self._lock = Lock()
        self._thread: Thread | None = None
        self.began = monotonic()
        self.asked: float | None = None
        """When a hook last came."""
        self.answered = 0
        self.is_outdated = False
        """Whether a hook of another version of Palace came: this one was replaced."""
        self.path: Path | None = None
        """Where it listens; None while another does."""

    def begin(self) -> None:
        """Begin to listen, in a thread, also where it ended before."""
        self._ending = Event()
        self._thread = Thread(target=self._run, name="palace-hooks", daemon=True)
        self._thread.start()

    def end(self) -> None:
        """Stop listening; who is being answered is left."""
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
                        send(line, b"", monotonic() + HEAR_SECONDS)  # it is here and is being answered
                        answer = {"v": PROTOCOL, "version": VERSION, **self._said(told)}
                        send(line, json.dumps(answer).encode(), monotonic() + HEAR_SECONDS)
        except (OSError, ValueError, RecursionError):
            pass  # whoever asked has gone, or is none that asks for something
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
    """Read how long whoever asks will wait."""
    seconds = told.get("seconds")
    is_number = isinstance(seconds, (int, float)) and not isinstance(seconds, bool)
    return min(max(float(seconds), 0.01), LONGEST_SECONDS) if is_number and seconds is not None else LONGEST_SECONDS
