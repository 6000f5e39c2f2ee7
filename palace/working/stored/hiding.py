"""Summing up what is shown without its secrets."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from palace.llm.protocol import Reply
from palace.working.shape import Entry
from palace.working.summary.summariser import Summariser

Hiding = Callable[[str], str]
"""Gives a text without the secrets in it."""
_SAYING = ("content", "tool_calls", "function_call")


@dataclass(frozen=True, slots=True)
class HidingSummariser:
    """Shows a summariser messages without secrets, and takes out what is found in its summary."""

    summariser: Summariser
    rules: Callable[[], Hiding]
    """Looked up each time: a user may have set others."""

    def sum_up(self, previous: str, entries: Sequence[Entry], tokens: int) -> Reply[str]:
        """Renew a summary.

        Raises:
            LanguageModelError: there is none.
        """
        hide = self.rules()
        shown = [replace(entry, shape=_hidden(entry.shape, hide)) for entry in entries]
        reply = self.summariser.sum_up(hide(previous), shown, tokens)
        return Reply(hide(reply.value), reply.calls)


def _hidden(shape: Mapping[str, Any], hide: Hiding) -> Mapping[str, Any]:
    return {name: _changed(value, hide) if name in _SAYING else value for name, value in shape.items()}


def _changed(value: Any, hide: Hiding) -> Any:
    if isinstance(value, str):
        return hide(value)
    if isinstance(value, Mapping):
        return {name: _changed(each, hide) for name, each in value.items()}
    return [_changed(each, hide) for each in value] if isinstance(value, (list, tuple)) else value
