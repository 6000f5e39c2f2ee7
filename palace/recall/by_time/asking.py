"""Whether a query asks for a time and for nothing else, and for which. Pure."""

from __future__ import annotations

import re
from datetime import timedelta

from palace.recall.by_time.vocabulary import says_nothing_else
from palace.recall.by_time.words import without
from palace.recall.intent import Intent
from palace.recall.request import RecallRequest
from palace.records import Span
from palace.text.times import TimeWindow

LATELY = timedelta(days=14)
"""How far back "lately" goes."""

_VAGUE = re.compile(
    r"\b(?:lately|recently|of late|(?:in|over) (?:the )?recent (?:days|weeks|times)|these (?:last )?(?:few )?days"
    r"|in (?:der )?letzter Zeit|in der letzten Zeit|neulich|kürzlich|letztens|jüngst|zuletzt)\b",
    re.IGNORECASE,
)


def times_alone(request: RecallRequest, intent: Intent) -> tuple[TimeWindow, ...]:
    """Give the times that are all a query asks for; none where it asks for anything else, or for no time."""
    windows = (*intent.windows, *_vague(request.query, intent))
    if not windows:
        return ()
    rest = without(request.query, [window.span for window in windows])
    is_ahead = all(window.end > intent.now for window in windows)
    return windows if says_nothing_else(rest, is_ahead=is_ahead) else ()


def _vague(query: str, intent: Intent) -> list[TimeWindow]:
    now = intent.now
    found = (Span(each.start(), each.end()) for each in _VAGUE.finditer(query))
    free = [span for span in found if all(_apart(span, window.span) for window in intent.windows)]
    start, _ = TimeWindow(now, now, Span(0, 0), LATELY).widest
    return [TimeWindow(start, now, span, timedelta(), is_relative=True) for span in free]


def _apart(one: Span, other: Span) -> bool:
    return one.end <= other.start or other.end <= one.start
