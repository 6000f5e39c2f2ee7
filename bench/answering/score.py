"""From judgements to figures: the share of right answers, by type of question, abstentions apart. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from statistics import fmean
from typing import Any

from bench import metrics
from bench.answering.log import Judged
from bench.retrieval.dataset import Judging

Figures = dict[str, Any]
"""By name: ``{"count": answers, "right": of these, "value": share, "interval": [low, high]}``."""


def score(judged: Sequence[Judged], *, asked: int) -> Figures:
    """Score judgements, one a question; ``asked`` is how many questions there are: what is not judged is not counted.

    ``overall`` and ``by_type`` are over the questions that have an answer, ``abstention`` over those whose right
    answer is that it cannot be known. ``as_published`` counts as LongMemEval's own evaluation does: a question
    without an answer as one of its type, and beside the share of all the mean of the types' shares.
    """
    answerable = [line for line in judged if not _wants_abstention(line)]
    return {
        "asked": asked,
        "judged": len(judged),
        "overall": _figure(answerable),
        "by_type": _by_type(answerable),
        "abstention": _figure([line for line in judged if _wants_abstention(line)]),
        "as_published": {"overall": _figure(judged), "type_mean": _type_mean(judged)},
    }


def _by_type(lines: Sequence[Judged]) -> Figures:
    types = sorted({line.question_type for line in lines})
    return {name: _figure([line for line in lines if line.question_type == name]) for name in types}


def _type_mean(lines: Sequence[Judged]) -> float:
    shares = [figure["right"] / figure["count"] for figure in _by_type(lines).values()]
    return round(fmean(shares), 6) if shares else 0.0


def _figure(lines: Iterable[Judged]) -> Figures:
    scores = [float(bool(line.is_right)) for line in lines]
    return {
        "count": len(scores),
        "right": int(sum(scores)),
        "value": round(fmean(scores), 6) if scores else 0.0,
        "interval": [round(edge, 6) for edge in metrics.interval(scores)],
    }


def _wants_abstention(line: Judged) -> bool:
    return Judging(line.judging).wants_abstention
