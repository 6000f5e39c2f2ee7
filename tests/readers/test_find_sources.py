"""What a path offers to mine."""

from __future__ import annotations

import io
import os
import socket
import subprocess
import sys
import zipfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from threading import Thread
from typing import BinaryIO, cast

import pytest

from palace.errors import UnreadableSource
from palace.intake import spool
from palace.mining.readers.discovery.paths import list_sources
from palace.mining.readers.registry import read_conversations
from palace.records import Conversation
from tests.readers.conftest import told

Write = Callable[[dict[str, object]], Path]
ReadPath = Callable[[Path], list[Conversation]]

CHAT = [{"role": "user", "content": "Hi"}]
CHATGPT = [{"title": "T", "mapping": {"a": {"message": {"author": {"role": "user"}, "content": {"parts": ["Hi"]}}}}}]


def found_below(root: Path) -> list[str]:
    return [source.file.removeprefix(f"{root}/") for source in list_sources(root)]


def write_zip(path: Path, files: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return path


def test_a_file_is_one_source_named_without_its_endings(write_tree: Write) -> None:
    [source] = list_sources(write_tree({"chat.jsonl.gz": b""}) / "chat.jsonl.gz")
    assert source.name == "chat"
    assert source.file.endswith("chat.jsonl.gz")


def test_no_path_at_all_is_not_taken_for_the_current_folder() -> None:
    with pytest.raises(UnreadableSource, match="no such file or folder"):
        list_sources("")


def test_a_missing_path_is_named(tmp_path: Path) -> None:
    with pytest.raises(UnreadableSource, match=r"gone\.json: no such file or folder"):
        list_sources(tmp_path / "gone.json")


def test_a_folder_is_searched_in_the_order_of_names(write_tree: Write) -> None:
    root = write_tree({"b.md": "b", "a/z.md": "z", "a/b/c.md": "c", "a.md": "a"})
    assert found_below(root) == ["a/b/c.md", "a/z.md", "a.md", "b.md"]


def test_hidden_and_irrelevant_files_are_left_out(write_tree: Write) -> None:
    names = [
        ".git/x.md",
        ".hidden.md",
        "a/.b/c.md",
        "pic.PNG",
        "film.mp4",
        "node_modules/m/readme.md",
        "x.html",
        "x.py",
    ]
    assert found_below(write_tree(dict.fromkeys([*names, "note.md"], "x"))) == ["note.md"]


def test_what_is_passed_over_is_counted_by_kind(write_tree: Write) -> None:
    names = ["a.png", "b.JPG", "x.html", "x.py", "call.mp3", "film.mp4", ".hidden.md", ".git/x.md", ".git/y.md"]
    names += ["node_modules/a.md", "node_modules/b.md", "sub/c.svg", "note.md"]
    root = write_tree(dict.fromkeys(names, "x"))
    (root / "gone.md").symlink_to("nowhere")
    (root / "link").symlink_to(root / "sub")
    os.mkfifo(root / "pipe")
    write_zip(root / "b.zip", {"chat.md": b"x", "__MACOSX/._chat.md": b"x", "pic.png": b"x"})
    passed_over: Counter[str] = Counter()
    found = list_sources(root, passed_over=passed_over)
    assert [source.name for source in found] == ["chat", "note"]
    assert +passed_over == {
        "pictures": 4,
        "web pages": 1,
        "programs": 1,
        "sound files": 1,
        "films": 1,
        "hidden files": 2,
        "hidden folders": 1,
        "files of programs": 2,
        "linked folders": 1,
        "dead links": 1,
        "special files": 1,
    }


def test_what_lies_beside_a_chat_is_counted(write_tree: Write) -> None:
    root = write_tree({"_chat.txt": "x", "IMG-20240501-WA0001.jpg": "x", "own.md": "x"})
    passed_over: Counter[str] = Counter()
    list_sources(root, passed_over=passed_over)
    assert +passed_over == {"attachments": 1}


def test_what_claude_code_keeps_beside_its_transcripts_is_left_out(write_tree: Write) -> None:
    session = "7acd37a8-2745-4b58-a8a9-46164b22ad9e"
    names = ["sessions-index.json", f"{session}/tool-results/b1.txt", f"{session}/subagents/agent-1.jsonl"]
    root = write_tree(dict.fromkeys([f"p/{name}" for name in [*names, f"{session}.jsonl"]], "{}"))
    assert found_below(root) == [f"p/{session}.jsonl"]


def test_a_hidden_folder_that_is_asked_for_is_searched(write_tree: Write) -> None:
    root = write_tree({".claude/projects/p/s.jsonl": "{}"})
    assert len(list_sources(root / ".claude")) == 1


@pytest.mark.parametrize(("files", "told"), [({}, "$"), ({"pic.png": b"x"}, "; passed over: 1 pictures$")])
def test_a_folder_with_nothing_to_mine_is_named(
    write_tree: Write, tmp_path: Path, files: dict[str, object], told: str
) -> None:
    write_tree(files)
    (tmp_path / "tree").mkdir(exist_ok=True)
    with pytest.raises(UnreadableSource, match=f"tree: there is nothing to mine in it{told}"):
        list_sources(tmp_path / "tree")


def test_standard_input_can_be_read_twice() -> None:
    [source] = list_sources("-", standard_input=io.BytesIO(b"A note."))
    assert (source.file, source.name) == ("standard input", "standard input")
    first, second = (list(read_conversations(source)) for _ in range(2))
    assert first == second
    assert first[0].turns[0].content == "A note."


def test_a_zip_archive_may_come_through_standard_input(tmp_path: Path) -> None:
    archive = write_zip(tmp_path / "x.zip", {"note.md": b"A note."})
    [source] = list_sources("-", standard_input=io.BytesIO(archive.read_bytes()))
    assert source.file == "standard input/note.md"
    assert next(read_conversations(source)).turns[0].content == "A note."


def test_a_pipe_can_be_read_twice(tmp_path: Path) -> None:
    read_end, write_end = os.pipe()
    os.write(write_end, b"Through a pipe.")
    os.close(write_end)
    try:
        [source] = list_sources(f"/dev/fd/{read_end}")
    finally:
        os.close(read_end)
    contents = [next(read_conversations(source)).turns[0].content for _ in range(2)]
    assert contents == ["Through a pipe."] * 2


@pytest.mark.parametrize("limit", ["LARGEST_SPOOL", "SPARED_BYTES"])
def test_a_stream_without_an_end_is_not_kept(limit: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr(spool, "_LOOK_AFTER", 1 << 20)
    monkeypatch.setattr(spool, limit, {"LARGEST_SPOOL": 1 << 21, "SPARED_BYTES": 1 << 60}[limit])
    told = {"LARGEST_SPOOL": "holds more than", "SPARED_BYTES": "does not fit into"}[limit]
    with Path("/dev/zero").open("rb") as endless, pytest.raises(UnreadableSource, match=f"standard input: {told}"):
        list_sources("-", standard_input=endless)
    assert list(tmp_path.iterdir()) == []


def test_a_stream_that_breaks_is_named() -> None:
    class Broken(io.RawIOBase):
        def readable(self) -> bool:
            return True

        def read(self, _size: int = -1) -> bytes:
            raise OSError(5, "Input/output error")

    with pytest.raises(UnreadableSource, match="standard input: cannot be read into a temporary file: Input/output"):
        list_sources("-", standard_input=cast(BinaryIO, Broken()))


@pytest.mark.parametrize("device", ["/dev/zero", "/dev/urandom", "/dev/full"])
def test_a_device_is_refused(device: str) -> None:
    with pytest.raises(UnreadableSource, match=f"{device}: is a device, not a file"):
        list_sources(device)


def test_the_null_device_is_empty() -> None:
    [source] = list_sources("/dev/null")
    assert list(read_conversations(source)) == []


def test_a_socket_is_refused(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "s"))
        with pytest.raises(UnreadableSource, match="is a socket, not a file"):
            list_sources(tmp_path / "s")


def test_a_named_pipe_waits_for_its_writer(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = Thread(target=pipe.write_bytes, args=(b"Through a named pipe.",))
    writer.start()
    [source] = list_sources(pipe)
    writer.join()
    assert source.file == str(pipe)
    assert next(read_conversations(source)).turns[0].content == "Through a named pipe."


def test_pipes_sockets_and_links_that_lead_nowhere_in_a_folder_are_passed_over(write_tree: Write) -> None:
    root = write_tree({"a.md": "A note."})
    os.mkfifo(root / "pipe.md")
    (root / "loop.md").symlink_to("loop.md")
    (root / "gone.md").symlink_to("nowhere.md")
    (root / "itself").symlink_to(root)
    (root / "zero.md").symlink_to("/dev/zero")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(root / "socket.md"))
        assert found_below(root) == ["a.md"]


def test_a_link_that_leads_to_itself_is_named(tmp_path: Path) -> None:
    (tmp_path / "loop.md").symlink_to("loop.md")
    with pytest.raises(UnreadableSource, match=r"loop\.md: cannot be read: Too many levels of symbolic links"):
        list_sources(tmp_path / "loop.md")


def test_a_file_that_may_not_be_looked_at_does_not_stop_the_others(folder: Path) -> None:
    folder.chmod(0o755)
    (folder / "a.md").write_text("A note.")
    (folder / "closed").mkdir()
    (folder / "closed" / "b.md").write_text("Another.")
    (folder / "closed").chmod(0o444)
    program = (
        "import os, sys\nfrom palace.mining.readers.discovery.paths import list_sources\n"
        "os.geteuid() or os.setuid(65534)\nprint([source.file for source in list_sources(sys.argv[1])])"
    )
    told = subprocess.run([sys.executable, "-c", program, str(folder)], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == str([f"{folder}/a.md", f"{folder}/closed/b.md"])


def test_the_copy_of_standard_input_goes_with_its_source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    sources = list_sources("-", standard_input=io.BytesIO(b"x"))
    assert len(list(tmp_path.iterdir())) == 1
    del sources
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["conversations.json", "conversations-000.json"])
def test_an_unpacked_export_offers_its_conversations_and_what_is_not_its_own(
    write_tree: Write, read_path: ReadPath, name: str
) -> None:
    root = write_tree(
        {
            name: CHATGPT,
            "user.json": {},
            "message_feedback.json": [],
            "chat.html": "<html>",
            "file-abc-report.txt": "attached",
            "my note.md": "mine",
        }
    )
    assert found_below(root) == [name, "my note.md"]
    assert [conversation.reader for conversation in read_path(root)] == ["chatgpt", "note"]


def test_a_zipped_export_offers_its_conversations_and_what_else_it_holds_as_json(tmp_path: Path) -> None:
    files = {
        "export/conversations-001.json": b"[]",
        "export/conversations-000.json": b"[]",
        "export/export_manifest.json": b"{}",
        "export/projects/p.json": b"{}",
        "export/attached.txt": b"x",
    }
    archive = write_zip(tmp_path / "e.zip", files)
    names = [source.file.removeprefix(f"{archive}/export/") for source in list_sources(archive)]
    assert names == ["conversations-000.json", "conversations-001.json", "projects/p.json"]


def test_what_an_export_holds_beside_is_counted_with_its_first_conversations(tmp_path: Path) -> None:
    files = {
        "conversations-000.json": b"[]",
        "conversations-001.json": b"[]",
        "user.json": b"{}",
        "photo.png": b"x",
        "notes/attached.txt": b"x",
        "unheard-of.json": b'{"a": 1}',
    }
    _, reading = told(write_zip(tmp_path / "e.zip", files))
    assert reading.left_out == {
        "account data (user.json)": 1,
        "files that came with conversations": 2,
        "files of an export in no known format": 1,
        "empty lists of conversations": 2,
    }
    assert reading.failures == []


def test_a_broken_file_of_an_export_is_named(tmp_path: Path) -> None:
    archive = write_zip(
        tmp_path / "e.zip", {"conversations.json": b"[]", "users.json": b"[]", "projects.json": b'[{"uuid'}
    )
    with pytest.raises(
        UnreadableSource, match=r"e.zip/projects.json, item 1, line 1, column 4 \(byte 3\): the JSON is cut off here"
    ):
        told(archive)


def test_conversations_beside_other_files_are_no_export(write_tree: Write) -> None:
    assert found_below(write_tree({"conversations.json": "[]", "other.json": "[]"})) == [
        "conversations.json",
        "other.json",
    ]


def test_an_archive_in_a_folder_offers_what_is_in_it(write_tree: Write) -> None:
    root = write_tree({"a.md": "a"})
    write_zip(root / "b.zip", {"chat.md": b"x", "__MACOSX/._chat.md": b"x", "pic.png": b"x"})
    assert found_below(root) == ["a.md", "b.zip/chat.md"]


def test_a_broken_archive_in_a_folder_does_not_stop_the_others(write_tree: Write) -> None:
    first, second = list_sources(write_tree({"a.zip": b"PK\x03\x04 broken", "b.md": "b"}))
    with pytest.raises(UnreadableSource, match=r"a.zip: the zip archive is damaged"):
        list(read_conversations(first))
    assert next(read_conversations(second)).turns[0].content == "b"


def test_a_broken_archive_by_itself_is_named(write_tree: Write) -> None:
    with pytest.raises(UnreadableSource, match=r"a.zip: the zip archive is damaged"):
        list_sources(write_tree({"a.zip": b"PK\x03\x04 broken"}) / "a.zip")


def test_an_archive_in_an_archive_is_told(tmp_path: Path) -> None:
    inner = write_zip(tmp_path / "inner.zip", {"a.md": b"a"}).read_bytes()
    [source] = list_sources(write_zip(tmp_path / "outer.zip", {"inner.zip": inner}))
    with pytest.raises(UnreadableSource, match=r"outer.zip/inner.zip: an archive inside an archive is not read"):
        list(read_conversations(source))


@pytest.mark.parametrize("name", ["../evil.md", "/etc/evil.md", "a/../../evil.md", "..\\evil.md", "C:/evil.md"])
def test_an_archive_with_paths_that_lead_out_of_it_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(UnreadableSource, match="holds a path that leads out of it"):
        list_sources(write_zip(tmp_path / "evil.zip", {name: b"x"}))


def test_an_empty_archive_is_named(tmp_path: Path) -> None:
    with pytest.raises(UnreadableSource, match=r"x.zip: there is nothing to mine in this archive"):
        list_sources(write_zip(tmp_path / "x.zip", {}))


def test_a_line_break_in_a_name_does_not_break_the_message(tmp_path: Path) -> None:
    (tmp_path / "a\nb.json").write_text("{}")
    with pytest.raises(UnreadableSource, match="a\ufffdb\\.json: JSON of no known format"):
        list(read_conversations(list_sources(tmp_path)[0]))


def test_a_name_that_is_no_text_does_not_stop_anything(tmp_path: Path, read_path: ReadPath) -> None:
    (tmp_path / os.fsdecode(b"caf\xe9.md")).write_text("x")
    [source] = list_sources(tmp_path)
    assert source.name == "caf\ufffd"
    assert next(read_conversations(source)).turns[0].content == "x"


def test_a_damaged_member_is_named_in_one_line_whatever_its_name(tmp_path: Path) -> None:
    archive = write_zip(tmp_path / "x.zip", {"a\x1b\nb.md": b"A note."})
    # The name in front of the member is not the one in the directory any more.
    archive.write_bytes(archive.read_bytes().replace(b"a\x1b\nb.md", b"b\x1b\nb.md", 1))
    [source] = list_sources(archive)
    with pytest.raises(UnreadableSource, match=r"x.zip, a\ufffd\ufffdb.md: the zip archive is damaged") as caught:
        list(read_conversations(source))
    assert str(caught.value).isprintable()


def test_a_member_whose_name_is_no_text_is_told(tmp_path: Path) -> None:
    archive = write_zip(tmp_path / "x.zip", {"ä.md": b"A note."})
    # The name in front of the member is not the one in the directory any more.
    archive.write_bytes(archive.read_bytes().replace("ä.md".encode(), b"\x82\xa4.md", 1))
    [source] = list_sources(archive)
    with pytest.raises(UnreadableSource, match=r"x.zip, ä.md: the zip archive is damaged"):
        list(read_conversations(source))


def test_a_member_packed_in_a_way_that_is_damaged_is_told(tmp_path: Path) -> None:
    path = tmp_path / "x.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr("a.md", "A note. " * 99)
    data = bytearray(path.read_bytes())
    start = data.index(b"a.md") + 4
    data[start + 4 : start + 9] = b"\xff" * 5
    path.write_bytes(data)
    [source] = list_sources(path)
    with pytest.raises(UnreadableSource, match="damaged"):
        list(read_conversations(source))
