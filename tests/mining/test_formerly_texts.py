"""What an earlier version filed of a file as a note stands once when it is read as mails, or as rows."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from palace import Conversation, Palace, Readers, Reading, Role, TextReader
from palace.models import Drawer, Turn
from tests.held import drawers
from tests.readers.mails import mail, mailbox

FIRST = mail("The mast broke at the spreader.", "Subject: Mast")
ANSWER = mail("I will order one.", "Subject: Re: Mast", "In-Reply-To: <1@example.org>", number=2)
TABLE = b"id,thread,name,text\n1,boats,Ann,hi\n2,boats,Bob,yo\n3,cheese,Ann,bye\n"


def as_note(text: str, reading: Reading) -> Iterator[Conversation]:
    """Give a whole text as one note, as earlier versions did."""
    yield Conversation("note", (Turn(Role.USER, text),))


FORMERLY = Readers(text=(TextReader("any text", lambda _: True, as_note),))
READ = {
    "thread.mbox": (mailbox(FIRST, ANSWER), ["I will order one.", "Subject: Mast\n\nThe mast broke at the spreader."]),
    "mast.eml": (FIRST, ["Subject: Mast\n\nThe mast broke at the spreader."]),
    "talks.csv": (TABLE, ["bye", "hi", "yo"]),
}


def standing(palace: Palace) -> list[str]:
    return sorted(drawer.content for drawer in drawers(palace) if drawer.replaced_at is None)


def filed_as_note(palace: Palace, path: Path) -> Drawer:
    palace.mine(path, readers=FORMERLY)
    (note,) = drawers(palace)
    assert note.replaced_at is None
    return note


@pytest.mark.parametrize(
    "name", ["thread.mbox", *(pytest.param(name, marks=pytest.mark.nightly) for name in ("mast.eml", "talks.csv"))]
)
def test_a_file_that_was_a_note_stands_once_and_its_pointer_leads_to_what_took_its_place(
    palace: Palace, tmp_path: Path, name: str
) -> None:
    data, expected = READ[name]
    (tmp_path / name).write_bytes(data)
    note = filed_as_note(palace, tmp_path / name)
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


@pytest.mark.nightly
def test_a_note_is_replaced_though_the_mail_came_from_another_file_before(palace: Palace, tmp_path: Path) -> None:
    (tmp_path / "mast.eml").write_bytes(FIRST)
    filed_as_note(palace, tmp_path / "mast.eml")
    (tmp_path / "box.mbox").write_bytes(mailbox(FIRST.replace(b"Subject", b"Received: here\nSubject")))
    palace.mine(tmp_path / "box.mbox")
    assert len(standing(palace)) == 2
    assert palace.mine(tmp_path / "mast.eml").drawers_new == 0
    assert standing(palace) == READ["mast.eml"][1]
