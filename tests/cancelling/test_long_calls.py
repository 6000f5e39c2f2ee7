"""A long call that is cancelled from another thread, at many moments: it ends, and the same call goes on."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from bench.endurance.canonical import canonical_form, difference
from palace import Cancellation, Cancelled, Palace, Phase, Settings
from palace.testing import HashingEmbedder
from tests.cancelling.conftest import OPEN, TALKS, TURNS, Canceller


def assert_same(one: Palace, other: Palace) -> None:
    assert difference(canonical_form(one), canonical_form(other)) == []


def moments(by_day: tuple[Phase, int], *by_night: tuple[Phase, int]) -> pytest.MarkDecorator:
    """Cancel at one moment by day, and at others by night."""
    nightly = [pytest.param(*moment, marks=pytest.mark.nightly) for moment in by_night]
    return pytest.mark.parametrize(("phase", "times"), [by_day, *nightly])


@moments((Phase.FILE, 3), (Phase.READ, 1), (Phase.FILE, TALKS), (Phase.EMBED, 1), (Phase.TOPICS, 3))
def test_a_mine_that_is_cancelled_and_done_again_is_a_mine(
    phase: Phase, times: int, talks: Path, open_palace: OPEN
) -> None:
    alone, palace = open_palace(), open_palace()
    alone.mine(talks)
    canceller = Canceller(phase, times)
    with pytest.raises(Cancelled) as caught:
        palace.mine(talks, progress=canceller, cancel=canceller.cancel)
    assert caught.value.code == "cancelled"
    filed = palace.status().drawers
    assert filed % TURNS == 0
    assert (filed == 0) is (phase is Phase.READ)
    summary = palace.mine(talks)
    assert (summary.drawers_unchanged, summary.drawers_new) == (filed, TALKS * TURNS - filed)
    assert_same(alone, palace)


@pytest.mark.nightly
@moments((Phase.CUT, 1), (Phase.CUT, TALKS), (Phase.TOPICS, 3), (Phase.INDEX, 1))
def test_a_rebuild_that_is_cancelled_goes_on_with_what_is_left(
    phase: Phase, times: int, talks: Path, open_palace: OPEN
) -> None:
    alone, palace = open_palace(), open_palace()
    alone.mine(talks)
    palace.mine(talks)
    canceller = Canceller(phase, times)
    with pytest.raises(Cancelled):
        palace.rebuild(progress=canceller, cancel=canceller.cancel)
    assert palace.recall("Which boat lies in berth 3?").hits
    summary = palace.rebuild()
    assert summary.resumed
    assert summary.conversations_before + summary.conversations == TALKS
    assert_same(alone, palace)


@pytest.mark.nightly
@pytest.mark.parametrize("times", [1, pytest.param(2, marks=pytest.mark.nightly)])
def test_a_switch_that_is_cancelled_goes_on_or_is_taken_back(
    times: int, talks: Path, open_palace: OPEN, settings: Settings
) -> None:
    palace = open_palace()
    palace.mine(talks)
    palace.file([{"role": "user", "content": f"Boat {number} has oar {number}."} for number in range(200)], id="oars")
    before = canonical_form(palace)
    other = open_palace(palace.user, HashingEmbedder(24))
    canceller = Canceller(Phase.EMBED, times)
    with pytest.raises(Cancelled):
        other.embeddings.switch("testing/hashing-24", progress=canceller, cancel=canceller.cancel)
    assert [status.state for status in palace.embeddings.status()] == ["active", "filling"]
    assert palace.recall("Which boat lies in berth 3?").warnings == ()
    if times == 2:
        palace.embeddings.switch("testing/hashing-384")
        assert difference(before, canonical_form(palace)) == []
        return
    done = palace.embeddings.status()[1]
    assert done.embedded > 0
    told: list[int] = []
    switched = other.embeddings.switch("testing/hashing-24", progress=lambda now: told.append(now.total or 0))
    assert (switched.pending, switched.state) == (0, "active")
    assert told[0] == done.pending


@pytest.mark.nightly
def test_an_export_that_is_cancelled_leaves_no_file(talks: Path, palace: Palace, tmp_path: Path) -> None:
    palace.mine(talks)
    whole, file = io.BytesIO(), tmp_path / "palace.jsonl"
    palace.transfer.export(whole)
    for times in (1, TURNS + 1, TALKS * TURNS - 1):
        canceller = Canceller(Phase.WRITE, times)
        with pytest.raises(Cancelled):
            palace.transfer.export(file, progress=canceller, cancel=canceller.cancel)
        assert sorted(tmp_path.iterdir()) == [talks]
    palace.transfer.export(file)
    assert file.read_bytes() == whole.getvalue()


@pytest.mark.nightly
@moments((Phase.FILE, 2), (Phase.READ, 1), (Phase.EMBED, 1), (Phase.TOPICS, 3))
def test_an_import_that_is_cancelled_goes_on(
    phase: Phase, times: int, talks: Path, open_palace: OPEN, tmp_path: Path
) -> None:
    source, alone, palace = open_palace(), open_palace(), open_palace()
    source.mine(talks)
    file = tmp_path / "palace.jsonl"
    source.transfer.export(file)
    alone.transfer.load(file)
    canceller = Canceller(phase, times)
    with pytest.raises(Cancelled):
        palace.transfer.load(file, progress=canceller, cancel=canceller.cancel)
    filed = palace.status().drawers
    assert palace.transfer.load(file).drawers_new == TALKS * TURNS - filed
    assert_same(alone, palace)


def test_nothing_is_begun_that_is_cancelled_before(talks: Path, palace: Palace, tmp_path: Path) -> None:
    cancel = Cancellation()
    cancel.cancel()
    before = canonical_form(palace)
    for call in (
        lambda: palace.mine(talks, cancel=cancel),
        lambda: palace.mine(talks, dry_run=True, cancel=cancel),
        lambda: palace.file([{"role": "user", "content": "Boats float."}], cancel=cancel),
        lambda: palace.rebuild(cancel=cancel),
        lambda: palace.recall("boats", cancel=cancel),
        lambda: palace.embeddings.backfill(cancel=cancel),
        lambda: palace.embeddings.switch("testing/hashing-384", cancel=cancel),
        lambda: palace.transfer.export(tmp_path / "palace.jsonl", cancel=cancel),
        lambda: palace.transfer.load(talks, cancel=cancel),
    ):
        with pytest.raises(Cancelled):
            call()
    assert canonical_form(palace) == before
    assert palace.runs.list() == ()
    assert not (tmp_path / "palace.jsonl").exists()
