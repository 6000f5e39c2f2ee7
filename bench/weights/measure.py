"""How well weights order: figures by group of questions. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from statistics import fmean

from bench.weights.examples import Example
from palace.recall.ranking.fuse import Fused

Figures = dict[str, float]


def mean_of(figures: list[Figures]) -> Figures:
    """Give the mean of each figure, in percent."""
    return {name: 100 * fmean(each[name] for each in figures) for name in figures[0]}


def places_of(ranked: Iterable[Fused], example: Example) -> Iterator[str]:
    """Give the places that hits fill, best first, each once; a question stands with its answer."""
    seen: set[str] = set()
    for fused in ranked:
        for drawer in (fused.drawer, *([fused.question] if fused.question else [])):
            place = example.places[drawer.passage.drawer_id]
            if place not in seen:
                seen.add(place)
                yield place


def figures_of(places: list[str], wanted: frozenset[str]) -> Figures:
    """Tell where the places that hold an answer stand."""
    first = next((at for at, place in enumerate(places, 1) if place in wanted), None)
    within = {depth: wanted & frozenset(places[:depth]) for depth in (1, 5, 10)}
    return {
        "any@1": float(bool(within[1])),
        "any@5": float(bool(within[5])),
        "all@5": float(within[5] == wanted),
        "share@10": len(within[10]) / len(wanted),
        "mrr": 1 / first if first else 0.0,
    }
