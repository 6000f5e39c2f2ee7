"""The keyword arm has a time to keep to."""

from __future__ import annotations

import pytest
import sqlalchemy as sa

from palace import Palace
from palace.records import Scope
from palace.store.archive.owner import owner_connection
from palace.store.candidates import keyword
from palace.store.candidates.keyword import search_words


def test_keywords_that_take_too_long_are_given_up_and_said(palace: Palace, monkeypatch: pytest.MonkeyPatch) -> None:
    palace.note("The lantern hangs in the harbour.")
    monkeypatch.setattr("palace.store.candidates.keyword.BUDGET_MS", 50)
    database = palace._opened.database.shared
    with owner_connection(database) as owner:
        owner.exec_driver_sql("BEGIN")
        owner.execute(sa.text(f"LOCK TABLE {database.schema.name}.passage IN ACCESS EXCLUSIVE MODE"))
        with palace._opened.session() as session:
            words, found = search_words(session, "lantern", scope=Scope(), limit=5)
        assert found.is_cut
        assert found.passages == ()
        assert len(words.words) == 1
        owner.exec_driver_sql("ROLLBACK")
    with palace._opened.session() as session:
        assert not search_words(session, "lantern", scope=Scope(), limit=5)[1].is_cut


def test_recall_answers_without_the_keywords(palace: Palace, monkeypatch: pytest.MonkeyPatch) -> None:
    palace.note("The lantern hangs in the harbour.")
    slow = str(keyword._CANDIDATES).replace("SELECT drawer_id", "SELECT pg_sleep(5), drawer_id")
    monkeypatch.setattr("palace.store.candidates.keyword._CANDIDATES", sa.text(slow))
    monkeypatch.setattr("palace.store.candidates.keyword.BUDGET_MS", 50)
    found = palace.recall("The lantern hangs in the harbour.")
    assert found.hits[0].drawer.content == "The lantern hangs in the harbour."
    assert found.warnings == ("the keywords took too long and propose nothing",)
