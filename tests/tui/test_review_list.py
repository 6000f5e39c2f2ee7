"""The review list: what there is to look through, worked off by single keys."""

from __future__ import annotations

from collections.abc import Callable

import psycopg
import pytest
from pydantic import SecretStr

from palace import DecisionVerb, JobCounts, Palace
from palace_cli.tui.app import BrowseApp
from palace_cli.tui.screens.browse import BrowseScreen
from tests.graph.mined import tell
from tests.hosts import Host
from tests.hosts.away import away
from tests.queue.conftest import enqueued, pending_talk
from tests.tui.paging import SIZES, Walker, same_as, walked

Make = Callable[[Palace], BrowseApp]
KEY = "ghp_" + "a1B2c3D4e5" * 3 + "f6G7h8"
SAID = (
    ("2025-01-03", "I live in Ghent."),
    ("2025-06-03", "I moved to Bruges. I live in Bruges now."),
    ("2025-07-03", f"My token is {KEY}."),
)


@pytest.fixture
def full(palace: Palace) -> Palace:
    """A palace with something of each kind but dead letters to look through."""
    said = [{"role": "user", "content": text, "timestamp": f"{day}T10:00:00Z"} for day, text in SAID]
    palace.file(said, id="moving", title="Moving", wing="Home")
    tell(palace, "one", "Derek Hughes")
    tell(palace, "two", "Hughes")
    return palace


def dead_letters(palace: Palace, count: int = 1) -> list[int]:
    """Have jobs that were given up."""
    jobs = [enqueued(palace, pending_talk(palace, id=f"talk-{each}")) for each in range(count)]
    url = palace._opened.settings.database_owner_url
    assert isinstance(url, SecretStr)
    with psycopg.connect(url.get_secret_value(), autocommit=True) as connection:
        connection.execute(
            "UPDATE palace_queue.procrastinate_jobs SET status = 'failed', attempts = 3,"
            " error = 'RuntimeError' WHERE id = ANY(%s)",
            [jobs],
        )
    return jobs


@pytest.mark.nightly
@SIZES
def test_each_kind(full: Palace, make_app: Make, size: tuple[int, int]) -> None:
    async def walk(walker: Walker) -> None:
        await walker.press("R")
        for section in "fslcd":  # how many are doubtful is known when these were seen
            same_as(f"review-{section}-{size[0]}", await walker.press(section))

    walked(make_app(full), walk, size)


@pytest.mark.nightly
def test_an_empty_palace_has_nothing_to_review_and_no_key_does_harm(palace: Palace, make_app: Make) -> None:
    async def walk(walker: Walker) -> None:
        await walker.press("R")
        for section in "dslcf":
            shown = await walker.press(section, "space", "a", "u", "m", "k", "r", "x", "z", "enter", "down", "up")
            assert "0  d doubtful" in shown
        assert "Nothing was filed that you have not seen." in shown
        assert set(walker.told()) == {"nothing to take back"}

    walked(make_app(palace), walk)


def test_what_was_seen_is_counted_no_more_can_be_taken_back_and_stays_so(full: Palace, make_app: Make) -> None:
    filed = len(full.review.filed())

    async def see(walker: Walker) -> None:
        assert f"f filed {filed}" in await walker.press("R")
        assert f"f filed {filed - 2}" in await walker.press("space", "space")
        assert len(full.review.filed()) == filed - 2
        assert f"f filed {filed - 1}" in await walker.press("u")
        assert f"f filed {filed}" in await walker.press("u")
        assert "f filed 0" in await walker.press("a")
        assert full.review.filed() == ()
        assert f"f filed {filed}" in await walker.press("u")
        await walker.press("s", "space", "c", "space")

    async def look(walker: Walker) -> None:
        shown = await walker.press("R", "s")
        for told in ("s secrets 0", "c changed 0", "No secret was taken out that you have not seen."):
            assert told in shown

    walked(make_app(full), see)
    walked(make_app(full), look)


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("key", "verb"), [("m", DecisionVerb.MERGE), pytest.param("k", DecisionVerb.SPLIT, marks=pytest.mark.nightly)]
)
def test_a_doubtful_pair_is_decided_and_taken_back(full: Palace, make_app: Make, key: str, verb: DecisionVerb) -> None:
    async def walk(walker: Walker) -> None:
        assert "doubtful ?" in await walker.press("R")
        await walker.press("d", "escape")
        assert "doubtful 1" in await walker.press("R")
        assert "d doubtful 0" in await walker.press("d", key)
        (decision,) = full.entities.decisions()
        assert (decision.verb, decision.undone_at) == (verb, None)
        assert "d doubtful 1" in await walker.press("u")
        (decision,) = full.entities.decisions()
        assert decision.undone_at is not None
        if key == "m":  # decided elsewhere meanwhile
            full.entities.merge("Hughes", "Derek Hughes")
            assert "d doubtful 0" in await walker.press("m")
            assert any("one already" in told or "is called" in told for told in walker.told())

    walked(make_app(full), walk)


@pytest.mark.nightly
def test_a_run_leads_to_its_first_drawer_and_is_taken_back_when_it_is_asked_for_twice(
    full: Palace, make_app: Make
) -> None:
    full.note("The spare battery is with Derek.", wing="Boat")

    async def walk(walker: Walker) -> None:
        await walker.press("R", "enter")
        assert isinstance(walker.app.screen, BrowseScreen)
        assert "The spare battery is with Derek." in walker.shown()
        await walker.press("R", "z")
        assert any("takes away 1 drawer" in told for told in walker.told())
        await walker.press("down", "up", "z")
        assert full.tree.wing("Boat").drawer_count == 1
        await walker.press("z")
        assert all(wing.name != "Boat" for wing in full.tree.wings())
        await walker.press("u")
        assert any("cannot be taken back" in told for told in walker.told())
        await walker.press("z")
        run = full.review.filed()[0]
        full.runs.undo(run.id)
        await walker.press("z")
        assert f"run {run.id} is undone already" in walker.told()

    walked(make_app(full), walk)


@pytest.mark.nightly
def test_a_secret_says_what_and_where_and_that_it_is_gone(full: Palace, make_app: Make) -> None:
    async def walk(walker: Walker) -> None:
        shown = await walker.press("R", "s")
        assert "taken out: 1 token" in shown
        assert "cannot be brought back" in shown
        assert KEY not in shown
        await walker.press("enter")
        assert isinstance(walker.app.screen, BrowseScreen)
        assert "[secret: token]" in walker.shown()

    walked(make_app(full), walk)


@pytest.mark.nightly
def test_dead_letters_are_tried_again_or_taken_out(palace: Palace, make_app: Make, no_jobs: None) -> None:
    dead_letters(palace, 2)

    async def walk(walker: Walker) -> None:
        assert "l dead letters 2" in await walker.press("R", "l")
        assert "l dead letters 1" in await walker.press("r")
        assert palace.jobs.counts() == JobCounts(waiting=1, failed=1)
        assert "l dead letters 0" in await walker.press("x")
        assert palace.jobs.counts() == JobCounts(waiting=1)
        await walker.press("u")
        assert palace.jobs.counts() == JobCounts(waiting=2)

    walked(make_app(palace), walk)


@pytest.mark.nightly
def test_a_database_that_is_gone_raises_the_banner_and_what_was_asked_is_done_later(
    full: Palace, make_app: Make, host: Host
) -> None:
    filed = len(full.review.filed())

    async def walk(walker: Walker) -> None:
        await walker.press("R")
        with away(host, full):
            assert "ctrl+r tries again" in await walker.press("space")
        assert "ctrl+r tries again" not in await walker.press("ctrl+r")
        assert len(full.review.filed()) == filed - 1

    walked(make_app(full), walk)


@pytest.mark.nightly
def test_what_was_filed_with_escapes_is_shown_harmlessly(palace: Palace, make_app: Make) -> None:
    palace.note("\x1b[31mred\u202e [bold]token[/bold] " + KEY, wing="\x1b[2JHome [red]")

    async def walk(walker: Walker) -> None:
        shown = await walker.press("R") + await walker.press("s")
        assert not {"\x1b", "\u202e"} & set(shown)
        assert "[bold]token[/bold]" in shown

    walked(make_app(palace), walk)
