"""The keyword arm has a time to keep to."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import pytest
import sqlalchemy as sa

from palace import OutOfTime, Palace, Strategy
from palace.db.candidates.keyword import keyword_candidates, limited
from palace.db.candidates.words import weigh_words
from palace.db.database import owner_connection
from palace.models import KeywordLimits, Scope

SHORT = KeywordLimits(budget_ms=50)
SAID = "The lantern hangs in the harbour."


@contextmanager
def words_held(palace: Palace) -> Iterator[None]:
    """Keep everybody from the passages, so that whoever asks for them waits."""
    database = palace._opened.database.shared
    with owner_connection(database) as owner:
        owner.exec_driver_sql("BEGIN")
        owner.execute(sa.text(f"LOCK TABLE {database.schema.name}.passage IN ACCESS EXCLUSIVE MODE"))
        yield
        owner.exec_driver_sql("ROLLBACK")


def test_keywords_that_take_too_long_are_given_up(palace: Palace) -> None:
    palace.note(SAID)
    with words_held(palace), palace._opened.session() as session:
        words = weigh_words(session, "lantern")
        assert len(words.words) == 1
        with pytest.raises(OutOfTime, match="took more than 50 ms and was stopped"):
            keyword_candidates(session, words, scope=Scope(), limits=SHORT)
    with palace._opened.session() as session:
        assert keyword_candidates(session, weigh_words(session, "lantern"), scope=Scope(), limits=SHORT).passages


def test_a_budget_of_nothing_is_any_time(palace: Palace) -> None:
    with palace._opened.session() as session, limited(session, 0):
        session.execute(sa.text("SELECT pg_sleep(0.06)"))
    with palace._opened.session() as session:
        with limited(session, 20):
            session.execute(sa.text("SELECT pg_sleep(0)"))
        session.execute(sa.text("SELECT pg_sleep(0.06)"))
        with pytest.raises(OutOfTime), limited(session, 20):
            session.execute(sa.text("SELECT pg_sleep(5)"))


def test_recall_answers_without_the_keywords(palace: Palace) -> None:
    palace.note(SAID)
    with ThreadPoolExecutor(1) as pool:
        with words_held(palace):
            asked = pool.submit(palace.recall, SAID, strategy=Strategy(keyword=SHORT))
            # Comparing waits for the passages as well, and has the time.
            time.sleep(6 * SHORT.budget_ms / 1000)
            assert not asked.done()
        found = asked.result()
    assert found.hits[0].drawer.content == SAID
    assert found.warnings == ("the keywords took too long and propose nothing",)
    assert "keyword" in [reason.arm for reason in found.hits[0].arms]
