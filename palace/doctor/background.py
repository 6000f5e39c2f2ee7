"""Background work as `palace doctor` looks at it: what was given up, what nobody does, what waits to be filed.

Nobody may see who works: that a worker lives is told by what becomes of the jobs.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from shlex import quote

from palace.agent.outbox import Outbox
from palace.config.settings import Settings, load_settings
from palace.db.database import Database, UserSession
from palace.db.jobs import QueueState, list_queued, look_at_queue
from palace.errors import OutboxError
from palace.models import Check, Verdict
from palace.opened import OpenPalace

LONG_WAITING = timedelta(minutes=2)
"""A worker that lives looks every few seconds; with one at work, a job may wait for its turn."""
LONG_RUNNING = timedelta(hours=1)
"""Longer than any conversation takes; what a dead worker had is taken over as soon as another lives."""


def check_queue(opened: OpenPalace) -> Iterator[Check]:
    """Look at the jobs of the user, and at what should have one."""
    with opened.session() as session:
        state, unqueued = look_at_queue(session), _count_unqueued(opened, session)
    found = list(_amiss(state, unqueued, opened.user))
    yield from found or [Check("queue", Verdict.OK, f"{state.waiting:,} jobs wait, {state.running:,} run")]


def check_outbox(settings: Settings, database: Database, user: str) -> Iterator[Check]:
    """Look at what was said and could not be filed; the server need not answer."""
    outbox = Outbox.of(settings.home_folder, f"{database.address}\n{settings.database_schema}", user)
    try:
        waiting, refused = outbox.count(), outbox.count_refused()
    except OutboxError as problem:
        remedy = f"chmod -R go-w {outbox.path.parent}, or remove what is no file of its own there"
        yield Check("outbox", Verdict.PROBLEM, str(problem), remedy)
        return
    if waiting:
        finding = f"{waiting:,} exchanges wait in {outbox.path} to be filed"
        yield Check(
            "outbox", Verdict.WARNING, finding, f"palace outbox flush{_of(user)} files them, and so does the next turn"
        )
    if refused:
        finding = f"{refused:,} exchanges can never be filed: they are kept in {outbox.refused_path}"
        remedy = f"palace outbox list{_of(user)} says why, palace outbox discard --refused{_of(user)} removes them"
        yield Check("refused", Verdict.WARNING, finding, remedy)
    if not waiting and not refused:
        yield Check("outbox", Verdict.OK, "nothing waits to be filed")


def _of(user: str) -> str:
    """Write the option that says whose palace it is, where that is not whom a command is for anyhow."""
    return "" if user == load_settings().user else f" --user {quote(user)}"


def _amiss(state: QueueState, unqueued: int, user: str) -> Iterator[Check]:
    if state.failed:
        finding = f"{state.failed:,} jobs failed too often and are not tried again"
        remedy = f"palace jobs list --state failed{_of(user)} says why, palace jobs retry ID{_of(user)} tries one again"
        yield Check("dead letters", Verdict.WARNING, finding, remedy)
    if state.waited >= LONG_WAITING and not state.running:
        finding = f"{state.waiting:,} jobs wait, one for {_told(state.waited)}, and nobody works on them"
        yield Check("worker", Verdict.WARNING, finding, "palace worker")
    if state.ran >= LONG_RUNNING:
        finding = f"a job has been running for {_told(state.ran)}: its worker may be gone"
        yield Check("worker", Verdict.WARNING, finding, "palace worker")
    if unqueued:
        finding = f"{unqueued:,} conversations wait for a step, and no job is there for them"
        yield Check("unqueued", Verdict.WARNING, finding, f"palace jobs enqueue{_of(user)}")


def _count_unqueued(opened: OpenPalace, session: UserSession) -> int:
    """Count the conversations that a step is pending for, and no job: none waits, runs or was given up."""
    queued = list_queued(session)
    if None in queued:  # one for all of them
        return 0
    return len({each for step in opened.steps for each in step.list_pending(session)} - queued)


def _told(stretch: timedelta) -> str:
    minutes = int(stretch.total_seconds() // 60)
    for size, unit in ((1440, "day"), (60, "hour"), (1, "minute")):
        if minutes >= size:
            number = minutes // size
            return f"{number:,} {unit}{'' if number == 1 else 's'}"
    return "less than a minute"
