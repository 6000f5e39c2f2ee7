"""How much of the house one request walks through.

``python -m tests.architecture.request`` mines the README's sample into a palace of its own, asks the README's question
in a fresh process, and prints: *modules*, how many of the library are loaded after one recall; *rooms*, the packages of
the second level that it calls into; *stays*, its uninterrupted runs of first calls of a module within one room;
*climbs*, how often a stay leads to a room of a higher layer. Calls of other threads are left out.
"""

from __future__ import annotations

import configparser
import json
import subprocess
import sys
import tempfile
from itertools import pairwise
from pathlib import Path
from types import FrameType
from typing import Any

from palace import Palace, Settings
from tests.architecture.sizes import ROOT

QUESTION = "which battery wiring overheated?"
LIBRARY = f"{ROOT / 'palace'}/"


def walked(settings: dict[str, Any], user: str) -> dict[str, int]:
    """Ask a filled palace in a process of its own, and return its modules, rooms, stays and climbs."""
    program = [sys.executable, "-m", __spec__.name if __spec__ else "", json.dumps(settings), user]
    done = subprocess.run(program, capture_output=True, text=True, check=True, cwd=ROOT)
    found: dict[str, int] = json.loads(done.stdout)
    return found


def _walk(settings: dict[str, Any], user: str) -> dict[str, int]:
    called: dict[str, None] = {}

    def look(frame: FrameType, event: str, _argument: object) -> None:
        if event == "call" and frame.f_code.co_filename.startswith(LIBRARY):
            called.setdefault(frame.f_code.co_filename.removeprefix(LIBRARY))

    with Palace.open(Settings(**settings), user=user) as palace:
        palace.recall(QUESTION)
        modules = sum(name.split(".")[0] == "palace" for name in sys.modules)
        sys.setprofile(look)
        palace.recall(QUESTION)
        sys.setprofile(None)
    rooms = [_room(path) for path in called]
    stays = [room for room, before in zip(rooms, [None, *rooms], strict=False) if room != before]
    ranks = _ranks()
    climbs = sum(ranks[after[0]] < ranks[before[0]] for before, after in pairwise(stays))
    return {"modules": modules, "rooms": len(set(stays)), "stays": len(stays), "climbs": climbs}


def _room(path: str) -> tuple[str, ...]:
    """Return the package of the second level in which a file lies, or the module that stands alone."""
    folders = Path(path).parts[:-1]
    return folders[:2] or (path.removesuffix(".py"),)


def _ranks() -> dict[str, int]:
    """Map each package to its layer's number, the highest layer first, as .importlinter lists them."""
    contracts = configparser.ConfigParser()
    contracts.read(ROOT / ".importlinter")
    layers = contracts["importlinter:contract:library"]["layers"].split("\n")
    listed = {name.strip(): number for number, layer in enumerate(layers) for name in layer.split("|")}
    return {"__init__": -1, **listed}


def main() -> None:
    """Walk through a palace that is named, or fill one first."""
    if len(sys.argv) > 1:
        print(json.dumps(_walk(json.loads(sys.argv[1]), sys.argv[2])))
        return
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o711)
        settings: dict[str, Any] = {"home": folder, "server_idle_minutes": 1}
        with Palace.open(Settings(**settings), user="reader") as palace:
            palace.mine(ROOT / "examples" / "efoil.json")
        print(json.dumps(walked(settings, "reader")))


if __name__ == "__main__":
    main()
