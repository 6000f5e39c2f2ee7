"""Count the tokens of messages: text by a tokenizer, anything else by fixed rules. Pure.

The frame of a message and the beginning of the reply count as in OpenAI's chat models. Tool calls, and parts that are
neither text nor an image, count as their JSON; data in these counts as an image.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from palace.agent.context_window.history import HistoryEntry
from palace.ai.tokens import TokenCounter

FRAME = 4
REPLY = 3
CALL = 8
"""Tokens of a tool call in addition to its name and arguments."""
IMAGE = 1_600
"""Tokens of an image: the most that Anthropic's models take, and more than OpenAI's larger models do."""
SMALL_IMAGE = 85
"""Tokens of an image of detail "low"."""
LONGEST_TEXT = 2_000
"""Characters without a space beyond which a string counts as data, not text."""
_READ = ("content", "refusal", "reasoning_content", "thinking_blocks")
"""Members of a message that a model reads; others are the caller's own, or the API's."""


@dataclass(frozen=True, slots=True)
class MessageCounter:
    """Counts the tokens of messages."""

    tokens: TokenCounter
    image: int = IMAGE

    def count(self, entry: HistoryEntry) -> int:
        """Count the tokens of a message."""
        shape = entry.shape
        total = FRAME + sum(self._content(shape[key]) for key in _READ if shape.get(key))
        if isinstance(name := shape.get("name"), str):
            total += 1 + self.tokens.count(name)
        for called in (shape.get("tool_calls"), shape.get("function_call")):
            if called:
                total += sum(CALL + self._call(call) for call in (called if isinstance(called, list) else [called]))
        return total

    def count_all(self, entries: Iterable[HistoryEntry]) -> int:
        """Count the tokens of a request, including the beginning of the reply."""
        return REPLY + sum(self.count(entry) for entry in entries)

    def _content(self, content: Any) -> int:
        if isinstance(content, str):
            return self.tokens.count(content)
        if isinstance(content, (list, tuple)):
            return sum(self._part(part) for part in content)
        return self._json(content)

    def _part(self, part: Any) -> int:
        if not isinstance(part, Mapping):
            return self._content(part) if isinstance(part, str) else self._json(part)
        if "image" in str(part.get("type")):
            image = part.get("image_url")
            detail = image.get("detail") if isinstance(image, Mapping) else part.get("detail")
            return min(SMALL_IMAGE, self.image) if detail == "low" else self.image
        for key in ("text", "refusal"):
            if isinstance(said := part.get(key), str):
                return self.tokens.count(said)
        return self._json(part)

    def _call(self, call: Any) -> int:
        function = call.get("function", call) if isinstance(call, Mapping) else call
        if isinstance(function, Mapping) and isinstance(function.get("arguments"), str):
            return self.tokens.count(str(function.get("name"))) + self.tokens.count(function["arguments"])
        return self._json(call)

    def _json(self, value: Any) -> int:
        data: list[str] = []
        plain = _without_data(value, data)
        written = json.dumps(plain, ensure_ascii=False, default=str, skipkeys=True)
        return self.tokens.count(written) + self.image * len(data)


def _without_data(value: Any, data: list[str]) -> Any:
    """Return a value with base64 and other data removed; the data is appended to a list."""
    if isinstance(value, str):
        is_data = value.startswith("data:") or (len(value) > LONGEST_TEXT and " " not in value[:LONGEST_TEXT])
        if is_data:
            data.append(value)
        return "" if is_data else value
    if isinstance(value, Mapping):
        return {str(key): _without_data(item, data) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_without_data(item, data) for item in value]
    return value
