"""Who speaks, as a plain-text or Markdown transcript labels it: which labels make a text a conversation."""

from __future__ import annotations

import re
from collections import Counter

from palace.mining.readers.labels import Label, find_label
from palace.mining.readers.lines import Line
from palace.mining.readers.written import MARKS
from palace.records import Role

_ROLE_STYLES = ("heading", "bold line")
"""Headings of every kind look like these, so only words for roles count there."""

_ROLES = {
    Role.USER: "user|human|me|you|prompt",
    Role.ASSISTANT: (
        r"assistant|ai|ai assistant|bot|chatbot|model|chatgpt|gpt|(?:chat)?gpt-[\w.\- ]+|claude(?: [\w.\- ]+)?"
        r"|gemini(?: [\w.\- ]+)?|copilot|github copilot|bard|grok|deepseek|mistral|llama|perplexity"
    ),
    Role.SYSTEM: "system|developer",
    Role.TOOL: "tool|function|tool result|tool output",
}
_RECURRING = frozenset({"clock", "line"})
"""What timetables look like as well: one name has to come back there."""
_PARTICLE = re.compile(
    "von|van|der|den|de|del|della|di|da|do|dos|du|la|le|bin|ibn|al|el|y|e|zu|und|and|of|the", re.IGNORECASE
)
"""Words of a name that are written small."""
_ROLE_PATTERNS = {role: re.compile(words) for role, words in _ROLES.items()}
_GENERIC = re.compile(
    rf"{_ROLES[Role.USER]}|{_ROLES[Role.SYSTEM]}|{_ROLES[Role.TOOL]}"
    r"|assistant|ai|ai assistant|bot|chatbot|model"
)
_MARKS = re.compile(f"[{MARKS}]")
_NOT_A_NAME = re.compile(
    r"received|(?:content|mime|message|return|delivered|reply|user|list|x|in)-.+|"
    r"note|notes|tip|tips|hint|warning|caution|important|example|examples|todo|done|fixme|"
    r"ps|nb|edit|update|summary|result|results|conclusion|introduction|background|overview|"
    r"goal|goals|plan|step|steps|task|tasks|question|questions|answer|answers|q|a|pro|"
    r"pros|con|cons|reason|why|how|what|when|where|who|which|problem|solution|cause|"
    r"effect|before|after|input|output|expected|actual|title|subject|from|to|cc|bcc|date|"
    r"time|re|fwd|author|authors|tags|tag|category|source|sources|url|link|links|http|"
    r"https|see|also|name|names|age|email|phone|address|city|country|id|type|status|"
    r"price|cost|total|amount|quantity|size|color|colour|weight|height|width|version|"
    r"description|details|location|place|duration|ingredients|instructions|method|directions|"
    r"preparation|serves|servings|yield|equipment|shopping|error|info|debug|trace|warn|"
    r"fatal|critical|notice|key|value|file|path|host|port|password|username|login|server|"
    r"client|monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|february|"
    r"march|april|may|june|july|august|september|october|november|december|today|tomorrow|"
    r"yesterday|morning|afternoon|evening|night|first|second|third|next|finally|then"
)


def find_labels(lines: list[Line], first: int = 0) -> list[Label]:
    """Find the labels that make the lines from ``first`` on a transcript, in order; none where they are none.

    Code is never looked into, and one text has one style of labels: the first that makes sense. It does when
    a user and an assistant speak, when at least two labels carry a time, or, where the text begins with a
    label, when two names take turns and come back with no heading between them.
    """
    candidates: dict[str, list[Label]] = {}
    for number, line in enumerate(lines[first:], first + 1):
        label = None if line.is_code else find_label(line, number)
        if label and not (label.style.startswith(_ROLE_STYLES) and role_of(label.name) is None):
            candidates.setdefault(label.style, []).append(label)
    begin = _chat_begin(lines[first:])
    return next((said for labels in candidates.values() if (said := _speaking(labels, begin))), [])


def role_of(name: str) -> Role | None:
    """Give the role that a label's name stands for, None for any other name."""
    return next((role for role, words in _ROLE_PATTERNS.items() if words.fullmatch(_folded(name))), None)


def speaker_of(name: str) -> str | None:
    """Give the speaker's name, None where it is but a word for a role."""
    bare = _MARKS.sub("", name).strip()
    return None if _GENERIC.fullmatch(_folded(bare)) else bare.removesuffix(" said").lstrip("~ ")


def _folded(name: str) -> str:
    return name.casefold().removesuffix(" said")


def _chat_begin(lines: list[Line]) -> int | None:
    """Give where a text begins below its headings; None where headings follow, as they do in no chat of people."""
    headings = {line.start for line in lines if line.text.startswith("#") and not line.is_code}
    begin = next((line.start for line in lines if line.text.strip() and line.start not in headings), 0)
    return begin if max(headings, default=0) <= begin else None


def _speaking(labels: list[Label], chat_begin: int | None) -> list[Label]:
    known = [label for label in labels if role_of(label.name)]
    if {Role.USER, Role.ASSISTANT} <= {role_of(label.name) for label in known}:
        return known
    named = [label for label in labels if role_of(label.name) or is_name(label.name, timed=label.time is not None)]
    timed = _timed(labels, named)
    if timed:
        return timed
    if not named or named[0].start != chat_begin:
        return []
    counts = Counter(label.name for label in named)
    if len(counts) > 2:
        named = [label for label in named if role_of(label.name) or counts[label.name] > 1]
    return named if len({label.name for label in named}) > 1 and max(counts.values()) > 1 else []


def _timed(labels: list[Label], named: list[Label]) -> list[Label]:
    """Give the labels of a text in which names carry times: all with a time, and those of the same names."""
    timed = [label for label in named if label.time]
    counts = Counter(label.name for label in timed)
    needed = 1 + (labels[0].style in _RECURRING)
    if len(timed) < 2 or max(counts.values()) < needed:
        return []
    if labels[0].style == "plain":
        return [label for label in named if label.time or label.name in counts]
    return [label for label in labels if label.time]


def is_name(name: str, *, timed: bool = False) -> bool:
    """Tell a name from any other words before a colon; beside a time a single small word may be one."""
    words = [word.strip("()") for word in name.split()]
    if not words or any(_NOT_A_NAME.fullmatch(word.casefold()) for word in (words[:1] if timed else words)):
        return False
    if name.startswith("@") or "@" in words[0]:
        return True
    if timed and len(words) == 1:
        return any(character.isalpha() for character in name)
    return not words[0][:1].islower() and all(not word[:1].islower() or _PARTICLE.fullmatch(word) for word in words[1:])
