"""``palace recall``: for people, for a program, for a model, with the bundled model; and reranked."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from palace.testing import LanguageModelServer
from tests.cli.conftest import WIRE, Run, mine, refused

WIRES = "which wires overheated?"
UNLIKELY = "Which book did Nina lend me?"


def test_recall_shows_people_the_drawer_that_answers_and_marks_words_where_colour_is_asked_for(efoil: Run) -> None:
    lines = efoil("recall", "which wire overheated?", "--top-k", "1", "-v").stdout.splitlines()
    assert lines[0].startswith("§ W-001/R-01/D-001  Efoil rebuild / ")
    assert lines[2:4] == [f"  {WIRE}", 'says "overheated", "wire"; closest in meaning']
    assert lines[4].startswith("score ")
    assert "\x1b[1;4mwire\x1b[0m and it \x1b[1;4moverheated\x1b[0m" in efoil("recall", WIRES, "--color").stdout
    for options in ((), ("--no-color",), ("--json",), ("--json", "--color"), ("--format", "block", "--color")):
        assert "\x1b" not in efoil("recall", WIRES, *options).stdout


def test_where_nothing_seems_to_answer_one_sentence_names_the_nearest(efoil: Run) -> None:
    for form in ("human", "block"):
        told = efoil("recall", UNLIKELY, "--format", form)
        assert told.stdout == ""
        assert re.fullmatch(r"nothing here seems to answer this; nearest: § W-001/R-01/D-\d+ “.+”\n", told.stderr)
    found = json.loads(efoil("recall", UNLIKELY, "--json").stdout)
    assert (found["hits"], found["chance"] < 0.17) == ([], True)
    assert found["nearest"]["drawer"]["pointer"] in told.stderr
    assert "W-001/R-01/D-" in efoil("recall", UNLIKELY, "--floor", "none").stdout


def test_programs_get_the_same_hits_and_models_a_block_that_cites(efoil: Run) -> None:
    found = json.loads(efoil("recall", "which", "wire", "overheated", "--json", "--context", "1").stdout)
    best = found["hits"][0]
    assert (found["query"], best["drawer"]["content"]) == ("which wire overheated", WIRE)
    assert best["drawer"]["pointer"] == "§ W-001/R-01/D-001"
    assert [drawer["position"] for drawer in best["after"]] == [1]
    asked = json.loads(efoil("recall", "-", "--json", given="which wire overheated?\n").stdout)
    assert (asked["query"], asked["hits"][0]["drawer"]["content"]) == ("which wire overheated?", WIRE)
    block = efoil("recall", "which wire overheated?", "--format", "block").stdout
    assert block.startswith("<memory_context>")
    assert "W-001/R-01/D-001" in block
    assert block.endswith("</memory_context>\n")
    answered = json.loads(efoil("recall", "wire", "--role", "assistant", "--json").stdout)
    assert {hit["drawer"]["role"] for hit in answered["hits"]} == {"assistant"}


def test_nothing_relevant_is_an_empty_answer_and_no_error(efoil: Run) -> None:
    for form in ("human", "block"):
        result = efoil("recall", "quantum chromodynamics", "--format", form)
        assert (result.exit_code, result.stdout) == (0, "")
        assert result.stderr.startswith("nothing here seems to answer this")
    assert json.loads(efoil("recall", "quantum chromodynamics", "--json").stdout)["hits"] == []


def test_a_wrong_call_names_the_next_command(efoil: Run) -> None:
    wrong = {
        ("recall", "wire", "--wing", "Efoyl", "--json"): "palace ls",
        ("recall", "  "): "the query is empty",
        ("recall", "wire", "--role", "robot"): "robot",
    }
    assert refused(efoil, wrong) == []


def test_dates_are_told_from_now_for_people_and_the_block_is_the_same_whenever_it_is_asked(
    run: Run, tmp_path: Path
) -> None:
    said = [{"role": "user", "content": WIRE, "created_at": "2026-04-30T18:20:00Z"}]
    mine(run, tmp_path / "talk.json", said)
    blocks = set()
    for now, told in (("2026-04-30T20:00Z", "today"), ("2026-05-01", "yesterday"), ("2026-06-01", "4 weeks ago")):
        asked = ("recall", "which wire overheated?", "--now", now)
        assert run(*asked).stdout.splitlines()[1] == f"user, 2026-04-30 18:20, {told}"
        blocks.add(run(*asked, "--format", "block").stdout)
    assert blocks == {f"<memory_context>\n§ W-001/R-01/D-001 | 2026-04-30 | user | {WIRE}\n</memory_context>\n"}


@pytest.mark.nightly
def test_what_a_word_was_read_as_and_a_name_that_found_a_hit_are_told(run: Run, tmp_path: Path) -> None:
    talk = [{"role": "user", "content": "The fuse behind the panel is blown again."}]
    mine(run, tmp_path / "talk.json", {"id": "t", "title": "Boat electrics", "messages": talk})
    assert "in the conversation “Boat electrics”" in run("recall", "boat electrics").stdout
    run("note", "My landlord Bertram wants the rent on the third.")
    result = run("recall", "rent of my landlrod")
    assert (result.exit_code, result.stderr) == (0, "palace: note: nothing says “landlrod”: read as “landlord”\n")
    assert "landlord Bertram" in result.stdout
    shown = json.loads(run("recall", "rent of my landlrod", "--json").stdout)
    assert shown["corrections"] == [{"typed": "landlrod", "read_as": "landlord"}]
    assert run("recall", "rent of my landlord").stderr == ""


def test_memory_cannot_drive_the_terminal_but_programs_get_it_whole(run: Run) -> None:
    run("note", "the battery \x1b[2J says hello")
    assert "the battery ␛[2J says hello" in run("recall", "battery").stdout
    found = json.loads(run("recall", "battery", "--json").stdout)
    assert found["hits"][0]["drawer"]["content"] == "the battery \x1b[2J says hello"


MODEL = "openai/gpt-4o-mini"
BATTERIES = (
    "I bought a battery for the efoil in Lisbon.",
    "The second battery for the efoil came from Derek.",
    "The battery of the efoil is charged in the shed.",
)
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
    mine(run, tmp_path / "talk.json", [{"role": "user", "content": text} for text in BATTERIES])
    return run


def found(result: Any) -> list[tuple[str, int | None]]:
    assert result.exit_code == 0
    return [(hit["drawer"]["content"], hit["reranked"]) for hit in json.loads(result.stdout)["hits"]]


def test_reranking_puts_the_chosen_first_and_costs_says_what_it_took(
    mined: Run, provider: LanguageModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = [content for content, _ in found(mined("recall", QUERY, "--json"))]
    provider.script.append('{"keep": [3, 1]}')
    after = found(mined("recall", QUERY, "--rerank", "--json", "--now", "2026-04-30"))
    assert after == [(before[2], 1), (before[0], 2), (before[1], None)]
    assert "<asked>Thursday 2026-04-30 00:00+00:00</asked>" in provider.requests[0].prompt
    (line,) = json.loads(mined("costs", "--json").stdout)
    assert (line["purpose"], line["model"], line["calls"], line["failed"]) == ("memory_rerank", MODEL, 1, 0)
    monkeypatch.setenv("PALACE_RERANK", "true")
    provider.script.append('{"keep": [2]}')
    assert found(mined("recall", QUERY, "--json"))[0][1] == 1
    assert found(mined("recall", QUERY, "--no-rerank", "--json"))[0][1] is None
    assert len(provider.requests) == 2
    monkeypatch.delenv("OPENAI_API_KEY")
    result = mined("recall", QUERY, "--rerank")
    assert (result.exit_code, len(result.stdout.split("§"))) == (0, 4)
    assert result.stderr == f"palace: warning: not reranked: {MODEL} needs a key: set OPENAI_API_KEY\n"


def test_what_no_drawer_supports_is_shown_as_the_models_words(mined: Run, provider: LanguageModelServer) -> None:
    provider.script.append('{"statements": [], "unknown": "Who sold it.\\u001b[8m"}')
    result = mined("answer", QUERY, "--model", MODEL)
    assert (result.exit_code, result.stdout.strip()) == (0, "")
    assert "the model says it does not know: Who sold it.[8m\n" in result.stderr
