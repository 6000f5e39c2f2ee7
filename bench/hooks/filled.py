"""A palace that the sessions of the sets were filed in, by the hooks themselves: each transcript is left at a stop."""

from __future__ import annotations

import json
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from bench.hooks.sets.__main__ import write_histories
from bench.hooks.sets.read import Half, Prompt
from bench.hooks.sets.talk import read_talks
from bench.hooks.sets.transcript import HOME
from palace import Palace, Settings, Strategy
from palace.hooks.answering import Ground, answer_request
from palace.hooks.miner import InboxMiner
from palace.opened import Fittings, OpenPalace

PATIENCE = 60.0
"""Seconds that an answer may take here: what is measured is what is answered."""


@dataclass(frozen=True)
class Filled:
    """A palace with the sessions of the sets, and the folders they were in."""

    ground: Ground
    folders: Path
    opened: OpenPalace

    def ask(self, prompt: Prompt, session: str) -> str:
        """Give the block that a prompt is answered with; "" for none."""
        return self.send("UserPromptSubmit", session, self.here(prompt.folder), prompt=prompt.prompt)

    def here(self, folder: str) -> str:
        """Give where a folder of the sets lies."""
        return folder.replace(HOME, str(self.folders), 1)

    def send(self, name: str, session: str, folder: str, **fields: str) -> str:
        """Call a hook as Claude Code does."""
        told = {"session_id": session, "hook_event_name": name, "cwd": folder, "transcript_path": "", **fields}
        out = answer_request(self.ground, {"input": json.dumps(told)})
        return str(json.loads(out)["hookSpecificOutput"]["additionalContext"]) if out else ""


@contextmanager
def filled(home: Path, half: Half | None = None, strategy: Strategy | None = None) -> Iterator[Filled]:
    """Fill the palace of a home, which starts a server, with the sessions of one half or both."""
    settings = Settings(home=home, user="mara", worker_starts=False)
    with (
        tempfile.TemporaryDirectory(prefix="palace-hooks-") as made,
        Palace.open(settings, strategy=strategy) as palace,
    ):
        folders = Path(made, "home")
        transcripts = write_histories(Path(made, "transcripts"), str(folders))
        opened = palace._opened
        fittings = Fittings(settings, opened.database.shared, opened.embedders, opened.strategy, opened.steps)
        ground = Ground(home, settings.user, lambda user: OpenPalace.of(fittings, user=user, make_user=True), PATIENCE)
        filled = Filled(ground, folders, opened)
        wanted = {talk.project: talk.folder for talk in read_talks() if half in (None, talk.half)}
        for folder in wanted.values():
            _make_repository(Path(filled.here(folder)))
        for path in transcripts:
            if path.parent.name in wanted:
                where = filled.here(wanted[path.parent.name])
                filled.send("Stop", path.stem, where, transcript_path=str(path))
        _mine(InboxMiner(fittings))
        palace.turns.end()
        yield filled


def _mine(miner: InboxMiner) -> None:
    """Mine what was left; a transcript that was written just now waits until it rests."""
    miner.look()
    while not miner.is_idle:
        time.sleep(0.5)
        miner.look()


def _make_repository(folder: Path) -> None:
    for part in ("objects", "refs"):
        (folder / ".git" / part).mkdir(parents=True, exist_ok=True)
    (folder / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    (folder / ".git" / "config").write_text("")
