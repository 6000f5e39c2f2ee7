"""What a provider of embeddings sends is not trusted; by litellm's own HTTP path against a server of ours."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from palace.embedding.answers import UnusableAnswer, unit_length
from palace.embedding.remote import RemoteEmbedder
from palace.errors import EmbeddingError
from palace.testing import EmbeddingServer, RawAnswer
from tests.untrusted import JSON, nearly

MODEL = "openai/text-embedding-3-small"
TEXTS = ["one", "two", "three"]
VECTORS = [[1.0, 0.0], [0.0, 1.0], [0.6, 0.8]]
THROUGH_HTTP = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.fixture(scope="module")
def server() -> Iterator[EmbeddingServer]:
    with pytest.MonkeyPatch.context() as patch, EmbeddingServer(dimension=2) as running:
        patch.setenv("OPENAI_API_KEY", "a-key")
        yield running


@pytest.fixture
def remote(server: EmbeddingServer) -> RemoteEmbedder:
    server.script.clear()
    return RemoteEmbedder(MODEL, dimension=2, timeout=5, api_base=server.api_base, first_pause=0)


def answered(*items: object, **further: object) -> dict[str, Any]:
    usage = {"prompt_tokens": 3, "total_tokens": 3}
    return {"object": "list", "model": "m", "data": list(items), "usage": usage, **further}


def item(index: object, embedding: object) -> dict[str, object]:
    return {"object": "embedding", "index": index, "embedding": embedding}


RIGHT = answered(*(item(index, vector) for index, vector in enumerate(VECTORS)))


@given(st.permutations(range(3)))
@THROUGH_HTTP
def test_vectors_find_their_texts_in_whatever_order_they_come(
    server: EmbeddingServer, remote: RemoteEmbedder, order: list[int]
) -> None:
    server.script.append(RawAnswer.of(answered(*(item(index, VECTORS[index]) for index in order))))
    assert np.allclose(remote.embed_passages(TEXTS).vectors, VECTORS)


@pytest.mark.parametrize(
    "indices",
    [(0, 1, 1), (0, 0, 0), (0, 1, 3), (-1, 0, 1), (1, 2, 3), (0, 1, None), (None,) * 3, ("0", "1", "2"), (0, 1, 2.0)],
    ids=str,
)
def test_vectors_that_do_not_name_each_text_once_are_refused(
    server: EmbeddingServer, remote: RemoteEmbedder, indices: tuple[object, ...]
) -> None:
    server.script.append(RawAnswer.of(answered(*map(item, indices, VECTORS))))
    with pytest.raises(EmbeddingError, match="do not say which text each belongs to") as caught:
        remote.embed_passages(TEXTS)
    assert [call.outcome for call in caught.value.calls] == ["malformed"]


@pytest.mark.parametrize(
    ("embedding", "complaint"),
    [
        ([0, 0], "without direction"),
        ([float("nan"), 1], "without direction"),
        ([float("inf"), 1], "without direction"),
        ([], "differ in length"),
        ([1.0], "differ in length"),
        ([1.0, 2.0, 3.0], "differ in length"),
        (["1", "2"], "something else than numbers"),
        ([None, 1], "something else than numbers"),
        ([[1.0], [2.0]], "something else than numbers"),
        ([[1.0], 2.0], "something else than numbers"),
        ("AACAPwAAAEA=", "not a list"),
        (3, "not a list"),
        (None, "not a list"),
        ({"0": 1}, "not a list"),
    ],
    ids=str,
)
def test_what_is_not_a_vector_is_refused_in_one_line(
    server: EmbeddingServer, remote: RemoteEmbedder, embedding: object, complaint: str
) -> None:
    server.script.append(RawAnswer.of(answered(item(0, [1, 0]), item(1, embedding), item(2, [0, 1]))))
    with pytest.raises(EmbeddingError, match=complaint) as caught:
        remote.embed_passages(TEXTS)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("vector", [[1e300, 1e300], [1e-300, 1e-300], [5e-324, 5e-324], [1e38, 1e38]], ids=str)
def test_a_vector_of_any_size_is_scaled(server: EmbeddingServer, remote: RemoteEmbedder, vector: list[float]) -> None:
    server.script.append(RawAnswer.of(answered(item(0, vector))))
    assert np.allclose(remote.embed_passages(["one"]).vectors, 0.5**0.5)


@given(st.lists(st.lists(st.floats(width=64), min_size=2, max_size=2), min_size=1, max_size=3))
def test_scaled_vectors_have_unit_length_or_are_refused(rows: list[list[float]]) -> None:
    try:
        scaled = unit_length(np.array(rows, np.float64))
    except UnusableAnswer:
        assert not np.isfinite(rows).all() or not np.any(rows, axis=1).all()
    else:
        assert np.allclose(np.linalg.norm(scaled, axis=1), 1, atol=1e-6)


@given(nearly(RIGHT) | JSON)
@THROUGH_HTTP
def test_any_answer_gives_each_text_its_vector_or_one_line(
    server: EmbeddingServer, remote: RemoteEmbedder, answer: object
) -> None:
    server.script.extend([RawAnswer.of(answer)] * 4)
    try:
        done = remote.embed_passages(TEXTS)
    except EmbeddingError as problem:
        said, calls = str(problem), problem.calls
    else:
        said, calls = "", done.calls
        assert isinstance(answer, dict)
        placed = {each["index"]: each["embedding"] for each in answer["data"]}
        wanted = np.array([placed[index] for index in range(3)], np.float64)
        assert np.allclose(done.vectors, unit_length(wanted), atol=1e-6)
    finally:
        server.script.clear()
    assert "\n" not in said
    assert len(said) < 500
    assert all(0 <= call.tokens <= 10**8 and 0 <= call.cost_usd < 1000 for call in calls)


@pytest.mark.parametrize(
    "usage",
    [
        {"prompt_tokens": 10**30, "total_tokens": 10**30},
        {"prompt_tokens": -5, "total_tokens": -5},
        {"prompt_tokens": 1.5, "total_tokens": 1.5},
        {"prompt_tokens": float("nan"), "total_tokens": float("inf")},
        {"prompt_tokens": 1, "total_tokens": "many"},
        {"prompt_tokens": 1, "total_tokens": "9" * 5000},
        {"prompt_tokens": [1], "total_tokens": {"a": 1}},
        {"prompt_tokens": 1, "total_tokens": True},
        {"prompt_tokens": 1, "total_tokens": 1, "completion_tokens": 10**20},
        {"prompt_tokens": 1, "total_tokens": 1, "completion_tokens": 2},
    ],
    ids=lambda usage: str(usage)[:60],
)
def test_a_count_that_cannot_be_true_costs_nothing_but_a_doubt(
    server: EmbeddingServer, remote: RemoteEmbedder, usage: dict[str, object]
) -> None:
    server.script.append(RawAnswer.of(answered(item(0, [1, 0]), usage=usage)))
    (call,) = remote.embed_passages(["one"]).calls
    assert (call.tokens, call.cost_usd, call.outcome) == (0, Decimal(0), "ok")
    assert call.doubt.startswith(f"{MODEL} gives token counts that cannot be true")


@pytest.mark.parametrize("usage", [None, {}, {"prompt_tokens": None, "total_tokens": None}], ids=str)
def test_a_provider_that_does_not_count_is_not_doubted(
    server: EmbeddingServer, remote: RemoteEmbedder, usage: object
) -> None:
    server.script.append(RawAnswer.of(answered(item(0, [1, 0]), usage=usage)))
    (call,) = remote.embed_passages(["one"]).calls
    assert (call.tokens, call.doubt) == (0, "")


GOOD_BODY = json.dumps(answered(item(0, [1, 0]))).encode()
LOOP = (("Location", "/v1/embeddings"), ("Content-Type", "text/html"))


@pytest.mark.parametrize(
    "answer",
    [
        RawAnswer(b""),
        RawAnswer(b"null"),
        RawAnswer(b"<html><body>Sign in</body></html>", headers=(("Content-Type", "text/html"),)),
        RawAnswer(GOOD_BODY[:-20]),
        RawAnswer(GOOD_BODY + GOOD_BODY),
        RawAnswer(GOOD_BODY, headers=(("Content-Encoding", "gzip"),)),
        RawAnswer(b'{"data": "\xff"}'),
        RawAnswer(b"[" * 100_000),
        RawAnswer(b'{"data": ' + b"[" * 5000 + b"]" * 5000 + b"}"),
        RawAnswer(b'{"data": [{"index": 0, "embedding": [' + b"9" * 6000 + b", 1]}]}"),
        RawAnswer(b'{"error": {"message": "\\u001b[31mred\\n\\u0000\\u202e"}}', 400),
        RawAnswer(b"", 307, LOOP),
        RawAnswer(b"moved", 302, (("Location", "http://127.0.0.1:9/"),)),
        RawAnswer(b"x" * 10_000_000, 500),
        RawAnswer(b"x" * 10_000_000),
        RawAnswer(b"teapot", 418),
    ],
    ids=lambda answer: f"{answer.status} {answer.body[:30]!r}",
)
def test_what_is_no_answer_is_told_in_one_line(
    server: EmbeddingServer, remote: RemoteEmbedder, answer: RawAnswer
) -> None:
    server.script.extend([answer] * 100)
    with pytest.raises(EmbeddingError) as caught:
        remote.embed_passages(["one"])
    said = str(caught.value)
    assert said.isprintable()
    assert len(said) < 500
    assert "Traceback" not in said


@pytest.mark.parametrize(
    "name", ["x" * 100_000, "nul \0", "<b>\x1b[31m", 3, None, ["m"]], ids=lambda name: str(name)[:9]
)
def test_the_name_that_a_provider_gives_itself_is_not_taken_over(
    server: EmbeddingServer, remote: RemoteEmbedder, name: object
) -> None:
    server.script.append(RawAnswer.of(answered(item(0, [1, 0]), model=name)))
    assert [call.model for call in remote.embed_passages(["one"]).calls] == [MODEL]


def test_nothing_is_printed_of_an_answer_that_cannot_be_true(server: EmbeddingServer) -> None:
    program = (
        "from palace.embedding.remote import RemoteEmbedder\n"
        f"print(len(RemoteEmbedder({MODEL!r}, api_base={server.api_base!r}).embed_passages(['one']).vectors))"
    )
    usage = {"prompt_tokens": 1.5, "total_tokens": "many"}
    server.script.append(RawAnswer.of(answered(item(0, [1, 0]), usage=usage)))
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, check=False, capture_output=True, text=True, env=dict(os.environ))
    assert (done.stdout, done.stderr, done.returncode) == ("1\n", "", 0)
