"""Fetching a file from a server that breaks off, knows ranges or not, and tells a checksum or none."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from bench.download import download
from palace.errors import UnreadableSource

CONTENT = bytes(range(256)) * 4000


class Hub:
    """A server of one large file, reached by a redirection that tells its checksum."""

    def __init__(self) -> None:
        self.sha256: str | None = hashlib.sha256(CONTENT).hexdigest()
        self.breaks_after: int | None = None
        self.knows_ranges = True
        self.ranges: list[str | None] = []
        self.http = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())

    @property
    def address(self) -> str:
        """Where the file is."""
        return f"http://127.0.0.1:{self.http.server_port}/file.json"

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        hub = self

        class Handler(BaseHTTPRequestHandler):
            def do_HEAD(self) -> None:
                self.redirect()

            def redirect(self) -> None:
                self.send_response(302)
                self.send_header("Location", "/stored")
                if hub.sha256:
                    self.send_header("X-Linked-Etag", f'"{hub.sha256}"')
                self.send_header("Content-Length", "0")
                self.end_headers()

            def do_GET(self) -> None:
                if self.path == "/gone":
                    self.send_error(404)
                elif self.path != "/stored":
                    self.redirect()
                else:
                    self.give(self.headers.get("Range"))

            def give(self, asked: str | None) -> None:
                hub.ranges.append(asked)
                start = int(asked.removeprefix("bytes=").rstrip("-")) if asked and hub.knows_ranges else 0
                if start >= len(CONTENT):
                    self.send_error(416)
                    return
                self.send_response(206 if start else 200)
                self.send_header("Content-Length", str(len(CONTENT) - start))
                self.end_headers()
                self.wfile.write(CONTENT[start : hub.breaks_after])

            def log_message(self, format: str, *args: object) -> None:
                """Say nothing: standard error belongs to the tests."""

        return Handler


@pytest.fixture
def hub() -> Iterator[Hub]:
    """A hub that answers."""
    made = Hub()
    thread = threading.Thread(target=made.http.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    yield made
    made.http.shutdown()
    made.http.server_close()
    thread.join()


def test_an_interrupted_download_goes_on_where_it_was(hub: Hub, tmp_path: Path) -> None:
    hub.breaks_after = 300_000
    with pytest.raises(UnreadableSource, match="the connection ended after 300,000 of 1,024,000 bytes"):
        download(hub.address, tmp_path / "file.json")
    assert not (tmp_path / "file.json").exists()
    hub.breaks_after = None
    assert download(hub.address, tmp_path / "file.json").read_bytes() == CONTENT
    assert hub.ranges == [None, "bytes=300000-"]


def test_a_server_without_ranges_sends_everything_again(hub: Hub, tmp_path: Path) -> None:
    (tmp_path / "file.json.part").write_bytes(b"x" * 1000)
    hub.knows_ranges = False
    assert download(hub.address, tmp_path / "file.json").read_bytes() == CONTENT


def test_a_file_with_another_checksum_is_removed(hub: Hub, tmp_path: Path) -> None:
    hub.sha256 = "0" * 64
    with pytest.raises(UnreadableSource, match="published is 0000"):
        download(hub.address, tmp_path / "file.json")
    assert list(tmp_path.iterdir()) == []
