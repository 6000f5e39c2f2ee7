"""A worker: does jobs as they come, maintains the queue meanwhile, and survives a restart of the server."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from dataclasses import replace
from enum import Enum
from pathlib import Path
from threading import Event, Thread
from time import monotonic
from typing import Any, cast

import procrastinate.worker
from procrastinate import App
from procrastinate.job_context import JobContext
from procrastinate.jobs import Notification

from palace.ai.embedders.protocol import Embedder
from palace.config.settings import Settings
from palace.db.database import Database
from palace.db.jobs import INDEX
from palace.db.queue import QueueConnector, QueueLost, QueueManager
from palace.errors import DatabaseUnavailable, PalaceError
from palace.hooks.miner import InboxMiner
from palace.hooks.warm import HookService
from palace.mining.steps.step import IndexStep
from palace.models import WorkSummary
from palace.opened import OpenPalace, SharedResources
from palace.operations.mine import options_of
from palace.telemetry.api import meters
from palace.telemetry.logs import tell
from palace.telemetry.operations import code_of
from palace.worker.tasks import Rhythm, Tasks
from palace.worker.watcher import Watched, Watcher

WAKING = "job_inserted"
END_SECONDS = 10.0
"""Seconds that a program waits for its inside worker to end."""
STOP_SECONDS = 0.1
"""Seconds between checks whether the worker is to end."""

logger = logging.getLogger("palace.worker")


class Fetcher(procrastinate.worker.Worker):
    """Takes jobs as procrastinate does, but checks in the queue what a notification says about aborting one.

    Anybody who can connect to a database can notify. That a job exists is checked in the queue anyway.
    """

    async def _handle_notification(self, *, channel: str, notification: Notification) -> None:
        told = cast(object, notification)
        if isinstance(told, dict) and told.get("type") == WAKING:
            await super()._handle_notification(channel=channel, notification=notification)
            return
        wanted = await self.app.job_manager.list_jobs_to_abort_async()
        self._handle_abort_jobs_requested(wanted)


class Until(Enum):
    """When a worker ends."""

    STOPPED = "stopped"
    """When it is told to end."""
    EMPTY = "empty"
    """When nothing has been to do for a while."""
    DONE = "done"
    """As soon as nothing is to do."""


class Worker:
    """Does jobs from the queue of one database, for every user. Any number of workers may run."""

    def __init__(
        self,
        settings: Settings,
        *,
        embedder: Embedder | None = None,
        steps: Sequence[IndexStep] = (),
        rhythm: Rhythm | None = None,
        resources: SharedResources | None = None,
    ) -> None:
        """Set up a worker; ``embedder`` and ``steps`` are as in ``Palace.open``, or ``resources`` has all of it.

        Raises:
            BadRequest: one of them cannot be used.
        """
        # Its messages are logged here instead, in one line each, without tracebacks, which may quote messages.
        logging.getLogger("procrastinate").setLevel(logging.CRITICAL)
        self._rhythm = rhythm or Rhythm()
        self._resources = resources or SharedResources.of(settings, embedder=embedder, strategy=None, steps=steps)
        self._stopping = Event()
        self._is_over = False
        self._tasks = Tasks(self._resources, self._rhythm, self._stopping)
        self._watcher: Watcher | None = None
        self._inbox = InboxMiner(self._resources)
        self.mined_left = 0
        """The notes of hooks that its last run has mined."""
        self._hooks: HookService | None = None

    def watch(  # noqa: PLR0913 — the options of Palace.mine
        self,
        *folders: str | Path,
        wing: str | None = None,
        exclude: Sequence[str] = (),
        keep_secrets: bool = False,
        dates: str | None = None,
        encoding: str | None = None,
        user: str | None = None,
        make_user: bool = True,
    ) -> None:
        """Also mine folders from the next run on: files in them are mined when they have changed and rest.

        The options are those of ``Palace.mine``; the palace is that of ``user``, or of the settings' user, who is
        created if missing unless ``make_user`` is False. A folder need not exist yet.

        Raises:
            BadRequest: an option or a folder is invalid.
        """
        options = options_of(wing=wing, exclude=exclude, dates=dates, encoding=encoding)
        watched = Watched.of(folders, replace(options, keeps_secrets=keep_secrets), user=user, make_user=make_user)
        self._watcher = Watcher(self._resources, watched)

    def serve_hooks(self, *, linger: float | None = None, expected: bool = False) -> None:
        """Also answer the hooks of coding agents from the next run on, except in one with ``Until.DONE``.

        With ``linger``, the worker stays so many seconds after the last hook though nothing is to do; ``expected`` says
        that a hook is about to come.
        """
        self._hooks = HookService(self._resources, linger=linger, expected=expected)

    def run(self, until: Until = Until.STOPPED) -> WorkSummary:
        """Work until the given end; return what was done.

        Raises:
            DatabaseUnavailable: no server answers at the beginning, or later unless it works until it is stopped.
            NotFound: the user to watch for, or the wing, does not exist.
        """
        started, done, failed = monotonic(), self._tasks.done, self._tasks.failed
        mined = self._inbox.mined
        self._is_over = False
        self._resources.database.open()
        try:
            with self._watching(until), self._serving_hooks(until):
                asyncio.run(self._work(until))
        finally:
            self._resources.database.close()
        watcher = self._watcher
        filed, unread, missing = (watcher.filed, watcher.unread, watcher.missing) if watcher else (0, 0, 0)
        filed, self.mined_left = filed + self._inbox.filed, self._inbox.mined - mined
        worked = (self._tasks.done - done, self._tasks.failed - failed, monotonic() - started)
        return WorkSummary(*worked, filed, unread, self._hooks.answered if self._hooks else 0, missing)

    def stop(self) -> None:
        """End the worker, from any thread or signal handler: the current job is put back, nothing of it is lost."""
        self._stopping.set()
        for each in self._lookers:
            each.stop()

    @property
    def _lookers(self) -> list[InboxMiner | Watcher]:
        """The miners that work beside the queue: of transcripts noted by hooks, and of watched folders."""
        return [self._inbox, self._watcher] if self._watcher else [self._inbox]

    @contextmanager
    def _watching(self, until: Until) -> Iterator[None]:
        """Mine watched folders and transcripts noted by hooks, once before the work or in threads beside it."""
        lookers = self._lookers
        for each in lookers:
            each.begin()
        if until is Until.DONE:
            for each in lookers:
                each.look()
            yield
            return
        ending, every = Event(), (self._rhythm.inbox, self._rhythm.watch)
        looking = [
            Thread(target=each.run, args=(ending, seconds), name="palace-look", daemon=True)
            for each, seconds in zip(lookers, every, strict=False)
        ]
        for thread in looking:
            thread.start()
        try:
            yield
        finally:
            ending.set()
            for each in lookers:
                each.stop()
            for thread in looking:
                thread.join()

    def _serving_hooks(self, until: Until) -> AbstractContextManager[None]:
        """Answer hooks beside the work, except with ``Until.DONE``."""
        return self._hooks.serving() if self._hooks and until is not Until.DONE else nullcontext()

    async def _work(self, until: Until) -> None:
        while True:
            try:
                if await self._serve(until):
                    return
            except (QueueLost, PalaceError) as problem:
                if until is not Until.STOPPED and not (self._hooks and self._hooks.is_awaited):
                    raise DatabaseUnavailable(
                        f"{self._resources.database.address}: the queue cannot be reached"
                    ) from problem
                tell(logger, logging.WARNING, "queue_unreachable", outcome=code_of(problem))
            if await asyncio.to_thread(self._stopping.wait, self._rhythm.reconnect):
                return
            if until is Until.STOPPED:  # otherwise only the next hook starts the server again
                with suppress(PalaceError):
                    await asyncio.to_thread(self._resources.database.open)

    async def _serve(self, until: Until) -> bool:
        """Work as long as the connection lasts; return whether the work is over."""
        connector = QueueConnector(self._resources.database)
        app = App(connector=connector)
        manager = QueueManager(connector, most_attempts=self._rhythm.most_attempts)
        app.job_manager = manager

        @app.task(name=INDEX, pass_context=True)
        def _index(context: JobContext, /, **given: Any) -> None:
            assert context.job.id is not None
            manager.outcomes[context.job.id] = self._tasks.index(context, **given)

        async with app.open_async():
            await manager.take_over(self._rhythm.silence)
            fetcher = self._fetcher(app, until)
            tending = asyncio.create_task(self._tend(fetcher, manager, until))
            try:
                await fetcher.run()  # type: ignore[no-untyped-call]
            finally:
                # Repeated: a query that ends at the same moment may swallow the cancellation (Python 3.11).
                while not tending.done():
                    tending.cancel()
                    await asyncio.wait({tending}, timeout=STOP_SECONDS)
                if not tending.cancelled():
                    tending.result()
        return until is Until.DONE or self._is_over

    def _fetcher(self, app: App, until: Until) -> Fetcher:
        rhythm = self._rhythm
        is_embedded = self._resources.database.server is not None
        return Fetcher(
            app,
            name=None,
            wait=until is not Until.DONE,
            fetch_job_polling_interval=rhythm.poll if is_embedded else rhythm.poll_unwoken,
            listen_notify=until is not Until.DONE,
            install_signal_handlers=False,
            update_heartbeat_interval=rhythm.heartbeat,
            stalled_worker_timeout=rhythm.silence,
        )

    async def _tend(self, fetcher: Fetcher, manager: QueueManager, until: Until) -> None:
        """Take over jobs of dead workers, and end the worker when it is time."""
        looked = busy = monotonic()
        try:
            while not self._stopping.is_set():
                await asyncio.sleep(STOP_SECONDS)
                now = monotonic()
                if self._hooks and self._hooks.is_replaced:
                    self.stop()
                if now - looked < min(self._rhythm.look, self._rhythm.linger):
                    continue
                looked = now
                await manager.take_over(self._rhythm.silence)
                measured = meters()
                if until is not Until.EMPTY and measured is None:
                    continue
                due = await manager.count_due()
                if measured is not None:
                    measured.jobs_due.set(due)
                if until is not Until.EMPTY:
                    continue
                if due or not all(each.is_idle for each in self._lookers):
                    busy = now
                elif now - busy >= self._rhythm.linger and not (self._hooks and self._hooks.is_awaited):
                    break
            self._is_over = True
        finally:
            fetcher.stop()  # type: ignore[no-untyped-call]


class InsideWorker:
    """Works in a thread of the program, with its palace's embedder and steps, until it is ended."""

    def __init__(self, opened: OpenPalace) -> None:
        database = Database(opened.settings)
        resources = SharedResources(opened.settings, database, opened.embedders, opened.strategy, opened.chosen_steps)
        self._worker = Worker(opened.settings, resources=resources)
        self._thread = Thread(target=self._run, name="palace-worker", daemon=True)
        self._thread.start()

    def end(self) -> None:
        """End the worker: the current job is put back. One that takes too long is taken over by other workers."""
        self._worker.stop()
        self._thread.join(END_SECONDS)

    def _run(self) -> None:
        try:
            self._worker.run()
        except PalaceError as problem:
            tell(logger, logging.WARNING, "worker_ended", outcome=code_of(problem))
