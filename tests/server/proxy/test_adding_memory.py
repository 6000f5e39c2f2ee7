"""Memory goes into requests, and what is said is filed."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from palace import Palace
from palace.agent.turn_taker import TurnTaker
from palace_server.proxy import memory
from tests.server.conftest import problem_of
from tests.server.provider import (
    Answer,
    Provider,
    as_json,
    chat,
    chat_events,
    message,
    response,
    response_events,
)
from tests.server.proxy.conftest import (
    ANSWERS,
    ASKED,
    KEY,
    PATHS,
    STREAMS,
    asking,
    connected,
    filed,
)


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("kind", [ANSWERS, STREAMS], ids=["whole", "stream"])
def test_memory_goes_in_before_the_last_words_and_what_is_said_is_filed(
    path: str, kind: dict[str, Callable[[str], Answer]], provider: Provider, ask: httpx.Client, palace: Palace
) -> None:
    palace.note(KEY)
    answer = kind[path]("Beside the door.")
    provider.script.append(answer)
    body = asking(path, ASKED, odd={"é": [1.5, None]})
    got = ask.post(path, json=body)
    assert got.content == b"".join(answer.parts)
    assert got.headers["x-palace-memory"] == "injected;hits=1"
    sent = provider.asked[0].body
    name = "input" if path == PATHS[1] else "messages"
    content = sent[name][0].pop("content")
    del body[name][0]["content"]
    assert sent == body
    block, said = content.split("\n\n")
    assert KEY in block
    assert said == ASKED
    pieces = "Besidethedoor." if kind is STREAMS and path != PATHS[1] else "Beside the door."
    assert sorted(filed(palace, 3)) == sorted([("user", KEY), ("user", ASKED), ("assistant", pieces)])


@pytest.mark.parametrize("path", PATHS)
def test_later_turns_repeat_what_was_put_in_byte_for_byte(
    path: str, provider: Provider, ask: httpx.Client, palace: Palace
) -> None:
    palace.note(KEY)
    provider.script.extend([ANSWERS[path]("Under a pot."), ANSWERS[path]("Blue.")])
    ask.post(path, json=asking(path, ASKED))
    ask.post(path, json=asking(path, ASKED, "Under a pot.", "And the colour of the pot?"))
    first, second = (each.body["input" if path == PATHS[1] else "messages"] for each in provider.asked)
    assert KEY in first[0]["content"]
    assert second[0] == first[0]
    assert len(filed(palace, 5)) == 5


BASE64 = "data:image/png;base64,iVBORw0KGgo="


@pytest.mark.parametrize(
    ("path", "text", "image"),
    [
        (PATHS[0], "text", {"type": "image_url", "image_url": {"url": BASE64}}),
        (PATHS[1], "input_text", {"type": "input_image", "image_url": BASE64}),
        (PATHS[2], "text", {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": BASE64}}),
    ],
)
def test_a_part_of_its_own_stands_before_the_last_text_and_no_image_is_filed(
    path: str, text: str, image: Any, provider: Provider, ask: httpx.Client, palace: Palace
) -> None:
    palace.note(KEY)
    parts = [{"type": text, "text": "Look:"}, image, {"type": text, "text": ASKED}]
    provider.script.append(ANSWERS[path]("Under the pot."))
    name = "input" if path == PATHS[1] else "messages"
    ask.post(path, json={"model": "m", name: [{"role": "user", "content": parts}]})
    sent = provider.asked[0].body[name][0]["content"]
    assert [*sent[:2], sent[3]] == parts
    assert sent[2]["type"] == text
    assert KEY in sent[2]["text"]
    assert not any("iVBOR" in content or KEY in content for _, content in filed(palace, 3) if content != KEY)


def test_tools_turn_by_turn(provider: Provider, ask: httpx.Client, palace: Palace) -> None:
    palace.note(KEY)
    call = {"id": "t1", "type": "tool_use", "name": "look", "input": {"where": "garden"}}
    provider.script.extend([as_json(message("I look.", call)), as_json(message("It is there."))])
    asked = {"role": "user", "content": ASKED}
    ask.post(PATHS[2], json={"model": "m", "messages": [asked]})
    said = {"role": "assistant", "content": [{"type": "text", "text": "I look."}, call]}
    result = {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1", "content": "a blue pot"}]}
    got = ask.post(PATHS[2], json={"model": "m", "messages": [asked, said, result]})
    first, second = (each.body["messages"] for each in provider.asked)
    assert second == [*first, said, result]
    assert got.headers["x-palace-memory"] == "injected;hits=0"
    roles = {role for role, _ in filed(palace, 6)}
    assert roles == {"user", "assistant", "tool"}


def test_what_it_says_of_memory_is_kept_from_the_provider(
    provider: Provider, ask: httpx.Client, palace: Palace
) -> None:
    palace.note(KEY)
    palace.note("The spare key of the shed hangs on a nail.", wing="Shed")
    provider.script.extend(as_json(chat("Yes.")) for _ in range(4))
    body = asking(PATHS[0], ASKED)
    off = ask.post(PATHS[0], json={**body, "memory_config": {"enabled": False}})
    assert off.headers["x-palace-memory"] == "skipped;reason=off"
    config = {"retrieval_limit": 1, "auto_store": False}
    ask.post(PATHS[0], json={**body, "memory_config": config})
    ask.post(PATHS[0], json={**body, "memory_config": {"similarity_threshold": 1.0, "auto_store": False}})
    context = {"user_id": palace.user, "project_id": "Shed"}
    ask.post(PATHS[0], json={**body, "memory_context": context})
    contents = [each.body.pop("messages")[0]["content"] for each in provider.asked]
    assert [each.count("§") for each in contents] == [0, 1, 0, 1]
    assert "nail" in contents[3]
    assert [sorted(each.body) for each in provider.asked] == [["messages", "model"]] * 4
    filed(palace, 4)
    assert {each.content for each in palace.tree.all_drawers(wings=[palace.tree.wing("Shed")])} > {ASKED, "Yes."}
    wrong: dict[str, Any]
    for wrong in ({"memory_config": {"retrieval_limit": 0}}, {"memory_context": []}, {"memory_config": {"odd": 1}}):
        assert "memory_" in problem_of(ask.post(PATHS[0], json={**body, **wrong}), 422)
    assert len(provider.asked) == 4


def test_of_several_replies_the_first_is_filed(provider: Provider, ask: httpx.Client, palace: Palace) -> None:
    several = chat("The first.")
    several["choices"].append({**chat("The second.")["choices"][0], "index": 1})
    chunk = {"index": 1, "delta": {"content": "Fourth."}}
    streamed = chat_events("Third.")
    streamed.parts = [b"data: %s\n\n" % json.dumps({"choices": [chunk]}).encode(), *streamed.parts]
    provider.script.extend([as_json(several), streamed])
    ask.post(PATHS[0], json=asking(PATHS[0], "Say it twice.", n=2))
    ask.post(PATHS[0], json=asking(PATHS[0], "Say it twice again.", n=2, stream=True))
    assert [text for role, text in filed(palace, 4) if role == "assistant"] in (
        ["The first.", "Third."],
        ["Third.", "The first."],
    )


def test_a_slow_memory_or_none_keeps_nobody_waiting(
    provider: Provider, ask: httpx.Client, palace: Palace, monkeypatch: pytest.MonkeyPatch
) -> None:
    palace.note(KEY)
    monkeypatch.setattr(memory, "RECALL_SECONDS", 0.3)
    slow = TurnTaker.take

    def take(self: TurnTaker, *given: Any) -> Any:
        time.sleep(1)
        return slow(self, *given)

    monkeypatch.setattr(TurnTaker, "take", take)
    provider.script.append(as_json(chat("Yes.")))
    content = json.dumps(asking(PATHS[0], ASKED), indent=1).encode()
    begun = time.perf_counter()
    got = ask.post(PATHS[0], content=content)
    assert time.perf_counter() - begun < 1
    assert got.headers["x-palace-memory"] == "skipped;reason=timeout"
    assert provider.asked[0].content == content
    filed(palace, 3)
    monkeypatch.undo()
    provider.script.append(as_json(chat("Blue.")))
    ask.post(PATHS[0], json=asking(PATHS[0], ASKED, "Yes.", "Which colour?"))
    assert provider.asked[1].body["messages"][0]["content"] == ASKED


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
