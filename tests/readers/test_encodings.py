"""Text in other encodings than UTF-8."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palace.errors import BadRequest, UnreadableSource
from tests.readers import front
from tests.readers.front import Read, ReadTold

TALK = "User: Grüße, naïve façade\nAssistant: Hallo\n"
MESSAGES = [{"role": "user", "content": "Grüße"}, {"role": "assistant", "content": "Hallo"}]
LINES = [json.dumps(message, ensure_ascii=False) for message in MESSAGES]
ODD = [b"Ann: Hello\n", b"[{\xff\xfe", b"xn--\xc3\xa9.", b"\\x \\U99999999", b"-" + b"9" * 99]


def read(path: Path, data: bytes, encoding: str | None = None) -> list[str]:
    path.write_bytes(data)
    return [turn.content for found in front.read(path, encoding=encoding) for turn in found.turns]


def test_text_and_json_are_read_in_the_encoding_asked_for(tmp_path: Path) -> None:
    for encoding in ("latin-1", "cp1252", "utf-16-le", "utf-16", "utf-32", "mac-roman", "utf-8-sig"):
        assert read(tmp_path / "x.txt", TALK.encode(encoding), encoding) == ["Grüße, naïve façade", "Hallo"]
        for text in (f"[{', '.join(LINES)}]", "\n".join(LINES)):
            assert read(tmp_path / "x.json", text.encode(encoding), encoding) == ["Grüße", "Hallo"], encoding


def test_a_byte_order_mark_tells_the_encoding(tmp_path: Path) -> None:
    for encoding in ("utf-16", "utf-32"):
        assert len(read(tmp_path / "x.txt", TALK.encode(encoding))) == 2
        assert len(read(tmp_path / "x.json", json.dumps(MESSAGES).encode(encoding))) == 2


def test_an_encoding_that_was_not_asked_for_is_named_with_the_way_to_read_it(read: Read) -> None:
    for encoding in ("utf-16-le", "utf-16-be"):
        for text in (TALK, "\n".join(LINES)):
            with pytest.raises(UnreadableSource, match=f"looks like {encoding.upper()}: try --encoding {encoding}"):
                read(text.encode(encoding))
    with pytest.raises(UnreadableSource, match=r"line 1: .* try --encoding latin-1"):
        read("Grüße".encode("latin-1"), "x.md")
    with pytest.raises(UnreadableSource, match=r"try --encoding cp1252"):
        read("“Grüße”".encode("cp1252"), "x.md")
    with pytest.raises(UnreadableSource, match="is not UTF-8, nor any Latin encoding"):
        read("аккумулятор для лодки".encode("koi8-r"), "x.md")


def test_a_table_is_read_in_the_encoding_of_spreadsheets(read_told: ReadTold) -> None:
    for encoding in ("cp1252", "utf-8", "utf-8-sig", "utf-16"):
        [found], beside = read_told("who,text\nJürgen,größer – €\n".encode(encoding), "x.csv")
        assert (found.turns[0].speaker, found.turns[0].content) == ("Jürgen", "größer – €")
        assert any("Windows-1252" in each for each in beside.notices) is (encoding == "cp1252")


def test_an_encoding_that_is_none_is_refused_by_its_option(tmp_path: Path) -> None:
    for name in ("nonsense", "rot13", "zip", "", "utf\0"):
        with pytest.raises(BadRequest, match="--encoding"):
            read(tmp_path / "x.txt", b"x", name)


def test_bytes_that_are_not_of_the_encoding_are_told_by_line(tmp_path: Path) -> None:
    far = ("ü\n" * 100_000).encode() + "aü".encode() + b"\xff\n"
    for data, encoding, place in (
        ("one\ntwoö".encode(), "ascii", "x.txt, line 2: is not ascii text"),
        ("one\nt".encode("utf-16-le") + b"\x00\xdc", "utf-16-le", "x.txt, line 2: is not utf-16-le text"),
        (b"a\n" * 100_000 + b"a\xff", "ascii", "line 100001: is not ascii text"),
        (far, None, "line 100001: is not UTF-8"),
    ):
        with pytest.raises(UnreadableSource, match=place):
            read(tmp_path / "x.txt", data, encoding)


@given(st.text(st.characters(codec="cp1252", exclude_categories=["Cc"]), min_size=1, max_size=200))
def test_what_an_encoding_holds_comes_back_character_by_character(
    tmp_path_factory: pytest.TempPathFactory, text: str
) -> None:
    path = tmp_path_factory.mktemp("encodings") / "x.txt"
    assert "".join(read(path, f"A note: {text}".encode("cp1252"), "cp1252")) == f"A note: {text}"


def assert_one_line(path: Path, data: bytes, encoding: str) -> None:
    """See that a file is read or refused in one line that names it or the option."""
    said = "--encoding"
    try:
        read(path, data, encoding)
    except (UnreadableSource, BadRequest) as problem:
        said = str(problem)
    assert said.startswith((str(path), "--encoding")), (encoding, data)
    assert "\n" not in said, (encoding, data)


def test_an_odd_encoding_is_read_or_refused_in_one_line(tmp_path: Path) -> None:
    for encoding in ("idna", "punycode", "undefined", "unicode_escape", "utf_7", "hex_codec", "shift_jis"):
        for data in ODD:
            assert_one_line(tmp_path / "chat.txt", data, encoding)
