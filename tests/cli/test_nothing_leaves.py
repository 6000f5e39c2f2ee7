"""Nothing leaves the machine: what Palace is made of looks up no address and writes nothing outside the home."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from palace import Administration, Settings
from tests.protocol.conftest import GREETING, message

PROGRAM = [sys.executable, "-c", "from palace_cli.entry import main; main()"]
WATCHING = """
import os, socket, sys

OWN = (os.environ["PALACE_HOME"], os.environ["TMPDIR"], "/dev/")
LOG = os.open(os.environ["SEEN"], os.O_WRONLY | os.O_APPEND)
WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT

def look(event, said):
    if event in ("socket.getaddrinfo", "socket.gethostbyname", "socket.sendto"):
        seen = said
    elif event == "socket.connect":
        seen = said[1] if said[0].family != socket.AF_UNIX else None
    elif event == "open" and isinstance(said[0], (str, bytes)) and isinstance(said[2], int) and said[2] & WRITES:
        seen = os.fsdecode(said[0])
    elif event in ("os.mkdir", "os.rename", "os.link", "os.symlink"):
        seen = os.path.abspath(os.fsdecode(said[0]))
    else:
        return
    if seen and not str(seen).startswith(OWN) and not str(seen).isdigit():
        os.write(LOG, f"{event} {seen} {sys.argv}\\n".encode())

sys.addaudithook(look)
"""


@pytest.fixture
def place() -> Iterator[Path]:
    """A folder for a home; its path is short enough for a socket, and the server's account reaches it."""
    path = Path(tempfile.mkdtemp(prefix="palace-leaves-"))
    path.chmod(0o711)
    yield path
    Administration(Settings(home=path / "home")).stop()
    shutil.rmtree(path, ignore_errors=True)


@pytest.mark.process
def test_the_embedding_model_runs_without_a_word_to_its_runtimes_maker(tmp_path: Path) -> None:
    (home := tmp_path / "person").mkdir()
    program = "import sys; from palace.ai.embedders.minilm import BundledEmbedder as Model; from pathlib import Path;"
    program += "Model(1, folder=Path(sys.argv[1])).embed_passages(['the blue pot'])"
    environment = {**os.environ, "HOME": str(home), "ORT_DISABLE_TELEMETRY": "0"}
    command = [sys.executable, "-c", program, str(tmp_path / "models")]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr, *home.rglob("*")) == ("", "")


@pytest.mark.nightly
@pytest.mark.process
@pytest.mark.slow
def test_a_recall_a_worker_and_a_server_of_tools_ask_nobody_and_leave_nothing_elsewhere(place: Path) -> None:
    for name in ("person", "temporary", "watch"):
        (place / name).mkdir()
    (place / "watch" / "sitecustomize.py").write_text(WATCHING)
    (seen := place / "seen").touch()
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PALACE_", "XDG_", "HF_"))}
    environment = {
        **kept,
        **{"PALACE_HOME": str(place / "home"), "HOME": str(place / "person"), "TMPDIR": str(place / "temporary")},
        **{"PYTHONPATH": f"{place / 'watch'}:{os.pathsep.join(sys.path)}", "PYTHONDONTWRITEBYTECODE": "1"},
        **{"SEEN": str(seen), "ORT_DISABLE_TELEMETRY": "0"},
    }

    def run(*words: str, said: str = "") -> str:
        done = subprocess.run(
            [*PROGRAM, *words], env=environment, input=said, capture_output=True, text=True, timeout=120, check=False
        )
        assert (done.returncode, "onnxruntime" in done.stderr) == (0, False), done.stderr
        return done.stdout

    run("note", "Mara keeps the spare key under the blue pot.")
    while json.loads(run("status", "--json"))["jobs"] != {"waiting": 0, "running": 0, "failed": 0}:
        time.sleep(0.2)
    assert "blue pot" in run("recall", "where is the key?")
    asked = message("tools/call", 2, name="recall", arguments={"query": "where is the key?"})
    pipe, command = subprocess.PIPE, [*PROGRAM, "mcp"]
    with subprocess.Popen(command, env=environment, text=True, stdin=pipe, stdout=pipe, stderr=pipe) as served:
        assert served.stdin is not None
        assert served.stdout is not None
        served.stdin.write("\n".join((GREETING, message("notifications/initialized"), asked, "")))
        served.stdin.flush()
        served.stdout.readline()
        assert "blue pot" in served.stdout.readline()
        assert "onnxruntime" not in served.communicate()[1]
    assert "onnxruntime" not in (place / "home" / "worker.log").read_text()
    assert (seen.read_text(), *(place / "person").rglob("*"), *(place / "temporary").rglob("*")) == ("",)
