"""Private keys in PEM and PGP blocks, complete or cut off. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from palace.nlp.rules import late, rules
from palace.nlp.secrets.findings import PRIVATE_KEY, Finding, Page

_RULES = rules("secrets", "values")

_BEGIN = late(r"-----BEGIN (?:[A-Z0-9]{1,12} ){0,4}PRIVATE KEY(?: BLOCK)?-----")
_END = late(r"(?:[ \t>|]|\\[nr]|\s)*-----END (?:[A-Z0-9]{1,12} ){0,4}PRIVATE KEY(?: BLOCK)?-----")
_TAIL = late(r"-----END (?:[A-Z0-9]{1,12} ){0,4}PRIVATE KEY(?: BLOCK)?-----")
_LINE = late(r"[A-Za-z0-9+/=]{16,120}")
_LEAST = 24
"""Fewest characters of a key's body; with fewer, the text only mentions a key."""
_MOST_LINES = 400


def find_private_keys(page: Page) -> Iterator[Finding]:
    """Find private keys, each with its BEGIN and END line."""
    text = page.text
    if "PRIVATE KEY" in text:
        yield from _blocks(text)
        yield from _ends(text)


def _blocks(text: str) -> Iterator[Finding]:
    done = 0
    for begin in _BEGIN.finditer(text):
        if begin.start() < done:
            continue
        end = body = begin.end()
        while header := _RULES["header"].match(text, end):
            end = body = header.end()
        seen = 0
        while line := _RULES["body"].match(text, end):
            if _is_word(line.group()):
                break
            seen += len(line.group().strip())
            end = line.end()
        last = _END.match(text, end)
        if seen >= _LEAST:
            done = last.end() if last else end
            yield Finding(begin.start(), done, PRIVATE_KEY, "pem")
        else:
            done = body


def _is_word(line: str) -> bool:
    """Check whether a line is prose and no part of a key: short, without digits and signs."""
    body = line.strip(" \t\r\n>|#*/\"'+,\\")
    return len(body) < 24 and "=" not in body and not any(letter.isdigit() or letter in "+/" for letter in body)


def _ends(text: str) -> Iterator[Finding]:
    """Find keys whose BEGIN line is missing."""
    for tail in _TAIL.finditer(text):
        lines = 0
        start = place = tail.start()
        while lines < _MOST_LINES:
            before = text.rfind("\n", 0, max(0, place - 1)) + 1 if place else 0
            line = text[before:place].strip(" \t\r\n>|") if place - before < 200 else ""
            if not _LINE.fullmatch(line):
                break
            start, place, lines = before, before, lines + 1
        if lines:
            yield Finding(start, tail.end(), PRIVATE_KEY, "pem-end")
