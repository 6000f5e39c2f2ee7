"""Command lines: what makes two of them the same command, and which files they move."""

from __future__ import annotations

from collections.abc import Iterator

from palace.nlp.rules import rules

LONGEST = 300
"""The most characters of a command that are compared."""
LONGEST_READ, LONGEST_BEHIND, MOST_WRAPPERS = 4_000, 200, 20
_RULES = rules("work", "tools")


def command_key(command: str) -> str:
    """Return a command without folders, variables, wrappers and filters around it; the same for each of its runs.

    >>> command_key("cd /w/api && FOO=1 timeout 60 .venv/bin/python -m pytest -q tests 2>&1 | tail -5")
    'pytest -q tests'
    """
    text = command.strip()[:LONGEST_READ]
    for _ in range(MOST_WRAPPERS):
        left = _stripped(text)
        if left == text:
            break
        text = left
    return " ".join(text.split())[:LONGEST]


def _stripped(text: str) -> str:
    """Return a command without one thing in front of it, one behind it, and its program's folder."""
    begun = _RULES["commands.front"].sub("", text, count=1).strip() or text
    # Searched from each place: in all of a long command, that would take its length squared.
    rest, end = begun[:-LONGEST_BEHIND], begun[-LONGEST_BEHIND:]
    ended = (rest + _RULES["commands.back"].sub("", end, count=1)).strip() or begun
    return _RULES["commands.folder"].sub("", ended, count=1).strip() or ended


def shows_texts(key: str) -> bool:
    """Check whether a command shows texts, in which a line that reads like an error is none."""
    return _RULES["commands.shows"].match(key) is not None


def moved_files(command: str) -> Iterator[tuple[str, str]]:
    """Yield the files that ``mv`` and ``git mv`` rename in a command, each with its new path."""
    for found in _RULES["commands.moves"].finditer(command):
        old, new = (each.strip("\"'") for each in found.groups())
        if not any(sign in old + new for sign in "*$?"):
            yield old, f"{new}{old.rpartition('/')[2]}" if new.endswith("/") else new
