"""The SDK's tool runner carries out on a palace what a model asks of the memory tool."""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from importlib import import_module
from typing import Any

import pytest
from anthropic import Anthropic

from palace import Palace
from palace.api.memory_tool import PalaceMemoryTool

ASKED = [
    {"command": "create", "path": "/memories/crew.md", "file_text": "Mara is the welder."},
    {"command": "create", "path": "/memories/crew.md", "file_text": "Mara is the welder."},
    {"command": "view", "path": "/memories/crew.md"},
]


@contextmanager
def model(asked: list[dict[str, Any]]) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Serve a model that asks for one command after another, then ends; yields its address and the requests."""
    requests: list[dict[str, Any]] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            requests.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            turn = len(requests) - 1
            use = {"type": "tool_use", "id": f"toolu_{turn}", "name": "memory"}
            is_over = turn >= len(asked)
            content = [{"type": "text", "text": "Done."}] if is_over else [use | {"input": asked[turn]}]
            reply: dict[str, Any] = {
                "id": f"msg_{turn}",
                "type": "message",
                "role": "assistant",
                "model": "m",
                "content": content,
            }
            reply |= {"stop_reason": "end_turn" if is_over else "tool_use", "stop_sequence": None}
            body = json.dumps(reply | {"usage": {"input_tokens": 1, "output_tokens": 1}}).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Write nothing."""

    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", requests
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def test_the_sdks_tool_runner_keeps_files_in_the_palace(palace: Palace) -> None:
    tool = PalaceMemoryTool(palace, wing="Agent", cache_control={"type": "ephemeral"})
    with model(ASKED) as (address, requests), Anthropic(base_url=address, api_key="sk-test") as client:
        runner = client.beta.messages.tool_runner(
            model="claude", max_tokens=100, tools=[tool], messages=[{"role": "user", "content": "Remember the crew."}]
        )
        last = runner.until_done()
    assert last.content[0].to_dict() == {"type": "text", "text": "Done."}
    assert requests[0]["tools"] == [
        {"type": "memory_20250818", "name": "memory", "cache_control": {"type": "ephemeral"}}
    ]
    results = [request["messages"][-1]["content"][0] for request in requests[1:]]
    assert "File created successfully at: /memories/crew.md" in str(results[0])
    assert "File /memories/crew.md already exists" in str(results[1])
    assert results[1]["is_error"]
    assert "Mara is the welder." in str(results[2])
    assert [hit.drawer.content for hit in palace.recall("welder", wing="Agent").hits] == ["Mara is the welder."]


def test_without_the_sdk_one_line_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "anthropic.lib.tools", None)
    monkeypatch.delitem(sys.modules, "palace.api.memory_tool")
    with pytest.raises(ImportError, match=r"pip install 'memory-palace-pg\[anthropic\]'"):
        import_module("palace.api.memory_tool")
