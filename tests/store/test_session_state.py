"""Nothing stays on a connection, and what the server refuses is one line: a pooler may give it to somebody else."""

from __future__ import annotations

import json
import sys
import uuid
from collections.abc import Iterator
from contextlib import nullcontext, suppress
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import psycopg
import pytest
import sqlalchemy as sa
from psycopg._pipeline_base import BasePipeline
from sqlalchemy import func, insert, select
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.exc import DBAPIError, InvalidRequestError

from palace import DatabaseRefused, DatabaseUnavailable, Palace, PalaceError, SchemaMismatch, Settings, UserSession
from palace.db.database import Database
from palace.db.tables import CountDelta
from palace.testing import HashingEmbedder
from tests.hosts import Host
from tests.hosts.pooled import PooledHost, Pooler
from tests.hosts.reach import LOGIN, execute
from tests.leftovers import none_left
from tests.statements import sent_statements


def test_a_statement_said_often_is_not_prepared_on_a_shared_server(database: Database, user_id: int) -> None:
    with database.of(user_id).transaction() as session:
        for number in range(20):
            session.connection.execute(sa.text("SELECT CAST(:number AS int)"), {"number": number})
        assert session.connection.execute(sa.text("SELECT count(*) FROM pg_prepared_statements")).scalar_one() == 0


def test_options_of_a_statement_do_not_reach_the_next(database: Database, user_id: int) -> None:
    read = sa.text("SELECT current_setting('enable_sort') FROM palace_user WHERE id = :user_id")
    with database.of(user_id).transaction() as session:
        with session.options(enable_sort="off"):
            assert session.execute(read).scalar_one() == "off"
        assert session.execute(read).scalar_one() == "on"


TWICE = sa.text("SELECT 2 * count(*) FROM palace_user WHERE id = :user_id")


def test_statements_that_were_asked_go_together(database: Database, user_id: int) -> None:
    with database.of(user_id).transaction() as session, sent_statements() as sent:
        with session.options(enable_sort="off"):
            one = session.ask(sa.text("SELECT current_setting('enable_sort')"), None, lambda rows: rows.scalar_one())
        other = session.ask(TWICE, None, lambda rows: rows.scalar_one())
        assert sent == []
        assert other.get() == 2
        before = len(sent)
        assert one.get() == "off"
        assert len(sent) == before > 2


def driver_of(session: UserSession) -> psycopg.Connection[Any]:
    driver = session.connection.connection.driver_connection
    assert isinstance(driver, psycopg.Connection)
    return driver


def test_what_was_not_prepared_because_another_statement_failed_is_prepared_later(
    database: Database, user_id: int
) -> None:
    for is_caught in (True, False):
        with database.of(user_id).transaction() as session:
            driver = driver_of(session)
            before, driver.prepare_threshold = driver.prepare_threshold, 1
            session.execute(TWICE)
        try:
            with suppress(DBAPIError, PalaceError), database.of(user_id).transaction() as session:
                with suppress(DBAPIError) if is_caught else nullcontext():
                    session.ask(sa.text("SELECT 1 / 0"), None, list)
                    session.ask(TWICE, None, list).get()
                assert session.has_failed
            with database.of(user_id).transaction() as session:
                assert driver_of(session) is driver
                assert session.execute(TWICE).scalar_one() == 2
        finally:
            driver.prepare_threshold = before


class Interrupting:
    """A trace that raises an interrupt before one line of a function, once."""

    def __init__(self, code: CodeType, line: int) -> None:
        self.place = code, line
        self.is_raised = False

    def __call__(self, frame: FrameType, event: str, argument: object) -> Interrupting | None:
        if (frame.f_code, frame.f_lineno) == self.place and event == "line" and not self.is_raised:
            self.is_raised = True
            raise KeyboardInterrupt
        return self if frame.f_code is self.place[0] else None


def test_an_interrupt_in_a_pipeline_goes_on_and_leaves_no_connection_as_it_is(database: Database, user_id: int) -> None:
    def work(session: UserSession) -> Any:
        with session.options(enable_sort="off"):
            return session.execute(TWICE).scalar_one()

    raised, before = 0, sys.gettrace()
    for code in (BasePipeline._exit_gen.__code__, psycopg.Pipeline.__exit__.__code__):
        for line in sorted({line for _, _, line in code.co_lines() if line and line > code.co_firstlineno}):
            trace = Interrupting(code, line)
            sys.settrace(trace)
            try:
                with suppress(KeyboardInterrupt):
                    database.of(user_id).run(work)
                    assert not trace.is_raised, f"the interrupt at line {line} was lost"
            finally:
                sys.settrace(before)
            raised += trace.is_raised
            assert database.of(user_id).run(work) == 2
    assert raised > 5


def test_texts_with_values_or_types_of_their_own_are_executed(database: Database, user_id: int) -> None:
    listed = sa.text("SELECT 1 WHERE 2 IN :x").bindparams(sa.bindparam("x", expanding=True))
    typed = sa.text("SELECT CAST(:x AS jsonb)").bindparams(sa.bindparam("x", type_=JSONB))
    with database.of(user_id).transaction() as session:
        assert session.execute(sa.text("SELECT CAST(:x AS int)").bindparams(x=5)).scalar_one() == 5
        assert session.execute(listed, {"x": [1, 2]}).scalar_one() == 1
        assert session.execute(typed, {"x": {"a": 1}}).scalar_one() == {"a": 1}
        for parameters in ({"y": 1}, None):
            with pytest.raises(InvalidRequestError, match="a statement needs a value for x"):
                session.execute(sa.text("SELECT CAST(:x AS int)"), parameters)
        assert session.execute(TWICE).scalar_one() == 2


def test_an_answer_is_read_again_as_it_was(database: Database, user_id: int) -> None:
    with suppress(DBAPIError, PalaceError), database.of(user_id).transaction() as session:
        answer = session.ask(TWICE, None, list)
        assert answer.get() == answer.get() == [(2,)]
        failing = [session.ask(sa.text(text), None, list) for text in ("SELECT 1 / 0", "SELECT 1")]
        for each in failing * 2:
            with pytest.raises(DBAPIError, match="division by zero"):
                each.get()


@pytest.fixture
def narrow(host: Host, settings: Settings) -> Iterator[Settings]:
    """The worker's database through a pooler that has one connection to it."""
    if not isinstance(host, PooledHost):
        pytest.skip("this run has no PgBouncer: make test-pooled")
    assert settings.database_url is not None
    name = sa.make_url(settings.database_url.get_secret_value()).database or ""
    pooler = Pooler(host, f"narrow-{name}", pool_size=1)
    pooler.ensure_running()
    yield settings.model_copy(update={"database_url": type(settings.database_url)(pooler.url(LOGIN, name))})
    pooler.stop()


def test_one_server_connection_is_enough_for_every_verb(narrow: Settings, tmp_path: Path) -> None:
    source = tmp_path / "talk.json"
    turns = [{"role": "user", "content": f"Anchor number {n} is made of steel."} for n in range(300)]
    source.write_text(json.dumps(turns), encoding="utf-8")
    user = f"user-{uuid.uuid4()}"
    with (
        Palace.open(narrow, user=user, embedder=HashingEmbedder()) as palace,
        none_left(palace._opened.database.shared, at_each_return=True),
    ):
        assert palace.mine(source, wing="Anchors").drawers_new == 300
        found = palace.recall("anchor steel", wing="Anchors", context=1)
        assert palace.show(str(found.hits[0].drawer.pointer), context=1).drawer == found.hits[0].drawer
        assert palace.note("An anchor of aluminium.").content == "An anchor of aluminium."
        assert palace.embeddings.backfill().pending == 0
        assert [wing.name for wing in palace.tree.wings()] == ["Anchors", "Notes"]
        assert palace.status().drawers == 301
        assert palace.costs() == ()
    wide = HashingEmbedder(dimension=128)
    with (
        Palace.open(narrow, user=user, embedder=wide) as palace,
        none_left(palace._opened.database.shared, at_each_return=True),
    ):
        assert palace.embeddings.switch(wide.model).embedded == 301


def test_a_connection_that_died_in_the_pool_is_replaced(palace: Palace, host: Host) -> None:
    palace.note("An anchor of aluminium.")
    with palace._opened.session() as session:
        process, name = session.connection.execute(sa.text("SELECT pg_backend_pid(), current_database()")).one()
    execute(host.administrator_url(name), f"SELECT pg_terminate_backend({process}, 5000)")
    assert palace.recall("anchor aluminium").hits


def test_a_connection_that_dies_in_a_transaction_is_one_error_and_not_logged(
    palace: Palace, host: Host, caplog: pytest.LogCaptureFixture
) -> None:
    def work() -> None:
        with palace._opened.session() as session:
            process, name = session.execute(sa.text("SELECT pg_backend_pid(), current_database()")).one()
            execute(host.administrator_url(name), f"SELECT pg_terminate_backend({process}, 5000)")
            session.ask(sa.text("SELECT 1"), None, list)
            session.execute(TWICE)

    palace.note("An anchor of aluminium.")
    with pytest.raises(DatabaseUnavailable):
        work()
    assert caplog.records == []
    assert palace.recall("anchor aluminium").hits


def test_what_is_no_longer_there_is_told_in_one_line(palace: Palace) -> None:
    for gone in ("weigh_words(1)", "(SELECT tongue FROM drawer LIMIT 1)", "(SELECT 1 FROM attic)"):
        with (
            pytest.raises(SchemaMismatch, match=r"another version of Palace \(.+\); start again$"),
            palace._opened.session() as session,
        ):
            session.connection.exec_driver_sql(f"SELECT {gone}")


def test_losing_the_right_to_a_table_is_told_in_one_line(palace: Palace) -> None:
    with (
        pytest.raises(DatabaseRefused, match="lacks a right"),
        palace._opened.database.shared.without_user() as connection,
    ):
        connection.exec_driver_sql("CREATE TABLE palace.mine (id int)")


MANY = 40_000


def test_more_values_than_one_statement_holds_go_in(palace: Palace) -> None:
    rows = [{"counted": "drawer", "amount": 1}] * MANY

    def count(session: UserSession) -> int:
        session.insert(insert(CountDelta), rows)
        return int(
            session.execute(
                select(func.sum(CountDelta.amount)).where(CountDelta.user_id == session.user_id)
            ).scalar_one()
        )

    assert palace._opened.database.run(count) == MANY
