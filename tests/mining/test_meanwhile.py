"""What the person changes while a mine is at work: each stands between two of its steps."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from palace import Administration, DatabaseRefused, Palace, Phase, Progress, Settings, Verdict
from palace.mining.topics import segment_topics
from palace.testing import HashingEmbedder
from tests.held import rows, texts_of


class Interrupting(HashingEmbedder):
    """Does something else once, before it embeds for the first time."""

    def __init__(self, meanwhile: Callable[[], object]) -> None:
        super().__init__()
        self._meanwhile = [meanwhile]

    def embed_passages(self, texts: Sequence[str]) -> Any:
        while self._meanwhile:
            self._meanwhile.pop()()
        return super().embed_passages(texts)


def write(folder: Path, count: int) -> None:
    for number in range(count):
        turns = [{"role": "user", "content": f"Conversation {number}, turn {turn}: boats."} for turn in range(4)]
        (folder / f"{number:02}.json").write_text(json.dumps({"id": f"c{number}", "messages": turns}))


@pytest.mark.parametrize("what", ["W-001/R-02/D-003", pytest.param("Boats", marks=pytest.mark.nightly)])
def test_what_is_forgotten_during_a_mine_stays_forgotten_and_the_rest_is_whole(
    palace: Palace, settings: Settings, tmp_path: Path, what: str
) -> None:
    write(tmp_path, 6)
    meanwhile = Interrupting(lambda: palace.forget(what))
    with Palace.open(settings, user=palace.user, embedder=meanwhile) as miner:
        miner.mine(tmp_path, wing="Boats")
    forgotten = palace.mine(tmp_path, wing="Boats").drawers_forgotten
    assert forgotten > 0
    assert len(texts_of(palace)) == 24 - forgotten
    status = palace.status()
    assert (status.drawers, status.embeddings[0].pending) == (24 - forgotten, 0)
    checks = Administration(_as(settings, palace)).doctor()
    assert not [check for check in checks if check.verdict is not Verdict.OK and check.name not in {"model", "hooks"}]


def test_a_conversation_forgotten_before_its_vectors_leaves_no_state_of_a_step(
    palace: Palace, settings: Settings, tmp_path: Path
) -> None:
    write(tmp_path, 3)
    meanwhile = Interrupting(lambda: palace.forget("W-001/R-02"))
    with Palace.open(settings, user=palace.user, embedder=meanwhile) as miner:
        miner.mine(tmp_path, wing="Boats")
    emptied = "NOT EXISTS (SELECT FROM drawer d WHERE d.conversation_id = s.conversation_id)"
    assert rows(palace, f"SELECT s.conversation_id, s.step FROM index_step s WHERE {emptied}") == []


def test_a_conversation_that_changes_while_topics_are_found_is_counted_once(
    palace: Palace, settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, 3)
    grown = [{"role": "user", "content": f"Conversation 0, turn {turn}: boats."} for turn in range(5)]
    meanwhile = [lambda: palace.file(grown, id="c0")]

    def segment(*texts: Any, **options: Any) -> Any:
        while meanwhile:
            meanwhile.pop()()
        return segment_topics(*texts, **options)

    monkeypatch.setattr("palace.mining.steps.topics.segment_topics", segment)
    seen: list[Progress] = []
    with Palace.open(settings, user=palace.user, embedder=HashingEmbedder()) as miner:
        mined = miner.mine(tmp_path, wing="Boats", progress=seen.append)
    assert meanwhile == []
    assert mined.closets == rows(palace, "SELECT count(*) FROM closet")[0][0]
    assert [each.done for each in seen if each.phase is Phase.TOPICS][-1] == 3


def _as(settings: Settings, palace: Palace) -> Settings:
    return settings.model_copy(update={"user": palace.user})


@pytest.mark.nightly
def test_a_run_undone_during_its_mine_leaves_nothing(palace: Palace, settings: Settings, tmp_path: Path) -> None:
    write(tmp_path, 20)

    def undo() -> None:
        palace.runs.undo(palace.runs.list()[0].id)

    # It may have filed all before it embeds for the first time; then nothing is left to refuse.
    with Palace.open(settings, user=palace.user, embedder=Interrupting(undo)) as miner, suppress(DatabaseRefused):
        miner.mine(tmp_path, wing="Boats")
    assert texts_of(palace) == []
    assert palace.mine(tmp_path, wing="Boats").drawers_new == 80


@pytest.mark.parametrize(
    ("once_there", "statement"), [("room", "DELETE FROM wing"), ("conversation", "DELETE FROM conversation")]
)
def test_what_goes_between_two_steps_of_filing_is_made_again_and_takes_no_number_twice(
    palace: Palace, monkeypatch: pytest.MonkeyPatch, once_there: str, statement: str
) -> None:
    """The statement comes between two transactions, as soon as the first has made a row of what it deletes."""
    database = type(palace._opened.database)
    run, done = database.run, list[object]()

    def interrupted(of: Any, work: Callable[[Any], object], *, flush: bool = True) -> object:
        found = run(of, work, flush=flush)
        if not done and rows(palace, f"SELECT count(*) FROM {once_there}") != [(0,)]:
            done.append(rows(palace, "SELECT count(*) FROM drawer"))
            run(of, lambda session: session.connection.exec_driver_sql(statement))
        return found

    monkeypatch.setattr(database, "run", interrupted)
    filed = palace.file([{"role": "user", "content": "A word about boats."}], id="c1", wing="Boats")
    assert done == [[(0,)]]
    assert (filed.drawers_new, filed.drawers_forgotten, len(filed.pointers[0])) == (1, 0, 1)
    assert rows(palace, "SELECT r.number, w.room_seq FROM room r JOIN wing w ON w.id = r.wing_id") == [(1, 1)]
    assert texts_of(palace) == ["A word about boats."]
