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
PENALTY = 0.03
"""Of the squared weights; chosen by cross-validation over hands."""
STEPS, SMALLEST = 10, 1e-9
"""Of Newton's method; and the smallest size of a direction in which messages differ."""


def measure(*, fit: bool) -> Figures:
    """Judge each hand's messages by weights of the other hands; with ``fit``, write the weights of all."""
    rows = [json.loads(line) for line in SET.read_text(encoding="utf-8").splitlines()]
    matrix, lasts = _matrix(rows), np.array([row["lasts"] for row in rows], float)
    hands, alike = np.array([row["hand"] for row in rows]), (matrix @ matrix.T).astype(float)
    scores = np.zeros(len(rows))
    for hand in np.unique(hands):
        own, others = np.flatnonzero(hands == hand), np.flatnonzero(hands != hand)
        bias, shares = _fitted(alike[np.ix_(others, others)], lasts[others])
        scores[own] = bias + alike[np.ix_(own, others)] @ shares
    if fit:
        bias, shares = _fitted(alike, lasts)
        np.save(WEIGHTS, np.append(matrix.T @ shares, bias).astype(np.float16))
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


def _fitted(alike: np.ndarray, lasts: np.ndarray) -> tuple[float, np.ndarray]:
    """Return the bias of a logistic regression and each message's share in its weights, by Newton's method.

    ``alike`` has the products of the messages' features with each other's.
    """
    sizes, directions = np.linalg.eigh(alike)
    sizes = np.sqrt(np.maximum(sizes, SMALLEST))
    inner = np.c_[directions * sizes, np.ones(len(lasts))]
    penalty = PENALTY * np.eye(inner.shape[1])
    penalty[-1, -1] = 1e-3
    found = np.zeros(inner.shape[1])
    for _ in range(STEPS):
        chance = 1 / (1 + np.exp(-inner @ found))
        slope = inner.T @ (chance - lasts) + penalty @ found
        found -= np.linalg.solve((inner * (chance * (1 - chance))[:, None]).T @ inner + penalty, slope)
    return float(found[-1]), directions @ (found[:-1] / sizes)
