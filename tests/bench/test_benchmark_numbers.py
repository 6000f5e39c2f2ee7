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
WANTED = {"96.5"}
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
    for folder in ("compare", "everyday", "graph", "gate", "turn", "signals"):
        measured += [json.loads(path.read_text(encoding="utf-8")) for path in BASELINES.glob(f"{folder}/*.json")]
    measured += [json.loads(path.read_text(encoding="utf-8"))["curve"] for path in BASELINES.glob("floor/*.json")]
    return LICENCE | WANTED | {figure for found in measured for figure in figures_in(found)}


def test_the_page_prints_the_tables_that_the_summaries_give() -> None:
    tables = re.findall(r"<!-- tables -->\n(.+?)\n<!-- /tables -->", PAGE, re.DOTALL)
    assert "\n\n".join(table.strip() for table in tables) == show.tables(SUMMARIES)


def test_every_figure_on_the_page_was_measured(known: set[str]) -> None:
    assert [figure for figure in NUMBER.findall(PAGE) if figure not in known] == []
