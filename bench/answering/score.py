"""From judgements to figures, and these written out: the share of right answers, by type, abstentions apart. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean
from typing import Any

from bench import metrics
from bench.answering.models import Judged
from bench.retrieval.dataset import Judging
from bench.retrieval.show import markdown, problem_lines, title

Figures = dict[str, Any]
"""By name: ``{"count": answers, "right": of these, "value": share, "interval": [low, high]}``."""


def score(judged: Sequence[Judged], *, asked: int) -> Figures:
    """Score judgements, one a question; ``asked`` is how many questions there are: what is not judged is not counted.

    ``overall`` and ``by_type`` are over the questions that have an answer, ``abstention`` over those whose right
    answer is that it cannot be known. ``as_published`` counts as LongMemEval's own evaluation does: a question
    without an answer as one of its type, and beside the share of all the mean of the types' shares.
    """
    abstentions = [line for line in judged if Judging(line.judging).wants_abstention]
    answerable = [line for line in judged if not Judging(line.judging).wants_abstention]
    shares = [figure["right"] / figure["count"] for figure in _by_type(judged).values()]
    return {
        "asked": asked,
        "judged": len(judged),
        "overall": _figure(answerable),
        "by_type": _by_type(answerable),
        "abstention": _figure(abstentions),
        "as_published": {"overall": _figure(judged), "type_mean": round(fmean(shares), 6) if shares else 0.0},
    }


def _by_type(lines: Sequence[Judged]) -> Figures:
    types = sorted({line.question_type for line in lines})
    return {name: _figure([line for line in lines if line.question_type == name]) for name in types}


def _figure(lines: Iterable[Judged]) -> Figures:
    scores = [float(bool(line.is_right)) for line in lines]
    return {
        "count": len(scores),
        "right": int(sum(scores)),
        "value": round(fmean(scores), 6) if scores else 0.0,
        "interval": [round(edge, 6) for edge in metrics.interval(scores)],
    }


def summary_text(summary: Mapping[str, Any]) -> str:
    """Write one score out: overall, by type, abstentions, how the official evaluation counts, and what it cost.

    It never stands beside scores of retrieval, which measure something else.
    """
    manifest, score = summary["manifest"], summary["score"]
    published, by_type = score["as_published"], score["by_type"]
    counted = {"with an answer": score["overall"], **by_type, "without an answer": score["abstention"]}
    rows = ((name, each["count"], _full(each) if each["count"] else "") for name, each in counted.items())
    rest = "; the others are not counted" if score["judged"] < score["asked"] else ""
    lines = [
        f"answers: {title(summary)}",
        f"variant {manifest['variant']['name']}, reader {manifest['reader']['model']},"
        f" judge {manifest['judge']['model']}",
        f"judged: {score['judged']} of {score['asked']} questions{rest}",
        "",
        *markdown(("questions", "count", "right answers"), rows),
        "",
        f"counted as published, abstentions among their types: overall {_full(published['overall'])},"
        f" mean of types {100 * published['type_mean']:.1f}",
    ]
    lines += [
        f"{part}: {costs['calls']:,} calls, {costs['failed_calls']:,} of them failed, {costs['tokens']:,} tokens,"
        f" ${costs['cost_usd']:.4f}, {costs['seconds']:,.0f} s"
        for part, costs in summary["costs"].items()
    ]
    return "\n".join([*lines, *problem_lines(manifest)])


def _full(figure: Figures) -> str:
    low, high = figure["interval"]
    return f"{figure['right']}: {100 * figure['value']:.1f} ({100 * low:.1f}–{100 * high:.1f})"
