"""A mail is filed once: from a mailbox, as a file, from next month's export, whichever comes first."""

from __future__ import annotations

from pathlib import Path

import pytest

from palace import Palace
from tests.held import drawers
from tests.readers.mails import mail, mailbox

FIRST = mail("The mast broke at the spreader.", "Subject: Mast", "To: Bob <bob@example.org>")
ANSWER = mail(
    "I will order one.\n\nOn Wed, 1 May 2024 at 12:32, Ann Example <ann@example.org> wrote:\n"
    "> The mast broke at the spreader.\n",
    "Subject: Re: Mast",
    "In-Reply-To: <1@example.org>",
    "Date: Thu, 2 May 2024 10:00:00 +0200",
    number=2,
    sender="Bob <bob@example.org>",
)
LATER = mail(
    "It came.",
    "Subject: Re: Mast",
    "References: <1@example.org> <2@example.org>",
    "Date: Fri, 3 May 2024 10:00:00 +0200",
    number=3,
)


def said(palace: Palace) -> list[tuple[str | None, str]]:
    return [(drawer.speaker, drawer.content) for drawer in drawers(palace) if drawer.replaced_at is None]


THREAD = [
    ("Ann Example", "Subject: Mast\nTo: Bob\n\nThe mast broke at the spreader."),
    ("Bob", "I will order one."),
    ("Ann Example", "It came."),
]


@pytest.fixture
def box(tmp_path: Path) -> Path:
    path = tmp_path / "box.mbox"
    path.write_bytes(mailbox(FIRST, ANSWER))
    return path


def test_a_grown_mailbox_adds_the_new_mails_to_their_thread(palace: Palace, box: Path) -> None:
    assert palace.mine(box).drawers_new == 2
    box.write_bytes(mailbox(LATER, ANSWER, FIRST))
    again = palace.mine(box)
    assert (again.drawers_new, again.drawers_unchanged, again.conversations) == (1, 2, 1)
    assert said(palace) == THREAD
    assert [wing.name for wing in palace.tree.wings()] == ["Mail"]


def test_mails_of_a_mailbox_are_known_as_files_in_a_folder_and_in_an_archive(
    palace: Palace, box: Path, tmp_path: Path
) -> None:
    palace.mine(box)
    folder = tmp_path / "saved"
    (folder / "below").mkdir(parents=True)
    for name, data in (("1.eml", FIRST), ("below/2.eml", ANSWER), ("3.eml", LATER)):
        (folder / name).write_bytes(data.replace(b"\n", b"\r\n"))
    assert palace.mine(folder).drawers_new == 1
    assert said(palace) == THREAD
    assert palace.mine(box).drawers_new == 0


def test_an_answer_alone_takes_nothing_out_and_adds_nothing(palace: Palace, box: Path, tmp_path: Path) -> None:
    palace.mine(box)
    there = said(palace)
    framed = {"eml": ANSWER, "emlx": b"%d\n" % len(ANSWER) + ANSWER + b"<plist></plist>\n", "mbox": mailbox(ANSWER)}
    for kind, data in framed.items():
        (tmp_path / f"answer.{kind}").write_bytes(data)
        assert palace.mine(tmp_path / f"answer.{kind}").drawers_new == 0
    assert said(palace) == there


@pytest.mark.nightly
def test_what_an_answer_repeats_of_a_mail_that_is_not_there_is_filed_with_it_and_stays(
    palace: Palace, box: Path, tmp_path: Path
) -> None:
    alone = tmp_path / "answer.eml"
    alone.write_bytes(ANSWER)
    assert palace.mine(alone).drawers_new == 2
    assert palace.mine(alone).drawers_new == 0
    assert palace.mine(box).drawers_new == 1
    assert ("Ann Example (quoted by Bob)", "The mast broke at the spreader.") in said(palace)


@pytest.mark.nightly
def test_a_mail_whose_thread_is_known_by_another_id_is_not_filed_again(
    palace: Palace, box: Path, tmp_path: Path
) -> None:
    palace.mine(box)
    part = tmp_path / "part.mbox"
    # An answer to the answer that names no more than that: alone, it begins a thread of its own.
    late = mail(
        "It came.",
        "Subject: Re: Mast",
        "In-Reply-To: <2@example.org>",
        "Date: Fri, 3 May 2024 10:00:00 +0200",
        number=3,
    )
    part.write_bytes(mailbox(late))
    assert palace.mine(part).drawers_new == 1
    box.write_bytes(mailbox(FIRST, ANSWER, late))
    assert palace.mine(box).drawers_new == 0
