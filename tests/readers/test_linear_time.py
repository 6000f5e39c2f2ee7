"""Four times as much text takes about four times as long to read, whatever stands in it."""

from __future__ import annotations

import io
import time
from collections import Counter
from contextlib import suppress

import pytest

from palace.errors import UnreadableSource
from palace.mining.readers.files.containers import Container
from palace.mining.readers.reading import Reading
from palace.mining.readers.registry import FileSource, read_conversations

SMALL, TIMES = 40_000, 4
LINES = {
    "line breaks": "\n",
    "empty headings": "#\n",
    "headings": "# x\n",
    "headings with a tail": "# User" + " " * 60 + "x\n",
    "headings of commas": "# , , , , , 1 1 1 1, , 2024-05-01\n",
    "dates as headings": "## 2024-05-01\nx\n",
    "dates": "2024-05-01\n",
    "dates over clocks": "2024-05-01\n\n10:32 Ann: hi\n",
    "rules": "---\n",
    "quotations": "> a\nb\n",
    "colons": "a: b: c: d: e\n",
    "names": "Ann: hi\nBob: yo\n",
    "names of digits": "Ann " + "1 " * 30 + "1: 1: 1: x\n",
    "stamps": "[10:32] Ann: hi\n",
    "chat": "05/01/2024, 10:32 - Ann: hi\n",
    "chat without names": "05/01/2024, 10:32 - \n",
    "open fences": "```\n",
    "tildes": "~~~~~~~~~~~~~~~~~~~~~`\n",
    "bold": "**Ann** " + "x" * 80 + "\n",
    "brackets": "[" * 60 + "\n",
    "open times": "Ann (" + "1:11 " * 12 + "\n",
    "quotation marks": '"\n',
    "semicolons": ";;;;;\n",
    "headers": "From: x\n",
    "cues": "00:00 --> \n",
    "marks": "\u200e\n",
}
ONE_LINE = {
    "tildes": "~" * SMALL * TIMES + "`",
    "spaces": "# User" + " " * SMALL * TIMES + "x",
    "brackets": "[" * SMALL * TIMES + "x",
    "stars": "**" * SMALL * TIMES,
    "colons": ":" * SMALL * TIMES,
    "braces": "{ " * SMALL * TIMES,
    "comments": "<!--" * SMALL * TIMES,
    "headers": "A:" * SMALL * TIMES,
    "open array": "[" + " " * SMALL * TIMES,
    "number": "[1" + "1" * SMALL * TIMES,
    "front matter": "---\n" + "a: b\n" * SMALL,
    "title": "---\ntitle:" + " " * SMALL * TIMES + "\n---\n",
}
BOUNDED = 2.5 * TIMES
"""How much longer it may take; what grows with the square takes 16 times as long."""
NOISE = 0.05
"""Seconds below which a measurement says nothing."""


class Memory(Container):
    """Holds one file."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self.passed_over = Counter()

    def names(self) -> list[str]:
        return ["x.md"]

    def key(self, name: str) -> str:
        return name

    def open(self, name: str) -> io.BytesIO:
        return io.BytesIO(self._data)


def seconds_for(text: str, name: str = "x.md") -> float:
    """Give the processor time that reading a text takes, the least of three."""
    # Something has to be said at the end, or a short text of blanks is empty and a long one is not.
    source = FileSource(name, "x", Memory(f"{text}x\n".encode()), name)
    taken = []
    for _ in range(3):
        began = time.process_time()
        with suppress(UnreadableSource):
            list(read_conversations(source, Reading(name)))
        taken.append(time.process_time() - began)
    return min(taken)


@pytest.mark.parametrize("line", LINES.values(), ids=LINES)
def test_many_lines_are_read_in_linear_time(line: str) -> None:
    small = seconds_for(line * (SMALL // len(line)))
    assert seconds_for(line * (TIMES * SMALL // len(line))) < BOUNDED * max(small, NOISE)


@pytest.mark.parametrize("text", ONE_LINE.values(), ids=ONE_LINE)
def test_a_long_line_is_read_in_linear_time(text: str) -> None:
    small = seconds_for(text[: len(text) // TIMES])
    assert seconds_for(text) < BOUNDED * max(small, NOISE)


SUBJECTS = {
    "encoded words": "=?utf-8?q?caf=C3=A9?= ",
    "encoded words in a line each": "=?utf-8?q?caf=C3=A9?=\n ",
    "encodings": "=?utf-8?q?a?= b =?latin-1?q?c?= ",
    "answers": "Re: ",
    "tags": "[x] ",
    "open words": "=?utf-8?q?",
}


@pytest.mark.parametrize("words", SUBJECTS.values(), ids=SUBJECTS)
def test_a_mail_whose_subject_is_endless_is_read_in_linear_time(words: str) -> None:
    def seconds(times: int) -> float:
        head = "From: Ann <ann@a.example>\nTo: b@b.example\nDate: Thu, 30 Apr 2026 18:20:00 +0000"
        return seconds_for(f"{head}\nSubject: {words * times}\n\nThe wire overheated.\n", "x.eml")

    assert seconds(10_000 * TIMES) < BOUNDED * max(seconds(10_000), NOISE)
