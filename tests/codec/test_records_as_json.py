"""Records as JSON: what is written can be read back, and is what the schema says."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import jsonschema
import pytest

from palace import NotFound, Palace, UnreadableSource, Verdict, Wing, json_schema, to_json

SHAPES = json.loads((Path(__file__).parents[2] / "docs" / "records.schema.json").read_text(encoding="utf-8"))
ASKED: dict[str, Callable[[Palace], object]] = {
    "Recollection": lambda palace: palace.recall("which wire overheated?", context=1),
    "ShownDrawer": lambda palace: palace.show("W-001/R-01/D-002", context=1),
    "Drawer": lambda palace: palace.note("The key is with Derek.", wing="Boats"),
    "PalaceStatus": lambda palace: palace.status(),
    "Wing": lambda palace: palace.tree.wings(),
    "Run": lambda palace: palace.runs.list(),
    "ForgetSummary": lambda palace: palace.forget("W-001", dry_run=True),
    "Activity": lambda palace: palace.activity(),
    "CostLine": lambda palace: palace.costs(),
    "GenerationStatus": lambda palace: palace.embeddings.status(),
    "RebuildSummary": lambda palace: palace.rebuild(),
}


def check(value: object, shape: str) -> None:
    """Raise where a value is not what the schema says."""
    valid = jsonschema.validators.validator_for(SHAPES)({**SHAPES, "$ref": f"#/$defs/{shape}"})
    for part in value if isinstance(value, list) else [value]:
        valid.validate(part)


def test_what_the_facade_returns_is_what_the_schema_says(palace: Palace, tmp_path: Path) -> None:
    path = tmp_path / "talk.json"
    for said in ("Take 12 AWG.", "Take 10 AWG."):  # a conversation that was edited
        talk = [{"role": "user", "content": "Which wire overheated?", "timestamp": "2026-03-01T10:00:00+02:00"}]
        path.write_text(json.dumps({"id": "t", "messages": [*talk, {"role": "assistant", "content": said}]}))
        palace.mine(path, wing="Boats")
    for shape, ask in ASKED.items():
        check(json.loads(to_json(ask(palace))), shape)
    (tmp_path / "a.json").write_text("{")
    (tmp_path / "b.md").write_text("The mooring is paid until June.")
    summary = palace.mine(tmp_path / "a.json", tmp_path / "b.md")
    assert len(summary.failures) == 1
    check(json.loads(to_json(summary)), "MineSummary")


def test_a_schema_says_what_fields_mean_and_holds_what_stands_in_a_record_and_no_more() -> None:
    shape = SHAPES["$defs"]["Hit"]
    assert "A drawer that recall returns" in shape["description"]
    assert "comparable only within one recall" in shape["properties"]["score"]["description"]
    shapes = json_schema([Wing])["$defs"]
    assert isinstance(shapes, dict)
    assert [*shapes] == ["Wing", "WingKind"]


@dataclass(frozen=True)
class Odd:
    """Something that is no record."""

    raw: bytes


def test_what_no_record_holds_is_refused_by_both() -> None:
    with pytest.raises(TypeError):
        to_json(Odd(b"x"))
    with pytest.raises(TypeError, match="bytes"):
        json_schema([Odd])


def test_an_error_is_its_code_and_its_line_and_text_is_written_as_it_is() -> None:
    for error, code in (
        (NotFound("no wing"), "not_found"),
        (UnreadableSource("a.json", "is no JSON", place="line 3"), "unreadable_source"),
    ):
        assert json.loads(to_json(error)) == {"code": code, "message": str(error)}
    assert to_json(("電池", Verdict.OK)) == '["電池", "ok"]'
