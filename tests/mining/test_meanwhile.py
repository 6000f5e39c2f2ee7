"""What the person changes while a mine is at work: each stands between two of its steps."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

import pytest

from palace import Palace
from palace.administration import Administration
from palace.embedding.protocol import EmbeddedTexts
from palace.errors import DatabaseRefused
from palace.mining.filing.conversation import Filed, FilingRun, ToFile, file_conversation
from palace.mining.redaction.keeping import Keeping
from palace.records import Conversation, Role, Turn, Verdict
from palace.settings import Settings
from palace.store.database import Database, UserDatabase, UserSession
from palace.store.filing.runs import start_run
from palace.testing import HashingEmbedder


class Interrupting(HashingEmbedder):
    """Does something else once, before it embeds for the first time."""

    def __init__(self, meanwhile: Callable[[], object]) -> None:
        super().__init__()
        self._meanwhile = [meanwhile]

    def embed_passages(self, texts: Sequence[str]) -> EmbeddedTexts:
        while self._meanwhile:
            self._meanwhile.pop()()
        return super().embed_passages(texts)


def write(folder: Path, count: int) -> None:
    for number in range(count):
        turns = [{"role": "user", "content": f"Conversation {number}, turn {turn}: boats."} for turn in range(4)]
        (folder / f"{number:02}.json").write_text(json.dumps({"id": f"c{number}", "messages": turns}))


def contents(palace: Palace) -> set[str]:
    rooms = (room for wing in palace.tree.wings() for room in palace.tree.rooms(wing))
    return {drawer.content for room in rooms for drawer in palace.tree.drawers(room)}


@pytest.mark.parametrize("what", ["Boats", "W-001/R-01", "W-001/R-02/D-003"])
def test_what_is_forgotten_during_a_mine_stays_forgotten_and_the_rest_is_whole(
    palace: Palace, settings: Settings, tmp_path: Path, what: str
) -> None:
    write(tmp_path, 6)
    meanwhile = Interrupting(lambda: palace.forget(what))
    with Palace.open(settings, user=palace.user, embedder=meanwhile) as miner:
        miner.mine(tmp_path, wing="Boats")
    forgotten = palace.mine(tmp_path, wing="Boats").drawers_forgotten
    assert forgotten > 0
    assert len(contents(palace)) == 24 - forgotten
    status = palace.status()
    assert (status.drawers, status.embeddings[0].pending) == (24 - forgotten, 0)
    checks = Administration(_as(settings, palace)).doctor()
    assert not [check for check in checks if check.verdict is not Verdict.OK and check.name != "model"]


def _as(settings: Settings, palace: Palace) -> Settings:
    return settings.model_copy(update={"user": palace.user})


def test_a_run_undone_during_its_mine_leaves_nothing(palace: Palace, settings: Settings, tmp_path: Path) -> None:
    write(tmp_path, 60)

    def undo() -> None:
        palace.runs.undo(palace.runs.list()[0].id)

    # It may have filed all before it embeds for the first time; then nothing is left to refuse.
    with Palace.open(settings, user=palace.user, embedder=Interrupting(undo)) as miner, suppress(DatabaseRefused):
        miner.mine(tmp_path, wing="Boats")
    assert contents(palace) == set()
    assert palace.mine(tmp_path, wing="Boats").drawers_new == 240


def file_interrupted(
    database: Database, user_id: int, monkeypatch: pytest.MonkeyPatch, *, after: int, statement: str
) -> tuple[Filed, int]:
    """File a conversation, sending a statement after so many of its transactions; give how many there were as well."""
    bound = database.of(user_id)
    run_id = bound.run(lambda session: start_run(session, "a file"))
    talk = Conversation(reader="openai", source_id="c1", turns=(Turn(Role.USER, "A word about boats."),))
    steps: list[str] = []
    run = UserDatabase.run

    def interrupted(of: UserDatabase, work: Callable[[UserSession], object], *, flush: bool = True) -> object:
        done = run(of, work, flush=flush)
        steps.append("step")
        if len(steps) == after:
            run(of, lambda session: session.connection.exec_driver_sql(statement))
        return done

    monkeypatch.setattr(UserDatabase, "run", interrupted)
    return file_conversation(bound, FilingRun(run_id, "Boats"), ToFile(talk, "x", Keeping())), len(steps)


def test_a_room_that_goes_between_its_making_and_its_filling_is_made_again(
    database: Database, user_id: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    filed, steps = file_interrupted(database, user_id, monkeypatch, after=2, statement="DELETE FROM wing")
    assert (filed.new, filed.forgotten) == (1, 0)
    assert steps > 3


def test_a_conversation_that_goes_between_is_resolved_again_and_takes_no_number_twice(
    database: Database, user_id: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    filed, _ = file_interrupted(database, user_id, monkeypatch, after=1, statement="DELETE FROM conversation")
    assert filed.new == 1
    with database.of(user_id).transaction() as session:
        numbers = session.connection.exec_driver_sql("SELECT number, (SELECT room_seq FROM wing) FROM room").one()
    assert tuple(numbers) == (1, 1)


def test_a_switch_of_the_model_during_a_mine_loses_no_passage_and_leaves_no_old_vector(
    palace: Palace, settings: Settings, tmp_path: Path
) -> None:
    write(tmp_path, 80)
    palace.note("A note, so that there is something to switch.")
    newer = HashingEmbedder(256)

    def switch() -> None:
        with Palace.open(settings, user=palace.user, embedder=newer) as other:
            other.embeddings.switch(newer.model)

    with Palace.open(settings, user=palace.user, embedder=Interrupting(switch)) as miner:
        miner.mine(tmp_path, wing="Boats")
    with Palace.open(settings, user=palace.user, embedder=newer) as after:
        after.embeddings.backfill()
        (status,) = after.embeddings.status()
        assert (status.generation.model, status.embedded, status.pending) == (newer.model, 321, 0)
        assert after.recall("Conversation 79, turn 3", top_k=1).hits[0].drawer.content.startswith("Conversation 79")
        with after._opened.session() as session:
            found = session.connection.exec_driver_sql("SELECT count(*) FROM passage_embedding").scalar_one()
        assert found == 321
