"""Times that pin a day, a month, a year, a feast or a clock time, where they stand."""

from __future__ import annotations

from collections.abc import Iterator

from palace.models import Span
from palace.nlp.names.page import Page
from palace.nlp.rules import caseless, rules

_RULES = rules("names", "times")
_OTHERS = frozenset({"fr", "es", "ru", "zh"})


def time_spans(page: Page) -> Iterator[Span]:
    """Iterate over the times of a message in order, without overlap."""
    language = page.language or "en"
    spans = [Span(*found.span("time")) for found in _RULES["shortened"].finditer(page.text)]
    if language in ("de", *_OTHERS):
        spans += (Span(*found.span()) for found in _RULES[language].finditer(page.text))
    if language == "de" or (language not in _OTHERS and caseless(_RULES.source("hint")).search(page.text)):
        times = (Span(*found.span()) for found in caseless(_RULES.source("en")).finditer(page.text))
        spans += (span for span in times if not _is_verb(page.text[slice(*span)]))
    end = 0
    for span in sorted(spans, key=lambda span: (span.start, -span.end)):
        if span.start >= end:
            yield span
            end = span.end


def _is_verb(written: str) -> bool:
    is_month = written.endswith(("May", "March"))
    return _RULES["may_verb"].fullmatch(written) is not None and not is_month
