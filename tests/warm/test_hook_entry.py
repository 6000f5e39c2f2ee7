"""``palace hook`` begins with next to nothing, and ends well whatever it meets."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import palace
import palace_hook
from palace.hooks.serving import place as served_place
from palace.settings import Settings, configured_home
from palace_hook import client
from palace_hook import place as asked_place
from tests.architecture.sizes import ROOT
from tests.warm.conftest import LIMIT_SECONDS, PROGRAM, echo, environment, run_hook, served
from tests.warm.test_hook_aside import MET

ALLOWED = {
    *("palace_cli", "palace_cli.entry", "palace_hook", "palace_hook.client", "palace_hook.asking"),
    "palace_hook.began",
    *("palace_hook.place", "palace_hook.written", "_socket", "select", "_json", "__future__", "time"),
}
"""What a hook that is answered warm imports, beyond what the interpreter brings: each costs time at every prompt."""
LISTED = (
    "import sys; before = set(sys.modules); import os; leave = os._exit\n"
    "def tell(code): print(*sorted(set(sys.modules) - before), file=sys.stderr, flush=True); leave(code)\n"
    "os._exit = tell\n"
    "from palace_cli.entry import main; main()"
)


def test_a_warm_hook_imports_next_to_nothing(home: Path) -> None:
    with served(home, echo):
        done, _ = run_hook(home, "UserPromptSubmit", program=[sys.executable, "-c", LISTED])
    assert done.stdout == b"UserPromptSubmit/None/None: {}"
    assert set(done.stderr.decode().split()) <= ALLOWED


def test_the_version_of_the_client_is_the_packages() -> None:
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    assert palace_hook.VERSION == palace.__version__ == declared


@pytest.mark.parametrize("words", [[], ["--help"], ["UserPromptSubmit", "-h"]], ids=" ".join)
def test_who_asks_for_help_gets_to_the_ordinary_program(words: list[str], home: Path) -> None:
    program = "import sys\nfrom palace_cli.entry import main\ntry: main()\nfinally: pass"
    _, terminal = os.openpty()
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-c", program, "hook", *words],
        env=environment(home),
        stdin=terminal,
        capture_output=True,
        text=True,
        check=False,
    )
    assert "palace_cli.app" in done.stderr
    assert "palace_hook.client" not in done.stderr


@given(name=st.text(st.characters(codec="ascii", categories=["L", "N"]), min_size=1, max_size=120))
def test_client_and_server_agree_where_the_socket_lies(name: str) -> None:
    home = f"/tmp/{name}"
    assert asked_place.inside(home) == str(served_place.inside(Path(home)))
    assert asked_place.outside(home) == str(served_place.outside(Path(home)))
    assert (asked_place.NAME, asked_place.LONGEST) == (served_place.NAME, served_place.LONGEST)


@pytest.mark.parametrize(
    "variables",
    [
        {"PALACE_HOME": "/srv/p"},
        {"PALACE_HOME": "~/p"},
        {"PALACE_HOME": "p/q"},
        {"PALACE_HOME": ""},
        {"XDG_DATA_HOME": "/data"},
        {"XDG_DATA_HOME": "  "},
        {},
    ],
    ids=str,
)
@pytest.mark.parametrize("account", [0, 4711])
def test_the_client_finds_the_home_that_the_settings_say(
    variables: dict[str, str], account: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("PALACE_HOME", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(os, "geteuid", lambda: account)
    assert Path(asked_place.find_home()) == configured_home().absolute()


def test_options_are_read_in_every_way_they_are_written() -> None:
    expected = {"event": "Stop", "harness": "codex", "user": "tom"}
    assert client._named(["Stop", "--harness", "codex", "--user", "tom"]) == expected
    assert client._named(["--user=tom", "--harness=codex", "Stop", "more", "--odd"]) == expected
    assert client._named(["-u", "tom", "--harness", "codex", "Stop"]) == expected
    assert client._named(["Stop", "--user"]) == {"event": "Stop", "harness": None, "user": None}


@pytest.mark.parametrize(
    "words",
    [
        ["hook"],
        ["--quiet", "hook", "prompt", "--harness", "nope"],
        ["--user", "", "hook", "prompt"],
        ["-u", "bob", "--quiet", "hook"],
    ],
)
def test_a_hook_is_one_however_its_command_line_is_written(words: list[str], home: Path) -> None:
    command = ["env", "PALACE_TIMEZONE=Nope/No", *PROGRAM, *words]
    done = subprocess.run(command, input=b"{}", capture_output=True, env=environment(home), check=False, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


@pytest.mark.parametrize("words", [["--user", "hook", "nope"], ["nope", "hook"], ["hook", "--help"]])
def test_what_is_no_hook_goes_its_own_way(words: list[str], home: Path) -> None:
    done = subprocess.run(
        [*PROGRAM, *words], input=b"{}", capture_output=True, env=environment(home), check=False, timeout=60
    )
    assert done.stdout or done.stderr


def test_what_it_is_told_reaches_the_server_whole(home: Path) -> None:
    said = json.dumps({"prompt": "Grüße \0 \x1b[31m 🚤 " * 1000}, ensure_ascii=False)
    with served(home, echo):
        done, _ = run_hook(home, "BeforeAgent", "--harness", "gemini", "--user=tom", sent=said.encode())
    assert done.stdout.decode() == f"BeforeAgent/gemini/tom: {said}"


def test_bytes_that_are_no_text_are_passed_on_as_signs_of_what_is_missing(home: Path) -> None:
    with served(home, echo):
        done, _ = run_hook(home, "Stop", sent=b"\xff\xfe{")
    assert done.stdout.decode() == "Stop/None/None: ��{"


def test_an_event_that_is_too_large_is_read_to_its_end_and_noted(home: Path) -> None:
    with served(home, echo):
        done, took = run_hook(home, "UserPromptSubmit", sent=b"x" * (40 << 20))
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert took < LIMIT_SECONDS + 1  # most of which is this machine's pipe
    assert (home / "hooks" / "failures.log").read_text().split()[1:] == ["UserPromptSubmit", "-", "too_large", "client"]


def test_input_that_never_ends_is_not_waited_for(home: Path) -> None:
    began = time.monotonic()
    waiting = subprocess.Popen([*PROGRAM, "hook", "Stop"], env=environment(home), stdin=subprocess.PIPE)
    assert waiting.wait(10) == 0
    assert time.monotonic() - began < LIMIT_SECONDS + 0.3
    assert "input_did_not_end" in (home / "hooks" / "failures.log").read_text()


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_closed_standard_streams_are_no_reason_to_fail(closed: str, home: Path) -> None:
    command = f'"{sys.executable}" -c "from palace_cli.entry import main; main()" hook Stop {closed}'
    with served(home, echo):
        done = subprocess.run(command, shell=True, env=environment(home), capture_output=True, check=False, timeout=20)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout in (b"", b"Stop/None/None: ")


def test_a_host_that_reads_nothing_is_no_reason_to_fail(home: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    with served(home, echo):
        done = subprocess.run(
            [*PROGRAM, "hook", "Stop"], input=b"{}", stdout=writing, env=environment(home), check=False, timeout=20
        )
    os.close(writing)
    assert done.returncode == 0


def test_a_folder_that_was_removed_is_no_reason_to_fail(home: Path, tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    command = f'rmdir "{gone}"; "{sys.executable}" -c "from palace_cli.entry import main; main()" hook Stop'
    environ = environment(home)
    with served(home, lambda told, _: told["folder"]):
        done = subprocess.run(
            command, shell=True, cwd=gone, env=environ, input=b"{}", capture_output=True, check=False, timeout=20
        )
    assert done.returncode == 0


def test_a_home_that_is_not_there_is_not_made(tmp_path: Path) -> None:
    home = tmp_path / "none"
    done, _ = run_hook(home, "UserPromptSubmit", sent=b"x" * (9 << 20))
    assert (done.returncode, done.stdout) == (0, b"")
    assert not home.exists()


def test_settings_are_read_as_another_process_would(home: Path) -> None:
    from palace.settings.surroundings import environment_of

    with environment_of({"PALACE_HOME": str(home), "PALACE_USER": "tom", "palace_top_k": "7", "LOGNAME": "lea"}):
        assert (Settings().user, Settings().top_k, Settings().home) == ("tom", 7, home)
    with environment_of({"PALACE_HOME": str(home), "LOGNAME": "lea"}):
        assert (Settings().user, Settings().top_k) == ("lea", None)


@pytest.mark.parametrize(
    "name", ["palace_hook", "palace_hook.client", "palace_hook.began", "palace_hook.leaving", "json"]
)
@pytest.mark.parametrize("does", ["raise ImportError('gone')", "raise SyntaxError('half written')"])
def test_a_client_that_is_half_installed_is_not_noticed(name: str, does: str, home: Path) -> None:
    sent = b'{"hook_event_name": "Stop", "session_id": "s", "cwd": "/tmp", "transcript_path": "/t/s.jsonl"}'
    done, _ = run_hook(home, "Stop", sent=sent, program=[sys.executable, "-c", MET.format(name=name, does=does)])
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
