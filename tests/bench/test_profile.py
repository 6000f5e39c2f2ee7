"""Samplers: what the threads do, what the server works on."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
import sqlalchemy as sa

from bench.scale.profile import Sampler, StackSampler, StatementSampler
from palace import Palace


def until(seen: Callable[[], bool], work: Callable[[], object]) -> None:
    """Work until something was seen; give up after half a minute."""
    deadline = time.monotonic() + 30
    while not seen():
        assert time.monotonic() < deadline
        work()


@pytest.mark.nightly
def test_functions_and_statements_are_seen_while_they_run(palace: Palace) -> None:
    with StackSampler() as stack:
        until(lambda: any("main: " in name for name in list(stack.seen)), palace.status)
    database = palace._opened.database
    slow = sa.text("-- Sleeps\nSELECT pg_sleep(0.3)")
    with StatementSampler(database.shared) as sampler, database.transaction() as session:
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
