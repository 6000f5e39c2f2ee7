"""`python -m bench.shapes`: file large input of many shapes at n, 2n and 4n, ask for it, print how the time grows.

Seconds are those that this process and the server compute, so that a busy machine changes little. The embedder is one
of words; how many vectors a shape needs stands beside. Growth is the time at 4n over that at n, and what part of that
of n log n it is: 1 at most is wanted.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import random
import time
import zipfile
from collections.abc import Callable, Sequence
from contextlib import suppress
from math import log
from pathlib import Path
from tempfile import TemporaryDirectory

from palace import Palaces, Settings
from palace.testing import HashingEmbedder

ASKED = ("Which battery did Anna Keller measure on Tuesday?", "where does Anna work?", "what changed last week?")
TEXT = (
    "the battery of our boat overheated near a harbour while Anna Keller and Tom measured it again on Tuesday because "
    "nobody had wired the second motor properly before we left for Bremen with all those boxes of paint"
)
WORDS = TEXT.split()
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
HAN = "我们的船在港口附近电池过热因为没有人正确接线安娜再次测量了电压然后回家吃饭"
HEAD = "From: Anna <anna@example.org>\nDate: Tue, 3 Feb 2026 10:00:00 +0000\nSubject: wiring\nMessage-ID: <{}@a>\n{}\n"

Shape = Callable[[int, random.Random], str | bytes]


def _sentence(dice: random.Random) -> str:
    return " ".join(dice.choices(WORDS, k=dice.randint(6, 14))).capitalize() + "."


def _name(number: int) -> str:
    first, last = (LETTERS[number // 26**place % 26] for place in (0, 1))
    return f"{first}a{LETTERS[26 + number // 676 % 26]}ro {last}e{LETTERS[26 + number // 17576 % 26]}kins"


def _lines(n: int, line: Callable[[int], str]) -> str:
    return "\n".join(map(line, range(n)))


def _chat(*contents: str) -> str:
    return json.dumps([{"role": ("user", "assistant")[at % 2], "content": said} for at, said in enumerate(contents)])


def _said(line: Callable[[int, random.Random], str]) -> Shape:
    """Give a shape of one message with so many lines."""
    return lambda n, dice: _chat(_lines(n, lambda at: line(at, dice)), "Thanks.")


def _turns(line: Callable[[int, random.Random], str]) -> Shape:
    """Give a shape of one conversation with so many messages."""
    return lambda n, dice: _chat(*(line(at, dice) for at in range(n)))


def _thread(n: int, dice: random.Random) -> str:
    heads = (HEAD.format(at, f"In-Reply-To: <{at - 1}@a>\n" if at else "") for at in range(n))
    return "".join(f"From a@example.org Tue Feb  3 10:00:00 2026\n{head}{_sentence(dice)}\n\n" for head in heads)


def _quoted(depth: int) -> Shape:
    def write(n: int, dice: random.Random) -> str:
        quoted = _lines(n, lambda at: "> " * (1 + at * depth // n) + _sentence(dice))
        wrote = "I agree.\n\nOn Mon, 2 Feb 2026 at 09:00, Tom <tom@example.org> wrote:"
        return HEAD.format(0, "References: <1@a>\n") + f"{wrote}\n{quoted}\n"

    return write


def _session(n: int, dice: random.Random) -> str:
    call = {"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": "make"}}
    done = {"type": "tool_result", "tool_use_id": "t1", "content": _lines(n, lambda at: f"{at}: {_sentence(dice)}")}
    said = [("user", "Build it."), ("assistant", [call]), ("user", [done]), ("assistant", "Built.")]
    same = {"sessionId": "s", "cwd": "/tmp", "timestamp": "2026-02-03T10:00:00Z"}
    lines = (
        {**same, "type": role, "uuid": f"u{at}", "message": {"role": role, "content": content}}
        | {"parentUuid": f"u{at - 1}" if at else None}
        for at, (role, content) in enumerate(said)
    )
    return "\n".join(map(json.dumps, lines))


def _archive(n: int, dice: random.Random) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for at in range(n):
            archive.writestr(f"notes/{at}.md", f"# {_name(at)}\n\n{_sentence(dice)}")
    return packed.getvalue()


SHAPES: dict[str, tuple[int, str, Shape]] = {
    "one message": (2000, "json", _said(lambda _, dice: _sentence(dice))),
    "without spaces": (2000, "json", lambda n, dice: _chat("".join(dice.choices(LETTERS[:62], k=n * 60)))),
    "base64": (2000, "json", _said(lambda _, dice: "".join(dice.choices(LETTERS, k=76)))),
    "short messages": (500, "json", _turns(lambda _, dice: _sentence(dice))),
    "conversations": (60, "jsonl", lambda n, dice: _lines(n, lambda _: f'{{"messages": {_chat(_sentence(dice))}}}')),
    "nested JSON": (5000, "json", lambda n, _: _chat('{"a": [' * n + "]}" * n)),
    "columns of a CSV": (500, "csv", lambda n, _: _lines(3, lambda row: ",".join(f"{row}.{at}" for at in range(n)))),
    "rows of a CSV": (500, "csv", lambda n, dice: "speaker,text\n" + _lines(n, lambda _: f"Tom,{_sentence(dice)}")),
    "mails of a thread": (100, "mbox", _thread),
    "quoted lines": (1500, "eml", _quoted(0)),
    "nested quotes": (1500, "eml", _quoted(30)),
    "code": (2000, "json", lambda n, _: _chat(f"```\n{_lines(n, lambda at: f'    a_{at} = load(pack[{at}])')}\n```")),
    "names": (1000, "json", _said(lambda at, _: f"I met {_name(at)} in Bremen.")),
    "names of turns": (300, "json", _turns(lambda at, _: f"I met {_name(at)} in Bremen.")),
    "list": (2500, "json", _said(lambda _, dice: f"- {_sentence(dice)}")),
    "Chinese": (300, "json", _said(lambda _, dice: "".join(dice.choices(HAN, k=30)) + "。")),
    "emoji": (5000, "json", lambda n, dice: _chat("".join(dice.choices("😀👍🏽❤️👩‍👩‍👧‍👦🇩🇪", k=n)))),
    "addresses": (1000, "json", _said(lambda at, dice: f"https://example.org/{at}/{dice.choice(WORDS)}?q={at}")),
    "the same line": (3000, "json", _said(lambda *_: "I measured the battery again.")),
    "output of a tool": (2000, "jsonl", _session),
    "table": (1500, "json", _said(lambda at, dice: f"| {at} | {_name(at)} | {dice.choice(WORDS)} | {at * 7} |")),
    "secrets": (500, "json", _said(lambda _, dice: f"The password is {''.join(dice.choices(LETTERS[:62], k=14))}.")),
    "dates": (800, "json", _said(lambda at, _: f"On {1 + at % 28} March {1990 + at % 40} we met, a week later again.")),
    "claims of one": (150, "json", _turns(lambda at, _: f"Anna works at {_name(at)[-7:]} since {1990 + at % 30}.")),
    "claims about one": (150, "json", _turns(lambda at, _: f"{_name(at)} works at Acme.")),
    "files of a zip": (60, "zip", _archive),
    "blanks": (20000, "json", lambda n, _: _chat("a" + " " * n + "b" + "\n" * n + "c" + "\t \n" * n + "d")),
    "signs": (5000, "json", lambda n, dice: _chat("".join(dice.choices("()[]{}<>\"'`*_-=:;,.!?#@/\\|~ ", k=n)))),
    "a word": (5000, "json", lambda n, _: _chat("a" * n + " " + "ab-" * n + " " + "a.b" * n + " " + "1" * n)),
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Print a table of the shapes as Markdown."""
    parser = argparse.ArgumentParser(prog="python -m bench.shapes", description=__doc__)
    parser.add_argument(
        "--shape", action="append", choices=[*SHAPES], help="one of them, may be given again; all where none is"
    )
    parser.add_argument("--size", type=float, default=1, help="n as a multiple of what it is")
    options = parser.parse_args(arguments)
    print("| shape | characters at 4n | drawers | vectors | filing at n, 2n, 4n, s | growth | of n log n | recall, s |")
    print("|---|---|---|---|---|---|---|---|")
    with TemporaryDirectory(prefix="palace-shapes-") as made:
        Path(made).chmod(0o711)
        settings = Settings(home=Path(made, "home"), user="shapes", worker_starts=False, server_idle_minutes=1)
        with Palaces.open(settings, embedder=HashingEmbedder()) as palaces:
            palaces.palace("warm").file([{"role": "user", "content": "I met Anna Keller in Bremen in May 2024."}])
            for shape in options.shape or SHAPES:
                print(_row(palaces, shape, settings.home, options.size), flush=True)
    return 0


def _row(palaces: Palaces, shape: str, home: Path, size: float) -> str:
    base, ending, write = SHAPES[shape]
    filed: list[float] = []
    for n in (int(base * size * step) for step in (1, 2, 4)):
        path = home.parent / f"{shape.replace(' ', '-')}-{n}.{ending}"
        written = write(n, random.Random(n))
        path.write_bytes(written if isinstance(written, bytes) else written.encode())
        palace = palaces.palace(path.stem)
        start = _computed(home)
        summary = palace.mine(path)
        filed.append(_computed(home) - start)
        asked = []
        for question in ASKED:
            start = _computed(home)
            palace.recall(question)
            asked.append(_computed(home) - start)
    growth = filed[2] / filed[0]
    return (
        f"| {shape} | {len(written):,} | {summary.drawers_new} | {summary.passages_embedded} |"
        f" {', '.join(f'{each:.2f}' for each in filed)} | {growth:.1f} |"
        f" {growth * log(n / 4) / (4 * log(n)):.2f} | {max(asked):.2f} |"
    )


def _computed(home: Path) -> float:
    """Give the seconds that this process and the server of a home have computed."""
    ticks = 0
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if (process / "cwd").readlink().is_relative_to(home):
                ticks += sum(map(int, (process / "stat").read_text().rpartition(")")[2].split()[11:15]))
    return time.process_time() + ticks / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    raise SystemExit(main())
