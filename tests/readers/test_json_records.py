"""JSON as a stream: keys that stand twice, streams that give little at a time."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from unittest.mock import patch

from palace.mining.readers.json_records import iter_records
from palace.mining.readers.reading import Reading
from palace.records import Conversation

ReadTold = Callable[..., tuple[list[Conversation], Reading]]


class Trickle(io.BytesIO):
    """A stream that never gives more than a hundred bytes."""

    def read(self, size: int | None = -1, /) -> bytes:
        return super().read(100 if size is None or size < 0 else min(size, 100))


def test_a_long_value_in_small_reads_is_decoded_a_few_times_only() -> None:
    data = json.dumps([{"role": "user", "content": "x" * 2_000_000}]).encode()
    reading, tried = Reading("x"), []
    decode = json.JSONDecoder.raw_decode

    def counted(decoder: json.JSONDecoder, text: str, at: int = 0) -> object:
        tried.append(len(text))
        return decode(decoder, text, at)

    with patch.object(json.JSONDecoder, "raw_decode", counted):
        [record] = iter_records(Trickle(data), reading, is_array=True)
    assert len(record.value["content"]) == 2_000_000
    assert len(tried) < 6
    assert sum(tried) < 3 * len(data)


def test_a_key_that_stands_twice_is_named_with_its_place(read_told: ReadTold) -> None:
    twice = '{"role": "user", "content": "old", "content": "new", "x": {"y": 1, "y": 2}}'
    lines = f'{{"role": "user", "content": "a"}}\n{twice}\n'
    [found], reading = read_told(lines, "chat.jsonl")
    assert [turn.content for turn in found.turns] == ["a", "new"]
    assert reading.notices == [
        'line 2: the key "y" stands twice in one object; the last is read',
        'line 2: the key "content" stands twice in one object; the last is read',
    ]


def test_of_many_such_objects_the_first_are_named_and_the_others_counted(read_told: ReadTold) -> None:
    text = "[" + ",".join(['{"role": "user", "content": "old", "content": "new"}'] * 30) + "]"
    _, reading = read_told(text)
    assert len(reading.notices) == 11
    assert reading.notices[-1] == "20 more objects with a key that stands twice"


def test_a_document_with_a_key_twice_is_told_as_well(read_told: ReadTold) -> None:
    _, reading = read_told('{"messages": [],\n "messages": [{"role": "user", "content": "x"}]}')
    assert reading.notices == ['item 1: the key "messages" stands twice in one object; the last is read']


def test_a_key_of_control_characters_makes_one_line(read_told: ReadTold) -> None:
    _, reading = read_told('[{"role": "user", "content": "x", "a\\n\\u001b[1m": 1, "a\\n\\u001b[1m": 2}]')
    assert reading.notices == ['item 1: the key "a \ufffd[1m" stands twice in one object; the last is read']
