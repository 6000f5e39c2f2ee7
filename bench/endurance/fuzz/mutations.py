"""What becomes of a file: cut, flipped, repeated, packed, in another encoding; and JSON with anything anywhere."""

from __future__ import annotations

import codecs
import gzip
import json
import random
import re
from collections.abc import Callable
from typing import Any

from bench.endurance.fuzz.seeds import zipped

Mutation = Callable[[random.Random, bytes], bytes]

DEEP = 100_000
LONG = 200_000
JUNK = (
    *(b"\x00", b"\x00" * 500, b"\x1b[31m", b"\xff\xfe", b"\xc3\x28", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\x80" * 9),
    *(b"\r", b"\n" * 50, b"\xe2\x80\xa8", b"\xe2\x80\xae", b"\\ud800", b"\\u0000", b'"', b"{", b"}", b"[", b"]", b","),
    *(
        b"```\n",
        b"---\n",
        b"> ",
        b"NaN",
        b"-",
        b"User: ",
        b"[01.05.24, 10:00:00] ",
        b"2024-05-01",
        b"31/31/2024 25:61 ",
    ),
    *(b"WEBVTT\n\n", b"1\n00:00:01,000 --> 99:99:99,999\n", b"9" * 5000, b" " * 5000, b"# ", b"**", b"\xef\xbb\xbf"),
)
WILD: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 7, 1.5, 1e308, -1e308, 10**30, -(10**400), 2**63, 253402300800, 1e11, 1e14, 1e17),
    *(float("nan"), float("inf"), "", " ", "x", "\x00", "\ud800", "\udfff\ud800", "\x1b[0m", "\u202e", "9" * 5000),
    *("0001-01-01T00:00:00Z", "9999-12-31T23:59:59-14:00", "2024-02-30", "2024-05-01T25:61:61", "1714557660", "NaN"),
    *(
        "x" * LONG,
        [],
        [[]],
        [None],
        {},
        {"": {}},
        {"content": None},
        {"role": 7},
        [1, "a", {}],
        {"parts": [[]]},
        [{}] * 50,
    ),
    *("user", "assistant", "system", "tool", "nobody", "2024-05-01", {"$date": 1}, {"text": {"text": {"text": "x"}}}),
)
ENCODINGS = ("utf-16", "utf-16-le", "utf-16-be", "utf-32", "latin-1", "cp1252", "shift_jis", "utf-7", "cp037")
MARKS = (codecs.BOM_UTF8, codecs.BOM_UTF8 * 2, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, codecs.BOM_UTF32_LE)

_KEY = re.compile(rb'"(?:[^"\\]|\\.)*"\s*:')
_NUMBER = re.compile(rb"\d+")


def mutate(chance: random.Random, data: bytes) -> tuple[bytes, str]:
    """Change a file in one to four ways; give it with what was done."""
    done = []
    for _ in range(chance.choice((1, 1, 1, 2, 2, 3, 4))):
        mutation = chance.choice(JSON_MUTATIONS if data[:1] in b"[{" and chance.random() < 0.8 else MUTATIONS)
        data = mutation(chance, data)
        done.append(mutation.__name__.strip("_"))
    if chance.random() < 0.1:
        wrap = chance.choice(WRAPS)
        data = wrap(chance, data)
        done.append(wrap.__name__.strip("_"))
    return data, ", ".join(done)


def _span(chance: random.Random, length: int) -> tuple[int, int]:
    start = chance.randint(0, length)
    return start, min(length, start + chance.randint(0, max(1, length // chance.choice((2, 10, 100)))))


def _truncate(chance: random.Random, data: bytes) -> bytes:
    return data[: chance.randint(0, len(data))]


def _behead(chance: random.Random, data: bytes) -> bytes:
    return data[chance.randint(0, len(data)) :]


def _flip(chance: random.Random, data: bytes) -> bytes:
    changed = bytearray(data)
    for _ in range(chance.choice((1, 5, 50)) if data else 0):
        changed[chance.randrange(len(changed))] ^= 1 << chance.randrange(8)
    return bytes(changed)


def _delete(chance: random.Random, data: bytes) -> bytes:
    start, end = _span(chance, len(data))
    return data[:start] + data[end:]


def _repeat(chance: random.Random, data: bytes) -> bytes:
    start, end = _span(chance, len(data))
    return data[:end] + data[start:end] * chance.choice((1, 1, 20)) + data[end:]


def _swap(chance: random.Random, data: bytes) -> bytes:
    (first, end), (other, last) = sorted((_span(chance, len(data)), _span(chance, len(data))))
    end = min(end, other)
    return data[:first] + data[other:last] + data[end:other] + data[first:end] + data[last:]


def _insert(chance: random.Random, data: bytes) -> bytes:
    for _ in range(chance.choice((1, 1, 5))):
        place = chance.randint(0, len(data))
        data = data[:place] + chance.choice(JUNK) + data[place:]
    return data


def _lines(chance: random.Random, data: bytes) -> bytes:
    lines = data.splitlines(keepends=True) or [b""]
    place, other = chance.randrange(len(lines)), chance.randrange(len(lines))
    match chance.randrange(5):
        case 0:
            lines.pop(place)
        case 1:
            lines[place : place + 1] = [lines[place]] * chance.choice((2, 2, 500))
        case 2:
            lines[place], lines[other] = lines[other], lines[place]
        case 3:
            chance.shuffle(lines)
        case _:
            lines[place] = (
                lines[place].rstrip(b"\r\n") + chance.choice((b" ", b"x", b"9", b"[", b"\xe2\x80\xae")) * LONG
            )
    return b"".join(lines)


def _line_ends(chance: random.Random, data: bytes) -> bytes:
    return data.replace(b"\n", chance.choice((b"\r\n", b"\r", b"\n\r", b"", b"\x0b", b"\xe2\x80\xa8")))


def _numbers(chance: random.Random, data: bytes) -> bytes:
    wild = (b"0", b"-1", b"99", b"31", b"13", b"9" * 30, b"9" * 5000, b"1e400", b"2024", b"253402300800", "٣".encode())
    found = list(_NUMBER.finditer(data))
    for place in sorted(chance.sample(found, min(len(found), chance.choice((1, 3)))), key=lambda m: -m.start()):
        data = data[: place.start()] + chance.choice(wild) + data[place.end() :]
    return data


def _encoding(chance: random.Random, data: bytes) -> bytes:
    return data.decode("utf-8", "replace").encode(chance.choice(ENCODINGS), "replace")


def _mark(chance: random.Random, data: bytes) -> bytes:
    return chance.choice(MARKS) + data


def _nodes(value: Any) -> list[tuple[Any, Any]]:
    found: list[tuple[Any, Any]] = []
    open_ones = [value]
    while open_ones:
        inner = open_ones.pop()
        places = list(inner) if isinstance(inner, dict) else range(len(inner)) if isinstance(inner, list) else ()
        found += ((inner, place) for place in places)
        open_ones += (inner[place] for place in places)
    return found


def _in_json(chance: random.Random, data: bytes, change: Callable[[random.Random, Any, Any], None]) -> bytes:
    """Change a value somewhere in a JSON document, or in one of its lines; other text is left as it is."""
    pieces = [data] if data.lstrip()[:1] == b"[" or b"}\n{" not in data else data.split(b"\n")
    place = chance.randrange(len(pieces))
    try:
        value = json.loads(pieces[place])
        for _ in range(chance.choice((1, 1, 3))):
            if nodes := _nodes(value):
                change(chance, *chance.choice(nodes))
        pieces[place] = json.dumps(value, ensure_ascii=chance.random() < 0.5).encode("utf-8", "surrogatepass")
    except (ValueError, RecursionError):
        return data
    return b"\n".join(pieces)


def _replace_value(chance: random.Random, data: bytes) -> bytes:
    def change(chance: random.Random, inner: Any, place: Any) -> None:
        inner[place] = chance.choice(WILD)

    return _in_json(chance, data, change)


def _retype_value(chance: random.Random, data: bytes) -> bytes:
    def change(chance: random.Random, inner: Any, place: Any) -> None:
        kept = inner[place]
        inner[place] = chance.choice(
            ([kept], {"value": kept}, {"text": kept}, str(kept)[:500], [kept, kept], bool(kept))
        )

    return _in_json(chance, data, change)


def _rename_key(chance: random.Random, data: bytes) -> bytes:
    def change(chance: random.Random, inner: Any, place: Any) -> None:
        if isinstance(inner, dict):
            names = ("id", "role", "content", "text", "messages", "mapping", "time", "", "x" * 3000, "\x00", "\ud800")
            inner[chance.choice((*names, *inner))] = inner.pop(place)

    return _in_json(chance, data, change)


def _remove_value(chance: random.Random, data: bytes) -> bytes:
    def change(_: random.Random, inner: Any, place: Any) -> None:
        # Within one change two places may be of one list, which is shorter by then.
        if isinstance(inner, dict) or place < len(inner):
            inner.pop(place)

    return _in_json(chance, data, change)


def _repeat_key(chance: random.Random, data: bytes) -> bytes:
    keys = list(_KEY.finditer(data))
    if not keys:
        return data
    place, key = chance.choice(keys).start(), chance.choice(keys).group()
    value = json.dumps(chance.choice(WILD[:60])).encode("utf-8")
    return data[:place] + (key + value + b",") * chance.choice((1, 1, 100)) + data[place:]


def _nest(chance: random.Random, data: bytes) -> bytes:
    keys = list(_KEY.finditer(data))
    if not keys:
        return data
    place, depth = chance.choice(keys).end(), chance.choice((100, 900, 5000, DEEP))
    opened, closed = chance.choice(((b"[", b"]"), (b'{"content":', b"}"), (b'[{"text":', b"}]")))
    inner = opened * depth + (b"1" + closed * depth if chance.random() < 0.8 else b"")
    return data[:place] + inner + b', "rest":' + data[place:]


def _gzip(_: random.Random, data: bytes) -> bytes:
    return gzip.compress(data, mtime=0)


def _gzip_damaged(chance: random.Random, data: bytes) -> bytes:
    return chance.choice((_truncate, _flip, _insert))(chance, gzip.compress(data, mtime=0))


def _gzip_twice(_: random.Random, data: bytes) -> bytes:
    return gzip.compress(gzip.compress(data, mtime=0), mtime=0)


def _zip(chance: random.Random, data: bytes) -> bytes:
    names = (
        "chat.json",
        "a/b/chat.txt",
        "conversations.json",
        "x" * 300,
        "\x1b\n",
        "é.md",
        ".hidden",
        "a.png",
        "../up.json",
    )
    return zipped(dict.fromkeys(chance.sample(names, chance.randint(1, 3)), data))


def _zip_damaged(chance: random.Random, data: bytes) -> bytes:
    return chance.choice((_truncate, _flip, _insert, _delete))(chance, _zip(chance, data))


def _bomb(chance: random.Random, data: bytes) -> bytes:
    return gzip.compress(data + chance.choice((b" ", b"x", b"[")) * (8 << 20), mtime=0)


MUTATIONS: tuple[Mutation, ...] = (
    *(
        _truncate,
        _behead,
        _flip,
        _delete,
        _repeat,
        _swap,
        _insert,
        _lines,
        _lines,
        _line_ends,
        _numbers,
        _encoding,
        _mark,
    ),
)
JSON_MUTATIONS: tuple[Mutation, ...] = (
    *(_replace_value, _replace_value, _replace_value, _retype_value, _rename_key, _remove_value, _repeat_key, _nest),
)
WRAPS: tuple[Mutation, ...] = (_gzip, _gzip_damaged, _gzip_twice, _zip, _zip_damaged, _bomb)
