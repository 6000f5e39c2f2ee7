"""What a freeze holds, and how it is made."""

from __future__ import annotations

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bench.freeze import files, making, retrieval
from bench.freeze.context import Context, Ground, Line
from bench.freeze.ordinals import Ordinals
from bench.locomo import BENCHMARK as LOCOMO
from palace import Palaces, Settings
from palace.testing import HashingEmbedder

BEGAN = datetime(2026, 6, 1, tzinfo=UTC)


def test_ids_times_and_folders_become_ordinals_and_what_was_said_stays() -> None:
    ordinals = Ordinals({"/tmp/x": "<folder>", "/tmp/x/home": "<home>"}, BEGAN)
    answer = {
        "id": 4711,
        "run_id": 12,
        "seconds": 0.123,
        "timings_ms": {"embed": 3.2},
        "drawers": [{"id": 12, "said_at": "2025-04-28T17:12:00+00:00", "filed_at": "2026-06-02T08:00:00.123+00:00"}],
        "finished_at": "2026-06-02T08:00:01+00:00",
        "again_at": "2026-06-02T08:00:00.123+00:00",
        "file": "/tmp/x/home/a.json of /tmp/x, 3b241101-e2bb-4255-8caf-4136c566a962",
        "sha256": "ab" * 32,
        "score": 0.123456,
        "is_new": True,
        "until": None,
        "due_at": "2026-07-02T08:00:01+00:00",
        "disk": "76.4 GB free",
    }
    assert ordinals.plain(answer) == {
        "id": "<id 1>",
        "run_id": "<id 2>",
        "seconds": "<measured>",
        "timings_ms": {"embed": "<measured>"},
        "drawers": [{"id": "<id 2>", "said_at": "2025-04-28T17:12:00+00:00", "filed_at": "<time 1>"}],
        "finished_at": "<time 2>",
        "again_at": "<time 1>",
        "file": "<home>/a.json of <folder>, <id 3>",
        "sha256": "<id 4>",
        "score": 0.1235,
        "is_new": True,
        "until": None,
        "due_at": "<time 3 +30 d>",
        "disk": "<measured> free",
    }


def test_a_part_that_is_there_is_not_made_again_and_one_that_breaks_off_is(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    made: list[str] = []

    def part(context: Context) -> Iterator[Line]:
        made.append("gate")
        yield {"id": "a"}
        if len(made) == 1:
            raise OSError("the disk is full")

    # In this process: another would not know the part.
    monkeypatch.setattr(making, "ProcessPoolExecutor", lambda _, mp_context: ThreadPoolExecutor(1))
    monkeypatch.setattr(making, "PARTS", {"gate": part})
    codes = [making.make(Context(tmp_path, tmp_path, tmp_path), tmp_path, ["gate"]) for _ in range(3)]
    assert (codes, made) == ([1, 0, 0], ["gate", "gate"])
    assert [path.name for path in tmp_path.iterdir()] == ["gate.jsonl"]


def test_a_file_of_the_corpus_is_mined_and_every_kind_of_row_is_a_line(settings: Settings, tmp_path: Path) -> None:
    (tmp_path / "diary.md").write_text("# 2026-01-04\n\nThe mast is down.\n")
    with Palaces.open(settings, embedder=HashingEmbedder()) as palaces:
        lines = list(files.mined(palaces, tmp_path / "diary.md", tmp_path))
    assert lines[0] == {"id": "diary.md", "drawers": 1, "error": "", "failures": []}
    kinds = {line["id"].removeprefix("diary.md "): line["lines"] for line in lines[1:]}
    assert {"drawer", "passage", "room", "passage_embedding"} <= kinds.keys()
    assert "The mast is down." in kinds["drawer"][0]
    assert all(len(vector) == 16 for vector in kinds["passage_embedding"])


@pytest.mark.nightly
def test_rankings_are_written_with_their_scores_and_without_any_text(settings: Settings, folder: Path) -> None:
    (folder / "locomo.json").write_text(json.dumps(LOCOMO.made_up(2)))
    dataset = retrieval.every(LOCOMO.read(folder / "locomo.json"), 2)
    lines = list(retrieval.asked(Ground(folder, settings, HashingEmbedder()), LOCOMO, dataset))
    assert [line["id"] for line in lines] == ["made-0/q1", "made-1/q1"]
    assert lines[0]["turns"][0][0].startswith("made-0/session_")
    assert {"any@5", "mrr", "turns, share@10", "in five drawers, all@5"} <= lines[0]["scores"].keys()
    assert not any(word in json.dumps(lines) for word in ("train", "choir", "Ada"))
