"""Whether the language model that a setting names can be asked at all."""

from __future__ import annotations

from palace.llm.keys import missing_keys
from palace.settings.personal.effective import Effective

_ABOUT = {"use_rerank": "rerank_model", "rerank_model": "rerank_model"}
_ASKED = {"query_model": "query_model", "query_strategy": "query_model"}


def key_warnings(name: str, effective: Effective) -> tuple[str, ...]:
    """Say which key is missing for the model that a setting has called; the setting stands all the same."""
    about = _ABOUT.get(name) or (_ASKED.get(name) if effective.query_strategy not in ("local", "prepend") else None)
    if about is None or (name == "use_rerank" and not effective.use_rerank):
        return ()
    model = getattr(effective, about)
    missing = missing_keys(model) if model else ()
    if not missing:
        return ()
    instead = "hits stay in their order" if about == "rerank_model" else "queries are written without it"
    return (f"{model} has no key here: set {missing[0]}; until then {instead}, with a warning",)
