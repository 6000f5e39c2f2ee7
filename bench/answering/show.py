"""Scores of answers written out for people; never beside those of retrieval, which measure something else. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from bench.answering.score import Figures
from bench.retrieval.show import title

Summary = Mapping[str, Any]
"""A manifest and a score."""


def summary_text(summary: Summary) -> str:
    """Write one score out: overall, by type, abstentions, how the official evaluation counts, and what it cost."""
    manifest, score = summary["manifest"], summary["score"]
    published = score["as_published"]
    return "\n".join(
        (
            f"answers: {title(summary)}",
            f"variant {manifest['variant']['name']}, reader {manifest['reader']['model']},"
            f" judge {manifest['judge']['model']}",
            f"judged: {score['judged']} of {score['asked']} questions{_rest(score)}",
            "",
            "| questions | count | right answers |",
            "|---|---|---|",
            *_rows(score),
            "",
            f"counted as published, abstentions among their types: overall {_full(published['overall'])},"
            f" mean of types {100 * published['type_mean']:.1f}",
            *(_cost(part, summary["costs"][part]) for part in ("reader", "judge")),
            *(f"in the file: {kind}: {count}" for kind, count in manifest.get("problems", {}).items()),
        )
    )


def _rows(score: Figures) -> Iterable[str]:
    yield _row("with an answer", score["overall"])
    for name, figure in score["by_type"].items():
        yield _row(name, figure)
    yield _row("without an answer", score["abstention"])


def _row(name: str, figure: Figures) -> str:
    return f"| {name} | {figure['count']} | {_full(figure) if figure['count'] else ''} |"


def _full(figure: Figures) -> str:
    low, high = figure["interval"]
    return f"{figure['right']}: {100 * figure['value']:.1f} ({100 * low:.1f}–{100 * high:.1f})"


def _rest(score: Figures) -> str:
    return "; the others are not counted" if score["judged"] < score["asked"] else ""


def _cost(part: str, costs: Mapping[str, float]) -> str:
    return (
        f"{part}: {costs['calls']:,} calls, {costs['failed_calls']:,} of them failed, {costs['tokens']:,} tokens,"
        f" ${costs['cost_usd']:.4f}, {costs['seconds']:,.0f} s"
    )
