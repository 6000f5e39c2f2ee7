"""Language models: what they promise, one behind an API, replies of a known shape."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Generic, Protocol, TypeVar

from pydantic import BaseModel, ValidationError

from palace.ai.provider import one_line, price_of
from palace.errors import LanguageModelError
from palace.models import CallRecord, Role

T_co = TypeVar("T_co", covariant=True)


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a prompt."""

    role: Role
    """Whose it is: "system" for what the model is told to do, "user" for what it is to do it with."""
    content: str


@dataclass(frozen=True, slots=True)
class Reply(Generic[T_co]):
    """What a language model replied, and the calls it took."""

    value: T_co
    calls: tuple[CallRecord, ...] = ()
    """For the ledger."""


class LanguageModel(Protocol):
    """Replies to a prompt."""

    @property
    def model(self) -> str:
        """Name of the model, as litellm names it."""

    def ask(self, prompt: Sequence[Message]) -> Reply[str]:
        """Give the text that the model replies to a prompt, without white space around it; never empty.

        Raises:
            LanguageModelError: there is no key, or the model did not reply in time. ``calls`` of the failed attempt
                travel on the error.
        """


BYTES = 3
"""Of UTF-8 that are reckoned a token; most languages have more."""
AROUND = 10
"""Tokens around a message."""


@dataclass(frozen=True, slots=True)
class Price:
    """Dollars for a token; zero for a model that the price list does not know."""

    read: Decimal
    written: Decimal

    @classmethod
    def of(cls, model: str) -> Price:
        """Look a model up."""
        return cls(price_of(model, "input"), price_of(model, "output"))

    def cost(self, *, read: int, written: int) -> Decimal:
        """Give what tokens cost."""
        return read * self.read + written * self.written


def reckon_tokens(prompt: Sequence[Message]) -> int:
    """Reckon how many tokens a prompt has, rather more than fewer."""
    return sum(AROUND + -(-len(message.content.encode("utf-8", "replace")) // BYTES) for message in prompt)


MALFORMED = "malformed"
UNFINISHED = "unfinished"
"""What a call is in the ledger until its end was seen."""
_PERHAPS_BILLED = frozenset({"timeout", "unavailable"})
"""Of such a call nobody knows whether the model replied: a budget is to hold."""


def most_of(model: str, price: Price, prompt: Sequence[Message], *, written: int) -> CallRecord:
    """Reckon what one call may take at most, as it stands in the ledger while it is under way."""
    read = reckon_tokens(prompt)
    return CallRecord(model, read + written, price.cost(read=read, written=written), 0.0, UNFINISHED)


def counted(call: CallRecord, most: CallRecord) -> CallRecord:
    """Count for a reply without a number of tokens that can be true what it may have taken: a budget is to hold."""
    if call.tokens or call.outcome not in ("ok", MALFORMED, *_PERHAPS_BILLED):
        return call
    if call.outcome in _PERHAPS_BILLED:
        return replace(call, tokens=most.tokens, cost_usd=most.cost_usd)
    told = f"{call.model} gives no token counts that can be true: the ledger counts what calls may take at most"
    return replace(call, tokens=most.tokens, cost_usd=most.cost_usd, doubt=told)


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
