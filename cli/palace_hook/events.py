"""The events of coding agents: what each sends to a hook, and what it takes as an answer. Pure, and quick to import.

An event is one JSON object, whose fields may be missing or anything else. Codex fails a hook for a key that it does
not know, Gemini shows whatever is no JSON, and for all of them a hook that has nothing to say writes nothing at all.
"""

from __future__ import annotations

from palace_hook.written import read_json, write_ascii

MOST_BYTES = 8 << 20
"""Of what is sent; a person's message with all that they pasted is less. What is more is not read."""
LONGEST_PATH = 4096
LONGEST_NAME = 200
"""Characters of a session's name; one that is longer is known by its digest."""
MOMENTS = START, PROMPT, STOP, COMPACT, END = ("session-start", "prompt", "stop", "pre-compact", "session-end")
"""What an event is to memory, whatever a program calls it: a session begins, goes on or was emptied; a person has said
something; the agent has answered; what was said is about to be summed up; the session is over."""
OTHER = "other"
"""An event at which nothing is done."""
FILES = (STOP, COMPACT, END)
"""The moments that leave a transcript to be mined."""
_CLAUDE_CODE = ("SessionStart", "UserPromptSubmit", "Stop", "PreCompact", "SessionEnd")
NAMES = {
    "claude-code": _CLAUDE_CODE,
    "codex": _CLAUDE_CODE,
    "gemini": ("SessionStart", "BeforeAgent", "AfterAgent", "PreCompress", "SessionEnd"),
    "cursor": ("sessionStart", "beforeSubmitPrompt", "stop", "preCompact", "sessionEnd"),
}
"""What each program whose hooks are understood calls the moments."""


class Unintelligible(ValueError):
    """What was sent is no event; says why in one word, without a word of it."""


class HookEvent:
    """One event as it was sent; "" stands for what was missing."""

    def __init__(self, fields: dict[str, object], harness: str, moment: str, folder: str) -> None:
        self.harness = harness
        self.moment = moment
        session = _text(fields, "session_id") or _text(fields, "conversation_id")
        self.session = session if len(session) <= LONGEST_NAME else digest(session.encode(), 64)
        roots = fields.get("workspace_roots")
        root = _path(roots[0]) if isinstance(roots, list) and roots else ""
        self.folder = _path(fields.get("cwd")) or root or folder
        """Where the program is at work."""
        self.transcript = _path(fields.get("transcript_path"))
        """The file in which it keeps the session."""
        self.prompt = _text(fields, "prompt")
        self.source = _text(fields, "source") or _text(fields, "trigger")
        """Why a session begins: "startup", "resume", "clear" or "compact"."""
        self.is_of_agent = bool(_text(fields, "agent_id"))
        """Whether an agent that the agent started has caused it, and no person."""


def read_event(text: str, *, event: str = "", harness: str | None = None, folder: str = "") -> HookEvent:
    """Read an event; ``event``, ``harness`` and ``folder`` are what the command line says, and where it was started.

    What the event calls itself goes before what it was called on the command line. A field that is missing, or is not
    of its type, is "".

    Raises:
        Unintelligible: it is no JSON object, or larger than any event.
    """
    if len(text) > MOST_BYTES:
        raise Unintelligible("too_large")
    try:
        fields = read_json(text)
    except (ValueError, RecursionError) as problem:
        raise Unintelligible("not_json") from problem
    if not isinstance(fields, dict):
        raise Unintelligible("no_object")
    if harness and harness not in NAMES:
        raise Unintelligible("unknown_harness")
    called = _text(fields, "hook_event_name") or event
    return HookEvent(fields, harness or harness_of(fields), moment_of(called), folder)


def moment_of(name: str) -> str:
    """Return the moment of what any program, or Palace itself, calls an event.

    >>> moment_of("BeforeAgent"), moment_of("session-start"), moment_of("PostToolUse")
    ('prompt', 'session-start', 'other')
    """
    return _BY_NAME.get(_folded(name), OTHER)


def harness_of(fields: dict[str, object]) -> str:
    """Return which program has sent these fields: each has some that no other has."""
    called = _text(fields, "hook_event_name")
    if "conversation_id" in fields or "cursor_version" in fields:
        return "cursor"
    if "turn_id" in fields or "rollout-" in _text(fields, "transcript_path"):
        return "codex"
    if "timestamp" in fields or (called in NAMES["gemini"] and called not in _CLAUDE_CODE):
        return "gemini"
    return "cursor" if called[:1].islower() else "claude-code"


def write_answer(event: HookEvent, block: str) -> str:
    """Write a block as the answer to an event; "" without one, and where the event takes none.

    Characters beyond ASCII are written out: whatever the encoding of standard output is, it arrives.
    """
    if not block or event.moment not in (START, PROMPT):
        return ""
    said = write_ascii(block).decode()
    if event.harness == "cursor":
        return (
            f'{{"continue":true,"additional_context":{said}}}'
            if event.moment == PROMPT
            else (f'{{"additional_context":{said}}}')
        )
    name = NAMES[event.harness][MOMENTS.index(event.moment)]
    return f'{{"hookSpecificOutput":{{"hookEventName":"{name}","additionalContext":{said}}}}}'


def digest(content: bytes, length: int = 32) -> str:
    """Return hexadecimal digits that stand for some bytes."""
    from hashlib import sha256  # takes long to import, and most hooks do without

    return sha256(content).hexdigest()[:length]


def _text(fields: dict[str, object], name: str) -> str:
    """Return a text that can be written anywhere: halves of characters are signs of what is missing."""
    value = fields.get(name)
    if not isinstance(value, str):
        return ""
    return value if value.isascii() else value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _path(value: object) -> str:
    return value if isinstance(value, str) and len(value) <= LONGEST_PATH and "\0" not in value else ""


def _folded(name: str) -> str:
    return "".join(each for each in name.lower() if each.isalnum())


_BY_NAME = {
    _folded(name): moment for names in (*NAMES.values(), MOMENTS) for name, moment in zip(names, MOMENTS, strict=True)
}
