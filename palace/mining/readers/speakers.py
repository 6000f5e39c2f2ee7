"""Who speaks, as a plain-text or Markdown transcript labels it.

Labels looked for at the beginning of a line: ``User: …``, ``**User:** …``, ``### User``, ``Derek (10:32):
…``, ``[10:32] Derek: …`` and ``05/01/2024, 10:32 - Derek: …``.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import NamedTuple

from palace.mining.readers.lines import Line
from palace.records import Role

_MARK = r"(?:[\u2190-\u2bff\U0001f300-\U0001faff]\ufe0f?[ ]?)?"
_NAME = r"(?P<name>@?[^\W\d_][\w.'’\-]{0,30}(?: [\w.'’\-&]{1,30}){0,3})"
_TIME = r"(?:[ \t]*[(\[](?P<time>[^()\[\]]{0,30}(?:\d:\d\d|\d{4}-\d\d)[^()\[\]]{0,30})[)\]])?"
_STAMP = (
    r"(?:\[(?P<time>[^\[\]]{0,30}\d:\d\d[^\[\]]{0,30})\]"
    r"|(?P<date>\d{1,4}[./-]\d{1,2}[./-]\d{1,4},? \d{1,2}:\d\d[^-]{0,8}) -)"
)
_REST = r"(?:[ \t](?P<rest>.*)|[ \t]*)"
_STYLES = {
    "heading": re.compile(rf"#{{1,6}}[ \t]+{_MARK}(?:\*\*)?{_NAME}(?:\*\*)?{_TIME}[ \t]*:?(?:\*\*)?[ \t]*#*[ \t]*"),
    "bold": re.compile(rf"{_MARK}(?P<bold>\*\*|__){_MARK}{_NAME}{_TIME}[ \t]*(?::(?P=bold)|(?P=bold)[ \t]*:){_REST}"),
    "bold line": re.compile(rf"{_MARK}(?P<bold>\*\*|__){_MARK}{_NAME}{_TIME}(?P=bold)[ \t]*"),
    "stamped": re.compile(rf"{_STAMP}[ \t]*(?:\*\*)?{_NAME}(?::\*\*|(?:\*\*)?:){_REST}"),
    "plain": re.compile(rf"{_MARK}{_NAME}{_TIME}[ \t]*:{_REST}"),
}
_ROLE_STYLES = frozenset({"heading", "bold line"})
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
_ROLE_PATTERNS = {role: re.compile(words) for role, words in _ROLES.items()}
_GENERIC = re.compile(
    rf"{_ROLES[Role.USER]}|{_ROLES[Role.SYSTEM]}|{_ROLES[Role.TOOL]}"
    r"|assistant|ai|ai assistant|bot|chatbot|model"
)
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


class Label(NamedTuple):
    """A place in a text where somebody begins to speak."""

    style: str
    name: str
    time: str | None
    start: int
    """Where its line begins in the whole text."""
    content: int
    """Where what is said begins."""
    has_text: bool
    """Whether that is on the same line."""


def find_labels(lines: list[Line]) -> list[Label]:
    """Find the labels that make a text a transcript, in order; none where it is not one.

    Code is never looked into, and one text has one style of labels: the first that makes sense. It does when
    a user and an assistant speak, when at least two labels carry a time, or, where the text begins with a
    label, when two names take turns and come back with no heading between them.
    """
    candidates: dict[str, list[Label]] = {}
    for line in lines:
        label = None if line.is_code else _label(line)
        if label:
            candidates.setdefault(label.style, []).append(label)
    begin = _chat_begin(lines)
    return next((said for labels in candidates.values() if (said := _speaking(labels, begin))), [])


def role_of(name: str) -> Role | None:
    """Give the role that a label's name stands for, None for any other name."""
    return next((role for role, words in _ROLE_PATTERNS.items() if words.fullmatch(_folded(name))), None)


def speaker_of(name: str) -> str | None:
    """Give the speaker's name, None where it is but a word for a role."""
    return None if _GENERIC.fullmatch(_folded(name)) else name.removesuffix(" said")


def _folded(name: str) -> str:
    return name.casefold().removesuffix(" said")


def _label(line: Line) -> Label | None:
    for style, pattern in _STYLES.items():
        found = pattern.fullmatch(line.text)
        if found is None or (style in _ROLE_STYLES and role_of(found["name"]) is None):
            continue
        groups = found.groupdict()
        rest = groups.get("rest")
        content = line.start + found.start("rest") if rest else line.end
        time = groups.get("time") or groups.get("date")
        level = f"{style} {line.text.count('#')}" if style == "heading" else style
        return Label(level, found["name"], time, line.start, content, bool(rest))
    return None


def _chat_begin(lines: list[Line]) -> int | None:
    """Give where a text begins below its headings; None where headings follow, as they do in no chat of people."""
    headings = {line.start for line in lines if line.text.startswith("#") and not line.is_code}
    begin = next((line.start for line in lines if line.text.strip() and line.start not in headings), 0)
    return begin if max(headings, default=0) <= begin else None


def _speaking(labels: list[Label], chat_begin: int | None) -> list[Label]:
    known = [label for label in labels if role_of(label.name)]
    if {Role.USER, Role.ASSISTANT} <= {role_of(label.name) for label in known}:
        return known
    named = [label for label in labels if role_of(label.name) or _is_name(label.name)]
    timed = [label for label in named if label.time]
    if len(timed) >= 2:
        return timed
    if not named or named[0].start != chat_begin:
        return []
    counts = Counter(label.name for label in named)
    if len(counts) > 2:
        named = [label for label in named if role_of(label.name) or counts[label.name] > 1]
    return named if len({label.name for label in named}) > 1 and max(counts.values()) > 1 else []


def _is_name(name: str) -> bool:
    words = name.split()
    is_proper = name.startswith("@") or all(word[:1].isupper() or not word[:1].isalpha() for word in words)
    return is_proper and not any(_NOT_A_NAME.fullmatch(word.casefold()) for word in words)
