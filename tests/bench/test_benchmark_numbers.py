"""Every benchmark figure that is printed comes from a summary in bench/baselines."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from bench.command import read_summaries
from bench.retrieval import show
from tests.architecture.sizes import ROOT

BASELINES = ROOT / "bench" / "baselines"
SUMMARIES = read_summaries(BASELINES)
PAGE = (ROOT / "docs" / "benchmarks.md").read_text(encoding="utf-8")
NUMBER = re.compile(r"(?<![\w.])\d+\.\d+(?![\w.])")
LICENCE = {"4.0"}
WANTED = {"99.4", "96.5"}
"""What the product was to reach."""


def figures_in(value: Any) -> Iterator[str]:
    """List every number of a summary as it is printed: a share in percent, a time in milliseconds."""
    if isinstance(value, dict):
        for inner in value.values():
            yield from figures_in(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from figures_in(inner)
    elif isinstance(value, (int, float)):
        yield from (f"{100 * abs(value):.1f}", f"{value:.1f}", f"{value:.2f}")


@pytest.fixture(scope="module")
def known() -> set[str]:
    """Every figure that was measured."""
    measured = [summary["score"] for summary in SUMMARIES]
    measured += [json.loads(path.read_text(encoding="utf-8")) for path in sorted(BASELINES.glob("compare/*.json"))]
    measured += [
        json.loads(path.read_text(encoding="utf-8"))["curve"] for path in sorted(BASELINES.glob("floor/*.json"))
    ]
    measured += [json.loads(path.read_text(encoding="utf-8")) for path in sorted(BASELINES.glob("everyday/*.json"))]
    measured += [json.loads(path.read_text(encoding="utf-8")) for path in sorted(BASELINES.glob("graph/*.json"))]
    measured += [json.loads(path.read_text(encoding="utf-8")) for path in sorted(BASELINES.glob("gate/*.json"))]
    measured += [json.loads(path.read_text(encoding="utf-8")) for path in sorted(BASELINES.glob("turn/*.json"))]
    return LICENCE | WANTED | {figure for found in measured for figure in figures_in(found)}


def test_the_page_prints_the_tables_that_the_summaries_give() -> None:
    tables = re.findall(r"<!-- tables -->\n(.+?)\n<!-- /tables -->", PAGE, re.DOTALL)
    assert "\n\n".join(table.strip() for table in tables) == show.tables(SUMMARIES)


def test_every_figure_on_the_page_was_measured(known: set[str]) -> None:
    assert [figure for figure in NUMBER.findall(PAGE) if figure not in known] == []


def test_the_readme_prints_no_other_figures_of_a_benchmark(known: set[str]) -> None:
    lines = (ROOT / "README.md").read_text(encoding="utf-8").splitlines()
    about = [line for line in lines if re.search(r"LongMemEval|LoCoMo|recall@|[^a-z]MRR", line)]
    assert [figure for line in about for figure in NUMBER.findall(line) if figure not in known] == []


def test_no_table_calls_other_data_by_an_official_name() -> None:
    official = {"longmemeval_oracle", "longmemeval_s_cleaned", "longmemeval_m_cleaned", "locomo10"}
    for summary in SUMMARIES:
        dataset = summary["manifest"]["dataset"]
        assert len(dataset["sha256"]) == 64
        assert dataset["name"] not in official or summary["score"]["questions"] >= 500
        assert not re.search(r"longmemeval_s", show.title(summary), re.IGNORECASE) or dataset["name"] in official


def test_a_summary_says_on_what_it_was_measured() -> None:
    assert SUMMARIES
    for summary in SUMMARIES:
        assert {"measured_at", "machine", "model", "revision", "settings", "variant"} <= summary["manifest"].keys()
