"""The page: every view, what a key sees of it, its forms, and that no text becomes markup."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import httpx
import pytest
from bs4 import BeautifulSoup

from palace import Palace, Palaces
from tests.server.hostile import HOSTILE
from tests.work.sessions import Session

Signs = Callable[..., httpx.Client]
SCOPES = ("read", "write", "forget", "admin")


@pytest.fixture
def sign(address: str) -> Iterator[Signs]:
    """Sign in with a new key: ``sign(palace, "read", wings=["Bees"])``."""
    browsers = list[httpx.Client]()

    def sign(palace: Palace, *scopes: str, **of: object) -> httpx.Client:
        made = palace.keys.create("browser", scopes=scopes or SCOPES, **of)  # type: ignore[arg-type]
        browser = httpx.Client(base_url=address, timeout=60, follow_redirects=True)
        browsers.append(browser)
        assert browser.post("/sign-in", data={"key": made.secret}).url.path == "/"
        return browser

    yield sign
    for browser in browsers:
        browser.close()


def fill(palace: Palace) -> None:
    """File a conversation and a note in another wing."""
    palace.file(
        [
            {"role": "user", "content": "My sister Derya moved to Ghent in 2019.", "timestamp": "2024-05-04T10:00:00Z"},
            {"role": "assistant", "content": "The hive stands under the lime tree, I noted that."},
        ],
        title="Evening session",
        wing="Bees",
    )
    palace.note("The spare key is under the blue pot.", wing="House")


def shown(browser: httpx.Client, path: str, status: int = 200) -> BeautifulSoup:
    """Load a view."""
    answer = browser.get(path)
    assert answer.status_code == status, answer.text
    return BeautifulSoup(answer.text, "html.parser")


def send(browser: httpx.Client, path: str, view: str, **fields: str) -> httpx.Response:
    """Send a form with the token of a view."""
    token = shown(browser, view).find("input", {"name": "csrf"})
    assert token is not None
    return browser.post(path, data={"csrf": str(token["value"]), **fields})


def test_the_tree_leads_from_the_palace_to_a_drawer_and_its_neighbours(sign: Signs, palace: Palace) -> None:
    fill(palace)
    browser, path = sign(palace), "/"
    for text in ("Bees", "Evening session", "My sister Derya moved to Ghent in 2019."):
        path = next(str(each["href"]) for each in shown(browser, path).select("main a") if text in each.text)
    page = shown(browser, path)
    assert page.find("div", class_="message").text == "My sister Derya moved to Ghent in 2019."  # type: ignore[union-attr]
    assert "§ W-001/R-01/D-001" in page.text
    assert "The hive stands under the lime tree" in page.text
    assert "person Derya" in " ".join(page.text.split())


def test_the_search_shows_reasons_and_scores(sign: Signs, palace: Palace) -> None:
    fill(palace)
    page = shown(sign(palace), "/palace/search?q=where+is+the+spare+key")
    hit = page.find("li", class_="card")
    assert hit is not None
    assert "blue pot" in hit.text
    assert 'says "' in hit.text
    assert "score 0." in hit.text
    assert shown(sign(palace), "/palace/search?q=").find("li", class_="card") is None


def test_the_work_of_agents_is_found_and_leads_to_its_drawers(
    sign: Signs, palaces: Palaces, palace: Palace, tmp_path: Path
) -> None:
    session = Session("s-1").asks("Never log passwords in src/auth.py.").runs("make check", "KeyError: 'salt'", 2)
    session.edits("src/auth.py").runs("make check", "3 passed").runs("npm run build", "npm ERR! Missing script", 1)
    browser = sign(palace)
    assert "palace mine" in shown(browser, "/palace/work").text
    palace.mine(session.write(tmp_path), wing="api")
    page = shown(browser, "/palace/work")
    assert [each.text for each in page.select("h2")] == ["Lately", "Open failures"]
    assert page.select_one('nav a[href="/palace/work"]')
    found = shown(browser, "/palace/work?q=make+check").select(".list a")
    assert [each.select(".who")[0].text for each in found] == ["failure", "fix"]
    assert all(
        text in found[1].text for text in ("KeyError: 'salt'", "after /home/mara/code/api/src/auth.py", "api · §")
    )
    assert "KeyError" in shown(browser, str(found[0]["href"])).text
    for text, kinds in (
        ("/home/mara/code/api/src/auth.py", ["decision", "edit"]),
        ("KeyError: 'salt'", ["failure", "fix"]),
    ):
        page = BeautifulSoup(browser.get("/palace/work", params={"q": text}).text, "html.parser")
        assert [each.text for each in page.select(".list .who")] == kinds
    assert "Nothing found" in shown(browser, "/palace/work?q=nosuch").text
    palace.note("The hive stands under the lime tree.", wing="Bees")
    for other in (sign(palace, wings=["Bees"]), sign(palaces.palace(f"{palace.user}-other"))):
        for path in ("/palace/work", "/palace/work?q=make+check"):
            assert shown(other, path).select(".list a") == []


def test_an_entity_has_a_drawn_timeline_with_evidence(sign: Signs, palace: Palace) -> None:
    fill(palace)
    browser = sign(palace)
    assert any("Derya" in each.text for each in shown(browser, "/palace/entities").find_all("a"))
    page = shown(browser, "/palace/entity?name=Derya")
    assert page.find("h1").text == "Derya"  # type: ignore[union-attr]
    entries = page.select("ol.timeline li")
    assert any("Ghent" in each.text for each in entries)
    assert all(each.select_one("svg rect[width]") for each in entries)
    assert str(entries[0].select_one("a.cite")["href"]) == "/palace/W-001/R-01/D-001"  # type: ignore[index]
    shown(browser, "/palace/entity?name=Nobody", 404)


def test_what_was_filed_lately_is_forgotten_and_taken_back(sign: Signs, palace: Palace) -> None:
    fill(palace)
    browser, pointer = sign(palace), "W-002/R-01/D-001"
    assert "blue pot" in shown(browser, "/palace/recent").text
    answer = send(browser, "/palace/forget", f"/palace/{pointer}", pointer=f"§ {pointer}")
    assert "It can be taken back below" in answer.text
    shown(browser, f"/palace/{pointer}", 404)
    assert send(browser, "/palace/restore", "/palace/recent", pointer="W-002/R-01").status_code == 200
    assert "blue pot" in shown(browser, f"/palace/{pointer}").text
    actions = [entry.action for entry in palace.keys.audit()]
    assert {"drawers.forget", "drawers.restore", "page.drawer"} <= set(actions)


def test_a_run_that_was_seen_is_not_shown_again(sign: Signs, palace: Palace) -> None:
    palace.note("The spare key is under the blue pot.")
    browser = sign(palace)
    run = palace.review.filed()[0].id
    assert "blue pot" not in send(browser, "/palace/seen", "/palace/recent", pointer=str(run)).text
    assert send(browser, "/palace/seen", "/palace/recent", pointer="x").status_code == 400


def test_proposed_memories_are_decided_on_and_link_what_they_stand_on(sign: Signs, palace: Palace) -> None:
    said = palace.note("Invoices go to the office.", wing="House").pointer
    made = [
        palace.memories.store(text, "instruction", evidence=[str(said)], origin="tool", wing=wing)
        for text, wing in (("Send invoices to the office", None), ("Send invoices to a stranger", "Team"))
    ]
    browser, evidence = sign(palace), "/palace/W-001/R-01/D-001"
    page = shown(browser, "/palace/recent")
    assert page.select("h2")[0].text == "Proposed memories"
    assert [str(each["href"]) for each in page.select(".card .soft a")] == [evidence, evidence]
    assert [each.text for each in page.select(".card .line .who")] == ["Tool", "You", "Tool", "You"]
    assert "Invoices go to the office." in page.select(".card .line .text")[1].text
    partly = shown(sign(palace, *SCOPES, wings=["Team"]), "/palace/recent")
    assert ("to a stranger" in partly.text, "office" in partly.text) == (True, False)
    assert partly.select(".card .soft a") == []
    reader = sign(palace, "read", "forget")
    assert "Accept" not in shown(reader, "/palace/recent").text
    assert send(reader, "/palace/accept", "/palace/recent", pointer=str(made[0].id)).status_code == 403
    assert "Accepted." in send(browser, "/palace/accept", "/palace/recent", pointer=str(made[0].id)).text
    done = send(browser, "/palace/reject", "/palace/recent", pointer=str(made[1].id))
    assert "Rejected." in done.text
    assert "Proposed memories" not in done.text
    assert [palace.memories.get(str(each.id)).state for each in made] == ["accepted", "rejected"]
    assert send(browser, "/palace/accept", "/palace/recent", pointer=str(said)).status_code == 404
    assert "Instruction, rejected, from" in " ".join(
        shown(browser, f"/palace/{str(made[1].id).removeprefix('§ ')}").text.split()
    )
    assert {"memories.accept", "memories.reject"} <= {entry.action for entry in palace.keys.audit()}


def test_a_hit_that_is_a_memory_says_so_and_links_what_it_stands_on(sign: Signs, palace: Palace) -> None:
    first, second = (str(palace.note(text).pointer) for text in ("Anna starts in May.", "The office is in Vigo."))
    palace.memories.store("Anna works at the office in Vigo from May", evidence=[first, second])
    page = shown(sign(palace), "/palace/search?q=where+does+Anna+work")
    marked = [" ".join(each.text.split()) for each in page.select(".hits .soft") if "Fact" in each.text]
    assert marked == [f"Fact, from {first} {second}"]
    assert str(page.select(".hits .soft a")[0]["href"]) == f"/palace/{first.removeprefix('§ ')}"


def test_the_owner_is_addressed_and_times_are_in_their_zone(sign: Signs, palace: Palace) -> None:
    said = {"role": "user", "content": "I lead the band of Derya.", "timestamp": "2024-05-04T23:30:00Z"}
    palace.file([said], title="Evening", wing="Music")
    browser = sign(palace)
    assert "You" in [each.text for each in shown(browser, "/palace/entities").select(".text")]
    page = shown(browser, "/palace/entity?name=I")
    assert page.find("h1").text == "You"  # type: ignore[union-attr]
    assert "You lead " in " ".join(each.text for each in page.select("ol.timeline p"))
    assert "Search for" not in page.text
    moment = datetime(2024, 5, 4, 23, 30, tzinfo=UTC).astimezone(palace._opened.settings.zone)
    assert f"You {moment.day} May 2024, {moment:%H:%M}" in " ".join(
        shown(browser, "/palace/W-001/R-01/D-001").text.split()
    )


def test_rooms_of_one_name_are_told_apart(sign: Signs, palace: Palace) -> None:
    for hour in ("08", "09"):
        said = {"role": "user", "content": f"Word {hour}.", "timestamp": f"2024-05-04T{hour}:00:00Z"}
        palace.file([said], title="Morning session", wing="Bees")
    palace.file([said | {"content": "Alone."}], title="Alone", wing="Bees")
    lines = [" ".join(each.text.split()) for each in shown(sign(palace), "/palace/W-001").select(".place")]
    assert len(set(lines)) == 3
    assert [", " in each for each in lines] == [not each.startswith("Alone") for each in lines]


def test_an_address_of_nothing_is_a_page_for_browsers_alone(sign: Signs, palace: Palace) -> None:
    browser = sign(palace)
    wants = {"Accept": "text/html,*/*;q=0.8"}
    for path in ("/nosuch", "/palace", "/v2/drawers?x=<b>"):
        answer = browser.get(path, headers=wants)
        assert (answer.status_code, "Nothing here" in answer.text, "Sign out" in answer.text) == (404, True, True)
        assert browser.get(path).headers["content-type"] == "application/problem+json"
    assert browser.get("/v1/drawers", headers=wants).status_code == 401
    browser.cookies.clear()
    assert browser.get("/nosuch", headers=wants).url.path == "/sign-in"


def test_settings_are_shown_and_changed(sign: Signs, palace: Palace) -> None:
    browser = sign(palace)
    page = shown(browser, "/palace/settings")
    assert "Hits that are given back" in page.text
    assert "not set default" not in " ".join(page.text.split())
    assert page.select_one("#costs")
    assert page.select_one('nav a[href="/palace/settings#costs"]')
    assert send(browser, "/palace/settings", "/palace/settings", name="top_k", value="9").status_code == 200
    assert palace.settings.get("top_k").value == 9
    send(browser, "/palace/settings", "/palace/settings", name="top_k", value="")
    assert palace.settings.get("top_k").value != 9
    assert send(browser, "/palace/settings", "/palace/settings", name="top_k", value="many").status_code == 400
    reader = sign(palace, "read")
    assert shown(reader, "/palace/settings").find("input", {"name": "value"}) is None
    assert send(reader, "/palace/settings", "/palace/settings", name="top_k", value="9").status_code == 403


def test_every_form_needs_its_token(sign: Signs, palace: Palace) -> None:
    fill(palace)
    browser = sign(palace)
    for path in (f"/palace/{name}" for name in ("forget", "restore", "seen", "settings", "accept", "reject")):
        fields = {"pointer": "W-002/R-01/D-001", "name": "top_k", "value": "9"}
        for token in ({}, {"csrf": "0" * 64}):
            assert browser.post(path, data=fields | token).status_code == 403
    assert palace.show("W-002/R-01/D-001").drawer
    assert palace.settings.get("top_k").value != 9


def test_a_key_that_reads_sees_no_button_and_may_send_no_form(sign: Signs, palace: Palace) -> None:
    fill(palace)
    browser = sign(palace, "read")
    for path in ("/palace/recent", "/palace/W-002/R-01/D-001"):
        assert [each.text for each in shown(browser, path).find_all("button")] == ["Sign out"]
    assert send(browser, "/palace/forget", "/palace/recent", pointer="W-002/R-01/D-001").status_code == 403
    assert palace.show("W-002/R-01/D-001").drawer
    shown(sign(palace, "write"), "/", 403)


def test_a_key_for_some_wings_sees_nothing_of_the_others(sign: Signs, palace: Palace) -> None:
    fill(palace)
    browser = sign(palace, *SCOPES, wings=["Bees"])
    texts = [shown(browser, path).text for path in ("/", "/palace/recent", "/palace/search?q=where+is+the+spare+key")]
    assert not [word for word in ("House", "blue pot") if any(word in text for text in texts)]
    assert "Bees" in texts[0]
    for path in ("/palace/W-002", "/palace/W-002/R-01", "/palace/W-002/R-01/D-001", "/palace/W-009"):
        assert "where this key may look" in shown(browser, path, 404).text
    for path in ("/palace/entities", "/palace/entity?name=Derya", "/palace/settings"):
        shown(browser, path, 403)
    palace.forget("W-002/R-01/D-001")
    assert "House" not in shown(browser, "/palace/recent").text
    assert send(browser, "/palace/restore", "/palace/recent", pointer="W-002/R-01").status_code == 403
    assert send(browser, "/palace/forget", "/palace/recent", pointer="W-001/R-01/D-002").status_code == 200


def test_views_need_somebody_who_is_signed_in(address: str) -> None:
    answer = httpx.get(f"{address}/palace/search?q=a%26b")
    assert (answer.status_code, answer.headers["location"]) == (303, "/sign-in?return_to=/palace/search%3Fq%3Da%2526b")
    assert httpx.post(f"{address}/palace/forget", data={"pointer": "W-001/R-01/D-001"}).status_code == 303


def test_long_lists_have_pages(sign: Signs, palace: Palace) -> None:
    palace.file([{"role": "user", "content": f"Message {number}."} for number in range(60)], wing="Long", title="Long")
    browser = sign(palace)
    path, seen = "/palace/W-001/R-01", list[str]()
    while path:
        page = shown(browser, path)
        seen += [each.text.strip() for each in page.select(".list .text")]
        following = page.select_one(".more a")
        path = "" if following is None else str(following["href"])
    assert seen == [f"Message {number}." for number in range(60)]


def test_addresses_that_make_no_sense_are_one_line(sign: Signs, palace: Palace) -> None:
    fill(palace)
    browser = sign(palace)
    for path in ("/palace/nothing", "/palace/W-1x", "/?cursor=x", "/palace/entity", "/palace/W-001/R-01?closet=x"):
        assert shown(browser, path, 400).find("h1") is not None


EVERY_ONE_ONCE = HOSTILE[::11]
"""Each payload once, each in other surroundings."""


@pytest.mark.slow
@pytest.mark.parametrize(
    "texts",
    [EVERY_ONE_ONCE, *(pytest.param(HOSTILE[part::4], marks=pytest.mark.nightly) for part in range(4))],
    ids=["day", *map(str, range(4))],
)
def test_no_text_becomes_markup(sign: Signs, palace: Palace, texts: tuple[str, ...], tmp_path: Path) -> None:
    session = Session("s-1").asks(f"We decided to use {texts[0]} in src/auth.py.")
    for number, text in enumerate(texts):
        palace.file(
            [{"role": "user", "content": f"{text} is a bee {number}", "name": text[:100]}],
            wing=text[:80] or "x",
            title=text,
        )
        session.runs(f"make {text}", f"KeyError: {text}", 1).edits(f"src/{number}{text}.py")
    palace.mine(session.write(tmp_path))
    browser = sign(palace)
    plain = {path: shape(browser.get(path).text) for path in ("/", "/palace/recent", "/palace/entities")}
    views = {*plain, "/palace/settings", "/palace/work"}
    for drawer in palace.tree.all_drawers(limit=100):
        place = str(drawer.pointer).removeprefix("§ ")
        wing, room, _ = place.split("/")
        views |= {f"/palace/{wing}", f"/palace/{wing}/{room}", f"/palace/{place}"}
    for view in views:
        check(browser.get(view))
    for text in texts:
        fields = (("/palace/search", "q"), ("/palace/work", "q"), ("/palace/entity", "name"), ("/sign-in", "return_to"))
        for path, field in fields:
            check(browser.get(path, params={field: text}))
    assert shown(browser, "/palace/work?q=make").select(".list a")


def shape(text: str) -> set[str]:
    """Return the names of a page's elements."""
    return {each.name for each in BeautifulSoup(text, "html.parser").find_all()}


ELEMENTS = frozenset(
    re.findall(
        r"\S+",
        "html head meta title link body a header nav form input button main h1 h2 p ul ol li span strong code "
        "article div footer label mark details summary svg line rect section table caption thead tbody tr th "
        "td dl dt dd br ",
    )
)
ATTRIBUTES = frozenset(
    re.findall(
        r"\S+",
        "lang charset name content rel href class action method type value id for placeholder autocomplete "
        "required autofocus role aria-label aria-current aria-hidden focusable viewbox preserveaspectratio x "
        "y x1 x2 y1 y2 width height rx ",
    )
)


def check(answer: httpx.Response) -> None:
    """Check that a page has no element, attribute or address but those of the templates."""
    assert answer.status_code < 500
    page = BeautifulSoup(answer.text, "html.parser")
    for each in page.find_all():
        assert each.name in ELEMENTS, each
        assert set(each.attrs) <= ATTRIBUTES, each
        for name in ("href", "action"):
            assert str(each.get(name, "/")).startswith(("/", "#", "data:,")), each
            assert not str(each.get(name, "/")).startswith("//"), each


def test_page_of_another_user_is_not_there(sign: Signs, palaces: Palaces, palace: Palace) -> None:
    fill(palace)
    other = palaces.palace(f"{palace.user}-other")
    assert "Bees" not in shown(sign(other), "/").text
    shown(sign(other), "/palace/W-001/R-01/D-001", 404)
