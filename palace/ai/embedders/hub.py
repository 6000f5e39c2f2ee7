"""Models from the Hugging Face hub: downloaded on request, and afterwards read from the hub's own cache, offline."""

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
"""Patterns of the files to download: settings, tokenizer, model, and weights beside it."""

Report = Callable[[int, int], None]
"""Called with the bytes downloaded so far and the total."""


def cached_folder(place: str) -> Path:
    """Return the folder of a downloaded model, in its latest downloaded revision.

    Raises:
        EmbeddingError: it was not downloaded.
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
    """Download a model's files into the hub's cache and return its folder; files already there are kept.

    Raises:
        EmbeddingError: the hub cannot be reached or has no such model, or the package huggingface-hub is missing.
    """
    try:
        with environment(HF_HUB_DISABLE_TELEMETRY="1"):  # the hub need not know what runs where
            from huggingface_hub import snapshot_download
        from tqdm.auto import tqdm
    except ImportError as problem:
        raise EmbeddingError(
            "fetching needs the package huggingface-hub: run `pip install 'memory-palace-pg[hub]'`"
        ) from problem

    class Told(tqdm):  # type: ignore[misc]  # tqdm has no types
        """Reports the bytes downloaded instead of printing a progress bar."""

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
    # Network errors, refusals of the hub and full disks all raise one of these two.
    except (OSError, ValueError) as problem:
        raise EmbeddingError(f"{HUB}{name.place} cannot be fetched: {one_line(str(problem))}") from problem
    return Path(folder)


def _cache() -> Path:
    """Return the hub's cache folder, by the environment variables that its own programs use."""
    shared = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    home = os.environ.get("HF_HOME") or f"{shared}/huggingface"
    given = os.environ.get("HF_HUB_CACHE") or os.environ.get("HUGGINGFACE_HUB_CACHE") or f"{home}/hub"
    return Path(os.path.expanduser(given))  # noqa: PTH111 — pathlib's own raises where there is no such account
