"""Text in other encodings than UTF-8."""

from __future__ import annotations

import json
import re
from encodings.aliases import aliases
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palace.errors import BadRequest, UnreadableSource
from palace.mining.readers.discovery.paths import list_sources
from palace.mining.readers.files.encoding import check_encoding
from palace.mining.readers.reading import Reading
from palace.mining.readers.registry import read_conversations
from palace.records import Conversation
from tests.readers.conftest import told

TALK = "User: Grüße, naïve façade\nAssistant: Hallo\n"
MESSAGES = [{"role": "user", "content": "Grüße"}, {"role": "assistant", "content": "Hallo"}]


def read(path: Path, data: bytes, encoding: str | None = None) -> list[Conversation]:
    path.write_bytes(data)
    [source] = list_sources(path)
    return list(read_conversations(source, Reading(source.file, encoding=encoding)))


@pytest.mark.parametrize("encoding", ["latin-1", "cp1252", "utf-16-le", "utf-16", "utf-32", "mac-roman", "utf-8-sig"])
def test_text_is_read_in_the_encoding_asked_for(tmp_path: Path, encoding: str) -> None:
    [found] = read(tmp_path / "x.txt", TALK.encode(encoding), encoding)
    assert [turn.content for turn in found.turns] == ["Grüße, naïve façade", "Hallo"]


@pytest.mark.parametrize("encoding", ["latin-1", "utf-16", "cp1252"])
@pytest.mark.parametrize("is_lines", [False, True])
def test_json_is_read_in_the_encoding_asked_for(tmp_path: Path, encoding: str, is_lines: bool) -> None:
    lines = [json.dumps(message, ensure_ascii=False) for message in MESSAGES]
    text = "\n".join(lines) if is_lines else f"[{', '.join(lines)}]"
    [found] = read(tmp_path / "x.json", text.encode(encoding), encoding)
    assert [turn.content for turn in found.turns] == ["Grüße", "Hallo"]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-32"])
def test_a_byte_order_mark_tells_the_encoding(tmp_path: Path, encoding: str) -> None:
    assert len(read(tmp_path / "x.txt", TALK.encode(encoding))[0].turns) == 2
    assert len(read(tmp_path / "x.json", json.dumps(MESSAGES).encode(encoding))[0].turns) == 2


@pytest.mark.parametrize("name", ["nonsense", "rot13", "zip", "", "utf\0"])
def test_an_encoding_that_is_none_is_refused_by_its_option(tmp_path: Path, name: str) -> None:
    with pytest.raises(BadRequest, match=r"--encoding .* latin-1, cp1252, utf-16"):
        check_encoding(name)
    with pytest.raises(BadRequest, match=r"--encoding"):
        read(tmp_path / "x.txt", b"x", name)


def test_bytes_that_are_not_of_the_encoding_are_told_by_line_and_column(tmp_path: Path) -> None:
    with pytest.raises(UnreadableSource, match=r"x.txt, line 2, column 4: is not ascii text"):
        read(tmp_path / "x.txt", "one\ntwoö".encode(), "ascii")
    with pytest.raises(UnreadableSource, match=r"x.txt, line 2, column 2: is not utf-16-le text"):
        read(tmp_path / "x.txt", "one\nt".encode("utf-16-le") + b"\x00\xdc", "utf-16-le")


def test_a_fault_far_into_a_file_is_told_by_line_and_column(tmp_path: Path) -> None:
    text = "ü\n" * 100_000
    with pytest.raises(UnreadableSource, match=r"line 100001, column 3 \(byte 300003\): is not UTF-8"):
        read(tmp_path / "x.txt", text.encode() + "aü".encode() + b"\xff\n")
    with pytest.raises(UnreadableSource, match="line 100001, column 2: is not ascii text"):
        read(tmp_path / "x.txt", b"a\n" * 100_000 + b"a\xff", "ascii")


def test_a_fault_in_a_line_of_json_is_told_by_line_and_column(tmp_path: Path) -> None:
    lines = [json.dumps(message).encode() for message in MESSAGES]
    path = tmp_path / "x.jsonl"
    path.write_bytes(b"\n".join([*lines, b'{"role": "user", "content": "\xc3\xbc\xfc"}\n']))
    [found], reading = told(path)
    assert len(found.turns) == len(MESSAGES)
    assert re.search(r"line 3, column 31: is not UTF-8 .* --encoding latin-1", str(reading.failures))


@given(st.text(st.characters(codec="cp1252", exclude_categories=["Cc"]), min_size=1, max_size=200))
def test_what_an_encoding_holds_comes_back_character_by_character(
    tmp_path_factory: pytest.TempPathFactory, text: str
) -> None:
    path = tmp_path_factory.mktemp("encodings") / "x.txt"
    [found] = read(path, f"A note: {text}".encode("cp1252"), "cp1252")
    assert "".join(turn.content for turn in found.turns) == f"A note: {text}"


@pytest.mark.parametrize(
    "encoding",
    sorted({*aliases.values(), "idna", "punycode", "undefined", "unicode_escape", "raw_unicode_escape", "utf_8_sig"}),
)
@pytest.mark.parametrize(
    "content", [b"Ann: Hello\n", b"[{\xff\xfe", b"xn--\xc3\xa9.", b"\\x \\U99999999", b"-" + b"9" * 99]
)
def test_whatever_encoding_is_asked_for_a_file_is_read_or_refused_in_one_line(
    tmp_path: Path, encoding: str, content: bytes
) -> None:
    path = tmp_path / "chat.txt"
    path.write_bytes(content)
    [source] = list_sources(path)
    told = f"{path}: --encoding"
    try:
        list(read_conversations(source, Reading(source.file, encoding=encoding)))
    except (UnreadableSource, BadRequest) as problem:
        told = str(problem)
    assert told.startswith((str(path), "--encoding"))
    assert "\n" not in told
