"""Figures from measurements, and tables from figures."""

from __future__ import annotations

from pathlib import Path

from bench.scale import report


def test_a_table_shows_every_result_with_its_lists_below(tmp_path: Path) -> None:
    result = {"drawers": 1000, "total_ms": {"p50": 1.234, "p95": 2.0}, "scans": [{"scan": "exact", "p50": 1.0}]}
    report.write_run(tmp_path, "semantic", result, source="made up")
    assert report.table(tmp_path).splitlines() == [
        "| measurement | figures |",
        "|---|---|",
        "| semantic | drawers 1,000, total_ms p50 1.23, total_ms p95 2.00 |",
        "",
        "semantic, scans:",
        "",
        "| scan | p50 |",
        "|---|---|",
        "| exact | 1.00 |",
    ]


def test_rows_that_lack_a_figure_leave_its_cell_empty() -> None:
    assert report.rows_table([{"a": 1, "b": "x"}, {"a": 2}])[2:] == ["| 1 | x |", "| 2 |  |"]
