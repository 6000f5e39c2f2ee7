"""Measure retrieval, and answers, on a file of the LongMemEval layout: `python -m bench.longmemeval VERB --help`."""

from __future__ import annotations

import sys

from bench.command import main
from bench.longmemeval.made_up import made_up
from bench.longmemeval.read import read, source
from bench.retrieval.dataset import Benchmark

_HUB = "https://huggingface.co/datasets/xiaowu0162/longmemeval-cleaned/resolve/main"
_FILES = ("longmemeval_oracle.json", "longmemeval_s_cleaned.json", "longmemeval_m_cleaned.json")

BENCHMARK = Benchmark(
    name="longmemeval",
    about="Measure retrieval, and answers, on any file of the official LongMemEval layout.",
    read=read,
    source=source,
    date_field="haystack_dates",
    made_up=made_up,
    downloads=tuple((name, f"{_HUB}/{name}") for name in _FILES),
    usual_download="longmemeval_s_cleaned.json",
)

if __name__ == "__main__":
    sys.exit(main(BENCHMARK))
