"""Remote models, by litellm's own HTTP path against a server of ours."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from decimal import Decimal

import pytest

from palace.embedding.registry import embedder_for
from palace.embedding.remote import ATTEMPTS, BATCH_BYTES, BATCH_TEXTS, RemoteEmbedder
from palace.errors import EmbeddingError
from palace.settings import Settings
from palace.testing import Answer, EmbeddingServer, HashingEmbedder

MODEL = "openai/text-embedding-3-small"


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[EmbeddingServer]:
    monkeypatch.setenv("OPENAI_API_KEY", "a-key")
    with EmbeddingServer() as running:
        yield running


@pytest.fixture
def remote(server: EmbeddingServer) -> RemoteEmbedder:
    return RemoteEmbedder(MODEL, dimension=384, timeout=5, api_base=server.api_base, first_pause=0.001)


def test_a_call_carries_model_key_and_texts(server: EmbeddingServer, remote: RemoteEmbedder) -> None:
    remote.embed_passages(["one", "two"])
    (request,) = server.requests
    assert request.path == "/v1/embeddings"
    assert request.authorization == "Bearer a-key"
    assert request.body["model"] == "text-embedding-3-small"
    assert request.texts == ["one", "two"]


def test_the_address_may_come_from_the_environment(server: EmbeddingServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_BASE", server.api_base)
    chosen = embedder_for(MODEL, Settings(embedding_dimension=384, embedding_timeout_seconds=5))
    assert chosen.embed_passages(["one"]).vectors.shape == (1, 384)
    assert len(server.requests) == 1


def test_a_call_is_recorded_with_its_tokens_and_price(remote: RemoteEmbedder) -> None:
    (call,) = remote.embed_passages(["one two three", "four"]).calls
    assert (call.model, call.tokens, call.outcome) == (MODEL, 4, "ok")
    assert call.cost_usd == Decimal("0.00000008")
    assert 0 < call.seconds < 5


def test_a_model_without_a_listed_price_costs_nothing(server: EmbeddingServer) -> None:
    unlisted = RemoteEmbedder("openai/an-embedding-of-ours", api_base=server.api_base)
    (call,) = unlisted.embed_passages(["one two three"]).calls
    assert (call.tokens, call.cost_usd) == (3, Decimal(0))


def test_many_texts_go_in_batches(server: EmbeddingServer, remote: RemoteEmbedder) -> None:
    texts = [f"Note {number}" for number in range(2 * BATCH_TEXTS + 1)]
    embedded = remote.embed_passages(texts)
    assert [len(request.texts) for request in server.requests] == [BATCH_TEXTS, BATCH_TEXTS, 1]
    assert len(embedded.calls) == 3
    assert (embedded.vectors * HashingEmbedder().embed_passages(texts).vectors).sum(axis=1).min() > 0.9999


def test_a_batch_is_bounded_in_bytes_too(server: EmbeddingServer, remote: RemoteEmbedder) -> None:
    remote.embed_passages(["字" * 2000] * 100)
    assert len(server.requests) == 3
    assert all(sum(len(text.encode()) for text in request.texts) <= BATCH_BYTES for request in server.requests)


def test_a_long_text_is_cut_between_characters(server: EmbeddingServer, remote: RemoteEmbedder) -> None:
    remote.embed_passages(["字" * 9000])
    assert server.requests[0].texts == ["字" * 2666]


def test_vectors_are_matched_to_texts_by_their_index(server: EmbeddingServer, remote: RemoteEmbedder) -> None:
    server.script.append(Answer.SHUFFLED)
    texts = ["about batteries", "about holidays", "about dogs"]
    assert (remote.embed_passages(texts).vectors * HashingEmbedder().embed_passages(texts).vectors).sum(
        axis=1
    ).min() > 0.9999


@pytest.mark.parametrize(
    ("passing", "outcome"),
    [(Answer.THROTTLED, "throttled"), (Answer.BROKEN, "unavailable"), (Answer.GARBLED, "unavailable")],
)
def test_a_passing_failure_is_tried_again(
    server: EmbeddingServer, remote: RemoteEmbedder, passing: Answer, outcome: str
) -> None:
    server.script.extend([passing, passing])
    embedded = remote.embed_passages(["one"])
    assert embedded.vectors.shape == (1, 384)
    assert [call.outcome for call in embedded.calls] == [outcome, outcome, "ok"]
    assert len(server.requests) == 3


def test_a_lasting_failure_is_given_up_with_every_call_on_record(
    server: EmbeddingServer, remote: RemoteEmbedder
) -> None:
    server.script.extend([Answer.BROKEN] * 10)
    with pytest.raises(EmbeddingError, match=f"{MODEL} did not embed") as caught:
        remote.embed_passages(["one"])
    assert [call.outcome for call in caught.value.calls] == ["unavailable"] * ATTEMPTS
    assert len(server.requests) == ATTEMPTS


def test_a_silent_provider_is_left_after_the_timeout(server: EmbeddingServer) -> None:
    hurried = RemoteEmbedder(MODEL, timeout=0.1, api_base=server.api_base, first_pause=0.001)
    server.script.extend([Answer.SILENT] * ATTEMPTS)
    with pytest.raises(EmbeddingError, match="timeout") as caught:
        hurried.embed_passages(["one"])
    assert {call.outcome for call in caught.value.calls} == {"timeout"}
    assert len(server.requests) < ATTEMPTS


@pytest.mark.parametrize(("answer", "outcome"), [(Answer.WRONG_KEY, "unauthorised"), (Answer.REFUSED, "refused")])
def test_a_refusal_is_not_tried_again(
    server: EmbeddingServer, remote: RemoteEmbedder, answer: Answer, outcome: str
) -> None:
    server.script.append(answer)
    with pytest.raises(EmbeddingError, match=f"scripted: {answer}") as caught:
        remote.embed_passages(["one"])
    assert [call.outcome for call in caught.value.calls] == [outcome]


@pytest.mark.parametrize(
    ("answer", "complaint"),
    [
        (Answer.WRONG_DIMENSION, "vectors of 383 numbers instead of 384"),
        (Answer.ONE_TOO_FEW, "1 vectors for 2 texts"),
        (Answer.WITHOUT_VECTORS, "cannot be used"),
        (Answer.ZEROS, "without direction"),
    ],
)
def test_an_answer_of_another_shape_is_refused_and_paid_for(
    server: EmbeddingServer, remote: RemoteEmbedder, answer: Answer, complaint: str
) -> None:
    server.script.append(answer)
    with pytest.raises(EmbeddingError, match=complaint) as caught:
        remote.embed_passages(["one", "two"])
    (call,) = caught.value.calls
    assert (call.outcome, call.tokens) == ("malformed", 2)
    assert call.cost_usd > 0


def test_calls_that_went_well_before_a_failure_are_on_record(server: EmbeddingServer, remote: RemoteEmbedder) -> None:
    server.script.extend([Answer.OK, Answer.REFUSED])
    with pytest.raises(EmbeddingError) as caught:
        remote.embed_passages(["one"] * (BATCH_TEXTS + 1))
    assert [call.outcome for call in caught.value.calls] == ["ok", "refused"]


def test_an_unknown_dimension_is_asked_for_once_and_the_call_reported(server: EmbeddingServer) -> None:
    unknown = RemoteEmbedder(MODEL, api_base=server.api_base)
    assert (unknown.dimension, unknown.dimension) == (384, 384)
    assert len(server.requests) == 1
    assert len(unknown.embed_passages(["one"]).calls) == 2
    assert len(unknown.embed_passages(["one"]).calls) == 1


def test_the_first_answer_settles_an_unknown_dimension(server: EmbeddingServer) -> None:
    unknown = RemoteEmbedder(MODEL, api_base=server.api_base)
    unknown.embed_passages(["one"])
    assert unknown.dimension == 384
    assert len(server.requests) == 1


def test_a_missing_key_is_named(server: EmbeddingServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY")
    with pytest.raises(EmbeddingError, match=f"{MODEL} needs a key: set OPENAI_API_KEY") as caught:
        RemoteEmbedder(MODEL, api_base=server.api_base).embed_passages(["one"])
    assert (caught.value.calls, server.requests) == ((), [])


def test_a_provider_that_litellm_does_not_know_is_named(remote: RemoteEmbedder) -> None:
    with pytest.raises(EmbeddingError, match="nowhere/model did not embed"):
        RemoteEmbedder("nowhere/model").embed_passages(["one"])


def test_an_unreachable_provider_is_an_embedding_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "a-key")
    with EmbeddingServer() as gone:
        address = gone.api_base
    with pytest.raises(EmbeddingError, match="unavailable"):
        RemoteEmbedder(MODEL, api_base=address, timeout=2, first_pause=0.001).embed_passages(["one"])


def test_a_name_that_tells_no_provider_is_refused_in_our_words(capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(
        EmbeddingError, match=r"nonsense did not embed \(refused\): the name tells no provider: write it"
    ):
        RemoteEmbedder("nonsense").embed_passages(["one"])
    assert capfd.readouterr() == ("", "")


def test_nothing_is_printed_when_a_call_fails(server: EmbeddingServer) -> None:
    program = (
        "from palace.embedding.remote import RemoteEmbedder\n"
        "from palace.errors import EmbeddingError\n"
        f"try: RemoteEmbedder({MODEL!r}, api_base={server.api_base!r}, first_pause=0).embed_passages(['one'])\n"
        "except EmbeddingError as problem: print(type(problem).__name__)"
    )
    server.script.append(Answer.REFUSED)
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", program],
        capture_output=True,
        text=True,
        check=True,
        env=dict(os.environ),
    )
    assert (done.stdout, done.stderr) == ("EmbeddingError\n", "")


def test_choosing_a_remote_model_loads_no_client() -> None:
    program = (
        "import sys; from palace.embedding.registry import embedder_for; from palace.settings import Settings;"
        f"embedder_for({MODEL!r}, Settings()); print('litellm' in sys.modules, 'onnxruntime' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False"]
