"""Which values the layers of all-MiniLM-L6-v2 multiply, so that eight bits can be laid over them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

LEVELS = 255


@dataclass(frozen=True, slots=True)
class Range:
    """The values that 256 levels are laid over, evenly; what lies outside is clipped.

    A few channels go far beyond the others, and stretching the range over them would leave the others a handful of
    levels. ``beyond`` names them with the number of ranges that follow upwards, or downwards where it is negative: each
    is a copy of the channel, moved by one range's width, so that the copies together hold the whole value.
    """

    low: float
    high: float
    beyond: tuple[tuple[int, int], ...] = ()

    @property
    def step(self) -> np.float32:
        """The distance between two levels."""
        return np.float32((self.high - self.low) / LEVELS)

    @property
    def zero(self) -> np.uint8:
        """The level that stands for nothing."""
        return np.uint8(np.rint(-self.low / self.step))

    @property
    def bottom(self) -> float:
        """What level 0 stands for: ``low``, moved so that zero is a level."""
        return -float(self.zero) * float(self.step)

    @property
    def top(self) -> float:
        """What the last level stands for."""
        return self.bottom + LEVELS * float(self.step)

    def copies(self) -> list[tuple[int, int]]:
        """List the extra copies as channel and number of widths to move it by, signed."""
        return [
            (channel, number if count > 0 else -number)
            for channel, count in self.beyond
            for number in range(1, abs(count) + 1)
        ]


@dataclass(frozen=True, slots=True)
class Layer:
    """The ranges of what goes into a layer's four matrix products."""

    attention: Range
    projection: Range
    expansion: Range
    contraction: Range
    """What GELU gives, which is never below -0.17."""


# Taken from the activations of 295 texts: English chats, program code, Django's translations into a hundred languages,
# random characters. A range is where the rounding and what is clipped together add the least to the product's squares,
# with the largest values seen, and 15 % more, within reach of eight copies.
LAYERS = (
    Layer(
        attention=Range(-2.47, 2.48, ((99, 1), (63, 1), (157, 1), (338, 1), (102, 1), (94, 1), (145, -1), (227, -1))),
        projection=Range(-3.19, 1.80),
        expansion=Range(-3.95, 4.55, ((99, 4), (63, 1), (303, -1), (267, 1), (157, 1))),
        contraction=Range(-0.17, 5.04, ((856, 5), (329, 1), (691, 1), (1096, 1))),
    ),
    Layer(
        attention=Range(-3.35, 3.31, ((99, 1), (63, 1), (157, 1), (94, 1), (338, -1), (238, -1), (145, -1), (297, -1))),
        projection=Range(-2.16, 2.48),
        expansion=Range(-4.77, 4.37, ((99, 4), (63, 1), (157, 1), (267, 1), (223, -1))),
        contraction=Range(-0.17, 4.83, ((607, 4), (251, 1), (821, 1), (417, 1), (1004, 1))),
    ),
    Layer(
        attention=Range(-3.50, 3.63, ((99, 1), (63, 1), (157, 1), (223, -1), (338, -1), (94, 1), (145, -1), (297, -1))),
        projection=Range(-2.40, 2.11),
        expansion=Range(-4.33, 4.85, ((99, 3), (223, -2), (63, 1), (157, 1), (338, -1))),
        contraction=Range(-0.17, 4.70, ((1004, 4), (218, 3), (805, 1))),
    ),
    Layer(
        attention=Range(-3.91, 3.64, ((99, 1), (63, 1), (157, 1), (94, 1), (223, -1), (338, -1), (363, 1), (145, -1))),
        projection=Range(-2.24, 2.31),
        expansion=Range(-4.72, 3.71, ((99, 4), (63, 1), (223, -2), (157, 1))),
        contraction=Range(-0.17, 4.53, ((358, 3), (201, 1), (750, 1), (662, 1), (1493, 1), (287, 1))),
    ),
    Layer(
        attention=Range(-4.37, 4.12, ((99, 1), (157, 1), (63, 1), (338, -1), (363, 1), (94, 1), (223, -1), (145, -1))),
        projection=Range(-2.50, 2.82),
        expansion=Range(-5.66, 4.12, ((99, 3), (63, 1), (127, 2), (223, -1), (157, 1))),
        contraction=Range(
            -0.17, 5.20, ((192, 1), (637, 1), (1357, 1), (716, 1), (1313, 1), (1321, 1), (1097, 1), (1257, 1))
        ),
    ),
    Layer(
        attention=Range(-4.23, 4.05, ((99, 1), (223, -1), (157, 1), (338, -1), (363, 1), (145, -1), (63, 1), (163, 1))),
        projection=Range(-2.73, 2.54),
        expansion=Range(-3.43, 3.84, ((223, -2), (127, 1), (99, 2), (319, 1), (319, -1), (157, 1))),
        contraction=Range(-0.17, 4.36, ((1302, 2), (923, 1), (1300, 1), (1297, 1), (256, 1), (830, 1), (1191, 1))),
    ),
)
