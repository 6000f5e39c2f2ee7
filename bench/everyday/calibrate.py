"""`python -m bench.everyday.calibrate`: fit how likely a hit answers, and measure how well it is told.

A logistic regression over what `palace.recall.floor` looks at, on the English sets to develop with; how
well it tells is measured on folds it was not fitted on. LoCoMo has no part in it.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from pathlib import Path

import numpy as np
import numpy.typing as npt

from bench.everyday.answers import file_load
from bench.everyday.sets import CALIBRATED, FOLDER, SIZES, Asked, Load, read_loads
from bench.harness import opened_palaces
from bench.retrieval.product import compared
from palace import Palace, Palaces, Strategy
from palace.config.settings import BUNDLED_MODEL
from palace.db.drawers import ask_recalled
from palace.models import Confidence
from palace.recall.floor import CALIBRATIONS, Features, features_of, likelihood, relevance
from palace.recall.fuse import fuse

Numbers = npt.NDArray[np.float64]
LOOKED_AT = 5
FOLDS = 5
RIDGE = 0.05
"""How much large weights are held back."""


@dataclass(frozen=True, slots=True)
class Example:
    """One of the first drawers for a question."""

    question: str
    size: int
    features: Features
    relevance: float
    answers: bool
    is_answerable: bool


def main(arguments: Sequence[str] | None = None) -> int:
    """Fit, and print the weights, how well they tell, and what the floor keeps; one JSON object."""
    parser = argparse.ArgumentParser(prog="python -m bench.everyday.calibrate", description=__doc__)
    parser.add_argument("--home", type=Path, help="a palace to keep; what is filed there already is not filed again")
    options = parser.parse_args(arguments)
    with opened_palaces(options.home, server_idle_minutes=1) as palaces:
        examples = [example for load in _loads() for example in _examples(palaces, load)]
    print(json.dumps(report(examples), indent=1))
    return 0


def report(examples: Sequence[Example]) -> dict[str, object]:
    """Fit on all, and measure on folds that were left out."""
    features = np.array([(1.0, *each.features) for each in examples])
    answers = np.array([each.answers for each in examples], float)
    # One question stays in one fold, whoever asks it, in palaces of whatever size.
    ids = [each.question.rpartition(" ")[2] for each in examples]
    folds = np.array([int(hashlib.sha256(each.encode()).hexdigest(), 16) % FOLDS for each in ids])
    told = np.zeros(len(examples))
    for fold in range(FOLDS):
        weights = fit(features[folds != fold], answers[folds != fold])
        told[folds == fold] = 1 / (1 + np.exp(-features[folds == fold] @ weights))
    names = [each.name for each in fields(Confidence)]
    fitted = {name: round(float(weight), 2) for name, weight in zip(names, fit(features, answers), strict=True)}
    return {
        "fitted_on": hashlib.sha256(b"".join(_files())).hexdigest(),
        "examples": len(examples),
        "confidence": fitted,
        "reliability": list(reliability(told, answers)),
        "brier": round(float(np.mean((told - answers) ** 2)), 4),
        "brier_of_the_mean": round(float(np.mean(answers) * (1 - np.mean(answers))), 4),
        "brier_in_force": _brier_in_force(examples),
        "at_cosine": at_cosine(examples, COSINE),
        "floor": {str(size): _floor([each for each in examples if each.size == size]) for size in SIZES},
    }


COSINE = 0.6
"""A cosine similarity that programs use as the least of a memory."""
NEAR = 0.05


def at_cosine(examples: Sequence[Example], cosine: float) -> dict[str, float]:
    """Return the mean likelihood of drawers about so similar, how many answer, and the answers that threshold keeps."""
    near = [each for each in examples if abs(each.features[SIMILARITY] - cosine) <= NEAR]
    least = float(np.mean([_likelihood_in_force(each) for each in near]))
    reached = {each.question: False for each in examples if each.answers}
    for each in examples:
        if each.answers and _likelihood_in_force(each) >= least:
            reached[each.question] = True
    return {
        "examples": len(near),
        "likelihood": round(least, 2),
        "answer": round(float(np.mean([each.answers for each in near])), 2),
        "kept": round(float(np.mean(list(reached.values()))), 2),
    }


def _likelihood_in_force(example: Example) -> float:
    """Return what recall tells today."""
    measured = CALIBRATIONS[BUNDLED_MODEL].confidence or Confidence(*[0.0] * len(fields(Confidence)))
    return likelihood(example.features, measured)


def _brier_in_force(examples: Sequence[Example]) -> float:
    told = np.array([_likelihood_in_force(each) for each in examples])
    return round(float(np.mean((told - [each.answers for each in examples]) ** 2)), 4)


def fit(features: Numbers, answers: Numbers) -> Numbers:
    """Fit a logistic regression, its constant first; that a drawer says what the query says never speaks against it."""
    weights = _fitted(features, answers)
    if weights[COVERAGE] >= 0:
        return weights
    others = np.delete(np.arange(features.shape[1]), COVERAGE)
    weights = np.zeros(features.shape[1])
    weights[others] = _fitted(features[:, others], answers)
    return weights


SIMILARITY = 0
"""The place of the similarity among the features of an example."""
COVERAGE = 2
"""The place of the coverage among the features, behind the constant and the similarity."""


def _fitted(features: Numbers, answers: Numbers) -> Numbers:
    """Fit by Newton's method."""
    weights = np.zeros(features.shape[1])
    held_back = RIDGE * np.diag([0.0, *[1.0] * (features.shape[1] - 1)])
    for _ in range(50):
        told = 1 / (1 + np.exp(-features @ weights))
        slope = features.T @ (answers - told) - held_back @ weights
        curvature = (features * (told * (1 - told))[:, None]).T @ features + held_back
        weights = weights + np.linalg.solve(curvature, slope)
    return weights


def reliability(told: Numbers, answers: Numbers) -> Iterator[dict[str, float]]:
    """Give, for each tenth of what was told, how many there are, what was told on average, and what was so."""
    for tenth in range(10):
        there = (told >= tenth / 10) & (told < (tenth + 1) / 10)
        if there.any():
            yield {
                "from": tenth / 10,
                "count": int(there.sum()),
                "told": round(float(told[there].mean()), 2),
                "true": round(float(answers[there].mean()), 2),
            }


def _floor(examples: Sequence[Example]) -> dict[str, float]:
    """Give the relevance that all but two in a hundred answerable questions reach, and how many others do not."""
    best: dict[tuple[str, bool], float] = {}
    for each in examples:
        key = each.question, each.is_answerable
        best[key] = max(each.relevance, best.get(key, -1.0))
    answerable = [value for (_, is_answerable), value in best.items() if is_answerable]
    others = [value for (_, is_answerable), value in best.items() if not is_answerable]
    if not answerable or not others:
        return {}
    least = float(np.quantile(answerable, 0.02))
    return {"least": round(least, 3), "rightly_silent": round(float(np.mean(np.array(others) < least)), 3)}


def _files() -> Iterator[bytes]:
    for name in CALIBRATED:
        yield (FOLDER / "tune" / "en" / f"{name}.json").read_bytes()


def _loads() -> Iterator[tuple[int, Load]]:
    for group, load in read_loads("tune", "en", CALIBRATED):
        yield int(group.removeprefix("profile of ")) if group.startswith("profile") else 0, load


def _examples(palaces: Palaces, sized: tuple[int, Load]) -> Iterator[Example]:
    size, load = sized
    palace = palaces.palace(f"tune-en-{load.name}", person=load.person or None)
    turns = file_load(palace, load)
    for question in load.questions:
        yield from _of_question(palace, turns, question, f"{load.name} {question.kind} {question.id}", size)


def _of_question(palace: Palace, turns: dict[str, str], question: Asked, name: str, size: int) -> Iterator[Example]:
    found = compared(palace, question.text, question.at)
    ranked = fuse(found.drawers, found.background, Strategy().weighing(found.calibration)).ranked[:LOOKED_AT]
    keys = dict.fromkeys((each.drawer.passage for each in ranked), True)
    said = palace._opened.run(lambda session: ask_recalled(session, keys, found.words, None).get())
    for place, each in enumerate(ranked):
        known = features_of(each, found.drawers, drawers=len(turns), is_first=place == 0)
        yield Example(
            name,
            size,
            known,
            relevance(each.drawer, found.calibration.floor),
            turns[str(said[each.drawer.passage].drawer.pointer)] in question.answers,
            bool(question.answers),
        )


if __name__ == "__main__":
    sys.exit(main())
