"""Index steps: a raised version is done again, a failure is kept and shown, and several at once do no harm."""

from __future__ import annotations

import json
import uuid
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from palace import IndexStep, ModelError, Palace, Settings, Verdict, Work
from palace.doctor import _check_rows
from palace.mining.index import MOST_IN_A_ROW, Runner
from palace.testing import FailingStep, HashingEmbedder
from tests.held import execute, rows

DONE = "SELECT conversation_id, step, version, attempts FROM index_step ORDER BY 1, 2"
WRITTEN = (
    "SELECT DISTINCT d.conversation_id, p.xmin::text FROM passage p JOIN drawer d ON d.id = p.drawer_id ORDER BY 1"
)
VECTOR_ROWS = "SELECT d.conversation_id, e.xmin::text, e.embedding::text FROM passage_embedding e"
VECTOR_ROWS += " JOIN drawer d ON d.id = e.drawer_id ORDER BY 1, e.drawer_id, e.ordinal"


def write(folder: Path, count: int) -> Path:
    for number in range(count):
        said = [f"The boat in berth {number}-{turn} is at sea. Its keel is of oak." for turn in range(3)]
        turns = [{"role": "user", "content": content} for content in said]
        (folder / f"{number:02}.json").write_text(json.dumps({"id": f"c{number}", "messages": turns}))
    return folder


@pytest.fixture
def mined(palace: Palace, tmp_path: Path) -> Palace:
    palace.mine(write(tmp_path, 5), wing="Boats")
    return palace


def conversations(palace: Palace) -> list[int]:
    return [found for (found,) in rows(palace, "SELECT id FROM conversation ORDER BY 1")]


def make_older(palace: Palace, chosen: Sequence[int]) -> None:
    """Have it that an older version cut some conversations."""
    numbers = ", ".join(map(str, chosen))
    execute(palace, f"UPDATE index_step SET version = 1 WHERE step = 'passages' AND conversation_id IN ({numbers})")


def waiting(palace: Palace, *own: IndexStep) -> dict[str, tuple[int, int, int]]:
    """Give how many conversations wait for each step that any waits for, failed at it, and are held."""
    with opened(palace, *own) as seen:
        found = seen.status().steps
    return {step.name: (step.pending, step.failed, step.held) for step in found if step.pending}


def opened(palace: Palace, *own: IndexStep) -> Palace:
    """Open the palace with steps of a program."""
    return Palace.open(palace._opened.settings, user=palace.user, embedder=HashingEmbedder(), steps=own)


def run(palace: Palace, *own: IndexStep, asked: bool = False) -> list[str]:
    """Do what waits, steps of a program too; give the warnings."""
    with opened(palace, *own) as running:
        runner = Runner(running._opened.work(), asked=asked)
        runner.run()
    return runner.warnings


def test_what_an_older_version_cut_is_named_and_cut_anew_and_nothing_else(mined: Palace) -> None:
    found = rows(mined, DONE)
    assert len(found) == 5 * len(mined.status().steps)
    assert all(version > 0 and attempts == 0 for _, _, version, attempts in found)
    assert waiting(mined) == {}
    older, before = conversations(mined)[1:3], dict(rows(mined, WRITTEN))
    done, closets = rows(mined, DONE), rows(mined, "SELECT room_id, slug, name FROM closet ORDER BY 1, 2")
    make_older(mined, older)
    assert waiting(mined) == {"passages": (2, 0, 0)}
    (check,) = (check for check in _check_rows(mined._opened) if check.verdict is not Verdict.OK)
    assert (check.name, check.finding) == ("pending", "2 conversations wait for the step passages")
    mined.embeddings.backfill()
    after = dict(rows(mined, WRITTEN))
    assert [number for number in before if before[number] != after[number]] == older
    assert rows(mined, DONE) == done
    assert rows(mined, "SELECT room_id, slug, name FROM closet ORDER BY 1, 2") == closets


def test_a_drawer_that_comes_later_makes_the_topics_wait_and_leaves_the_rest(mined: Palace, tmp_path: Path) -> None:
    before = dict(rows(mined, WRITTEN))
    path = tmp_path / "00.json"
    talk = json.loads(path.read_text())
    talk["messages"].append({"role": "user", "content": "The mast is of pine."})
    path.write_text(json.dumps(talk))
    failing = HashingEmbedder(fail_on=lambda text: "pine" in text)
    with Palace.open(mined._opened.settings, user=mined.user, embedder=failing) as stopped:
        stopped.mine(path)
    assert waiting(mined) == {"vectors": (1, 1, 0), "topics": (1, 0, 0)}
    assert set(before.items()) <= set(rows(mined, WRITTEN))
    assert mined.mine(path).passages_embedded == 1
    assert waiting(mined) == {}


def test_a_step_that_fails_for_one_conversation_is_done_for_the_others_and_shown(mined: Palace) -> None:
    poisoned, *others = conversations(mined)
    step = FailingStep(fail_for={poisoned})
    assert run(mined, step) == [f"not everything is tried: no reply about conversation {poisoned}, nor a reason"]
    with opened(mined, step) as seen:
        (*_, found) = seen.status().steps
    assert (found.name, found.pending, found.failed, found.held) == ("failing", 1, 1, 0)
    assert found.failure == f"no reply about conversation {poisoned}, nor a reason"
    assert found.failed_at is not None
    assert step.tried == [(poisoned, *others), (poisoned,), *((other,) for other in others)]


class Tripping(FailingStep):
    """A step that trips over what some conversations say."""

    def do(self, work: Work, conversations: Sequence[int]) -> None:
        """Trip where one of them is among those it fails for."""
        try:
            super().do(work, conversations)
        except ModelError as problem:
            raise ValueError("year -10 is out of range") from problem


def test_texts_that_a_step_trips_over_leave_no_other_undone(mined: Palace) -> None:
    *tripping, _ = conversations(mined)
    step = Tripping(fail_for=set(tripping))
    assert run(mined, step) == ["not everything is tried: ValueError: year -10 is out of range, which is our fault"]
    assert len(tripping) > MOST_IN_A_ROW
    assert waiting(mined, step) == {"failing": (len(tripping), len(tripping), 0)}


def test_what_failed_is_tried_again_until_it_failed_too_often(mined: Palace) -> None:
    (poisoned, *_) = conversations(mined)
    step = FailingStep(fail_for={poisoned})

    def tries(*, asked: bool = False) -> bool:
        """Run the step once more, later; tell whether it was tried for the conversation."""
        execute(mined, "UPDATE index_step SET failed_at = failed_at - interval '1 week'")
        tried = len(step.tried)
        run(mined, step, asked=asked)
        return len(step.tried) > tried

    assert tries()
    run(mined, step)
    tried = len(step.tried)
    run(mined, step)
    assert len(step.tried) == tried, "after the second failure it is left alone for a while"
    assert [tries() for _ in range(3)] == [True] * 3
    assert waiting(mined, step) == {"failing": (1, 1, 1)}
    assert not tries()
    assert tries(asked=True)
    step.fail_for.clear()
    assert tries(asked=True)
    assert waiting(mined, step) == {}


@pytest.mark.nightly
def test_a_step_that_fails_for_all_is_left_alone_soon_and_keeps_nothing_else_waiting(mined: Palace) -> None:
    found = conversations(mined)
    step = FailingStep(fail_for=set(found))
    run(mined, step)
    assert len(step.tried) == 1 + MOST_IN_A_ROW
    assert waiting(mined, step) == {"failing": (5, MOST_IN_A_ROW, 0)}
    step.fail_for.difference_update(found[MOST_IN_A_ROW:])
    run(mined, step, asked=True)
    assert waiting(mined, step) == {"failing": (MOST_IN_A_ROW, MOST_IN_A_ROW, 0)}


def test_one_text_that_no_model_takes_leaves_only_its_conversation_waiting(
    settings: Settings, palace: Palace, tmp_path: Path
) -> None:
    poisoned = HashingEmbedder(fail_on=lambda text: "berth 3-1" in text)
    with Palace.open(settings, user=palace.user, embedder=poisoned) as stopped:
        summary = stopped.mine(write(tmp_path, 6), wing="Boats")
    assert [warning.partition(":")[0] for warning in summary.warnings] == ["not everything is embedded"]
    status = palace.status()
    assert [(step.name, step.pending, step.failed) for step in status.steps] == [
        ("passages", 0, 0),
        ("vectors", 1, 1),
        ("extraction", 0, 0),
        ("kinds", 0, 0),
        ("topics", 1, 0),
        ("tags", 0, 0),
        ("work", 0, 0),
    ]
    assert "did not answer" in (status.steps[1].failure or "")
    assert status.embeddings[0].pending == 3
    named = [check.finding for check in _check_rows(palace._opened) if check.verdict is not Verdict.OK]
    assert "1 conversations wait for the step vectors, 1 of them because it failed" in named[0]
    assert palace.mine(tmp_path).passages_embedded == 3
    assert waiting(palace) == {}


def test_runs_at_once_do_everything_once_and_nothing_twice(settings: Settings, mined: Palace) -> None:
    before = sorted((row[0], row[2]) for row in rows(mined, VECTOR_ROWS))
    done = rows(mined, DONE)
    make_older(mined, conversations(mined))

    def backfill(_: int) -> tuple[str, ...]:
        with Palace.open(settings, user=mined.user, embedder=HashingEmbedder()) as palace:
            return palace.embeddings.backfill().warnings

    with ThreadPoolExecutor(2) as pool:
        assert list(pool.map(backfill, range(2))) == [()] * 2
    assert sorted((row[0], row[2]) for row in rows(mined, VECTOR_ROWS)) == before
    assert rows(mined, DONE) == done
    assert [check for check in _check_rows(mined._opened) if check.verdict is not Verdict.OK] == []


@pytest.mark.nightly
def test_a_step_is_done_for_the_user_who_asks_alone(settings: Settings, mined: Palace, tmp_path: Path) -> None:
    make_older(mined, conversations(mined))
    with Palace.open(settings, user=f"user-{uuid.uuid4()}", embedder=HashingEmbedder()) as other:
        assert waiting(other) == {}
        other.embeddings.backfill()
    assert waiting(mined) == {"passages": (5, 0, 0)}


def test_words_of_passages_that_were_cut_anew_are_summed(palace: Palace) -> None:
    palace.note("The heron stands at the weir.")
    execute(palace, "UPDATE index_step SET version = 1 WHERE user_id = :user_id AND step = 'passages'")
    palace.embeddings.backfill()
    assert rows(palace, "SELECT 1 FROM term_delta WHERE user_id = :user_id") == []
