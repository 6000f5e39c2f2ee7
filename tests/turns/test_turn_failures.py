"""Whatever fails or hangs, the caller gets a turn in time, and what was said is not lost."""

from __future__ import annotations

import json
import logging
import subprocess
import sys
import time
from threading import Event
from typing import Any

import pytest

from palace import DatabaseUnavailable, Palace
from palace.turns import TurnOptions
from tests.held import database_away, locked, variables_of
from tests.turns.conftest import BOAT, QUESTION, outbox_of

QUICK = TurnOptions(timeout=0.4)


def count(palace: Palace) -> int:
    return palace.status().drawers


def lines_of(caplog: pytest.LogCaptureFixture) -> list[dict[str, object]]:
    return [json.loads(record.message) for record in caplog.records if record.name == "palace.turns"]


def test_without_a_database_a_turn_has_no_memory_and_one_line_in_the_log(
    boat: Palace, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO), database_away(boat):
        turn = boat.turn(QUESTION)
    assert turn.messages == [{"role": "user", "content": QUESTION}]
    assert turn.decision.searched
    assert turn.notes[0].startswith("blocks: ")
    (line,) = lines_of(caplog)
    assert (line["event"], line["outcome"], line["step"]) == ("turn", "database_unavailable", "blocks")
    assert "boat" not in caplog.text


def test_what_is_said_while_the_database_is_away_is_filed_later_in_order_and_once(boat: Palace) -> None:
    before = count(boat)
    with database_away(boat):
        for number in range(3):
            finished = boat.turn(f"My number is {number}.", session="chat").finish(f"Noted {number}.")
            assert (finished.is_filed, finished.is_waiting) == (False, True)
        assert boat.turns.waiting() == 3
        with pytest.raises(DatabaseUnavailable):
            boat.turns.flush()
        assert boat.turns.waiting() == 3
    finished = boat.turn("My number is 3.", session="chat").finish("Noted 3.")
    assert (finished.is_filed, finished.is_waiting) == (True, False)
    assert boat.turns.waiting() == 0
    assert count(boat) == before + 8
    said = boat.show(str(boat.recall("My number is 3").hits[0].drawer.pointer), context=100)
    texts = [drawer.content for drawer in (*said.before, said.drawer, *said.after)]
    assert texts == [text for n in range(4) for text in (f"My number is {n}.", f"Noted {n}.")]


@pytest.mark.nightly
def test_killed_between_filing_and_taking_out_nothing_is_filed_twice_or_brought_back(boat: Palace) -> None:
    with database_away(boat):
        boat.turn("My shoe size is 43.", session="chat").finish("Large.")
    outbox = outbox_of(boat)
    left = outbox.path.read_bytes()
    assert (boat.turns.flush().filed, boat.turns.flush().filed) == (1, 0)
    after = count(boat)
    outbox.path.write_bytes(left)  # as a process leaves it that is killed before it takes out what it filed
    assert boat.turns.flush().filed == 1
    assert count(boat) == after
    # What was forgotten meanwhile stays so.
    boat.forget(str(boat.recall("shoe size").hits[0].drawer.pointer))
    outbox.path.write_bytes(left)
    boat.turns.flush()
    assert not boat.recall("shoe size 43").hits


def test_forgetting_everything_empties_the_outbox(boat: Palace) -> None:
    with database_away(boat):
        boat.turn("My shoe size is 43.", session="chat").finish("Large.")
    boat.forget_everything()
    assert boat.turns.waiting() == 0
    assert count(boat) == 0


PROGRAM = """
import os, sys
from pathlib import Path
from palace import Palace
from palace.config.settings import load_settings
from palace.testing import HashingEmbedder
with Palace.open(load_settings(), user=sys.argv[1], embedder=HashingEmbedder()) as palace:
    for number in range(20):
        palace._opened.database.shared.close()
        palace.turn(f"My number is {number}.", session=sys.argv[2]).finish(f"Noted {number}.")
        palace._opened.database.shared.open()
    os._exit(9)
"""


@pytest.mark.nightly
def test_what_killed_processes_leave_waiting_another_files_once(boat: Palace) -> None:
    environment = variables_of(boat._opened.settings, PATH="/usr/bin:/bin")
    command = [sys.executable, "-c", PROGRAM, boat.user]
    running = [subprocess.Popen([*command, session], env=environment) for session in ("one", "two")]
    assert [process.wait(timeout=60) for process in running] == [9, 9]
    before = count(boat)
    assert boat.turns.waiting() == 40
    assert boat.turns.flush().filed == 40
    assert count(boat) == before + 80


def test_a_slow_database_costs_the_deadline_and_no_more(boat: Palace, caplog: pytest.LogCaptureFixture) -> None:
    with locked(boat, "drawer"):
        started = time.perf_counter()
        turn = boat.turn(QUESTION, options=QUICK)
        finished = turn.finish("Zephyrine.")
        assert time.perf_counter() - started < 30  # the lock is held until both are over
    assert turn.block == ""
    assert turn.messages == [{"role": "user", "content": QUESTION}]
    assert finished.is_waiting
    assert [line["outcome"] for line in lines_of(caplog)] == ["timeout", "timeout"]
    assert boat.turns.flush().left == 0


def test_what_hangs_for_long_is_not_asked_again_and_again(boat: Palace) -> None:
    hanging = Event()
    boat._opened.embedders.given.fail_on = lambda _: hanging.wait(30)  # type: ignore[union-attr]
    options = TurnOptions(timeout=0.05)
    notes = [boat.turn(QUESTION, options=options).notes[-1] for _ in range(4)]
    hanging.set()
    assert "took longer" in notes[0]
    assert notes[3].endswith("memory was not asked: earlier turns still wait for it")


def test_an_embedding_that_fails_leaves_what_words_find(boat: Palace) -> None:
    boat._opened.embedders.given.fail_on = lambda _: True  # type: ignore[union-attr]
    turn = boat.turn(QUESTION)
    assert BOAT in turn.block
    assert any("could not be embedded" in note for note in turn.notes)


def test_an_outbox_that_cannot_be_written_is_a_note(boat: Palace) -> None:
    (boat._opened.settings.home_folder / "outbox").write_text("in the way")
    with database_away(boat):
        finished = boat.turn("My shoe size is 43.").finish("Large.")
    assert (finished.is_filed, finished.is_waiting) == (False, False)
    assert "is no plain file or folder: it is not used" in finished.notes[-1]


def test_where_the_database_did_not_answer_the_turn_it_is_not_asked_again_at_its_end(
    boat: Palace, monkeypatch: pytest.MonkeyPatch
) -> None:
    options, filer = TurnOptions(timeout=1.0), boat.turns._taker.finishing.filer
    asked: list[object] = []
    file = type(filer).file

    def noted(self: Any, exchange: Any) -> int:
        asked.append(exchange)
        return int(file(self, exchange))

    monkeypatch.setattr(type(filer), "file", noted)
    with locked(boat, "palace_user"), locked(boat, "injection"):
        turn = boat.turn(QUESTION, session="chat", options=options)
        finished = turn.finish("Zephyrine.")
    assert turn.notes[0].startswith("blocks: memory took longer")
    assert finished.is_waiting
    assert not asked
    assert boat.turn("My shoe size is 43.", session="chat").finish("Large.").is_filed
    assert len(asked) == 2


def test_an_outbox_that_takes_nothing_loses_nothing_while_the_database_answers(boat: Palace) -> None:
    outbox, before = outbox_of(boat), count(boat)
    with database_away(boat):
        boat.turn("My number is 1.", session="chat").finish("Noted.")
    outbox.path.chmod(0o666)
    assert boat.turn("My number is 2.", session="chat").finish("Noted.").is_filed
    assert count(boat) == before + 2
    outbox.path.chmod(0o600)
    boat.turns.flush()
    assert count(boat) == before + 4


def test_who_ends_a_session_while_another_files_what_waits_is_told(boat: Palace) -> None:
    with database_away(boat):
        boat.turn("My number is 1.", session="chat").finish("Noted.")
    outbox = outbox_of(boat)
    with outbox._filing(0):
        flushed = boat.turns.flush()
        assert (flushed.filed, flushed.left) == (0, 1)
        assert "another process" in flushed.note
        assert boat.turns.end("chat").warnings[0] == flushed.note
    assert boat.turns.flush().filed == 1
