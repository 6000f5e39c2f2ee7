"""The settings page."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from palace import Palace, SettingLevel
from palace_cli.tui.app import BrowseApp
from palace_cli.tui.screens.browse import BrowseScreen
from palace_cli.tui.widgets.rows import Rows
from tests.tui.walking import Walk, same_as, walk

Make = Callable[[Palace], BrowseApp]


async def to(person: Walk, name: str) -> str:
    """Put the cursor on a setting."""
    await person.type("S")
    rows = person.app.screen.query_one("#settings-rows", Rows)
    rows.highlighted = rows.get_option_index(name)
    return await person.type()


def test_every_setting_and_who_says_so(palace: Palace, make_app: Make) -> None:
    palace.settings.set("top_k", 8)
    palace.settings.set("enabled", False, agent="coder")

    async def steps(person: Walk) -> None:
        same_as("settings-80", await to(person, "top_k"))

    walk(make_app(palace), steps)


@pytest.mark.nightly
def test_a_value_is_set_and_reset_and_what_another_program_sets_is_shown(palace: Palace, make_app: Make) -> None:
    async def steps(person: Walk) -> None:
        await to(person, "top_k")
        assert "7  (user)" in await person.type("enter", "7", "enter")
        assert palace.settings.get("top_k").value == 7
        await person.type("r")
        assert palace.settings.get("top_k").level is SettingLevel.DEFAULT
        await person.type("escape")
        await to(person, "floor")
        palace.settings.set("top_k", 9)
        assert "9  (user)" in await person.type("enter", *["backspace"] * 6, *"strict", "enter")
        assert palace.settings.get("floor").value == "strict"

    walk(make_app(palace), steps)


@pytest.mark.nightly
def test_what_may_not_be_is_told_in_one_line_and_what_was_typed_stays(palace: Palace, make_app: Make) -> None:
    async def steps(person: Walk) -> None:
        await to(person, "top_k")
        shown = await person.type("enter", *"lots", "enter")
        assert "lots" in shown
        assert "top_k" in shown.splitlines()[-2]
        assert palace.settings.get("top_k").level is SettingLevel.DEFAULT
        assert "top_k" not in (await person.type("x")).splitlines()[-2]
        await person.type("escape")
        assert not person.app.screen.query_one("#settings-input").display
        await person.type("escape")
        assert isinstance(person.app.screen, BrowseScreen)
        await to(person, "embedding_model")
        assert "palace embeddings switch" in await person.type("enter", "x", "enter")

    walk(make_app(palace), steps)


@pytest.mark.nightly
def test_an_agent_has_settings_of_its_own(palace: Palace, make_app: Make) -> None:
    palace.settings.set("floor", "low", agent="[red]")

    async def steps(person: Walk) -> None:
        await to(person, "top_k")
        assert "Settings for coder" in await person.type("a", *"coder", "enter")
        await person.type("enter", "3", "enter")
        assert palace.settings.get("top_k", agent="coder").value == 3
        assert palace.settings.get("top_k").level is SettingLevel.DEFAULT
        shown = [await person.type("n") for _ in range(3)]
        assert any("Settings for yourself; agents with settings of their own: [red], coder" in each for each in shown)
        assert any("Settings for [red]" in each for each in shown)
        await person.type("a", *["backspace"] * 9, *"x" * 201, "enter")
        assert "agent must be a name of 1 to 200 characters" in await person.type()

    walk(make_app(palace), steps)
