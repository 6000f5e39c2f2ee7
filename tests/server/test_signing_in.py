"""Browsers that sign in: by a key or a code, their cookie, the token of their forms, and how their session ends."""

from __future__ import annotations

import uuid
from collections.abc import Iterator

import httpx
import pytest

from palace import Palace, Palaces
from palace_server import codes
from tests.held import execute, rows
from tests.server.conftest import served


@pytest.fixture
def browser(address: str) -> Iterator[httpx.Client]:
    """A client that keeps cookies and follows nothing."""
    with httpx.Client(base_url=address, headers={"Origin": address}, timeout=60) as client:
        yield client


def sign_in(browser: httpx.Client, palace: Palace, *scopes: str, **of: object) -> str:
    """Sign in with a new key, and return the key's id."""
    made = palace.keys.create("browser", scopes=scopes or ("read",), **of)  # type: ignore[arg-type]
    answer = browser.post("/sign-in", data={"key": made.secret, "return_to": "/"})
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    return made.key.id


def is_signed_in(browser: httpx.Client) -> bool:
    """Check whether the sign-in page sends on to the palace."""
    return browser.get("/sign-in").status_code == 303


def token_of(browser: httpx.Client) -> str:
    """Return the token of the page's forms."""
    return browser.get("/palace/nothing").text.partition('name="csrf" value="')[2].partition('"')[0]


def test_a_key_becomes_a_cookie_that_no_script_reads(browser: httpx.Client, palace: Palace) -> None:
    made = palace.keys.create("browser")
    answer = browser.post("/sign-in", data={"key": f" {made.secret}\n", "return_to": "/palace/recent?a=1"})
    assert (answer.status_code, answer.headers["location"]) == (303, "/palace/recent?a=1")
    cookie = answer.headers["set-cookie"]
    assert {"HttpOnly", "Path=/", "SameSite=lax"} <= set(cookie.split("; "))
    assert "Secure" not in cookie
    assert made.secret.rpartition("_")[2] not in cookie
    assert is_signed_in(browser)
    assert palace.keys.audit()[0].action == "sessions.start"


def test_behind_encryption_the_cookie_is_secure(palaces: Palaces, palace: Palace) -> None:
    secret = palace.keys.create("browser").secret
    with served(palaces) as (url, _):
        answer = httpx.post(f"{url}/sign-in", data={"key": secret}, headers={"Origin": url.replace("http:", "https:")})
    assert "Secure" in answer.headers["set-cookie"].split("; ")


def test_wrong_expired_and_revoked_keys_get_one_answer(browser: httpx.Client, palace: Palace) -> None:
    gone = palace.keys.create("gone")
    palace.keys.revoke(gone.key.id)
    keys = ("", "nonsense", "pal_0x0_" + "0" * 64, gone.secret, gone.secret[:-1], "\x00<script>")
    answers = {(each.status_code, each.text) for key in keys if (each := browser.post("/sign-in", data={"key": key}))}
    assert [status for status, _ in answers] == [401]
    assert not browser.cookies


def test_a_gateways_key_opens_no_page(browser: httpx.Client, palace: Palace) -> None:
    secret = palace.keys.create("gateway", user_prefix="shop-").secret
    answer = browser.post("/sign-in", data={"key": secret})
    assert answer.status_code == 400
    assert "for programs" in answer.text
    assert not browser.cookies


@pytest.mark.parametrize("there", ["//evil.example", "/\\evil.example", "https://evil.example", "x", "", "/a\r\nb: c"])
def test_signing_in_leads_to_no_other_place(browser: httpx.Client, palace: Palace, there: str) -> None:
    secret = palace.keys.create("browser").secret
    assert browser.post("/sign-in", data={"key": secret, "return_to": there}).headers["location"] == "/"
    assert browser.get("/sign-in", params={"return_to": there}).headers["location"] == "/"


def test_a_session_ends_with_its_key(browser: httpx.Client, palace: Palace) -> None:
    palace.keys.revoke(sign_in(browser, palace))
    assert not is_signed_in(browser)
    key = sign_in(browser, palace)
    assert is_signed_in(browser)
    palace.keys.rotate(key, hours=1)
    assert not is_signed_in(browser)


def test_signing_out_needs_the_token_and_ends_the_session(browser: httpx.Client, palace: Palace) -> None:
    sign_in(browser, palace)
    cookie, token = browser.cookies["palace_session"], token_of(browser)
    for wrong in ({}, {"csrf": ""}, {"csrf": "0" * 64}, {"csrf": token[:-1]}, {"csrf": f"{token}é"}):
        assert browser.post("/sign-out", data=wrong).status_code == 403
    assert is_signed_in(browser)
    assert browser.post("/sign-out", data={"csrf": token}).headers["location"] == "/sign-in"
    assert not browser.cookies
    browser.cookies.set("palace_session", cookie)
    assert not is_signed_in(browser)


def test_a_token_is_of_one_session(browser: httpx.Client, palace: Palace) -> None:
    sign_in(browser, palace)
    former = token_of(browser)
    browser.cookies.clear()
    sign_in(browser, palace)
    assert browser.post("/sign-out", data={"csrf": former}).status_code == 403


def test_wrong_cookies_are_nobody(browser: httpx.Client, palace: Palace, palaces: Palaces) -> None:
    sign_in(browser, palace)
    right = browser.cookies["palace_session"]
    head, _, secret = right.rpartition("_")
    other = palaces.palace(f"user-{uuid.uuid4()}")
    number = other._opened.database.user_id
    wrong = ("", "pas_", f"{head}_{'0' * 64}", f"pas_{number}x1_{secret}", right.upper(), f"pas_0x0_{secret}", "\x7f")
    for each in wrong:
        browser.cookies.clear()
        assert browser.get("/sign-in", headers={"Cookie": f"palace_session={each}"}).status_code == 200
    assert palaces.check_session(right) is not None


def test_a_cookie_is_no_key_and_a_key_is_no_cookie(browser: httpx.Client, palace: Palace) -> None:
    sign_in(browser, palace)
    assert browser.get("/v1/drawers").status_code == 401
    bearer = {"Authorization": f"Bearer {browser.cookies['palace_session']}"}
    assert browser.get("/v1/drawers", headers=bearer).status_code == 401
    browser.cookies.clear()
    bearer = {"Authorization": f"Bearer {palace.keys.create('key').secret}"}
    assert browser.get("/sign-in", headers=bearer).status_code == 200


def test_pages_of_other_places_sign_nobody_in(browser: httpx.Client, palace: Palace) -> None:
    secret = palace.keys.create("browser").secret
    for origin in ("https://evil.example", "null"):
        answer = browser.post("/sign-in", data={"key": secret}, headers={"Origin": origin})
        assert answer.status_code == 403
    assert not browser.cookies


def test_signing_in_is_limited_in_rate(palaces: Palaces) -> None:
    with served(palaces, rate=20.0) as (url, _):
        statuses = {httpx.post(f"{url}/sign-in", data={"key": "wrong"}).status_code for _ in range(30)}
    assert statuses == {401, 429}


def test_a_code_opens_the_page_once_within_a_minute(
    palaces: Palaces, palace: Palace, monkeypatch: pytest.MonkeyPatch
) -> None:
    with served(palaces) as (url, app):
        service = app.state.service
        with httpx.Client(base_url=url, timeout=60) as browser:
            from_file = {"Origin": "null"}
            assert browser.post("/open", data={"code": ""}).status_code == 401
            code = service.code.make()
            assert browser.post("/open", data={"code": code}).status_code == 401  # this server opens nobody's page
            service.opened_user = palace.user
            for wrong in ("", code[:-1], f"{code}é"):
                assert browser.post("/open", data={"code": wrong}).status_code == 401
            assert browser.post("/open", data={"code": code}, headers={"Host": "evil.example"}).status_code == 421
            opened = browser.post("/open", data={"code": code}, headers=from_file)
            assert (opened.status_code, opened.headers["location"]) == (303, "/")
            assert is_signed_in(browser)
            assert browser.post("/open", data={"code": code}).status_code == 401
            monkeypatch.setattr(codes, "CODE_SECONDS", -1.0)
            assert browser.post("/open", data={"code": service.code.make()}).status_code == 401
            service.opened_user = None
            assert not is_signed_in(browser)


def test_an_old_session_is_over(browser: httpx.Client, palace: Palace) -> None:
    sign_in(browser, palace)
    execute(palace, "UPDATE web_session SET expires_at = now()")
    ((row,),) = rows(palace, "SELECT web_session::text FROM web_session")
    assert browser.cookies["palace_session"].rpartition("_")[2] not in row
    assert not is_signed_in(browser)


def test_every_answer_has_the_strict_headers(browser: httpx.Client, palace: Palace) -> None:
    for path in ("/sign-in", "/palace/nothing"):
        answer = browser.get(path, follow_redirects=True)
        policy = answer.headers["content-security-policy"]
        assert policy.startswith("default-src 'none'; style-src 'self';")
        assert "frame-ancestors 'none'" in policy
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["cache-control"] == "no-store"
    style = browser.get("/static/page.css")
    assert style.headers["content-type"].startswith("text/css")
    assert browser.get("/static/page.css", headers={"If-None-Match": style.headers["etag"]}).status_code == 304
