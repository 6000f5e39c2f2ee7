"""``palace worker``: run queued jobs, and mine watched folders."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread
from time import sleep
from types import FrameType
from typing import TYPE_CHECKING, Any

import typer
from rich.table import Table

from palace.config.checkout import written_out
from palace.errors import BadRequest
from palace.models import ServiceFile, WorkSummary
from palace.telemetry.logs import write_log
from palace_cli import diagnostics, options, output
from palace_cli.diagnostics import ExitCode
from palace_cli.opening import is_typed, make_worker
from palace_cli.options import flag, option
from palace_cli.render.figures import count
from palace_cli.render.layout import named_values

if TYPE_CHECKING:
    from palace.worker.runner import Worker

WATCHED = "Mine what is in this folder as well, as it grows; repeatable."
GRACE_SECONDS = 8.0
"""How long a job may take to its next step when the worker is to end; then others take it over."""


def worker(
    *,
    once: bool = flag("--once", "Do what waits now, then end."),
    until_empty: bool = flag("--until-empty", "End when nothing has been to do for a while."),
    watch: list[str] | None = option("--watch", WATCHED, "FOLDER"),
    wing: options.Wing = None,
    exclude: list[str] | None = option("--exclude", "Leave out such messages of watched files; repeatable.", "PATTERN"),
    keep_secrets: bool = flag("--keep-secrets", "File keys, passwords and card numbers of watched files as they are."),
    dates: str | None = option("--dates", "How 05/01/2024 is meant in them.", "day-first|month-first"),
    encoding: str | None = option("--encoding", "How their text is encoded.", "NAME"),
    install: bool = flag(
        "--install", "Write a service of your systemd that runs this worker, and say how to start it."
    ),
    uninstall: bool = flag("--uninstall", "Take that service away again."),
    log_level: options.LogLevel = "warning",
    log_json: options.LogJson = False,
    user: options.User = None,
    new_user: options.NewUser = False,
    as_json: options.Json = False,
) -> None:
    """Run queued jobs, for every user, until it is stopped.

    Any number of workers may be at work. Ctrl-C or SIGTERM ends one within ten seconds: the job at hand is
    put back for another. What it logs, on standard error, has no word of any message. Without --once or
    --until-empty it answers `palace hook` as well, over a socket in the home for you alone. A folder that is
    watched is mined as `palace mine FOLDER` would, with the same options, into the palace of --user: what is
    new in a file, once it has not been written for ten seconds (PALACE_WATCH_REST_SECONDS). Files that cannot
    be read are named, and folders that are not there; with --once or --until-empty the exit code is then 1.

    \b
    palace worker --once
    palace worker --watch ~/.claude/projects
    palace worker --watch ~/.claude/projects --install
    """
    options.exclusive(
        ("--once", once), ("--until-empty", until_empty), ("--install", install), ("--uninstall", uninstall)
    )
    how = {"wing": wing, "exclude": exclude, "keep_secrets": keep_secrets, "dates": dates, "encoding": encoding}
    chosen: dict[str, Any] = {name: value for name, value in how.items() if value}
    _check(watch, chosen, new_user=new_user)
    if install or uninstall:
        made_first = ["--new-user"] if new_user else []
        _serve([*_arguments(watch, chosen, user), *made_first] if install else None, user, as_json=as_json)
        return
    write_log(log_level, as_json=log_json)
    made = make_worker()
    if watch:
        made.watch(*watch, user=user, make_user=new_user or not is_typed(user), **chosen)
    _work(made, once=once, until_empty=until_empty, as_json=as_json)


def _work(made: Worker, *, once: bool, until_empty: bool, as_json: bool) -> None:
    from palace.config.settings import load_settings
    from palace.worker.runner import Until
    from palace.worker.starting import present

    until = Until.DONE if once else Until.EMPTY if until_empty else Until.STOPPED
    if until is Until.STOPPED:
        made.serve_hooks()
    with present(load_settings()), _ended_by_signals(made):
        summary = made.run(until)
    output.present(summary, summary_view, as_json=as_json)
    if (summary.unread or summary.missing) and until is not Until.STOPPED:
        raise typer.Exit(ExitCode.INCOMPLETE)


def _arguments(watch: list[str] | None, chosen: dict[str, Any], user: str | None) -> list[str]:
    """Return the options for a service, with absolute paths, since it runs in another folder."""
    words = [word for folder in watch or () for word in ("--watch", written_out(folder))]
    for name, value in chosen.items():
        option = f"--{name.replace('_', '-')}"
        values = value if isinstance(value, list) else [value]
        words += [option] if value is True else [word for each in values for word in (option, each)]
    return [*words, *(("--user", user) if user is not None else ())]


def _serve(arguments: list[str] | None, user: str | None, *, as_json: bool) -> None:
    """Write the service that runs a worker with some arguments, or remove it without any."""
    from palace.config.settings import load_settings
    from palace_cli.service import install, uninstall

    done = uninstall() if arguments is None else install(arguments, load_settings(user=user))
    output.present(done, service_view, as_json=as_json)
    diagnostics.note(done.notices)


def service_view(done: ServiceFile) -> Table:
    """Show what happened to the service's file, and what to run next."""
    taken_out = [] if done.state in ("removed", "absent") else [("take out", "palace worker --uninstall")]
    next_steps = [("run" if number == 0 else "", command) for number, command in enumerate(done.commands)]
    return named_values([("service", f"{done.path}: {done.state}"), *next_steps, *taken_out])


def _check(watch: list[str] | None, chosen: dict[str, Any], *, new_user: bool) -> None:
    """Refuse options for mining where no folder is watched."""
    if watch:
        return
    alone = ["new_user"] if new_user else list(chosen)
    if alone:
        raise BadRequest(f"--{alone[0].replace('_', '-')} says how folders are mined: give --watch FOLDER too")


def summary_view(summary: WorkSummary) -> Table:
    failed = f", {summary.failed:,} attempts failed: palace jobs list" if summary.failed else ""
    unread = f", {count(summary.unread, 'file')} not all read" if summary.unread else ""
    missing = f", {count(summary.missing, 'folder')} not there" if summary.missing else ""
    told = f"{count(summary.filed, 'drawer')} new{unread}{missing}"
    return named_values(
        {
            "jobs": f"{summary.done:,} done{failed}",
            "watched": told if summary.filed or unread or missing else "",
            "hooks": f"{summary.hooks:,} answered" if summary.hooks else "",
            "time": summary.seconds,
        }
    )


@contextmanager
def _ended_by_signals(worker: Worker) -> Iterator[None]:
    """Stop the worker at a signal, in its own time; one that takes too long is left as if it had been killed."""
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
