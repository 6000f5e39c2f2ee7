"""The jobs and costs page."""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal

import pytest

from palace import CallRecord, CallSubject, JobCounts, Palace
from palace.db.ledger import record_calls
from palace_cli.tui.app import BrowseApp
from tests.queue.conftest import enqueued, pending_talk
from tests.tui.test_review_list import dead_letters
from tests.tui.walking import Walk, same_as, walk

Make = Callable[[Palace], BrowseApp]


@pytest.fixture
def busy(palace: Palace, no_jobs: None) -> Palace:
    """A palace with jobs and costs."""
    dead_letters(palace)
    enqueued(palace, pending_talk(palace, id="waiting"))
    paid = [
        CallRecord("a/model", 1200, Decimal("0.0123"), 1.5, "ok"),
        CallRecord("a/model", 0, Decimal(0), 1.0, "timeout"),
    ]
    palace._opened.run(lambda session: record_calls(session, "memory_extract", paid, CallSubject()))
    return palace


def numberless(shown: str, palace: Palace) -> str:
    """Write a screen without the numbers of jobs, and without the blanks that make up for their length."""
    for job in palace.jobs.list():
        shown = shown.replace(f"{job.id:>6}", "   JOB")
    return re.sub(r" +│$", " │", shown, flags=re.MULTILINE)


@pytest.mark.nightly
def test_jobs_and_costs_are_shown_and_summed_by_one_after_the_other(busy: Palace, make_app: Make) -> None:
    async def steps(person: Walk) -> None:
        same_as("jobs-80", numberless(await person.type("J"), busy))
        assert "Costs: $0.0123, 2 calls" in person.screen
        for by in ("day", "source", "model", "conversation"):
            assert f"2 calls, by {by}" in await person.type("g")
        assert ", by" not in await person.type("g")

    walk(make_app(busy), steps)


@pytest.mark.nightly
def test_jobs_are_retried_cancelled_and_enqueued_and_why_one_failed_is_told(busy: Palace, make_app: Make) -> None:
    async def steps(person: Walk) -> None:
        assert "RuntimeError" in await person.type("J", "end")
        assert "0 failed" in await person.type("r")
        assert busy.jobs.counts() == JobCounts(waiting=2)
        await person.type("x")
        assert busy.jobs.counts() == JobCounts(waiting=1)
        await person.type("n")
        assert busy.jobs.counts() == JobCounts(waiting=2)
        for job in busy.jobs.list():
            busy.jobs.cancel(job.id)
        assert "no jobs" in await person.type("x")
        assert any(told.startswith("there is no job") for told in person.told.splitlines())

    walk(make_app(busy), steps)
