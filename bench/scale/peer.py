"""Mining beside another program on the same files: each in turn, each into an empty palace."""

from __future__ import annotations

import json
import os
import shlex
import statistics
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.harness import Figures, Ran, environment_of, run, temporary_folder
from bench.scale.corpus import Messages, write_chats
from palace import Administration, Settings

COMMAND = (str(Path(sys.executable).with_name("palace")),)
COMMAND_OF_PEER = "mempalace --palace {palace} mine {folder} --mode convos --wing bench"


@dataclass(frozen=True, slots=True)
class Peer:
    """How the other program is called."""

    command: str = COMMAND_OF_PEER
    """``{palace}`` stands for an empty folder to mine into, ``{folder}`` for the files."""
    home: Path | None = None
    """Its ``HOME``, where it keeps models and configuration; this process's own when None."""

    def mine(self, folder: Path) -> tuple[Ran, int]:
        """Mine a folder into a palace that is gone afterwards; give how many bytes that palace had too."""
        environment = os.environ | ({"HOME": str(self.home)} if self.home else {})
        with temporary_folder() as palace:
            command = [part.format(palace=palace / "palace", folder=folder) for part in shlex.split(self.command)]
            ran = run(command, environment)
            return ran, _bytes_below(palace)


def mine_ours(folder: Path) -> tuple[Ran, int]:
    """Mine a folder with the ``palace`` program as a person would, its server started on the way."""
    with temporary_folder() as home:
        settings = Settings(home=home, user="bench")
        try:
            ran = run([*COMMAND, "mine", str(folder), "--new-user", "--json"], environment_of(settings))
        finally:
            Administration(settings).stop()
        return ran, _bytes_below(home)


def beside_peer(chats: Sequence[Messages], peer: Peer, *, runs: int) -> Figures:
    """Mine chats, each a ChatGPT export of its own, with both programs by turns; rates count the messages' text.

    Raises:
        SystemExit: a program failed, or ours did not file every message.
    """
    characters = sum(len(message["content"]) for messages in chats for message in messages)
    rows: list[Figures] = []
    with temporary_folder() as scratch:
        folder = scratch / "chats"
        write_chats(folder, chats)
        for _ in range(runs):
            rows.append(_row("ours", mine_ours, folder, characters))
            rows.append(_row("theirs", peer.mine, folder, characters))
    ours, theirs = (_median_rate(rows, program) for program in ("ours", "theirs"))
    return {
        "chats": len(chats),
        "messages": sum(map(len, chats)),
        "characters": characters,
        "ours_characters_per_second": ours,
        "theirs_characters_per_second": theirs,
        "ratio": ours / theirs,
        "runs": rows,
    }


def _row(program: str, mine: Callable[[Path], tuple[Ran, int]], folder: Path, characters: int) -> Figures:
    ran, size = mine(folder)
    row = {
        "program": program,
        "seconds": ran.seconds,
        "characters_per_second": characters / ran.seconds,
        "peak_mb": ran.peak_mb,
        "palace_mb": size / (1 << 20),
    }
    if program == "ours":
        row["drawers"] = json.loads(ran.output)["drawers_new"]
    return row


def _median_rate(rows: Sequence[Figures], program: str) -> float:
    rates: list[float] = [row["characters_per_second"] for row in rows if row["program"] == program]
    return statistics.median(rates)


def _bytes_below(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
