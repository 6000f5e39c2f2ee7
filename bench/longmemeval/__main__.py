"""Measure retrieval on a file of the LongMemEval layout: `python -m bench.longmemeval VERB --help`."""

from __future__ import annotations

import sys

from bench.longmemeval.made_up import made_up
from bench.longmemeval.read import read, source
from bench.retrieval.command import main
from bench.retrieval.dataset import Benchmark

_HUB = "https://huggingface.co/datasets/xiaowu0162/longmemeval-cleaned/resolve/main"
_FILES = ("longmemeval_oracle.json", "longmemeval_s_cleaned.json", "longmemeval_m_cleaned.json")

BENCHMARK = Benchmark(
    name="longmemeval",
    about="Measure retrieval on any file of the official LongMemEval layout.",
    read=read,
    source=source,
    made_up=made_up,
    downloads=tuple((name, f"{_HUB}/{name}") for name in _FILES),
)

if __name__ == "__main__":
    sys.exit(main(BENCHMARK))
