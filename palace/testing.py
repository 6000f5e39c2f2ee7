"""Stand-ins for what is slow, costly or far away, held to the same tests as the real ones."""

from __future__ import annotations

import json
import re
import threading
import zlib
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache, partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self

import numpy as np

from palace.ai.embedders.protocol import EmbeddedTexts, Vectors
from palace.db.filing.steps import mark_done
from palace.errors import EmbeddingError, ModelError
from palace.mining.steps.step import IndexStep, Work
from palace.models import PASSAGES, StepVersion
from palace.nlp.words import STOP_WORDS


class HashingEmbedder:
    """Embeds by hashing words and their letter trigrams: instant, deterministic, similar for texts that share words."""

    def __init__(self, dimension: int = 384, *, fail_on: Callable[[str], bool] | None = None) -> None:
        self._dimension = dimension
        self.fail_on = fail_on
        """Predicate for texts to fail on; may be set and cleared at any time."""

    @property
    def model(self) -> str:
        return f"testing/hashing-{self._dimension}"

    @property
    def dimension(self) -> int:
        return self._dimension

    @property
    def normalised(self) -> bool:
        return True

    def embed_passages(self, texts: Sequence[str]) -> EmbeddedTexts:
        """Embed texts in order, ``(n, dimension) float32`` of unit length.

        Raises:
            EmbeddingError: ``fail_on`` is true for one of the texts.
        """
        if self.fail_on and any(self.fail_on(text) for text in texts):
            raise EmbeddingError(f"{self.model} did not answer")
        vectors = np.zeros((len(texts), self._dimension), np.float32)
        for row, text in enumerate(texts):
            vectors[row] = self._vector(text)
        return EmbeddedTexts(vectors)

    def embed_queries(self, texts: Sequence[str]) -> EmbeddedTexts:
        """Embed queries exactly as passages."""
        return self.embed_passages(texts)

    def _vector(self, text: str) -> Vectors:
        vector = np.zeros(self._dimension, np.float32)
        for word in re.findall(r"\w+", text.lower()) or ["\N{EMPTY SET}"]:
            for number, weight in _features(word):
                vector[(number >> 1) % self._dimension] += weight if number & 1 else -weight
        # Features of opposite sign may meet in one number and cancel out.
        vector[0] += not vector.any()
        return vector / np.linalg.norm(vector)


@lru_cache(maxsize=65536)
def _features(word: str) -> list[tuple[int, float]]:
    """Return the word and its trigrams as hashes with weights."""
    whole = 0.1 if word in STOP_WORDS else 1.0
    framed = f"<{word}>"
    trigrams = [framed[index : index + 3] for index in range(len(framed) - 2)]
    share = 0.8 * whole / len(trigrams) ** 0.5
    weighted = [(f"={word}", whole), *((trigram, share) for trigram in trigrams)]
    return [(zlib.crc32(name.encode("utf-8", "replace")), weight) for name, weight in weighted]


FAILING = StepVersion("failing", 1)


@dataclass(frozen=True, slots=True)
class FailingStep(IndexStep):
    """An index step that makes nothing, and fails for the conversations in ``fail_for``."""

    made: StepVersion = FAILING
    needs: tuple[str, ...] = (PASSAGES.name,)
    participle: str = "tried"
    fail_for: set[int] = field(default_factory=set)
    """Conversation ids to fail for; may be filled and emptied at any time."""
    tried: list[tuple[int, ...]] = field(default_factory=list)
    """The conversations of every call so far."""

    def do(self, work: Work, conversations: Sequence[int]) -> None:
        """Mark conversations as done, up to the first that it fails for."""
        self.tried.append(tuple(conversations))
        for conversation_id in conversations:
            if conversation_id in self.fail_for:
                raise ModelError(f"no reply about conversation {conversation_id},\nnor a reason")
            done = partial(mark_done, step=self.made, conversations=[conversation_id])
            work.database.run(done)


class Answer(StrEnum):
    """How a server answers one request."""

    OK = "ok"
    SHUFFLED = "shuffled"
    """Correct, with the vectors in another order than their indices."""
    THROTTLED = "throttled"
    BROKEN = "broken"
    SILENT = "silent"
    """Accepts the request and sends nothing until the server closes."""
    TRICKLING = "trickling"
    """Begins to answer and sends a space now and then until the server closes."""
    WRONG_KEY = "wrong key"
    REFUSED = "refused"
    """Reports that the request itself is wrong."""
    GARBLED = "garbled"
    """JSON that ends in the middle."""
    WITHOUT_VECTORS = "without vectors"
    ONE_TOO_FEW = "one too few"
    WRONG_DIMENSION = "wrong dimension"
    ZEROS = "zeros"


JSON_HEADERS = (("Content-Type", "application/json"),)

_STATUS: Mapping[str, int] = {Answer.THROTTLED: 429, Answer.BROKEN: 500, Answer.WRONG_KEY: 401, Answer.REFUSED: 400}


@dataclass(frozen=True, slots=True)
class RawAnswer:
    """An answer that the server sends unchanged, valid or not."""

    body: bytes
    status: int = 200
    headers: tuple[tuple[str, str], ...] = JSON_HEADERS

    @classmethod
    def of(cls, value: object) -> RawAnswer:
        """Return an answer with a value as JSON; NaN and infinity are written as Python does."""
        return cls(json.dumps(value).encode())


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """A request that a server received."""

    path: str
    authorization: str
    body: dict[str, Any]

    @property
    def texts(self) -> list[str]:
        """The texts to embed."""
        texts: list[str] = self.body["input"]
        return texts

    @property
    def prompt(self) -> str:
        """The messages of the prompt, one after the other."""
        return "\n".join(str(message.get("content") or "") for message in self.body["messages"])


class ModelServer(ABC):
    """An OpenAI-compatible endpoint on this machine that follows a script. To be used in a ``with`` statement."""

    def __init__(self, script: Iterable[str | RawAnswer]) -> None:
        self.script = deque(script)
        self.requests: list[ModelRequest] = []
        """Every request so far, in order of arrival."""
        self.headers: tuple[tuple[str, str], ...] = ()
        """The headers of the answer being sent."""
        self._closing = threading.Event()
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), _handler_of(self))
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.02,), daemon=True)

    @property
    def api_base(self) -> str:
        """The base URL for a client."""
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

    def answer(self, request: ModelRequest) -> tuple[int, Iterator[bytes]]:
        """Return the status and the body, in pieces, of the next answer in the script."""
        self.requests.append(request)
        answer = self.script.popleft() if self.script else Answer.OK
        if isinstance(answer, RawAnswer):
            self.headers = answer.headers
            return answer.status, iter([answer.body])
        self.headers = JSON_HEADERS
        if answer is Answer.SILENT:
            self._closing.wait()
        if answer is Answer.TRICKLING:
            return 200, self._trickle()
        if status := _STATUS.get(answer):
            error = {"message": f"scripted: {answer}", "type": "scripted", "code": None}
            return status, iter([json.dumps({"error": error}).encode()])
        body = json.dumps(self.body(request, answer)).encode()
        return 200, iter([body[: len(body) // 2] if answer is Answer.GARBLED else body])

    @abstractmethod
    def body(self, request: ModelRequest, answer: str) -> dict[str, Any]:
        """Return the body of a correct answer, or of one that is wrong as the script says."""

    def _trickle(self) -> Iterator[bytes]:
        while not self._closing.wait(0.02):
            yield b" "


class LanguageModelServer(ModelServer):
    """Replies to each prompt with the next text of its script; refuses prompts beyond its end.

    A script may hold an ``Answer`` or a ``RawAnswer`` in place of a text. A request for a stream is answered with the
    text in pieces, a word each.
    """

    def __init__(self, *script: str | RawAnswer) -> None:
        super().__init__(script)

    def answer(self, request: ModelRequest) -> tuple[int, Iterator[bytes]]:
        """Return the next reply; a refusal when the script has ended."""
        if not self.script:
            self.script.append(Answer.REFUSED)
        if request.body.get("stream") and type(self.script[0]) is str:
            self.requests.append(request)
            self.headers = (("Content-Type", "text/event-stream"),)
            return 200, self._pieces(request, str(self.script.popleft()))
        return super().answer(request)

    def _pieces(self, request: ModelRequest, answer: str) -> Iterator[bytes]:
        return _streamed(request.body["model"], [{"content": word} for word in re.findall(r"\S+\s*", answer)], "stop")

    def body(self, request: ModelRequest, answer: str) -> dict[str, Any]:
        """Return a reply; each word counts as a token."""
        read, written = len(request.prompt.split()), len(answer.split())
        message = {"role": "assistant", "content": answer}
        return {
            "id": "scripted",
            "object": "chat.completion",
            "created": 0,
            "model": request.body["model"],
            "choices": [{"index": 0, "finish_reason": "stop", "message": message}],
            "usage": {"prompt_tokens": read, "completion_tokens": written, "total_tokens": read + written},
        }


def tool_call(name: str, thought: str = "", /, **arguments: object) -> RawAnswer:
    """Return a streamed reply that calls a tool, after a thought, for the script of a server."""
    written = json.dumps(arguments)
    call = {"index": 0, "id": f"call_{name}", "type": "function", "function": {"name": name, "arguments": ""}}
    rest = {"index": 0, "function": {"arguments": written}}
    deltas: list[dict[str, object]] = [{"content": thought}, {"tool_calls": [call]}, {"tool_calls": [rest]}]
    body = b"".join(_streamed("scripted", deltas, "tool_calls"))
    return RawAnswer(body, headers=(("Content-Type", "text/event-stream"),))


def _streamed(model: str, deltas: Iterable[Mapping[str, object]], ends: str) -> Iterator[bytes]:
    """Write the chunks of a streamed reply."""
    whole = {"id": "scripted", "object": "chat.completion.chunk", "created": 0, "model": model}
    parts = [{"role": "assistant", "content": ""}, *deltas]
    choices = [{"index": 0, "delta": delta, "finish_reason": None} for delta in parts]
    for choice in (*choices, {"index": 0, "delta": {}, "finish_reason": ends}):
        yield f"data: {json.dumps({**whole, 'choices': [choice]})}\n\n".encode()
    yield b"data: [DONE]\n\n"


class EchoingServer(LanguageModelServer):
    """Replies to each prompt with its last message, including any memory block put before it; needs no script."""

    def answer(self, request: ModelRequest) -> tuple[int, Iterator[bytes]]:
        """Return the next reply of the script, or the last message of the prompt."""
        if not self.script:
            self.script.append(f"You said: {request.body['messages'][-1].get('content')}")
        return super().answer(request)


class EmbeddingServer(ModelServer):
    """Embeds as a ``HashingEmbedder`` does; beyond the end of its script every answer is correct."""

    def __init__(self, dimension: int = 384, *, script: Iterable[Answer | RawAnswer] = ()) -> None:
        super().__init__(script)
        self._embedder = HashingEmbedder(dimension)

    def body(self, request: ModelRequest, answer: str) -> dict[str, Any]:
        """Return a vector for each text; each word counts as a token."""
        vectors = _spoiled(self._embedder.embed_passages(request.texts).vectors, answer)
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


def _spoiled(vectors: Vectors, answer: str) -> Vectors:
    if answer is Answer.ONE_TOO_FEW:
        return vectors[:-1]
    if answer is Answer.WRONG_DIMENSION:
        return vectors[:, :-1]
    return vectors * 0 if answer is Answer.ZEROS else vectors * 2


def _handler_of(server: ModelServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            request = ModelRequest(self.path, self.headers.get("Authorization", ""), body)
            status, answer = server.answer(request)
            try:
                self.send_response(status)
                for name, value in (*server.headers, ("Connection", "close")):
                    self.send_header(name, value)
                self.end_headers()
                for piece in answer:
                    self.wfile.write(piece)
            except OSError:
                self.close_connection = True

        def log_message(self, format: str, *args: object) -> None:
            """Log nothing: standard error belongs to the tests."""

    return Handler
