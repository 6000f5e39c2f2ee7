"""``palace hook`` begins with next to nothing, and ends well whatever it meets."""

from __future__ import annotations

import json
import pickle
import subprocess
import sys
import time
from base64 import b64encode
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from palace import Palace
from tests.cli.test_start_up import HEAVY
from tests.hooks.conftest import codes
from tests.warm.conftest import LIMIT_SECONDS, PROGRAM, echo, environment, run_hook, served

ALLOWED = {
    *("palace_cli", "palace_cli.entry", "palace_hook", "palace_hook.client", "palace_hook.asking"),
    *("palace_hook.events", "palace_hook.notes", "palace_hook.fast_json"),
    *("_socket", "select", "_json", "__future__", "time", "gc"),
}
"""What a hook that is answered warm imports, beyond what the interpreter brings: each costs time at every prompt."""
LISTED = (
    "import sys; before = set(sys.modules); import os; leave = os._exit\n"
    "def tell(code): print(*sorted(set(sys.modules) - before), file=sys.stderr, flush=True); leave(code)\n"
    "os._exit = tell\n"
    "from palace_cli.entry import main; main()"
)
SHELL = f'"{sys.executable}" -c "from palace_cli.entry import main; main()" hook Stop'


def shell(home: Path, command: str, **more: object) -> subprocess.CompletedProcess[bytes]:
    """Run a line of a shell in a hook's environment."""
    given: dict[str, object] = {"input": b"{}", **more}
    return subprocess.run(  # type: ignore[call-overload,no-any-return]
        command, shell=True, env=environment(home), capture_output=True, check=False, timeout=20, **given
    )


@pytest.mark.process
def test_a_warm_hook_imports_next_to_nothing_and_what_it_is_told_reaches_the_server_whole(home: Path) -> None:
    said = json.dumps({"prompt": "Grüße \0 \x1b[31m 🚤 " * 1000}, ensure_ascii=False)
    with served(home, echo):
        program = [sys.executable, "-c", LISTED]
        done, _ = run_hook(
            home, "BeforeAgent", "--harness", "gemini", "--user=tom", sent=said.encode() + b"\xff\xfe", program=program
        )
    assert done.stdout.decode() == f"BeforeAgent/gemini/tom: {said}��"
    assert set(done.stderr.decode().split()) <= ALLOWED


@pytest.mark.process
def test_input_that_never_ends_is_not_waited_for(home: Path) -> None:
    began = time.monotonic()
    waiting = subprocess.Popen([*PROGRAM, "hook", "Stop"], env=environment(home), stdin=subprocess.PIPE)
    assert waiting.wait(10) == 0
    assert time.monotonic() - began < LIMIT_SECONDS + 0.5
    assert codes(home) == ["input_did_not_end"]


@pytest.mark.process
def test_closed_streams_and_a_folder_that_was_removed_are_no_reason_to_fail(home: Path, tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    with served(home, echo):
        done = shell(home, f'rmdir "{gone}"; {SHELL} <&- >&- 2>&-', cwd=gone)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


@pytest.mark.process
def test_a_hook_is_one_however_its_command_line_is_written_and_what_is_none_goes_its_own_way(home: Path) -> None:
    for words in (["hook"], ["-u", "bob", "--quiet", "hook", "prompt", "--harness", "nope"]):
        command = ["env", "PALACE_TIMEZONE=Nope/No", *PROGRAM, *words]
        done = subprocess.run(command, input=b"{}", capture_output=True, env=environment(home), check=False, timeout=60)
        assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    done = subprocess.run([*PROGRAM, "nope", "hook"], capture_output=True, env=environment(home), check=False)
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr


@pytest.mark.process
def test_a_recall_that_a_worker_answers_loads_no_database_and_no_model(home: Path, palace: Palace) -> None:
    broke = "The pump of the boat broke."
    palace.note(broke)

    def answer(asked: Mapping[str, Any], _seconds: float) -> str:
        found = palace.recall(asked["arguments"]["query"], floor="none")
        return b64encode(pickle.dumps((None, (found, None)))).decode()

    with served(home, answer):
        program = [sys.executable, "-c", LISTED, "recall", "which pump broke?", "--floor", "none"]
        done = subprocess.run(program, env=environment(home), capture_output=True, check=True, text=True)
    assert broke in done.stdout
    # Typer checks every option with pydantic.
    assert not (HEAVY | {"spacy", "rapidfuzz", "palace.graph.wording"}) & (set(done.stderr.split()) - {"pydantic"})
