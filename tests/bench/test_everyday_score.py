"""What the everyday benchmark counts of questions that want all of their answers."""

from __future__ import annotations

from datetime import UTC, datetime

from bench.everyday.answers import Found, score, table
from bench.everyday.sets import Asked, talks_load

NOW = datetime(2026, 9, 1, 12, tzinfo=UTC)


def found(*given: str, is_broad: bool) -> Found:
    hits = tuple(f"t{number}" for number in range(10))
    question = Asked("q", "list", "Which?", NOW, frozenset({"t0", "t9", "t11", "t12"}), is_broad=is_broad)
    return Found(question, hits, (1.0,) * 10, 5.0, given)


def test_of_a_broad_question_the_share_of_its_answers_counts() -> None:
    row = score("broad", [found("t0", "t9", "t11", is_broad=True), found("t0", is_broad=True)])
    assert (row.all_in_ten, row.all_given, row.given) == (50.0, 50.0, 2.0)
    assert table([row]).endswith("| 5.0 | 50.0 | 50.0 | 2.0 |")


def test_of_any_other_question_one_answer_is_enough() -> None:
    row = score("facts", [found("t0", is_broad=False)])
    assert (row.first, row.all_in_ten, row.all_given) == (100.0, None, None)


def test_a_question_is_broad_by_its_set_or_its_kind() -> None:
    for name, kind, is_broad in (("broad", "list", True), ("diary", "broad", True), ("diary", "fact", False)):
        asked = {"id": "q", "kind": kind, "question": "Which?", "asked_at": NOW.isoformat(), "answers": []}
        (question,) = talks_load(name, {"conversations": [], "questions": [asked]}).questions
        assert question.is_broad is is_broad
