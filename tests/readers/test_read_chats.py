"""WhatsApp's and Telegram's exports: what the corpus cannot show."""

from __future__ import annotations

import json
import re
import zipfile
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from palace.errors import UnreadableSource
from palace.mining.readers.discovery.paths import list_sources
from palace.mining.readers.reading import Reading
from palace.mining.readers.registry import read_conversations
from palace.records import Conversation, Role, Slicing
from tests.readers.conftest import told

Read = Callable[..., list[Conversation]]
ReadPath = Callable[[Path], list[Conversation]]

CHAT = (
    "\u200e[01.05.24, 10:30:00] Family: \u200eMessages and calls are end-to-end encrypted.\r\n"
    "[01.05.24, 10:32:15] Ann: Grüße\r\n\r\nzwei Zeilen\r\n"
    "[02.05.24, 00:15:00] Bob: \u200e<attached: 00000003-PHOTO-2024-05-02-00-15-00.jpg>\r\n"
)


def message(number: int, text: object, **more: Any) -> dict[str, Any]:
    return {"id": number, "type": "message", "date_unixtime": "1714552335", "from": "Ann", "text": text} | more


def chat(*messages: object) -> dict[str, Any]:
    return {"name": "Garden", "type": "private_group", "id": 12, "messages": list(messages)}


def test_the_zip_of_a_phone_is_one_chat_and_no_attachment_is_mined(tmp_path: Path, read_path: ReadPath) -> None:
    path = tmp_path / "WhatsApp Chat - Family.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("_chat.txt", CHAT)
        archive.writestr("00000003-PHOTO-2024-05-02-00-15-00.jpg", b"\xff\xd8\xff")
        archive.writestr("00000004-contract.pdf", b"%PDF-1.7")
        archive.writestr("00000005-Ann.vcf", "BEGIN:VCARD\n")
        archive.writestr("00000006-notes.txt", "a document somebody sent")
    [found] = read_path(path)
    assert (found.reader, found.title, found.slicing) == ("whatsapp", "Family", Slicing.BY_DAY)
    assert [(turn.role, turn.speaker, turn.content) for turn in found.turns] == [
        (Role.USER, "Ann", "Grüße\r\n\r\nzwei Zeilen"),
        (Role.USER, "Bob", "\u200e<attached: 00000003-PHOTO-2024-05-02-00-15-00.jpg>"),
    ]


def test_beside_an_unpacked_chat_only_its_attachments_are_left_out(tmp_path: Path) -> None:
    for name in ("WhatsApp Chat with Ann.txt", "IMG-20240113-WA0001.jpg", "DOC-20240113-WA0002.txt", "mine.md"):
        (tmp_path / name).write_text("x", encoding="utf-8")
    names = [Path(source.file).name for source in list_sources(tmp_path)]
    assert names == ["WhatsApp Chat with Ann.txt", "mine.md"]


def test_a_grown_chat_begins_with_the_same_turns(read: Read) -> None:
    more = "[03.05.24, 08:00:00] Ann: Mehr\r\n"
    [old], [new] = read(CHAT, "_chat.txt"), read(CHAT + more, "_chat.txt")
    assert new.turns[:2] == old.turns
    assert new.turns[2].content == "Mehr"


def test_a_chat_is_read_in_the_persons_zone_and_names_no_offset(tmp_path: Path) -> None:
    (tmp_path / "_chat.txt").write_bytes(CHAT.encode())
    [source] = list_sources(tmp_path / "_chat.txt")
    reading = Reading(source.file, datetime(2026, 6, 1, tzinfo=UTC), ZoneInfo("Asia/Tokyo"))
    [found] = read_conversations(source, reading)
    first = found.turns[0]
    assert first.said_at == datetime(2024, 5, 1, 1, 32, 15, tzinfo=UTC)
    assert first.said_offset is None


def test_minutes_with_dates_are_not_taken_for_a_chat(read: Read) -> None:
    [found] = read("[2024-05-01 10:32] Ann: a\n[2024-05-01 10:33] Bob: b\n", "x.txt")
    assert found.reader == "transcript"


def test_an_answer_in_telegram_names_what_it_answers(read: Read) -> None:
    [found] = read(chat(message(7, "Tea?"), message(8, "Yes", reply_to_message_id=7)))
    assert [(turn.source_id, turn.answers) for turn in found.turns] == [("7", None), ("8", "7")]
    assert (found.reader, found.source_id, found.title) == ("telegram", "12", "Garden")


def test_a_telegram_text_of_many_parts_is_put_together_without_a_change(read: Read) -> None:
    parts = ["a ", {"type": "bold", "text": "b\n"}, "", {"type": "code", "text": "  c"}]
    assert read(chat(message(1, parts)))[0].turns[0].content == "a b\n  c"


@pytest.mark.parametrize(
    ("odd", "reason"),
    [
        (7, "message 2: the message is not an object"),
        (message(2, 7), "message 2: the message's text is neither text nor a list of texts"),
        (message(2, "x", type="odd"), r"message 2: the message has an unknown type \('odd'\)"),
        (message(2, "x", type=["message"]), r"message 2: the message has an unknown type \(\"\['message'\]\"\)"),
        (message(2, "x", type={}), r"message 2: the message has an unknown type \('{}'\)"),
    ],
)
def test_a_telegram_message_that_cannot_be_read_is_missing_alone(tmp_path: Path, odd: object, reason: str) -> None:
    path = tmp_path / "result.json"
    path.write_text(json.dumps(chat(message(1, "x"), odd, message(3, "y"))), encoding="utf-8")
    [found], reading = told(path)
    assert [turn.content for turn in found.turns] == ["x", "y"]
    assert re.search(rf"chat 1 \(Garden\), {reason}", str(reading.failures[0]))


def test_one_odd_chat_of_a_telegram_account_does_not_hide_the_others(tmp_path: Path) -> None:
    path = tmp_path / "result.json"
    path.write_text(json.dumps({"chats": {"list": [chat(7), chat(message(1, "x")), 7]}}), encoding="utf-8")
    [source] = list_sources(path)
    reading = Reading(source.file)
    assert len(list(read_conversations(source, reading))) == 1
    assert [problem.place.split(",")[0] for problem in reading.failures] == ["chat 1 (Garden)", "chat 3"]


def test_what_telegram_keeps_beside_the_chats_is_no_source(tmp_path: Path) -> None:
    for name in ("result.json", "files/letter.txt", "chats/chat_01/files/a.md", "css/style.css", "own/note.md"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("x", encoding="utf-8")
    assert [source.name for source in list_sources(tmp_path)] == ["note", "result"]


@pytest.mark.parametrize(("mark", "kind"), [("[Content_Types].xml", "a Word"), ("content.xml", "an OpenDocument")])
def test_a_document_that_is_a_zip_inside_is_called_what_it_is(tmp_path: Path, mark: str, kind: str) -> None:
    path = tmp_path / "letter.docx"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(mark, "<x/>")
        archive.writestr("word/document.xml", "<x/>")
    with pytest.raises(UnreadableSource, match=rf"letter.docx: is {kind}.* save its text as .txt or .md"):
        list_sources(path)
