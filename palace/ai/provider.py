"""One call to a model behind an API, through litellm, with its cost.

Responses are not trusted: token counts are used only where plausible, quoted text is cut to one line, and any exception
of litellm counts as a failed call.
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
"""More tokens than any model reads and writes in one call: a higher count is not believed."""

SHORTEST_KEY = 8
"""Shorter values of key variables are not masked: they may be ordinary words."""

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
"""What litellm raises on a response whose shape it does not expect, or on none."""

_OUTCOMES = {400: "refused", 401: "unauthorised", 403: "unauthorised", 404: "unknown", 408: "timeout", 429: "throttled"}


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A model, its address, and the time a call to it may take."""

    model: str
    """As litellm names it: provider, slash, model."""
    timeout: float
    """Seconds that one call may take."""
    api_base: str | None = None
    """Replaces the provider's own address."""


@dataclass(frozen=True, slots=True)
class Response:
    """The response to a call that the provider accepted."""

    response: Any
    """As litellm returns it: ``data`` of an embedding, ``choices`` of a reply."""
    call: CallRecord

    @property
    def malformed_call(self) -> CallRecord:
        """The record of the call if the response turns out to be unusable."""
        return replace(self.call, outcome="malformed")


class CallFailed(Exception):
    """A call without an answer; ``may_pass`` says whether a retry may help, ``missing_key`` which key is missing."""

    def __init__(self, reason: str, call: CallRecord, *, may_pass: bool, missing_key: str = "") -> None:
        super().__init__(f"{call.model} needs a key: set {missing_key}" if missing_key else reason)
        self.call, self.may_pass, self.missing_key = call, may_pass and not missing_key, missing_key

    @property
    def calls(self) -> tuple[CallRecord, ...]:
        """The calls to record in the ledger; empty where a missing key prevented the call."""
        return () if self.missing_key else (self.call,)


def no_reply(failure: CallFailed) -> str:
    """Return the error message for a language model that did not reply."""
    return (
        str(failure)
        if failure.missing_key
        else f"{failure.call.model} did not reply ({failure.call.outcome}): {failure}"
    )


def call_provider(endpoint: Endpoint, verb: str, *, patience: float | None = None, **arguments: Any) -> Response:
    """Call one of litellm's functions ("embedding", "completion") once.

    The call is given up after ``patience`` seconds, by default the endpoint's timeout.

    Raises:
        CallFailed: the provider could not be reached, refused the call, or sent an unreadable response; or the current
            call was cancelled.
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
    """Call as ``call_provider`` does, with retries after growing pauses where they may help, for ``within`` seconds.

    The records of failed calls are added to ``calls``.

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
    """Run a call in a thread and wait at most some seconds: the client's own timeout restarts with every byte.

    Cancelling the current call ends the wait as well; a later response is dropped.
    """
    outcome: Future[Any] = Future()

    def run() -> None:
        try:
            with ours():
                answer = call()
            outcome.set_result(answer)
        except InvalidStateError:
            pass  # nobody waits any more
        except BaseException as problem:  # noqa: BLE001 — raised again by the waiting thread
            with suppress(InvalidStateError):
                outcome.set_exception(problem)

    def give_up() -> None:
        with suppress(InvalidStateError):
            outcome.set_exception(Cancelled())

    with stopped_by(give_up):
        # Not an executor's thread, for which the interpreter would wait at exit.
        Thread(target=run, name="palace-provider", daemon=True).start()
        return outcome.result(seconds)


def one_line(text: str, longest: int = 300) -> str:
    """Shorten text from outside to one line of printable characters."""
    shown = "".join(character if character.isprintable() else " " for character in text[: 10 * longest])
    return " ".join(shown.split())[:longest]


def record_of(model: str, usage: Any, seconds: float) -> CallRecord:
    """Return the record of a successful call; missing token counts are zeros, implausible ones a doubt."""
    counted = _usage(usage)
    if counted is None:
        return CallRecord(model, 0, Decimal(0), seconds, "ok", doubt=_doubt(model))
    tokens, written = counted
    cost = (tokens - written) * price_of(model, "input") + written * price_of(model, "output")
    return CallRecord(model, tokens, cost, seconds, "ok")


def _usage(usage: Any) -> tuple[int, int] | None:
    """Return the total tokens and how many of them were written; None if the counts are implausible."""
    tokens = _count(getattr(usage, "total_tokens", None))
    written = _count(getattr(usage, "completion_tokens", None))
    return None if tokens is None or written is None or written > tokens else (tokens, written)


def _doubt(model: str) -> str:
    told = "the ledger counts no tokens and no cost for such calls"
    return f"{one_line(model)} gives token counts that cannot be true: {told}"


def _count(reported: Any) -> int | None:
    if reported is None:
        return 0
    is_true = isinstance(reported, int) and not isinstance(reported, bool) and 0 <= reported <= MOST_TOKENS
    return reported if is_true else None


_NO_PROVIDER = "the name tells no provider: write it as openai/text-embedding-3-small"

_TRACEBACK = "Traceback (most recent call last)"
"""litellm quotes a traceback when a response has an unexpected shape; errors show only the text before it."""


def failure_of(model: str, problem: Exception, seconds: float, *, wants_key: bool = True) -> CallFailed:
    """Build the error for a failed call, in words for a person, without keys."""
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
    """List the environment variables that a model's provider needs and that are not set; loads litellm."""
    with ours():
        return tuple(the_client().validate_environment(model)["missing_keys"] or ())


def _has_provider(model: str) -> bool:
    client = the_client()
    try:
        client.get_llm_provider(model)
    except client.BadRequestError:
        return False
    return True


def _without_keys(text: str) -> str:
    """Mask this process's keys in a provider's message, which is shown and stored."""
    keys = {key for name, key in os.environ.items() if name.endswith(("_KEY", "_TOKEN", "_SECRET"))}
    for key in sorted((key for key in keys if len(key) >= SHORTEST_KEY), key=len, reverse=True):
        text = text.replace(key, "…")
    return text


def _status(problem: Exception) -> int:
    status = getattr(problem, "status_code", None)
    return status if isinstance(status, int) and status else 500


def price_of(model: str, direction: str) -> Decimal:
    """Return dollars for each token of "input" or "output"; zero for a model that litellm's price list lacks."""
    prices = the_client().model_cost
    name = listed(model)
    found = prices.get(name) or prices.get(name.partition("/")[2]) or {}
    return Decimal(str(found.get(f"{direction}_cost_per_token") or 0))


def listed(model: str) -> str:
    """Return a model's name as its provider writes it: in Anthropic's ids, versions have dashes instead of dots."""
    dashed = model.replace(".", "-")
    is_dotted = model.startswith("anthropic/") and dashed.partition("/")[2] in the_client().model_cost
    return dashed if is_dotted else model
