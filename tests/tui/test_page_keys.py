"""Every key of the screens beside the first is pressed once."""

from __future__ import annotations

import pytest

from palace import Palace
from tests.tui.page_keys import PAGE_KEYS
from tests.tui.test_browse_screen import Make
from tests.tui.test_review_list import dead_letters, full  # noqa: F401
from tests.tui.walking import Walk, walk


@pytest.mark.parametrize(("name", "key"), PAGE_KEYS)
def test_a_key_does_what_it_says(name: str, key: str, full: Palace, make_app: Make, no_jobs: None) -> None:  # noqa: F811
    dead_letters(full)
    full.settings.set("top_k", 3, agent="coder")
    before, check = PAGE_KEYS[name, key]

    async def steps(person: Walk) -> None:
        await person.press(*before, key)
        assert check(person), f"{key} of {name}\n{person.screen}\n{person.told}"

    walk(make_app(full), steps)
