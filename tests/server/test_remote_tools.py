"""``/mcp`` through the protocol's own client: what each key is offered, and what it reaches."""

from __future__ import annotations

import sys
import uuid
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import anyio
import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from palace import Palace, Palaces
from palace_mcp.profiles import PROFILES
from tests.protocol.conftest import error_of, text_of
from tests.server.conftest import Connects, problem_of, served

T = TypeVar("T")
READING, WRITING = ["recall", "show"], ["remember", "forget"]


def talk(url: str, secret: str, what: Callable[[Client], Awaitable[T]], *, mode: str = "auto") -> T:
    """Talk with ``/mcp`` with a key or a token."""

    async def main() -> T:
        headers = {"Authorization": f"Bearer {secret}"}
        async with (
            httpx2.AsyncClient(headers=headers, timeout=60) as http,
            Client(streamable_http_client(url, http_client=http), mode=mode) as client,
        ):
            return await what(client)

    return anyio.run(main)


def call(url: str, secret: str, name: str, mode: str = "auto", **given: Any) -> Any:
    """Call a tool."""
    return talk(url, secret, lambda client: client.call_tool(name, given), mode=mode)


def offered(url: str, secret: str, mode: str = "auto") -> tuple[list[str], str]:
    """Return the names of the tools that a key is offered, and the instructions."""

    async def ask(client: Client) -> tuple[list[str], str]:
        return [tool.name for tool in (await client.list_tools()).tools], client.instructions or ""

    return talk(url, secret, ask, mode=mode)


@pytest.fixture
def url(address: str) -> str:
    return f"{address}/mcp"


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_every_tool_works_with_a_key(url: str, palace: Palace, mode: str) -> None:
    secret = palace.keys.create("all", scopes=("read", "write", "forget")).secret
    full = f"{url}?profile=full"
    assert offered(full, secret, mode)[0] == [tool.name for tool in PROFILES["full"]]
    filed = call(full, secret, "remember", mode, text="Mara's spare key is under the blue pot.", wing="House")
    pointer = filed.structured_content["pointer"]
    assert "blue pot" in text_of(call(full, secret, "recall", mode, query="where is the spare key?"))
    assert "blue pot" in text_of(call(full, secret, "show", mode, pointer=pointer))
    for name, given in (("recent", {}), ("timeline", {"entity": "Mara"}), ("relations", {}), ("status", {})):
        assert not call(full, secret, name, mode, **given).is_error
    chat = f"{url}?profile=chatgpt"
    (found,) = call(chat, secret, "search", mode, query="spare key").structured_content["results"]
    assert "blue pot" in call(chat, secret, "fetch", mode, id=found["id"]).structured_content["text"]
    asked = call(full, secret, "forget", mode, pointer=pointer).structured_content
    done = call(full, secret, "forget", mode, pointer=pointer, confirm=asked["confirm"]).structured_content
    assert done["forgotten"]
    assert palace.status().drawers == 0


def test_a_key_is_offered_what_its_scopes_allow(url: str, palace: Palace) -> None:
    for scopes, names, words in (
        (("read",), READING, (True, False, False)),
        (("read", "write"), [*READING, "remember"], (True, True, False)),
        (("read", "forget"), [*READING, "forget"], (True, False, True)),
        (("write",), ["remember"], (False, True, False)),
        (("admin",), [], (False, False, False)),
        (("read", "write", "forget"), [*READING, *WRITING], (True, True, True)),
    ):
        secret = palace.keys.create("some", scopes=scopes).secret
        listed, told = offered(url, secret)
        assert listed == names
        assert tuple(f"Call {name}" in told for name in ("recall", *WRITING)) == words
        for name in {*READING, *WRITING} - {*names}:
            assert "there is no tool" in error_of(call(url, secret, name))


def test_a_key_for_some_wings_reaches_these_alone(url: str, palace: Palace) -> None:
    for wing in ("Bees", "House", "Vault"):
        palace.note(f"The code of the {wing} is {wing}-77.", wing=wing)
    scopes = ("read", "write", "forget")
    secret = palace.keys.create("two", scopes=scopes, wings=["House", "Bees"]).secret
    assert offered(f"{url}?profile=full", secret)[0] == [*READING, *WRITING, "recent"]
    text = text_of(call(url, secret, "recall", query="what is the code?"))
    assert ("Vault" in text, "77" in text) == (False, True)
    assert "Bees-77" not in text_of(call(url, secret, "recall", query="what is the code?", wing="House"))
    for name, given in (("show", {"pointer": "W-003/R-01/D-001"}), ("remember", {"text": "x", "wing": "W-003"})):
        there, nowhere = (
            {key: said.replace("W-003", wing) for key, said in given.items()} for wing in ("W-003", "W-009")
        )
        told = error_of(call(url, secret, name, **nowhere)).replace("W-009", "W-003")
        assert error_of(call(url, secret, name, **there)) == told
    assert "'Bees'" in text_of(call(url, secret, "remember", text="Bees hum."))
    assert "'House'" in text_of(call(url, secret, "remember", text="The door is green.", wing="House"))
    assert [wing.drawer_count for wing in palace.tree.wings()] == [2, 2, 1]


def test_a_key_whose_wings_are_gone_reaches_nothing(url: str, palace: Palace) -> None:
    palace.note("The vault is painted.", wing="Vault")
    palace.note("Bees hum.", wing="Bees")
    secret = palace.keys.create("gone", scopes=("read", "write"), wings=["Bees"]).secret
    palace.tree.move("Bees", "Vault")
    assert "Nothing" in text_of(call(url, secret, "recall", query="what is painted?"))
    assert "there is no wing" in error_of(call(url, secret, "remember", text="Wasps hum."))
    assert palace.status().drawers == 2


def test_a_gateways_key_names_its_user(url: str, palaces: Palaces, palace: Palace, connect: Connects) -> None:
    prefix = f"shop-{uuid.uuid4()}-"
    scopes = ("read", "write")
    secret = palace.keys.create("gateway", scopes=scopes, user_prefix=prefix).secret
    one, two = (f"{url}?user_id={prefix}{number}" for number in (1, 2))
    assert "no such user" in error_of(call(one, secret, "recall", query="size"))
    assert not call(one, secret, "remember", text="Size 43.").is_error
    assert "43" in text_of(call(one, secret, "recall", query="size"))
    assert not call(two, secret, "remember", text="Likes red.").is_error
    assert "43" not in text_of(call(two, secret, "recall", query="size"))
    client = connect(palace, "read", user_prefix=prefix)
    assert "names the user" in problem_of(client.post("/mcp", json={}), 400)
    assert "not for that user" in problem_of(client.post("/mcp?user_id=anna", json={}), 403)
    assert [entry.action for entry in palaces.palace(f"{prefix}1").keys.audit()] == ["mcp.recall", "mcp.remember"]


def test_the_log_has_what_was_done_and_never_text(url: str, palace: Palace) -> None:
    made = palace.keys.create("laptop", scopes=("read", "write", "forget"))
    pointer = call(url, made.secret, "remember", text="Bees hum.").structured_content["pointer"]
    for _ in range(2):
        call(url, made.secret, "recall", query="bees")
    asked = call(url, made.secret, "forget", pointer=f" {pointer.lower()} ").structured_content
    call(url, made.secret, "forget", pointer=f" {pointer.lower()} ", confirm=asked["confirm"])
    bare = pointer.removeprefix("§ ")
    assert [(entry.key, entry.action, entry.target) for entry in palace.keys.audit()][:-1] == [
        (made.key.id, "mcp.forget", bare),
        (made.key.id, "mcp.recall", ""),
        (made.key.id, "mcp.remember", bare),
    ]


def test_without_a_key_or_with_another_method_it_is_refused(connect: Connects, palace: Palace) -> None:
    assert "a valid key is needed" in problem_of(connect(None).post("/mcp", json={}), 401)
    client = connect(palace)
    for method in ("GET", "DELETE"):
        answer = client.request(method, "/mcp")
        problem_of(answer, 405)
        assert answer.headers["allow"] == "POST"
    assert "there is no profile" in problem_of(client.post("/mcp?profile=all", json={}), 400)
    assert "at most 4 MiB" in problem_of(client.post("/mcp", content=b" " * (4 << 20 | 1)), 413)


def test_without_the_protocols_library_the_rest_is_served(
    palaces: Palaces, palace: Palace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "mcp.server.lowlevel", None)
    monkeypatch.delitem(sys.modules, "palace_server.remote.tools")
    secret = palace.keys.create("laptop").secret
    headers = {"Authorization": f"Bearer {secret}"}
    with (
        served(palaces) as (url, _),
        httpx2.Client(base_url=url, headers=headers) as client,
    ):
        answer = client.post("/mcp", json={})
        assert (answer.status_code, "memory-palace-pg[mcp]" in answer.json()["detail"]) == (404, True)
        assert client.post("/v1/recall", json={"query": "bees"}).status_code == 200
