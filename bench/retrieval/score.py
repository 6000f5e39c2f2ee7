"""From a log to figures: sessions and turns, by type of question, abstentions apart. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from bench import metrics
from bench.retrieval.log import Entry

PLACES = (1, 5, 10, 30, 50)
DELIVERED = 5

Figures = dict[str, Any]
"""By name: ``{"value": mean, "sum": total, "interval": [low, high], "chance": by lot}``; 0-or-1 scores sum to a count.

``chance`` is what orders drawn by lot would score on average, exactly; what five drawers deliver has none.
"""

Scorer = Callable[[Sequence[str], Sequence[str]], float]


def _at(metric: Callable[[Sequence[str], Sequence[str], int], float], k: int) -> Scorer:
    return lambda ranking, gold: metric(ranking, gold, k)


MEASURES = ("any", "all", "share", "ndcg")
SCORERS: Mapping[str, Scorer] = {
    **{f"{name}@{k}": _at(metrics.MEASURES[name], k) for k in PLACES for name in MEASURES},
    "mrr": metrics.reciprocal_rank,
}
_OF_DELIVERED = {f"{name}@{DELIVERED}": SCORERS[f"{name}@{DELIVERED}"] for name in ("any", "all", "share")}


def score(entries: Sequence[Entry]) -> Figures:
    """Score a log: every figure overall and by type of question, over the questions that have an answer.

    Turns are scored where the data set marks them: ``turns`` has a count of its own. ``delivered`` is what the
    product's own answer of five drawers holds. Recall *any*, *all* and the *share* stand side by side.
    """
    answerable = [entry for entry in entries if not entry.is_abstention]
    abstentions = [entry for entry in entries if entry.is_abstention]
    types = sorted({entry.question_type for entry in answerable})
    return {
        "questions": len(entries),
        "overall": _level_figures(answerable),
        "by_type": {name: _level_figures([e for e in answerable if e.question_type == name]) for name in types},
        # Nothing given back is what a question without an answer should get.
        "abstention": {
            "count": len(abstentions),
            "nothing_delivered": sum(not entry.ranking.delivered for entry in abstentions),
        },
        "latest_first": latest_first(answerable),
        "latency_ms": _latencies(entries),
        "warnings": sum(len(entry.ranking.warnings) for entry in entries),
    }


def latest_first(entries: Sequence[Entry]) -> Figures:
    """Count the questions about something that changed, and those whose newest session stands above the earlier ones.

    One that is not ranked stands below all; where none is ranked, the newest is not first.
    """
    changed = [entry for entry in entries if entry.latest_session]
    firsts = [next((s for s, _ in e.ranking.sessions if s in e.gold_sessions), None) for e in changed]
    first = sum(first == entry.latest_session for first, entry in zip(firsts, changed, strict=True))
    return {"count": len(changed), "first": first}


def values(entries: Sequence[Entry], level: str) -> dict[str, list[float]]:
    """Give every question's score by figure, in the order of the entries; level is "sessions" or "turns"."""
    rankings = [[found for found, _ in getattr(entry.ranking, level)] for entry in entries]
    return _scored(SCORERS, entries, level, rankings)


def delivered_values(entries: Sequence[Entry], level: str) -> dict[str, list[float]]:
    """Give the same of what the product's own answer of five drawers holds."""
    rankings = [entry.ranking.delivered for entry in entries]
    if level == "sessions":
        # A turn's number follows the last "#" of its id.
        rankings = [list(dict.fromkeys(turn.rpartition("#")[0] for turn in turns)) for turns in rankings]
    return _scored(_OF_DELIVERED, entries, level, rankings)


def _scored(
    scorers: Mapping[str, Scorer], entries: Sequence[Entry], level: str, rankings: Sequence[Sequence[str]]
) -> dict[str, list[float]]:
    pairs = [(ranking, gold_of(entry, level)) for ranking, entry in zip(rankings, entries, strict=True)]
    return {name: [scorer(*pair) for pair in pairs] for name, scorer in scorers.items()}


def gold_of(entry: Entry, level: str) -> list[str]:
    """Give a question's gold ids."""
    return entry.gold_sessions if level == "sessions" else entry.gold_turns


def _latencies(entries: Sequence[Entry]) -> Figures:
    """Give median and 95th percentile of the answer's time, and of each step the variant timed."""
    timed: dict[str, list[float]] = {}
    for entry in entries:
        answer = {} if entry.ranking.latency_ms is None else {"answer": entry.ranking.latency_ms}
        for step, spent in (answer | entry.ranking.timings_ms).items():
            timed.setdefault(step, []).append(spent)
    return {
        step: {name: round(value, 3) for name, value in metrics.percentiles(timed[step]).items()}
        for step in sorted(timed, key=lambda step: (step != "answer", step))
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
    found = _summed(values(entries, level))
    sizes = [entry.haystack_sessions if level == "sessions" else entry.haystack_turns for entry in entries]
    chances = [_chances(size, len(gold_of(entry, level))) for size, entry in zip(sizes, entries, strict=True)]
    for name, figure in found.items():
        figure["chance"] = round(sum(each[name] for each in chances) / len(chances), 6) if chances else 0.0
    return found


@cache
def _chances(ids: int, gold: int) -> Mapping[str, float]:
    chance = metrics.Chance(ids, gold)
    expected = {"any": chance.recall_any, "all": chance.recall_all, "share": chance.recall_share, "ndcg": chance.ndcg}
    return {**{f"{name}@{k}": expected[name](k) for k in PLACES for name in MEASURES}, "mrr": chance.reciprocal_rank()}


def _summed(by_name: Mapping[str, Sequence[float]]) -> Figures:
    return {name: figure(scores) for name, scores in by_name.items()}


def figure(scores: Sequence[float]) -> Figures:
    """Give mean, sum and interval of scores."""
    total = sum(scores)
    return {
        "value": round(total / len(scores), 6) if scores else 0.0,
        "sum": round(total, 6),
        "interval": [round(edge, 6) for edge in metrics.interval(scores)],
    }


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


def differing(before: Sequence[Entry], after: Sequence[Entry]) -> list[str]:
    """List the questions that two runs answered differently, or that only one of them asked.

    Compared is all of an answer but its times: every session and turn with its score, in order, what was delivered
    and the warnings.
    """
    one, other = (
        {entry.question_id: replace(entry.ranking, latency_ms=None, timings_ms={}) for entry in entries}
        for entries in (before, after)
    )
    return [name for name in dict.fromkeys((*one, *other)) if one.get(name) != other.get(name)]
