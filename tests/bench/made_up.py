"""Runs of made-up files."""

from __future__ import annotations

import json
from pathlib import Path

from bench.retrieval.dataset import Benchmark
from bench.retrieval.run import Run, load_variant, schema_name
from palace import Settings
from palace.testing import HashingEmbedder


def make_run(benchmark: Benchmark, settings: Settings, folder: Path, count: int = 2) -> Run:
    """Put together a run of a made-up file."""
    path = folder / f"{benchmark.name}.json"
    path.write_text(json.dumps(benchmark.made_up(count)), encoding="utf-8")
    dataset = benchmark.read(path)
    of_its_own = settings.model_copy(
        update={"database_schema": schema_name(benchmark.name, "official", dataset.sha256), "home": folder}
    )
    return Run(benchmark, dataset, "official", load_variant("product"), of_its_own, HashingEmbedder(), folder)
