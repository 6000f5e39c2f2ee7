"""Mail: what a drawer holds of it, which mails are one thread, and what is left out."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from palace.mining.readers.reading import Reading
from palace.records import Conversation, Role
from tests.readers.mails import mail, mailbox, multipart

Read = Callable[..., list[Conversation]]
ReadTold = Callable[..., tuple[list[Conversation], Reading]]

TEXT = "Content-Type: text/plain; charset=utf-8"
WEB = "Content-Type: text/html; charset=utf-8"
PDF = 'Content-Type: application/pdf; name="plan.pdf"\nContent-Disposition: attachment; filename="plan.pdf"'


def said(conversations: list[Conversation]) -> list[str]:
    return [turn.content for conversation in conversations for turn in conversation.turns]


def test_a_mail_is_a_drawer_with_its_sender_time_subject_and_recipients(read: Read) -> None:
    heads = ("Subject: The mast", "To: Bob <bob@example.org>", "Cc: carol@example.org")
    [thread] = read(mail("It is broken.", *heads), "x.eml")
    [turn] = thread.turns
    assert turn.content == "Subject: The mast\nTo: Bob, carol@example.org\n\nIt is broken."
    assert (turn.role, turn.speaker, turn.said_offset, turn.source_id) == (
        Role.USER,
        "Ann Example",
        120,
        "1@example.org",
    )
    assert (thread.title, thread.source_id, thread.turn_ids_are_global) == ("The mast", "1@example.org", True)


def test_an_answer_says_neither_subject_nor_recipients_again(read: Read) -> None:
    answer = mail("Yes.", "Subject: Re: The mast", "To: Ann <ann@example.org>", number=2)
    assert said(read(answer, "x.eml")) == ["Yes."]


def test_the_mails_of_a_thread_are_one_conversation_in_order_of_time(read: Read) -> None:
    first = mail("First.", "Subject: Mast", "Date: Wed, 1 May 2024 10:00:00 +0000")
    second = mail(
        "Second.", "Subject: Re: Mast", "In-Reply-To: <1@example.org>", "Date: Thu, 2 May 2024 10:00:00 +0000", number=2
    )
    third = mail(
        "Third.",
        "Subject: Re: Mast",
        "References: <1@example.org>\n <2@example.org>",
        "Date: Fri, 3 May 2024 10:00:00 +0000",
        number=3,
    )
    other = mail("Other.", "Subject: Mast", number=4)
    threads = read(mailbox(third, other, first, second), "x.mbox")
    assert [said([thread]) for thread in threads] == [
        ["Subject: Mast\n\nFirst.", "Second.", "Third."],
        ["Subject: Mast\n\nOther."],
    ]
    assert [thread.source_id for thread in threads] == ["1@example.org", "4@example.org"]
    assert [turn.answers for turn in threads[0].turns] == [None, "1@example.org", "2@example.org"]


def test_answers_are_one_thread_where_the_first_mail_is_missing(read: Read) -> None:
    answers = [mail(str(number), "References: <0@example.org>", "Subject: Re: x", number=number) for number in (1, 2)]
    [thread] = read(mailbox(*answers), "x.mbox")
    assert (thread.source_id, len(thread.turns)) == ("0@example.org", 2)


def test_mails_that_refer_to_each_other_in_a_circle_are_read(read: Read) -> None:
    circle = [mail("a", "References: <2@example.org>"), mail("b", "References: <1@example.org>", number=2)]
    assert sorted(said(read(mailbox(*circle), "x.mbox"))) == ["a", "b"]


def test_an_answer_that_refers_to_nothing_joins_the_thread_of_its_subject_and_people(read: Read) -> None:
    first = mail("First.", "Subject: [sail] Mast", "To: bob@example.org", "Date: Wed, 1 May 2024 10:00:00 +0000")
    late = mail(
        "Late.", "Subject: AW: Mast", "Date: Thu, 2 May 2024 10:00:00 +0000", number=2, sender="Bob <bob@example.org>"
    )
    stranger = mail(
        "Strange.",
        "Subject: Re: Mast",
        "Date: Thu, 2 May 2024 11:00:00 +0000",
        number=3,
        sender="Zed <zed@example.net>",
    )
    assert [len(thread.turns) for thread in read(mailbox(first, late, stranger), "x.mbox")] == [2, 1]


def test_gmails_threads_are_kept(read: Read) -> None:
    mails = [mail(str(number), "X-GM-THRID: 77", f"Subject: {number}", number=number) for number in (1, 2)]
    assert len(read(mailbox(*mails), "x.mbox")) == 1


def test_what_an_answer_repeats_of_a_mail_that_is_there_is_counted_and_left_out(read_told: ReadTold) -> None:
    first = mail("The mast broke at the spreader\nand has to be replaced.", "Subject: Mast")
    answer = mail(
        "I will order one.\n\nOn Wed, May 1, 2024 at 12:32 PM Ann Example <ann@example.org> wrote:\n"
        "> The mast broke at the spreader and\n> has to be replaced.",
        "Subject: Re: Mast",
        "In-Reply-To: <1@example.org>",
        "Date: Thu, 2 May 2024 10:00:00 +0000",
        number=2,
        sender="Bob <bob@example.org>",
    )
    [thread], reading = read_told(mailbox(first, answer), "x.mbox")
    assert said([thread])[1:] == ["I will order one."]
    assert reading.left_out == {"mails repeated below answers to them": 1}


def test_what_an_answer_repeats_of_a_mail_that_is_not_there_is_a_drawer_before_it(read: Read) -> None:
    answer = mail(
        "I will order one.\n\nOn Thu, 2 May 2024 at 09:10, Bob Builder <bob@example.org> wrote:\n> It broke.\n>\n"
        "> Am 01.05.24 um 12:32 schrieb Carol Example:\n>> Is the mast all right?\n",
        "Subject: Re: Mast",
        number=3,
    )
    [thread] = read(answer, "x.eml")
    assert [(turn.speaker, turn.content, turn.source_id) for turn in thread.turns] == [
        ("Carol Example (quoted by Ann Example)", "Is the mast all right?", "3@example.org:quoted-2"),
        ("Bob Builder (quoted by Ann Example)", "It broke.", "3@example.org:quoted-1"),
        ("Ann Example", "I will order one.", "3@example.org"),
    ]
    assert [turn.said_at is None for turn in thread.turns] == [True, True, False]
    assert thread.warnings == ()


def test_two_answers_repeat_a_missing_mail_once(read: Read) -> None:
    quoted = "\n\nBob wrote:\n> The mast broke at the spreader yesterday.\n"
    answers = [
        mail(f"Answer {number}.{quoted}", "References: <0@example.org>", "Subject: Re: x", number=number)
        for number in (1, 2)
    ]
    assert said(read(mailbox(*answers), "x.mbox")) == [
        "The mast broke at the spreader yesterday.",
        "Answer 1.",
        "Answer 2.",
    ]


def test_a_forwarded_mail_stands_behind_the_one_that_passes_it_on(read: Read) -> None:
    text = (
        "Have a look.\n\n---------- Forwarded message ---------\nFrom: Bob Builder <bob@example.org>\n"
        "Date: Wed, May 1, 2024\nSubject: Offer\nTo: Ann\n\nThe mast costs 900.\n"
    )
    [thread] = read(mail(text, "Subject: Fwd: Offer", "To: carol@example.org"), "x.eml")
    assert [(turn.speaker, turn.content) for turn in thread.turns] == [
        ("Ann Example", "Subject: Fwd: Offer\nTo: carol@example.org\n\nHave a look."),
        ("Bob Builder (forwarded by Ann Example)", "The mast costs 900."),
    ]


def test_the_same_mail_is_the_same_drawer_in_a_mailbox_and_as_a_file(read: Read) -> None:
    given = mail("Line one.\nFrom the beginning.\n>From quoted.\n\n-- \nAnn", "Subject: S")
    as_file = read(given.replace(b"\n", b"\r\n"), "x.eml")
    in_box = read(mailbox(given), "x.mbox")
    apple = read(str(len(given)).encode() + b"\n" + given + b'<?xml version="1.0"?>\n<plist></plist>\n', "x.emlx")
    assert as_file[0].turns[0].content == "Subject: S\n\nLine one.\nFrom the beginning.\n>From quoted.\n\n-- \nAnn"
    # What was quoted by hand cannot be told from what a mailbox escaped.
    assert in_box[0].turns[0].content == as_file[0].turns[0].content.replace(">From", "From")
    assert apple == as_file


def test_plain_text_is_read_before_its_web_page_and_attachments_by_their_name(read: Read) -> None:
    inner = multipart("alternative", [(TEXT, "Plain."), (WEB, "<p>Rich.</p>")], "inner")
    heads, text = multipart("mixed", [inner, (PDF, "JVBERi0="), ("Content-Type: image/png; name=mast.png", "aaaa")])
    assert said(read(mail(text, heads), "x.eml")) == ["Plain.\n\n[file plan.pdf]\n\n[image mast.png]"]


def test_a_web_page_alone_is_read_as_text_without_scripts_styles_and_what_is_hidden(read_told: ReadTold) -> None:
    page = (
        "<html><head><title>T</title><style>p {color: red}</style></head><body>"
        '<div style="display:none">Open me</div><script>track("x")</script>'
        "<h1>The&nbsp;mast</h1><p>It   broke &amp; fell.<br>Twice.</p><ul><li>One</li><li>Two</li></ul>"
        '<img src="http://t.example/p.gif" width="1" height="1" alt="pixel"><img alt="A mast" src="cid:1">'
        '<a href="https://example.org/mast">Look</a> <a href="https://t.example/' + "x" * 200 + '">here</a>'
        "<blockquote>Quoted</blockquote></body></html>"
    )
    [thread], reading = read_told(mail(page, WEB), "x.eml")
    assert thread.turns[0].content == (
        "The mast\n\nIt broke & fell.\nTwice.\n\n- One\n- Two\n"
        "[image A mast]Look (https://example.org/mast) here\n\n> Quoted"
    )
    assert reading.left_out == {"long addresses behind the words of links": 1}


def test_a_page_that_is_wanted_is_read_where_the_plain_text_says_nothing(read: Read) -> None:
    heads, text = multipart("alternative", [(TEXT, "Your e-mail client does not support HTML."), (WEB, "<p>Rich.</p>")])
    assert said(read(mail(text, heads), "x.eml")) == ["Rich."]


def test_an_invitation_says_what_when_where_and_who(read: Read) -> None:
    calendar = (
        "BEGIN:VCALENDAR\nMETHOD:REQUEST\nBEGIN:VTIMEZONE\nDTSTART:19700101T000000\nEND:VTIMEZONE\nBEGIN:VEVENT\n"
        "SUMMARY:Sailing\\, twice\nDTSTART;TZID=Europe/Berlin:20240504T100000\n"
        "DTEND;TZID=Europe/Berlin:20240504T\n 120000\n"
        'ORGANIZER;CN="Ann Example":mailto:ann@example.org\nATTENDEE;CN=Bob:mailto:bob@example.org\n'
        "LOCATION:The pier\nBEGIN:VALARM\nSUMMARY:Alarm\nEND:VALARM\nEND:VEVENT\nEND:VCALENDAR"
    )
    heads, text = multipart("mixed", [(TEXT, "Come!"), ("Content-Type: text/calendar; method=REQUEST", calendar)])
    assert said(read(mail(text, heads), "x.eml")) == [
        "Come!\n\n[invitation] Sailing, twice\nWhen: 2024-05-04 10:00 – 12:00 (Europe/Berlin)\nWhere: The pier\n"
        "Organizer: Ann Example\nGuests: Bob"
    ]


def test_a_mail_that_is_attached_is_read_between_marks(read: Read) -> None:
    inner = mail("Inner text.", "Subject: Inner", sender="Bob <bob@example.org>").decode()
    heads, text = multipart("mixed", [(TEXT, "See below."), ("Content-Type: message/rfc822", inner)])
    assert said(read(mail(text, heads), "x.eml")) == [
        "See below.\n\n[attachment Inner]\nFrom: Bob <bob@example.org>\nDate: Wed, 1 May 2024 12:32:15 +0200\n\n"
        "Inner text.\n"
        "[end of attachment Inner]"
    ]


@pytest.mark.parametrize(
    ("heads", "text"),
    [
        ("Content-Type: text/plain; charset=iso-8859-1", "größer".encode("latin-1")),
        ("Content-Type: text/plain; charset=x-unknown", "größer".encode()),
        ("Content-Type: text/plain", "größer".encode("cp1252")),
        (
            "Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: quoted-printable",
            b"gr=C3=B6=\n=C3=9Fer",
        ),
        ("Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: base64", b"Z3LDtsOfZXI="),
        ("X: y", "größer".encode()),
    ],
)
def test_text_is_decoded_however_it_was_sent(read: Read, heads: str, text: bytes) -> None:
    assert said(read(mail("@", heads).replace(b"@\n", text + b"\n"), "x.eml")) == ["größer"]


def test_flowed_text_is_put_together(read: Read) -> None:
    text = "A long \nparagraph.\n> quoted \n> too\nEnd\n-- \nAnn"
    assert said(read(mail(text, "Content-Type: text/plain; format=flowed"), "x.eml")) == [
        "A long paragraph.\n> quoted too\nEnd\n-- \nAnn"
    ]


@pytest.mark.parametrize(
    ("sender", "name"),
    [
        ("=?utf-8?q?J=C3=BCrgen?= <j@example.org>", "Jürgen"),
        ("=?iso-8859-1?B?SvxyZ2Vu?= =?utf-8?q?_Example?= <j@example.org>", "Jürgen Example"),
        ('"Example, Ann" <ann@example.org>', "Example, Ann"),
        ("ann@example.org", "ann@example.org"),
        ("=?broken", "=?broken"),
        ("Jürgen <j@example.org>", "Jürgen"),
        ("", "unknown sender"),
    ],
)
def test_who_a_mail_is_from_is_read_from_whatever_stands_there(read: Read, sender: str, name: str) -> None:
    assert read(mail("x", "Subject: S", sender=sender), "x.eml")[0].turns[0].speaker == name


@pytest.mark.parametrize(
    ("date", "at"),
    [
        ("Wed, 1 May 2024 12:32:15 +0200", "2024-05-01T10:32:15+00:00"),
        ("1 May 2024 12:32", "2024-05-01T12:32:00+00:00"),
        ("never", "2024-05-03T08:00:00+00:00"),
        ("Wed, 1 May 2096 12:32:15 +0200", "2024-05-03T08:00:00+00:00"),
        ("Thu, 1 Jan 1970 00:00:00 +0000", "2024-05-03T08:00:00+00:00"),
    ],
)
def test_a_date_that_cannot_be_believed_is_that_of_the_delivery(read: Read, date: str, at: str) -> None:
    received = "Received: from a by b; Fri, 3 May 2024 10:00:00 +0200"
    moment = read(mail("x", f"Date: {date}", received), "x.eml")[0].turns[0].said_at
    assert moment is not None
    assert moment.isoformat() == at


def test_a_mail_without_any_date_is_read_and_told(read: Read) -> None:
    [thread] = read(b"From: ann@example.org\nSubject: S\n\nHello\n", "x.eml")
    assert thread.turns[0].said_at is None
    assert thread.warnings == ("1 message without a time",)


def test_a_mail_without_an_id_has_one_of_what_it_says(read: Read) -> None:
    bare = (
        b"From: Ann <ann@example.org>\nTo: b@example.org\nDate: Wed, 1 May 2024 12:32:15 +0200\nSubject: S\n\nHello\n"
    )
    as_file, in_box = read(bare, "x.eml"), read(mailbox(bare), "x.mbox")
    assert as_file[0].source_id == in_box[0].source_id
    assert (as_file[0].source_id or "").startswith("~")
    assert read(bare.replace(b"Hello", b"Bye"), "x.eml")[0].source_id != as_file[0].source_id
