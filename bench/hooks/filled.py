"""A palace that the sessions of the sets were filed in, by the hooks themselves: each transcript is left at a stop."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from bench.harness import temporary_folder
from bench.hooks.prompts import Half, Prompt
from bench.hooks.talks import HOME, WRITTEN, read_talks, write_transcripts
from palace import Palace, Settings, Strategy
from palace.hooks.answering import HookContext, answer_request
from palace.hooks.miner import InboxMiner
from palace.opened import OpenPalace, SharedResources

PATIENCE = 60.0
"""Seconds that an answer may take here: what is measured is what is answered."""


class HookedPalace:
    """An open palace that hooks of coding agents ask, as a worker answers them."""

    def __init__(self, palace: Palace, settings: Settings) -> None:
        opened = palace._opened
        self.embedder = opened.embedding_run().embedder
        resources = SharedResources(settings, opened.database.shared, opened.embedders, opened.strategy, opened.steps)
        self._miner = InboxMiner(resources)
        self._context = HookContext(
            settings.home_folder,
            settings.user,
            lambda user: OpenPalace.of(resources, user=user, make_user=True),
            PATIENCE,
        )

    def send(self, name: str, session: str, folder: Path | str, transcript: Path | str = "", **more: object) -> str:
        """Call a hook as Claude Code does; give the block that it answers with, "" for none."""
        told = {"session_id": session, "hook_event_name": name, "cwd": str(folder), "transcript_path": str(transcript)}
        out = answer_request(self._context, {"input": json.dumps(told | more)})
        return str(json.loads(out)["hookSpecificOutput"]["additionalContext"]) if out else ""

    def mine(self) -> None:
        """Mine what was left; a transcript that was written just now waits until it rests."""
        self._miner.look()
        while not self._miner.is_idle:
            time.sleep(0.5)
            self._miner.look()


def make_repository(folder: Path) -> None:
    """Make a folder look like a git repository."""
    for part in ("objects", "refs"):
        (folder / ".git" / part).mkdir(parents=True, exist_ok=True)
    (folder / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    (folder / ".git" / "config").write_text("")


@dataclass(frozen=True)
class Filled:
    """A palace with the sessions of the sets, and the folders they were in."""

    hooked: HookedPalace
    folders: Path

    def ask(self, prompt: Prompt, session: str) -> str:
        """Give the block that a prompt is answered with; "" for none."""
        return self.hooked.send("UserPromptSubmit", session, self.here(prompt.folder), prompt=prompt.prompt)

    def here(self, folder: str) -> Path:
        """Give where a folder of the sets lies."""
        return Path(folder.replace(HOME, str(self.folders), 1))


@contextmanager
def filled(
    home: Path, half: Half | None = None, strategy: Strategy | None = None, written: Path = WRITTEN
) -> Iterator[Filled]:
    """Fill the palace of a home, which starts a server, with the sessions of one half or both."""
    settings = Settings(home=home, user="mara", worker_starts=False)
    with temporary_folder("palace-hooks-") as made, Palace.open(settings, strategy=strategy) as palace:
        folders = made / "home"
        found = Filled(HookedPalace(palace, settings), folders)
        wanted = {talk.project: found.here(talk.folder) for talk in read_talks(written) if half in (None, talk.half)}
        for folder in wanted.values():
            make_repository(folder)
        for path in write_transcripts(made / "transcripts", str(folders), written):
            if path.parent.name in wanted:
                found.hooked.send("Stop", path.stem, wanted[path.parent.name], path)
        found.hooked.mine()
        palace.turns.end()
        yield found
