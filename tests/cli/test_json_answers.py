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
    ("connect",): "ClientState",
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
    ("forget", "W-001/R-01/D-001", "--yes"): "ForgetSummary",
    ("forget", "--list"): "HiddenPlace",
    ("restore", "W-001/R-01/D-001"): "TakenBack",
    ("rename", "W-001", "Boat"): "Wing",
    ("move", "W-001/R-01", "Bees", "--create"): "MoveSummary",
    ("export", "{folder}/export.jsonl"): "ExportSummary",
    ("export", "--format", "html", "--to", "{folder}/pages"): "PagesSummary",
    ("import", "{folder}/export.jsonl"): "ImportSummary",
    ("rebuild",): "RebuildSummary",
    ("scrub",): "ScrubSummary",
    ("db", "backup", "{folder}/palace.backup"): "Backup",
    ("entities", "rename", "Derek", "Dirk"): "DecisionSummary",
    ("entities", "undo", "1"): "DecisionSummary",
    ("entities", "suggest"): "Doubtful",
    ("embeddings", "backfill"): "BackfillSummary",
    ("outbox", "flush"): "Flushed",
    ("outbox", "discard", "--yes"): "Discarded",
    ("worker", "--until-empty"): "WorkSummary",
}
"""Commands, each with the record that it answers, or an array of."""
BEFORE: dict[tuple[str, ...], tuple[str, ...]] = {
    ("forget", "--list"): ("forget", "W-001/R-01/D-001", "--yes"),
    ("restore", "W-001/R-01/D-001"): ("forget", "W-001/R-01/D-001", "--yes"),
    ("import", "{folder}/export.jsonl"): ("export", "{folder}/export.jsonl"),
    ("entities", "undo", "1"): ("entities", "rename", "Derek", "Dirk"),
}
"""What has to be done before some of them."""


@pytest.fixture
def filed(run: Run, tmp_path: Path) -> Callable[..., Any]:
    """A palace with somebody in it, and a talk to be mined."""
    run("note", "My friend Derek sold the boat. Derek works at Bosch.", "--wing", "Boats")
    talk = tmp_path / "talk.json"
    talk.write_text(json.dumps({"id": "t", "messages": [{"role": "user", "content": "Where is the anchor?"}]}))

    def answered(*words: str) -> Any:
        return run(*(word.replace("{talk}", str(talk)).replace("{folder}", str(tmp_path)) for word in words), "--json")

    return answered


@pytest.mark.parametrize(("call", "shape"), ANSWERS.items(), ids=[" ".join(call) or "palace" for call in ANSWERS])
def test_a_command_answers_the_record_that_the_schema_names(
    filed: Callable[..., Any], call: tuple[str, ...], shape: str
) -> None:
    if call in BEFORE:
        assert filed(*BEFORE[call]).exit_code == 0
    answered = filed(*call)
    assert answered.exit_code == 0, answered.stderr
    check(json.loads(answered.stdout), shape)


def test_taking_a_run_back_answers_what_went(filed: Callable[..., Any]) -> None:
    filed("mine", "{talk}")
    latest = json.loads(filed("runs").stdout)[0]
    check(json.loads(filed("undo", str(latest["id"]), "--yes").stdout), "UndoSummary")
