"""Samplers: what the threads do, what the server works on."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import sqlalchemy as sa

from bench.scale.profile import Sampler, StackSampler, StatementSampler
from palace.store.database import Database, UserSession
from palace.text.passages import split_passages


def until(seen: Callable[[], bool], work: Callable[[], object]) -> None:
    """Work until something was seen; give up after half a minute."""
    deadline = time.monotonic() + 30
    while not seen():
        assert time.monotonic() < deadline
        work()


def test_a_thread_is_seen_in_the_library_function_it_is_in() -> None:
    text = "Short ones stay cool. " * 2000
    with StackSampler() as sampler:
        until(lambda: any("main: text.passages." in name for name in list(sampler.seen)), lambda: split_passages(text))


def test_threads_of_a_pool_are_seen_as_one() -> None:
    text = "Short ones stay cool. " * 2000
    with StackSampler() as sampler, ThreadPoolExecutor(2, thread_name_prefix="cutters") as pool:
        until(
            lambda: any(name.startswith("cutters: text.passages.") for name in list(sampler.seen)),
            lambda: list(pool.map(split_passages, [text] * 4)),
        )


def test_a_statement_is_seen_by_its_first_line(database: Database, session: UserSession) -> None:
    slow = sa.text("-- Sleeps\nSELECT pg_sleep(0.3)")
    with StatementSampler(database) as sampler:
        until(lambda: "Sleeps [Timeout]" in list(sampler.seen), lambda: session.connection.execute(slow))


def test_shares_are_of_the_looks_taken() -> None:
    class Half(Sampler):
        interval = 0.001

        def look(self) -> list[str]:
            return ["always", "at first"] if self.looks <= 2 else ["always"]

    with Half() as sampler:
        until(lambda: sampler.looks >= 4, lambda: time.sleep(0.002))
    rows = {row["step"]: row["percent"] for row in sampler.rows()}
    assert rows == {"always": 100, "at first": 100 * 2 / sampler.looks}
