"""OAuth at ``/mcp``: the protocol's own client is let in, and nobody else."""

from __future__ import annotations

import base64
import hashlib
import re
import secrets
from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qs, urlsplit

import anyio
import httpx2
import pytest
from bs4 import BeautifulSoup
from mcp import Client
from mcp.client.auth import OAuthClientProvider
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import AuthorizationCodeResult, OAuthClientInformationFull, OAuthClientMetadata, OAuthToken
from pydantic import AnyUrl

from palace import Palace, Palaces
from tests.held import execute, rows
from tests.protocol.conftest import text_of
from tests.server.conftest import served

BACK = "http://127.0.0.1:7777/callback"
SCOPES = "read write forget"
VERIFIER = "v" * 64


@pytest.fixture(scope="module")
def url(palaces: Palaces) -> Iterator[str]:
    with served(palaces, oauth=True) as (url, _):
        yield url


@pytest.fixture
def http(url: str) -> Iterator[httpx2.Client]:
    with httpx2.Client(base_url=url, timeout=60) as http:
        yield http


def consent(http: httpx2.Client, page: str, *, key: str, **form: Any) -> httpx2.Response:
    """Sign in where an address leads to, and fill in the page there."""
    http.cookies.clear()
    there = http.get(page)
    assert (there.status_code, there.headers["location"].partition("?")[0]) == (303, "/sign-in")
    return_to = parse_qs(urlsplit(there.headers["location"]).query)["return_to"][0]
    there = http.post("/sign-in", data={"key": key, "return_to": return_to})
    return decide(http, there.headers["location"], **form) if there.status_code == 303 else there


def decide(http: httpx2.Client, page: str, **form: Any) -> httpx2.Response:
    """Fill in the page where a program is let in."""
    soup = BeautifulSoup(http.get(page).text, "html.parser").select_one("main") or BeautifulSoup()
    hidden = {str(field["name"]): field["value"] for field in soup.select("input[type=hidden]")}
    ticked = [field["value"] for field in soup.select("input[type=checkbox]")]
    return http.post("/consent", data={**hidden, "scope": ticked, "decision": "allow", **form})


class Memory:
    """Where the protocol's client keeps its tokens."""

    tokens: OAuthToken | None = None
    client: OAuthClientInformationFull | None = None

    async def get_tokens(self) -> OAuthToken | None:
        return self.tokens

    async def set_tokens(self, tokens: OAuthToken) -> None:
        self.tokens = tokens

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        return self.client

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        self.client = client_info


@pytest.mark.parametrize("mode", ["2026-07-28", "legacy"])
def test_the_protocols_own_client_is_let_in(url: str, http: httpx2.Client, palace: Palace, mode: str) -> None:
    palace.note("Mara's spare key is under the blue pot.", wing="House")
    palace.note("The code of the vault is 77.", wing="Vault")
    key = palace.keys.create("laptop", scopes=("read", "write", "admin"), wings=["House"])
    answers, memory = list[httpx2.Response](), Memory()

    async def visit(address: str) -> None:
        answers.append(consent(http, address_of(http, address), key=key.secret))

    async def returned() -> AuthorizationCodeResult:
        given = {name: values[0] for name, values in parse_qs(urlsplit(answers[-1].headers["location"]).query).items()}
        return AuthorizationCodeResult(**given)

    async def main() -> list[str]:
        asking = OAuthClientMetadata(client_name="Probe", redirect_uris=[AnyUrl(BACK)])
        provider = OAuthClientProvider(f"{url}/mcp", asking, memory, visit, returned)
        async with (
            httpx2.AsyncClient(auth=provider, timeout=60) as inside,
            Client(streamable_http_client(f"{url}/mcp", http_client=inside), mode=mode) as client,
        ):
            names = [tool.name for tool in (await client.list_tools()).tools]
            found = await client.call_tool("recall", {"query": "where is the spare key?"})
            other = await client.call_tool("recall", {"query": "what is the code of the vault?"})
            filed = await client.call_tool("remember", {"text": "The door is green."})
            return [" ".join(names), text_of(found), text_of(other), text_of(filed)]

    names, found, other, filed = anyio.run(main)
    assert names == "recall show remember"
    assert "blue pot" in found
    assert "77" not in other
    assert "'House'" in filed
    (grant,) = palace.grants.list()
    assert (grant.client, grant.redirect_uri, grant.key, grant.state) == ("Probe", BACK, key.key.id, "valid")
    entries = [(entry.key, entry.action) for entry in palace.keys.audit()]
    assert (grant.id, "mcp.remember") in entries
    assert (key.key.id, "grants.create") in entries


def address_of(http: httpx2.Client, authorize: str) -> str:
    """Return the address of the page that a request of a program leads to."""
    answer = http.get(authorize)
    assert answer.status_code == 302, answer.text
    return answer.headers["location"]


class Program:
    """A program that does by hand what the protocol's client does."""

    def __init__(self, http: httpx2.Client, **metadata: Any) -> None:
        self.http = http
        said = {"client_name": "Probe", "redirect_uris": [BACK], "token_endpoint_auth_method": "none", **metadata}
        self.registered = http.post("/register", json=said)
        self.id = self.registered.json().get("client_id", "")

    def page(self, **more: Any) -> httpx2.Response:
        """Ask to be let in."""
        challenge = base64.urlsafe_b64encode(hashlib.sha256(VERIFIER.encode()).digest()).decode().rstrip("=")
        asked = {"client_id": self.id, "redirect_uri": BACK, "response_type": "code", "code_challenge": challenge}
        asked |= {"code_challenge_method": "S256", "scope": SCOPES, "state": "s1", **more}
        return self.http.get("/authorize", params={name: said for name, said in asked.items() if said is not None})

    def code(self, palace: Palace) -> str:
        """Be let in by the owner of a palace."""
        secret = palace.keys.create("laptop", scopes=("read", "write")).secret
        answer = consent(self.http, self.page().headers["location"], key=secret)
        assert answer.status_code == 303, answer.text
        return parse_qs(urlsplit(answer.headers["location"]).query)["code"][0]

    def token(self, **more: Any) -> httpx2.Response:
        """Ask for tokens."""
        asked = {"client_id": self.id, "redirect_uri": BACK, "code_verifier": VERIFIER, **more}
        return self.http.post("/token", data={name: said for name, said in asked.items() if said is not None})

    def exchange(self, code: str, **more: Any) -> httpx2.Response:
        """Exchange a code."""
        return self.token(grant_type="authorization_code", code=code, **more)

    def renew(self, refresh: str, **more: Any) -> httpx2.Response:
        """Renew the tokens."""
        return self.token(grant_type="refresh_token", refresh_token=refresh, **more)

    def enters(self, access: str, path: str = "/mcp") -> bool:
        """Check whether a token is accepted."""
        headers = {"Authorization": f"Bearer {access}", "Accept": "application/json, text/event-stream"}
        asked = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
        return self.http.post(path, json=asked, headers=headers).status_code == 200


@pytest.fixture
def program(http: httpx2.Client) -> Program:
    return Program(http)


def refused(answer: httpx2.Response) -> str:
    """Return the code of a refusal."""
    assert answer.status_code in (400, 401), answer.text
    return str(answer.json()["error"])


def test_a_code_is_good_for_its_program_once(http: httpx2.Client, program: Program, palace: Palace) -> None:
    code = program.code(palace)
    other = Program(http, client_name="Other")
    assert refused(other.exchange(code)) == "invalid_grant"
    assert refused(program.exchange(code, code_verifier="w" * 64)) == "invalid_grant"
    assert refused(program.exchange(code, code_verifier=None)) == "invalid_request"
    assert refused(program.exchange(code, redirect_uri=f"{BACK}2")) == "invalid_request"
    assert refused(program.exchange(code, redirect_uri=None)) == "invalid_request"
    assert refused(program.exchange(f"{code[:-1]}{'0' if code[-1] != '0' else '1'}")) == "invalid_grant"
    tokens = program.exchange(code).json()
    assert tokens["scope"] == "read write"
    assert program.enters(tokens["access_token"])
    assert refused(program.exchange(code)) == "invalid_grant"
    assert not program.enters(tokens["access_token"])
    assert refused(program.renew(tokens["refresh_token"])) == "invalid_grant"
    assert [grant.state for grant in palace.grants.list()] == ["revoked"]


def test_a_refresh_token_is_replaced_and_a_spent_one_ends_the_grant(
    http: httpx2.Client, program: Program, palace: Palace
) -> None:
    first = program.exchange(program.code(palace)).json()
    assert refused(Program(http, client_name="Other").renew(first["refresh_token"])) == "invalid_grant"
    assert refused(program.renew(first["access_token"])) == "invalid_grant"
    guess = first["refresh_token"].rpartition("_")[0] + "_" + secrets.token_hex(32)
    assert refused(program.renew(guess)) == "invalid_grant"
    second = program.renew(first["refresh_token"]).json()
    assert not program.enters(first["access_token"])
    assert program.enters(second["access_token"])
    assert not program.enters(second["refresh_token"])
    third = program.renew(second["refresh_token"]).json()
    assert program.enters(third["access_token"])
    assert refused(program.renew(first["refresh_token"])) == "invalid_grant"
    assert not program.enters(third["access_token"])
    assert refused(program.renew(third["refresh_token"])) == "invalid_grant"


def test_tokens_end_with_their_time_their_grant_and_their_key(program: Program, palace: Palace) -> None:
    def later(column: str) -> None:
        execute(palace, f"UPDATE oauth_grant SET {column} = now() - interval '1 s'")

    def ends(how: Any) -> None:
        tokens = program.exchange(program.code(palace)).json()
        assert program.enters(tokens["access_token"])
        how(palace.grants.list()[-1])
        assert not program.enters(tokens["access_token"])

    ends(lambda _: later("access_until"))
    ends(lambda _: later("expires_at"))
    ends(lambda grant: palace.grants.revoke(grant.id))
    ends(lambda grant: palace.keys.revoke(grant.key))
    ends(lambda grant: palace.keys.rotate(grant.key))
    tokens = program.exchange(program.code(palace)).json()
    palace.keys.rotate(palace.grants.list()[-1].key, hours=1)
    assert program.enters(tokens["access_token"])
    code = program.code(palace)
    later("expires_at")
    assert refused(program.exchange(code)) == "invalid_grant"


@pytest.mark.parametrize("kind", ["refresh_token", "access_token"])
def test_a_program_gives_its_tokens_back(program: Program, palace: Palace, kind: str) -> None:
    tokens = program.exchange(program.code(palace)).json()
    given = {"client_id": program.id, "client_secret": "", "token": tokens[kind]}
    assert program.http.post("/revoke", data={**given, "client_id": Program(program.http).id}).status_code == 200
    assert program.enters(tokens["access_token"])
    assert program.http.post("/revoke", data=given).status_code == 200
    assert not program.enters(tokens["access_token"])
    assert refused(program.renew(tokens["refresh_token"])) == "invalid_grant"


def test_a_token_is_for_one_server_and_for_mcp_alone(
    palaces: Palaces, http: httpx2.Client, program: Program, palace: Palace
) -> None:
    tokens = program.exchange(program.code(palace)).json()
    assert http.get("/v1/drawers", headers={"Authorization": f"Bearer {tokens['access_token']}"}).status_code == 401
    with served(palaces, oauth=True) as (elsewhere, _), httpx2.Client(base_url=elsewhere) as other:
        assert not Program(other).enters(tokens["access_token"])
    answer = program.page(resource="https://elsewhere.example/mcp")
    assert parse_qs(urlsplit(answer.headers["location"]).query)["error"] == ["invalid_target"]


def test_where_it_is_to_lead_is_what_was_registered(http: httpx2.Client, program: Program) -> None:
    for uri in (f"{BACK}/", f"{BACK}?x=1", "http://127.0.0.1:7778/callback", "https://evil.example/", "http://evil"):
        answer = program.page(redirect_uri=uri)
        assert refused(answer) == "invalid_request"
    for uri in (
        "http://evil.example/",
        "javascript:alert(1)",
        "data:text/html,x",
        f"{BACK}#x",
        "https://a:b@c.example/",
        "https://a;sandbox/",
        "https://*/",
    ):
        assert refused(Program(http, redirect_uris=[uri]).registered) == "invalid_redirect_uri"
    assert Program(http, redirect_uris=["cursor://anysphere.cursor-mcp/oauth/callback"]).registered.status_code == 201
    assert refused(program.page(client_id=program.id[:-1])) == "invalid_request"
    for more in ({"code_challenge": None}, {"code_challenge_method": "plain"}, {"response_type": "token"}):
        query = parse_qs(urlsplit(program.page(**more).headers["location"]).query)
        assert query["error"][0] in {"invalid_request", "unsupported_response_type"}
        assert query["state"] == ["s1"]


def test_a_person_refuses_or_shows_no_valid_key(program: Program, palace: Palace) -> None:
    page = program.page().headers["location"]
    right = palace.keys.create("laptop").secret
    denied = consent(program.http, page, key=right, decision="deny")
    assert parse_qs(urlsplit(denied.headers["location"]).query)["error"] == ["access_denied"]
    gateway = palace.keys.create("gateway", user_prefix="shop-").secret
    administrator = palace.keys.create("admin", scopes=("admin",)).secret
    for key, status in (("", 401), ("nonsense", 401), (gateway, 400), (administrator, 400)):
        answer = consent(program.http, page, key=key)
        assert (answer.status_code, 'role="alert"' in answer.text) == (status, True)
    assert consent(program.http, page, key=right, scope=["write"]).status_code == 400
    assert consent(program.http, page, key=right, request="x.y").status_code == 400
    for csrf in ("", "0" * 64):
        assert consent(program.http, page, key=right, csrf=csrf).status_code == 403
    assert program.http.get(page.replace("request=", "request=e30.")).status_code == 400
    assert palace.grants.list() == ()


def test_the_account_itself_lets_a_program_in_with_a_key_of_its_own(palaces: Palaces, palace: Palace) -> None:
    with served(palaces, oauth=True) as (url, app), httpx2.Client(base_url=url, timeout=60) as http:
        service = app.state.service
        service.opened_user = palace.user
        assert http.post("/open", data={"code": service.code.make()}).status_code == 303
        program = Program(http)
        page = program.page().headers["location"]
        assert "gets a key of its own" in http.get(page).text
        assert decide(http, page, csrf="0" * 64).status_code == 403
        assert decide(http, page, scope=[]).status_code == 400
        assert palace.keys.list() == ()
        answer = decide(http, page, scope=["read"])
        code = parse_qs(urlsplit(answer.headers["location"]).query)["code"][0]
        tokens = program.exchange(code).json()
        assert program.enters(tokens["access_token"])
        (key,) = palace.keys.list()
        assert (key.label, key.scopes) == ("Probe (OAuth)", ("read",))
        palace.keys.revoke(key.id)
        assert not program.enters(tokens["access_token"])


def test_the_page_quotes_a_hostile_name_and_may_not_be_framed(http: httpx2.Client, palace: Palace) -> None:
    assert http.post("/sign-in", data={"key": palace.keys.create("laptop").secret}).status_code == 303
    name = '<script>alert(1)</script>"\u202e\n' + "x" * 500
    page = http.get(Program(http, client_name=name).page().headers["location"])
    assert "<script" not in page.text
    assert "\u202e" not in page.text
    assert "&lt;script&gt;" in page.text
    assert "http://127.0.0.1:7777" in page.text
    assert palace.user in page.text
    assert "x" * 101 not in BeautifulSoup(page.text, "html.parser").get_text()
    policy = page.headers["content-security-policy"]
    assert {"default-src 'none'", "frame-ancestors 'none'"} <= {*policy.split("; ")}
    assert page.headers["cache-control"] == "no-store"


def test_what_is_stored_and_logged_is_no_secret(
    program: Program, palace: Palace, caplog: pytest.LogCaptureFixture
) -> None:
    code = program.code(palace)
    tokens = program.exchange(code).json()
    ((row,),) = rows(palace, "SELECT oauth_grant::text FROM oauth_grant")
    for secret in (code, tokens["access_token"], tokens["refresh_token"]):
        assert secret.rpartition("_")[2] not in row + caplog.text
        drawer = palace.note(f"The token is {secret}, do not lose it.")
        assert secret.rpartition("_")[2] not in drawer.content


def test_whoever_registers_the_same_is_another_program(http: httpx2.Client) -> None:
    one, other = (Program(http, token_endpoint_auth_method="client_secret_post").registered.json() for _ in range(2))
    assert one["client_id"] != other["client_id"]
    assert one["client_secret"] != other["client_secret"]


def test_a_request_of_any_size_leads_to_its_page_or_is_refused(program: Program, palace: Palace) -> None:
    assert Program(program.http, scope="read " * 1000).registered.status_code == 400
    uris = [BACK, *(f"https://x.example/{'y' * 450}{number}" for number in range(5))]
    large, key = Program(program.http, redirect_uris=uris), palace.keys.create("laptop").secret
    assert consent(program.http, large.page(state="s" * 800).headers["location"], key=key).status_code == 303
    assert "error=invalid_request" in large.page(state="s" * 8000).headers["location"]


def test_a_flood_of_registrations_is_stopped_and_keys_go_on(palaces: Palaces, palace: Palace) -> None:
    with served(palaces, oauth=True) as (url, _), httpx2.Client(base_url=url) as http:
        answers = [Program(http).registered.status_code for _ in range(60)]
        assert answers[0] == 201
        assert answers.count(400) >= 5
        secret = palace.keys.create("laptop").secret
        assert http.get("/v1/drawers", headers={"Authorization": f"Bearer {secret}"}).status_code == 200


def test_a_program_finds_out_where_to_ask(url: str, http: httpx2.Client) -> None:
    answer = http.post("/mcp", json={})
    assert answer.status_code == 401
    (where,) = re.findall('resource_metadata="([^"]+)"', answer.headers["www-authenticate"])
    resource = http.get(where).json()
    assert (resource["resource"], resource["authorization_servers"]) == (f"{url}/mcp", [url])
    server = http.get("/.well-known/oauth-authorization-server").json()
    assert (server["issuer"], server["code_challenge_methods_supported"]) == (url, ["S256"])
    assert http.post("/register", content=b"x" * 70_000).status_code == 413
