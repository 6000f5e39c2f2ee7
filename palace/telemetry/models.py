"""A call of a model behind an API, observed: which model, how long, what it took; nothing of what was said."""

from __future__ import annotations

import sys
from decimal import Decimal
from typing import Any

from palace.telemetry.api import meters
from palace.telemetry.operations import OPERATION, Operation, Value

PROVIDER, MODEL, MODALITY = "gen_ai.provider.name", "gen_ai.request.model", "gen_ai.token.modality"
READ, WRITTEN = "gen_ai.usage.input_tokens", "gen_ai.usage.output_tokens"
CHAT, EMBEDDINGS = "chat", "embeddings"
COST = "palace.cost_usd"

_PROVIDERS = {
    "azure": "azure.ai.openai",
    "azure_ai": "azure.ai.inference",
    "bedrock": "aws.bedrock",
    "cohere_chat": "cohere",
    "gemini": "gcp.gemini",
    "mistral": "mistral_ai",
    "moonshot": "moonshot_ai",
    "vertex_ai": "gcp.vertex_ai",
    "watsonx": "ibm.watsonx.ai",
    "xai": "x_ai",
}
"""What the conventions call a provider, where litellm has another word for it."""
_OWNERS = (("claude", "anthropic"), ("gemini", "gcp.gemini"))
"""Whose models are, where a name does not say it."""


class ModelCall(Operation):
    """One call of a model."""

    def took(self, read: int, written: int, cost_usd: Decimal) -> None:
        """Say what the provider counted."""
        self.about[READ] = read
        if self.labels[OPERATION] == CHAT:
            self.about[WRITTEN] = written
        self.about[COST] = float(cost_usd)

    def _kind(self) -> Any:
        return sys.modules["opentelemetry.trace"].SpanKind.CLIENT

    def _measure(self, seconds: float) -> None:
        measured = meters()
        if measured is None:
            return
        is_chat, labels = self.labels[OPERATION] == CHAT, self.labels
        (measured.inference_seconds if is_chat else measured.operation_seconds).record(seconds, labels)
        measured.cost.add(self.about.get(COST, 0), labels)
        if not is_chat:
            measured.embedded_tokens.add(self.about.get(READ, 0), labels)
            return
        counted = {**labels, MODALITY: "text" if READ in self.about else "unknown"}
        measured.input_tokens.add(self.about.get(READ, 0), counted)
        measured.output_tokens.add(self.about.get(WRITTEN, 0), counted)


def model_call(verb: str, model: str) -> ModelCall:
    """Observe a call of one of litellm's verbs ("completion", "embedding")."""
    operation = EMBEDDINGS if verb == "embedding" else CHAT
    provider, slash, name = model.partition("/")
    if not slash:
        provider, name = next((owner for start, owner in _OWNERS if model.startswith(start)), "openai"), model
    labels: dict[str, Value] = {OPERATION: operation, PROVIDER: _PROVIDERS.get(provider, provider), MODEL: name}
    return ModelCall(f"{operation} {name}", labels, {})
