"""The events of coding agents: what each sends to a hook, and what it takes as an answer. Pure.

An event is one JSON object, whose fields may be missing or anything else. Codex fails a hook for a key that it does
not know, Gemini shows whatever is no JSON, and for all of them a hook that has nothing to say writes nothing at all.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256
from typing import Any

MOST_BYTES = 8 * 1024 * 1024
"""Of what is sent; a person's message with all that they pasted is less. What is more is not read."""
LONGEST_PATH = 4096
LONGEST_NAME = 200
"""Characters of a session's name; one that is longer is known by its digest."""


class Unintelligible(ValueError):
    """What was sent is no event; says why in one word, without a word of it."""


class Harness(StrEnum):
    """The programs whose hooks are understood."""

    CLAUDE_CODE = "claude-code"
    CODEX = "codex"
    GEMINI = "gemini"
    CURSOR = "cursor"


class Moment(StrEnum):
    """What an event is to memory, whatever a program calls it."""

    START = "session-start"
    """A session begins, goes on, or was emptied: the wake-up view is answered."""
    PROMPT = "prompt"
    """A person has said something: what is recalled for it is answered."""
    STOP = "stop"
    """The agent has answered: what was said is filed."""
    COMPACT = "pre-compact"
    """What was said is about to be summed up: it is filed before."""
    END = "session-end"
    """The session is over: what was said is filed."""
    OTHER = "other"
    """Nothing is done."""


FILES = frozenset({Moment.STOP, Moment.COMPACT, Moment.END})
"""The moments that leave a transcript to be mined."""
_MOMENTS = (Moment.START, Moment.PROMPT, Moment.STOP, Moment.COMPACT, Moment.END)
_CLAUDE_CODE = ("SessionStart", "UserPromptSubmit", "Stop", "PreCompact", "SessionEnd")
_GEMINI = ("SessionStart", "BeforeAgent", "AfterAgent", "PreCompress", "SessionEnd")
_CURSOR = ("sessionStart", "beforeSubmitPrompt", "stop", "preCompact", "sessionEnd")
NAMES: Mapping[Harness, Mapping[str, Moment]] = {
    Harness.CLAUDE_CODE: dict(zip(_CLAUDE_CODE, _MOMENTS, strict=True)),
    Harness.CODEX: dict(zip(_CLAUDE_CODE, _MOMENTS, strict=True)),
    Harness.GEMINI: dict(zip(_GEMINI, _MOMENTS, strict=True)),
    Harness.CURSOR: dict(zip(_CURSOR, _MOMENTS, strict=True)),
}
"""What each program calls the events that matter; others are ``OTHER``."""


@dataclass(frozen=True, slots=True)
class HookEvent:
    """One event as it was sent; "" stands for what was missing."""

    harness: Harness
    moment: Moment
    name: str = ""
    """What the program calls the event."""
    session: str = ""
    folder: str = ""
    """Where the program is at work."""
    transcript: str = ""
    """The file in which it keeps the session."""
    prompt: str = ""
    source: str = ""
    """Why a session begins: "startup", "resume", "clear" or "compact"."""
    is_of_agent: bool = False
    """Whether an agent that the agent started has caused it, and no person."""


def moment_of(name: str) -> Moment:
    """Return the moment of what any program, or Palace itself, calls an event.

    >>> moment_of("BeforeAgent"), moment_of("session-start"), moment_of("PostToolUse")
    (<Moment.PROMPT: 'prompt'>, <Moment.START: 'session-start'>, <Moment.OTHER: 'other'>)
    """
    return _BY_NAME.get(_folded(name), Moment.OTHER)


def read(text: str, *, event: str = "", harness: str | None = None) -> HookEvent:
    """Read an event; ``event`` and ``harness`` are what the command line says.

    What the event calls itself goes before what it was called on the command line. A field that is missing, or is not
    of its type, is "".

    Raises:
        Unintelligible: it is no JSON object, or larger than any event.
    """
    fields = _object(text)
    try:
        sender = Harness(harness) if harness else harness_of(fields)
    except ValueError as problem:
        raise Unintelligible("unknown_harness") from problem
    called = _text(fields, "hook_event_name") or event
    session = _text(fields, "session_id") or _text(fields, "conversation_id")
    roots = fields.get("workspace_roots")
    return HookEvent(
        sender,
        moment_of(called),
        name=called,
        session=session if len(session) <= LONGEST_NAME else sha256(session.encode()).hexdigest(),
        folder=_path(fields.get("cwd")) or (_path(roots[0]) if isinstance(roots, list) and roots else ""),
        transcript=_path(fields.get("transcript_path")),
        prompt=_text(fields, "prompt"),
        source=_text(fields, "source") or _text(fields, "trigger"),
        is_of_agent=bool(_text(fields, "agent_id")),
    )


def harness_of(fields: Mapping[str, Any]) -> Harness:
    """Return which program has sent these fields: each has some that no other has."""
    called = _text(fields, "hook_event_name")
    if "conversation_id" in fields or "cursor_version" in fields:
        return Harness.CURSOR
    if "turn_id" in fields or "rollout-" in _text(fields, "transcript_path"):
        return Harness.CODEX
    if "timestamp" in fields or (called in NAMES[Harness.GEMINI] and called not in NAMES[Harness.CLAUDE_CODE]):
        return Harness.GEMINI
    return Harness.CURSOR if called[:1].islower() else Harness.CLAUDE_CODE


def write(event: HookEvent, block: str) -> str:
    """Write a block as the answer to an event; "" without one, and where the event takes none."""
    if not block or event.moment not in (Moment.START, Moment.PROMPT):
        return ""
    if event.harness is not Harness.CURSOR:
        called = next((name for name, known in NAMES[event.harness].items() if known is event.moment), "")
        shape: dict[str, Any] = {"hookSpecificOutput": {"hookEventName": called, "additionalContext": block}}
    elif event.moment is Moment.PROMPT:
        shape = {"continue": True, "additional_context": block}
    else:
        shape = {"additional_context": block}
    # Signs beyond ASCII are written out: whatever the encoding of standard output is, it arrives.
    return json.dumps(shape, separators=(",", ":"))


def _object(text: str) -> dict[str, Any]:
    if len(text) > MOST_BYTES:
        raise Unintelligible("too_large")
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as problem:
        raise Unintelligible("not_json") from problem
    if not isinstance(value, dict):
        raise Unintelligible("no_object")
    return value


def _text(fields: Mapping[str, Any], name: str) -> str:
    """Return a text that can be written anywhere: halves of characters are signs of what is missing."""
    value = fields.get(name)
    return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace") if isinstance(value, str) else ""


def _path(value: object) -> str:
    return value if isinstance(value, str) and len(value) <= LONGEST_PATH and "\0" not in value else ""


def _folded(name: str) -> str:
    return "".join(character for character in name.lower() if character.isalnum())


_BY_NAME: Mapping[str, Moment] = {
    **{_folded(name): moment for names in NAMES.values() for name, moment in names.items()},
    **{_folded(moment.value): moment for moment in Moment},
}
