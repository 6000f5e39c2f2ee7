"""What changes between two texts, for a person to look at. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection
from difflib import unified_diff

CONTEXT = 2
LONGEST = 200
"""Characters of a line that are shown."""
INDENT = "  "

_PART = re.compile(r'"(?:[^"\\]|\\.)*+"?|[\[\]{},]|[^"\[\]{},]+', re.DOTALL)


def difference(before: str, after: str, file: str) -> str:
    """Write the difference line by line; nothing where there is none.

    Where a long line changes, as where all of a file is one, it is written as several.
    """
    old, new = before.splitlines(), after.splitlines()
    changed = set(old) ^ set(new)
    if any(len(line) > LONGEST for line in changed):
        old, new = ([part for line in lines for part in _parts(line, changed)] for lines in (old, new))
    # Long files that differ in a few lines: what is the same at both ends is not compared.
    head = _same(old, new)
    tail = min(_same(old[::-1], new[::-1]), len(old) - head, len(new) - head)
    start, rest = max(head - CONTEXT, 0), max(tail - CONTEXT, 0)
    lines = unified_diff(old[start : len(old) - rest], new[start : len(new) - rest], file, file, lineterm="", n=CONTEXT)
    shown = [line if len(line) <= LONGEST else _cut(line) for line in lines if not line.startswith("@@")]
    return "\n".join(shown)


def _parts(line: str, changed: Collection[str]) -> list[str]:
    """Write a line that changes as JSON with a member a line; empty objects and lists stay as they are."""
    if line not in changed:
        return [line]
    outer = line[: len(line) - len(line.lstrip())]
    shown, depth = [""], 0
    for part in _PART.findall(line.strip()):
        if part in ("}", "]"):
            depth -= 1
            if shown[-1].strip() and not shown[-1].endswith(("{", "[")):
                shown.append("")
        elif shown[-1].endswith(("{", "[", ",")) and part.strip():
            shown.append("")
        blank = outer + INDENT * depth
        shown[-1] += part if shown[-1] else (blank + part.strip() if part.strip() else "")
        depth += part in ("{", "[")
    return [each.rstrip() for each in shown]


def _same(old: list[str], new: list[str]) -> int:
    pairs = zip(old, new, strict=False)
    return next((place for place, (one, other) in enumerate(pairs) if one != other), min(len(old), len(new)))


def _cut(line: str) -> str:
    """Show of a long line its beginning and where palace stands in it: all settings may be on one."""
    place = line.find('"palace"')
    if place < LONGEST:
        return f"{line[:LONGEST]} …"
    return f"{line[:40]} … {line[place - 60 : place + LONGEST - 100]} …"
