"""Passwords that were, beside those that are, and those that answer a question in the same message. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator

from palace.nlp.rules import late, rules
from palace.nlp.secrets.findings import PASSWORD, Finding, Page, led_by
from palace.nlp.secrets.values import core, is_placeholder, is_strong

_RULES = rules("secrets", "beside")

_CHANGED = late(r"chang|switch|updat|reset|rotat|änder|gesetzt|gewechselt|umgestellt|cambi|modifi|pass[ée]\b")
_WORD = late(r"\S{1,120}")
_ENDED = late(r"[.!,;\"'”`)]{0,3}(?:\s*\n|\s*$)|[.!,;]\s")


def find_changed(page: Page) -> Iterator[Finding]:
    """Find them."""
    for found in led_by(page.lower, _RULES["change_from"], _RULES.table("change_names")):
        if _CHANGED.search(page.lower, max(0, found.start() - 60), found.end() + 40):
            yield from _both(page, found)
    for found in led_by(page.lower, _RULES["change_no_more"], _RULES.table("change_names")):
        yield from _both(page, found)
    for found in led_by(page.lower, _RULES["change_asked"], _RULES.table("change_names")):
        yield from _answer(page, found)


def _both(page: Page, found: re.Match[str]) -> Iterator[Finding]:
    """Find the old one and the new one; both have to look like one."""
    words = [core(page.text[slice(*found.span(group))], found.start(group)) for group in (1, 2)]
    if all(is_strong(value) for value, _ in words):
        for value, start in words:
            yield Finding(start, start + len(value), PASSWORD, "prose")


def _answer(page: Page, found: re.Match[str]) -> Iterator[Finding]:
    word = _WORD.match(page.text, found.end())
    if word is None:
        return
    value, start = core(word.group(), word.start())
    is_quoted = word.group()[0] in "\"'`“„«" and found["said"] and len(value) >= 6 and value.isalnum()
    if (is_strong(value) or (is_quoted and not is_placeholder(value))) and _ENDED.match(page.text, start + len(value)):
        yield Finding(start, start + len(value), PASSWORD, "prose")
