"""The palette: what can be done on the screen that is on."""

from __future__ import annotations

import pytest

from palace import NotFound, Palace
from tests.tui.test_browse_screen import TO_A_DRAWER, Make
from tests.tui.walking import Walk, walk

EXPECTED = {
    *("Search (/)", "Forget (f)", "Move (m)", "Rename (r)", "Take back (u)", "Copy (y)", "About (3)", "Help (?)"),
    *("Entities (E)", "Review (R)", "Jobs (J)", "Settings (S)", "Quit (q)", "Dark or light (^t)"),
}


def offered(person: Walk) -> set[str]:
    return {each.title for each in person.app.get_system_commands(person.app.screen)}


@pytest.mark.nightly
def test_what_keys_do_is_offered_with_its_key(filled: Palace, make_app: Make) -> None:
    async def steps(person: Walk) -> None:
        await person.press("home", "right", "right")
        told = offered(person)
        assert told >= EXPECTED
        assert not {each for each in told if each.startswith(("Maximize", "Up", "Palette"))}
        await person.press("J")
        assert "Enqueue (n)" in offered(person)
        assert "Forget (f)" not in offered(person)

    walk(make_app(filled), steps)


@pytest.mark.nightly
def test_what_is_chosen_is_done(changing: Palace, make_app: Make) -> None:
    async def steps(person: Walk) -> None:
        await person.press(*TO_A_DRAWER, "ctrl+p", *"forg")
        await person.until(lambda: "Forget (f)" in person.screen)
        await person.press("down", "enter", "y")
        with pytest.raises(NotFound):
            changing.show("W-001/R-01/D-001")

    walk(make_app(changing), steps)
