"""The application beside other programs, and on what nobody would expect."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from palace import NotFound, Palace
from palace.config.settings import Settings
from palace.testing import HashingEmbedder
from palace_cli.tui.app import BrowseApp
from palace_cli.tui.screens.asking import Banner
from tests.hosts import Host
from tests.hosts.away import away
from tests.hosts.pooled import PooledHost
from tests.tui.test_browse_screen import SECOND, TO_A_DRAWER, Make, browse_of
from tests.tui.walking import Walk, walk


@pytest.fixture
def other(changing: Palace, settings: Settings) -> Iterator[Palace]:
    """The same palace, as another program has it open."""
    with Palace.open(settings, user=changing.user, embedder=HashingEmbedder()) as opened:
        yield opened


def file_three(palace: Palace, name: str) -> None:
    said = [{"role": "user", "content": f"{name} number {at}", "timestamp": "2026-06-01T10:00:00Z"} for at in range(3)]
    palace.file(said, id=name, title=name, wing="Efoil rebuild")


@pytest.mark.nightly
def test_what_another_program_forgot_is_told_and_goes_also_from_who_reads_it_and_who_is_asked(
    changing: Palace, make_app: Make, other: Palace
) -> None:
    async def steps(person: Walk) -> None:
        await person.press("2")
        other.forget(SECOND)
        await person.until(lambda: "solder, not crimp" not in person.screen)
        assert f"§ {SECOND} is there no more" in person.screen
        await person.press(*TO_A_DRAWER)
        assert "12-AWG" not in person.screen
        assert "Which battery" in person.screen
        await person.press("f")
        other.forget("W-001/R-01/D-001")
        await person.press("y")
        assert "there is no drawer § W-001/R-01/D-001" in person.told
        await person.until(lambda: "├ Which battery" not in person.screen)

    walk(make_app(changing, SECOND), steps)


@pytest.mark.nightly
def test_no_more_is_forgotten_than_was_counted_and_agreed_to(changing: Palace, make_app: Make, other: Palace) -> None:
    changing.settings.set("forget_grace", 0)

    async def steps(person: Walk) -> None:
        await person.press("home", "f")
        assert "3 drawers" in person.screen
        file_three(other, "Mined meanwhile")
        await person.press("y")
        assert changing.show("W-001/R-01/D-001")
        assert "nothing was forgotten yet" in person.screen
        assert "6 drawers" in person.screen
        await person.press("n")
        assert changing.show("W-001/R-01/D-001")
        await person.press("f", "y")
        with pytest.raises(NotFound):
            changing.show("W-001/R-01/D-001")
        assert "6 drawers" in person.told

    walk(make_app(changing), steps)


def test_a_database_that_goes_raises_a_banner_and_one_that_comes_back_is_asked_again(
    changing: Palace, make_app: Make, host: Host
) -> None:
    if isinstance(host, PooledHost):
        pytest.skip("PgBouncer keeps waiting who asks a database that lets nobody in")

    async def steps(person: Walk) -> None:
        banner = browse_of(person.app).query_one(Banner)
        with away(host, changing):
            await person.press("home", "right")
            await person.until(lambda: bool(banner.display))
            assert "ctrl+r" in person.screen
            assert "Garden" in person.screen
        await person.press("ctrl+r")
        await person.until(lambda: not banner.display)
        await person.until(lambda: "└ ▸" in person.screen)

    walk(make_app(changing), steps, size=(120, 24))


HOSTILE = (
    "Harmless.\x1b[2J\x1b]0;owned\x07 \u202egnp.exe [bold]not bold[/bold] [@click=app.quit]quit[/]"
    " &#x202e; **b\x1bold**"
)


@pytest.mark.nightly
def test_escapes_marks_and_markup_are_shown_and_not_obeyed(palace: Palace, make_app: Make) -> None:
    said = [{"role": "user", "content": HOSTILE, "timestamp": "2026-05-01T10:00:00Z", "name": "\x1b[31mEve\u202e"}]
    palace.file(said, id="x", title="\x1b[5mroom [red]\u202e", wing="[@click=app.quit]wing\x1b[0m")

    async def steps(person: Walk) -> None:
        await person.press("home", "right", "right", "right", "right")
        for key in "1234":
            await person.press(key)
            assert not {"\x1b", "\u202e", "\x07"} & set(person.screen)
            assert "␛" in person.screen
        await person.press("2")
        person.sees("hostile")
        for keys in (("left", "f"), ("escape", "left", "r")):
            await person.press(*keys)
            assert not {"\x1b", "\u202e"} & set(person.screen)

    walk(make_app(palace), steps, size=(120, 24))


@pytest.mark.nightly
def test_long_lists_come_page_by_page_and_a_jump_leads_into_their_middle(palace: Palace, make_app: Make) -> None:
    said = [{"role": "user", "content": f"message {at}", "timestamp": "2026-05-01T10:00:00Z"} for at in range(1, 351)]
    palace.file(said, id="long", title="A long talk", wing="Talks")

    async def steps(person: Walk) -> None:
        places = browse_of(person.app).places
        room = places.root.children[0].children[0]

        def listed() -> list[str]:
            return [node.data.name for node in room.children if node.data]

        assert (listed()[0], listed()[11]) == ("… earlier", "message 300")
        assert places.place is not None
        assert places.place.name == "message 300"
        await person.press("home", "down", "down", "enter")
        assert (listed()[0], listed()[-1], len(listed())) == ("message 1", "… more", 101)
        await person.press("end", "enter")
        assert (listed()[100], listed()[-1], len(listed())) == ("message 101", "… more", 201)

    walk(make_app(palace, "W-001/R-01/D-300"), steps)


def test_leaving_while_the_palace_is_being_opened_closes_it(filled: Palace) -> None:
    closed: list[bool] = []

    @contextmanager
    def opening() -> Iterator[Palace]:
        yield filled
        closed.append(True)

    async def steps(person: Walk) -> None:
        await person.pilot.press("q")

    walk(BrowseApp(opening), steps)
    assert closed == [True]
