"""Four times as much text takes about four times as long to read, whatever stands in it; and little memory."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from palace.errors import UnreadableSource
from tests.readers.front import Read, read
from tests.readers.mails import mail

SMALL, TIMES = 40_000, 4
BOUNDED = 2.5 * TIMES
"""How much longer it may take; what grows with the square takes 16 times as long."""
NOISE = 0.05
"""Seconds below which a measurement says nothing."""
PAGE = "Content-Type: text/html; charset=utf-8"
LINES = {
    "x.md": [
        *("\n", "#\n", "# User" + " " * 60 + "x\n", "# , , , , , 1 1 1 1, , 2024-05-01\n", "## 2024-05-01\nx\n"),
        *(
            "2024-05-01\n\n10:32 Ann: hi\n",
            "---\n",
            "> a\nb\n",
            "a: b: c: d: e\n",
            "Ann: hi\nBob: yo\n",
            "[10:32] Ann: hi\n",
        ),
        *(
            "Ann " + "1 " * 30 + "1: 1: 1: x\n",
            "Ann (" + "1:11 " * 12 + "\n",
            "05/01/2024, 10:32 - Ann: hi\n",
            "00:00 --> \n",
        ),
        *(
            "```\n",
            "~~~~~~~~~~~~~~~~~~~~~`\n",
            "**Ann** " + "x" * 80 + "\n",
            "[" * 60 + "\n",
            '"\n',
            "From: x\n",
            "\u200e\n",
        ),
        *("~", "[", "**", ":", "{ ", "<!--", "A:", "1", "---\na: b\n", "a", "Ab ", "1:11 ", "> "),
    ],
    "x.csv": ['who,text\nAnn,"\n', "a,", "who,text\nAnn,\0\n"],
    "x.eml": [
        "> a\n",
        "On 1 May, Ann wrote:\n",
        "__________\n",
        ">" * 70 + "\n",
        "=?utf-8?q?a?= b =?latin-1?q?c?= ",
        "Re: ",
    ],
    "page.eml": ["<", '<a "', "<!--", "<script>", "<blockquote>", "<p hidden>", "&", "<a href=x>", "<b " + "x=y " * 50],
    "claude.jsonl": ["<note>x</note>", "<command-name>", "<command-name></command-name>", "<system-reminder>"],
}


def content(name: str, piece: str, length: int) -> bytes:
    """Give a file in which a piece stands again and again."""
    text = piece * (length // len(piece))
    if name == "x.eml":
        return mail(f"x\n{text}y", f"Subject: {text}") if "\n" not in piece else mail(f"x\n{text}y")
    if name == "page.eml":
        return mail(text, PAGE)
    if name == "claude.jsonl":
        return json.dumps({"type": "user", "sessionId": "s", "uuid": "u", "message": {"content": text + "x"}}).encode()
    # Something has to be said at the end, or a short text of blanks is empty and a long one is not.
    return f"{text}x\n".encode()


def seconds_for(folder: Path, name: str, data: bytes, times: int) -> float:
    """Give the processor time that reading a file takes, the least of so many times."""
    (folder / name).write_bytes(data)
    taken = []
    for _ in range(times):
        began = time.process_time()
        with suppress(UnreadableSource):
            read(folder / name)
        taken.append(time.process_time() - began)
    return min(taken)


@pytest.mark.nightly
@pytest.mark.parametrize("name", LINES)
def test_what_comes_again_and_again_is_read_in_linear_time(name: str, tmp_path: Path) -> None:
    def takes_too_long(piece: str, times: int) -> bool:
        lengths = (SMALL, SMALL * TIMES)
        small, large = (seconds_for(tmp_path, name, content(name, piece, length), times) for length in lengths)
        return large >= BOUNDED * max(small, NOISE)

    # Only what seems slow is measured again: the machine may have been busy.
    assert [piece for piece in LINES[name] if takes_too_long(piece, 1) and takes_too_long(piece, 3)] == []


@pytest.mark.parametrize(
    "text", ["a" * 1_000_000, "Derek (" + "1:11 " * 200_000, "> " * 300_000], ids=["word", "times", "quotes"]
)
def test_a_line_without_end_is_read_in_no_time(read: Read, text: str) -> None:
    began = time.process_time()
    assert sum(len(turn.content) for turn in read(text, "x.md")[0].turns) >= len(text) - 2
    assert time.process_time() - began < 5


PROGRAM = """
import sys
from pathlib import Path
from tests.readers.front import offered
[source] = offered(sys.argv[1])
counts = {sum(len(each.turns) for each in source.conversations()) for _ in range(2)}
peak = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM"))
print(*counts, peak.split()[1])
"""


@pytest.mark.nightly
@pytest.mark.skipif(sys.platform != "linux", reason="peak memory is read from /proc")
def test_an_export_larger_than_memory_allows_is_streamed(tmp_path: Path) -> None:
    path, keys = tmp_path / "conversations.json", [f"n{index}" for index in range(50)]
    content = {"content_type": "text", "parts": ["Wört " * 400]}
    message = {"author": {"role": "user"}, "content": content, "create_time": 1.7e9}
    mapping = {
        key: {"id": key, "parent": parent, "message": {"id": key, **message}}
        for key, parent in zip(keys, [None, *keys], strict=False)
    }
    each = json.dumps({"title": "T", "mapping": mapping, "current_node": keys[-1]}, ensure_ascii=False)
    with path.open("w") as file:
        file.write("[" + ",".join([each] * 600) + "]")
    assert path.stat().st_size > 60 << 20
    done = subprocess.run([sys.executable, "-c", PROGRAM, str(path)], capture_output=True, check=True, text=True)
    count, resident = map(int, done.stdout.split())
    assert count == 600 * 50
    assert resident << 10 < 120 << 20
