"""Providers and clients that break off or are away, and a server that stops."""

from __future__ import annotations

import time
import uuid
from pathlib import Path
from typing import Any

import httpx
import pytest

from palace import Palace, Palaces, Settings
from palace.testing import HashingEmbedder
from palace_mcp.http.listening import listen
from palace_server.proxy import memory
from palace_server.proxy.upstream import Upstream
from tests.server.conftest import problem_of, served
from tests.server.provider import (
    Answer,
    Provider,
    as_json,
    chat,
    chat_events,
    message_events,
)
from tests.server.proxy.conftest import (
    ASKED,
    KEY,
    PATHS,
    asking,
    connected,
    filed,
)


def test_an_answer_that_is_cut_or_left_is_filed_as_far_as_it_came(
    provider: Provider, ask: httpx.Client, palace: Palace
) -> None:
    provider.script.append(chat_events("Under ", "the ", "pot.", is_cut=True))
    provider.script[0].parts = provider.script[0].parts[:2]
    with pytest.raises(httpx.RemoteProtocolError):
        ask.post(PATHS[0], json=asking(PATHS[0], ASKED, stream=True))
    assert ("assistant", "Under the […]") in filed(palace, 2)
    provider.script.append(message_events(*["word "] * 50, pause=0.05))
    with ask.stream("POST", PATHS[2], json=asking(PATHS[2], "How long is the river?", stream=True)) as answer:
        for part in answer.iter_bytes():
            if b"text_delta" in part:
                break
    texts = [content for role, content in filed(palace, 4) if role == "assistant"]
    assert texts[1].startswith("word ")
    assert texts[1].endswith("[…]")
    assert len(texts[1]) < 250


def test_an_end_within_words_is_no_end(provider: Provider, ask: httpx.Client, palace: Palace) -> None:
    answer = chat_events("It ends with data: [DONE] in ", "the API.", is_cut=True)
    answer.parts = answer.parts[:1]
    provider.script.append(answer)
    with pytest.raises(httpx.RemoteProtocolError):
        ask.post(PATHS[0], json=asking(PATHS[0], "How does a stream end?", stream=True))
    assert ("assistant", "It ends with data: [DONE] in […]") in filed(palace, 2)


def test_a_provider_that_is_away_is_said_so(ask: httpx.Client, palaces: Palaces, palace: Palace) -> None:
    with listen("127.0.0.1", 0) as nobody:
        address = f"http://127.0.0.1:{nobody.getsockname()[1]}"
    with (
        served(palaces, upstream=Upstream.of(address)) as (url, _),
        connected(url, palace) as client,
    ):
        problem_of(client.post(PATHS[0], json=asking(PATHS[0], ASKED)), 502, "no_provider")


def test_a_client_that_leaves_before_the_answer_begins_ends_the_providers_request(
    ask: httpx.Client, palaces: Palaces, palace: Palace
) -> None:
    with (
        listen("127.0.0.1", 0) as silent,
        served(palaces, upstream=Upstream.of(f"http://127.0.0.1:{silent.getsockname()[1]}")) as (url, _),
        connected(url, palace) as client,
    ):
        with pytest.raises(httpx.ReadTimeout):
            client.post(PATHS[0], json=asking(PATHS[0], ASKED), timeout=1)
        reached, _ = silent.accept()
        with reached:
            reached.settimeout(10)
            while reached.recv(1 << 16):
                pass


def test_what_is_not_filed_when_the_server_stops_waits_in_the_outbox(
    provider: Provider, palaces: Palaces, palace: Palace, monkeypatch: pytest.MonkeyPatch
) -> None:
    put_off: list[bool] = []

    def finish(*of: Any, later: bool) -> None:
        put_off.append(later)
        time.sleep(0 if later else 3)  # longer than the requests take
        quick(*of, later=later)

    quick = memory._finish
    monkeypatch.setattr(memory, "CLOSING_SECONDS", 0.2)
    monkeypatch.setattr(memory, "_finish", finish)
    provider.script.extend(as_json(chat("Yes.")) for _ in range(6))
    with (
        served(palaces, upstream=Upstream.of(provider.url)) as (url, _),
        connected(url, palace) as client,
    ):
        for at in range(6):
            client.post(PATHS[0], json=asking(PATHS[0], f"{ASKED} {at}"))
    monkeypatch.undo()
    # Those on their way when it stopped may have filed the others since.
    assert any(put_off)
    palace.turns.flush()
    assert len({content for role, content in filed(palace, 12) if role == "user"}) == 6


@pytest.mark.parametrize("has_length", [True, False])
def test_a_provider_that_half_closes_its_connection_is_connected_to_again(
    has_length: bool, provider: Provider, ask: httpx.Client, palace: Palace
) -> None:
    for text in ("One.", "Two."):
        answer = as_json(chat(text))
        answer.ends = "length" if has_length else "close"
        provider.script.append(answer)
        got = ask.post(PATHS[0], json=asking(PATHS[0], f"{ASKED} {text}"))
        assert got.content == b"".join(answer.parts)
    assert {content for role, content in filed(palace, 4) if role == "assistant"} == {"One.", "Two."}


def test_a_provider_that_half_closes_before_its_answer_is_said_to_be_away(
    provider: Provider, ask: httpx.Client
) -> None:
    provider.script.append(Answer([], ends="before"))
    problem_of(ask.post(PATHS[0], json=asking(PATHS[0], ASKED)), 502, "no_provider")


def test_an_event_that_is_split_within_a_character_is_passed_on_and_filed(
    provider: Provider, ask: httpx.Client, palace: Palace
) -> None:
    parts = chat_events("Under the NAME ", "pot.").parts
    content = b"".join(parts).replace(b"NAME", "größten 🪴".encode())
    provider.script.append(Answer([bytes([each]) for each in content], kind="text/event-stream"))
    got = ask.post(PATHS[0], json=asking(PATHS[0], ASKED, stream=True))
    assert got.content == content
    assert ("assistant", "Under the größten 🪴 pot.") in filed(palace, 2)


@pytest.mark.nightly
def test_what_streams_while_the_database_stops_is_passed_on_and_waits_in_the_outbox(
    provider: Provider, palaces: Palaces, settings: Settings, tmp_path: Path
) -> None:
    user = f"user-{uuid.uuid4()}"
    with Palaces.open(settings.model_copy(update={"home": tmp_path}), embedder=HashingEmbedder()) as own:
        palace, shared = own.palace(user), own.palace(user)._opened.database.shared
        palace.note(KEY)
        answer = chat_events(*["word "] * 5, pause=0.1)
        provider.script.append(answer)
        with (
            served(own, upstream=Upstream.of(provider.url)) as (url, _),
            connected(url, palace) as client,
            client.stream("POST", PATHS[0], json=asking(PATHS[0], ASKED, stream=True)) as got,
        ):
            parts = got.iter_bytes()
            first = next(parts)
            shared.close()
            assert first + b"".join(parts) == b"".join(answer.parts)
            assert got.headers["x-palace-memory"] == "injected;hits=1"
            until = time.monotonic() + 20
            while not palace.turns.waiting() and time.monotonic() < until:
                time.sleep(0.02)
            shared.open()
        palace.turns.flush()
        assert ("assistant", "word " * 5) in filed(palace, 3)
