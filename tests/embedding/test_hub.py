"""A model from the hub: fetched on request only, then used offline. The hub is a server on this computer."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote, urlsplit

import numpy as np
import pytest
from typer.testing import CliRunner

from palace.errors import EmbeddingError
from palace_cli.app import app
from tests.embedding.tiny import embedder, local, make_model

PLACE = "someone/tiny-model"
COMMIT = "0123456789abcdef0123456789abcdef01234567"
PROMPTS = {"config_sentence_transformers.json": {"prompts": {"query": "query: "}}}


class Hub:
    """Speaks what is asked of the hub to fetch one model."""

    def __init__(self, folder: Path) -> None:
        self.files = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()}
        self.asked: list[str] = []
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        threading.Thread(target=self._http.serve_forever, args=(0.02,), daemon=True).start()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self._http.server_port}"

    def close(self) -> None:
        self._http.shutdown()
        self._http.server_close()

    def _handler(hub: Hub) -> type[BaseHTTPRequestHandler]:
        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                path = unquote(urlsplit(self.path).path)
                hub.asked.append(path)
                beginning = f"/{PLACE}/resolve/{COMMIT}/"
                if path.startswith(beginning) and (file := hub.files.get(path.removeprefix(beginning))):
                    content = file.read_bytes()
                    self._send(content, ETag=f'"{hashlib.sha256(content).hexdigest()}"')
                elif path == f"/api/models/{PLACE}/revision/main":
                    siblings = [{"rfilename": name} for name in hub.files]
                    about = {"_id": "1", "id": PLACE, "sha": COMMIT, "siblings": siblings, "private": False, "tags": []}
                    self._send(json.dumps(about).encode())
                elif path.startswith(f"/api/models/{PLACE}/tree/"):
                    listed = [
                        {"type": "file", "path": name, "size": file.stat().st_size, "oid": "0" * 40}
                        for name, file in hub.files.items()
                    ]
                    self._send(json.dumps(listed).encode())
                else:
                    self._send(b'{"error": "Repository not found"}', 404, **{"X-Error-Code": "RepoNotFound"})

            do_HEAD = do_GET

            def _send(self, content: bytes, status: int = 200, **headers: str) -> None:
                self.send_response(status)
                for name, value in {**headers, "X-Repo-Commit": COMMIT, "Content-Length": str(len(content))}.items():
                    self.send_header(name, value)
                self.end_headers()
                if self.command == "GET":
                    self.wfile.write(content)

            def log_message(self, format: str, *args: object) -> None:
                """Say nothing: standard error belongs to the tests."""

        return Handler


@pytest.fixture
def hub(tmp_path: Path) -> Iterator[Hub]:
    folder = make_model(tmp_path / "published", file="onnx/model.onnx", settings=PROMPTS)
    (folder / "pytorch_model.bin").write_bytes(b"of no use here")
    opened = Hub(folder)
    yield opened
    opened.close()


def fetch(hub: Hub, home: Path, name: str, *options: str) -> subprocess.CompletedProcess[str]:
    """Run the program as somebody whose hub that is."""
    mine = {"HF_ENDPOINT": hub.address, "HF_HOME": str(home / "hf"), "PALACE_HOME": str(home / "palace")}
    command = [sys.executable, "-c", "from palace_cli.entry import main; main()", "embeddings", "fetch", name, *options]
    env = {**os.environ, **mine, "HF_HUB_DOWNLOAD_TIMEOUT": "1"}
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=120, env=env)


@pytest.mark.nightly
@pytest.mark.slow
@pytest.mark.process
def test_a_model_is_never_fetched_silently_but_on_request_and_then_used_offline(
    hub: Hub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hf"))
    monkeypatch.setenv("HF_ENDPOINT", hub.address)
    with pytest.raises(EmbeddingError, match=f"not on this computer: run `palace embeddings fetch hf:{PLACE}`"):
        embedder(f"hf:{PLACE}").embed_passages(["a text"])
    assert hub.asked == []
    done = fetch(hub, tmp_path, f"hf:{PLACE}", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    told = json.loads(done.stdout)
    assert (told["dimension"], told["model"].partition("@")[0]) == (16, f"hf:{PLACE}")
    fetched = {name for name in hub.files if any(path.endswith(name) for path in hub.asked)}
    assert fetched == hub.files.keys() - {"pytorch_model.bin"}
    hub.asked.clear()
    found = embedder(told["model"]).embed_queries(["where is the battery?"]).vectors
    assert np.array_equal(found, local(tmp_path / "published").embed_queries(["where is the battery?"]).vectors)
    assert hub.asked == []


def test_what_is_no_model_of_the_hub_is_not_looked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PALACE_HOME", str(tmp_path))
    for name in (f"local:{PLACE}", "openai/text-embedding-3-small"):
        done = CliRunner().invoke(app, ["embeddings", "fetch", name])
        assert "is no model of the hub: write hf:OWNER/NAME" in f"{done.stderr}{done.exception}"
        assert done.exit_code != 0


@pytest.mark.nightly
def test_what_cannot_be_fetched_or_used_is_told_in_one_line(hub: Hub, tmp_path: Path) -> None:
    missing = fetch(hub, tmp_path, "hf:someone/else")
    hub.files["onnx/model.onnx"].write_bytes(b"no model")
    damaged = fetch(hub, tmp_path, f"hf:{PLACE}")
    hub.close()
    silent = fetch(hub, tmp_path / "other", f"hf:{PLACE}")
    for done, told in (
        (missing, "hf:someone/else cannot be fetched: "),
        (damaged, "onnx/model.onnx is no ONNX model that can be run"),
        (silent, f"hf:{PLACE} cannot be fetched: "),
    ):
        assert (done.returncode != 0, done.stdout, done.stderr.count("\n")) == (True, "", 1)
        assert told in done.stderr
