"""The settings page."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from palace import Palace
from palace.records.settings import SettingLevel
from palace_cli.tui.app import BrowseApp
from palace_cli.tui.screens.browse import BrowseScreen
from palace_cli.tui.widgets.rows import Rows
from tests.hosts import Host
from tests.hosts.away import away
from tests.tui.paging import Walker, same_as, walked

Make = Callable[[Palace], BrowseApp]


async def to(walker: Walker, name: str) -> str:
    """Put the cursor on a setting."""
    await walker.press("S")
    rows = walker.app.screen.query_one("#settings-rows", Rows)
    rows.highlighted = rows.get_option_index(name)
    return await walker.settled()


@pytest.mark.parametrize("size", [(80, 24), (40, 10)], ids=["80x24", "40x10"])
def test_every_setting_and_who_says_so(palace: Palace, make_app: Make, size: tuple[int, int]) -> None:
    palace.settings.set("top_k", 8)
    palace.settings.set("enabled", False, agent="coder")

    async def walk(walker: Walker) -> None:
        same_as(f"settings-{size[0]}", await to(walker, "top_k"))

    walked(make_app(palace), walk, size)


def test_a_value_is_set_and_reset(palace: Palace, make_app: Make) -> None:
    async def walk(walker: Walker) -> None:
        await to(walker, "top_k")
        shown = await walker.press("enter", "7", "enter")
        assert palace.settings.get("top_k").value == 7
        assert "top_k" in shown
        assert "7  (user)" in shown
        await walker.press("r")
        assert palace.settings.get("top_k").level is SettingLevel.DEFAULT

    walked(make_app(palace), walk)


def test_what_may_not_be_is_told_in_one_line_and_what_was_typed_stays(palace: Palace, make_app: Make) -> None:
    async def walk(walker: Walker) -> None:
        await to(walker, "top_k")
        shown = await walker.press("enter", *"lots", "enter")
        assert "lots" in shown
        assert "top_k" in shown.splitlines()[-2]
        assert palace.settings.get("top_k").level is SettingLevel.DEFAULT
        assert "top_k" not in (await walker.press("x")).splitlines()[-2]
        await walker.press("escape")
        assert not walker.app.screen.query_one("#settings-input").display
        await walker.press("escape")
        assert isinstance(walker.app.screen, BrowseScreen)

    walked(make_app(palace), walk)


def test_the_model_of_the_whole_palace_is_not_changed_here(palace: Palace, make_app: Make) -> None:
    async def walk(walker: Walker) -> None:
        await to(walker, "embedding_model")
        assert "palace embeddings switch" in await walker.press("enter", "x", "enter")

    walked(make_app(palace), walk)


def test_an_agent_has_settings_of_its_own(palace: Palace, make_app: Make) -> None:
    async def walk(walker: Walker) -> None:
        await to(walker, "top_k")
        assert "for coder" in await walker.press("a", *"coder", "enter")
        await walker.press("enter", "3", "enter")
        assert palace.settings.get("top_k", agent="coder").value == 3
        assert palace.settings.get("top_k").level is SettingLevel.DEFAULT
        assert "for yourself; agents with settings of their own: coder" in await walker.press("n")
        assert "for coder" in await walker.press("n")
        assert "for yourself" in await walker.press("a", *["backspace"] * 5, "enter")

    walked(make_app(palace), walk)


def test_an_agent_that_can_have_no_settings_is_one_line(palace: Palace, make_app: Make) -> None:
    async def walk(walker: Walker) -> None:
        await walker.press("S", "a", *"x" * 201, "enter")
        shown = await walker.settled()
        assert "agent must be a name of 1 to 200 characters" in shown

    walked(make_app(palace), walk)


def test_names_of_agents_are_no_markup(palace: Palace, make_app: Make) -> None:
    palace.settings.set("top_k", 3, agent="[red]coder[/red]")

    async def walk(walker: Walker) -> None:
        shown = await walker.press("S") + await walker.press("n")
        assert "[red]co" in shown

    walked(make_app(palace), walk)


def test_what_another_program_sets_meanwhile_is_shown_when_it_is_listed_anew(palace: Palace, make_app: Make) -> None:
    async def walk(walker: Walker) -> None:
        await to(walker, "floor")
        palace.settings.set("top_k", 9)
        await walker.press("enter", *["backspace"] * 6, *"strict", "enter")
        assert "9  (user)" in walker.shown()
        assert palace.settings.get("floor").value == "strict"

    walked(make_app(palace), walk)


def test_a_database_that_is_gone_raises_the_banner_and_the_value_is_set_later(
    palace: Palace, make_app: Make, host: Host
) -> None:
    async def walk(walker: Walker) -> None:
        await to(walker, "top_k")
        with away(host, palace):
            assert "ctrl+r tries again" in await walker.press("enter", "4", "enter")
        await walker.press("ctrl+r")
        assert palace.settings.get("top_k").value == 4

    walked(make_app(palace), walk)
