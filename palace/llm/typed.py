"""Replies of a known shape: the JSON object in what a model says, checked by pydantic."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from palace.errors import LanguageModelError
from palace.llm.protocol import LanguageModel, Message, Reply

T = TypeVar("T", bound=BaseModel)


def ask_for(kind: type[T], model: LanguageModel, prompt: Sequence[Message]) -> Reply[T]:
    """Ask for a reply of a kind; the prompt is to say that JSON is wanted, and with which keys.

    Raises:
        LanguageModelError: as ``ask`` does, or no object of that kind is in the reply.
    """
    reply = model.ask(prompt)
    value = find_object(kind, reply.value)
    if value is None:
        calls = (*reply.calls[:-1], *(replace(call, outcome="malformed") for call in reply.calls[-1:]))
        said = " ".join(reply.value.split())[:80]
        raise LanguageModelError(f"{model.model} gave a reply that cannot be used: {said}", calls=calls)
    return Reply(value, reply.calls)


def find_object(kind: type[T], text: str) -> T | None:
    """Find the first JSON object in a text that is of a kind, whatever stands around it; None without one."""
    for found in _objects(text):
        try:
            return kind.model_validate(found)
        except ValidationError:
            continue
    return None


def _objects(text: str) -> Iterator[object]:
    decoder = json.JSONDecoder()
    start = text.find("{")
    while start >= 0:
        try:
            found, end = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            end = start + 1
        else:
            yield found
        start = text.find("{", end)
