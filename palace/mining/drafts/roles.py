"""Which role a name stands for: words that programs use in their formats, and that people write above what was said."""

from __future__ import annotations

import re

from palace.mining.drafts.written import MARKS
from palace.models import Role

ROLES = {
    **dict.fromkeys(("user", "human", "prompter"), Role.USER),
    **dict.fromkeys(("assistant", "model", "ai", "gpt", "chatgpt", "bot", "chatbot"), Role.ASSISTANT),
    **dict.fromkeys(("system", "developer"), Role.SYSTEM),
    **dict.fromkeys(("tool", "function", "tool_call", "function_call", "observation"), Role.TOOL),
    **dict.fromkeys(("tool_response", "function_response", "tool_result"), Role.TOOL),
}
"""What programs call them."""

_GENERIC = {
    Role.USER: "user|human|me|you|prompt",
    Role.ASSISTANT: "assistant|ai|ai assistant|bot|chatbot|model",
    Role.SYSTEM: "system|developer",
    Role.TOOL: "tool|function|tool result|tool output",
}
_MODELS = (
    r"chatgpt|gpt|(?:chat)?gpt-[\w.\- ]+|claude(?: [\w.\- ]+)?|gemini(?: [\w.\- ]+)?|copilot|github copilot|bard|grok"
    r"|deepseek|mistral|llama|perplexity|cursor|windsurf|cascade|codex|opencode|assistant \([^()]+\)"
    r"|agent \([\w.\- ]+\)|agent - sidechain(?: \([\w.\- ]+\))?"
)
_IS_GENERIC = re.compile("|".join(_GENERIC.values()))
_PATTERNS = {role: re.compile(words) for role, words in _GENERIC.items()}
_PATTERNS[Role.ASSISTANT] = re.compile(f"{_GENERIC[Role.ASSISTANT]}|{_MODELS}")
_MARKS = re.compile(f"[{MARKS}]")


def role_of(name: str) -> Role | None:
    """Return the role that a label's name stands for, None for any other name."""
    return next((role for role, words in _PATTERNS.items() if words.fullmatch(_folded(name))), None)


def speaker_of(name: str) -> str | None:
    """Return the speaker's name, None where it is but a word for a role."""
    bare = _MARKS.sub("", name).strip()
    return None if _IS_GENERIC.fullmatch(_folded(bare)) else bare.removesuffix(" said").lstrip("~ ")


def _folded(name: str) -> str:
    return name.casefold().removesuffix(" said")
