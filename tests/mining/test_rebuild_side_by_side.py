"""Rebuilding beside others: a kill, recall all along, writers of counts, a switch that begins, a shared index."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from threading import Event
from typing import Any

import pytest
import sqlalchemy as sa

from palace import Palace
from palace.settings import Settings
from palace.store.counts import FOLD_ABOVE, add_counts, fold_counts, recount
from palace.testing import HashingEmbedder
from tests.archive.places import index
from tests.held import rows

REBUILDER = """
import sys
from palace import Palace
from palace.settings import Settings
from palace.testing import HashingEmbedder

runtime, owner, user = sys.argv[1:]
def told(progress):
    print(progress.phase, progress.done, flush=True)
    if progress.done >= 400:
        sys.stdin.read()
with Palace.open(Settings(database_url=runtime, database_owner_url=owner), user=user, embedder=HashingEmbedder()) as palace:
    palace.rebuild(progress=told)
"""  # noqa: E501

TURNS = 100
CONTENTS = [f"Note {number}: the boat in berth {number} is called Vessel{number}." for number in range(6 * TURNS)]
SHAPE = (
    "SELECT d.content, d.number, p.ordinal, p.char_start, p.char_end, p.tsv::text, k.name, e.embedding::text"
    " FROM drawer d JOIN passage p ON p.drawer_id = d.id JOIN closet k ON k.id = d.closet_id"
    " JOIN passage_embedding e ON e.drawer_id = d.id AND e.ordinal = p.ordinal ORDER BY 1, 3"
)


@pytest.fixture
def noted(palace: Palace, tmp_path: Path) -> Palace:
    """A palace of six conversations of a hundred turns each."""
    messages = [{"role": "user", "content": content} for content in CONTENTS]
    starts = range(0, len(messages), TURNS)
    talks = [{"id": str(start), "messages": messages[start : start + TURNS]} for start in starts]
    (tmp_path / "talks.json").write_text(json.dumps(talks), encoding="utf-8")
    palace.mine(tmp_path / "talks.json")
    return palace


@pytest.mark.nightly
def test_a_killed_rebuild_leaves_nothing_amiss_and_the_next_one_goes_on(settings: Settings, noted: Palace) -> None:
    before = rows(noted, SHAPE)
    assert settings.database_url is not None
    assert settings.database_owner_url is not None
    urls = [settings.database_url.get_secret_value(), settings.database_owner_url.get_secret_value()]
    command = [sys.executable, "-c", REBUILDER, *urls, noted.user]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as killed:
        assert killed.stdout is not None
        assert any(line.split() == ["cut", "400"] for line in killed.stdout)
        killed.kill()
    assert rows(noted, SHAPE) == before
    summary = noted.rebuild()
    assert (summary.resumed, summary.conversations_left) == (True, 0)
    assert (summary.conversations_before, summary.conversations) == (4, 2)
    assert rows(noted, SHAPE) == before
    assert rows(noted, "SELECT count(*) FROM rebuild WHERE finished_at IS NULL") == [(0,)]
    assert noted.rebuild().conversations == 6


@pytest.mark.nightly
def test_recall_finds_every_drawer_all_along(noted: Palace) -> None:
    wanted, over = CONTENTS[::120], Event()

    def look() -> int:
        looks = 0
        while not over.is_set():
            for content in wanted:
                assert noted.recall(content, top_k=1).hits[0].drawer.content == content
                looks += 1
        return looks

    with ThreadPoolExecutor(1) as pool:
        looking = pool.submit(look)
        try:
            noted.rebuild()
        finally:
            over.set()
        assert looking.result() > 0


@pytest.mark.nightly
def test_two_rebuilds_at_once_end_with_one_index(settings: Settings, noted: Palace) -> None:
    before = rows(noted, SHAPE)
    with Palace.open(settings, user=noted.user, embedder=HashingEmbedder()) as other, ThreadPoolExecutor(2) as pool:
        both = [pool.submit(palace.rebuild) for palace in (noted, other)]
        assert [rebuilding.result().conversations_left for rebuilding in both] == [0, 0]
    assert rows(noted, SHAPE) == before
    assert noted.status().passages == len(CONTENTS)


def waiting(palace: Palace, work: Callable[[Any], Any], pool: ThreadPoolExecutor) -> Future[Any]:
    """Do work in a transaction on another thread, and return once it waits for a lock."""
    waiters = "SELECT count(*) FROM pg_locks WHERE NOT granted AND database ="
    waiters += " (SELECT oid FROM pg_database WHERE datname = current_database())"
    opened = palace._opened
    done = pool.submit(lambda: opened.database.run(work))
    while rows(palace, f"{waiters} OR NOT granted") == [(0,)]:
        assert not done.done(), "it did not wait"
        time.sleep(0.01)
    return done


def test_a_recount_waits_for_a_fold_and_counts_nothing_twice(settings: Settings, palace: Palace) -> None:
    palace.note("One note.")
    opened = palace._opened
    with opened.session() as session:
        for _ in range(FOLD_ABOVE):
            add_counts(session, drawers=1, passages=-1)
    with ThreadPoolExecutor(1) as pool:
        with opened.session() as session:
            fold_counts(session)
            recounting = waiting(palace, recount, pool)
        recounting.result()
    assert (palace.status().drawers, palace.status().passages) == (1, 1)


def test_a_recount_leaves_what_is_being_filed_to_its_own_delta(palace: Palace) -> None:
    palace.note("One note.")
    opened = palace._opened
    with opened.session() as filing:
        filing.connection.execute(
            sa.text(
                "INSERT INTO drawer (user_id, room_id, number, conversation_id, run_id, identity, position, role,"
                " content) SELECT user_id, room_id, 99, conversation_id, run_id, 'another', 9, role, 'Two.' FROM drawer"
            )
        )
        add_counts(filing, drawers=1, passages=0)
        opened.database.run(recount)
        assert palace.status().drawers == 1
    assert palace.status().drawers == 2


def owner(palace: Palace, *statements: str) -> None:
    """Send statements as the owner, one by one and with little patience."""
    database = palace._opened.database.shared
    engine = sa.create_engine(database.owner_url(), poolclass=sa.NullPool, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        for statement in (f"SET search_path = {database.schema.search_path}", "SET statement_timeout = 300"):
            connection.execute(sa.text(statement))
        for statement in statements:
            connection.execute(sa.text(statement))


@pytest.fixture
def indexed(noted: Palace) -> Iterator[tuple[Palace, str]]:
    """The palace, and the name of its vector index."""
    name = index(noted)
    yield noted, name
    owner(noted, f"DROP INDEX {name}")


BROKEN = "SELECT c.relname FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid WHERE NOT i.indisvalid"


@pytest.mark.nightly
@pytest.mark.parametrize(("half_done", "left"), [("REINDEX INDEX", "_ccnew"), ("CREATE INDEX", "")])
def test_a_vector_index_that_was_left_half_done_is_rebuilt(
    half_done: str, left: str, indexed: tuple[Palace, str]
) -> None:
    palace, name = indexed
    if half_done == "CREATE INDEX":
        definition = rows(palace, f"SELECT pg_get_indexdef('{name}'::regclass)")[0][0]
        owner(palace, f"DROP INDEX {name}")
        again_by_hand = definition.replace("INDEX", "INDEX CONCURRENTLY", 1)
    else:
        again_by_hand = f"REINDEX INDEX CONCURRENTLY {name}"
    # Whoever builds an index waits for transactions that write; cut off then, the build leaves its half behind.
    with palace._opened.session() as session:
        session.connection.execute(sa.text("UPDATE passage_embedding SET embedding = embedding"))
        with pytest.raises(sa.exc.OperationalError, match="statement timeout"):
            owner(palace, again_by_hand)
    assert rows(palace, BROKEN) == [(name + left,)]
    assert palace.rebuild().indexes == (name,)
    assert rows(palace, BROKEN) == []


@pytest.mark.nightly
def test_a_wings_rebuild_leaves_the_vector_index_which_is_shared(indexed: tuple[Palace, str]) -> None:
    palace, name = indexed
    assert palace.rebuild(wing="talks").indexes == ()
    assert palace.rebuild().indexes == (name,)
