"""What ``palace_hook`` holds a second time, since it may not import Palace, is what Palace holds.

Other pairs have their tests where the rest of them is tested: the socket's place and the home (``test_hook_entry``),
folders (``test_hook_homes``), events and where a session began (``test_hook_left``), JSON (``test_hook_written``), who
is at the other end (``test_hook_socket``) and where a database is (``test_hook_whose``).
"""

from __future__ import annotations

import getpass
import json
import shutil
import tempfile
from dataclasses import fields
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import palace_hook
from palace.hooks import failures, request
from palace.hooks.answering import responding
from palace.hooks.contract import reading
from palace.hooks.contract.events import Harness
from palace.hooks.inbox.left import Left
from palace.hooks.serving import frames, server
from palace.settings import load_settings
from palace_cli import entry
from palace_cli.commands import hook, mcp
from palace_hook import aside, asking, began, client, leaving
from palace_mcp import profiles
from tests.warm.test_hook_left import event
from tests.warm.test_hook_left import request as asked

WORD = st.text(st.characters(codec="utf-8"), max_size=80)


def test_client_and_palace_hold_the_same_numbers_and_names() -> None:
    assert palace_hook.PROTOCOL == request.PROTOCOL
    assert client.LARGEST == reading.MOST_BYTES == hook.MOST_BYTES
    assert client.SECONDS == responding.SECONDS == server.LONGEST_SECONDS
    assert asking.LENGTH == frames.LENGTH
    assert (began.LONGEST_PATH, began.LONGEST_NAME) == (reading.LONGEST_PATH, reading.LONGEST_NAME)
    assert [*leaving.HARNESSES] == [*Harness] == [each.value for each in hook.HarnessName]


def test_the_command_line_holds_the_same_names_as_what_it_imports_late() -> None:
    assert entry.WHY == hook.WHY
    assert tuple(profiles.PROFILES) == mcp.PROFILES


@given(WORD, WORD)
def test_client_and_palace_note_a_failure_in_the_same_words(moment: str, code: str) -> None:
    home = Path(tempfile.mkdtemp(prefix="palace-noted-"))
    try:
        aside.note(str(home), {"event": moment, "harness": None}, code)
        failures.note(home, moment, "", code, step="client")
        one, other = (home / failures.FOLDER / failures.LOG).read_text().splitlines()
    finally:
        shutil.rmtree(home)
    assert one.split(" ")[1:] == other.split(" ")[1:]


@pytest.mark.parametrize("name", ["PALACE_HOOKS", "palace_hooks"])
@pytest.mark.parametrize("said", ["0", "off", "OFF", "f", "false", "False", "n", "no", "1", "on", "t", "true", "yes"])
def test_client_and_settings_agree_whether_hooks_are_switched_off(
    name: str, said: str, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PALACE_HOME", str(home))
    monkeypatch.setenv(name, said)
    assert (began.event_of(asked(home, event("Stop"))) is not None) is load_settings().hooks


def test_client_tells_who_is_logged_in_as_python_does(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number, name in enumerate(client.LOGINS):
        for place, other in enumerate(client.LOGINS):
            monkeypatch.setenv(other, f"account-{place}" if place >= number else "")
        assert [client._environment(str(home)).get(name), f"account-{number}"] == [getpass.getuser()] * 2


def test_a_note_of_the_client_has_what_a_note_of_palace_has(home: Path) -> None:
    told = asked(home, event("Stop"))
    found = began.event_of(told)
    assert found
    assert leaving.leave(str(home), told, found, ["/w/evil"])
    [note] = (home / "hooks" / "inbox").glob("*.json")
    # Which schema it is follows from the variables of the environment, which Palace has read by then.
    assert {*json.loads(note.read_text())} == {each.name for each in fields(Left)} - {"schema"}
