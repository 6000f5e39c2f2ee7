"""Putting the pieces of a streamed reply together, in the shape of OpenAI's. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


class Pieces:
    """The message that a stream's pieces are of, as far as they came."""

    def __init__(self) -> None:
        self._text: list[str] = []
        self._refusal: list[str] = []
        self._calls: dict[int, dict[str, Any]] = {}

    def take(self, piece: object) -> None:
        """Take the next piece; what has another shape says nothing."""
        choices = _get(piece, "choices")
        first = choices[0] if isinstance(choices, (list, tuple)) and choices else None
        if first is None or _get(first, "index") not in (None, 0):
            return
        delta = _get(first, "delta")
        for name, into in (("content", self._text), ("refusal", self._refusal)):
            if isinstance(said := _get(delta, name), str):
                into.append(said)
        calls = _get(delta, "tool_calls")
        for call in calls if isinstance(calls, (list, tuple)) else ():
            self._take_call(call)

    def message(self) -> dict[str, Any] | None:
        """Give the message; None where nothing was said."""
        text = "".join(self._text) or "".join(self._refusal)
        if not text and not self._calls:
            return None
        made: dict[str, Any] = {"role": "assistant", "content": text or None}
        if self._calls:
            made["tool_calls"] = [call for _, call in sorted(self._calls.items())]
        return made

    def _take_call(self, piece: object) -> None:
        place = _get(piece, "index")
        call = self._calls.setdefault(
            place if isinstance(place, int) else len(self._calls),
            {"id": None, "type": "function", "function": {"name": "", "arguments": ""}},
        )
        call["id"] = _get(piece, "id") or call["id"]
        function = _get(piece, "function")
        for name in ("name", "arguments"):
            if isinstance(said := _get(function, name), str):
                call["function"][name] += said


def _get(value: object, name: str) -> Any:
    return value.get(name) if isinstance(value, Mapping) else getattr(value, name, None)
