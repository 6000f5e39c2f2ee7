"""Two readings compared: of a file that grew, and of the same messages in another wrapping."""

from __future__ import annotations

import gzip
import json
import zipfile
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from palace.models import Role
from tests.readers.front import Read, told
from tests.readers.mails import mail, mailbox, multipart

CHAT = (
    "\u200e[01.05.24, 10:30:00] Family: \u200eMessages and calls are end-to-end encrypted.\r\n"
    "[01.05.24, 10:32:15] Ann: Grüße\r\n\r\nzwei Zeilen\r\n"
    "[02.05.24, 00:15:00] Bob: \u200e<attached: 00000003-PHOTO-2024-05-02-00-15-00.jpg>\r\n"
)
CHATS = json.dumps([{"id": n, "messages": [{"role": "user", "content": f"ü{n}"}]} for n in range(3)])


def chatgpt(*said: str) -> list[object]:
    """Give an export of one conversation."""
    mapping: dict[str, object] = {"root": {"id": "root", "parent": None, "message": None}}
    for number, text in enumerate(said):
        message = {"id": f"m{number}", "author": {"role": "user"}, "content": {"content_type": "text", "parts": [text]}}
        mapping[f"n{number}"] = {
            "id": f"n{number}",
            "parent": f"n{number - 1}" if number else "root",
            "message": message,
        }
    return [{"title": "T", "conversation_id": "c", "mapping": mapping, "current_node": f"n{len(said) - 1}"}]


GROWN = {
    "export.json": (chatgpt("a", "b"), chatgpt("a", "b", "c")),
    "_chat.txt": (CHAT, CHAT + "[03.05.24, 08:00:00] Ann: Mehr\r\n"),
    "talk.md": ("User: Hi\n\nAssistant: Hello\n\n", "User: Hi\n\nAssistant: Hello\n\nUser: More\n"),
    "log.md": (
        "# Log\n\n## 2024-05-02\nb\n\n## 2024-05-01\na\n",
        "# Log\n\n## 2024-05-03\nc\n\n## 2024-05-02\nb\n\n## 2024-05-01\na\n",
    ),
}


def test_what_has_grown_begins_with_the_same_turns_under_the_same_id(read: Read) -> None:
    for name, (before, after) in GROWN.items():
        [old], [new] = read(before, name), read(after, name)
        known = [(turn.content, turn.source_id) for turn in old.turns]
        assert [(turn.content, turn.source_id) for turn in new.turns[:2]] == known[:2], name
        assert (len(new.turns), new.source_id) == (3, old.source_id), name


def test_a_section_of_a_diary_stays_what_it_was_when_the_next_is_written(read: Read) -> None:
    for title in ("", "# Diary\n\n", "---\ntags: [a]\n---\n\n# Diary\n\n"):
        for end in ("", "\n", "\n\n", "\r\n"):
            days = [f"## 2024-05-0{number}\n\nOn day {number} it rained.{end}" for number in (1, 2, 3)]
            for order in (1, -1):
                grown = [read(title + "\n\n".join(days[:count][::order]), "diary.md")[0] for count in (1, 2, 3)]
                said = [[turn.content for turn in found.turns] for found in grown]
                assert {found.title for found in grown} == {"Diary" if title else None}
                assert (said[0], said[1]) == (said[1][:-1], said[2][:-1])
                assert len(said[2]) == 3 + title.startswith("---")


@pytest.mark.parametrize("content", [CHATS, "A note\r\nwith two lines.\r\n"])
def test_packing_and_a_mark_of_the_byte_order_are_no_content(read: Read, content: str) -> None:
    plain = read(content, "x.dat")
    assert plain[0].turns
    assert read(gzip.compress(content.encode()), "y.dat") == plain
    assert read(b"\xef\xbb\xbf" + content.encode(), "x.dat") == plain


def test_the_same_mail_is_the_same_drawer_in_a_mailbox_and_as_a_file(read: Read) -> None:
    given = mail("Line one.\nFrom the beginning.\n>From quoted.\n\n-- \nAnn", "Subject: S")
    [as_file], [in_box] = read(given.replace(b"\n", b"\r\n"), "x.eml"), read(mailbox(given), "x.mbox")
    apple = read(str(len(given)).encode() + b"\n" + given + b'<?xml version="1.0"?>\n<plist></plist>\n', "x.emlx")
    assert as_file.turns[0].content == "Subject: S\n\nLine one.\nFrom the beginning.\n>From quoted.\n\n-- \nAnn"
    # What was quoted by hand cannot be told from what a mailbox escaped.
    assert in_box.turns[0].content == as_file.turns[0].content.replace(">From", "From")
    assert apple == [as_file]


def test_a_mail_without_an_id_has_one_of_what_it_says(read: Read) -> None:
    bare = b"From: Ann <ann@example.org>\nDate: Wed, 1 May 2024 12:32:15 +0200\nSubject: S\n\nHello\n"
    [as_file], [in_box] = read(bare, "x.eml"), read(mailbox(bare), "x.mbox")
    assert as_file.source_id == in_box.source_id
    assert (as_file.source_id or "").startswith("~")
    assert read(bare.replace(b"Hello", b"Bye"), "x.eml")[0].source_id != as_file.source_id


def test_huge_attachments_and_endless_nesting_cost_no_other_mail(read: Read) -> None:
    text = "Content-Type: text/plain; charset=utf-8"
    attached = 'Content-Type: application/pdf; name="plan.pdf"'
    heads, body = multipart("mixed", [(text, "See."), (attached, "A" * 76 + "\n" + "From here\n" * 200_000)])
    found = read(mailbox(mail(body, heads), mail("Next.", number=2)), "x.mbox")
    assert [turn.content for each in found for turn in each.turns] == ["See.\n\n[file plan.pdf]", "Next."]
    heads, body = text, "x"
    for depth in range(300):
        heads, body = multipart("mixed", [(heads, body)], f"edge{depth}")
    found = read(mailbox(mail(body, heads), mail("Next.", number=2)), "x.mbox")
    assert "Next." in [turn.content for each in found for turn in each.turns]


def test_the_zip_of_a_phone_is_one_chat_and_no_attachment_is_mined(tmp_path: Path) -> None:
    path = tmp_path / "WhatsApp Chat - Family.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("_chat.txt", CHAT)
        for name in ("00000003-PHOTO-2024-05-02-00-15-00.jpg", "00000004-contract.pdf", "00000006-notes.txt"):
            archive.writestr(name, "something that somebody sent")
    [found] = told(path)[0]
    assert (found.reader, found.title) == ("whatsapp", "Family")
    assert [(turn.role, turn.speaker, turn.content) for turn in found.turns] == [
        (Role.USER, "Ann", "Grüße\r\n\r\nzwei Zeilen"),
        (Role.USER, "Bob", "\u200e<attached: 00000003-PHOTO-2024-05-02-00-15-00.jpg>"),
    ]


def test_a_chat_is_read_in_the_persons_zone_and_names_no_offset(tmp_path: Path) -> None:
    (tmp_path / "_chat.txt").write_bytes(CHAT.encode())
    first = told(tmp_path / "_chat.txt", zone=ZoneInfo("Asia/Tokyo"))[0][0].turns[0]
    assert (first.said_at, first.said_offset) == (datetime(2024, 5, 1, 1, 32, 15, tzinfo=UTC), None)
