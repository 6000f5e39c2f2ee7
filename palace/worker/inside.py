"""A worker inside a program that has a palace open."""

from __future__ import annotations

import logging
from threading import Thread

from palace.db.database import Database
from palace.errors import PalaceError
from palace.opened import Fittings, OpenPalace
from palace.telemetry.logs import tell
from palace.telemetry.operations import code_of
from palace.worker.runner import Worker

END_SECONDS = 10.0
logger = logging.getLogger("palace.worker")


class InsideWorker:
    """Works in a thread of the program, with the embedder and the steps of its palace, until it is ended."""

    def __init__(self, opened: OpenPalace) -> None:
        database = Database(opened.settings)
        fittings = Fittings(opened.settings, database, opened.embedders, opened.strategy, opened.steps)
        self._worker = Worker(opened.settings, fittings=fittings)
        self._thread = Thread(target=self._run, name="palace-worker", daemon=True)
        self._thread.start()

    def end(self) -> None:
        """End it: the job at hand is put back. One that takes too long is taken over by others."""
        self._worker.stop()
        self._thread.join(END_SECONDS)

    def _run(self) -> None:
        try:
            self._worker.run()
        except PalaceError as problem:
            tell(logger, logging.WARNING, "worker_ended", outcome=code_of(problem))
