"""The jobs and costs page."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from decimal import Decimal

import pytest

from palace import CallRecord, CallSubject, JobCounts, Palace
from palace.store.ledger import record_calls
from palace_cli.tui.app import BrowseApp
from palace_cli.tui.screens.browse import BrowseScreen
from palace_cli.tui.screens.jobs import EVERY
from palace_cli.tui.widgets.rows import Rows
from tests.hosts import Host
from tests.hosts.away import away
from tests.queue.conftest import enqueued, pending_talk
from tests.tui.paging import SIZES, Walker, same_as, walked
from tests.tui.test_review_list import dead_letters

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
    """Write a screen without the numbers of jobs."""
    for job in palace.jobs.list():
        shown = shown.replace(f"{job.id:>6}", "   JOB")
    return shown


@SIZES
def test_jobs_and_costs_are_shown_and_summed_by_one_after_the_other(
    busy: Palace, make_app: Make, size: tuple[int, int]
) -> None:
    async def walk(walker: Walker) -> None:
        same_as(f"jobs-{size[0]}", numberless(await walker.press("J"), busy))
        if size[0] == 80:
            assert "costs: $0.0123, 2 calls" in walker.shown()
            for by in ("day", "source", "model", "conversation"):
                assert f"2 calls, by {by}" in await walker.press("g")
            assert ", by" not in await walker.press("g")

    walked(make_app(busy), walk, size)


@pytest.mark.nightly
def test_nothing_to_do_and_nothing_paid(palace: Palace, make_app: Make, no_jobs: None) -> None:
    async def walk(walker: Walker) -> None:
        shown = await walker.press("J", "r", "x", "n", "g", "enter", "tab", "enter")
        assert "no jobs: nothing waits to be done" in shown
        assert "no calls to models" in shown
        assert "nothing was pending" in walker.told()
        assert "0 running, 0 waiting, 0 failed" in shown
        await walker.press("escape")
        assert isinstance(walker.app.screen, BrowseScreen)

    walked(make_app(palace), walk)


def test_jobs_are_retried_cancelled_and_enqueued_and_why_one_failed_is_told(busy: Palace, make_app: Make) -> None:
    async def walk(walker: Walker) -> None:
        assert "RuntimeError" in await walker.press("J", "end")
        assert "0 failed" in await walker.press("r")
        assert busy.jobs.counts() == JobCounts(waiting=2)
        await walker.press("x")
        assert busy.jobs.counts() == JobCounts(waiting=1)
        await walker.press("n")
        assert busy.jobs.counts() == JobCounts(waiting=2)
        for job in busy.jobs.list():
            busy.jobs.cancel(job.id)
        assert "no jobs" in await walker.press("x")
        assert any(told.startswith("there is no job") for told in walker.told())

    walked(make_app(busy), walk)


@pytest.mark.nightly
def test_new_jobs_appear_by_themselves_and_a_database_that_is_gone_raises_the_banner(
    busy: Palace, make_app: Make, host: Host
) -> None:
    async def walk(walker: Walker) -> None:
        await walker.press("J", "end")
        rows = walker.app.screen.query_one("#jobs-rows", Rows)
        chosen = rows.chosen
        enqueued(busy, pending_talk(busy, id="another"))
        await asyncio.sleep(EVERY)
        assert "2 waiting" in await walker.settled()
        assert rows.chosen == chosen
        with away(host, busy):
            await asyncio.sleep(EVERY)
            assert "ctrl+r tries again" in await walker.settled()
            await asyncio.sleep(EVERY)
        shown = await walker.press("ctrl+r")
        assert "ctrl+r tries again" not in shown
        assert "2 waiting, 1 failed" in shown

    walked(make_app(busy), walk)
