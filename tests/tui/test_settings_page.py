"""The settings page."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from palace import Palace, SettingLevel
from palace_cli.tui.app import BrowseApp
from palace_cli.tui.screens.browse import BrowseScreen
from palace_cli.tui.widgets.rows import Rows
from tests.tui.paging import SIZES, Walker, same_as, walked

Make = Callable[[Palace], BrowseApp]


async def to(walker: Walker, name: str) -> str:
    """Put the cursor on a setting."""
    await walker.press("S")
    rows = walker.app.screen.query_one("#settings-rows", Rows)
    rows.highlighted = rows.get_option_index(name)
    return await walker.settled()


@SIZES
def test_every_setting_and_who_says_so(palace: Palace, make_app: Make, size: tuple[int, int]) -> None:
    palace.settings.set("top_k", 8)
    palace.settings.set("enabled", False, agent="coder")

    async def walk(walker: Walker) -> None:
        same_as(f"settings-{size[0]}", await to(walker, "top_k"))

    walked(make_app(palace), walk, size)


def test_a_value_is_set_and_reset_and_what_another_program_sets_is_shown(palace: Palace, make_app: Make) -> None:
    async def walk(walker: Walker) -> None:
        await to(walker, "top_k")
        assert "7  (user)" in await walker.press("enter", "7", "enter")
        assert palace.settings.get("top_k").value == 7
        await walker.press("r")
        assert palace.settings.get("top_k").level is SettingLevel.DEFAULT
        await walker.press("escape")
        await to(walker, "floor")
        palace.settings.set("top_k", 9)
        assert "9  (user)" in await walker.press("enter", *["backspace"] * 6, *"strict", "enter")
        assert palace.settings.get("floor").value == "strict"

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
        await to(walker, "embedding_model")
        assert "palace embeddings switch" in await walker.press("enter", "x", "enter")

    walked(make_app(palace), walk)


@pytest.mark.nightly
def test_an_agent_has_settings_of_its_own(palace: Palace, make_app: Make) -> None:
    palace.settings.set("floor", "low", agent="[red]")

    async def walk(walker: Walker) -> None:
        await to(walker, "top_k")
        assert "for coder" in await walker.press("a", *"coder", "enter")
        await walker.press("enter", "3", "enter")
        assert palace.settings.get("top_k", agent="coder").value == 3
        assert palace.settings.get("top_k").level is SettingLevel.DEFAULT
        shown = [await walker.press("n") for _ in range(3)]
        assert any("for yourself; agents with settings of their own: [red], coder" in each for each in shown)
        assert any("for [red]" in each for each in shown)
        await walker.press("a", *["backspace"] * 9, *"x" * 201, "enter")
        assert "agent must be a name of 1 to 200 characters" in await walker.settled()

    walked(make_app(palace), walk)
