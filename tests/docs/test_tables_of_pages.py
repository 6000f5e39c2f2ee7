"""Pages that list what the program has list all of it, in order and with its numbers."""

from __future__ import annotations

import re

from palace import Strategy
from palace.config.settings import BUNDLED_MODEL
from palace.models import FloorLevel
from palace.recall.floor import CALIBRATIONS, CUTS
from palace.recall.signals import SIGNALS
from tests.docs.pages import ROOT

RECALL = (ROOT / "docs" / "recall.md").read_text(encoding="utf-8")


def test_the_page_on_recall_lists_every_arm_and_signal_with_its_weight_and_the_floor_as_it_was_measured() -> None:
    listed = re.findall(r"^\| `(\w+)` \| ([\d.]+|as measured for the model) \|", RECALL, re.MULTILINE)
    assert listed == [(each.name, str(each.weight or "as measured for the model")) for each in SIGNALS]
    assert re.findall(r"^\| `(\w+)` \| .* \| \d+ \|$", RECALL, re.MULTILINE) == [arm.name for arm in Strategy().arms]
    measured = CALIBRATIONS[BUNDLED_MODEL]
    low, normal, strict = (round(100 * CUTS[level]) for level in (FloorLevel.LOW, FloorLevel.NORMAL, FloorLevel.STRICT))
    assert f"Below {normal} %" in RECALL
    assert f"{low} % with `--floor low`, {strict} % with `strict`" in RECALL
    assert f"| 0.65 | 1 | {measured.similarity} |" in RECALL


def test_the_places_that_the_page_on_extending_names_are_there() -> None:
    named = re.findall(r"`((?:palace|tests)/[\w./]+)`", (ROOT / "docs" / "extending.md").read_text(encoding="utf-8"))
    assert [place for place in named if not (ROOT / place).exists()] == []
