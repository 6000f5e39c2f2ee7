"""Files of the LongMemEval layout, whole and damaged: what is odd is named, and nothing damaged is scored."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from bench.longmemeval import made_up, read, source
from bench.retrieval.dataset import Dataset, first_questions, pooled


@pytest.fixture
def records() -> list[dict[str, Any]]:
    """Three made-up questions: the second has two gold sessions."""
    return made_up(3)


def read_as_file(folder: Path, value: object) -> Dataset:
    """Write a file and read it."""
    path = folder / "questions.json"
    path.write_text(json.dumps(value), encoding="utf-8")
    return read(path)


def test_a_whole_file_has_no_problems(tmp_path: Path, records: list[dict[str, Any]]) -> None:
    dataset = read_as_file(tmp_path, records)
    assert dataset.problems.counts() == {}
    assert [question.id for question in dataset.questions] == ["made_0", "made_1", "made_2"]
    second = dataset.questions[1]
    assert second.gold_sessions == ("made_1_0", "made_1_1")
    assert set(second.gold_turns) == {"made_1_0#0", "made_1_1#0"}
    assert [len(haystack.sessions) for haystack in dataset.haystacks.values()] == [8, 8, 8]


def test_what_is_mined_holds_neither_questions_nor_marks(tmp_path: Path, records: list[dict[str, Any]]) -> None:
    dataset = read_as_file(tmp_path, records)
    written = source(dataset.haystacks["made_1"])
    assert isinstance(written, list)
    assert set(written[0]) == {"haystack_session_ids", "haystack_dates", "haystack_sessions"}
    turns = [turn for session in written[0]["haystack_sessions"] for turn in session]
    assert {key for turn in turns for key in turn} == {"role", "content"}


def test_a_limit_takes_questions_and_leaves_the_pool_whole(tmp_path: Path, records: list[dict[str, Any]]) -> None:
    dataset = read_as_file(tmp_path, records)
    assert list(first_questions(dataset, 2).haystacks) == ["made_0", "made_1"]
    limited = first_questions(pooled(dataset), 2)
    assert len(limited.questions) == 2
    assert len(limited.haystacks["pooled"].sessions) == 24
    assert {question.haystack for question in limited.questions} == {"pooled"}


SKIPPED: dict[str, Callable[[dict[str, Any]], object]] = {
    "has a gold session that is not in its haystack, or is empty": lambda it: it.update(answer_session_ids=["other"]),
    "has no gold session": lambda it: it.update(answer_session_ids=[]),
    "lacks answer_session_ids": lambda it: it.pop("answer_session_ids"),
    "lacks one of question_id, question_type, question": lambda it: it.update(question=" "),
    "has haystack_session_ids, haystack_dates, haystack_sessions of different lengths": lambda it: it[
        "haystack_dates"
    ].pop(),
    "stands in the file more than once": lambda it: it.update(question_id="made_0"),
}


def test_a_question_that_cannot_be_scored_is_named_and_left_out(tmp_path: Path) -> None:
    for kind, damage in SKIPPED.items():
        records = made_up(3)
        damage(records[2])
        dataset = read_as_file(tmp_path, records)
        assert "made_2" not in {question.id for question in dataset.questions}, kind
        assert kind in dataset.problems.counts()


def test_a_question_is_asked_on_its_date(tmp_path: Path, records: list[dict[str, Any]]) -> None:
    records[1]["question_date"] = "some day"
    records[2]["question_date"] = ""
    records[2]["haystack_dates"] = [""] * 8
    dated, undated, dateless = read_as_file(tmp_path, records).questions
    assert dated.asked_at == datetime(2024, 4, 1, 9, tzinfo=UTC)
    assert undated.asked_at == datetime(2024, 3, 8, 10, 2, tzinfo=UTC)
    assert dateless.asked_at is None
