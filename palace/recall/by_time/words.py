"""The words of a query that tell its time, marked: they speak for a drawer only where its time is meant."""

from __future__ import annotations

from collections.abc import Iterable

from palace.recall.intent import Intent
from palace.recall.request import RecallRequest
from palace.records import Span
from palace.store.candidates.timed import mark_times
from palace.store.candidates.words import QueryWords, TimeWords
from palace.store.database import UserSession


def timed(
    session: UserSession, words: QueryWords, request: RecallRequest, intent: Intent, *, share: float
) -> QueryWords:
    """Mark the words of a query's times; what is left of their weight where another time is meant is the ``share``.

    Of those alone that are told from the moment of speaking: who speaks of the 19th of March means a day of that name.
    """
    spans = [window.span for window in intent.windows if window.is_relative]
    if not spans:
        return words
    around = TimeWords(around=[window.widest for window in intent.windows], share=share)
    told = " . ".join(request.query[span.start : span.end] for span in spans)
    return mark_times(session, words, around, told=told, rest=without(request.query, spans))


def without(text: str, spans: Iterable[Span]) -> str:
    """Leave out spans of a text, each for a space."""
    for span in sorted(spans, reverse=True):
        text = f"{text[: span.start]} {text[span.end :]}"
    return text
