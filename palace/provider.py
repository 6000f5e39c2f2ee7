"""One call to a model behind an API, through litellm, with what it cost."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cache, partial
from threading import Thread
from typing import Any

from palace.records import CallRecord

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
class Answer:
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


def call_provider(endpoint: Endpoint, verb: str, *, patience: float | None = None, **arguments: Any) -> Answer:
    """Call one of litellm's verbs ("embedding", "completion") once.

    The call is given up after ``patience`` seconds, the endpoint's timeout unless less are left.

    Raises:
        CallFailed: the provider could not be reached, refused the call, or sent what is not an answer at all.
    """
    client = _litellm()
    from openai import OpenAIError

    where = {"model": _listed(endpoint.model), "timeout": endpoint.timeout, "api_base": endpoint.api_base}
    ask = partial(getattr(client, verb), **where, **arguments, max_retries=0)
    started = time.monotonic()
    try:
        response = _within(patience or endpoint.timeout, ask)
    except (OpenAIError, TimeoutError) as problem:
        raise _failure(endpoint.model, problem, time.monotonic() - started) from problem
    seconds = time.monotonic() - started
    return Answer(response, _record(endpoint.model, getattr(response, "usage", None), seconds))


def _within(seconds: float, call: Callable[[], Any]) -> Any:
    """Wait so long and no longer: a client's own timeout begins anew with every byte that trickles in."""
    outcome: Future[Any] = Future()

    def run() -> None:
        try:
            outcome.set_result(call())
        except BaseException as problem:  # noqa: BLE001 — whoever waits raises it
            outcome.set_exception(problem)

    # Not an executor's thread: the end of the program would wait for that.
    Thread(target=run, name="palace-provider", daemon=True).start()
    return outcome.result(seconds)


def _record(model: str, usage: Any, seconds: float) -> CallRecord:
    tokens = int(getattr(usage, "total_tokens", 0) or 0)
    written = int(getattr(usage, "completion_tokens", 0) or 0)
    cost = (tokens - written) * _price(model, "input") + written * _price(model, "output")
    return CallRecord(model, tokens, cost, seconds, "ok")


def _failure(model: str, problem: Exception, seconds: float) -> CallFailed:
    if isinstance(problem, TimeoutError):
        call = CallRecord(model, 0, Decimal(0), seconds, "timeout")
        return CallFailed(f"no answer within {seconds:.1f} seconds", call, may_pass=True)
    status = int(getattr(problem, "status_code", None) or 500)
    call = CallRecord(model, 0, Decimal(0), seconds, _OUTCOMES.get(status, "unavailable"))
    missing = next(iter(_litellm().validate_environment(model)["missing_keys"]), "")
    reason = " ".join(str(getattr(problem, "message", problem)).split())[:300]
    may_pass = status in (408, 429) or status >= 500
    return CallFailed(reason, call, may_pass=may_pass, missing_key=missing if missing.endswith("_API_KEY") else "")


def _price(model: str, direction: str) -> Decimal:
    """Dollars for a token of "input" or "output", zero for a model that litellm's price list does not know."""
    prices = _litellm().model_cost
    name = _listed(model)
    listed = prices.get(name) or prices.get(name.partition("/")[2]) or {}
    return Decimal(str(listed.get(f"{direction}_cost_per_token") or 0))


def _listed(model: str) -> str:
    """Write a model's name as its provider does: Anthropic's ids have dashes where people write a version's dot."""
    dashed = model.replace(".", "-")
    is_dotted = model.startswith("anthropic/") and dashed.partition("/")[2] in _litellm().model_cost
    return dashed if is_dotted else model


@cache
def _litellm() -> Any:
    """Import litellm so that it neither looks for a price list on the network nor prints advice."""
    os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")
    import litellm

    client: Any = litellm
    client.telemetry = False
    client.suppress_debug_info = True
    # Its OpenAI client would repeat calls on its own, unseen by the ledger. To embed, a 0 in the call itself counts as
    # "not given" and this one is taken; to reply, only the one in the call is.
    client.DEFAULT_MAX_RETRIES = 0
    return client
