"""A worker whose jobs say when they begin and end; a process of its own, to be killed.

``python -m bench.queue.working HOME LOG``.
"""

from __future__ import annotations

import os
import re
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from palace import ConversationStep, FiledTurn, Settings, StepVersion, UserSession, Work
from palace.testing import HashingEmbedder
from palace.worker.runner import Worker
from palace.worker.tasks import Rhythm

WRITTEN = StepVersion("written down", 1)
SAID = re.compile(r"Conversation (\d+), turn (\d+):")
RHYTHM = Rhythm(heartbeat=1, silence=4, look=1, poll=1, poll_unwoken=0.5)
"""Quicker to miss a worker than the usual one: every five seconds one is killed."""


def said(conversation: int, turn: int) -> str:
    """Write a turn that tells which it is."""
    return f"Conversation {conversation}, turn {turn}: the anchor of boat {conversation} lies at {turn} fathoms."


@dataclass(frozen=True, slots=True)
class WriteDown(ConversationStep):
    """Notes when a conversation is begun with, when it is done, and how many turns it had."""

    made: StepVersion = WRITTEN
    calls_model: bool = False
    log: Path = Path(os.devnull)
    seconds: float = 0.0

    def make(self, work: Work, turns: Sequence[FiledTurn]) -> tuple[int, int]:  # noqa: ARG002 — one signature
        """Take a little while over it."""
        found = SAID.match(turns[0].content)
        assert found is not None
        made = (int(found[1]), len(turns))
        self._tell("begin", made)
        time.sleep(self.seconds)
        return made

    def write(self, session: UserSession, conversation_id: int, made: tuple[int, int]) -> None:  # noqa: ARG002
        """Say that it is done."""
        self._tell("end", made)

    def _tell(self, what: str, made: tuple[int, int]) -> None:
        line = f"{time.time():.6f} {os.getpid()} {what} {made[0]} {made[1]}\n"
        # One write of a short line to the end of a file is whole, whoever else writes.
        number = os.open(self.log, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
        os.write(number, line.encode())
        os.close(number)


def main() -> None:
    """Work until killed."""
    home, log, seconds = sys.argv[1:]
    settings = Settings(home=Path(home), server_idle_minutes=0)
    step = WriteDown(log=Path(log), seconds=float(seconds))
    Worker(settings, embedder=HashingEmbedder(), steps=[step], rhythm=RHYTHM).run()


if __name__ == "__main__":
    main()
