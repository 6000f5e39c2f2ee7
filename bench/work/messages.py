"""How well it is told which messages of people hold for longer than the task at hand, and the weights that tell it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from bench.harness import Figures
from palace.nlp.work.lasting import FEATURES, LASTS, After, features_of

SET = Path(__file__).parent / "sets" / "messages.jsonl"
WEIGHTS = Path(__file__).parents[2] / "palace" / "data" / "work" / "lasting.npy"
PENALTY = 0.05
"""Of the squared weights; chosen by cross-validation over hands."""
STEPS = 20


def measure(*, fit: bool) -> Figures:
    """Judge each hand's messages by weights of the other hands; with ``fit``, write the weights of all."""
    rows = [json.loads(line) for line in SET.read_text(encoding="utf-8").splitlines()]
    matrix, lasts = _matrix(rows), np.array([row["lasts"] for row in rows], float)
    hands = np.array([row["hand"] for row in rows])
    scores = np.zeros(len(rows))
    for hand in np.unique(hands):
        bias, weights = _fitted(matrix[hands != hand], lasts[hands != hand])
        scores[hands == hand] = bias + matrix[hands == hand] @ weights
    if fit:
        bias, weights = _fitted(matrix, lasts)
        np.save(WEIGHTS, np.append(weights, bias).astype(np.float16))
    is_told = scores > np.log(LASTS / (1 - LASTS))
    order = scores.argsort().argsort()[lasts > 0].sum() - lasts.sum() * (lasts.sum() - 1) / 2
    return {
        "messages": len(rows),
        "lasting": int(lasts.sum()),
        "found": f"{100 * is_told[lasts > 0].mean():.1f} %",
        "others_taken_for_it": f"{100 * is_told[lasts == 0].mean():.1f} %",
        "area_under_the_curve": round(100 * float(order) / (lasts.sum() * (len(rows) - lasts.sum())), 1),
        **{
            f"found_by_hand_{hand}": f"{100 * is_told[(hands == hand) & (lasts > 0)].mean():.1f} %"
            for hand in np.unique(hands[lasts > 0])
        },
    }


def _matrix(rows: list[dict[str, Any]]) -> np.ndarray:
    """Return the features of messages, one a row, each row of length 1."""
    matrix = np.zeros((len(rows), FEATURES), np.float32)
    for row, line in zip(matrix, rows, strict=True):
        found = features_of(line["text"], After(line["after"]))
        row[found] = len(found) ** -0.5
    return matrix


def _fitted(matrix: np.ndarray, lasts: np.ndarray) -> tuple[float, np.ndarray]:
    """Return the bias and weights of a logistic regression, by Newton's method among the messages' own directions."""
    left, sizes, right = np.linalg.svd(matrix, full_matrices=False)
    inner = np.c_[left * sizes, np.ones(len(left))]
    penalty = PENALTY * np.eye(inner.shape[1])
    penalty[-1, -1] = 1e-3
    found = np.zeros(inner.shape[1])
    for _ in range(STEPS):
        chance = 1 / (1 + np.exp(-inner @ found))
        slope = inner.T @ (chance - lasts) + penalty @ found
        found -= np.linalg.solve((inner * (chance * (1 - chance))[:, None]).T @ inner + penalty, slope)
    return float(found[-1]), right.T @ found[:-1]
