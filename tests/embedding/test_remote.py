"""Remote models, by litellm's own HTTP path against a server of ours; what a provider sends is not trusted."""

from __future__ import annotations

import json
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

from palace.errors import EmbeddingError
from palace.testing import Answer, EmbeddingServer, HashingEmbedder, RawAnswer
from tests.embedding.conftest import MODEL, Remote
from tests.untrusted import JSON, nearly

BATCH_TEXTS, BATCH_BYTES, ATTEMPTS = 128, 250_000, 4
TEXTS = ["one", "two", "three"]
VECTORS = [[1.0, 0.0], [0.0, 1.0], [0.6, 0.8]]
THROUGH_HTTP = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
Embedder = Any


@pytest.fixture(scope="module")
def narrow_server() -> Iterator[EmbeddingServer]:
    with pytest.MonkeyPatch.context() as patch, EmbeddingServer(dimension=2) as running:
        patch.setenv("OPENAI_API_KEY", "a-key")
        yield running


@pytest.fixture
def narrow(narrow_server: EmbeddingServer, remote_of: Remote) -> Embedder:
    narrow_server.script.clear()
    return remote_of(dimension=2, api_base=narrow_server.api_base, first_pause=0)


def answered(*items: object, **further: object) -> dict[str, Any]:
    usage = {"prompt_tokens": 3, "total_tokens": 3}
    return {"object": "list", "model": "m", "data": list(items), "usage": usage, **further}


def item(index: object, embedding: object) -> dict[str, object]:
    return {"object": "embedding", "index": index, "embedding": embedding}


def refused(embedder: Embedder, server: EmbeddingServer, answer: RawAnswer, texts: list[str]) -> str:
    """Give the one line that an answer is refused with."""
    server.script.clear()
    server.script.extend([answer] * 200)
    with pytest.raises(EmbeddingError) as caught:
        embedder.embed_passages(texts)
    said = str(caught.value)
    assert said.isprintable()
    assert len(said) < 500
    assert "Traceback" not in said
    return said


def alike(vectors: Any, texts: list[str]) -> bool:
    return bool((vectors * HashingEmbedder().embed_passages(texts).vectors).sum(axis=1).min() > 0.9999)


def test_a_call_carries_model_key_and_texts_and_is_recorded_with_its_price(
    server: EmbeddingServer, remote: Embedder, remote_of: Remote
) -> None:
    (call,) = remote.embed_passages(["one two three", "four"]).calls
    assert (call.model, call.tokens, call.outcome, call.cost_usd) == (MODEL, 4, "ok", Decimal("0.00000008"))
    assert 0 < call.seconds < 5
    (request,) = server.requests
    assert (request.path, request.authorization) == ("/v1/embeddings", "Bearer a-key")
    assert (request.body["model"], request.texts) == ("text-embedding-3-small", ["one two three", "four"])
    (call,) = remote_of("openai/an-embedding-of-ours").embed_passages(["one two three"]).calls
    assert (call.tokens, call.cost_usd) == (3, Decimal(0)), "its price is not listed"


def test_many_texts_go_in_batches_and_find_their_vectors_in_any_order(
    server: EmbeddingServer, remote: Embedder
) -> None:
    texts = [f"Note {number}" for number in range(2 * BATCH_TEXTS + 1)]
    embedded = remote.embed_passages(texts)
    assert [len(request.texts) for request in server.requests] == [BATCH_TEXTS, BATCH_TEXTS, 1]
    assert len(embedded.calls) == 3
    assert alike(embedded.vectors, texts)
    server.requests.clear()
    remote.embed_passages(["字" * 2000] * 100)
    assert len(server.requests) == 3
    assert all(sum(len(text.encode()) for text in request.texts) <= BATCH_BYTES for request in server.requests)
    server.requests.clear()
    remote.embed_passages(["字" * 9000])
    assert server.requests[0].texts == ["字" * 2666], "a long text is cut between characters"
    server.script.append(Answer.SHUFFLED)
    assert alike(remote.embed_passages(texts[:3]).vectors, texts[:3])


def test_a_passing_failure_is_tried_again_and_a_lasting_one_given_up_with_every_call_on_record(
    server: EmbeddingServer, remote: Embedder
) -> None:
    for passing, outcome in ((Answer.THROTTLED, "throttled"), (Answer.GARBLED, "unavailable")):
        server.script.extend([passing, passing])
        assert [call.outcome for call in remote.embed_passages(["one"]).calls] == [outcome, outcome, "ok"]
    server.requests.clear()
    server.script.extend([Answer.BROKEN] * 10)
    with pytest.raises(EmbeddingError, match=f"{MODEL} did not embed") as caught:
        remote.embed_passages(["one"])
    assert [call.outcome for call in caught.value.calls] == ["unavailable"] * ATTEMPTS
    assert len(server.requests) == ATTEMPTS


def test_a_silent_provider_is_left_after_the_timeout(server: EmbeddingServer, remote_of: Remote) -> None:
    server.script.extend([Answer.SILENT] * ATTEMPTS)
    with pytest.raises(EmbeddingError, match="timeout") as caught:
        remote_of(timeout=0.1).embed_passages(["one"])
    assert {call.outcome for call in caught.value.calls} == {"timeout"}
    assert len(server.requests) < ATTEMPTS


def test_a_refusal_is_not_tried_again_and_what_went_well_before_is_on_record(
    server: EmbeddingServer, remote: Embedder
) -> None:
    for answer, outcome in ((Answer.WRONG_KEY, "unauthorised"), (Answer.REFUSED, "refused")):
        server.script.extend([Answer.OK, answer])
        with pytest.raises(EmbeddingError, match=f"scripted: {answer}") as caught:
            remote.embed_passages(["one"] * (BATCH_TEXTS + 1))
        assert [call.outcome for call in caught.value.calls] == ["ok", outcome]


def test_an_answer_of_another_shape_is_refused_and_paid_for(server: EmbeddingServer, remote: Embedder) -> None:
    for answer, complaint in {
        Answer.WRONG_DIMENSION: "vectors of 383 numbers instead of 384",
        Answer.ONE_TOO_FEW: "1 vectors for 2 texts",
        Answer.WITHOUT_VECTORS: "cannot be used",
        Answer.ZEROS: "without direction",
    }.items():
        server.script.append(answer)
        with pytest.raises(EmbeddingError, match=complaint) as caught:
            remote.embed_passages(["one", "two"])
        (call,) = caught.value.calls
        assert (call.outcome, call.tokens, call.cost_usd > 0) == ("malformed", 2, True)


def test_an_unknown_dimension_is_settled_by_the_first_answer_or_asked_for_once(
    server: EmbeddingServer, remote_of: Remote
) -> None:
    asked, told = remote_of(dimension=None), remote_of(dimension=None)
    assert (asked.dimension, asked.dimension, len(server.requests)) == (384, 384, 1)
    assert [len(asked.embed_passages(["one"]).calls) for _ in range(2)] == [2, 1], "the asking is reported"
    told.embed_passages(["one"])
    assert (told.dimension, len(server.requests)) == (384, 4)


def test_what_cannot_be_called_is_told_in_our_words(
    server: EmbeddingServer, remote_of: Remote, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    wrong = {"nowhere/model": "nowhere/model did not embed", "nonsense": r"nonsense .*the name tells no provider"}
    for model, told in wrong.items():
        with pytest.raises(EmbeddingError, match=told):
            remote_of(model, api_base=None).embed_passages(["one"])
    with pytest.raises(EmbeddingError, match="unavailable"):
        remote_of(api_base="http://127.0.0.1:9/v1", timeout=2).embed_passages(["one"])
    monkeypatch.delenv("OPENAI_API_KEY")
    with pytest.raises(EmbeddingError, match=f"{MODEL} needs a key: set OPENAI_API_KEY") as caught:
        remote_of().embed_passages(["one"])
    assert (caught.value.calls, server.requests) == ((), [])
    assert capfd.readouterr() == ("", "")


def test_vectors_that_do_not_name_each_text_once_are_refused(narrow_server: EmbeddingServer, narrow: Embedder) -> None:
    wrong = [(0, 1, 1), (0, 1, 3), (-1, 0, 1), (0, 1, None), (None,) * 3, ("0", "1", "2"), (0, 1, 2.0)]
    for indices in wrong:
        answer = RawAnswer.of(answered(*map(item, indices, VECTORS)))
        assert "do not say which text each belongs to" in refused(narrow, narrow_server, answer, TEXTS)


def test_what_is_not_a_vector_is_refused_in_one_line(narrow_server: EmbeddingServer, narrow: Embedder) -> None:
    wrong: dict[str, list[object]] = {
        "without direction": [[0, 0], [float("nan"), 1], [float("inf"), 1]],
        "differ in length": [[], [1.0], [1.0, 2.0, 3.0]],
        "something else than numbers": [["1", "2"], [None, 1], [[1.0], [2.0]], [[1.0], 2.0]],
        "not a list": ["AACAPwAAAEA=", 3, None, {"0": 1}],
    }
    for complaint, embeddings in wrong.items():
        for embedding in embeddings:
            answer = RawAnswer.of(answered(item(0, [1, 0]), item(1, embedding), item(2, [0, 1])))
            assert complaint in refused(narrow, narrow_server, answer, TEXTS), embedding


def test_a_vector_of_any_size_is_scaled(narrow_server: EmbeddingServer, narrow: Embedder) -> None:
    for size in (1e300, 1e-300, 5e-324, 1e38):
        narrow_server.script.append(RawAnswer.of(answered(item(0, [size, size]), model="x" * 100_000)))
        embedded = narrow.embed_passages(["one"])
        assert np.allclose(embedded.vectors, 0.5**0.5)
        assert [call.model for call in embedded.calls] == [MODEL], "a provider's own name is not taken over"


@given(nearly(answered(*(item(index, vector) for index, vector in enumerate(VECTORS)))) | JSON)
@THROUGH_HTTP
def test_any_answer_gives_each_text_its_vector_or_one_line(
    narrow_server: EmbeddingServer, narrow: Embedder, answer: object
) -> None:
    narrow_server.script.extend([RawAnswer.of(answer)] * 4)
    try:
        done = narrow.embed_passages(TEXTS)
    except EmbeddingError as problem:
        said, calls = str(problem), problem.calls
    else:
        said, calls = "", done.calls
        assert isinstance(answer, dict)
        placed = {each["index"]: each["embedding"] for each in answer["data"]}
        wanted = np.array([placed[index] for index in range(3)], np.float64)
        wanted /= np.abs(wanted).max(axis=1, keepdims=True)
        assert np.allclose(done.vectors, wanted / np.linalg.norm(wanted, axis=1, keepdims=True), atol=1e-6)
    finally:
        narrow_server.script.clear()
    assert "\n" not in said
    assert len(said) < 500
    assert all(0 <= call.tokens <= 10**8 and 0 <= call.cost_usd < 1000 for call in calls)


def test_a_count_that_cannot_be_true_costs_nothing_but_a_doubt(
    narrow_server: EmbeddingServer, narrow: Embedder
) -> None:
    counts = [(10**30, 10**30), (-5, -5), (1.5, 1.5), (float("nan"), float("inf")), (1, "many"), (1, "9" * 5000)]
    wrong: list[dict[str, object]] = [{"prompt_tokens": one, "total_tokens": other} for one, other in counts]
    wrong += [{"prompt_tokens": [1], "total_tokens": {"a": 1}}, {"prompt_tokens": 1, "total_tokens": True}]
    wrong += [{"prompt_tokens": 1, "total_tokens": 1, "completion_tokens": 2}]
    none: list[object] = [None, {}, {"prompt_tokens": None, "total_tokens": None}]
    for usage in (*wrong, *none):
        narrow_server.script.append(RawAnswer.of(answered(item(0, [1, 0]), usage=usage)))
        (call,) = narrow.embed_passages(["one"]).calls
        assert (call.tokens, call.cost_usd, call.outcome) == (0, Decimal(0), "ok")
        doubt = f"{MODEL} gives token counts that cannot be true" if usage in wrong else ""
        assert call.doubt.startswith(doubt), usage
        assert bool(call.doubt) is bool(doubt), usage


GOOD_BODY = json.dumps(answered(item(0, [1, 0]))).encode()
LOOP = (("Location", "/v1/embeddings"), ("Content-Type", "text/html"))
NO_ANSWERS = [
    RawAnswer(b"<html><body>Sign in</body></html>", headers=(("Content-Type", "text/html"),)),
    RawAnswer(GOOD_BODY + GOOD_BODY), RawAnswer(b'{"data": ' + b"[" * 5000 + b"]" * 5000 + b"}"),
    RawAnswer(b'{"error": {"message": "\\u001b[31mred\\n\\u0000\\u202e"}}', 400), RawAnswer(b"", 307, LOOP),
    RawAnswer(GOOD_BODY, headers=(("Content-Encoding", "gzip"),)), RawAnswer(b"x" * 1_000_000, 500),
]  # fmt: skip


def test_what_is_no_answer_is_told_in_one_line(narrow_server: EmbeddingServer, narrow: Embedder) -> None:
    for answer in NO_ANSWERS:
        assert refused(narrow, narrow_server, answer, ["one"])
