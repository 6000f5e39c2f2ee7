"""The program and the parts of Palace that its revisions have in different places."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

from bench.harness import Ran, environment_of, run
from palace import Embedder, Settings

COMMAND = (sys.executable, "-P", "-c", "import sys; sys.argv[0] = 'palace'; from palace_cli.entry import main; main()")
"""How the program is started; its tree is named by the environment."""
_EMBEDDERS = ("palace.ai.embedders.registry", "palace.embedding.registry")
_PASSAGES = ("palace.nlp.passages", "palace.text.passages")


def palace(tree: Path, settings: Settings, *arguments: str, told: bytes = b"") -> Ran:
    """Run the ``palace`` of a working tree on a palace."""
    return run([*COMMAND, *arguments], environment(tree, settings), told)


def environment(tree: Path, settings: Settings) -> dict[str, str]:
    """Return the environment of a program of a tree on a palace; no worker starts by itself, bytecode is kept."""
    path = os.pathsep.join([str(tree), str(tree / "cli")])
    kept = {"PYTHONDONTWRITEBYTECODE": "", "PYTHONPATH": path, "PALACE_WORKER_STARTS": "false"}
    return environment_of(settings) | kept


def work(tree: Path, settings: Settings) -> list[Ran]:
    """Have workers do what waits until nothing is left."""
    ran: list[Ran] = []
    while not ran or json.loads(ran[-1].output)["done"]:
        ran.append(palace(tree, settings, "worker", "--once", "--json"))
    return ran


def embedder(settings: Settings) -> Embedder:
    """Return an embedder of the settings' model of its own."""
    made: Embedder = _first(_EMBEDDERS, "embedder_for")(settings.embedding_model, settings)
    return made


def passages_of(contents: Sequence[str]) -> list[str]:
    """Cut contents into passages, as mining does."""
    split = _first(_PASSAGES, "split_passages")
    return [content[span.start : span.end] for content in contents for span in split(content)]


def _first(modules: Sequence[str], name: str) -> Any:
    for module in modules:
        with suppress(ModuleNotFoundError):
            return getattr(import_module(module), name)
    raise SystemExit(f"none of {', '.join(modules)} is there: its place in this tree is not known here")
