"""Files of the LoCoMo layout, whole and damaged."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from bench.locomo.made_up import made_up
from bench.locomo.read import read, source
from bench.retrieval.dataset import Dataset
from palace.mining.readers.discovery.paths import list_sources
from palace.mining.readers.registry import read_conversations


def read_as_file(folder: Path, value: object) -> Dataset:
    """Write a file and read it."""
    path = folder / "conversations.json"
    path.write_text(json.dumps(value), encoding="utf-8")
    return read(path)


def with_evidence(*evidence: object) -> list[Any]:
    """Make up a conversation with one question of such evidence."""
    samples: list[Any] = made_up(1)
    samples[0]["qa"] = [{"question": "Where?", "evidence": list(evidence), "category": 1, "answer": "there"}]
    return samples


def test_evidence_names_turns_and_their_sessions(tmp_path: Path) -> None:
    dataset = read_as_file(tmp_path, made_up(2))
    assert dataset.problems.counts() == {}
    first = dataset.questions[0]
    assert (first.id, first.type) == ("made-0/q1", "1 multi-hop")
    assert first.gold_sessions == ("made-0/session_1", "made-0/session_2")
    assert first.gold_turns == ("made-0/session_1#D1:1", "made-0/session_2#D2:1")


def test_evidence_that_is_not_there_is_told(tmp_path: Path) -> None:
    dataset = read_as_file(tmp_path, with_evidence("D1:1", "D77:1", "D1:99"))
    assert dataset.questions[0].gold_sessions == ("made-0/session_1",)
    assert dataset.questions[0].gold_turns == ("made-0/session_1#D1:1",)
    assert dataset.problems.counts() == {"names evidence that is not there: the rest counts": 1}


def test_turns_that_cannot_be_filed_are_told(tmp_path: Path) -> None:
    samples = with_evidence("D1:1")
    conversation = samples[0]["conversation"]
    conversation["session_1"] += [{"speaker": "Ada", "dia_id": "D1:1", "text": "again"}, {"text": "who?"}]
    conversation["session_2"] = []
    dataset = read_as_file(tmp_path, samples)
    assert dataset.problems.counts() == {
        "is a turn whose dia_id stands there twice: left out": 1,
        "is a turn without speaker or dia_id: left out": 1,
        "is an empty session: left out": 1,
    }
    assert len(dataset.haystacks["made-0"].sessions) == 5


def test_the_products_reader_files_the_same_turns(tmp_path: Path) -> None:
    samples: list[Any] = made_up(1)
    samples[0]["conversation"]["session_1"].append(
        {"speaker": "Bo", "dia_id": "D1:3", "text": "Look!", "blip_caption": "a photo of a tram"}
    )
    haystack = read_as_file(tmp_path, samples).haystacks["made-0"]
    mined = tmp_path / "mined.json"
    mined.write_text(json.dumps(source(haystack)), encoding="utf-8")
    found = [each for file in list_sources(mined) for each in read_conversations(file)]
    assert [each.source_id for each in found] == [session.id for session in haystack.sessions]
    assert [[turn.content for turn in each.turns] for each in found] == [
        [turn.content for turn in session.turns] for session in haystack.sessions
    ]
    assert found[0].turns[2].content == "Look!\n[shares a photo of a tram]"
