"""Files turn after turn of many conversations, each once the job of the one before is done, and kills workers."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from bench.queue.log import Entry, judge, read_log
from bench.queue.working import said
from palace import Administration, Palace, PalaceError, Settings
from palace.testing import HashingEmbedder

LOOK_SECONDS = 0.05


@dataclass(frozen=True, slots=True)
class Plan:
    """How much is done, and how often a worker is killed."""

    jobs: int = 1000
    conversations: int = 50
    workers: int = 3
    kill_seconds: float = 5.0
    most_kills: int = 1000
    job_seconds: float = 0.05
    """How long the step that writes down takes."""
    patience_seconds: float = 1800.0
    seed: int = 20260430

    @property
    def turns(self) -> int:
        """Turns of each conversation: one job each."""
        return self.jobs // self.conversations


@dataclass(slots=True)
class Workers:
    """Processes at work, of which one is killed now and then; another takes its place."""

    plan: Plan
    home: Path
    log: Path
    kills: int = 0
    running: list[subprocess.Popen[bytes]] = field(default_factory=list)
    _chance: random.Random = field(default_factory=random.Random)
    _due: float = 0.0

    def __enter__(self) -> Workers:
        self._chance.seed(self.plan.seed)
        self.running = [self._start() for _ in range(self.plan.workers)]
        self._due = time.monotonic() + self.plan.kill_seconds
        return self

    def __exit__(self, *_: object) -> None:
        for worker in self.running:
            worker.kill()
            worker.wait()

    def tend(self) -> None:
        """Kill one where it is time, of those that are at work: on a busy machine others are still starting."""
        if time.monotonic() < self._due or self.kills >= self.plan.most_kills:
            return
        begun = {entry.pid for entry in self.read()}
        at_work = [place for place, worker in enumerate(self.running) if worker.pid in begun]
        if not at_work:
            return
        self._due = time.monotonic() + self.plan.kill_seconds
        place = self._chance.choice(at_work)
        self.running[place].kill()
        self.running[place].wait()
        self.kills += 1
        self.running[place] = self._start()

    def read(self) -> list[Entry]:
        """Read what they wrote down so far."""
        return read_log(self.log.read_text().splitlines())

    def _start(self) -> subprocess.Popen[bytes]:
        program = [
            sys.executable,
            "-m",
            "bench.queue.working",
            str(self.home),
            str(self.log),
            str(self.plan.job_seconds),
        ]
        return subprocess.Popen(program, env=os.environ | {"PYTHONPATH": os.pathsep.join(p for p in sys.path if p)})


def run(plan: Plan) -> dict[str, Any]:
    """Do as planned in a palace of its own; give what came of it."""
    with _home() as home, Palace.open(_settings(home), user="many", embedder=HashingEmbedder()) as palace:
        log = home / "written"
        log.touch()
        began = time.monotonic()
        with Workers(plan, home, log) as workers:
            _feed(palace, plan, workers)
        seconds = time.monotonic() - began
        found = judge(workers.read(), conversations=plan.conversations, turns=plan.turns)
        status = palace.status()
        return {
            "plan": asdict(plan),
            **asdict(found),
            "kills": workers.kills,
            "failed_jobs": status.jobs.failed,
            "left_waiting": status.jobs.waiting + status.jobs.running,
            "steps_pending": sum(step.pending for step in status.steps),
            "drawers": status.drawers,
            "duplicate_drawers": status.drawers - plan.conversations * plan.turns,
            "seconds": round(seconds, 1),
        }


def _feed(palace: Palace, plan: Plan, workers: Workers) -> None:
    filed = dict.fromkeys(range(plan.conversations), 0)
    deadline = time.monotonic() + plan.patience_seconds
    while time.monotonic() < deadline:
        workers.tend()
        done = {(each.conversation, each.turns) for each in workers.read() if each.what == "end"}
        idle = [number for number, turns in filed.items() if not turns or (number, turns) in done]
        more = [number for number in idle if filed[number] < plan.turns]
        if not more and len(idle) == len(filed) and not palace.jobs.list(limit=1):
            return
        for number in more:
            workers.tend()
            filed[number] += 1
            _file(palace, number, filed[number])
        time.sleep(LOOK_SECONDS)
    raise PalaceError("the jobs were not done in time")


def _file(palace: Palace, conversation: int, turns: int) -> None:
    messages = [{"role": "user", "content": said(conversation, turn)} for turn in range(1, turns + 1)]
    palace.file(messages, id=f"talk-{conversation}", wing="Talks", background=True)


@contextmanager
def _home() -> Iterator[Path]:
    home = Path(tempfile.mkdtemp(prefix="palace-queue-"))
    home.chmod(0o711)
    try:
        yield home
    finally:
        Administration(_settings(home)).stop()
        shutil.rmtree(home, ignore_errors=True)


def _settings(home: Path) -> Settings:
    # Only workers that have the bench's own embedder.
    return Settings(home=home, server_idle_minutes=0, worker_starts=False)
