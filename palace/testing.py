"""Stand-ins for what is slow, costly or far away, held to the same tests as the real ones."""

from __future__ import annotations

import json
import re
import threading
import zlib
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self

import numpy as np

from palace.embedding.protocol import EmbeddedTexts, Vectors
from palace.errors import EmbeddingError
from palace.text.stopwords import STOP_WORDS


class HashingEmbedder:
    """Embed by hashing words and their letter trigrams: instant, deterministic, alike for texts of like words."""

    def __init__(self, dimension: int = 384, *, fail_on: Callable[[str], bool] | None = None) -> None:
        self._dimension = dimension
        self.fail_on = fail_on
        """Texts to fail on; may be set and cleared at any time."""

    @property
    def model(self) -> str:
        return f"testing/hashing-{self._dimension}"

    @property
    def dimension(self) -> int:
        return self._dimension

    @property
    def normalised(self) -> bool:
        return True

    def embed(self, texts: Sequence[str]) -> EmbeddedTexts:
        """Embed texts in order, ``(n, dimension) float32`` of unit length.

        Raises:
            EmbeddingError: ``fail_on`` says so of one of the texts.
        """
        if self.fail_on and any(self.fail_on(text) for text in texts):
            raise EmbeddingError(f"{self.model} did not answer")
        vectors = np.zeros((len(texts), self._dimension), np.float32)
        for row, text in enumerate(texts):
            vectors[row] = self._vector(text)
        return EmbeddedTexts(vectors)

    def _vector(self, text: str) -> Vectors:
        vector = np.zeros(self._dimension, np.float32)
        for word in re.findall(r"\w+", text.lower()) or ["\N{EMPTY SET}"]:
            for number, weight in _features(word):
                vector[(number >> 1) % self._dimension] += weight if number & 1 else -weight
        # Features of opposite sign can meet in one place and leave nothing.
        vector[0] += not vector.any()
        return vector / np.linalg.norm(vector)


@lru_cache(maxsize=65536)
def _features(word: str) -> list[tuple[int, float]]:
    """Give the word and its trigrams as hashes with weights."""
    whole = 0.1 if word in STOP_WORDS else 1.0
    framed = f"<{word}>"
    trigrams = [framed[place : place + 3] for place in range(len(framed) - 2)]
    share = 0.8 * whole / len(trigrams) ** 0.5
    weighted = [(f"={word}", whole), *((trigram, share) for trigram in trigrams)]
    return [(zlib.crc32(name.encode("utf-8", "replace")), weight) for name, weight in weighted]


class Answer(StrEnum):
    """How the embedding server answers one request."""

    OK = "ok"
    SHUFFLED = "shuffled"
    """Right, with the vectors in another order than their indices."""
    THROTTLED = "throttled"
    BROKEN = "broken"
    SILENT = "silent"
    """Accepts the request and says nothing until the server closes."""
    WRONG_KEY = "wrong key"
    REFUSED = "refused"
    """Says that the request itself is wrong."""
    GARBLED = "garbled"
    """JSON that ends in the middle."""
    WITHOUT_VECTORS = "without vectors"
    ONE_TOO_FEW = "one too few"
    WRONG_DIMENSION = "wrong dimension"
    ZEROS = "zeros"


_STATUS = {Answer.THROTTLED: 429, Answer.BROKEN: 500, Answer.WRONG_KEY: 401, Answer.REFUSED: 400}


@dataclass(frozen=True, slots=True)
class EmbeddingRequest:
    """What one request asked the server for."""

    path: str
    authorization: str
    body: dict[str, Any]

    @property
    def texts(self) -> list[str]:
        """The texts to embed."""
        texts: list[str] = self.body["input"]
        return texts


class EmbeddingServer:
    """An OpenAI-compatible embedding endpoint on this machine, whose answers follow a script, then are all right.

    Its vectors are those of a ``HashingEmbedder``. To be used in a ``with`` statement.
    """

    def __init__(self, dimension: int = 384, *, script: Iterable[Answer] = ()) -> None:
        self.script = deque(script)
        self.requests: list[EmbeddingRequest] = []
        """Every request so far, in order of arrival."""
        self._embedder = HashingEmbedder(dimension)
        self._closing = threading.Event()
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), _handler_of(self))
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.02,), daemon=True)

    @property
    def api_base(self) -> str:
        """The address to give to a client."""
        return f"http://127.0.0.1:{self._http.server_port}/v1"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._closing.set()
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()

    def answer(self, request: EmbeddingRequest) -> tuple[int, bytes]:
        """Give the status and body of the next answer in the script."""
        self.requests.append(request)
        answer = self.script.popleft() if self.script else Answer.OK
        if answer is Answer.SILENT:
            self._closing.wait()
        if answer in _STATUS:
            error = {"message": f"scripted: {answer}", "type": "scripted", "code": None}
            return _STATUS[answer], json.dumps({"error": error}).encode()
        body = json.dumps(self._reply(request, answer)).encode()
        return 200, body[: len(body) // 2] if answer is Answer.GARBLED else body

    def _reply(self, request: EmbeddingRequest, answer: Answer) -> dict[str, Any]:
        vectors = _spoiled(self._embedder.embed(request.texts).vectors, answer)
        data = [
            {"object": "embedding", "index": index, "embedding": vector.tolist()}
            for index, vector in enumerate(vectors)
        ]
        if answer is Answer.SHUFFLED:
            data.reverse()
        tokens = sum(len(text.split()) for text in request.texts)
        return {
            "object": "list",
            "model": request.body["model"],
            "data": None if answer is Answer.WITHOUT_VECTORS else data,
            "usage": {"prompt_tokens": tokens, "total_tokens": tokens},
        }


def _spoiled(vectors: Vectors, answer: Answer) -> Vectors:
    if answer is Answer.ONE_TOO_FEW:
        return vectors[:-1]
    if answer is Answer.WRONG_DIMENSION:
        return vectors[:, :-1]
    return vectors * 0 if answer is Answer.ZEROS else vectors * 2


def _handler_of(server: EmbeddingServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            request = EmbeddingRequest(self.path, self.headers.get("Authorization", ""), body)
            status, answer = server.answer(request)
            try:
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer)
            except OSError:
                self.close_connection = True

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing: standard error belongs to the tests."""

    return Handler
