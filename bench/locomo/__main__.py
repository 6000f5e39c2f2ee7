"""Measure retrieval, and answers, on a file of the LoCoMo layout: `python -m bench.locomo VERB --help`."""

from __future__ import annotations

import sys

from bench.command import main
from bench.locomo.made_up import made_up
from bench.locomo.read import read, source
from bench.retrieval.dataset import Benchmark

_REPOSITORY = "https://raw.githubusercontent.com/snap-research/locomo/main/data"

BENCHMARK = Benchmark(
    name="locomo",
    about="Measure retrieval, and answers, on any file of the LoCoMo layout (its data is CC BY-NC 4.0: not for use).",
    read=read,
    source=source,
    date_field="date",
    made_up=made_up,
    downloads=(("locomo10.json", f"{_REPOSITORY}/locomo10.json"),),
    usual_download="locomo10.json",
)

if __name__ == "__main__":
    sys.exit(main(BENCHMARK))
