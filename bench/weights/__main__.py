"""`python -m bench.weights`: fit what signals weigh, and measure it on folds that were left out.

On the everyday sets to develop with and, with ``--data``, the questions of a LongMemEval file, whose haystack
``python -m bench.longmemeval ingest`` mined into ``--home``. LoCoMo has no part in it. What recall uses is not changed:
the table says whether it would be worth it.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import fmean, pstdev
from tempfile import TemporaryDirectory
from typing import Any

from bench.command import measured_run
from bench.everyday.sets import FOLDER, NAMES, SIZES, profile_loads, read, talks_load
from bench.longmemeval.__main__ import BENCHMARK
from bench.weights.examples import Example, benchmark_examples, everyday_examples
from bench.weights.features import list_places, weights_of
from bench.weights.fit import fit
from bench.weights.measure import Figures, figures_of, mean_of, places_of
from palace import Palaces, Strategy
from palace.errors import PalaceError
from palace.recall.ranking.fuse import Weighing, fuse
from palace.settings import Settings

FOLDS = 5
RIDGE = 3.0
"""How firmly the weights are held to the usual ones."""

BENCHMARK_SHARE = 3.0
"""What the questions of a benchmark count for, all together; those of each everyday set for 1."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Fit and measure; one JSON object on standard output."""
    options = _parser().parse_args(arguments)
    try:
        print(json.dumps(report(list(_examples(options)), _digest(options)), indent=1))
    except PalaceError as problem:
        print(f"error: {problem}", file=sys.stderr)
        return 1
    return 0


def report(examples: Sequence[Example], fitted_on: str) -> dict[str, Any]:
    """Fit on all but each fold in turn, and measure on that one, beside the usual weights."""
    names = [signal.name for signal in Strategy().signals]
    by_fold = {fold: _fitted([each for each in examples if fold_of(each) != fold]) for fold in range(FOLDS)}
    left_out = [(each, by_fold[fold_of(each)]) for each in examples]
    return {
        "fitted_on": fitted_on,
        "questions": len(examples),
        "usual": {"weights": dict(_usual(examples[0]).weights), "figures": _figures([(each, {}) for each in examples])},
        "left_out": {
            "weights": {
                name: {
                    "mean": round(fmean(weights[name] for weights in by_fold.values()), 3),
                    "spread": round(pstdev(weights[name] for weights in by_fold.values()), 3),
                }
                for name in names
            },
            "figures": _figures(left_out),
        },
        "fitted": {name: round(weight, 3) for name, weight in _fitted(examples).items()},
    }


def fold_of(example: Example) -> int:
    """Give the fold of a question: whoever asks it, and in palaces of whatever size, it is the same."""
    return int(hashlib.sha256(example.question.encode()).hexdigest(), 16) % FOLDS


def _fitted(examples: Sequence[Example]) -> dict[str, float]:
    counts: dict[str, int] = {}
    for example in examples:
        counts[example.group] = counts.get(example.group, 0) + 1
    listed = [list_places(each, _usual(each), 100 * _share(each.group) / counts[each.group]) for each in examples]
    weighing = _usual(examples[0])
    fitted = fit(listed, weights_of(weighing), ridge=RIDGE)
    return {signal.name: float(weight) for signal, weight in zip(weighing.signals, fitted, strict=True)}


def _share(group: str) -> float:
    return BENCHMARK_SHARE if group.startswith(BENCHMARK.name) else 1.0


def _usual(example: Example, weights: Mapping[str, float] | None = None) -> Weighing:
    return Strategy(weights=weights or {}).weighing(example.found.calibration)


def _figures(examples: Sequence[tuple[Example, Mapping[str, float]]]) -> dict[str, Figures]:
    found: dict[str, list[Figures]] = {}
    for each, weights in examples:
        ranked = fuse(each.found.drawers, each.found.background, _usual(each, weights)).ranked
        found.setdefault(each.group, []).append(figures_of(list(places_of(ranked, each)), each.wanted))
    return {
        group: {name: round(value, 1) for name, value in mean_of(figures).items()} for group, figures in found.items()
    }


def _examples(options: argparse.Namespace) -> Iterator[Example]:
    with TemporaryDirectory() as folder:
        settings = Settings(home=options.everyday or Path(folder, "home"), server_idle_minutes=1)
        with Palaces.open(settings) as palaces:
            for name in NAMES:
                yield from _of_set(palaces, name)
    if options.data:
        with measured_run(BENCHMARK, options) as run:
            yield from benchmark_examples(run)


def _of_set(palaces: Palaces, name: str) -> Iterator[Example]:
    found = read("tune", "en", name) or {}
    if name != "profile":
        load = talks_load(name, found)
        yield from everyday_examples(palaces, load, name, f"tune-en-{load.name}")
        return
    for size in SIZES[1:]:
        for load in profile_loads(found, size):
            yield from everyday_examples(palaces, load, f"profile of {size}", f"tune-en-{load.name}")


def _digest(options: argparse.Namespace) -> str:
    """Give the hash of all questions that were fitted on."""
    texts = [(FOLDER / "tune" / "en" / f"{name}.json").read_bytes() for name in NAMES]
    return hashlib.sha256(b"".join([*texts, options.data.read_bytes() if options.data else b""])).hexdigest()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bench.weights", description=__doc__)
    parser.add_argument("--everyday", type=Path, help="home of the everyday palaces, to keep them")
    parser.add_argument("--data", type=Path, help="a LongMemEval file")
    parser.add_argument("--haystack", choices=("official", "pooled"), default="pooled")
    parser.add_argument("--home", type=Path, help="home that its haystacks were mined into")
    parser.add_argument("--out", type=Path, default=Path("bench/runs/retrieval"), help=argparse.SUPPRESS)
    parser.set_defaults(variant="product", limit=None)
    return parser


if __name__ == "__main__":
    sys.exit(main())
