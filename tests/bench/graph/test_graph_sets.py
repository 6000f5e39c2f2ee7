"""Labelled sets, as they are read."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from bench.graph.sets import read_set
from palace.errors import BadRequest

MESSAGE = {"role": "user", "content": "I live in Bath", "created_at": "2025-03-05T10:00:00Z"}
RELATION = {
    "id": "r1", "user": "u", "subject": "I", "predicate": "lives_in", "kind": "plain", "object": "Bath",
    "valid_from": "2025-03", "precision": None, "valid_to": None, "precision_to": None,
    "evidence": [{"conversation": "c", "turn": 0}],
}  # fmt: skip


def write(folder: Path, **files: list[object]) -> None:
    for name, lines in files.items():
        text = "".join(json.dumps(line) + "\n" for line in lines)
        (folder / f"{name}.jsonl").write_text(text, encoding="utf-8")


def conversation(id: str = "c") -> dict[str, object]:
    return {"id": id, "user": "u", "title": None, "messages": [MESSAGE]}


def test_a_set_is_read_with_what_labels_it_has(tmp_path: Path) -> None:
    write(tmp_path, conversations=[conversation()], relations=[RELATION])
    found = read_set(tmp_path)
    assert found.users == ("u",)
    assert found.conversations_of("u")[0].messages[0].created_at == datetime(2025, 3, 5, 10, tzinfo=UTC)
    (fact,) = found.facts_of("u")
    assert fact.evidence == (("c", 0),)
    assert fact.valid_from
    assert (fact.valid_from.day, fact.valid_from.precision) == (date(2025, 3, 1), "month")
    assert (found.names, found.identities, found.questions) == ((), (), ())


def test_what_is_no_set_is_told(tmp_path: Path) -> None:
    with pytest.raises(BadRequest, match="no labelled set"):
        read_set(tmp_path)
    write(tmp_path, conversations=[conversation()], relations=[{**RELATION, "valid_from": "in May"}])
    with pytest.raises(BadRequest, match="formats"):
        read_set(tmp_path)
    (tmp_path / "relations.jsonl").write_text("{", encoding="utf-8")
    with pytest.raises(BadRequest, match=r"relations.jsonl, line 1"):
        read_set(tmp_path)
