"""One call to a model behind an API, through litellm, with what it cost.

What comes back is somebody else's: token counts are believed only as far as they can be true, words are quoted on one
line, and whatever litellm trips over is a failed call.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from concurrent.futures import Future, InvalidStateError
from contextlib import suppress
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import partial
from threading import Thread
from typing import Any

from palace.ai.client import lent, ours, the_client
from palace.cancellation import pause, stopped_by
from palace.errors import Cancelled
from palace.models import CallRecord
from palace.telemetry import ModelCall, model_call

MOST_TOKENS = 100_000_000
"""More than any model reads and writes in one call: a count above it is not believed."""

SHORTEST_KEY = 8
"""Characters below which a key may be any word."""

_UNREADABLE = (
    ValueError,
    TypeError,
    LookupError,
    AttributeError,
    ArithmeticError,
    RuntimeError,
    AssertionError,
    OSError,
)
"""What litellm raises where a reply has a shape that its reading of it does not foresee, or none."""

_OUTCOMES = {400: "refused", 401: "unauthorised", 403: "unauthorised", 404: "unknown", 408: "timeout", 429: "throttled"}


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Which model is called, where and how patiently."""

    model: str
    """As litellm names it: provider, slash, model."""
    timeout: float
    """Seconds that one call may take."""
    api_base: str | None = None
    """Replaces the provider's own address."""


@dataclass(frozen=True, slots=True)
class Response:
    """What came back from a call that the provider accepted."""

    response: Any
    """As litellm gives it: ``data`` of an embedding, ``choices`` of a reply."""
    call: CallRecord

    @property
    def malformed_call(self) -> CallRecord:
        """The record of the call if what came back turns out to be unusable."""
        return replace(self.call, outcome="malformed")


class CallFailed(Exception):
    """A call that gave no answer; says whether another one might, and which key is missing if one is."""

    def __init__(self, reason: str, call: CallRecord, *, may_pass: bool, missing_key: str = "") -> None:
        super().__init__(f"{call.model} needs a key: set {missing_key}" if missing_key else reason)
        self.call, self.may_pass, self.missing_key = call, may_pass and not missing_key, missing_key

    @property
    def calls(self) -> tuple[CallRecord, ...]:
        """What the ledger should know of it: nothing where the call could not be made for want of a key."""
        return () if self.missing_key else (self.call,)


def no_reply(failure: CallFailed) -> str:
    """Say that a language model did not reply."""
    return (
        str(failure)
        if failure.missing_key
        else f"{failure.call.model} did not reply ({failure.call.outcome}): {failure}"
    )


def call_provider(endpoint: Endpoint, verb: str, *, patience: float | None = None, **arguments: Any) -> Response:
    """Call one of litellm's verbs ("embedding", "completion") once.

    The call is given up after ``patience`` seconds, the endpoint's timeout unless less are left.

    Raises:
        CallFailed: the provider could not be reached, refused the call, or sent what is not an answer at all; or the
            call under way was cancelled.
    """
    with model_call(verb, endpoint.model) as observed:
        try:
            answered = _call(endpoint, verb, patience, arguments)
        except CallFailed as failure:
            observed.fail(failure.call.outcome)
            raise
        _observe(observed, answered)
        return answered


def call_repeatedly(
    endpoint: Endpoint,
    verb: str,
    calls: list[CallRecord],
    *,
    attempts: int,
    first_pause: float,
    within: float,
    **arguments: Any,
) -> Response:
    """Call as ``call_provider`` does, again after growing pauses where that may help and so many seconds allow it.

    The calls that failed are added to ``calls``.

    Raises:
        CallFailed: the last one failed.
    """
    give_up_at = time.monotonic() + within
    for attempt in range(attempts):
        patience = min(endpoint.timeout, give_up_at - time.monotonic())
        try:
            return call_provider(endpoint, verb, patience=patience, **arguments)
        except CallFailed as failure:
            calls.extend(failure.calls)
            rest = first_pause * 2**attempt
            is_last = attempt + 1 == attempts or time.monotonic() + rest >= give_up_at
            if is_last or not failure.may_pass or not pause(rest):
                raise
    raise AssertionError("there is no attempt")


def _observe(observed: ModelCall, answered: Response) -> None:
    counted = _usage(getattr(answered.response, "usage", None))
    if counted is not None:
        tokens, written = counted
        observed.took(tokens - written, written, answered.call.cost_usd)


def _call(endpoint: Endpoint, verb: str, patience: float | None, arguments: dict[str, Any]) -> Response:
    client = the_client()
    from openai import OpenAIError

    where = {"model": listed(endpoint.model), "timeout": endpoint.timeout, "api_base": endpoint.api_base}
    ask = partial(getattr(client, verb), **where, **arguments, max_retries=0)
    started = time.monotonic()
    try:
        with lent():
            response = _within(patience or endpoint.timeout, ask)
    except Cancelled as problem:
        call = CallRecord(endpoint.model, 0, Decimal(0), time.monotonic() - started, "cancelled")
        raise CallFailed("the caller cancelled it", call, may_pass=False) from problem
    except (OpenAIError, *_UNREADABLE) as problem:
        raise failure_of(endpoint.model, problem, time.monotonic() - started) from problem
    seconds = time.monotonic() - started
    return Response(response, record_of(endpoint.model, getattr(response, "usage", None), seconds))


def _within(seconds: float, call: Callable[[], Any]) -> Any:
    """Wait so long and no longer: a client's own timeout begins anew with every byte that trickles in.

    Nor longer than until the call under way is cancelled: what the provider says then is not heard.
    """
    outcome: Future[Any] = Future()

    def run() -> None:
        try:
            with ours():
                answer = call()
            outcome.set_result(answer)
        except InvalidStateError:
            pass  # nobody waits any more
        except BaseException as problem:  # noqa: BLE001 — whoever waits raises it
            with suppress(InvalidStateError):
                outcome.set_exception(problem)

    def give_up() -> None:
        with suppress(InvalidStateError):
            outcome.set_exception(Cancelled())

    with stopped_by(give_up):
        # Not an executor's thread: the end of the program would wait for that.
        Thread(target=run, name="palace-provider", daemon=True).start()
        return outcome.result(seconds)


def one_line(text: str, longest: int = 300) -> str:
    """Quote what somebody else wrote: one line, not too long, of characters that do nothing but show."""
    shown = "".join(character if character.isprintable() else " " for character in text[: 10 * longest])
    return " ".join(shown.split())[:longest]


def record_of(model: str, usage: Any, seconds: float) -> CallRecord:
    """Note what a call took; a provider that does not count gives zeros, one that cannot be believed a doubt."""
    counted = _usage(usage)
    if counted is None:
        return CallRecord(model, 0, Decimal(0), seconds, "ok", doubt=_doubt(model))
    tokens, written = counted
    cost = (tokens - written) * price_of(model, "input") + written * price_of(model, "output")
    return CallRecord(model, tokens, cost, seconds, "ok")


def _usage(usage: Any) -> tuple[int, int] | None:
    """Read how many tokens there were, and how many of them were written; None where that cannot be true."""
    tokens = _count(getattr(usage, "total_tokens", None))
    written = _count(getattr(usage, "completion_tokens", None))
    return None if tokens is None or written is None or written > tokens else (tokens, written)


def _doubt(model: str) -> str:
    told = "the ledger counts no tokens and no cost for such calls"
    return f"{one_line(model)} gives token counts that cannot be true: {told}"


def _count(reported: Any) -> int | None:
    """Read a count of tokens, 0 where there is none; None where it cannot be true."""
    if reported is None:
        return 0
    is_true = isinstance(reported, int) and not isinstance(reported, bool) and 0 <= reported <= MOST_TOKENS
    return reported if is_true else None


_NO_PROVIDER = "the name tells no provider: write it as openai/text-embedding-3-small"

_TRACEBACK = "Traceback (most recent call last)"
"""litellm quotes its own where a reply has another shape than it expects; people are told the line before."""


def failure_of(model: str, problem: Exception, seconds: float, *, wants_key: bool = True) -> CallFailed:
    """Say what a call failed of, in words for a person, without a key in them."""
    if isinstance(problem, TimeoutError):
        call = CallRecord(model, 0, Decimal(0), seconds, "timeout")
        return CallFailed(f"no answer within {seconds:.1f} seconds", call, may_pass=True)
    status = _status(problem)
    call = CallRecord(model, 0, Decimal(0), seconds, _OUTCOMES.get(status, "unavailable"))
    with ours():
        missing = next(iter(missing_keys(model)), "") if wants_key else ""
        has_provider = _has_provider(model)
    said = _without_keys(str(getattr(problem, "message", problem))) if has_provider else _NO_PROVIDER
    reason = one_line(said.partition(_TRACEBACK)[0]) or type(problem).__name__
    may_pass = status in (408, 429) or status >= 500
    return CallFailed(reason, call, may_pass=may_pass, missing_key=missing if missing.endswith("_API_KEY") else "")


def missing_keys(model: str) -> tuple[str, ...]:
    """List the variables that a model's provider wants and that are not set; the first look loads litellm."""
    with ours():
        return tuple(the_client().validate_environment(model)["missing_keys"] or ())


def _has_provider(model: str) -> bool:
    """Tell whether it follows from a model's name who provides it."""
    client = the_client()
    try:
        client.get_llm_provider(model)
    except client.BadRequestError:
        return False
    return True


def _without_keys(text: str) -> str:
    """Take the keys of this process out of what a provider says, which is told, and kept with what failed."""
    keys = {key for name, key in os.environ.items() if name.endswith(("_KEY", "_TOKEN", "_SECRET"))}
    for key in sorted((key for key in keys if len(key) >= SHORTEST_KEY), key=len, reverse=True):
        text = text.replace(key, "…")
    return text


def _status(problem: Exception) -> int:
    status = getattr(problem, "status_code", None)
    return status if isinstance(status, int) and status else 500


def price_of(model: str, direction: str) -> Decimal:
    """Dollars for a token of "input" or "output", zero for a model that litellm's price list does not know."""
    prices = the_client().model_cost
    name = listed(model)
    found = prices.get(name) or prices.get(name.partition("/")[2]) or {}
    return Decimal(str(found.get(f"{direction}_cost_per_token") or 0))


def listed(model: str) -> str:
    """Write a model's name as its provider does: Anthropic's ids have dashes where people write a version's dot."""
    dashed = model.replace(".", "-")
    is_dotted = model.startswith("anthropic/") and dashed.partition("/")[2] in the_client().model_cost
    return dashed if is_dotted else model
