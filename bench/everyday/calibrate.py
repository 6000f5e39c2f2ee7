"""`python -m bench.everyday.calibrate`: fit and measure the probabilities that a hit answers and that any drawer does.

Logistic regressions over the features of `palace.recall.floor`, on the English sets to develop with, measured in
cross-validation by question. LoCoMo and LongMemEval have no part in it.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from bench.everyday.answers import file_load
from bench.everyday.sets import CALIBRATED, FOLDER, SIZES, Asked, Load, read_loads
from bench.harness import Figures, opened_palaces
from bench.retrieval.product import compared
from palace import Palace, Palaces, Strategy
from palace.config.settings import BUNDLED_MODEL
from palace.db.drawers import Recalled, ask_recalled
from palace.models import Chance, Confidence
from palace.nlp.names.lexicon import is_surely_given
from palace.recall.comparison import Comparison
from palace.recall.floor import CALIBRATIONS, CUTS, Features, features_of, likelihood
from palace.recall.fuse import Fused, fuse

Numbers = npt.NDArray[np.float64]
LOOKED_AT = 5
LOADED = 25
"""Number of the first drawers that are checked for answers."""
FOLDS = 5
RIDGE = 0.05
"""How much large weights are held back."""


@dataclass(frozen=True, slots=True)
class Example:
    """One of the first drawers for a question."""

    question: str
    features: Features
    answers: bool


class Query(NamedTuple):
    """A question, a question whose answers are left out, or a single word of a fact, with its features."""

    group: str
    question: str
    kind: str
    features: Features
    is_answerable: bool


def main(arguments: Sequence[str] | None = None) -> int:
    """Fit, and print the weights, how well they tell, and what the floor keeps; one JSON object."""
    parser = argparse.ArgumentParser(prog="python -m bench.everyday.calibrate", description=__doc__)
    parser.add_argument("--home", type=Path, help="a palace to keep; what is filed there already is not filed again")
    options = parser.parse_args(arguments)
    with opened_palaces(options.home, server_idle_minutes=1) as palaces:
        queries: list[Query] = []
        loads = read_loads("tune", "en", CALIBRATED)
        examples = [example for group, load in loads for example in _examples(palaces, group, load, queries)]
    print(json.dumps({**report(examples), **chance(queries)}, indent=1))
    return 0


TENFOLD = -0.15
"""The weight of the number of drawers, set by hand: the fitted one hides one answerable question in twelve of 400."""
MOST = 60
"""Total weight of all queries of one kind and group, at most."""
NOBODY = "Casimir"
"""A name that no set has."""
NOT_ASKED = "standing"
"""The set of tasks, whose instructions are returned at any probability."""


def chance(queries: Sequence[Query]) -> Figures:
    """Fit the chance of an answer, and return the shares of queries without hits, in percent, in cross-validation."""
    queries = [each for each in queries if each.group != NOT_ASKED]
    features = np.array([(1.0, *each.features) for each in queries])
    answers = np.array([each.is_answerable for each in queries], float)
    counts = Counter((each.group, each.kind) for each in queries)
    counting = np.array([min(1.0, MOST / counts[each.group, each.kind]) for each in queries])
    folds, predicted = _folds([each.question for each in queries]), np.zeros(len(queries))
    for fold in range(FOLDS):
        others = folds != fold
        weights = _fitted_chance(features[others], answers[others], counting[others])
        predicted[~others] = 1 / (1 + np.exp(-features[~others] @ weights))
    counted: dict[str, dict[str, Figures]] = {}
    for group, kind in dict.fromkeys((each.group, each.kind) for each in queries):
        here = np.array([(each.group, each.kind) == (group, kind) for each in queries])
        counted.setdefault(group, {})[kind] = {
            "of": int(here.sum()),
            **{level.value: round(100 * float(np.mean(predicted[here] < cut)), 1) for level, cut in CUTS.items()},
        }
    fitted = _by_name(Chance, _fitted_chance(features, answers, counting))
    return {"chance": fitted, "chance_reliability": list(reliability(predicted, answers)), "silent": counted}


def _folds(questions: Sequence[str]) -> Numbers:
    """Return the fold of each question, the same for all palaces in which it is asked."""
    ids = [each.rpartition(" ")[2] for each in questions]
    return np.array([int(hashlib.sha256(each.encode()).hexdigest(), 16) % FOLDS for each in ids], float)


def _fitted_chance(features: Numbers, answers: Numbers, counting: Numbers) -> Numbers:
    others = np.where(np.arange(features.shape[1]) == TENS, 0.0, features)
    weights = fit(others, answers, TENFOLD * features[:, TENS], counting)
    weights[TENS] = TENFOLD
    return weights


def _by_name(kind: type[Confidence] | type[Chance], weights: Numbers) -> dict[str, float]:
    return {each.name: round(float(weight), 2) for each, weight in zip(fields(kind), weights, strict=True)}


def report(examples: Sequence[Example]) -> dict[str, object]:
    """Fit on all, and measure on folds that were left out."""
    features = np.array([(1.0, *each.features) for each in examples])
    answers = np.array([each.answers for each in examples], float)
    folds = _folds([each.question for each in examples])
    told = np.zeros(len(examples))
    for fold in range(FOLDS):
        weights = fit(features[folds != fold], answers[folds != fold])
        told[folds == fold] = 1 / (1 + np.exp(-features[folds == fold] @ weights))
    return {
        "fitted_on": hashlib.sha256(b"".join(_files())).hexdigest(),
        "examples": len(examples),
        "confidence": _by_name(Confidence, fit(features, answers)),
        "reliability": list(reliability(told, answers)),
        "brier": round(float(np.mean((told - answers) ** 2)), 4),
        "brier_of_the_mean": round(float(np.mean(answers) * (1 - np.mean(answers))), 4),
        "brier_in_force": _brier_in_force(examples),
        "at_cosine": at_cosine(examples, COSINE),
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


def fit(features: Numbers, answers: Numbers, known: Numbers | float = 0.0, counting: Numbers | float = 1.0) -> Numbers:
    """Fit a logistic regression, its constant first; that a drawer says what the query says never speaks against it.

    ``known`` is added to the weighted sum of the features, ``counting`` has the weight of each example.
    """
    weights = _fitted(features, answers, known, counting)
    if weights[COVERAGE] >= 0:
        return weights
    others = np.delete(np.arange(features.shape[1]), COVERAGE)
    weights = np.zeros(features.shape[1])
    weights[others] = _fitted(features[:, others], answers, known, counting)
    return weights


SIMILARITY = 0
"""The place of the similarity among the features of an example."""
COVERAGE = 2
"""The place of the coverage among the features, behind the constant and the similarity."""
TENS = 4
"""The index of the logarithm of the number of drawers among the features of a query."""


def _fitted(features: Numbers, answers: Numbers, known: Numbers | float, counting: Numbers | float) -> Numbers:
    """Fit by Newton's method."""
    weights = np.zeros(features.shape[1])
    held_back = RIDGE * np.diag([0.0, *[1.0] * (features.shape[1] - 1)])
    for _ in range(50):
        told = 1 / (1 + np.exp(-(features @ weights + known)))
        slope = features.T @ (counting * (answers - told)) - held_back @ weights
        curvature = (features * (counting * told * (1 - told))[:, None]).T @ features + held_back
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


def _files() -> Iterator[bytes]:
    for name in CALIBRATED:
        yield (FOLDER / "tune" / "en" / f"{name}.json").read_bytes()


def _examples(palaces: Palaces, group: str, load: Load, queries: list[Query]) -> Iterator[Example]:
    """Yield the first drawers of every question as examples, and append the queries to ``queries``."""
    palace = palaces.palace(f"tune-en-{load.name}", person=load.person or None)
    turns = file_load(palace, load)
    for question in load.questions:
        name = f"{load.name} {question.kind} {question.id}"
        add = partial(Query, group, name)
        yield from _of_question(palace, turns, question, name, lambda *what, add=add: queries.append(add(*what)))
    for talk in load.talks if len(turns) >= SIZES[-2] else ():
        found = compared(palace, max(talk.turns[0].text.split(), key=len), load.questions[0].at)
        queries.append(Query(group, talk.id, "a word", _features(found, _ranked(palace, found)), is_answerable=True))


def _of_question(
    palace: Palace, turns: dict[str, str], question: Asked, name: str, add: Callable[[str, Features, bool], None]
) -> Iterator[Example]:
    found = compared(palace, question.text, question.at)
    first = _ranked(palace, found)
    add("asked" if question.answers else "unanswerable", _features(found, first), bool(question.answers))
    given = next((word for word in re.findall(r"\b[A-Z]\w+", question.text)[1:] if is_surely_given(word)), None)
    if question.answers and given:
        other = compared(palace, question.text.replace(given, NOBODY), question.at)
        add("another name", _features(other, _ranked(palace, other)), False)
    ids = {fused.id: turns[str(recalled.drawer.pointer)] for fused, recalled in first}
    gone = question.answers | question.others
    if question.answers and len(turns) > 1 and not question.is_broad:
        # Only the first drawers are known to answer or not.
        left = replace(found, drawers=[each for each in found.drawers if ids.get(each.id) not in gone])
        add("left out", _features(left, _ranked(palace, left)), False)
    for place, (fused, _) in enumerate(first[:LOOKED_AT]):
        known = features_of(fused, found.drawers, drawers=len(turns), is_first=place == 0)
        yield Example(name, known, ids[fused.id] in question.answers)


def _ranked(palace: Palace, found: Comparison) -> list[tuple[Fused, Recalled]]:
    """Return the first drawers in order, loaded."""
    ranked = fuse(found.drawers, found.background, Strategy().weighing(found.calibration)).ranked[:LOADED]
    keys = dict.fromkeys((each.drawer.passage for each in ranked), True)
    said = palace._opened.run(lambda session: ask_recalled(session, keys, found.words, None).get())
    return [(each, said[each.drawer.passage]) for each in ranked]


def _features(found: Comparison, first: Sequence[tuple[Fused, Recalled]]) -> Features:
    fused, recalled = first[0]
    return found.features(recalled.drawer.content, is_answer=fused.question is not None)


if __name__ == "__main__":
    sys.exit(main())
