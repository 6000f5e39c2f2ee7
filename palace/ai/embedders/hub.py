"""Models from the hub: fetched when somebody asks for it, and from then on read from the hub's own cache, offline."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from palace.ai.client import environment
from palace.ai.embedders.names import HUB, LocalName
from palace.ai.provider import one_line
from palace.errors import EmbeddingError

USUAL_FILES = ("*.json", "model.onnx*", "onnx/model.onnx*")
"""The settings and the tokenizer, the model, and weights that lie beside it."""

Report = Callable[[int, int], None]
"""Told the bytes that are there and those there will be."""


def cached_folder(place: str) -> Path:
    """Return the folder of a model that was fetched; of the revision that was fetched last.

    Raises:
        EmbeddingError: it was not fetched.
    """
    cached = _cache() / f"models--{place.replace('/', '--')}"
    try:
        revision = (cached / "refs" / "main").read_text(encoding="utf-8").strip()
    except (OSError, ValueError) as problem:
        raise EmbeddingError(
            f"{HUB}{place} is not on this computer: run `palace embeddings fetch {HUB}{place}`"
        ) from problem
    return cached / "snapshots" / revision


def fetch(name: LocalName, report: Report | None = None) -> Path:
    """Fetch what is needed of a model into the hub's cache, and give its folder; what is there is not fetched again.

    Raises:
        EmbeddingError: the hub cannot be reached or has no such model, or the program to fetch with is not installed.
    """
    try:
        with environment(HF_HUB_DISABLE_TELEMETRY="1"):  # what runs where is not the hub's to know
            from huggingface_hub import snapshot_download
        from tqdm.auto import tqdm
    except ImportError as problem:
        raise EmbeddingError(
            "fetching needs the package huggingface-hub: run `pip install 'memory-palace-pg[hub]'`"
        ) from problem

    class Told(tqdm):  # type: ignore[misc]  # tqdm has no types
        """Passes on how many bytes there are, and writes nothing."""

        def __init__(self, *arguments: Any, **options: Any) -> None:
            self._tells = options.get("unit") == "B"
            options.pop("name", None)
            super().__init__(*arguments, **(options | {"disable": True}))

        def update(self, n: float | None = 1) -> bool | None:
            self.n += n or 0
            if report and self._tells:
                report(int(self.n), int(self.total or 0))
            return None

    wanted = name.options.file
    files = [*USUAL_FILES[:1], wanted, f"{wanted}[_.]*"] if wanted else list(USUAL_FILES)
    try:
        folder = snapshot_download(name.place, allow_patterns=files, cache_dir=_cache(), tqdm_class=Told)
    # All that it raises for networks, the hub's refusals and full disks is one of the two.
    except (OSError, ValueError) as problem:
        raise EmbeddingError(f"{HUB}{name.place} cannot be fetched: {one_line(str(problem))}") from problem
    return Path(folder)


def _cache() -> Path:
    """The hub's cache, by the variables that its own programs go by."""
    shared = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    home = os.environ.get("HF_HOME") or f"{shared}/huggingface"
    given = os.environ.get("HF_HUB_CACHE") or os.environ.get("HUGGINGFACE_HUB_CACHE") or f"{home}/hub"
    return Path(os.path.expanduser(given))  # noqa: PTH111 — pathlib's own raises where there is no such account
