"""Measure retrieval on a file of the LoCoMo layout: `python -m bench.locomo VERB --help`."""

from __future__ import annotations

import sys

from bench.locomo.made_up import made_up
from bench.locomo.read import read, source
from bench.retrieval.command import main
from bench.retrieval.dataset import Benchmark

_REPOSITORY = "https://raw.githubusercontent.com/snap-research/locomo/main/data"

BENCHMARK = Benchmark(
    name="locomo",
    about="Measure retrieval on any file of the LoCoMo layout (its data is CC BY-NC 4.0: for measuring, not for use).",
    read=read,
    source=source,
    made_up=made_up,
    downloads=(("locomo10.json", f"{_REPOSITORY}/locomo10.json"),),
)

if __name__ == "__main__":
    sys.exit(main(BENCHMARK))
