"""What cannot be filed waits: in order, once, for its owner alone, whatever is killed or full."""

from __future__ import annotations

import multiprocessing
import stat
from pathlib import Path

import pytest

from palace.errors import BadRequest, DatabaseUnavailable, OutboxError
from palace.turns.exchange.exchange import Exchange
from palace.turns.exchange.outbox import Outbox


def exchange(number: int) -> Exchange:
    return Exchange("chat", ({"role": "user", "content": f"Message {number}", "id": str(number)},))


def waiting(outbox: Outbox) -> list[str]:
    lines = outbox.path.read_text(encoding="ascii").splitlines() if outbox.path.exists() else []
    return [Exchange.read(line).messages[0]["content"] for line in lines]


def test_what_waits_is_filed_in_order_and_taken_out(tmp_path: Path) -> None:
    outbox = Outbox.of(tmp_path, "here", "anna")
    for number in range(5):
        outbox.add(exchange(number))
    filed: list[str] = []
    emptied = outbox.empty(lambda each: filed.append(each.messages[0]["id"]))
    assert filed == list("01234")
    assert (emptied.filed, emptied.left, emptied.problem) == (5, 0, None)
    assert outbox.is_empty
    assert outbox.count() == 0


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


def test_time_that_is_over_leaves_the_rest_for_later(tmp_path: Path) -> None:
    outbox = Outbox.of(tmp_path, "here", "anna")
    for number in range(3):
        outbox.add(exchange(number))
    assert outbox.empty(lambda _: None, seconds=0).left == 3


def _add_many(home: Path, first: int) -> None:
    for number in range(first, first + 50):
        Outbox.of(home, "here", "anna").add(exchange(number))


def _empty_often(home: Path, filed: multiprocessing.Queue[str]) -> None:
    for _ in range(40):
        Outbox.of(home, "here", "anna").empty(lambda each: filed.put(each.messages[0]["id"]))


def test_processes_that_add_and_empty_at_once_lose_nothing_and_file_once(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    filed: multiprocessing.Queue[str] = context.Queue()
    adding = [context.Process(target=_add_many, args=(tmp_path, first)) for first in (0, 100)]
    emptying = [context.Process(target=_empty_often, args=(tmp_path, filed)) for _ in range(2)]
    for process in (*adding, *emptying):
        process.start()
    found: list[str] = []
    while any(process.is_alive() for process in (*adding, *emptying)) or not filed.empty():
        while not filed.empty():
            found.append(filed.get())
    for process in (*adding, *emptying):
        process.join()
        assert process.exitcode == 0
    Outbox.of(tmp_path, "here", "anna").empty(lambda each: found.append(each.messages[0]["id"]))
    assert sorted(map(int, found)) == [*range(50), *range(100, 150)]
