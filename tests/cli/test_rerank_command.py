"""``palace recall --rerank``, against a server of ours."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from palace.testing import LanguageModelServer

Run = Callable[..., Any]

MODEL = "openai/gpt-4o-mini"
TALK = [
    {"role": "user", "content": "I bought a battery for the efoil in Lisbon."},
    {"role": "user", "content": "The second battery for the efoil came from Derek."},
    {"role": "user", "content": "The battery of the efoil is charged in the shed."},
]
QUERY = "Where did the battery for the efoil come from?"


@pytest.fixture
def provider(monkeypatch: pytest.MonkeyPatch) -> Iterator[LanguageModelServer]:
    with LanguageModelServer() as server:
        monkeypatch.setenv("PALACE_RERANK_MODEL", MODEL)
        monkeypatch.setenv("OPENAI_API_BASE", server.api_base)
        monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
        yield server


@pytest.fixture
def mined(run: Run, tmp_path: Path) -> Run:
    file = tmp_path / "talk.json"
    file.write_text(json.dumps(TALK), encoding="utf-8")
    assert run("mine", str(file)).exit_code == 0
    return run


def found(result: Any) -> list[tuple[str, int | None]]:
    assert result.exit_code == 0
    return [(hit["drawer"]["content"], hit["reranked"]) for hit in json.loads(result.stdout)["hits"]]


def test_the_option_puts_the_chosen_first_and_costs_says_what_it_took(
    mined: Run, provider: LanguageModelServer
) -> None:
    before = [content for content, _ in found(mined("recall", QUERY, "--json"))]
    provider.script.append('{"keep": [3, 1]}')
    after = found(mined("recall", QUERY, "--rerank", "--json"))
    assert after == [(before[2], 1), (before[0], 2), (before[1], None)]
    (line,) = json.loads(mined("costs", "--json").stdout)
    assert (line["purpose"], line["model"], line["calls"], line["failed"]) == ("memory_rerank", MODEL, 1, 0)
    assert "memory_rerank" in mined("costs").stdout


def test_the_environment_asks_and_the_option_says_otherwise(
    mined: Run, provider: LanguageModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PALACE_RERANK", "true")
    provider.script.append('{"keep": [2]}')
    assert found(mined("recall", QUERY, "--json"))[0][1] == 1
    assert found(mined("recall", QUERY, "--no-rerank", "--json"))[0][1] is None
    assert len(provider.requests) == 1


def test_a_missing_key_is_a_warning_and_the_hits_are_there(
    mined: Run, provider: LanguageModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY")
    result = mined("recall", QUERY, "--rerank")
    assert (result.exit_code, len(result.stdout.split("§"))) == (0, 4)
    assert result.stderr == f"palace: warning: not reranked: {MODEL} needs a key: set OPENAI_API_KEY\n"


def test_the_moment_of_the_question_may_be_given(mined: Run, provider: LanguageModelServer) -> None:
    provider.script.append('{"keep": [2]}')
    mined("recall", QUERY, "--rerank", "--now", "2026-04-30")
    assert "<asked>Thursday 2026-04-30 00:00+00:00</asked>" in provider.requests[0].prompt


def test_a_recall_that_is_not_reranked_loads_no_client(mined: Run) -> None:
    program = (
        "import atexit, sys; atexit.register(lambda: print(*sys.modules, file=sys.stderr))\n"
        "from palace_cli.app import main; main()"
    )
    done = subprocess.run([sys.executable, "-c", program, "recall", QUERY], capture_output=True, text=True, check=True)
    assert "Lisbon" in done.stdout
    assert not {"litellm", "openai"} & set(done.stderr.split())
