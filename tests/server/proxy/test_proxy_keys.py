"""Which keys the memory proxy accepts, and what they allow."""

from __future__ import annotations

import httpx
import pytest

from palace import Palace, Palaces
from tests.server.conftest import SCOPES, problem_of
from tests.server.provider import (
    SECRET,
    Provider,
    as_json,
    chat,
    message,
)
from tests.server.proxy.conftest import (
    ASKED,
    KEY,
    PATHS,
    asking,
    connected,
    filed,
    proxied,
)


def test_nobody_reaches_another_by_it(provider: Provider, url: str, palace: Palace, palaces: Palaces) -> None:
    with connected(url, palace) as client:
        body = asking(PATHS[0], ASKED, memory_context={"user_id": "somebody-else"})
        problem_of(client.post(PATHS[0], json=body), 403)
    for headers in (
        {},
        {"Authorization": f"Bearer {SECRET}"},
        {"X-Palace-Key": "pal_1x1_" + "0" * 64},
        {"Authorization": "Bearer pal_1x1_" + "0" * 64},
        {"x-api-key": palace.keys.create("test").secret},
    ):
        for path in (*PATHS, "/v1/models", "/v1/embeddings", "/v1/responses/resp_1"):
            problem_of(httpx.post(url + path, json=asking(PATHS[0], ASKED), headers=headers), 401)
    with connected(url, palace, "forget") as client:
        problem_of(client.post(PATHS[0], json=asking(PATHS[0], ASKED)), 403)
    assert provider.asked == []


def test_a_key_reads_and_files_as_its_scopes_and_wings_allow(provider: Provider, url: str, palace: Palace) -> None:
    palace.note(KEY, wing="House")
    palace.note("The spare key of the shed hangs on a nail.", wing="Shed")
    provider.script.extend(as_json(chat("Yes.")) for _ in range(4))
    with connected(url, palace, "read") as client:
        assert client.post(PATHS[0], json=asking(PATHS[0], ASKED)).headers["x-palace-memory"] == "injected;hits=2"
    with connected(url, palace, "read", "write", wings=["House"]) as client:
        assert client.post(PATHS[0], json=asking(PATHS[0], ASKED)).headers["x-palace-memory"] == "injected;hits=1"
        other = asking(PATHS[0], ASKED, memory_context={"project_id": "Shed"})
        assert client.post(PATHS[0], json=other).headers["x-palace-memory"] == "skipped;reason=not-found"
    filed(palace, 4)
    assert {each.content for each in palace.tree.all_drawers(wings=[palace.tree.wing("House")])} == {KEY, ASKED, "Yes."}
    with connected(url, palace, "write") as client:
        assert client.post(PATHS[0], json=asking(PATHS[0], ASKED)).headers["x-palace-memory"] == "skipped;reason=scope"
    assert KEY not in provider.asked[-1].body["messages"][0]["content"]


def test_a_gateway_files_for_a_new_user(provider: Provider, url: str, palace: Palace, palaces: Palaces) -> None:
    user = f"{palace.user}-17"
    provider.script.append(as_json(chat("Noted.")))
    with connected(url, palace, "read", "write", user_prefix=palace.user) as client:
        problem_of(client.post(PATHS[0], json=asking(PATHS[0], "I wear size 43.")), 400)
        client.post(PATHS[0], json=asking(PATHS[0], "I wear size 43.", memory_context={"user_id": user}))
    filed(palaces.palace(user), 2)
    filed(palace, 0)


def test_one_key_alone_is_replaced_by_the_providers(palaces: Palaces, palace: Palace) -> None:
    palace.note(KEY)
    secret = palace.keys.create("test", scopes=SCOPES).secret
    with proxied(palaces, SECRET) as (provider, url):
        provider.script.extend([as_json(chat("Yes.")), as_json(message("Yes.")), as_json(chat("Yes."))])
        for path, headers in (
            (PATHS[0], {"Authorization": f"Bearer {secret}"}),
            (PATHS[2], {"x-api-key": secret}),
            (PATHS[0], {"X-Palace-Key": secret, "Authorization": "Bearer own"}),
        ):
            got = httpx.post(url + path, json=asking(path, ASKED), headers=headers)
            assert got.headers["x-palace-memory"].startswith("injected;hits=")
        problem_of(httpx.post(url + PATHS[0], json={}, headers={"Authorization": f"Bearer {SECRET}"}), 401)
        problem_of(httpx.post(url + PATHS[0], json={}, headers={"Authorization": "Bearer pal_x"}), 401)
    keys = [(each.headers.get("authorization"), each.headers.get("x-api-key")) for each in provider.asked]
    assert keys == [(f"Bearer {SECRET}", None), (None, SECRET), ("Bearer own", None)]
    assert secret not in str([each.headers for each in provider.asked])


@pytest.mark.parametrize("shown", ["bearer\t{}", "Bearer  {}", "Basic {}", "{}", "Token token={}"])
@pytest.mark.parametrize("name", ["Authorization", "x-api-key", "api-key", "X-Goog-Api-Key"])
def test_no_spelling_takes_palaces_key_to_the_provider(
    shown: str, name: str, provider: Provider, url: str, palace: Palace
) -> None:
    secret = palace.keys.create("test", scopes=SCOPES).secret
    headers = [("X-Palace-Key", secret), (name, shown.format(secret)), ("Authorization", f"Bearer {SECRET}")]
    httpx.post(url + PATHS[0], json=asking(PATHS[0], "Hello!"), headers=headers)
    assert secret not in str([each.headers for each in provider.asked])
