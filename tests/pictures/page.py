"""A picture of the page: what a search finds, in a real Chromium."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import quote

from palace import Palaces, Settings
from tests.pictures.pictures import PERSON, fill
from tests.server.conftest import served

QUESTION = "which battery wiring overheated?"
SIZE = (1000, 700)


def page_pictures(settings: Settings) -> Iterator[tuple[str, bytes]]:
    """Give the picture of the page with its file's name; its bytes depend on the fonts of this machine."""
    from playwright.sync_api import sync_playwright

    told = Settings(**settings.model_dump(exclude_unset=True) | {"timezone": "UTC", "worker_starts": False})
    with Palaces.open(told) as palaces, served(palaces) as (address, _):
        palace = palaces.palace(PERSON)
        fill(palace)
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
            page = browser.new_page(viewport={"width": SIZE[0], "height": SIZE[1]})
            page.goto(f"{address}/sign-in?return_to={quote(f'/palace/search?q={quote(QUESTION)}')}")
            page.fill("#key", palace.keys.create("picture").secret)
            page.press("#key", "Enter")
            page.wait_for_url("**/palace/search?**")
            yield "page.png", page.screenshot()
            browser.close()
