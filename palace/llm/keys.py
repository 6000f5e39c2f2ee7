"""Whether a language model can be asked from here at all."""

from __future__ import annotations

from palace import provider
from palace.provider.client import the_client


def load_client() -> None:
    """Load what calls models; it takes seconds the first time, and nothing after that."""
    the_client()


def missing_keys(model: str) -> tuple[str, ...]:
    """List the variables that a model's provider wants and that are not set here; the first look loads litellm."""
    return provider.missing_keys(model)
