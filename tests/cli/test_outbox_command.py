"""``palace outbox`` says what waits without a word of it, files it, and throws it away when it is told to."""

from __future__ import annotations

import fcntl
import json
from collections.abc import Callable
from contextlib import AbstractContextManager

import pytest

from palace import BadRequest, DatabaseUnavailable, Palace, PalaceError, load_settings
from palace.turns import TurnOptions
from tests.cli.conftest import Run

SECRET = "hunter2-is-my-password"
Fail = Callable[[PalaceError], AbstractContextManager[None]]


@pytest.fixture
def waiting(run: Run, filing_fails: Fail) -> Run:
    """A user of whom two exchanges wait."""
    with filing_fails(DatabaseUnavailable("away")), Palace.open(load_settings()) as palace:
        for message in (f"My password is {SECRET}", "My boat is called Zephyrine."):
            assert palace.turn(message, session="boats", options=TurnOptions(memory=False)).finish("Noted.").is_waiting
    return run


def test_what_waits_is_counted_and_dated_and_not_told(waiting: Run) -> None:
    done = waiting("outbox", "list")
    assert done.exit_code == 0
    assert "2 exchanges, the oldest of " in done.stdout
    assert done.stdout.count("boats") == 2
    assert "Zephyrine" not in done.stdout
    assert SECRET not in done.stdout
    found = json.loads(waiting("outbox", "list", "--json").stdout)
    assert [(each["conversation"], each["messages"]) for each in found["waiting"]] == [("boats", 2)] * 2
    assert found["refused"] == []
    assert SECRET not in str(found)


def test_status_speaks_of_it_and_flushing_files_it_once(waiting: Run) -> None:
    assert "2 exchanges to be filed (palace outbox flush)" in waiting("status").stdout
    with Palace.open(load_settings()) as palace:
        file = palace.turns.outbox().file
    with file.with_suffix(".filing").open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        assert waiting("outbox", "flush").exit_code == 1, "another program is filing it: it waits on"
    flushed = json.loads(waiting("outbox", "flush", "--json").stdout)
    assert flushed == {"filed": 2, "refused": 0, "left": 0}
    assert json.loads(waiting("status", "--json").stdout)["outbox"] == 0
    assert "outbox" not in waiting("status").stdout
    assert waiting("outbox", "list").stdout == ""
    assert "filed    0" in waiting("outbox", "flush").stdout
    with Palace.open(load_settings()) as palace:
        assert len(palace.turns.history("boats")) == 4


def test_what_can_never_be_filed_says_why_and_throwing_away_asks(waiting: Run, filing_fails: Fail) -> None:
    refused = waiting("outbox", "discard", given="n\n")
    assert (refused.exit_code, refused.stdout) == (1, "")
    assert "Throw away 2 exchanges to be filed?" in refused.stderr
    with Palace.open(load_settings()) as palace, palace.turns.outbox().file.open("ab") as file:
        file.write(b'{"v": 1, "garbled\n')
    with filing_fails(BadRequest(f"no parrots with the password {SECRET}")):
        done = waiting("outbox", "flush")
    assert "3 exchanges can never be filed: palace outbox list says why" in done.stderr
    first, _, third = json.loads(waiting("outbox", "list", "--json").stdout)["refused"]
    assert (first["conversation"], first["reason"]) == ("boats", "no parrots with the password [secret: password]")
    assert (third["conversation"], third["reason"]) == ("", "it cannot be read")
    assert SECRET not in waiting("outbox", "list").stdout
    assert waiting("outbox", "discard", "--refused", given="y\n").stdout == "threw away 3 exchanges\n"
    assert waiting("outbox", "list").stdout == ""
    nothing = waiting("outbox", "discard", given="y\n")
    assert (nothing.stdout, nothing.stderr) == ("", "the outbox is empty\n")
