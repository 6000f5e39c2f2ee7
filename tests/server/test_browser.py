"""The page in a real Chromium: without scripts, by keyboard, in light and dark, on a phone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest

from palace import Palace, Palaces
from tests.server.conftest import served
from tests.server.hostile import HOSTILE
from tests.server.test_oauth import BACK, Program

pytestmark = pytest.mark.nightly
CHROMIUM = Path("/usr/bin/chromium")
VIEWS = (
    "/",
    "/palace/W-001",
    "/palace/W-001/R-01",
    "/palace/W-001/R-01/D-001",
    "/palace/search?q=Derya",
    "/palace/entities",
)
MORE_VIEWS = (
    "/palace/entity?name=Derya",
    "/palace/work",
    "/palace/work?q=make+check",
    "/palace/recent",
    "/palace/settings",
    "/nosuch",
)


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    """A Chromium without a window."""
    from playwright.sync_api import sync_playwright

    if not CHROMIUM.exists():
        pytest.fail(f"these tests need {CHROMIUM}: apt-get install chromium", pytrace=False)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


def signed_in(chromium: Any, address: str, palace: Palace, **options: Any) -> Any:
    """Sign in by keyboard alone, and return the browser's page."""
    page = chromium.new_context(**options).new_page()
    page.goto(address)
    page.locator("#key:focus").wait_for()
    page.keyboard.type(palace.keys.create("browser", scopes=("read", "write", "forget", "admin")).secret)
    page.keyboard.press("Enter")
    page.wait_for_url(f"{address}/")
    return page


def fill(palace: Palace) -> None:
    """File what the views show."""
    messages = [{"role": "user", "content": "My sister Derya moved to Ghent in 2019. The spare key is under the pot."}]
    palace.file(messages, title="Evening session", wing="Bees")


def follow(page: Any, text: str) -> None:
    """Go by Tab to the link or button with a text, and press Enter."""
    for _ in range(80):
        page.keyboard.press("Tab")
        if text in page.evaluate('document.activeElement.innerText || ""'):
            with page.expect_navigation():
                page.keyboard.press("Enter")
            return
    pytest.fail(f"no Tab leads to {text!r}")


def test_the_keyboard_alone_suffices(chromium: Any, address: str, palace: Palace) -> None:
    fill(palace)
    page = signed_in(chromium, address, palace, java_script_enabled=True)
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    while page.evaluate("document.activeElement.id") != "q":
        page.keyboard.press("Tab")
    page.keyboard.type("where is the spare key")
    with page.expect_navigation():
        page.keyboard.press("Enter")
    follow(page, "spare key is under")
    follow(page, "Forget")
    assert "It can be taken back below" in page.inner_text("main")
    follow(page, "Take back")
    assert "spare key is under" in page.inner_text("main")
    follow(page, "People and things")
    follow(page, "Derya")
    assert page.locator("ol.timeline rect").count()
    follow(page, "Costs")
    assert page.url == f"{address}/palace/settings#costs"
    page.goto(f"{address}/nosuch")
    follow(page, "To the palace")
    follow(page, "Sign out")
    assert page.url == f"{address}/sign-in"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_and_a_phone_needs_no_scrolling_aside(
    chromium: Any, address: str, palace: Palace, scheme: str
) -> None:
    from axe_playwright_python.sync_playwright import Axe

    fill(palace)
    phone = {"width": 390, "height": 844}
    page = signed_in(chromium, address, palace, color_scheme=scheme, viewport=phone, bypass_csp=True)
    for view in (*VIEWS, *MORE_VIEWS):
        page.goto(address + view)
        found = [
            each["id"] for each in Axe().run(page).response["violations"] if each["impact"] in ("serious", "critical")
        ]
        assert (view, found) == (view, [])
        assert page.evaluate("document.documentElement.scrollWidth") <= phone["width"], view


def test_no_script_runs(chromium: Any, address: str, palace: Palace) -> None:
    for number in range(0, len(HOSTILE), 10):
        texts = HOSTILE[number : number + 10]
        messages = [{"role": "user", "content": f"{text} {text}", "name": text[:100]} for text in texts]
        palace.file(messages, title=texts[0], wing=texts[1][:80])
    page, events = signed_in(chromium, address, palace), list[str]()

    def dismiss(dialog: Any) -> None:
        events.append(dialog.message)
        dialog.dismiss()

    page.on("dialog", dismiss)
    page.on("console", lambda message: events.append(message.text))
    page.on("pageerror", lambda error: events.append(str(error)))
    page.on(
        "request", lambda request: None if request.url.startswith((address, "data:,")) else events.append(request.url)
    )
    places = [str(each.pointer).removeprefix("§ ") for each in palace.tree.all_drawers(limit=200)]
    rooms = {place.rpartition("/")[0] for place in places}
    for path in ("/", "/palace/recent", "/palace/entities", *(f"/palace/{place}" for place in {*places, *rooms})):
        page.goto(address + path)
    for text in HOSTILE:
        page.goto(f"{address}/")
        page.fill("#q", text)
        page.press("#q", "Enter")
    assert events == []


def test_a_program_is_let_in_and_the_browser_goes_back_to_it(chromium: Any, palaces: Palaces, palace: Palace) -> None:
    key = palace.keys.create("browser").secret
    with served(palaces, oauth=True) as (url, _), httpx2.Client(base_url=url, timeout=60) as http:
        page = chromium.new_context(java_script_enabled=False).new_page()
        page.route(f"{BACK}?**", lambda route: route.fulfill(body="done"))
        page.goto(Program(http).page().headers["location"])
        page.locator("#key:focus").wait_for()
        page.keyboard.type(key)
        page.keyboard.press("Enter")
        page.wait_for_url("**/consent?**")
        page.get_by_role("button", name="Let it in").click()
        page.wait_for_url(f"{BACK}?**")
        assert "code=pal_" in page.url
