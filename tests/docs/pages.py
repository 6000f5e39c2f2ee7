"""Reads the pages of the documentation: their fenced blocks, the commands in these, and the code in their prose."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent

ROOT = Path(__file__).parents[2]
PAGES = (
    "README.md",
    "CONTRIBUTING.md",
    *sorted(path.relative_to(ROOT).as_posix() for path in ROOT.glob("docs/**/*.md")),
)

_FENCE = re.compile(r"^[ \t]*```(?P<language>[^\n]*)\n(?P<text>.*?)^[ \t]*```[ \t]*$", re.DOTALL | re.MULTILINE)
_CODE = re.compile(r"`([^`]+)`")
_COMMENT = re.compile(r"(^|\s+)#\s.*$")
_OPTION = re.compile(r"(?<![\w-])--?[a-z][a-z-]*")


@dataclass(frozen=True, slots=True)
class Block:
    """One fenced block."""

    page: str
    line: int
    """Of its first line of text, from 1."""
    language: str
    text: str

    @property
    def place(self) -> str:
        """Where it is, for people."""
        return f"{self.page}:{self.line}"


@dataclass(frozen=True, slots=True)
class Command:
    """One command of a block, without the comment behind it; or a whole program in Python."""

    text: str
    shown: str = ""
    """What the page shows that it prints, in a block of a console."""


def blocks(page: str) -> list[Block]:
    """List the fenced blocks of a page."""
    text = (ROOT / page).read_text(encoding="utf-8")
    return [
        Block(page, text.count("\n", 0, found.start("text")) + 1, found["language"].strip(), dedent(found["text"]))
        for found in _FENCE.finditer(text)
    ]


def commands(block: Block) -> list[Command]:
    """List what a person would type, one thing after the other; a program in Python is one."""
    if block.language == "python":
        return [Command(block.text)]
    if block.language == "console":
        return _typed(block.text)
    lines = re.sub(r"\\\n\s*", "", block.text).splitlines()
    parts = (part.strip() for line in lines for part in _COMMENT.sub("", line).split(" && "))
    return [Command(part) for part in parts if part]


def _typed(text: str) -> list[Command]:
    """Read a console: what is typed stands behind a prompt, what it printed below, up to an empty line or a prompt."""
    entries = re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]
    return [Command(typed, shown.strip("\n")) for typed, _, shown in (entry.partition("\n") for entry in entries)]


def code_in_prose(page: str) -> Iterator[str]:
    """List what stands in backticks outside of fenced blocks, in one line each."""
    prose = _FENCE.sub("", (ROOT / page).read_text(encoding="utf-8"))
    for found in _CODE.finditer(prose):
        yield " ".join(found[1].replace("\\|", "|").split())


def calls(program: str, command: str) -> Iterator[list[str]]:
    """List the arguments of each call of a program in a line of the shell."""
    for part in re.split(r"\s(?:\||&&|;)\s", command):
        try:
            words = shlex.split(part, comments=True)
        except ValueError:
            continue
        names = ["" if "=" in word else word.rpartition("/")[2] for word in words]
        if program in names:
            before = words[: names.index(program)]
            if all("=" in word for word in before):
                yield words[len(before) + 1 :]


def options(text: str) -> list[str]:
    """List the options that a piece of code names."""
    return _OPTION.findall(text)
