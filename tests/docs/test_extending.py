"""The page on extending is about this program: its four programs are short, and the places it names are there."""

from __future__ import annotations

import re
from importlib import import_module

from palace.embedding.registry import KINDS, Kind
from palace.mining.readers.reader import Readers
from palace.mining.readers.registry import READERS
from palace.mining.steps.registry import STEPS
from palace.mining.steps.step import IndexStep
from palace.recall.arms import ARMS
from palace.recall.ranking.calibration import CALIBRATIONS
from palace.recall.ranking.signals import SIGNALS
from tests.docs.pages import ROOT, blocks

PAGE = "docs/extending.md"
TEXT = (ROOT / PAGE).read_text(encoding="utf-8")
MOST_LINES = 40
PLACE = re.compile(r"`((?:palace|tests)/[\w./]+)`")
ROW = re.compile(r"^\| \[an? (?:index )?(\w+)\].*`(\w+)` of `([\w/]+)\.py`", re.MULTILINE)


def test_what_it_takes_to_add_each_of_the_four_is_shown_in_under_forty_lines() -> None:
    programs = [block.text for block in blocks(PAGE) if block.language == "python"]
    for program, shown in zip(programs, ("JsonReader", "ArmRequest", "ConversationStep", "EmbeddedTexts"), strict=True):
        assert shown in program
        assert len(program.splitlines()) < MOST_LINES


def test_every_place_that_the_page_names_is_there() -> None:
    assert [place for place in PLACE.findall(TEXT) if not (ROOT / place).exists()] == []


def test_every_table_that_the_page_names_is_where_it_says() -> None:
    rows = {what: (table, path.removesuffix("/__init__").replace("/", ".")) for what, table, path in ROW.findall(TEXT)}
    assert list(rows) == ["reader", "arm", "step", "embedder"]
    found = [getattr(import_module(module), table) for table, module in rows.values()]
    assert found == [READERS, ARMS, STEPS, KINDS]


def test_what_palace_has_itself_stands_in_those_tables() -> None:
    assert isinstance(READERS, Readers)
    assert all(isinstance(step, IndexStep) for step in STEPS)
    assert all(isinstance(kind, Kind) for kind in KINDS)
    assert {arm.name for arm in ARMS} == {"semantic", "keyword", "named", "graph", "kinds"}
    assert SIGNALS
    assert CALIBRATIONS


def test_the_page_is_linked_where_somebody_would_look_for_it() -> None:
    for page in ("README.md", "docs/architecture.md", "docs/python.md", "docs/models.md", "CONTRIBUTING.md"):
        assert "extending.md" in (ROOT / page).read_text(encoding="utf-8"), page
