"""Mailboxes and folders of mails: where a mail begins, which are left out, what is wrong with one of them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from palace.mining.readers.reading import Reading
from palace.records import Conversation, Role
from tests.readers.conftest import told
from tests.readers.mails import mail, mailbox, multipart

Read = Callable[..., list[Conversation]]
ReadTold = Callable[..., tuple[list[Conversation], Reading]]
WriteTree = Callable[[dict[str, object]], Path]

TEXT = "Content-Type: text/plain; charset=utf-8"
WEB = "Content-Type: text/html; charset=utf-8"
PDF = 'Content-Type: application/pdf; name="plan.pdf"\nContent-Disposition: attachment; filename="plan.pdf"'


def said(conversations: list[Conversation]) -> list[str]:
    return [turn.content for conversation in conversations for turn in conversation.turns]


@pytest.mark.parametrize(
    ("heads", "kind"),
    [
        ("X-Gmail-Labels: Inbox,Spam", "spam"),
        ("X-Gmail-Labels: =?UTF-8?Q?Entw=C3=BCrfe?=", "drafts of mails"),
        ('X-Gmail-Labels: "Papierkorb",Wichtig', "deleted mails"),
        ("X-Mozilla-Status: 0009", "deleted mails"),
        ("X-Spam-Flag: YES", "spam"),
    ],
)
def test_spam_trash_and_drafts_are_counted_and_not_read(read_told: ReadTold, heads: str, kind: str) -> None:
    found, reading = read_told(mailbox(mail("Buy.", heads), mail("Read me.", number=2)), "x.mbox")
    assert said(found) == ["Read me."]
    assert reading.left_out == {kind: 1}


@pytest.mark.parametrize(
    "heads", ["X-Gmail-Labels: Sent,Important", "X-Mozilla-Status: 0001", "X-Spam-Status: No, score=1"]
)
def test_other_mails_are_read(read: Read, heads: str) -> None:
    assert said(read(mail("Read me.", heads), "x.eml")) == ["Read me."]


def test_a_copy_of_a_mail_is_counted_also_where_a_list_put_a_footer_below_it(read_told: ReadTold) -> None:
    one = mail("Hello.", "Subject: S")
    [thread], reading = read_told(
        mailbox(one, one, mail("Hello.\n____________\nlist@example.org", "Subject: S")), "x.mbox"
    )
    assert len(thread.turns) == 1
    assert reading.left_out == {"copies of mails": 2}


def test_a_mailing_list_is_a_project_and_what_programs_send_is_the_assistants(read: Read) -> None:
    listed = mail("x", "List-Id: Sailing talk <sail.example.org>", "List-Post: <mailto:sail@example.org>")
    assert read(listed, "x.eml")[0].project == "Sailing talk"
    for heads in ("Auto-Submitted: auto-generated", "Precedence: bulk", "List-Unsubscribe: <mailto:x@y>"):
        assert read(mail("x", heads), "x.eml")[0].turns[0].role is Role.ASSISTANT
    assert read(mail("x", sender="Shop <no-reply@shop.example>"), "x.eml")[0].turns[0].role is Role.ASSISTANT
    assert read(mail("x"), "x.eml")[0].turns[0].role is Role.USER


def test_a_line_of_a_text_that_begins_with_from_ends_no_mail(read: Read) -> None:
    text = "Dear Bob,\n\nFrom tomorrow at 10:32 on 2024 it holds.\nAnn"
    raw = b"From a Wed May  1 10:32:15 2024\n" + mail(text)
    assert said(read(raw, "box")) == [text]


@pytest.mark.parametrize(
    "separator", ["From - Wed May 01 10:32:15 2024", "From ", "From 17@xxx Wed May 01 10:32:15 +0000 2024"]
)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_the_lines_between_mails_are_those_of_many_programs(read: Read, separator: str, end: str) -> None:
    box = "".join(f"{separator}\n{mail(text, number=at).decode()}\n" for at, text in enumerate(("One.", "Two."), 1))
    assert said(read(box.replace("\n", end).encode(), "box")) == ["One.", "Two."]


def test_the_mails_of_a_folder_are_one_source_with_their_threads(write_tree: WriteTree) -> None:
    first = mail("First.", "Subject: Mast")
    answer = mail("Second.", "Subject: Re: Mast", "In-Reply-To: <1@example.org>", number=2)
    files: dict[str, object] = {
        "a/2.eml": answer,
        "b/1.EML": first,
        "Mail/cur/1714559535.M1P2.host:2,S": mail("Third.", number=3),
        "empty.eml": b"",
        "broken.eml": b"no mail at all",
        "Trash": mailbox(mail("Gone.", number=9)),
        "Inbox": mailbox(mail("Fourth.", number=4)),
        "Inbox.msf": "// mork",
    }
    found, reading = told(write_tree(files))
    assert sorted(said(found)) == ["Fourth.", "Second.", "Subject: Mast\n\nFirst.", "Third."]
    assert len(found) == 3
    assert [problem.place for problem in reading.failures] == ["broken.eml"]


def test_huge_attachments_leave_their_names_alone(read: Read) -> None:
    heads, text = multipart("mixed", [(TEXT, "See."), (PDF, "A" * 76 + "\n" + "From here\n" * 200_000)])
    assert said(read(mailbox(mail(text, heads), mail("Next.", number=2)), "x.mbox")) == [
        "See.\n\n[file plan.pdf]",
        "Next.",
    ]


def test_a_mail_that_is_nested_without_end_is_read_or_missing_alone(read_told: ReadTold) -> None:
    text = "x"
    heads = TEXT
    for depth in range(300):
        heads, text = multipart("mixed", [(heads, text)], f"edge{depth}")
    found, _ = read_told(mailbox(mail(text, heads), mail("Next.", number=2)), "x.mbox")
    assert "Next." in said(found)


def test_encrypted_and_signed_mails_say_so(read_told: ReadTold) -> None:
    heads, text = multipart("encrypted", [("Content-Type: application/pgp-encrypted", "Version: 1")])
    assert said(read_told(mail(text, heads), "x.eml")[0]) == ["[encrypted message]"]
    heads, text = multipart("signed", [(TEXT, "Hello."), ("Content-Type: application/pgp-signature", "----")])
    found, reading = read_told(mail(text, heads), "y.eml")
    assert said(found) == ["Hello."]
    assert reading.left_out == {"signatures of mails (PGP, S/MIME)": 1}


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_a_damaged_mailbox_is_read_as_far_as_it_can_be(read: Read, data: Any) -> None:
    heads, text = multipart("alternative", [(TEXT, "Plain ü."), (WEB, "<p>Rich &amp; <b>bold</p>")])
    whole = mailbox(mail(text, heads, "Subject: =?utf-8?q?M=C3=A4st?="), mail("Second.\n\nAnn wrote:\n> x\n", number=2))
    at = data.draw(st.integers(0, len(whole)))
    damage = data.draw(st.binary(max_size=8))
    length = data.draw(st.integers(0, 200))
    read(b"From a Wed May  1 10:32:15 2024\n" + whole[:at] + damage + whole[at + length :], "x.mbox")
