"""The events of coding agents, by what they are to memory. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum


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
ANSWERS = frozenset({Moment.START, Moment.PROMPT})
"""The moments that are answered with a block."""

NAMES: Mapping[Harness, Mapping[str, Moment]] = {
    Harness.CLAUDE_CODE: {
        "SessionStart": Moment.START,
        "UserPromptSubmit": Moment.PROMPT,
        "Stop": Moment.STOP,
        "PreCompact": Moment.COMPACT,
        "SessionEnd": Moment.END,
    },
    Harness.CODEX: {
        "SessionStart": Moment.START,
        "UserPromptSubmit": Moment.PROMPT,
        "Stop": Moment.STOP,
        "PreCompact": Moment.COMPACT,
        "SessionEnd": Moment.END,
    },
    Harness.GEMINI: {
        "SessionStart": Moment.START,
        "BeforeAgent": Moment.PROMPT,
        "AfterAgent": Moment.STOP,
        "PreCompress": Moment.COMPACT,
        "SessionEnd": Moment.END,
    },
    Harness.CURSOR: {
        "sessionStart": Moment.START,
        "beforeSubmitPrompt": Moment.PROMPT,
        "stop": Moment.STOP,
        "preCompact": Moment.COMPACT,
        "sessionEnd": Moment.END,
    },
}
"""What each program calls the events that matter; of all others nothing is made."""

_FORGETS = frozenset({"clear", "compact"})


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

    @property
    def forgets(self) -> bool:
        """Whether the model sees nothing any more of what was injected before."""
        return self.moment is Moment.START and self.source in _FORGETS


def moment_of(name: str) -> Moment:
    """Tell what an event is by what any program calls it, or by Palace's own word.

    >>> moment_of("BeforeAgent"), moment_of("session-start"), moment_of("PostToolUse")
    (<Moment.PROMPT: 'prompt'>, <Moment.START: 'session-start'>, <Moment.OTHER: 'other'>)
    """
    return _MOMENTS.get(_folded(name), Moment.OTHER)


def name_for(harness: Harness, moment: Moment) -> str:
    """Give what a program calls a moment; "" where it has no such event."""
    return next((name for name, known in NAMES[harness].items() if known is moment), "")


def _folded(name: str) -> str:
    return "".join(character for character in name.lower() if character.isalnum())


_MOMENTS: Mapping[str, Moment] = {
    **{_folded(name): moment for names in NAMES.values() for name, moment in names.items()},
    **{_folded(moment.value): moment for moment in Moment},
}
