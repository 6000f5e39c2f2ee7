"""A provider of models that says what its script says, byte by byte, and keeps what it was asked."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Literal, Self

SECRET = "sk-provider-secret"


@dataclass
class Answer:
    """An answer of the script."""

    parts: Sequence[bytes]
    status: int = 200
    kind: str = "application/json"
    headers: Sequence[tuple[str, str]] = ()
    pause: float = 0.0
    """Seconds before each part but the first."""
    is_cut: bool = False
    """Whether the connection ends before the answer does."""
    ends: Literal["", "length", "close", "before"] = ""
    """Where its connection is half closed: behind an answer with a length, where its end is that of the answer, or
    before it."""


@dataclass
class Asked:
    """A request as it arrived."""

    method: str
    path: str
    headers: dict[str, str]
    content: bytes
    at: float = field(default_factory=time.perf_counter)

    @property
    def body(self) -> Any:
        """The request as JSON."""
        return json.loads(self.content)


def _half_close(handler: BaseHTTPRequestHandler, answer: Answer) -> None:
    """Answer, and stop writing; the other side may go on."""
    content = b"".join(answer.parts)
    if answer.ends != "before":
        handler.send_response(answer.status)
        handler.send_header("Content-Type", answer.kind)
        if answer.ends == "length":
            handler.send_header("Content-Length", str(len(content)))
        handler.end_headers()
        handler.wfile.write(content)
    handler.connection.shutdown(socket.SHUT_WR)
    handler.connection.settimeout(10)
    handler.rfile.read(1)  # until the other side has closed as well
    handler.close_connection = True


class Provider:
    """The provider; to be used in a ``with`` statement."""

    def __init__(self) -> None:
        self.script: deque[Answer] = deque()
        self.asked: list[Asked] = []
        provider = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                content = self.rfile.read(int(self.headers.get("content-length") or 0))
                headers = {name.lower(): value for name, value in self.headers.items()}
                provider.asked.append(Asked(self.command, self.path, headers, content))
                self._say(provider.script.popleft() if provider.script else Answer([b"{}"], 404))

            do_GET = do_DELETE = do_POST

            def _say(self, answer: Answer) -> None:
                if answer.ends:
                    _half_close(self, answer)
                    return
                self.send_response(answer.status)
                self.send_header("Content-Type", answer.kind)
                self.send_header("Transfer-Encoding", "chunked")
                for name, value in answer.headers:
                    self.send_header(name, value)
                self.end_headers()
                try:
                    for number, part in enumerate(filter(None, answer.parts)):
                        time.sleep(answer.pause if number else 0)
                        self.wfile.write(b"%x\r\n%s\r\n" % (len(part), part))
                    if not answer.is_cut:
                        self.wfile.write(b"0\r\n\r\n")
                except OSError:
                    pass
                self.close_connection = answer.is_cut

            def log_message(self, *_: Any) -> None:
                pass

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._http.daemon_threads = True
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.02,), daemon=True)

    @property
    def url(self) -> str:
        """Its address."""
        return f"http://127.0.0.1:{self._http.server_port}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._http.shutdown()
        self._http.server_close()


def as_json(body: Any) -> Answer:
    """Answer with JSON."""
    return Answer([json.dumps(body).encode()])


def as_events(*events: Any, named: bool = False, **of: Any) -> Answer:
    """Answer with server-sent events; ``named`` ones say their type."""
    written = []
    for event in events:
        data = event if isinstance(event, str) else json.dumps(event)
        name = f"event: {event['type']}\n" if named else ""
        written.append(f"{name}data: {data}\n\n".encode())
    return Answer(written, kind="text/event-stream", **of)


def chat(text: str, **message: Any) -> dict[str, Any]:
    """Return a reply of the chat API."""
    said = {"role": "assistant", "content": text, **message}
    choice = {"index": 0, "message": said, "finish_reason": "stop"}
    return {"id": "c1", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice]}


def chat_events(*pieces: str, **of: Any) -> Answer:
    """Answer with a stream of the chat API."""
    whole = {"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": "m"}
    chunks = [
        {**whole, "choices": [{"index": 0, "delta": {"content": piece}, "finish_reason": None}]} for piece in pieces
    ]
    return as_events(*chunks, "[DONE]", **of)


def response(text: str, id: str = "resp_1", *items: Any) -> dict[str, Any]:
    """Return a reply of the Responses API."""
    part = {"type": "output_text", "text": text, "annotations": []}
    said = {"type": "message", "id": "msg_1", "role": "assistant", "status": "completed", "content": [part]}
    whole = {"id": id, "object": "response", "created_at": 1, "model": "m", "status": "completed"}
    rest = {"parallel_tool_calls": True, "tool_choice": "auto", "tools": [], "error": None}
    return {**whole, **rest, "output": [*items, *([said] if text else [])]}


def response_events(text: str, id: str = "resp_1") -> Answer:
    """Answer with a stream of the Responses API."""
    begun = {**response("", id), "status": "in_progress"}
    place = {"item_id": "msg_1", "output_index": 0, "content_index": 0}
    deltas = [
        {"type": "response.output_text.delta", "delta": word + " ", "sequence_number": 1, "logprobs": [], **place}
        for word in text.split(" ")
    ]
    return as_events(
        {"type": "response.created", "response": begun, "sequence_number": 0},
        *deltas,
        {"type": "response.completed", "response": response(text, id), "sequence_number": 9},
        named=True,
    )


def message(text: str, *blocks: Any) -> dict[str, Any]:
    """Return a reply of Anthropic's API."""
    whole = {"id": "msg_1", "type": "message", "role": "assistant", "model": "m", "stop_reason": "end_turn"}
    usage = {"input_tokens": 1, "output_tokens": 1}
    return {**whole, "stop_sequence": None, "usage": usage, "content": [{"type": "text", "text": text}, *blocks]}


def message_events(*pieces: str, **of: Any) -> Answer:
    """Answer with a stream of Anthropic's API."""
    begun = {**message(""), "content": [], "stop_reason": None}
    deltas = [
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": piece}} for piece in pieces
    ]
    return as_events(
        {"type": "message_start", "message": begun},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
        *deltas,
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 2}},
        {"type": "message_stop"},
        named=True,
        **of,
    )
