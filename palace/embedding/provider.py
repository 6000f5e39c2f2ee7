"""One call to a remote embedding model through litellm, with what it cost."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cache
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

    data: Any
    """As the provider sent it: should be a list of ``{"index", "embedding"}``."""
    call: CallRecord

    @property
    def malformed_call(self) -> CallRecord:
        """The record of the call if its data turn out to be unusable."""
        return replace(self.call, outcome="malformed")


class CallFailed(Exception):
    """A call that gave no answer; says whether another one might, and which key is missing if one is."""

    def __init__(self, reason: str, call: CallRecord, *, may_pass: bool, missing_key: str = "") -> None:
        super().__init__(reason)
        self.call, self.may_pass, self.missing_key = call, may_pass, missing_key


def call_provider(endpoint: Endpoint, texts: Sequence[str]) -> Answer:
    """Ask a provider once to embed texts.

    Raises:
        CallFailed: the provider could not be reached, refused the call, or sent what is not an answer at all.
    """
    litellm = _litellm()
    from openai import OpenAIError

    started = time.monotonic()
    try:
        response = litellm.embedding(
            model=endpoint.model,
            input=list(texts),
            timeout=endpoint.timeout,
            api_base=endpoint.api_base,
            encoding_format="float",
        )
    except OpenAIError as problem:
        raise _failure(endpoint.model, problem, time.monotonic() - started) from problem
    tokens = int(getattr(response.usage, "total_tokens", 0) or 0)
    cost = tokens * _price(endpoint.model)
    return Answer(response.data, CallRecord(endpoint.model, tokens, cost, time.monotonic() - started, "ok"))


def _failure(model: str, problem: Exception, seconds: float) -> CallFailed:
    status = int(getattr(problem, "status_code", None) or 500)
    call = CallRecord(model, 0, Decimal(0), seconds, _OUTCOMES.get(status, "unavailable"))
    missing = next(iter(_litellm().validate_environment(model)["missing_keys"]), "")
    reason = " ".join(str(getattr(problem, "message", problem)).split())[:300]
    may_pass = status in (408, 429) or status >= 500
    return CallFailed(reason, call, may_pass=may_pass, missing_key=missing if missing.endswith("_API_KEY") else "")


def _price(model: str) -> Decimal:
    """Dollars for a token, zero for a model that litellm's price list does not know."""
    prices = _litellm().model_cost
    listed = prices.get(model) or prices.get(model.partition("/")[2]) or {}
    return Decimal(str(listed.get("input_cost_per_token") or 0))


@cache
def _litellm() -> Any:
    """Import litellm so that it neither looks for a price list on the network nor prints advice."""
    os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")
    import litellm

    client: Any = litellm
    client.telemetry = False
    client.suppress_debug_info = True
    # Its OpenAI client would repeat calls on its own, unseen by the ledger; a 0 for one call counts as "not given".
    client.DEFAULT_MAX_RETRIES = 0
    return client
