"""Work that is left alone when it takes too long."""

from __future__ import annotations

from collections.abc import Callable
from threading import Thread
from typing import TypeVar

from palace.errors import OutOfTime, PalaceError

Result = TypeVar("Result")


def within(seconds: float, work: Callable[[], Result]) -> Result:
    """Do work that reads, and give up on it after so many seconds: names of servers may take long to be looked up.

    Raises:
        OutOfTime: it is not done by then; its thread ends by itself, or with the program.
    """
    done: list[Result] = []
    failed: list[PalaceError] = []

    def run() -> None:
        try:
            done.append(work())
        except PalaceError as problem:
            failed.append(problem)

    thread = Thread(target=run, daemon=True)
    thread.start()
    thread.join(seconds)
    if failed:
        raise failed[0]
    if not done:
        raise OutOfTime(f"no answer within {seconds:g} s")
    return done[0]
