"""What an earlier version filed of a file as a note stands once when its reader reads it as mails, or as rows."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from palace import Palace
from palace.mining.filing.known.former import is_of_file
from palace.mining.readers import registry
from palace.mining.readers.mail import mails
from palace.mining.readers.tables import table
from palace.records import Drawer
from tests.readers.mails import mail, mailbox

FIRST = mail("The mast broke at the spreader.", "Subject: Mast")
ANSWER = mail("I will order one.", "Subject: Re: Mast", "In-Reply-To: <1@example.org>", number=2)
TABLE = b"id,thread,name,text\n1,boats,Ann,hi\n2,boats,Bob,yo\n3,cheese,Ann,bye\n"


@pytest.fixture
def formerly(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """Have no reader of mails and tables, as earlier versions; ``undo`` it for today's."""
    text = tuple(reader for reader in registry.READERS.text if reader.read is not table.read)
    bytes_ = tuple(reader for reader in registry.READERS.bytes if reader.read is not mails.read)
    monkeypatch.setattr(registry, "READERS", replace(registry.READERS, text=text, bytes=bytes_))
    monkeypatch.setattr(registry, "TABLE_NAMES", frozenset())
    monkeypatch.setattr("palace.mining.readers.discovery.wholes.is_single", lambda _: False)
    monkeypatch.setattr("palace.mining.readers.refusals.TABLE_NAMES", frozenset())
    return monkeypatch


def drawers(palace: Palace) -> list[Drawer]:
    rooms = [room for wing in palace.tree.wings() for room in palace.tree.rooms(wing)]
    return [drawer for room in rooms for drawer in palace.tree.drawers(room)]


def standing(palace: Palace) -> list[str]:
    return sorted(drawer.content for drawer in drawers(palace) if drawer.replaced_at is None)


def read_as_today(palace: Palace, path: Path, formerly: pytest.MonkeyPatch) -> list[Drawer]:
    palace.mine(path)
    notes = drawers(palace)
    assert all(drawer.replaced_at is None for drawer in notes)
    formerly.undo()
    return notes


READ = {
    "thread.mbox": (mailbox(FIRST, ANSWER), ["I will order one.", "Subject: Mast\n\nThe mast broke at the spreader."]),
    "mast.eml": (FIRST, ["Subject: Mast\n\nThe mast broke at the spreader."]),
    "windows.eml": (FIRST.replace(b"\n", b"\r\n"), ["Subject: Mast\n\nThe mast broke at the spreader."]),
    "talks.csv": (TABLE, ["bye", "hi", "yo"]),
}


@pytest.mark.parametrize("name", READ)
def test_a_file_that_was_a_note_stands_once_and_its_pointer_leads_to_what_took_its_place(
    palace: Palace, tmp_path: Path, name: str, formerly: pytest.MonkeyPatch
) -> None:
    data, expected = READ[name]
    (tmp_path / name).write_bytes(data)
    (note,) = read_as_today(palace, tmp_path / name, formerly)
    run = palace.mine(tmp_path / name)
    assert standing(palace) == expected
    shown = palace.show(str(note.pointer)).drawer
    assert (shown.content, shown.replaced_by is not None) == (note.content, True)
    assert palace.mine(tmp_path / name).drawers_new == 0
    assert run.run_id is not None
    palace.runs.undo(run.run_id)
    assert standing(palace) == [note.content]
    palace.mine(tmp_path / name)
    assert standing(palace) == expected


def test_each_mail_of_a_folder_takes_the_place_of_its_own_note(
    palace: Palace, tmp_path: Path, formerly: pytest.MonkeyPatch
) -> None:
    for number, data in enumerate((FIRST, ANSWER, mail("Cheese.", number=3))):
        (tmp_path / f"{number}.eml").write_bytes(data)
    notes = read_as_today(palace, tmp_path, formerly)
    palace.mine(tmp_path)
    assert len(notes) == len(standing(palace)) == 3
    for note in notes:
        instead = palace.show(str(note.pointer)).drawer.replaced_by
        assert instead is not None
        assert palace.show(str(instead)).drawer.content.splitlines()[-1] == note.content.splitlines()[-1]


def test_a_mailbox_that_has_grown_since_and_was_looked_at_stands_once(
    palace: Palace, tmp_path: Path, formerly: pytest.MonkeyPatch
) -> None:
    box = tmp_path / "box.mbox"
    box.write_bytes(mailbox(FIRST.replace(b"Subject", b"Status: O\nSubject")))
    read_as_today(palace, box, formerly)
    box.write_bytes(mailbox(FIRST.replace(b"Subject", b"Status: RO\nX-Status: A\nSubject"), ANSWER))
    palace.mine(box)
    assert standing(palace) == READ["thread.mbox"][1]


def test_a_note_is_replaced_though_the_mail_came_from_another_file_before(
    palace: Palace, tmp_path: Path, formerly: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mast.eml").write_bytes(FIRST)
    read_as_today(palace, tmp_path / "mast.eml", formerly)
    (tmp_path / "box.mbox").write_bytes(mailbox(FIRST.replace(b"Subject", b"Received: here\nSubject")))
    palace.mine(tmp_path / "box.mbox")
    assert len(standing(palace)) == 2
    again = palace.mine(tmp_path / "mast.eml")
    assert again.drawers_new == 0
    assert standing(palace) == READ["mast.eml"][1]


def test_another_mail_of_the_same_letter_leaves_the_note_of_the_first_alone(
    palace: Palace, tmp_path: Path, formerly: pytest.MonkeyPatch
) -> None:
    letter = "\n".join(f"This is line {number} of the letter that goes to all." for number in range(200))
    (tmp_path / "one.eml").write_bytes(mail(letter))
    (note,) = read_as_today(palace, tmp_path / "one.eml", formerly)
    (tmp_path / "two.eml").write_bytes(mail(letter, number=2))
    palace.mine(tmp_path / "two.eml")
    assert palace.show(str(note.pointer)).drawer.replaced_at is None


@pytest.mark.parametrize(
    ("contents", "text", "is_former"),
    [
        (["id,text"], "id,text\n1,hi\n2,yo", False),
        (["id,text"], "id,text\n", True),
        (["a b\nc\nd"], "a b\r\nc\r\nd\r\ne", True),
        (["a b\nc\nd"], "b\na b\nc\nd", False),
        ([""], "a", False),
        (["the mast", "the rope", "the boat"], "Ann: the mast\nBob: the rope\nAnn: the boat\nx", True),
        (["hello there", "general kenobi"], "hello there\n\n\n\nand\nso\non\nand\nso\ngeneral kenobi", False),
    ],
)  # fmt: skip
def test_a_file_is_told_by_its_own_words_from_its_first_line_on(
    contents: list[str], text: str, *, is_former: bool
) -> None:
    assert is_of_file(contents, text) is is_former
