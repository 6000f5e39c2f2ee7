"""`python -m bench.queue`: 1,000 jobs of 50 conversations, three workers, one of them killed every five seconds."""

from __future__ import annotations

import argparse
import os
import random
import re
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import NamedTuple

from bench.harness import Figures, home_settings, print_figures
from palace import ConversationStep, FiledTurn, Palace, PalaceError, Settings, StepVersion, UserSession, Work, Worker
from palace.testing import HashingEmbedder
from palace.worker.tasks import Rhythm

FAULTS = ("missing", "out_of_order", "at_once", "failed_jobs", "left_waiting", "steps_pending", "duplicate_drawers")
"""What has to be zero."""
LOOK_SECONDS = 0.05
RHYTHM = Rhythm(heartbeat=1, silence=4, look=1, poll=1, poll_unwoken=0.5)
"""Quicker to miss a worker than the usual one: every five seconds one is killed."""

WRITTEN = StepVersion("written down", 1)
_SAID = re.compile(r"Conversation (\d+), turn (\d+):")


@dataclass(frozen=True, slots=True)
class Plan:
    """How much is done, and how often a worker is killed."""

    jobs: int = 1000
    conversations: int = 50
    workers: int = 3
    kill_seconds: float = 5.0
    most_kills: int = 1000
    job_seconds: float = 0.05
    """How long the step that writes to the log takes."""
    patience_seconds: float = 1800.0
    seed: int = 20260430

    @property
    def turns(self) -> int:
        """Turns of each conversation: one job each."""
        return self.jobs // self.conversations


class Entry(NamedTuple):
    """A worker began a conversation, or ended it, when it had so many turns."""

    at: float
    pid: int
    what: str
    conversation: int
    turns: int


class Found(NamedTuple):
    """What the log of the workers says."""

    jobs_done: int
    missing: int
    done_again: int
    """What was done once more, because the worker that had done it was killed before it could say so."""
    out_of_order: int
    """What was done of a conversation after more of it had been."""
    at_once: int
    """Times that two workers which both lived were at one conversation together."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run it; 0 where everything was done, once and in order."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    if given[:1] == ["work"]:
        work(Path(given[1]), Path(given[2]), float(given[3]))
        return 0
    options = _parser().parse_args(given)
    plan = Plan(options.jobs, options.conversations, options.workers, options.kill_every, options.most_kills,
                seed=options.seed)  # fmt: skip
    found: Figures = {}

    def measure() -> Figures:
        found.update(run(plan))
        return found

    return print_figures(measure, as_json=options.json) or int(any(found[name] for name in FAULTS))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bench.queue", description=__doc__)
    usual = Plan()
    parser.add_argument("--jobs", type=int, default=usual.jobs, metavar="N", help="jobs, of all conversations")
    parser.add_argument("--conversations", type=int, default=usual.conversations, metavar="N")
    parser.add_argument("--workers", type=int, default=usual.workers, metavar="N")
    parser.add_argument("--kill-every", type=float, default=usual.kill_seconds, metavar="SECONDS")
    parser.add_argument("--most-kills", type=int, default=usual.most_kills, metavar="N", help="kills altogether")
    parser.add_argument("--seed", type=int, default=usual.seed, metavar="N", help="which worker is killed")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    return parser


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
        at_work = [number for number, worker in enumerate(self.running) if worker.pid in begun]
        if not at_work:
            return
        self._due = time.monotonic() + self.plan.kill_seconds
        number = self._chance.choice(at_work)
        self.running[number].kill()
        self.running[number].wait()
        self.kills += 1
        self.running[number] = self._start()

    def read(self) -> list[Entry]:
        """Read what they wrote so far."""
        return read_log(self.log.read_text().splitlines())

    def _start(self) -> subprocess.Popen[bytes]:
        program = [sys.executable, "-m", "bench.queue", "work", str(self.home), str(self.log)]
        environment = os.environ | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
        return subprocess.Popen([*program, str(self.plan.job_seconds)], env=environment)


def run(plan: Plan) -> Figures:
    """Do as planned in a palace of its own; give what came of it."""
    # Only workers that have this module's embedder.
    with (
        home_settings(server_idle_minutes=0, worker_starts=False) as settings,
        Palace.open(settings, user="many", embedder=HashingEmbedder()) as palace,
    ):
        log = settings.home_folder / "log"
        log.touch()
        began = time.monotonic()
        with Workers(plan, settings.home_folder, log) as workers:
            _feed(palace, plan, workers)
        seconds = time.monotonic() - began
        status = palace.status()
        return {
            "plan": asdict(plan),
            **judge(workers.read(), conversations=plan.conversations, turns=plan.turns)._asdict(),
            "kills": workers.kills,
            "failed_jobs": status.jobs.failed,
            "left_waiting": status.jobs.waiting + status.jobs.running,
            "steps_pending": sum(step.pending for step in status.steps),
            "drawers": status.drawers,
            "duplicate_drawers": status.drawers - plan.conversations * plan.turns,
            "seconds": round(seconds, 1),
        }


def _feed(palace: Palace, plan: Plan, workers: Workers) -> None:
    """File the next turn of each conversation once the job of the one before is done."""
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
            messages = [{"role": "user", "content": _said(number, turn)} for turn in range(1, filed[number] + 1)]
            palace.file(messages, id=f"talk-{number}", wing="Talks", background=True)
        time.sleep(LOOK_SECONDS)
    raise PalaceError("the jobs were not done in time")


def _said(conversation: int, turn: int) -> str:
    return f"Conversation {conversation}, turn {turn}: the anchor of boat {conversation} lies at {turn} fathoms."


def read_log(lines: Iterable[str]) -> list[Entry]:
    """Read the log, in order of time."""
    parts = (line.split() for line in lines)
    return sorted(Entry(float(at), int(pid), what, int(number), int(turns)) for at, pid, what, number, turns in parts)


def judge(entries: Sequence[Entry], *, conversations: int, turns: int) -> Found:
    """Count what was not as it has to be."""
    ends = [(entry.conversation, entry.turns) for entry in entries if entry.what == "end"]
    wanted = {(number, turn) for number in range(conversations) for turn in range(1, turns + 1)}
    most: dict[int, int] = {}
    out_of_order = 0
    for conversation, turn in ends:
        out_of_order += turn < most.get(conversation, 0)
        most[conversation] = max(turn, most.get(conversation, 0))
    done_again = sum(count - 1 for count in Counter(ends).values())
    return Found(len(set(ends)), len(wanted - set(ends)), done_again, out_of_order, _at_once(entries))


def _at_once(entries: Sequence[Entry]) -> int:
    """Count beginnings of a conversation that another process was at, and ended later: it lived."""
    ended: dict[tuple[int, int], list[float]] = {}
    for entry in entries:
        if entry.what == "end":
            ended.setdefault((entry.pid, entry.conversation), []).append(entry.at)
    found, begun = 0, dict[int, Entry]()
    for entry in entries:
        former = begun.get(entry.conversation)
        if entry.what == "begin":
            if former is not None and former.pid != entry.pid:
                later = [at for at in ended.get((former.pid, former.conversation), []) if at >= former.at]
                found += bool(later) and min(later) > entry.at
            begun[entry.conversation] = entry
    return found


@dataclass(frozen=True, slots=True)
class LoggedStep(ConversationStep):
    """Logs when a conversation is begun, when it is done, and how many turns it had."""

    made: StepVersion = WRITTEN
    calls_model: bool = False
    log: Path = Path(os.devnull)
    seconds: float = 0.0

    def make(self, work: Work, turns: Sequence[FiledTurn]) -> tuple[int, int]:  # noqa: ARG002 — one signature
        """Log the beginning, and take a little while."""
        found = _SAID.match(turns[0].content)
        assert found is not None
        made = (int(found[1]), len(turns))
        self._write("begin", made)
        time.sleep(self.seconds)
        return made

    def write(self, session: UserSession, conversation_id: int, made: tuple[int, int]) -> None:  # noqa: ARG002
        """Log the end."""
        self._write("end", made)

    def _write(self, what: str, made: tuple[int, int]) -> None:
        line = f"{time.time():.6f} {os.getpid()} {what} {made[0]} {made[1]}\n"
        # One write of a short line to the end of a file is whole, whoever else writes.
        number = os.open(self.log, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
        os.write(number, line.encode())
        os.close(number)


def work(home: Path, log: Path, seconds: float) -> None:
    """Work until killed."""
    settings = Settings(home=home, server_idle_minutes=0)
    Worker(settings, embedder=HashingEmbedder(), steps=[LoggedStep(log=log, seconds=seconds)], rhythm=RHYTHM).run()


if __name__ == "__main__":
    sys.exit(main())
