"""From a log to figures: sessions and turns, by type of question, abstentions apart. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from bench import metrics
from bench.retrieval.log import Entry, Ranking

PLACES = (1, 5, 10, 30, 50)
DELIVERED = 5

Figures = dict[str, Any]
"""By name: ``{"value": mean, "sum": total, "interval": [low, high], "chance": by lot}``; 0-or-1 scores sum to a count.

``chance`` is what orders drawn by lot would score on average, exactly; what five drawers deliver has none.
"""

Scorer = Callable[[Sequence[str], Sequence[str]], float]


def _at(metric: Callable[[Sequence[str], Sequence[str], int], float], k: int) -> Scorer:
    return lambda ranking, gold: metric(ranking, gold, k)


_MEASURES: Mapping[str, Callable[[Sequence[str], Sequence[str], int], float]] = {
    "any": metrics.recall_any,
    "all": metrics.recall_all,
    "share": metrics.recall_share,
    "ndcg": metrics.ndcg,
}
SCORERS: Mapping[str, Scorer] = {
    **{f"{name}@{k}": _at(metric, k) for k in PLACES for name, metric in _MEASURES.items()},
    "mrr": metrics.reciprocal_rank,
}
_CHANCES: Mapping[str, Callable[[metrics.Chance, int], float]] = {
    "any": metrics.Chance.recall_any,
    "all": metrics.Chance.recall_all,
    "share": metrics.Chance.recall_share,
    "ndcg": metrics.Chance.ndcg,
}
_OF_DELIVERED = {f"{name}@{DELIVERED}": SCORERS[f"{name}@{DELIVERED}"] for name in ("any", "all", "share")}


def score(entries: Sequence[Entry]) -> Figures:
    """Score a log: every figure overall and by type of question, over the questions that have an answer.

    Turns are scored where the data set marks them: ``turns`` has a count of its own. ``delivered`` is what the
    product's own answer of five drawers holds. Recall *any*, *all* and the *share* stand side by side.
    """
    answerable = [entry for entry in entries if not entry.is_abstention]
    types = sorted({entry.question_type for entry in answerable})
    return {
        "questions": len(entries),
        "overall": _level_figures(answerable),
        "by_type": {name: _level_figures([e for e in answerable if e.question_type == name]) for name in types},
        "abstention": _abstention([entry for entry in entries if entry.is_abstention]),
        "latest_first": latest_first(answerable),
        "latency_ms": latencies(entries),
        "warnings": sum(len(entry.ranking.warnings) for entry in entries),
    }


def latest_first(entries: Sequence[Entry]) -> Figures:
    """Count the questions about something that changed, and those whose newest session stands above the earlier ones.

    One that is not ranked stands below all; where none is ranked, the newest is not first.
    """
    changed = [entry for entry in entries if entry.latest_session]
    firsts = [next((s for s, _ in e.ranking.sessions if s in e.gold_sessions), None) for e in changed]
    return {
        "count": len(changed),
        "first": sum(first == entry.latest_session for first, entry in zip(firsts, changed, strict=True)),
    }


def values(entries: Sequence[Entry], level: str) -> dict[str, list[float]]:
    """Give every question's score by figure, in the order of the entries; level is "sessions" or "turns"."""
    return {name: [scorer(_ranking(e, level), gold_of(e, level)) for e in entries] for name, scorer in SCORERS.items()}


def delivered_values(entries: Sequence[Entry], level: str) -> dict[str, list[float]]:
    """Give the same of what the product's own answer of five drawers holds."""
    return {
        name: [scorer(_delivered(e, level), gold_of(e, level)) for e in entries]
        for name, scorer in _OF_DELIVERED.items()
    }


def gold_of(entry: Entry, level: str) -> list[str]:
    """Give a question's gold ids."""
    return entry.gold_sessions if level == "sessions" else entry.gold_turns


def latencies(entries: Sequence[Entry]) -> Figures:
    """Give median and 95th percentile of the answer's time, and of each step the variant timed."""
    steps = sorted({step for entry in entries for step in entry.ranking.timings_ms})
    timed = {"answer": [e.ranking.latency_ms for e in entries if e.ranking.latency_ms is not None]}
    for step in steps:
        timed[step] = [e.ranking.timings_ms[step] for e in entries if step in e.ranking.timings_ms]
    return {
        step: {name: round(value, 3) for name, value in metrics.percentiles(times).items()}
        for step, times in timed.items()
        if times
    }


def _level_figures(entries: Sequence[Entry]) -> Figures:
    marked = [entry for entry in entries if entry.gold_turns]
    return {
        "count": len(entries),
        "sessions": _beside_chance(entries, "sessions"),
        "delivered": _summed(delivered_values(entries, "sessions")),
        "turns": {
            "count": len(marked),
            **_beside_chance(marked, "turns"),
            "delivered": _summed(delivered_values(marked, "turns")),
        },
    }


def _beside_chance(entries: Sequence[Entry], level: str) -> Figures:
    figures = _summed(values(entries, level))
    chances = [_chances(_size(entry, level), len(gold_of(entry, level))) for entry in entries]
    for name, figure in figures.items():
        figure["chance"] = round(sum(each[name] for each in chances) / len(chances), 6) if chances else 0.0
    return figures


def _size(entry: Entry, level: str) -> int:
    return entry.haystack_sessions if level == "sessions" else entry.haystack_turns


@cache
def _chances(ids: int, gold: int) -> Mapping[str, float]:
    chance = metrics.Chance(ids, gold)
    found = {f"{name}@{k}": expected(chance, k) for k in PLACES for name, expected in _CHANCES.items()}
    return {**found, "mrr": chance.reciprocal_rank()}


def _summed(by_name: Mapping[str, Sequence[float]]) -> Figures:
    return {name: _figure(scores) for name, scores in by_name.items()}


def _figure(scores: Sequence[float]) -> Figures:
    total = sum(scores)
    return {
        "value": round(total / len(scores), 6) if scores else 0.0,
        "sum": round(total, 6),
        "interval": [round(edge, 6) for edge in metrics.interval(scores)],
    }


def _abstention(entries: Sequence[Entry]) -> Figures:
    """Count how often nothing was given back, which is what a question without an answer should get."""
    return {"count": len(entries), "nothing_delivered": sum(not entry.ranking.delivered for entry in entries)}


def _ranking(entry: Entry, level: str) -> list[str]:
    return [found for found, _ in (entry.ranking.sessions if level == "sessions" else entry.ranking.turns)]


def _delivered(entry: Entry, level: str) -> list[str]:
    if level == "turns":
        return entry.ranking.delivered
    return list(dict.fromkeys(session_of(turn) for turn in entry.ranking.delivered))


def session_of(turn_id: str) -> str:
    """Give the session a turn belongs to; the turn's number follows the last "#"."""
    return turn_id.rpartition("#")[0]


def compare(before: Sequence[Entry], after: Sequence[Entry]) -> Figures:
    """Compare two runs on the answerable questions that both asked; figures are after minus before, paired.

    ``left_out`` counts the questions that only one of them asked. ``delivered`` compares the answers of five drawers.
    """
    asked = {entry.question_id: entry for entry in after}
    pairs = [(first, asked[first.question_id]) for first in before if first.question_id in asked]
    shared = [(first, second) for first, second in pairs if not first.is_abstention]
    marked = [(first, second) for first, second in shared if first.gold_turns]
    return {
        "questions": len(shared),
        "left_out": len(before) + len(after) - 2 * len(pairs),
        "sessions": _differences(shared, values, "sessions"),
        "delivered": _differences(shared, delivered_values, "sessions"),
        "turns": {"count": len(marked), **_differences(marked, values, "turns")},
    }


def differing(before: Sequence[Entry], after: Sequence[Entry]) -> list[str]:
    """List the questions that two runs answered differently, or that only one of them asked.

    Compared is all of an answer but its times: every session and turn with its score, in order, what was delivered
    and the warnings.
    """
    one, other = ({entry.question_id: _timeless(entry.ranking) for entry in entries} for entries in (before, after))
    return [name for name in dict.fromkeys((*one, *other)) if one.get(name) != other.get(name)]


def _timeless(ranking: Ranking) -> Ranking:
    return replace(ranking, latency_ms=None, timings_ms={})


def _differences(
    pairs: Sequence[tuple[Entry, Entry]], scored: Callable[[Sequence[Entry], str], dict[str, list[float]]], level: str
) -> Figures:
    before, after = (scored([pair[side] for pair in pairs], level) for side in (0, 1))
    found = {name: metrics.paired_difference(before[name], after[name]) for name in before}
    return {
        name: {
            "difference": round(difference.mean, 6),
            "interval": [round(edge, 6) for edge in difference.interval],
            "better": difference.better,
            "worse": difference.worse,
        }
        for name, difference in found.items()
    }
