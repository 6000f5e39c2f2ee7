"""Requests of the Responses API refer to a history that the provider has."""

from __future__ import annotations

import time

import httpx
import pytest

from palace import Palace
from palace_server.proxy import memory
from tests.server.provider import (
    Provider,
    as_json,
    chat,
    response,
    response_events,
)
from tests.server.proxy.conftest import (
    ASKED,
    PATHS,
    asking,
    connected,
    filed,
)


def test_a_response_is_followed_to_its_history(provider: Provider, ask: httpx.Client, palace: Palace) -> None:
    palace.note("The boat engine cost 900 euros.")
    provider.script.extend([response_events("It cost 900 euros.", "resp_a"), as_json(response("In May.", "resp_b"))])
    ask.post(PATHS[1], json={"model": "m", "input": "What did I pay for the boat engine?", "stream": True})
    filed(palace, 3)
    follow = {"model": "m", "input": "And when?", "previous_response_id": "resp_a"}
    ask.post(PATHS[1], json=follow)
    assert provider.asked[1].body["previous_response_id"] == "resp_a"
    filed(palace, 5)
    rooms = {each.pointer.room for each in palace.tree.all_drawers(limit=50) if "engine cost" not in each.content}
    assert len(rooms) == 1


def test_the_same_response_may_be_followed_twice_and_at_once(
    provider: Provider, ask: httpx.Client, palace: Palace
) -> None:
    answers = [response(text, f"resp_{at}") for at, text in enumerate(("It cost 900 euros.", "In May.", "In May."))]
    provider.script.extend(map(as_json, answers))
    ask.post(PATHS[1], json={"model": "m", "input": "What did I pay for the boat engine?"})
    for _ in range(2):
        ask.post(PATHS[1], json={"model": "m", "input": "And when?", "previous_response_id": "resp_0"})
    filed(palace, 4)
    time.sleep(0.5)
    filed(palace, 4)
    assert len({each.pointer.room for each in palace.tree.all_drawers(limit=50)}) == 1


def test_histories_are_kept_of_responses_alone(
    provider: Provider, url: str, palace: Palace, serving: tuple[Provider, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = list[str]()
    monkeypatch.setattr(memory.Histories, "keep", lambda _, user, id, *rest: kept.append(id))
    provider.script.extend([as_json(chat("Yes.")), as_json(response("Yes.", "resp_9"))])
    with connected(url, palace) as client:
        for path in PATHS[:2]:
            client.post(path, json=asking(path, f"{ASKED} {path}"))
    filed(palace, 4)
    assert kept == ["resp_9"]
