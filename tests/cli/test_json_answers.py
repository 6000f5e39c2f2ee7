"""What commands answer with ``--json`` is what docs/records.schema.json says, and nothing more."""

from __future__ import annotations

import json
import shlex
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from tests.cli.conftest import Run

SHAPES = json.loads((Path(__file__).parents[2] / "docs" / "records.schema.json").read_text(encoding="utf-8"))
ANSWERS = (
    *(": Overview", "note 'The mast is down.': Drawer", "mine {talk}: MineSummary", "recall mast: Recollection"),
    *("recent: Recent", "ls: Wing", "ls W-001: WingContents", "ls W-001/R-01: RoomContents", "relations: Relation"),
    *("show W-001/R-01/D-001: ShownDrawer", "show W-001/R-01: ShownRoom", "timeline Derek: Timeline"),
    *("graph Derek: Neighbourhood", "status: PalaceStatus", "runs: Run", "activity: Activity", "costs: CostLine"),
    *("doctor: Check", "connect: ClientState", "entities: Entity", "entities find Derek: Entity", "jobs list: Job"),
    *("entities decisions: Decision", "jobs enqueue: JobCounts", "settings: ShownSetting", "db url: Address"),
    *("settings get top_k: ShownSetting", "settings set top_k 8: ShownSetting", "db status: ServerStatus"),
    *("settings explain top_k: ShownSetting", "outbox list: OutboxContents", "embeddings status: GenerationStatus"),
    *("forget W-001/R-01/D-001 --dry-run: ForgetSummary", "export {folder}/export.jsonl: ExportSummary"),
    *("export --format html --to {folder}/pages: PagesSummary", "import {folder}/export.jsonl: ImportSummary"),
    *("rebuild: RebuildSummary", "scrub: ScrubSummary", "db backup {folder}/palace.backup: Backup"),
    *("entities suggest: Doubtful", "embeddings backfill: BackfillSummary", "outbox flush: Flushed"),
    *("outbox discard --yes: Discarded", "worker --until-empty: WorkSummary", "memories list: Memory"),
    *("note 'Ann sails.' --type semantic: Memory", "memories make: MadeMemories", "memories sweep: SweepSummary"),
    *("sync {folder}: SyncSummary", "sync --status: SyncStatus"),
    *("impact: Impact", "memories conflicts: Conflict", "memories reflect: Memory"),
)
"""Commands, each with the record that it answers, or an array of."""
CHANGES = (
    *("forget W-001/R-01/D-001 --yes: ForgetSummary", "forget --list: HiddenPlace"),
    *("restore W-001/R-01/D-001: TakenBack", "rename W-001 Boat: Wing"),
    *("move W-001/R-01 Bees --create: MoveSummary", "entities rename Derek Dirk: DecisionSummary"),
    "entities undo 1: DecisionSummary",
)
BEFORE = {
    "forget --list": "forget W-001/R-01/D-001 --yes",
    "restore W-001/R-01/D-001": "forget W-001/R-01/D-001 --yes",
    "entities undo 1": "entities rename Derek Dirk",
}
"""What has to be done before some of them."""


@pytest.fixture
def answered(run: Run, tmp_path: Path) -> Callable[[str], Any]:
    """Answers of a palace with somebody in it, beside a talk to be mined."""
    run("note", "My friend Derek sold the boat. Derek works at Bosch.", "--wing", "Boats")
    talk = tmp_path / "talk.json"
    talk.write_text(json.dumps({"id": "t", "messages": [{"role": "user", "content": "Where is the anchor?"}]}))

    def answer(call: str) -> Any:
        return run(*shlex.split(call.format(talk=talk, folder=tmp_path)), "--json")

    return answer


def parted(told: str) -> tuple[str, str]:
    call, _, shape = told.rpartition(":")
    return call, shape.strip()


def problem(answered: Any, shape: str) -> str | None:
    """Say why an answer is not what the schema names; None where it is."""
    if answered.exit_code:
        return str(answered.stderr)
    found = json.loads(answered.stdout)
    valid = jsonschema.validators.validator_for(SHAPES)({**SHAPES, "$ref": f"#/$defs/{shape}"})
    parts = found if isinstance(found, list) else [found]
    return next((error.message for part in parts for error in valid.iter_errors(part)), None)


def test_what_asks_and_what_changes_little_answers_the_record_that_the_schema_names(
    answered: Callable[[str], Any],
) -> None:
    wrong = [(call, problem(answered(call), shape)) for call, shape in map(parted, ANSWERS)]
    assert [each for each in wrong if each[1]] == []
    latest = json.loads(answered("runs").stdout)[0]
    assert problem(answered(f"undo {latest['id']} --yes"), "UndoSummary") is None


@pytest.mark.nightly
def test_what_changes_places_answers_the_record_that_the_schema_names(
    answered: Callable[[str], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong = []
    for call, shape in map(parted, CHANGES):
        monkeypatch.setenv("LOGNAME", f"user-{uuid.uuid4()}")
        answered("note 'My friend Derek sold the boat. Derek works at Bosch.' --wing Boats")
        if call in BEFORE:
            assert answered(BEFORE[call]).exit_code == 0
        wrong.append((call, problem(answered(call), shape)))
    assert [each for each in wrong if each[1]] == []
