"""The outbox among others: who forgets while another empties it, files that are not its owner's, odd lines, no room."""

from __future__ import annotations

import errno
import json
import multiprocessing
import os
from pathlib import Path
from threading import Event, Thread

import pytest

from palace import Administration, Palace, Settings
from palace.errors import DatabaseUnavailable, OutboxError
from palace.records import Verdict
from palace.turns.exchange import files
from palace.turns.exchange.exchange import Exchange
from palace.turns.exchange.outbox import Emptied, Outbox
from palace.turns.exchange.waiting import contents_of
from palace.verbs.turns.waiting import outbox_of


def exchange(number: int) -> Exchange:
    return Exchange("chat", ({"role": "user", "content": f"Message {number}", "id": str(number)},))


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


def test_an_outbox_made_anew_meanwhile_is_not_cut(outbox: Outbox) -> None:
    emptier = Emptier(outbox)
    outbox.path.unlink()
    for number in (7, 8):
        outbox.add(exchange(number))
    assert emptier.end().left == 2
    assert outbox.count() == 2


def test_who_throws_it_away_does_not_wait_for_ever(outbox: Outbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("palace.turns.exchange.outbox.DISCARD_SECONDS", 0.1)
    emptier = Emptier(outbox)
    with pytest.raises(OutboxError, match="still filing"):
        outbox.discard()
    emptier.end()
    assert emptier.filed == ["0", "1"]


def test_who_finds_another_at_it_is_told(outbox: Outbox) -> None:
    emptier = Emptier(outbox)
    found = outbox.empty(lambda _: None)
    assert (found.filed, found.left, found.problem) == (0, 3, None)
    assert "another process" in found.note
    emptier.end()


def _empty(home: Path, filed: multiprocessing.Queue[str], go_on: multiprocessing.Queue[str]) -> None:
    def file(each: Exchange) -> None:
        filed.put(each.messages[0]["id"])
        go_on.get(timeout=30)

    Outbox.of(home, "here", "anna").empty(file)


def test_two_processes_one_of_which_throws_it_away(outbox: Outbox, tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    filed: multiprocessing.Queue[str] = context.Queue()
    go_on: multiprocessing.Queue[str] = context.Queue()
    process = context.Process(target=_empty, args=(tmp_path, filed, go_on))
    process.start()
    assert filed.get(timeout=60) == "0"
    forgetting = Thread(target=outbox.discard)
    forgetting.start()
    forgetting.join(0.3)
    for _ in range(4):
        go_on.put("on")
    forgetting.join(30)
    process.join(30)
    assert filed.empty()


@pytest.mark.parametrize(
    "line",
    [
        b"[" * 100_000,
        b"\x00\x01",
        b'{"v":1,"conversation":"x","messages":[{"id":' + b"9" * 5_000 + b"}]}",
    ],
    ids=["deep", "bytes", "number"],
)
def test_an_odd_line_holds_nothing_up(tmp_path: Path, line: bytes) -> None:
    outbox = Outbox.of(tmp_path, "here", "anna")
    outbox.add(exchange(0))
    with outbox.path.open("ab") as file:
        file.write(line + b"\n")
    outbox.add(exchange(1))
    filed: list[str] = []
    found = outbox.empty(lambda each: filed.append(each.messages[0]["id"]))
    assert (filed, found.refused, found.left, found.problem) == (["0", "1"], 1, 0, None)
    (kept,) = outbox.refused_path.read_text().splitlines()
    assert json.loads(kept)["line"] == line.decode("utf-8", "replace") + "\n"


def test_whatever_filing_one_exchange_raises_the_others_are_filed(outbox: Outbox) -> None:
    filed: list[str] = []

    def file(each: Exchange) -> None:
        if each.messages[0]["id"] == "1":
            raise RecursionError("maximum recursion depth exceeded")
        filed.append(each.messages[0]["id"])

    found = outbox.empty(file)
    assert (filed, found.refused, found.left) == (["0", "2", "3"], 1, 0)


def test_a_link_in_its_place_is_not_written_through(tmp_path: Path) -> None:
    outbox, other = Outbox.of(tmp_path, "here", "anna"), tmp_path / "precious"
    other.write_text("precious")
    outbox.path.parent.mkdir(mode=0o700)
    outbox.path.symlink_to(other)
    with pytest.raises(OutboxError, match="is a link"):
        outbox.add(exchange(0))
    assert isinstance(outbox.empty(lambda _: None).problem, OutboxError)
    assert other.read_text() == "precious"
    outbox.discard()
    assert other.read_text() == "precious"


def test_a_folder_that_is_a_link_or_that_others_may_write_is_not_used(tmp_path: Path) -> None:
    outbox = Outbox.of(tmp_path, "here", "anna")
    outbox.path.parent.mkdir()
    outbox.path.parent.chmod(0o777)
    with pytest.raises(OutboxError, match="written by others"):
        outbox.add(exchange(0))
    elsewhere = outbox.path.parent.rename(tmp_path / "elsewhere")
    elsewhere.chmod(0o700)
    outbox.path.parent.symlink_to(elsewhere)
    with pytest.raises(OutboxError, match="no plain file or folder"):
        outbox.add(exchange(0))
    assert not list(elsewhere.iterdir())


def test_a_file_that_others_may_write_is_not_trusted(outbox: Outbox) -> None:
    outbox.path.chmod(0o666)
    filed: list[Exchange] = []
    found = outbox.empty(filed.append)
    assert isinstance(found.problem, OutboxError)
    assert not filed
    with pytest.raises(OutboxError, match="written by others"):
        outbox.add(exchange(9))
    outbox.path.chmod(0o600)
    assert outbox.empty(filed.append).filed == 4


def test_a_pipe_in_its_place_hangs_nobody(tmp_path: Path) -> None:
    outbox = Outbox.of(tmp_path, "here", "anna")
    outbox.path.parent.mkdir(mode=0o700)
    os.mkfifo(outbox.path, 0o600)
    with pytest.raises(OutboxError, match="no plain file"):
        outbox.add(exchange(0))


def test_on_a_full_disk_what_was_filed_is_not_filed_again(outbox: Outbox, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_descriptor: int, data: bytes) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    filed: list[str] = []

    def file(each: Exchange) -> None:
        if len(filed) in (2, 4):
            filed.append("away")
            raise DatabaseUnavailable("gone again")
        filed.append(each.messages[0]["id"])

    monkeypatch.setattr("palace.turns.exchange.outbox.write_out", full)
    monkeypatch.setattr(files, "write", full)
    assert (outbox.empty(file).filed, outbox.count()) == (2, 2)
    assert (outbox.empty(file).filed, outbox.count()) == (1, 1)
    with pytest.raises(OutboxError, match="cannot be written: No space"):
        outbox.add(exchange(9))
    assert outbox.empty(file).left == 0
    assert filed == ["0", "1", "away", "2", "away", "3"]
    assert outbox.is_empty


def test_half_of_a_line_is_neither_left_by_a_full_disk_nor_counted(
    outbox: Outbox, monkeypatch: pytest.MonkeyPatch
) -> None:
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
    monkeypatch.undo()
    with outbox.path.open("ab") as file:
        file.write(b'{"v":1,"conv')  # killed in the middle of a line
    assert outbox.count() == 4


def test_what_cannot_be_kept_aside_is_told_as_not_written(outbox: Outbox, monkeypatch: pytest.MonkeyPatch) -> None:
    with outbox.path.open("ab") as file:
        file.write(b"odd\n")

    def full(_descriptor: int, data: bytes) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(files, "write", full)
    found = outbox.empty(lambda _: None)
    assert "cannot be written" in str(found.problem)
    assert (found.filed, outbox.count()) == (4, 1)


def test_an_outbox_that_is_not_to_be_used_is_a_problem_and_hides_no_other_figure(
    palace: Palace, settings: Settings
) -> None:
    path = outbox_of(settings, palace.user).path
    path.parent.mkdir(parents=True, mode=0o700, exist_ok=True)
    path.symlink_to("/etc/hostname")
    assert palace.status().outbox == 0
    (found,) = [
        check
        for check in Administration(settings.model_copy(update={"user": palace.user})).doctor()
        if check.name == "outbox"
    ]
    assert found.verdict is Verdict.PROBLEM
    assert "is a link" in found.finding


def test_a_refused_line_that_nobody_can_read_is_listed_and_thrown_away(tmp_path: Path) -> None:
    outbox = Outbox.of(tmp_path, "here", "anna")
    outbox.add(exchange(0))
    outbox.refused_path.write_bytes(b"[" * 100_000 + b"\n")
    outbox.refused_path.chmod(0o600)
    assert [each.messages for each in contents_of(outbox, str).refused] == [0]
    assert outbox.discard_refused() == 1


def test_remedies_are_for_the_user_they_are_told_to(palace: Palace, settings: Settings) -> None:
    outbox_of(settings, palace.user).add(exchange(0))
    checks = Administration(settings.model_copy(update={"user": palace.user})).doctor()
    (found,) = [check for check in checks if check.name == "outbox"]
    assert f"palace outbox flush --user {palace.user} files them" in found.remedy
