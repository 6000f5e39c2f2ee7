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

_CALL = "import sys; sys.argv[0] = 'palace'; from palace_cli.entry import main; main()"
_EMBEDDERS = ("palace.ai.embedders.registry", "palace.embedding.registry")
_PASSAGES = ("palace.nlp.passages", "palace.text.passages")


def palace(tree: Path, settings: Settings, *arguments: str, told: bytes = b"", **changes: str) -> Ran:
    """Run the ``palace`` of a working tree on a palace; ``changes`` are further environment variables."""
    return run([*command(), *arguments], environment(tree, settings, **changes), told)


def command() -> Sequence[str]:
    """Return how the program is started; its tree is named by the environment."""
    return (sys.executable, "-P", "-c", _CALL)


def environment(tree: Path, settings: Settings, **changes: str) -> dict[str, str]:
    """Return the environment of a program of a tree on a palace; no worker starts by itself, bytecode is kept."""
    path = os.pathsep.join([str(tree), str(tree / "cli")])
    kept = {"PYTHONDONTWRITEBYTECODE": "", "PYTHONPATH": path, "PALACE_WORKER_STARTS": "false"}
    return environment_of(settings) | kept | changes


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
