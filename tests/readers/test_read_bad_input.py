"""Files that cannot be read: one line that names the file, the place and the reason."""

from __future__ import annotations

import gzip
import json
import zipfile
from collections.abc import Callable
from itertools import chain
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from palace.errors import UnreadableSource
from palace.mining.readers.discovery.paths import list_sources
from palace.mining.readers.reading import Reading
from palace.mining.readers.registry import read_conversations
from palace.records import Conversation

Read = Callable[..., list[Conversation]]
ReadTold = Callable[..., tuple[list[Conversation], Reading]]

CHATS = json.dumps(
    [{"id": n, "messages": [{"role": "user", "content": f"ü{n}"}]} for n in range(3)], ensure_ascii=False
)


@pytest.mark.parametrize("content", [b"", b"\n \n", b"\xef\xbb\xbf", b"[]", b" [ ] "])
@pytest.mark.parametrize("name", ["x.json", "x.md"])
def test_an_empty_file_gives_nothing(read: Read, content: bytes, name: str) -> None:
    assert read(content, name) == []


@pytest.mark.parametrize(
    ("content", "known"),
    [
        ({"sessionId": "x", "messages": [{"type": "gemini", "content": "x"}]}, False),
        ({}, False),
        (["a", "b"], False),
        ("[1, 2]", False),
        ([{"role": "user", "content": "x"}], True),
    ],
)
def test_json_of_no_known_format_is_told_with_what_was_looked_for(read: Read, content: object, known: bool) -> None:
    if known:
        assert read(content)
        return
    with pytest.raises(UnreadableSource, match=r"chat.json: JSON of no known format \(looked for ChatGPT, Claude, "):
        read(content)


def test_json_cut_off_anywhere_is_told_with_the_place(read: Read) -> None:
    data = CHATS.encode()
    for length in range(2, len(data)):
        with pytest.raises(UnreadableSource) as caught:
            read(data[:length])
        assert caught.value.file.endswith("chat.json")
        assert "cut off" in caught.value.reason or "breaks off" in caught.value.reason
        assert "byte" in caught.value.place


def test_a_fault_in_the_middle_is_told_by_its_byte(read: Read) -> None:
    text = CHATS.replace('"id": 2', '"id": oops')
    with pytest.raises(UnreadableSource) as caught:
        read(text)
    byte = text.encode().index(b"oops")
    assert caught.value.place == f"item 3, line 1, column {text.index('oops') + 1} (byte {byte})"
    assert caught.value.reason == "the JSON is not valid: a value is wanted here, not oops"


def test_a_fault_in_a_single_document_is_told_by_its_byte(read: Read) -> None:
    text = '{"title": "ü",\n "messages": oops}'
    place = rf"chat\.json, line 2, column 14 \(byte {text.encode().index(b'oops')}\): the JSON is not valid"
    with pytest.raises(UnreadableSource, match=place):
        read(text)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('[{"role": "user" "content": "x"}]', 'a comma or a closing bracket is wanted here, not "'),
        ('[{"role" "user"}]', 'a colon is wanted here, not "'),
        ("[{'role': 'user'}]", "JSON"),
        ('[{"role": "user", role: 1}]', "a key in double quotes is wanted here, not role"),
        ('[{"content": "a\nb"}]', "a line break or tab inside a text is wanted as \\n or \\t"),
        ('[{"content": "C:\\hidden"}]', "a backslash is wanted as \\\\, not \\hidden"),
        ('[{"content": \x1b[31mx}]', "a value is wanted here"),
    ],
)
def test_a_fault_of_the_json_is_told_in_words_of_our_own(read: Read, text: str, told: str) -> None:
    with pytest.raises(UnreadableSource) as caught:
        read(text)
    assert told in caught.value.reason
    assert str(caught.value).isprintable()
    assert "xpecting" not in caught.value.reason


@pytest.mark.parametrize(
    "value",
    [
        {"conversations": []},
        {"chats": [], "version": 2},
        {"messages": []},
        {"id": "x", "title": "New chat", "messages": []},
        [{"messages": []}, {"messages": []}],
        {"data": [], "object": "list"},
        [],
    ],
)
def test_an_export_with_nothing_in_it_is_counted_and_no_error(read_told: ReadTold, value: object) -> None:
    found, reading = read_told(value)
    assert (found, reading.failures) == ([], [])
    assert set(reading.left_out) <= {"empty lists of conversations", "conversations without messages"}
    assert reading.left_out.total() == (2 if isinstance(value, list) and value else 1)


def test_many_empty_conversations_do_not_hide_the_one_behind_them(read_told: ReadTold) -> None:
    good = {"messages": [{"role": "user", "content": "x"}]}
    found, reading = read_told([*({"messages": []} for _ in range(80)), good, {"messages": []}])
    assert len(found) == 1
    assert reading.left_out == {"conversations without messages": 81}


def test_more_text_behind_the_array_is_told(read: Read) -> None:
    with pytest.raises(UnreadableSource, match="more text follows"):
        read('[{"role": "user", "content": "x"}] trailing')


def test_a_missing_comma_is_told(read: Read) -> None:
    with pytest.raises(UnreadableSource, match=r"a comma or a closing bracket is wanted here, not \{"):
        read('[{"role": "user", "content": "x"} {"role": "user", "content": "y"}]')


def test_an_absurd_number_is_told(read: Read) -> None:
    with pytest.raises(UnreadableSource, match="a number too long to be read"):
        read('[{"role": "user", "content": "x", "n": ' + "1" * 5000 + "}]")


@pytest.mark.parametrize("text", ["[" * 100_000, '{"a":' * 100_000, '[{"role":"user","content":' + "[" * 100_000])
def test_absurd_nesting_is_told(read: Read, text: str) -> None:
    with pytest.raises(UnreadableSource, match="nested too deeply"):
        read(text)


def test_a_binary_file_is_told(read: Read) -> None:
    with pytest.raises(UnreadableSource, match=r"x.md: is a binary file, not text"):
        read(bytes(range(256)) * 40, "x.md")
    with pytest.raises(UnreadableSource, match="is a PDF; save its text"):
        read(b"%PDF-1.7\n" + b"\x00\x01\x02\x80\xff" * 200, "x.pdf")


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("text", ["User: Grüße\nAssistant: Hallo\n", CHATS])
def test_utf_16_without_a_mark_is_told_with_the_way_to_read_it(read: Read, encoding: str, text: str) -> None:
    with pytest.raises(UnreadableSource, match=f"looks like {encoding.upper()}: try --encoding {encoding}"):
        read(text.encode(encoding))


def test_latin_1_and_windows_1252_are_told_apart(read: Read) -> None:
    told = r"x.md, line 1, column 3 \(byte 2\): .*looks like Latin-1: try --encoding latin-1"
    with pytest.raises(UnreadableSource, match=told):
        read("Grüße".encode("latin-1"), "x.md")
    with pytest.raises(UnreadableSource, match=r"looks like Windows-1252: try --encoding cp1252"):
        read("“Grüße”".encode("cp1252"), "x.md")


def test_an_encoding_that_is_not_latin_is_not_guessed(read: Read) -> None:
    with pytest.raises(UnreadableSource, match="is not UTF-8, nor any Latin encoding"):
        read("аккумулятор для лодки".encode("koi8-r"), "x.md")


def test_bytes_that_are_no_utf_8_far_into_a_file_are_told_by_their_place(read: Read) -> None:
    with pytest.raises(UnreadableSource, match=r"line 1, column 200001 \(byte 400000\): is not UTF-8"):
        read("ü".encode() * 200_000 + b"\xff", "x.md")
    start = b'[{"role": "user", "content": "'
    with pytest.raises(UnreadableSource, match=rf"\(byte {len(start) + 400000}\): is not UTF-8"):
        read(start + "ü".encode() * 200_000 + b'\xff"}]')


def test_a_character_cut_by_the_end_of_the_head_is_no_fault(read: Read) -> None:
    text = "a" + "ü" * 100_000
    assert read(text, "x.md")[0].turns[0].content == text


def test_a_stray_nul_or_escape_sequence_does_not_make_a_text_binary(read: Read) -> None:
    text = "A log with \x1b[1mcolour\x1b[0m and one \x00 in it."
    assert read(text, "x.md")[0].turns[0].content == text


def test_text_named_as_json_is_told(read: Read) -> None:
    with pytest.raises(UnreadableSource, match="is named as JSON but does not begin as JSON does"):
        read("not json", "x.json")
    assert read("about package.json", "package.json.md")


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_a_table_is_told_by_its_rows_also_where_some_are_uneven(read: Read, separator: str) -> None:
    rows = [separator.join(row) for row in (("a", "b"), ("1", "2"), ("3",), ("4", "5"))]
    with pytest.raises(UnreadableSource, match=r"is a table \(CSV\)"):
        read("\n".join(rows), "x.csv")


def test_what_is_named_as_a_table_and_is_none_is_read(read: Read) -> None:
    talk = "Ann: Hello\nBob: Hi, you\nAnn: How are you?\nBob: Fine\n"
    assert [turn.speaker for turn in read(talk, "x.csv")[0].turns] == ["Ann", "Bob", "Ann", "Bob"]
    assert read(CHATS, "y.csv")[0].reader == "openai"


def test_a_web_page_is_told(read: Read) -> None:
    with pytest.raises(UnreadableSource, match="is a web page"):
        read("<!DOCTYPE html><html></html>", "x.txt")


def test_the_format_is_found_by_content_whatever_the_name(read: Read) -> None:
    assert read(CHATS, "x.md")[0].reader == "openai"
    assert read(CHATS, "x")[0].reader == "openai"


@pytest.mark.parametrize("content", [CHATS, "A note\r\nwith two lines.\r\n"])
def test_gzip_is_unpacked_whatever_the_name(read: Read, content: str) -> None:
    assert read(gzip.compress(content.encode()), "x.dat") == read(content, "y.dat")


def test_a_byte_order_mark_is_no_content(read: Read) -> None:
    assert read(b"\xef\xbb\xbf" + CHATS.encode()) == read(CHATS)
    assert read(b"\xef\xbb\xbfA note.", "x.md")[0].turns[0].content == "A note."
    line = b'\xef\xbb\xbf{"role": "user", "content": "x"}\n'
    assert len(read(line, "x.jsonl")[0].turns) == 1


def test_damaged_gzip_is_told(read: Read) -> None:
    with pytest.raises(UnreadableSource, match=r"x.gz: is damaged or cut off"):
        read(gzip.compress(CHATS.encode())[:-12], "x.gz")


def test_a_damaged_member_of_an_archive_is_told(tmp_path: Path) -> None:
    path = tmp_path / "x.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("chat.json", CHATS)
    path.write_bytes(path.read_bytes().replace("ü1".encode(), b"xyz"))
    [source] = list_sources(path)
    with pytest.raises(UnreadableSource, match=r"x.zip: is damaged or cut off: Bad CRC-32"):
        list(read_conversations(source))


def test_an_encrypted_member_of_an_archive_is_told(tmp_path: Path) -> None:
    path = tmp_path / "x.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("chat.json", CHATS)
    data = bytearray(path.read_bytes())
    data[data.index(b"PK\x01\x02") + 8] |= 1
    path.write_bytes(data)
    [source] = list_sources(path)
    with pytest.raises(UnreadableSource, match=r"x.zip, chat.json: is encrypted"):
        list(read_conversations(source))


def test_a_bomb_is_refused_while_it_is_read(tmp_path: Path, read: Read) -> None:
    text = b'[{"role": "user", "content": "' + b"a" * (64 << 20)
    with zipfile.ZipFile(tmp_path / "bomb.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("chat.json", text)
    with pytest.raises(UnreadableSource, match=r"bomb.zip: unpacks to more than \d+ MiB"):
        list(read_conversations(list_sources(tmp_path / "bomb.zip")[0]))
    with pytest.raises(UnreadableSource, match=r"bomb.gz: unpacks to more than \d+ MiB"):
        read(gzip.compress(text, compresslevel=6), "bomb.gz")


def test_many_small_members_that_unpack_to_much_are_refused_together(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "bomb.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(6):
            archive.writestr(f"{number}.md", b"a" * (4 << 20))
    sources = list_sources(tmp_path / "bomb.zip")
    with pytest.raises(UnreadableSource, match="far too much for its size"):
        list(chain.from_iterable(map(read_conversations, sources)))


def test_reading_an_archive_twice_is_not_counted_twice(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "x.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("x.md", b"a" * (6 << 20))
    [source] = list_sources(tmp_path / "x.zip")
    sizes = [len(next(read_conversations(source)).turns[0].content) for _ in range(4)]
    assert sizes == [6 << 20] * 4


def is_one_clear_ending(read: Read, content: object) -> bool:
    """Tell whether reading ends in conversations with turns, or in an error of one line."""
    try:
        return all(conversation.turns for conversation in read(content, "x.any"))
    except UnreadableSource as problem:
        return "\n" not in str(problem)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=300)
@given(st.one_of(st.binary(max_size=300), st.text(max_size=300).map(str.encode)))
def test_whatever_the_bytes_reading_ends_in_conversations_or_in_one_clear_line(read: Read, data: bytes) -> None:
    assert is_one_clear_ending(read, data)


KEYS = (
    *("author", "name", "from", "value", "conversations", "contents", "choices", "created_at", "output", "body"),
    *("chats", "docs", "uuid", "memory_files", "project_memories", "metadata", "recipient", "children", "items"),
    *("role", "content", "messages", "message", "type", "uuid", "id", "text", "parts", "tool_calls", "function"),
    *("mapping", "current_node", "author", "parent", "create_time", "chat_messages", "sender", "attachments"),
    *("sessionId", "haystack_sessions", "conversation", "session_1", "speaker"),
)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.just("user"),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=5),
    max_leaves=25,
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=200)
@given(json_values)
def test_whatever_the_json_reading_ends_in_conversations_or_in_one_clear_line(read: Read, value: object) -> None:
    assert is_one_clear_ending(read, json.dumps(value))
