"""Files of the LoCoMo layout, whole and damaged."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from bench.locomo.made_up import made_up
from bench.locomo.read import read, source
from bench.retrieval.dataset import Dataset, shuffled_dates
from palace.errors import UnreadableSource
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


def test_two_ids_in_one_string_both_count_and_are_told(tmp_path: Path) -> None:
    dataset = read_as_file(tmp_path, with_evidence("D1:1; D4:2"))
    assert dataset.questions[0].gold_turns == ("made-0/session_1#D1:1", "made-0/session_4#D4:2")
    assert dataset.problems.counts() == {"has malformed evidence: what can be read of it counts": 1}


def test_a_question_without_readable_evidence_is_left_out(tmp_path: Path) -> None:
    samples = with_evidence("D", "D:11:26")
    samples[0]["qa"].append({"question": "When?", "evidence": ["D2:1"], "category": 2, "answer": "then"})
    dataset = read_as_file(tmp_path, samples)
    assert [question.text for question in dataset.questions] == ["When?"]
    assert dataset.problems.counts()["has no evidence in the conversation"] == 1


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


def test_two_conversations_of_one_name_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UnreadableSource, match="two conversations called made-0"):
        read_as_file(tmp_path, made_up(1) * 2)


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


def test_questions_are_asked_just_after_the_last_session(tmp_path: Path) -> None:
    samples = made_up(2)
    conversation: Any = samples[1]["conversation"]
    conversation.update({key: "some day" for key in conversation if key.endswith("date_time")})
    dataset = read_as_file(tmp_path, samples)
    moments = {question.haystack: question.asked_at for question in dataset.questions}
    assert moments == {"made-0": datetime(2023, 5, 6, 18, 16, tzinfo=UTC), "made-1": None}
    assert dataset.problems.counts() == {
        "has no date of the session": 6,
        "has no dated session: its questions are asked as of the day it is run": 1,
    }


def test_shuffled_dates_are_mined(tmp_path: Path) -> None:
    haystack = shuffled_dates(read_as_file(tmp_path, made_up(1)), "date").haystacks["made-0"]
    mined = tmp_path / "mined.json"
    mined.write_text(json.dumps(source(haystack)), encoding="utf-8")
    found = [each for file in list_sources(mined) for each in read_conversations(file)]
    assert [each.started_at for each in found] == [session.date for session in haystack.sessions]
    assert len({session.date for session in haystack.sessions}) == 6
    assert haystack.sessions[0].date != datetime(2023, 5, 1, 13, 15, tzinfo=UTC)
