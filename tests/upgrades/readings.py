"""Makes the database that a release leaves behind after mining the readers' corpus, for later ones to read better.

Once for a release, with its code, from the root of this repository:

    PYTHONPATH=RELEASE:RELEASE/cli:. python tests/upgrades/readings.py 0.2.0

writes ``tests/upgrades/0.2.0-readings.backup.gz``, and ``0.2.0-readings.json``: what each drawer held, by its pointer.
Every case has a palace of its own, named after it. Both files are committed and not made again; a case that is added to
the corpus later is not in them, and one that is changed should be a new one.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from palace import Administration, Palace, PalaceError, Settings
from palace.testing import HashingEmbedder
from tests.upgrades.make import drawers_of, run, write_files

CORPUS = Path(__file__).parent.parent / "readers" / "corpus"
DIMENSION = 8
NAME = "-readings"


def cases() -> dict[str, Path]:
    """Give every case of the corpus by its name: a file or a folder beside what is expected of it."""
    found = (path for folder in ("exports", "text") for path in sorted((CORPUS / folder).iterdir()))
    return {f"{path.parent.name}/{path.name}": path for path in found if not path.name.endswith(".expected.json")}


STRANGERS = "strangers"
"""Whose palace took two chats for one, because they greet alike."""
GREETING = (("user", "Hi"), ("assistant", "Hello! How can I help you today?"))
CHATS = {
    "boats.json": (*GREETING, ("user", "Which wire do I take for the battery?"), ("assistant", "One of 8 AWG.")),
    "cheese.json": (*GREETING, ("user", "Name me a cheese for the fondue."), ("assistant", "Take a Gruyère.")),
}


def write_chats(folder: Path) -> list[Path]:
    """Write two chats that have nothing in common but their greeting."""
    folder.mkdir(exist_ok=True)
    for name, turns in CHATS.items():
        (folder / name).write_text(json.dumps([{"role": role, "content": text} for role, text in turns]))
    return [folder / name for name in CHATS]


def embedder() -> HashingEmbedder:
    """Give the embedder that fills these palaces."""
    return HashingEmbedder(DIMENSION)


def mine_all(settings: Settings) -> dict[str, dict[str, str]]:
    """Mine each case into a palace of its own; give what its drawers hold, by pointer."""
    held = {}
    for name, path in cases().items():
        with Palace.open(settings, user=name, embedder=embedder()) as palace:
            try:
                palace.mine(path)
            except PalaceError as problem:
                print(f"{name}: {problem}", file=sys.stderr)
            held[name] = {str(drawer.pointer): drawer.content for drawer in drawers_of(palace)}
    return held


def mine_strangers(settings: Settings, folder: Path) -> dict[str, str]:
    """Mine two chats that greet alike into two wings."""
    with Palace.open(settings, user=STRANGERS, embedder=embedder()) as palace:
        for path in write_chats(folder):
            palace.mine(path, wing=path.stem)
        return {str(drawer.pointer): drawer.content for drawer in drawers_of(palace)}


def make(release: str, folder: Path) -> None:
    """Fill a database and write its backup and what its pointers lead to."""
    settings = Settings(home=folder / "home", server_idle_minutes=0)
    try:
        held = mine_all(settings)
        held[STRANGERS] = mine_strangers(settings, folder / "chats")
        Administration(settings).backup(folder / "dump")
    finally:
        Administration(settings).stop()
    write_files(f"{release}{NAME}", folder / "dump", held)


if __name__ == "__main__":
    run(make)
