"""Fitting weights: a listwise loss, held near what they were. Pure."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from bench.weights.features import Listed, Numbers

SHARP = 8.0
"""How much worth tells at first: a difference of 1 makes a choice e^8 times as likely."""

STEPS = 60


def fit(listed: Sequence[Listed], usual: Numbers, *, ridge: float) -> Numbers:
    """Fit weights, none below 0, on the scale of the usual ones: the first keeps its own.

    For each answer the loss is how unlikely a choice by worth (softmax) among it and all that does not answer would
    fall on it; the mean over a question's answers. ``ridge`` holds the weights to the direction of the usual ones.
    Newton's method, with steps that lessen the loss alone.
    """
    learned = [each for each in listed if each.can_teach]
    weights, damping = usual * SHARP, 1e-3
    value = loss_of(learned, weights, usual, ridge)
    slope, curvature = _slope(learned, weights)
    for _ in range(STEPS):
        gradient = slope + ridge * (weights - _nearest(weights, usual))
        step = np.linalg.solve(curvature + (ridge + damping) * np.eye(len(usual)), gradient)
        tried = np.maximum(weights - step, 0.0)
        worth = loss_of(learned, tried, usual, ridge)
        if worth >= value:
            damping *= 5
            continue
        gained = value - worth
        weights, value, damping = tried, worth, damping / 3
        if gained < 1e-7:
            break
        slope, curvature = _slope(learned, weights)
    fitted: Numbers = weights * (usual[0] / weights[0])
    return fitted


def loss_of(listed: Sequence[Listed], weights: Numbers, usual: Numbers, ridge: float) -> float:
    """Give the loss of some weights, which are as sharp as they are high."""
    total = 0.0
    for each in listed:
        worth = each.rows @ weights
        highest = worth.max()
        rest = np.exp(worth[~each.answers] - highest).sum()
        own = np.exp(worth[each.answers] - highest)
        total += each.share * float(np.mean(np.log(own + rest) - np.log(own)))
    off = weights - _nearest(weights, usual)
    return total + ridge * float(off @ off) / 2


def _nearest(weights: Numbers, usual: Numbers) -> Numbers:
    nearest: Numbers = usual * float(weights @ usual / (usual @ usual))
    return nearest


def _slope(listed: Sequence[Listed], weights: Numbers) -> tuple[Numbers, Numbers]:
    slope, curvature = np.zeros(len(weights)), np.zeros((len(weights), len(weights)))
    for each in listed:
        worth = each.rows @ weights
        likely = np.exp(worth - worth.max())
        others, other = each.rows[~each.answers], likely[~each.answers]
        total, mean = other.sum(), other @ others
        square = (others * other[:, None]).T @ others
        part = each.share / each.answers.sum()
        for row, own in zip(each.rows[each.answers], likely[each.answers], strict=True):
            expected = (mean + own * row) / (total + own)
            slope += part * (expected - row)
            curvature += part * ((square + own * np.outer(row, row)) / (total + own) - np.outer(expected, expected))
    return slope, curvature
