"""The page of what coding agents did."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from palace import Palace, Palaces
from palace_cli.tui.app import BrowseApp
from palace_cli.tui.screens.browse import BrowseScreen
from palace_cli.tui.screens.work import NO_HISTORY, NOTHING, WorkScreen
from palace_cli.tui.widgets.drawer import DrawerPane
from palace_cli.tui.widgets.rows import PointerRows
from tests.tui.walking import Walk, walk
from tests.work.sessions import Session

Make = Callable[[Palace], BrowseApp]


def worked(key: str, folder: str) -> Session:
    """Give a session with a decision, a failure that an edit fixed, and one that is open."""
    session = Session(key, folder).asks("Never log passwords in src/auth.py, always hash them.")
    session.runs("make check", "KeyError: 'salt'", 2).says("The salt is missing.").edits("src/auth.py")
    session.runs("make check", "3 passed").edits("src/cart.py")
    return session.runs("npm run build", "npm ERR! Missing script: \x1b[31m[b]build[/b]", 1)


def test_what_is_typed_is_found_and_enter_opens_its_drawer(palace: Palace, make_app: Make, tmp_path: Path) -> None:
    palace.mine(worked("s-1", "/home/mara/code/api").write(tmp_path))

    async def steps(person: Walk) -> None:
        await person.type("W")
        person.sees("work-80")
        await person.type(*"make check")
        person.sees("work-make-check-80")
        assert "src/cart.py" in await person.type("ctrl+u", *"cart.py")
        assert NOTHING in await person.type(*"x")
        await person.type("ctrl+u", *"KeyError: 'salt'", "down", "enter")
        assert isinstance(person.app.screen, BrowseScreen)
        reading = person.app.screen.query_one(DrawerPane).reading
        assert reading is not None
        assert "Edit" in reading.shown.drawer.content
        for keys, row in ((["escape"], "0 § W-001/R-01/D-005"), (["down", "enter", "escape"], "1 § W-001/R-01/D-003")):
            assert "KeyError: 'salt'" in await person.type(*keys)
            assert isinstance(person.app.screen, WorkScreen)
            rows = person.app.screen.query_one(PointerRows)
            assert (rows.has_focus, rows.chosen) == (True, row)

    walk(make_app(palace), steps)


def test_the_project_of_the_folder_comes_first_and_what_is_filed_meanwhile_appears(
    palace: Palace, make_app: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "shop" / ".git").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "shop")

    async def steps(person: Walk) -> None:
        assert NO_HISTORY[:60] in await person.type("f7")
        palace.mine(worked("s-1", "/home/mara/code/api").write(tmp_path))
        await person.until(lambda: "src/cart.py" in person.screen)
        palace.mine(Session("s-2", str(tmp_path / "shop")).edits("till.py").write(tmp_path))
        await person.until(lambda: "Work in " in person.screen and "src/cart.py" not in person.screen)
        await person.press("escape")
        assert isinstance(person.app.screen, BrowseScreen)

    walk(make_app(palace), steps)


def test_the_work_of_another_user_is_not_shown(
    palaces: Palaces, palace: Palace, make_app: Make, tmp_path: Path
) -> None:
    palaces.palace(f"{palace.user}-other").mine(worked("s-1", "/home/mara/code/api").write(tmp_path))

    async def steps(person: Walk) -> None:
        assert NO_HISTORY[:60] in await person.type("W")
        assert NOTHING in await person.type(*"make check")

    walk(make_app(palace), steps)
