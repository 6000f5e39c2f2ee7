"""What cannot be read is told in one line by its file, place and reason, and costs nothing beside it."""

from __future__ import annotations

import gzip
import io
import json
import zipfile
from pathlib import Path

import pytest

from palace.errors import UnreadableSource
from tests.readers.front import Read, ReadTold, offered, told

CHATS = json.dumps(
    [{"id": n, "messages": [{"role": "user", "content": f"ü{n}"}]} for n in range(3)], ensure_ascii=False
)


def test_json_cut_off_anywhere_is_told_with_the_place(read: Read) -> None:
    data = CHATS.encode()
    for length in range(2, len(data)):
        with pytest.raises(UnreadableSource) as caught:
            read(data[:length])
        assert caught.value.file.endswith("chat.json")
        assert "cut off" in caught.value.reason or "breaks off" in caught.value.reason
        assert "line 1" in caught.value.place


@pytest.mark.parametrize("fields", [{"role": "user", "content": "ünfinished"}, {"type": "user", "uuid": "u2"}])
def test_a_last_line_that_breaks_off_costs_nothing_but_itself(read_told: ReadTold, fields: dict[str, str]) -> None:
    message = {"message": {"role": "user", "content": "ünfinished"}, "sessionId": "s1"} if "type" in fields else {}
    cut = json.dumps({**fields, **message}, ensure_ascii=False).encode()
    whole = cut.replace("ünfinished".encode(), b"a").replace(b"u2", b"u1") + b"\n"
    for length in range(1, len(cut) - 1):
        [found], beside = read_told(whole + cut[:length], "chat.jsonl")
        assert [turn.content for turn in found.turns] == ["a"]
        said = [problem.reason for problem in beside.failures] or list(found.warnings)
        assert "cut off" in said[0], length


def test_conversations_before_a_fault_of_the_json_are_given_all_the_same(read_told: ReadTold) -> None:
    good = json.dumps({"messages": [{"role": "user", "content": "a"}]})
    found, beside = read_told(f'{good}\n{{"messages": oops}}\n{good}\n{good[:-9]}', "chat.jsonl")
    assert [each.place for each in found] == ["line 1", "line 3"]
    assert [problem.place for problem in beside.failures] == ["line 2, column 14", "line 4"]


def test_absurd_numbers_and_nesting_are_told(read: Read) -> None:
    with pytest.raises(UnreadableSource, match="a number too long to be read"):
        read('[{"role": "user", "content": "x", "n": ' + "1" * 5000 + "}]")
    for text in ("[" * 100_000, '{"a":' * 100_000, '[{"role":"user","content":' + "[" * 100_000):
        with pytest.raises(UnreadableSource, match="nested too deeply"):
            read(text)


def test_of_many_odd_messages_the_first_are_named_and_all_are_counted(read_told: ReadTold) -> None:
    pair = [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello!"}]
    found, beside = read_told([pair[0], *({"role": None, "content": "x"} for _ in range(500)), pair[1]])
    assert len(found[0].turns) == 2
    assert beside.left_out == {"messages that could not be read": 500}
    assert len(beside.failures) == 21
    assert "only the first 20 are named" in beside.failures[-1].reason


def test_a_binary_file_and_a_pdf_are_told(read: Read) -> None:
    with pytest.raises(UnreadableSource, match=r"x.md: is a binary file, not text"):
        read(bytes(range(256)) * 40, "x.md")
    with pytest.raises(UnreadableSource, match="is a PDF, but damaged"):
        read(b"%PDF-1.7\n" + b"\x00\x01\x02\x80\xff" * 200, "x.pdf")


@pytest.mark.parametrize(("mark", "kind"), [("[Content_Types].xml", "a Word"), ("content.xml", "an OpenDocument")])
def test_a_document_that_is_a_zip_inside_is_called_what_it_is(tmp_path: Path, mark: str, kind: str) -> None:
    with zipfile.ZipFile(tmp_path / "letter.docx", "w") as archive:
        archive.writestr(mark, "<x/>")
    with pytest.raises(UnreadableSource, match=rf"letter.docx: is {kind}.* save its text as .txt or .md"):
        offered(tmp_path / "letter.docx")


def test_what_is_damaged_or_encrypted_inside_an_archive_is_told(read: Read, tmp_path: Path) -> None:
    with pytest.raises(UnreadableSource, match=r"x.gz: is damaged or cut off"):
        read(gzip.compress(CHATS.encode())[:-12], "x.gz")
    stored = io.BytesIO()
    with zipfile.ZipFile(stored, "w") as archive:
        archive.writestr("chat.json", CHATS)
    whole = stored.getvalue()
    (tmp_path / "x.zip").write_bytes(whole.replace("ü1".encode(), b"xyz"))
    with pytest.raises(UnreadableSource, match=r"x.zip: is damaged or cut off: Bad CRC-32"):
        told(tmp_path / "x.zip")
    locked = bytearray(whole)
    locked[locked.index(b"PK\x01\x02") + 8] |= 1
    (tmp_path / "x.zip").write_bytes(locked)
    with pytest.raises(UnreadableSource, match=r"x.zip, chat.json: is encrypted"):
        told(tmp_path / "x.zip")
    (tmp_path / "x.zip").write_bytes(whole.replace(b"chat.json", b"other.dat", 1))
    with pytest.raises(UnreadableSource, match=r"x.zip, chat.json: the zip archive is damaged"):
        told(tmp_path / "x.zip")


@pytest.mark.slow
def test_a_bomb_is_refused_while_it_is_read(tmp_path: Path, read: Read) -> None:
    text = b'[{"role": "user", "content": "' + b"a" * (64 << 20)
    with zipfile.ZipFile(tmp_path / "bomb.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("chat.json", text)
    with pytest.raises(UnreadableSource, match=r"bomb.zip: unpacks to more than \d+ MiB"):
        told(tmp_path / "bomb.zip")
    with pytest.raises(UnreadableSource, match=r"bomb.gz: unpacks to more than \d+ MiB"):
        read(gzip.compress(text, compresslevel=6), "bomb.gz")


@pytest.mark.nightly
def test_small_members_that_unpack_to_much_are_refused_together_and_one_that_is_read_again_is_not(
    tmp_path: Path,
) -> None:
    with zipfile.ZipFile(tmp_path / "bomb.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(6):
            archive.writestr(f"{number}.md", b"a" * (4 << 20))
    with pytest.raises(UnreadableSource, match="far too much for its size"):
        told(tmp_path / "bomb.zip")
    with zipfile.ZipFile(tmp_path / "x.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("x.md", b"a" * (6 << 20))
    [source] = offered(tmp_path / "x.zip")
    assert [len(source.read()[0]) for _ in range(4)] == [6 << 20] * 4
