"""What is measured for one embedding model: the floor of relevance, and what its similarities weigh.

``python -m bench.everyday.calibrate`` fits floor and confidence of the bundled model, on palaces of 1 to 400 drawers;
``python -m bench.longmemeval calibrate`` measures floor and weight of the model that the settings name.
"""

from __future__ import annotations

from collections.abc import Mapping

from palace.records import Calibration, Confidence, Floor
from palace.settings import BUNDLED_MODEL

UNKNOWN = Calibration()
"""Of a model that was never measured, and of no model at all."""

CALIBRATIONS: Mapping[str, Calibration] = {
    BUNDLED_MODEL: Calibration(
        Floor(recollection=0.10, tenfold=0.05, hit=0.08, tail=0.33),
        similarity=1.05,
        confidence=Confidence(
            constant=-3.38,
            similarity=9.25,
            coverage=0.0,
            above=-1.14,
            tenfold=-0.9,
            first=1.32,
            asking=-5.47,
            answering=1.34,
        ),
    ),
}
"""By the name of the model, as generations record it."""


def calibration_of(model: str | None) -> Calibration:
    """Give what was measured for a model, the usual values for one that was not."""
    return CALIBRATIONS.get(model, UNKNOWN) if model else UNKNOWN
