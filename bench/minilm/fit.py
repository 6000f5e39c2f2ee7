"""Lays 256 levels over what a product multiplies, so that rounding and clipping together cost the least."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bench.minilm.activations import Product
from palace.embedding.minilm.ranges import LEVELS, Range

Floats = npt.NDArray[np.float64]

COPIES = 8
"""Copies a product at most: 2 % more numbers."""

WITHOUT_COPIES = "projection"
"""What attention gives has no channels that go far beyond the others."""

MARGIN = 1.15
"""How far beyond the largest value seen the copies of a channel have to reach."""

LEAST_OF_GELU = -0.17
"""GELU gives nothing below it."""

SAMPLE = 4000
"""Tokens that clipping is weighed over; the largest values come from all of them."""

STEPS = 36


@dataclass(frozen=True, slots=True)
class _Side:
    """One end of a range: where it may lie, and what each channel loses beyond it."""

    sign: int
    ends: Floats
    """``(ends,)``, as distances from zero."""
    losses: Floats
    """The squares of what is clipped, weighed, by end and channel, ``(ends, channels)``."""
    reach: Floats
    """How far each channel's copies have to reach, ``(channels,)``."""


def fit(product: Product) -> Range:
    """Find a product's range, and the channels that get copies."""
    states = product.states[:: max(1, len(product.states) // SAMPLE)]
    rounding = float(product.weights.sum()) * len(states) / 12
    highs = _side(product, states, sign=1)
    lows = _gelu_side(product) if product.name == "contraction" else _side(product, states, sign=-1)
    best: tuple[float, Range] | None = None
    for low, high in _pairs(lows, highs):
        width = lows.ends[low] + highs.ends[high]
        copies = 0 if product.name == WITHOUT_COPIES else COPIES
        lost, beyond = _with_copies((highs, high), (lows, low), float(width), copies)
        cost = rounding * (width / LEVELS) ** 2 + lost
        if best is None or cost < best[0]:
            best = cost, Range(round(-float(lows.ends[low]), 2), round(float(highs.ends[high]), 2), beyond)
    assert best is not None
    return best[1]


def _pairs(lows: _Side, highs: _Side) -> Iterator[tuple[int, int]]:
    for low in range(len(lows.ends)):
        for high in range(len(highs.ends)):
            yield low, high


def _side(product: Product, states: npt.NDArray[np.float32], *, sign: int) -> _Side:
    values = np.maximum(states * np.float32(sign), 0)
    largest = np.maximum(product.states * np.float32(sign), 0).max(axis=0).astype(np.float64)
    # From where a typical channel ends to where all but the few that go beyond end.
    ends = np.linspace(np.quantile(largest, 0.25) * 0.8, np.partition(largest, -COPIES - 1)[-COPIES - 1] * 1.2, STEPS)
    losses = np.stack([(np.maximum(values - np.float32(end), 0) ** 2).sum(axis=0) for end in ends])
    return _Side(sign, ends, losses * product.weights, largest * MARGIN)


def _gelu_side(product: Product) -> _Side:
    channels = product.states.shape[1]
    return _Side(-1, np.array([-LEAST_OF_GELU]), np.zeros((1, channels)), np.zeros(channels))


def _with_copies(
    upper: tuple[_Side, int], lower: tuple[_Side, int], width: float, left: int
) -> tuple[float, tuple[tuple[int, int], ...]]:
    """Give the copies there are to the channels that lose most for each, and say what the others lose."""
    wanted: list[tuple[float, int, int, int]] = []
    lost = 0.0
    for side, end in (upper, lower):
        losses, needed = side.losses[end], np.ceil((side.reach - side.ends[end]) / width)
        lost += float(losses.sum())
        for channel in np.argsort(-losses)[: COPIES + 4]:
            if losses[channel] > 0 and needed[channel] > 0:
                count = int(needed[channel])
                wanted.append((float(losses[channel]) / count, count, int(channel), side.sign))
    beyond = []
    for gain, count, channel, sign in sorted(wanted, reverse=True):
        if count <= left:
            left -= count
            lost -= gain * count
            beyond.append((channel, sign * count))
    return lost, tuple(beyond)
