"""Read the replies of the three APIs, whole or streamed, as messages of the chat API. Pure."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

Json = dict[str, Any]


def events_of(content: bytes) -> Iterator[Json]:
    """Return the data of server-sent events; what is no JSON object is left out."""
    for line in content.splitlines():
        if line.startswith(b"data:"):
            try:
                event = json.loads(line[5:])
            except ValueError:
                continue
            if isinstance(event, dict):
                yield event


def call(id: Any, name: Any, arguments: Any) -> Json:
    """Return a call of a tool."""
    return {"id": id, "type": "function", "function": {"name": name, "arguments": arguments}}


def calling(text: str, calls: Sequence[Json]) -> Json:
    """Return an assistant's message."""
    message: Json = {"role": "assistant", "content": text or None}
    return {**message, "tool_calls": list(calls)} if calls else message


def _said(text: str, calls: Sequence[Json]) -> list[Json]:
    return [calling(text, calls)] if text or calls else []


def of_chat(answer: Json) -> list[Json]:
    """Return the message of the first choice."""
    message = answer["choices"][0]["message"]
    return _said(message.get("content") or message.get("refusal") or "", message.get("tool_calls") or ())


def chat_streamed(events: Sequence[Json]) -> list[Json]:
    """Join the pieces of the first choice."""
    texts: list[str] = []
    calls: dict[int, Json] = {}
    for event in events:
        for choice in event.get("choices") or ():
            if choice.get("index", 0) != 0:
                continue
            delta = choice.get("delta") or {}
            texts.append(delta.get("content") or delta.get("refusal") or "")
            for each in delta.get("tool_calls") or ():
                made = calls.setdefault(each.get("index", len(calls)), call(None, "", ""))
                made["id"] = each.get("id") or made["id"]
                for name, piece in (each.get("function") or {}).items():
                    made["function"][name] = made["function"].get(name, "") + (piece or "")
    return _said("".join(texts), [each for _, each in sorted(calls.items())])


def of_response(answer: Json) -> list[Json]:
    """Return the texts and calls among the items of a response, as one message."""
    texts, calls = [], []
    for item in answer["output"]:
        if item.get("type") == "message":
            texts += [part.get("text") or part.get("refusal") or "" for part in item["content"]]
        elif item.get("type") == "function_call":
            calls.append(call(item.get("call_id"), item.get("name"), item.get("arguments")))
    return _said("\n".join(filter(None, texts)), calls)


def response_streamed(events: Sequence[Json]) -> list[Json]:
    """Return the response at the end of the events; without an end, the text as far as it came."""
    for event in reversed(events):
        if event.get("type") in ("response.completed", "response.incomplete"):
            return of_response(event["response"])
    texts = [event["delta"] for event in events if event.get("type") == "response.output_text.delta"]
    return _said("".join(texts), ())


def of_message(answer: Json) -> list[Json]:
    """Return the texts and calls of a message."""
    return of_content(answer["content"])


def of_content(content: Sequence[Json]) -> list[Json]:
    """Return the texts and calls among the blocks of Anthropic's content, as one message."""
    texts = [block.get("text", "") for block in content if block.get("type") == "text"]
    calls = [
        call(block.get("id"), block.get("name"), json.dumps(block.get("input")))
        for block in content
        if block.get("type") == "tool_use"
    ]
    return _said("\n".join(texts), calls)


def message_streamed(events: Sequence[Json]) -> list[Json]:
    """Join the pieces of the blocks of a message."""
    blocks: dict[int, Json] = {}
    written: dict[int, str] = {}
    for event in events:
        if event.get("type") == "content_block_start":
            blocks[event["index"]] = dict(event["content_block"])
        elif event.get("type") == "content_block_delta":
            at, delta = event["index"], event["delta"]
            if delta.get("type") == "text_delta":
                blocks[at]["text"] = blocks[at].get("text", "") + delta["text"]
            elif delta.get("type") == "input_json_delta":
                written[at] = written.get(at, "") + delta["partial_json"]
    for at, text in written.items():
        blocks[at]["input"] = _parsed(text)
    return of_content([block for _, block in sorted(blocks.items())])


def _parsed(text: str) -> Any:
    try:
        return json.loads(text or "{}")
    except ValueError:
        return text
