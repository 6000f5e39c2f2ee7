"""Who speaks, as a plain-text or Markdown transcript labels it: which labels make a text a conversation."""

from __future__ import annotations

import re
from bisect import bisect
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from palace.mining.readers.times.file_dates import day_mark
from palace.mining.readers.times.written import MARKS
from palace.mining.readers.transcripts.labels import BULLET, OWN_LINE, ZOOM, Label, find_label
from palace.mining.readers.transcripts.lines import Line
from palace.records import Role

_ROLE_STYLES = ("heading", "bold line")
"""Headings of every kind look like these, so only words for roles count there."""

_ROLES = {
    Role.USER: "user|human|me|you|prompt",
    Role.ASSISTANT: (
        r"assistant|ai|ai assistant|bot|chatbot|model|chatgpt|gpt|(?:chat)?gpt-[\w.\- ]+|claude(?: [\w.\- ]+)?"
        r"|gemini(?: [\w.\- ]+)?|copilot|github copilot|bard|grok|deepseek|mistral|llama|perplexity"
        r"|agent \([\w.\- ]+\)|agent - sidechain(?: \([\w.\- ]+\))?"
    ),
    Role.SYSTEM: "system|developer",
    Role.TOOL: "tool|function|tool result|tool output",
}
_RECURRING = frozenset({"clock", "line", OWN_LINE})
"""What timetables look like as well: one name has to come back there."""
_ABOVE = frozenset({"line", OWN_LINE})
"""Those below which the text stands."""
_HALF_DAY = re.compile(r"\d ?[ap]\.? ?m\b", re.IGNORECASE)
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
    r"yesterday|morning|afternoon|evening|night|first|second|third|next|finally|then|"
    r"breakfast|lunch|dinner|supper|snack|weather|mood|sleep|food|exercise|workout|work|gratitude|grateful|"
    r"fix|fixed|fixes|bug|feature|feat|change|changed|chore|docs|refactor|remove|removed|deprecated|security|test|tests"
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
    said = lines[first:]
    begin = _chat_begin(said)
    for found in candidates.values():
        labels = _speaking(found, begin)
        if any(label.time for label in labels) or (labels and _fits_days(labels, said)):
            return labels
    return []


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
    headings = {line.start for line in lines if line.text.startswith("#") and not line.is_code and not _tells_day(line)}
    others = (line for line in lines if line.text.strip() and line.start not in headings and not _tells_day(line))
    begin = next((line.start for line in others), 0)
    return begin if max(headings, default=0) <= begin else None


def _tells_day(line: Line) -> bool:
    return day_mark(line, 0) is not None


def _fits_days(labels: list[Label], lines: list[Line]) -> bool:
    """Tell a conversation from dated notes with fields (``Weather: …``), where labels have no times.

    Below a first line that tells a day, and every other, somebody speaks; and within a day somebody comes back, or
    people speak in another order than on the days before.
    """
    said = [line for line in lines if line.text.strip()]
    days = days_of(said)
    if not days or days[0] > labels[0].start or any(role_of(label.name) is Role.ASSISTANT for label in labels):
        return True
    above, speaking = set(days), {*(label.start for label in labels), *days}
    if any(below.start not in speaking for line, below in pairwise(said) if line.start in above):
        return False
    return take_turns([(label.start, label.name) for label in labels], days)


def days_of(lines: list[Line]) -> list[int]:
    """List where the lines begin that tell a day and nothing else."""
    return [line.start for line in lines if _tells_day(line)]


def take_turns(names: Sequence[tuple[int, str]], days: list[int]) -> bool:
    """Tell people from the fields of a diary, which stand below each day once and in the same order.

    ``names`` come with the places where their lines begin, ``days`` are such places.
    """
    ranks = {name: rank for rank, name in enumerate(dict.fromkeys(name for _, name in names))}
    placed = [(bisect(days, start), ranks[name]) for start, name in names]
    return any(day == other and after <= before for (day, before), (other, after) in pairwise(placed))


def _speaking(labels: list[Label], chat_begin: int | None) -> list[Label]:
    style = labels[0].style
    known = [label for label in labels if role_of(label.name)]
    if not style.startswith(BULLET) and {Role.USER, Role.ASSISTANT} <= {role_of(label.name) for label in known}:
        return known
    named = [label for label in labels if role_of(label.name) or is_name(label.name, timed=_is_timed(label))]
    if style == ZOOM:
        return labels if len(labels) > 1 else []
    timed = _timed(labels, named)
    if timed:
        return timed
    if not named or named[0].start != chat_begin:
        return []
    counts = Counter(label.name for label in named)
    if len(counts) > 2:
        named = [label for label in named if role_of(label.name) or counts[label.name] > 1]
    return named if len({label.name for label in named}) > 1 and max(counts.values()) > 1 else []


def _is_timed(label: Label) -> bool:
    return label.time is not None and label.style != OWN_LINE


def _timed(labels: list[Label], named: list[Label]) -> list[Label]:
    """Give the labels of a text in which names carry times: all with a time, and those of the same names."""
    timed = [label for label in named if label.time]
    counts = Counter(label.name for label in timed)
    style = labels[0].style
    is_above = style in _ABOVE and all(below.line - label.line > 1 for label, below in pairwise(timed))
    is_sure = is_above and all(_HALF_DAY.search(label.time or "") for label in timed)
    needed = 1 + ((style in _RECURRING and not is_sure) or style.startswith(BULLET))
    if len(timed) < 2 or max(counts.values()) < needed:
        return []
    if (style == OWN_LINE or style.startswith(BULLET)) and len(counts) < 2:
        return []
    if style == OWN_LINE:
        return timed if is_above else []
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
