"""Labelled sets: as they are read, filed into real palaces, and judged."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from bench.graph.kinds import measure_kinds
from bench.graph.measure import measure
from bench.graph.report import figures, missed_lines
from bench.graph.sets import KindSet, Message, read_set
from palace import BadRequest, Palaces, Settings
from palace.testing import HashingEmbedder

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


@pytest.fixture
def palaces(settings: Settings) -> Iterator[Palaces]:
    with Palaces.open(settings, embedder=HashingEmbedder()) as opened:
        yield opened


@pytest.fixture
def labelled(tmp_path: Path) -> Path:
    """A set of one conversation in which somebody moves."""
    user = f"user-{uuid.uuid4()}"
    said = [("2025-03-05", "I live in Leeds."), ("2025-04-02", "I moved to Bath yesterday.")]
    messages = [{"role": "user", "content": text, "created_at": f"{day}T10:00:00Z"} for day, text in said]
    asked = {"id": "q", "user": user, "entity": "I", "question": "Where do I live?", "as_of": None,
             "believed_on": None, "answer": ["Bath"], "not": ["Leeds"]}  # fmt: skip
    write(
        tmp_path,
        conversations=[{"id": "c", "user": user, "title": "moving", "messages": messages}],
        entities=[{"conversation": "c", "turn": 0, "entities": [{"text": "Leeds", "type": "place", "start": 10}]}],
        identities=[{"user": user, "canonical": "Leeds", "type": "place", "names": ["Leeds"], "never": ["Bath"]}],
        timelines=[asked, {**asked, "id": "p", "as_of": "2025-03-06", "answer": ["Leeds"], "not": ["Bath"]}],
    )
    return tmp_path


@pytest.mark.nightly
def test_a_set_is_measured_from_end_to_end(palaces: Palaces, labelled: Path) -> None:
    found = measure(palaces, read_set(labelled), extracts=False)
    numbers = figures(found)
    json.dumps(numbers)
    assert numbers["entities"]["labelled"] == 1
    assert numbers["entities"]["found"] == 0
    assert numbers["timelines"]["relations"]["none"] == 2
    assert any("Leeds" in line for line in missed_lines(found))


@pytest.mark.nightly
def test_kinds_are_asked_with_an_arm_and_without(palaces: Palaces, labelled: Path) -> None:
    moment = read_set(labelled).conversations[0].messages[0].created_at
    kinds = KindSet(
        (("k1", Message("user", "the cello is out of tune", moment)), ("k2", Message("user", "rain again", moment))),
        (("what of the cello?", frozenset({"k1"})),),
    )
    found, asked = measure_kinds(palaces, kinds, ["keyword"])
    assert asked[0].all_in_ten == 1.0
    assert found["on"]["all_in_ten"] == 1.0
    assert found["all_in_ten_gained"]["mean"] == pytest.approx(1.0 - found["off"]["all_in_ten"])
