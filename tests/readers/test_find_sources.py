"""What a path offers to mine."""

from __future__ import annotations

import io
import os
import socket
import zipfile
from collections import Counter
from pathlib import Path

import pytest

from palace.errors import UnreadableSource
from palace.models import spool
from tests.readers.front import WriteTree, offered, read, told

CHATGPT = [{"title": "T", "mapping": {"a": {"message": {"author": {"role": "user"}, "content": {"parts": ["Hi"]}}}}}]


def found_below(root: Path) -> list[str]:
    return [source.file.removeprefix(f"{root}/") for source in offered(root)]


def write_zip(path: Path, files: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return path


def test_a_folder_is_searched_in_the_order_of_names(write_tree: WriteTree) -> None:
    root = write_tree({"b.md": "b", "a/z.md": "z", "a/b/c.md": "c", "a.md": "a"})
    assert found_below(root) == ["a/b/c.md", "a/z.md", "a.md", "b.md"]


def test_what_is_passed_over_is_counted_by_kind(write_tree: WriteTree) -> None:
    names = ["a.png", "b.JPG", "x.html", "x.py", "call.mp3", "film.mp4", ".hidden.md", ".git/x.md", ".git/y.md"]
    names += ["node_modules/a.md", "node_modules/b.md", "sub/c.svg", "note.md"]
    root = write_tree(dict.fromkeys(names, "x"))
    (root / "gone.md").symlink_to("nowhere")
    (root / "link").symlink_to(root / "sub")
    os.mkfifo(root / "pipe")
    write_zip(root / "b.zip", {"chat.md": b"x", "__MACOSX/._chat.md": b"x", "pic.png": b"x"})
    passed_over: Counter[str] = Counter()
    found = offered(root, passed_over=passed_over)
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


def test_standard_input_can_be_read_twice_and_may_be_a_zip_archive(tmp_path: Path) -> None:
    archive = write_zip(tmp_path / "x.zip", {"note.md": b"A note."})
    for data, file in ((b"A note.", "standard input"), (archive.read_bytes(), "standard input/note.md")):
        [source] = offered("-", standard_input=io.BytesIO(data))
        assert source.file == file
        assert [source.read() for _ in range(2)] == [["A note."]] * 2


def test_a_pipe_can_be_read_twice(tmp_path: Path) -> None:
    read_end, write_end = os.pipe()
    os.write(write_end, b"Through a pipe.")
    os.close(write_end)
    try:
        [source] = offered(f"/dev/fd/{read_end}")
    finally:
        os.close(read_end)
    assert [source.read() for _ in range(2)] == [["Through a pipe."]] * 2


@pytest.mark.parametrize("limit", ["LARGEST_SPOOL", "SPARED_BYTES"])
def test_a_stream_without_an_end_is_not_kept(limit: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr(spool, "_LOOK_AFTER", 1 << 20)
    monkeypatch.setattr(spool, limit, {"LARGEST_SPOOL": 1 << 21, "SPARED_BYTES": 1 << 60}[limit])
    told = {"LARGEST_SPOOL": "holds more than", "SPARED_BYTES": "does not fit into"}[limit]
    with Path("/dev/zero").open("rb") as endless, pytest.raises(UnreadableSource, match=f"standard input: {told}"):
        offered("-", standard_input=endless)
    assert list(tmp_path.iterdir()) == []


def test_a_device_is_refused() -> None:
    for device in ("/dev/zero", "/dev/urandom", "/dev/full"):
        with pytest.raises(UnreadableSource, match=f"{device}: is a device, not a file"):
            offered(device)


def test_pipes_sockets_and_links_that_lead_nowhere_in_a_folder_are_passed_over(write_tree: WriteTree) -> None:
    root = write_tree({"a.md": "A note."})
    os.mkfifo(root / "pipe.md")
    (root / "loop.md").symlink_to("loop.md")
    (root / "gone.md").symlink_to("nowhere.md")
    (root / "itself").symlink_to(root)
    (root / "zero.md").symlink_to("/dev/zero")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(root / "socket.md"))
        assert found_below(root) == ["a.md"]


@pytest.mark.parametrize("name", ["conversations.json", "conversations-000.json"])
def test_an_unpacked_export_offers_its_conversations_and_what_is_not_its_own(write_tree: WriteTree, name: str) -> None:
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
    assert [conversation.reader for conversation in read(root)] == ["chatgpt", "note"]


def test_a_zipped_export_offers_its_conversations_and_what_else_it_holds_as_json(tmp_path: Path) -> None:
    files = {
        "export/conversations-001.json": b"[]",
        "export/conversations-000.json": b"[]",
        "export/export_manifest.json": b"{}",
        "export/projects/p.json": b"{}",
        "export/attached.txt": b"x",
    }
    archive = write_zip(tmp_path / "e.zip", files)
    names = [source.file.removeprefix(f"{archive}/export/") for source in offered(archive)]
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
    with pytest.raises(UnreadableSource, match=r"e.zip/projects.json, item 1, line 1: the JSON is cut off here"):
        told(archive)


def test_a_broken_archive_in_a_folder_does_not_stop_the_others(write_tree: WriteTree) -> None:
    broken = b"PK\x03\x04 broken"
    tree = write_tree({"a.zip": broken, "b.md": "b"})
    first, second = offered(tree)
    with pytest.raises(UnreadableSource, match=r"a.zip: the zip archive is damaged"):
        first.read()
    assert second.read() == ["b"]
    with pytest.raises(UnreadableSource, match=r"a.docx: is a Word file, but damaged"):
        told((tree / "a.zip").rename(tree / "a.docx"))


def test_an_archive_in_an_archive_is_told(tmp_path: Path) -> None:
    inner = write_zip(tmp_path / "inner.zip", {"a.md": b"a"}).read_bytes()
    [source] = offered(write_zip(tmp_path / "outer.zip", {"inner.zip": inner}))
    with pytest.raises(UnreadableSource, match=r"outer.zip/inner.zip: an archive inside an archive is not read"):
        source.read()


def test_an_archive_with_paths_that_lead_out_of_it_is_refused(tmp_path: Path) -> None:
    for name in ("../evil.md", "/etc/evil.md", "a/../../evil.md", "..\\evil.md", "C:/evil.md"):
        with pytest.raises(UnreadableSource, match="holds a path that leads out of it"):
            offered(write_zip(tmp_path / "evil.zip", {name: b"x"}))


def test_a_name_that_is_no_text_does_not_stop_anything(tmp_path: Path) -> None:
    (tmp_path / os.fsdecode(b"caf\xe9.md")).write_text("x")
    [source] = offered(tmp_path)
    assert source.name == "caf\ufffd"
    assert source.read() == ["x"]


def test_what_telegram_or_whatsapp_keep_beside_the_chats_is_no_source(tmp_path: Path) -> None:
    for name in ("result.json", "files/letter.txt", "chats/chat_01/files/a.md", "css/style.css", "own/note.md"):
        (tmp_path / "telegram" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "telegram" / name).write_text("x", encoding="utf-8")
    assert [source.name for source in offered(tmp_path / "telegram")] == ["note", "result"]
    (tmp_path / "phone").mkdir()
    for name in ("WhatsApp Chat with Ann.txt", "IMG-20240113-WA0001.jpg", "DOC-20240113-WA0002.txt", "mine.md"):
        (tmp_path / "phone" / name).write_text("x", encoding="utf-8")
    passed_over: Counter[str] = Counter()
    names = [source.name for source in offered(tmp_path / "phone", passed_over=passed_over)]
    assert (names, +passed_over) == (["WhatsApp Chat with Ann", "mine"], {"attachments": 2})


def test_a_list_of_channels_that_cannot_be_read_stops_an_export_and_a_single_day_points_to_it(
    write_tree: WriteTree,
) -> None:
    day = [{"type": "message", "user": "U1", "text": "a", "ts": "1767225600.1"}]
    root = write_tree({"users.json": [], "channels.json": "[{", "boats/2026-01-01.json": day, "2026-01-01.json": day})
    with pytest.raises(UnreadableSource, match=r"channels\.json, line 1, column 3: the JSON is cut off here"):
        told(root)
    with pytest.raises(UnreadableSource, match="one day of a Slack export"):
        told(root / "2026-01-01.json")
