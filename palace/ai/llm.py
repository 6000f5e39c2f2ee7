"""Language models: their protocol, cost estimates, and JSON objects in their replies."""

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
    """"system" for instructions, "user" for the input, "assistant" for earlier replies."""
    content: str


@dataclass(frozen=True, slots=True)
class Reply(Generic[T_co]):
    """What a language model replied, and the calls it took."""

    value: T_co
    calls: tuple[CallRecord, ...] = ()
    """For the ledger."""
    warnings: tuple[str, ...] = ()
    """Warnings for a person, one line each."""


class LanguageModel(Protocol):
    """Replies to a prompt."""

    @property
    def model(self) -> str:
        """Name of the model, as litellm names it."""

    def ask(self, prompt: Sequence[Message]) -> Reply[str]:
        """Return the model's reply to a prompt, stripped and never empty.

        Raises:
            LanguageModelError: a key is missing, or the model did not reply in time. The error's ``calls`` are those of
                the failed attempt.
        """


BYTES = 3
"""Bytes of UTF-8 counted as one token in estimates; in most languages a token has more."""
AROUND = 10
"""Tokens counted for the frame of each message."""


@dataclass(frozen=True, slots=True)
class Price:
    """Dollars for each token; zero for a model without a listed price."""

    read: Decimal
    written: Decimal

    @classmethod
    def of(cls, model: str) -> Price:
        """Look up a model's price."""
        return cls(price_of(model, "input"), price_of(model, "output"))

    def cost(self, *, read: int, written: int) -> Decimal:
        """Return the dollars that tokens cost."""
        return read * self.read + written * self.written


def reckon_tokens(prompt: Sequence[Message]) -> int:
    """Estimate the tokens of a prompt, rather too many than too few."""
    return sum(AROUND + -(-len(message.content.encode("utf-8", "replace")) // BYTES) for message in prompt)


MALFORMED = "malformed"
UNFINISHED = "unfinished"
"""Outcome of a call in the ledger until it has ended."""
_PERHAPS_BILLED = frozenset({"timeout", "unavailable"})
"""Outcomes after which the provider may still bill the call: the budget counts its maximum."""


def most_of(model: str, price: Price, prompt: Sequence[Message], *, written: int) -> CallRecord:
    """Estimate the most that one call can cost, as the ledger reserves it while the call runs."""
    read = reckon_tokens(prompt)
    return CallRecord(model, read + written, price.cost(read=read, written=written), 0.0, UNFINISHED)


def counted(call: CallRecord, most: CallRecord) -> CallRecord:
    """Replace a missing or implausible token count by the maximum, so that the budget holds."""
    if call.tokens or call.outcome not in ("ok", MALFORMED, *_PERHAPS_BILLED):
        return call
    if call.outcome in _PERHAPS_BILLED:
        return replace(call, tokens=most.tokens, cost_usd=most.cost_usd)
    told = f"{call.model} gives no token counts that can be true: the ledger counts what calls may take at most"
    return replace(call, tokens=most.tokens, cost_usd=most.cost_usd, doubt=told)


T = TypeVar("T", bound=BaseModel)

READ_CHARACTERS = 100_000
"""The most characters of a reply that are searched; a reply with an object has a few hundred."""

MOST_TRIES = 200
"""The most braces tried as the start of an object; each attempt may scan all that follows."""


def ask_for(kind: type[T], model: LanguageModel, prompt: Sequence[Message]) -> Reply[T]:
    """Ask for a reply with a JSON object of type ``kind``; the prompt must ask for JSON and name its keys.

    Raises:
        LanguageModelError: ``ask`` raises it, or the reply has no such object.
    """
    reply = model.ask(prompt)
    value = find_object(kind, reply.value)
    if value is None:
        calls = (*reply.calls[:-1], *(replace(call, outcome="malformed") for call in reply.calls[-1:]))
        raise LanguageModelError(unusable(model, reply.value), calls=calls)
    return Reply(value, reply.calls)


def unusable(model: LanguageModel, text: str) -> str:
    """Return an error message for a reply that cannot be used, with its beginning."""
    return f"{model.model} gave a reply that cannot be used: {one_line(text, 80)}"


def find_object(kind: type[T], text: str) -> T | None:
    """Return the first JSON object in a text that validates as ``kind``, whatever surrounds it; None without one.

    Time is bounded: an object that begins after the first 100,000 characters, or after 200 braces, is not found.
    """
    read = (validated(kind, found) for found in _objects(text))
    return next((value for value in read if value is not None), None)


def validated(kind: type[T], value: object) -> T | None:
    """Return a value validated as ``kind``; None if it is invalid."""
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
