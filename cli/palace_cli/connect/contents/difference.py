"""What changes between two texts, for a person to look at. Pure."""

from __future__ import annotations

from difflib import unified_diff

CONTEXT = 2
LONGEST = 200
"""Characters of a line that are shown."""


def difference(before: str, after: str, file: str) -> str:
    """Write the difference line by line; nothing where there is none."""
    old, new = before.splitlines(), after.splitlines()
    # Long files that differ in a few lines: what is the same at both ends is not compared.
    head = _same(old, new)
    tail = min(_same(old[::-1], new[::-1]), len(old) - head, len(new) - head)
    start, rest = max(head - CONTEXT, 0), max(tail - CONTEXT, 0)
    lines = unified_diff(old[start : len(old) - rest], new[start : len(new) - rest], file, file, lineterm="", n=CONTEXT)
    shown = [line if len(line) <= LONGEST else _cut(line) for line in lines if not line.startswith("@@")]
    return "\n".join(shown)


def _same(old: list[str], new: list[str]) -> int:
    pairs = zip(old, new, strict=False)
    return next((place for place, (one, other) in enumerate(pairs) if one != other), min(len(old), len(new)))


def _cut(line: str) -> str:
    """Show of a long line its beginning and where palace stands in it: all settings may be on one."""
    place = line.find('"palace"')
    if place < LONGEST:
        return f"{line[:LONGEST]} …"
    return f"{line[:40]} … {line[place - 60 : place + LONGEST - 100]} …"
