"""``palace worker``: does what waits in the queue."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread
from time import sleep
from types import FrameType
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from palace.errors import BadRequest
from palace.records import WorkSummary
from palace.telemetry.logs import LEVELS, write_log
from palace_cli import diagnostics, options, output
from palace_cli.opening import make_worker
from palace_cli.render.layout import named_values

if TYPE_CHECKING:
    from palace.worker.runner import Worker

GRACE_SECONDS = 8.0
"""How long a job may take to its next step when the worker is to end; then others take it over."""

Once = Annotated[bool, typer.Option("--once", help="Do what waits now, then end.")]
LogLevel = Annotated[
    str, typer.Option("--log-level", metavar="LEVEL", help="Log from here on: debug, info, warning or error.")
]
LogJson = Annotated[bool, typer.Option("--log-json", help="Log one JSON object a line.")]
UntilEmpty = Annotated[bool, typer.Option("--until-empty", help="End when nothing has been to do for a while.")]


def worker(
    *,
    once: Once = False,
    until_empty: UntilEmpty = False,
    log_level: LogLevel = "warning",
    log_json: LogJson = False,
    user: options.User = None,
    as_json: options.Json = False,
) -> None:
    """Do what waits in the queue, for every user, until ended.

    Any number of workers may be at work. Ctrl-C or SIGTERM ends one within ten seconds: the job at hand is
    put back for another. What it logs, on standard error, has no word of any message.

    \b
    palace worker --once
    """
    options.exclusive(("--once", once), ("--until-empty", until_empty))
    if log_level not in LEVELS:
        raise BadRequest(f"--log-level is one of {', '.join(LEVELS)}, not {log_level!r}")
    write_log(log_level, as_json=log_json)
    from palace.worker.runner import Until

    until = Until.DONE if once else Until.EMPTY if until_empty else Until.STOPPED
    from palace.settings import load_settings
    from palace.worker.detached import present

    made = make_worker(user)
    with present(load_settings(user=user)), _ended_by_signals(made):
        summary = made.run(until)
    output.present(summary, summary_view, as_json=as_json)


def summary_view(summary: WorkSummary) -> Table:
    """Show what a worker did."""
    failed = f", {summary.failed:,} attempts failed: palace jobs list" if summary.failed else ""
    return named_values([("jobs", f"{summary.done:,} done{failed}"), ("time", f"{summary.seconds:,.1f} s")])


@contextmanager
def _ended_by_signals(worker: Worker) -> Iterator[None]:
    """Have the worker end at a signal, in its own time; one that takes too long is left as if it had been killed."""
    former = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}

    def end(_number: int, _frame: FrameType | None) -> None:
        worker.stop()
        Thread(target=_leave, daemon=True).start()

    for number, handler in former.items():
        if handler is not signal.SIG_IGN:
            signal.signal(number, end)
    try:
        yield
    finally:
        for number, handler in former.items():
            signal.signal(number, handler)


def _leave() -> None:
    sleep(GRACE_SECONDS)
    diagnostics.remark("the job at hand took too long to end: another worker takes it over")
    os._exit(0)
