"""Whether the language model that a setting names can be asked at all."""

from __future__ import annotations

from palace.llm.keys import missing_keys
from palace.settings.personal.effective import Effective

_ABOUT = {"use_rerank": "rerank_model", "rerank_model": "rerank_model"}
_SUMMING_UP = {"summary_model": "summary_model", "working_memory": "summary_model"}
_ASKED = {"query_model": "query_model", "query_strategy": "query_model"}

_INSTEAD = {
    "rerank_model": "hits stay in their order",
    "query_model": "queries are written without it",
    "summary_model": "older messages are left out without a summary",
}


def key_warnings(name: str, effective: Effective) -> tuple[str, ...]:
    """Say which key is missing for the model that a setting has called; the setting stands all the same."""
    about = _ABOUT.get(name) or (_ASKED.get(name) if effective.query_strategy not in ("local", "prepend") else None)
    if effective.working_memory == "summary_buffer":
        about = about or _SUMMING_UP.get(name)
    if about is None or (name == "use_rerank" and not effective.use_rerank):
        return ()
    model = getattr(effective, about)
    missing = missing_keys(model) if model else ()
    if not missing:
        return ()
    return (f"{model} has no key here: set {missing[0]}; until then {_INSTEAD[about]}, with a warning",)
