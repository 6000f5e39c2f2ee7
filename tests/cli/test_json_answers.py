"""What commands answer with ``--json`` is what docs/records.schema.json says, and nothing more."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.codec.test_records_as_json import check

Run = Callable[..., Any]
ANSWERS: dict[tuple[str, ...], str] = {
    (): "Overview",
    ("note", "The mast is down."): "Drawer",
    ("mine", "{talk}"): "MineSummary",
    ("recall", "mast"): "Recollection",
    ("recent",): "Recent",
    ("ls",): "Wing",
    ("ls", "W-001"): "WingContents",
    ("ls", "W-001/R-01"): "RoomContents",
    ("show", "W-001/R-01/D-001"): "ShownDrawer",
    ("show", "W-001/R-01"): "ShownRoom",
    ("timeline", "Derek"): "Timeline",
    ("relations",): "Relation",
    ("graph", "Derek"): "Neighbourhood",
    ("status",): "PalaceStatus",
    ("runs",): "Run",
    ("activity",): "Activity",
    ("costs",): "CostLine",
    ("doctor",): "Check",
    ("entities",): "Entity",
    ("entities", "find", "Derek"): "Entity",
    ("entities", "decisions"): "Decision",
    ("jobs", "list"): "Job",
    ("jobs", "enqueue"): "JobCounts",
    ("settings",): "ShownSetting",
    ("settings", "get", "top_k"): "ShownSetting",
    ("settings", "set", "top_k", "8"): "ShownSetting",
    ("settings", "explain", "top_k"): "ShownSetting",
    ("outbox", "list"): "OutboxContents",
    ("db", "status"): "ServerStatus",
    ("db", "url"): "Address",
    ("embeddings", "status"): "GenerationStatus",
    ("forget", "W-001/R-01/D-001", "--dry-run"): "ForgetSummary",
    ("rename", "W-001", "Boat"): "Wing",
}
"""Commands, each with the record that it answers, or an array of."""


@pytest.fixture
def filed(run: Run, tmp_path: Path) -> Callable[..., Any]:
    """A palace with somebody in it, and a talk to be mined."""
    run("note", "My friend Derek sold the boat. Derek works at Bosch.", "--wing", "Boats")
    talk = tmp_path / "talk.json"
    talk.write_text(json.dumps({"id": "t", "messages": [{"role": "user", "content": "Where is the anchor?"}]}))
    return lambda *words: run(*(word.replace("{talk}", str(talk)) for word in words), "--json")


@pytest.mark.parametrize(("call", "shape"), ANSWERS.items(), ids=[" ".join(call) or "palace" for call in ANSWERS])
def test_a_command_answers_the_record_that_the_schema_names(
    filed: Callable[..., Any], call: tuple[str, ...], shape: str
) -> None:
    answered = filed(*call)
    check(json.loads(answered.stdout), shape)
