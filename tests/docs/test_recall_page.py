"""The page on recall lists the signals as they are; its commands and numbers are run with the other pages."""

from __future__ import annotations

import re

from palace.recall.arms import ARMS
from palace.recall.ranking.calibration import CALIBRATIONS
from palace.recall.ranking.floor import SHIFTS
from palace.recall.ranking.signals import SIGNALS
from palace.records import FloorLevel
from palace.settings import BUNDLED_MODEL
from tests.docs.pages import ROOT

TEXT = (ROOT / "docs" / "recall.md").read_text(encoding="utf-8")


def test_the_page_lists_every_signal_with_its_weight_in_order() -> None:
    listed = re.findall(r"^\| `(\w+)` \| ([\d.]+|as measured for the model) \|", TEXT, re.MULTILINE)
    assert listed == [(each.name, str(each.weight or "as measured for the model")) for each in SIGNALS]


def test_the_page_lists_every_arm_in_order() -> None:
    assert re.findall(r"^\| `(\w+)` \| .* \| \d+ \|$", TEXT, re.MULTILINE) == [arm.name for arm in ARMS]


def test_the_page_tells_the_floor_as_it_was_measured() -> None:
    measured = CALIBRATIONS[BUNDLED_MODEL]
    floor = measured.floor
    assert f"{floor.recollection:.2f}, and {floor.tenfold:.2f} more with each power of ten" in TEXT
    assert f"asks for {SHIFTS[FloorLevel.STRICT]} more" in TEXT
    assert f"| 0.65 | 1 | {measured.similarity} |" in TEXT
