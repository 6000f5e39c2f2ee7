"""The events of coding agents: what each sends to a hook, and how it is answered. Pure, and quick to import.

An event is a JSON object whose fields may be missing or of any type. Codex fails a hook for an unknown key, Gemini
shows whatever is no JSON, and for all of them a hook without an answer writes nothing at all.
"""

from __future__ import annotations

from palace_hook.fast_json import read_json, write_ascii

MOST_BYTES = 8 << 20
"""Bytes of an event, at most; more than a prompt with pasted files. Larger ones are refused."""
LONGEST_PATH = 4096
LONGEST_NAME = 200
"""Characters of a session's id; a longer one is replaced by its digest."""
MOMENTS = START, PROMPT, STOP, COMPACT, END = ("session-start", "prompt", "stop", "pre-compact", "session-end")
"""The moments that events mean to memory: a session starts, continues or was cleared; a person sent a prompt; the agent
has answered; the conversation is about to be compacted; the session has ended."""
TOOLS = BEFORE, AFTER = ("before-tool", "after-tool")
"""Further moments: the agent is about to use a tool; it has used it, or failed to."""
OTHER = "other"
"""Any other event, at which nothing is done."""
FILES = (STOP, COMPACT, END)
"""The moments at which a transcript is left to be mined."""
_CLAUDE_CODE = ("SessionStart", "UserPromptSubmit", "Stop", "PreCompact", "SessionEnd")
NAMES = {
    "claude-code": _CLAUDE_CODE,
    "codex": _CLAUDE_CODE,
    "gemini": ("SessionStart", "BeforeAgent", "AfterAgent", "PreCompress", "SessionEnd"),
    "qwen": _CLAUDE_CODE,
    "opencode": _CLAUDE_CODE,
    "cursor": ("sessionStart", "beforeSubmitPrompt", "stop", "preCompact", "sessionEnd"),
}
"""The names of the moments in each supported program."""
_TOOL_USE = {"PreToolUse": BEFORE, "PostToolUse": AFTER, "PostToolUseFailure": AFTER}
TOOL_NAMES: dict[str, dict[str, str]] = {
    "claude-code": _TOOL_USE,
    "codex": {"PreToolUse": BEFORE, "PostToolUse": AFTER},
    # What is said before a tool call does not reach the models of these three.
    "gemini": {"AfterTool": AFTER},
    "qwen": {"PostToolUse": AFTER, "PostToolUseFailure": AFTER},
    "opencode": {"PostToolUse": AFTER},
    "cursor": {"preToolUse": BEFORE, "postToolUse": AFTER, "postToolUseFailure": AFTER},
}
"""The events around tools that take context in each supported program, with their moments."""


class Unintelligible(ValueError):
    """The input is no event; the message is a one-word reason that quotes nothing."""


class HookEvent:
    """One event; "" stands for missing fields."""

    def __init__(self, fields: dict[str, object], harness: str, moment: str, folder: str) -> None:
        self.harness = harness
        self.moment = moment
        self.fields = fields
        session = _text(fields, "session_id") or _text(fields, "conversation_id")
        self.session = session if len(session) <= LONGEST_NAME else digest(session.encode(), 64)
        roots = fields.get("workspace_roots")
        root = _path(roots[0]) if isinstance(roots, list) and roots else ""
        self.folder = _path(fields.get("cwd")) or root or folder
        """The program's working folder."""
        self.transcript = _path(fields.get("transcript_path"))
        """The file with the session's transcript."""
        self.prompt = _text(fields, "prompt")
        self.source = _text(fields, "source") or _text(fields, "trigger")
        """Why a session starts: "startup", "resume", "clear" or "compact"."""
        self.is_of_agent = bool(_text(fields, "agent_id"))
        """Whether a subagent caused it, not a person."""


def read_event(text: str, *, event: str = "", harness: str | None = None, folder: str = "") -> HookEvent:
    """Parse an event; ``event`` and ``harness`` are from the command line, ``folder`` is the process's working folder.

    The name in the event takes precedence over the one on the command line. A missing or invalid field is "".

    Raises:
        Unintelligible: it is no JSON object, too large, or of an unknown program.
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
    """Return the moment of an event's name in any program, or in Palace itself.

    >>> moment_of("BeforeAgent"), moment_of("session-start"), moment_of("PostToolUse"), moment_of("Notification")
    ('prompt', 'session-start', 'after-tool', 'other')
    """
    return _BY_NAME.get(_folded(name), OTHER)


def harness_of(fields: dict[str, object]) -> str:
    """Return the program that sent these fields, by the fields that only it has."""
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

    Characters beyond ASCII are escaped, so that the encoding of standard output does not matter.
    """
    start, prompt, *_ = NAMES[event.harness]
    names = {start: START, prompt: PROMPT, **TOOL_NAMES[event.harness]}
    fitting = [name for name, moment in names.items() if moment == event.moment]
    if not block or not fitting:
        return ""
    called = _folded(_text(event.fields, "hook_event_name"))
    name = next((each for each in fitting if _folded(each) == called), fitting[0])
    said = write_ascii(block).decode()
    if event.harness == "cursor":
        return (
            f'{{"continue":true,"additional_context":{said}}}'
            if event.moment == PROMPT
            else (f'{{"additional_context":{said}}}')
        )
    return f'{{"hookSpecificOutput":{{"hookEventName":"{name}","additionalContext":{said}}}}}'


def digest(content: bytes, length: int = 32) -> str:
    """Return the first hexadecimal digits of the SHA-256 of some bytes."""
    from hashlib import sha256  # takes long to import, and most hooks do without

    return sha256(content).hexdigest()[:length]


def _text(fields: dict[str, object], name: str) -> str:
    """Return a string field that can be encoded; lone surrogates are replaced."""
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
} | {_folded(name): moment for name, moment in (*_TOOL_USE.items(), ("BeforeTool", BEFORE), ("AfterTool", AFTER))}
