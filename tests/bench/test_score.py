"""From a log to figures, and from two logs to a comparison."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from bench.retrieval import show
from bench.retrieval.log import Entry, Log, Ranking
from bench.retrieval.score import compare, latest_first, score


def entry(
    name: str,
    sessions: str,
    gold: str,
    *,
    kind: str = "plain",
    turns: tuple[str, ...] = (),
    gold_turns: tuple[str, ...] = (),
    latency_ms: float | None = None,
) -> Entry:
    """Make a line of a log; sessions are single letters."""
    ranked = [(turn, 1.0 - place / 100) for place, turn in enumerate(turns)]
    return Entry(
        question_id=name,
        question_type=kind,
        question="?",
        question_date=None,
        is_abstention=name.endswith("_abs"),
        haystack="h",
        haystack_sessions=6,
        haystack_turns=12,
        gold_sessions=list(gold),
        gold_turns=list(gold_turns),
        ranking=Ranking([(each, 1.0) for each in sessions], ranked, list(turns[:5]), latency_ms),
    )


def test_any_and_all_are_counted_side_by_side() -> None:
    figures = score([entry("1", "abcdef", "a"), entry("2", "bacdef", "ac"), entry("3", "bcdefa", "a")])["overall"]
    assert figures["count"] == 3
    assert [figures["sessions"][name]["sum"] for name in ("any@1", "any@5", "all@5", "any@10")] == [1, 2, 2, 3]
    assert figures["sessions"]["mrr"]["value"] == pytest.approx((1 + 1 / 2 + 1 / 6) / 3, abs=1e-6)


def test_questions_without_an_answer_are_apart() -> None:
    figures = score([entry("1", "a", "a"), entry("2_abs", "a", "a"), entry("3_abs", "", "a", turns=("a#0",))])
    assert figures["overall"]["count"] == 1
    assert figures["by_type"]["plain"]["sessions"]["any@1"]["value"] == 1
    assert figures["abstention"] == {"count": 2, "nothing_delivered": 1}


def test_turns_are_scored_only_where_they_are_marked() -> None:
    marked = entry("1", "a", "a", turns=("a#1", "a#0"), gold_turns=("a#0",))
    figures = score([marked, entry("2", "a", "a", turns=("a#1",))])["overall"]["turns"]
    assert figures["count"] == 1
    assert (figures["any@1"]["value"], figures["any@5"]["value"]) == (0, 1)


def test_a_comparison_pairs_questions_by_id_and_counts_what_it_leaves_out() -> None:
    before = [entry("1", "ba", "a"), entry("2", "ab", "a"), entry("only before", "a", "a")]
    after = [entry("2", "ab", "a"), entry("1", "ab", "a")]
    compared = compare(before, after)
    assert (compared["questions"], compared["left_out"]) == (2, 1)
    assert compared["sessions"]["any@1"]["difference"] == 0.5
    assert (compared["sessions"]["any@1"]["better"], compared["sessions"]["any@1"]["worse"]) == (1, 0)
    assert "| any@1 | +50.0 |" in show.comparison_text(("before", "after"), compared)


def test_a_log_is_read_as_it_was_written(tmp_path: Path) -> None:
    log = Log(tmp_path / "run.jsonl", Entry)
    entries = [entry("1", "ab", "a", turns=("a#0",), latency_ms=1.5), entry("2_abs", "", "b")]
    for each in entries:
        log.append(each)
    assert log.read() == entries


def test_a_table_prints_any_and_all_together_with_intervals() -> None:
    entries = [entry(str(number), "ab", "ab" if number % 2 else "a") for number in range(4)]
    named = {"benchmark": "longmemeval", "dataset": {"name": "made-up"}, "haystack": "pooled"}
    manifest = {**named, "variant": {"name": "bm25"}}
    written = show.tables([{"manifest": manifest, "score": score(entries)}])
    assert written.startswith("**longmemeval, made-up, pooled**: 4 questions, 0 with marked turns")
    assert (
        "| bm25 | 100.0 / 50.0 | 100.0 / 100.0 (100.0–100.0) | 100.0 / 100.0 / 100.0 | 100.0 (100.0–100.0) |" in written
    )
    assert "| (by lot, expected) | 25.0 / 8.3 |" in written


def test_of_what_changed_it_is_counted_whether_the_latest_stands_first() -> None:
    changed = [replace(entry(name, name, "ab"), latest_session="b") for name in ("abc", "cba", "ccc", "b")]
    assert latest_first([*changed, entry("other", "a", "a")]) == {"count": 4, "first": 2}
    assert show.summary_text({"manifest": {}, "score": score(changed)}).count("latest first: 2 of 4 questions") == 1
    assert "latest first" not in show.summary_text({"manifest": {}, "score": score([entry("other", "a", "a")])})
