"""What cannot be filed waits: in order, once, for its owner alone, whatever is killed or full."""

from __future__ import annotations

import errno
import json
import os
import stat
from pathlib import Path
from threading import Event, Thread

import pytest

from palace import BadRequest, DatabaseUnavailable, OutboxError, Palace
from palace.agent.exchange import Exchange
from palace.agent.outbox import Outbox
from palace.turns import Emptied
from tests.turns.conftest import outbox_of


def exchange(number: int) -> Exchange:
    return Exchange("chat", ({"role": "user", "content": f"Message {number}", "id": str(number)},))


def waiting(outbox: Outbox) -> list[str]:
    lines = outbox.path.read_text(encoding="ascii").splitlines() if outbox.path.exists() else []
    return [Exchange.read(line).messages[0]["content"] for line in lines]


def test_it_is_its_owners_alone_and_another_users_is_another_file(tmp_path: Path) -> None:
    outbox, other = Outbox.of(tmp_path, "here", "anna"), Outbox.of(tmp_path, "here", "ben")
    outbox.add(exchange(1))
    assert other.is_empty
    assert stat.S_IMODE(outbox.path.stat().st_mode) == 0o600
    assert stat.S_IMODE(outbox.path.parent.stat().st_mode) == 0o700
    assert "anna" not in str(outbox.path)
    assert Outbox.of(tmp_path, "there", "anna").is_empty


def test_a_failure_leaves_the_rest_where_it_is(tmp_path: Path) -> None:
    outbox = Outbox.of(tmp_path, "here", "anna")
    for number in range(4):
        outbox.add(exchange(number))

    def file(each: Exchange) -> None:
        if each.messages[0]["id"] == "2":
            raise DatabaseUnavailable("gone again")

    emptied = outbox.empty(file)
    assert emptied.filed == 2
    assert emptied.left == 2
    assert isinstance(emptied.problem, DatabaseUnavailable)
    assert waiting(outbox) == ["Message 2", "Message 3"]


def test_what_can_never_be_filed_is_kept_aside_and_holds_nothing_up(tmp_path: Path) -> None:
    outbox = Outbox.of(tmp_path, "here", "anna")
    outbox.add(exchange(0))
    with outbox.path.open("ab") as file:
        file.write(b'{"v":1,"conv')  # killed in the middle of a line
    outbox.add(exchange(1))
    outbox.add(exchange(2))
    filed: list[str] = []

    def take(each: Exchange) -> None:
        if each.messages[0]["id"] == "1":
            raise BadRequest("nothing in it")
        filed.append(each.messages[0]["id"])

    emptied = outbox.empty(take)
    assert (emptied.filed, emptied.refused, emptied.left) == (2, 2, 0)
    assert filed == ["0", "2"]
    assert outbox.refused_path.read_bytes().count(b"\n") == 2


def test_a_full_outbox_says_so_and_keeps_what_it_has(tmp_path: Path) -> None:
    outbox = Outbox(tmp_path / "outbox" / "a.jsonl", largest=350)
    outbox.add(exchange(1))
    for number in (2, 3):
        outbox.add(exchange(number))
    with pytest.raises(OutboxError, match="is full"):
        outbox.add(exchange(4))
    assert waiting(outbox)[0] == "Message 1"


def test_what_is_added_while_it_is_emptied_stays(tmp_path: Path) -> None:
    outbox = Outbox.of(tmp_path, "here", "anna")
    outbox.add(exchange(0))
    outbox.empty(lambda _: outbox.add(exchange(1)))
    assert waiting(outbox) == ["Message 1"]


@pytest.fixture
def outbox(tmp_path: Path) -> Outbox:
    made = Outbox.of(tmp_path, "here", "anna")
    for number in range(4):
        made.add(exchange(number))
    return made


class Emptier:
    """Somebody who is emptying the outbox, at its second exchange, until they are let go on."""

    def __init__(self, outbox: Outbox) -> None:
        self.filed: list[str] = []
        self.is_at_it, self.goes_on = Event(), Event()
        self.came: list[Emptied] = []
        self.thread = Thread(target=lambda: self.came.append(outbox.empty(self._file)))
        self.thread.start()
        assert self.is_at_it.wait(30)

    def _file(self, each: Exchange) -> None:
        if each.messages[0]["id"] == "1":
            self.is_at_it.set()
            self.goes_on.wait(30)
        self.filed.append(each.messages[0]["id"])

    def end(self) -> Emptied:
        self.goes_on.set()
        self.thread.join(30)
        return self.came[0]


def test_what_is_thrown_away_while_another_files_it_is_not_filed_behind_that(outbox: Outbox) -> None:
    emptier, counts = Emptier(outbox), list[int]()
    forgetting = Thread(target=lambda: counts.append(outbox.discard()))
    forgetting.start()
    forgetting.join(0.3)
    assert forgetting.is_alive()  # the one on its way lands before everything is forgotten
    outbox.add(exchange(9))
    assert emptier.end().filed == 2
    forgetting.join(30)
    assert emptier.filed == ["0", "1"]
    assert counts == [3]
    later: list[str] = []
    outbox.empty(lambda each: later.append(each.messages[0]["id"]))
    assert later == ["9"]


def test_an_odd_line_or_whatever_filing_one_raises_holds_nothing_up(tmp_path: Path) -> None:
    outbox = Outbox.of(tmp_path, "here", "anna")
    odd = [b"[" * 100_000, b"\x00\x01", b'{"v":1,"conversation":"x","messages":[{"id":' + b"9" * 5_000 + b"}]}"]
    for number, line in enumerate(odd):
        outbox.add(exchange(number))
        with outbox.path.open("ab") as file:
            file.write(line + b"\n")
    outbox.add(exchange(9))
    filed: list[str] = []

    def take(each: Exchange) -> None:
        if each.messages[0]["id"] == "1":
            raise RecursionError("maximum recursion depth exceeded")
        filed.append(each.messages[0]["id"])

    found = outbox.empty(take)
    assert (filed, found.refused, found.left, found.problem) == (["0", "2", "9"], 4, 0, None)
    kept = [json.loads(line)["line"] for line in outbox.refused_path.read_text().splitlines()]
    assert [line.decode("utf-8", "replace") + "\n" for line in odd] == [line for line in kept if "Message" not in line]


def test_a_link_a_pipe_or_what_others_may_write_is_neither_written_nor_filed_from(tmp_path: Path) -> None:
    def in_place_of(outbox: Outbox, what: str) -> None:
        if what == "a link to a folder":
            (tmp_path / "precious").mkdir(mode=0o700)
            outbox.path.parent.symlink_to(tmp_path / "precious")
            return
        outbox.path.parent.mkdir(mode=0o700)
        if what == "a link":
            outbox.path.symlink_to("/etc/hostname")
        elif what == "a pipe":
            os.mkfifo(outbox.path, 0o600)
        else:
            outbox.add(exchange(0))
            (outbox.path if what == "a file" else outbox.path.parent).chmod(0o777)

    for what, told in {
        "a link": "is a link",
        "a link to a folder": "no plain file or folder",
        "a pipe": "no plain file",
        "a file": "written by others",
        "a folder": "written by others",
    }.items():
        outbox = Outbox.of(tmp_path / what, "here", "anna")
        (tmp_path / what).mkdir()
        in_place_of(outbox, what)
        with pytest.raises(OutboxError, match=told):
            outbox.add(exchange(1))
        filed: list[Exchange] = []
        assert (outbox.empty(filed.append).filed, filed) == (0, []), what
    assert not list((tmp_path / "precious").iterdir())


def test_on_a_full_disk_what_was_filed_is_not_filed_again(outbox: Outbox, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_descriptor: int, data: bytes) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    filed: list[str] = []

    def file(each: Exchange) -> None:
        if len(filed) in (2, 4):
            filed.append("away")
            raise DatabaseUnavailable("gone again")
        filed.append(each.messages[0]["id"])

    monkeypatch.setattr("palace.agent.outbox_files._write", full)
    assert (outbox.empty(file).filed, outbox.count()) == (2, 2)
    assert (outbox.empty(file).filed, outbox.count()) == (1, 1)
    with pytest.raises(OutboxError, match="cannot be written: No space"):
        outbox.add(exchange(9))
    assert outbox.empty(file).left == 0
    assert filed == ["0", "1", "away", "2", "away", "3"]
    assert outbox.is_empty


def test_a_full_disk_is_told_with_the_count_of_what_was_filed(outbox: Outbox, monkeypatch: pytest.MonkeyPatch) -> None:
    filed: list[str] = []
    write = os.pwrite

    def full(descriptor: int, data: bytes, offset: int) -> int:
        if len(filed) == 3:
            raise OSError(errno.ENOSPC, "No space left on device")
        return write(descriptor, data, offset)

    monkeypatch.setattr(os, "pwrite", full)
    emptied = outbox.empty(lambda each: filed.append(each.messages[0]["id"]))
    assert isinstance(emptied.problem, OutboxError)
    assert "cannot be written: No space" in str(emptied.problem)
    assert (emptied.filed, emptied.left, filed) == (3, 2, ["0", "1", "2"])


def test_half_of_a_line_is_not_left_by_a_full_disk(outbox: Outbox, monkeypatch: pytest.MonkeyPatch) -> None:
    before, write = outbox.path.read_bytes(), os.write

    def half(descriptor: int, data: bytes) -> int:
        monkeypatch.setattr(os, "write", full)
        return write(descriptor, data[:10])

    def full(_descriptor: int, data: bytes) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "write", half)
    with pytest.raises(OutboxError, match="cannot be written"):
        outbox.add(exchange(9))
    assert outbox.path.read_bytes() == before


def test_a_refused_line_that_nobody_can_read_is_listed_and_thrown_away(boat: Palace) -> None:
    outbox = outbox_of(boat)
    outbox.add(exchange(0))
    outbox.refused_path.write_bytes(b"[" * 100_000 + b"\n")
    outbox.refused_path.chmod(0o600)
    assert [each.messages for each in boat.turns.outbox().refused] == [0]
    assert outbox.discard_refused() == 1
