"""Writing an answer as each coding agent takes it. Pure.

Codex fails a hook for a key that it does not know, Gemini shows whatever is no JSON, and for all of them nothing at all
is what a hook writes that has nothing to say.
"""

from __future__ import annotations

import json
from typing import Any

from palace.hooks.contract.events import ANSWERS, Harness, HookEvent, Moment, name_for


def write(event: HookEvent, block: str) -> str:
    """Write a block as the answer to an event; "" without one, and where the event takes none."""
    if not block or event.moment not in ANSWERS:
        return ""
    # Signs beyond ASCII are written out: whatever the encoding of standard output is, it arrives.
    return json.dumps(_shape(event, block), separators=(",", ":"))


def _shape(event: HookEvent, block: str) -> dict[str, Any]:
    if event.harness is not Harness.CURSOR:
        called = name_for(event.harness, event.moment)
        return {"hookSpecificOutput": {"hookEventName": called, "additionalContext": block}}
    if event.moment is Moment.PROMPT:
        return {"continue": True, "additional_context": block}
    return {"additional_context": block}
