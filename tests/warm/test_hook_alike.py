"""What ``palace_hook`` holds a second time, since it may not import Palace, is what Palace holds."""

from __future__ import annotations

import getpass
import json
import os
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import palace
import palace_hook
from palace.config.settings import configured_home, load_settings
from palace.hooks.server import LONGEST_SECONDS
from palace_cli import entry
from palace_cli.commands import hook, mcp
from palace_hook import asking, client, events, notes
from palace_hook.fast_json import read_json, write_json
from palace_mcp import profiles
from tests.warm.conftest import event, request

ROOT = Path(__file__).parents[2]
PLAIN = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()


def test_client_and_palace_hold_the_same_numbers_and_names() -> None:
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    assert palace_hook.VERSION == palace.__version__ == declared
    assert events.MOST_BYTES == hook.MOST_BYTES
    assert client.SECONDS == LONGEST_SECONDS
    assert [*events.NAMES] == [each.value for each in hook.HarnessName]
    assert entry.WHY == hook.WHY
    assert tuple(profiles.PROFILES) == mcp.PROFILES


def test_client_and_settings_agree_whether_hooks_are_switched_off(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PALACE_HOME", str(home))
    told = request(home, event("Stop"))
    for name in ("PALACE_HOOKS", "palace_hooks"):
        for said in ("0", "off", "OFF", "f", "false", "False", "n", "no", "1", "on", "t", "true", "yes"):
            monkeypatch.setenv(name, said)
            assert (notes.event_of(told) is not None) is load_settings().hooks, (name, said)
        monkeypatch.delenv(name)


def test_client_tells_who_is_logged_in_as_python_does(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number, name in enumerate(client.LOGINS):
        for place, other in enumerate(client.LOGINS):
            monkeypatch.setenv(other, f"account-{place}" if place >= number else "")
        assert [client.environment_of(str(home)).get(name), f"account-{number}"] == [getpass.getuser()] * 2


def test_the_client_finds_the_home_that_the_settings_say(monkeypatch: pytest.MonkeyPatch) -> None:
    for account in (0, 4711):
        monkeypatch.setattr(os, "geteuid", lambda account=account: account)
        for name, values in {"PALACE_HOME": ("/srv/p", "~/p", "p/q", ""), "XDG_DATA_HOME": ("/data", "  ", "")}.items():
            for each in ("PALACE_HOME", "XDG_DATA_HOME"):
                monkeypatch.delenv(each, raising=False)
            for value in values:
                monkeypatch.setenv(name, value)
                assert Path(asking.find_home()) == configured_home().absolute(), (name, value)


def test_options_are_read_in_every_way_they_are_written() -> None:
    expected = {"event": "Stop", "harness": "codex", "user": "tom"}
    assert client._named(["Stop", "--harness", "codex", "--user", "tom"]) == expected
    assert client._named(["--user=tom", "--harness=codex", "Stop", "more", "--odd"]) == expected
    assert client._named(["-u", "tom", "--harness", "codex", "Stop"]) == expected
    assert client._named(["Stop", "--user"]) == {"event": "Stop", "harness": None, "user": None}


def test_what_is_a_hook_is_told_by_its_command_line(monkeypatch: pytest.MonkeyPatch) -> None:
    hooks = ["hook prompt", "--quiet hook prompt --harness nope", "--user  hook prompt", "-u bob --quiet hook Stop"]
    others = ["--user hook nope", "nope hook", "hook --help", "hook prompt -h", "hook why how", "status"]
    assert [each for each in hooks if not entry._is_hook(each.split(" "))] == []
    assert [each for each in others if entry._is_hook(each.split(" "))] == []
    for is_terminal in (True, False):
        monkeypatch.setattr(os, "isatty", lambda _, is_terminal=is_terminal: is_terminal)
        assert entry._is_hook(["hook"]) is not is_terminal


@given(st.dictionaries(st.text(), PLAIN | st.dictionaries(st.text(), st.text())))
def test_what_is_written_is_read_by_json_as_it_was(told: dict[str, object]) -> None:
    assert json.loads(write_json(told)) == told
    assert read_json(json.dumps(told).encode()) == told


def test_what_is_no_json_is_refused() -> None:
    for body in (b"", b"{", b'{"v":1} {}', b"nothing", b'"\n"', b"\xff", b'{"out":tru}'):
        with pytest.raises(ValueError):  # noqa: PT011 — of whatever kind: who asks catches them all
            read_json(body)
