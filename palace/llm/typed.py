"""Replies of a known shape: the JSON object in what a model says, checked by pydantic."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from palace.errors import LanguageModelError
from palace.llm.protocol import LanguageModel, Message, Reply
from palace.provider import one_line

T = TypeVar("T", bound=BaseModel)

READ_CHARACTERS = 100_000
"""Characters of a reply that are looked at; a prompt that asks for an object gets a few hundred."""

MOST_TRIES = 200
"""Braces that are taken for the beginning of an object; each may cost a look at all that follows it."""


def ask_for(kind: type[T], model: LanguageModel, prompt: Sequence[Message]) -> Reply[T]:
    """Ask for a reply of a kind; the prompt is to say that JSON is wanted, and with which keys.

    Raises:
        LanguageModelError: as ``ask`` does, or no object of that kind is in the reply.
    """
    reply = model.ask(prompt)
    value = find_object(kind, reply.value)
    if value is None:
        calls = (*reply.calls[:-1], *(replace(call, outcome="malformed") for call in reply.calls[-1:]))
        raise LanguageModelError(unusable(model, reply.value), calls=calls)
    return Reply(value, reply.calls)


def unusable(model: LanguageModel, text: str) -> str:
    """Say that a model's reply cannot be used, with its beginning."""
    return f"{model.model} gave a reply that cannot be used: {one_line(text, 80)}"


def find_object(kind: type[T], text: str) -> T | None:
    """Find the first JSON object in a text that is of a kind, whatever stands around it; None without one.

    Neither the length of the text nor what it holds makes this long: an object that begins behind its first 100,000
    characters, or behind 200 braces, is not found.
    """
    read = (validated(kind, found) for found in _objects(text))
    return next((value for value in read if value is not None), None)


def validated(kind: type[T], value: object) -> T | None:
    """Give a value as one of a kind, None where it is none."""
    try:
        return kind.model_validate(value)
    except (ValidationError, RecursionError):
        return None


def _objects(text: str) -> Iterator[object]:
    decoder = json.JSONDecoder()
    text = text[:READ_CHARACTERS]
    start = text.find("{")
    for _ in range(MOST_TRIES):
        if start < 0:
            return
        try:
            found, end = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            end = start + 1
        else:
            yield found
        start = text.find("{", end)
