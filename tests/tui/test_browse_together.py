"""The application beside other processes, and on what nobody would expect."""

from __future__ import annotations

import subprocess
import sys
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
import pytest
from pydantic import SecretStr

from palace import ForgetSummary, NotFound, Palace
from palace.settings import Settings
from palace.testing import HashingEmbedder
from palace_cli.tui.app import BrowseApp
from palace_cli.tui.widgets.banner import Banner
from tests.hosts import TEMPLATE, Host
from tests.tui.test_browse_screen import TO_A_DRAWER, Make, browse_of
from tests.tui.walking import Walk, walk

OTHER = """
import sys
from pydantic import SecretStr
from palace import ForgetSummary, NotFound, Palace
from palace.settings import Settings
from palace.testing import HashingEmbedder

url, user = sys.argv[1:]
with Palace.open(Settings(database_url=SecretStr(url)), user=user, embedder=HashingEmbedder()) as palace:
    print("ready", flush=True)
    for line in sys.stdin:
        verb, what = line.rstrip("\\n").split("\\t")
        if verb == "forget":
            palace.forget(what)
        elif verb == "rename":
            palace.tree.rename(what, "Hydrofoil")
        elif verb == "move":
            palace.tree.move(what, to="Garden")
        else:
            said = [{"role": "user", "content": f"{what} number {at}", "timestamp": "2026-06-01T10:00:00Z"}
                    for at in range(3)]
            palace.file(said, id=what, title=what, wing="Efoil rebuild")
        print("done", flush=True)
"""
Tell = Callable[[str, str], None]


@pytest.fixture
def other(filled: Palace, settings: Settings) -> Iterator[Tell]:
    """Another process with the same palace open, which does as it is told."""
    assert settings.database_url is not None
    command = [sys.executable, "-c", OTHER, settings.database_url.get_secret_value(), filled.user]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"

    def tell(verb: str, what: str) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(f"{verb}\t{what}\n")
        process.stdin.flush()
        assert process.stdout.readline() == "done\n"

    yield tell
    process.communicate(timeout=60)


def test_what_another_process_forgot_is_told_and_goes(filled: Palace, make_app: Make, other: Tell) -> None:
    async def steps(person: Walk) -> None:
        await person.press(*TO_A_DRAWER)
        other("forget", "W-001/R-01/D-002")
        await person.press("down", "enter")
        await person.until(lambda: "12-AWG" not in person.screen)
        assert "Which battery" in person.screen

    walk(make_app(filled), steps)


def test_what_another_process_forgot_goes_from_who_reads_it(filled: Palace, make_app: Make, other: Tell) -> None:
    async def steps(person: Walk) -> None:
        await person.press("2")
        other("forget", "W-001/R-01/D-002")
        await person.until(lambda: "solder, not crimp" not in person.screen)
        assert "§ W-001/R-01/D-002 is there no more" in person.screen

    walk(make_app(filled, "W-001/R-01/D-002"), steps)


def test_what_another_process_moved_and_renamed_is_read_where_it_is_by_now(
    filled: Palace, make_app: Make, other: Tell
) -> None:
    async def steps(person: Walk) -> None:
        other("move", "W-001/R-01")
        await person.until(lambda: "§ W-002/R-02/D-002" in person.screen)
        assert "Garden / Efoil rebuild talk" in person.screen
        other("rename", "W-002/R-02")
        await person.until(lambda: "Garden / Hydrofoil" in person.screen)

    walk(make_app(filled, "W-001/R-01/D-002"), steps)


def test_who_reads_stays_where_they_are_whatever_others_file(filled: Palace, make_app: Make, other: Tell) -> None:
    filled.note("\n\n".join(f"line {at}" for at in range(100)), wing="Garden")

    async def steps(person: Walk) -> None:
        await person.press("tab", "pagedown")
        pane = browse_of(person.app).pane
        top, drawn = pane.reader.scroll_offset.y, pane.reader._lines
        assert top > 0
        other("file", "Mined beside")
        await person.until(lambda: "6 2026-06-01" in person.screen)
        await person.settle()
        assert pane.reader.scroll_offset.y == top
        assert pane.reader._lines is drawn

    walk(make_app(filled, "W-002/R-02/D-001"), steps)


def test_what_is_forgotten_while_it_is_asked_about_is_told_in_a_line(
    filled: Palace, make_app: Make, other: Tell
) -> None:
    async def steps(person: Walk) -> None:
        await person.press(*TO_A_DRAWER, "f")
        other("forget", "W-001/R-01/D-001")
        await person.press("y")
        assert "there is no drawer § W-001/R-01/D-001" in person.told
        await person.until(lambda: "├ Which battery" not in person.screen)

    walk(make_app(filled), steps)


def test_taking_back_leaves_forgotten_what_another_process_forgot_meanwhile(
    filled: Palace, make_app: Make, other: Tell, monkeypatch: pytest.MonkeyPatch
) -> None:
    forget = Palace.forget

    def beside(palace: Palace, what: str, **options: Any) -> ForgetSummary:
        if not options.get("dry_run"):
            other("forget", "W-002/R-01/D-001")
        return forget(palace, what, **options)

    monkeypatch.setattr(Palace, "forget", beside)

    async def steps(person: Walk) -> None:
        await person.press(*TO_A_DRAWER, "f", "y", "u")
        assert filled.show("W-001/R-01/D-001")
        with pytest.raises(NotFound):
            filled.show("W-002/R-01/D-001")

    walk(make_app(filled), steps)


def test_no_more_is_forgotten_than_was_counted_and_agreed_to(filled: Palace, make_app: Make, other: Tell) -> None:
    filled.settings.set("forget_grace", 0)

    async def steps(person: Walk) -> None:
        await person.press("home", "f")
        assert "3 drawers" in person.screen
        other("file", "Mined meanwhile")
        await person.press("y")
        assert filled.show("W-001/R-01/D-001")
        assert "nothing was forgotten yet" in person.screen
        assert "6 drawers" in person.screen
        await person.press("n")
        assert filled.show("W-001/R-01/D-001")
        await person.press("f", "y")
        with pytest.raises(NotFound):
            filled.show("W-001/R-01/D-001")
        assert "6 drawers" in person.told

    walk(make_app(filled), steps)


def test_rooms_that_another_process_files_appear_without_losing_the_place(
    filled: Palace, make_app: Make, other: Tell
) -> None:
    async def steps(person: Walk) -> None:
        await person.press(*TO_A_DRAWER, "down")
        places = browse_of(person.app).places
        for name in ("First mined", "Second mined", "Third mined"):
            other("file", name)
        await person.until(lambda: "Third mined" in person.screen)
        await person.settle()
        assert places.place is not None
        assert str(places.place.pointer) == "§ W-001/R-01/D-002"
        assert "First mined" in person.screen

    walk(make_app(filled), steps)


def test_what_is_seen_stays_where_it_is_while_rooms_come_above_it(filled: Palace, make_app: Make, other: Tell) -> None:
    said = [{"role": "user", "content": f"message {at}", "timestamp": "2026-05-01T10:00:00Z"} for at in range(60)]
    filled.file(said, id="long", title="A long talk", wing="Garden")

    async def steps(person: Walk) -> None:
        places = browse_of(person.app).places
        browse_of(person.app).jump("W-002/R-02/D-050")
        await person.settle()
        await person.press("up", "down")
        top = person.screen.splitlines()[0].split("│")[0]
        other("file", "Mined above")
        await person.until(lambda: places.wings[0].count == 6)
        await person.settle()
        assert person.screen.splitlines()[0].split("│")[0] == top
        assert places.place is not None
        assert str(places.place.pointer) == "§ W-002/R-02/D-050"

    walk(make_app(filled), steps)


@pytest.fixture
def on_its_own(host: Host, settings: Settings, worker_id: str) -> Iterator[tuple[Palace, Callable[[bool], None]]]:
    """A palace in a database of its own, and what takes that away and gives it back."""
    name = f"palace_gone_{worker_id}"
    host.create_database(name, template=TEMPLATE)
    made = Palace.open(
        settings.model_copy(
            update={
                "database_url": SecretStr(host.runtime_url(name)),
                "database_owner_url": SecretStr(host.owner_url(name)),
            }
        ),
        user=f"user-{uuid.uuid4()}",
        embedder=HashingEmbedder(),
    )

    def be_there(there: bool) -> None:
        now, then = (f"{name}_away", name) if there else (name, f"{name}_away")
        with psycopg.connect(host.administrator_url("postgres"), autocommit=True) as connection:
            connection.execute(
                f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{now}'".encode()
            )
            connection.execute(f"ALTER DATABASE {now} RENAME TO {then}".encode())

    with made:
        yield made, be_there
    host.drop_database(name)


def test_a_database_that_goes_raises_a_banner_and_one_that_comes_back_is_asked_again(
    on_its_own: tuple[Palace, Callable[[bool], None]], make_app: Make
) -> None:
    palace, be_there = on_its_own
    palace.note("The hull wants paint.")

    async def steps(person: Walk) -> None:
        banner = browse_of(person.app).query_one(Banner)
        be_there(False)
        await person.press("home", "right")
        await person.until(lambda: bool(banner.display))
        assert "ctrl+r" in person.screen
        assert "Notes" in person.screen
        be_there(True)
        await person.press("ctrl+r")
        await person.until(lambda: not banner.display)
        await person.until(lambda: "└ ▸" in person.screen)

    walk(make_app(palace), steps, size=(120, 24))


HOSTILE = (
    "Harmless.\x1b[2J\x1b]0;owned\x07 \u202egnp.exe [bold]not bold[/bold] [@click=app.quit]quit[/]"
    " &#x202e; **b\x1bold**"
)


def test_escapes_marks_and_markup_are_shown_and_not_obeyed(palace: Palace, make_app: Make) -> None:
    said = [{"role": "user", "content": HOSTILE, "timestamp": "2026-05-01T10:00:00Z", "name": "\x1b[31mEve\u202e"}]
    palace.file(said, id="x", title="\x1b[5mroom [red]\u202e", wing="[@click=app.quit]wing\x1b[0m")

    async def steps(person: Walk) -> None:
        await person.press("home", "right", "right", "right", "right")
        for key in "12345":
            await person.press(key)
            shown = person.screen
            assert not {"\x1b", "\u202e", "\x07"} & set(shown)
            assert "␛" in shown
        await person.press("2")
        person.sees("hostile")
        await person.press("left", "f")
        assert not {"\x1b", "\u202e"} & set(person.screen)
        await person.press("escape", "left", "r")
        assert not {"\x1b", "\u202e"} & set(person.screen)

    walk(make_app(palace), steps, size=(120, 24))


def test_a_drawer_of_10_mb_is_shown_in_parts(palace: Palace, make_app: Make) -> None:
    line = "The log of the pump says that it ran and stopped.\n"
    palace.file([{"role": "user", "content": line * 200_000}], id="log", title="log", wing="Logs")

    async def steps(person: Walk) -> None:
        pane = browse_of(person.app).pane
        assert "more characters" in person.screen
        first = pane.query_one("#reader").virtual_size.height
        await person.press("enter", "plus")
        assert pane.query_one("#reader").virtual_size.height > first
        await person.press("2", "3", "4", "5")

    walk(make_app(palace, "W-001/R-01/D-001"), steps)


def test_long_lists_come_page_by_page_and_a_jump_leads_into_their_middle(palace: Palace, make_app: Make) -> None:
    said = [{"role": "user", "content": f"message {at}", "timestamp": "2026-05-01T10:00:00Z"} for at in range(1, 351)]
    palace.file(said, id="long", title="A long talk", wing="Talks")

    async def steps(person: Walk) -> None:
        places = browse_of(person.app).places
        room = places.root.children[0].children[0]
        listed = [node.data.name for node in room.children if node.data]
        assert listed[0] == "… earlier"
        assert listed[11] == "message 300"
        assert places.place is not None
        assert places.place.name == "message 300"
        await person.press("home", "down", "down", "enter")
        listed = [node.data.name for node in room.children if node.data]
        assert (listed[0], listed[-1], len(listed)) == ("message 1", "… more", 101)
        await person.press("end", "enter")
        listed = [node.data.name for node in room.children if node.data]
        assert (listed[100], listed[-1], len(listed)) == ("message 101", "… more", 201)

    walk(make_app(palace, "W-001/R-01/D-300"), steps)


def test_what_is_chosen_again_and_again_is_fetched_for_the_last_alone(filled: Palace, make_app: Make) -> None:
    async def steps(person: Walk) -> None:
        await person.press(*TO_A_DRAWER)
        for _ in range(20):
            await person.pilot.press("down", "up")
        await person.press("down")
        reading = browse_of(person.app).pane.reading
        assert reading is not None
        assert reading.pointer == "§ W-001/R-01/D-002"

    walk(make_app(filled), steps)


@contextmanager
def _nothing() -> Iterator[None]:
    yield


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
