"""Mining and rebuilding with a model that reads names and claims: consent, estimate, budget, replay, what is stored."""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from typer.testing import CliRunner

from palace import BadRequest, Palace
from palace.settings import Settings
from palace.testing import Answer, HashingEmbedder, LanguageModelServer
from palace_cli.app import app
from tests.extraction.asked import ANNA, GHENT, MODEL, reply

Open = Callable[..., Palace]


@pytest.fixture
def opened(settings: Settings, provider: LanguageModelServer) -> Iterator[Open]:
    """Open one user's palace, each time with other settings."""
    user, palaces = f"user-{uuid.uuid4()}", list[Palace]()

    def open_it(model: str | None = MODEL, **changes: object) -> Palace:
        named = settings.model_copy(update={"extraction_model": model, "extraction_parallel": 1, **changes})
        palaces.append(Palace.open(named, user=user, embedder=HashingEmbedder()))
        return palaces[-1]

    yield open_it
    for palace in palaces:
        palace.close()


def asserted(palace: Palace) -> list[tuple[str, str, str]]:
    with palace._opened.session() as session:
        query = "SELECT subject, predicate, object FROM assertion WHERE user_id = :user_id ORDER BY drawer_id, ordinal"
        return [(row[0], row[1], row[2]) for row in session.execute(sa.text(query))]


GHENT_CLAIM = ("anna berg", "lives_in", "Ghent")


def test_a_key_alone_sends_nothing(opened: Open, provider: LanguageModelServer) -> None:
    palace = opened(model=None)
    assert palace.file(ANNA, id="a").warnings == ()
    palace.rebuild()
    assert provider.requests == []
    with pytest.raises(BadRequest, match="set PALACE_EXTRACTION_MODEL"):
        palace.extraction.estimate()
    with pytest.raises(BadRequest, match="set PALACE_EXTRACTION_MODEL"):
        palace.extraction.run()


def test_with_the_setting_what_is_newly_filed_is_read_by_the_model(opened: Open, provider: LanguageModelServer) -> None:
    provider.script.append(GHENT)
    palace = opened()
    summary = palace.file(ANNA, id="a")
    assert (summary.warnings, len(provider.requests)) == ((), 1)
    assert summary.cost_usd > 0
    assert GHENT_CLAIM in asserted(palace)
    palace.file(ANNA, id="a")
    palace.embeddings.backfill()
    assert len(provider.requests) == 1


def test_a_note_is_newly_filed_too(opened: Open, provider: LanguageModelServer) -> None:
    provider.script.append(reply(("Ghent", "place", 1), claims=[("I", "lives_in", "Ghent", 1)]))
    palace = opened()
    palace.note("I live in Ghent.")
    assert isinstance(read := palace.activity()[0].details["extraction"], dict)
    assert read["read"] == 1
    assert ("i", "lives_in", "Ghent") in asserted(palace)


def test_what_was_filed_before_is_not_sent_by_mining_backfilling_or_rebuilding(
    opened: Open, provider: LanguageModelServer
) -> None:
    opened(model=None).file(ANNA, id="a")
    palace = opened()
    palace.file(ANNA, id="a")
    palace.embeddings.backfill()
    palace.rebuild()
    assert provider.requests == []


def test_an_estimate_says_what_would_be_sent_and_sends_nothing(opened: Open, provider: LanguageModelServer) -> None:
    opened(model=None).file(ANNA, id="a")
    palace = opened(extraction_budget_tokens=50_000)
    estimate = palace.extraction.estimate()
    assert (estimate.model, estimate.conversations, estimate.calls, estimate.drawers) == (MODEL, 1, 1, 3)
    assert 4_000 < estimate.tokens < 6_000
    assert estimate.is_priced
    assert 0 < estimate.cost_usd < 1
    assert (estimate.tokens_left, estimate.cost_left_usd) == (50_000, Decimal(1))
    assert provider.requests == []


def test_what_was_filed_before_is_read_where_somebody_asks_and_then_replayed_without_a_call(
    opened: Open, provider: LanguageModelServer
) -> None:
    opened(model=None).file(ANNA, id="a")
    palace = opened()
    provider.script.append(GHENT)
    done = palace.extraction.run()
    assert (done.conversations, done.read, done.unread, done.warnings) == (1, 1, 0, ())
    assert done.cost_usd == palace.costs()[0].cost_usd > 0
    before = asserted(palace)
    assert GHENT_CLAIM in before
    palace.rebuild()
    assert palace.extraction.estimate().calls == palace.extraction.run().conversations == 0
    assert (len(provider.requests), asserted(palace)) == (1, before)
    without = opened(model=None)
    without.rebuild()
    assert (len(provider.requests), asserted(without)) == (1, before)


def test_a_wing_alone_may_be_read(opened: Open, provider: LanguageModelServer) -> None:
    first = opened(model=None)
    first.file(ANNA, id="a", wing="Family")
    first.file([{"role": "user", "content": "I live in Bruges."}], id="b", wing="Towns")
    palace = opened()
    provider.script.append(reply(("Bruges", "place", 1)))
    assert palace.extraction.estimate(wing="Towns").drawers == 1
    assert palace.extraction.run(wing="Towns").conversations == 1
    assert "Berg" not in provider.requests[0].prompt


def test_past_the_budget_rules_read_with_one_warning_and_nothing_is_lost(
    opened: Open, provider: LanguageModelServer, tmp_path: Path
) -> None:
    for number in range(5):
        talk = {"id": str(number), "messages": [{"role": "user", "content": f"I live in town {number}."}]}
        (tmp_path / f"{number}.json").write_text(json.dumps(talk))
    provider.script.extend([reply()] * 5)
    palace = opened(extraction_budget_tokens=6_000)
    summary = palace.mine(tmp_path)
    assert summary.drawers_new == 5
    assert len(provider.requests) < 5
    (told,) = [line for line in summary.warnings if "rules" in line]
    assert "the day's budget is used up" in told
    assert all(step.pending == 0 for step in palace.status().steps)
    read = palace.activity()[0].details["extraction"]
    assert isinstance(read, dict)
    assert (read["read"] + read["unread"], read["out_of_budget"]) == (5, True)


@pytest.mark.parametrize(
    "script",
    [["prose"] * 2, [GHENT[:60]] * 2, [Answer.THROTTLED] * 2, [Answer.BROKEN] * 2, [Answer.WRONG_KEY]],
    ids=["prose", "cut off", "429", "500", "401"],
)
def test_a_model_that_fails_leaves_the_conversation_to_the_rules_and_the_run_goes_on(
    opened: Open, provider: LanguageModelServer, script: Sequence[str]
) -> None:
    provider.script.extend(script)
    palace = opened()
    summary = palace.file(ANNA, id="a")
    assert summary.drawers_new == 3
    assert any("read by rules, not by the model" in line for line in summary.warnings)
    told = palace.activity()[0].details["extraction"]
    assert told == {"model": MODEL, "read": 0, "unread": 1, "dropped": 0, "out_of_budget": False}
    assert all((step.pending, step.failed) == (0, 0) for step in palace.status().steps)
    provider.script.clear()
    provider.script.append(GHENT)
    assert palace.extraction.run().read == 1
    assert GHENT_CLAIM in asserted(palace)


def test_nothing_that_a_reply_makes_up_is_stored(opened: Open, provider: LanguageModelServer) -> None:
    provider.script.append(
        reply(
            ("Atlantis", "place", 1),
            ("Anna Berg", "wizard", 1),
            ("Ghent", "place", 77),
            claims=[("I", "lives_in", "Atlantis", 1), ("Anna Berg", "owns", "Café Brinkmann", 2)],
        )
    )
    palace = opened()
    palace.file(ANNA, id="a")
    assert isinstance(read := palace.activity()[0].details["extraction"], dict)
    assert read["dropped"] == 5
    with palace._opened.session() as session:
        for table, column in (("alias", "name"), ("assertion", "object"), ("extraction_reply", "reply::text")):
            query = sa.text(f"SELECT {column} FROM {table} WHERE user_id = :user_id")
            stored = " ".join(session.execute(query).scalars())
            assert "Atlantis" not in stored
            assert "Brinkmann" not in stored


def test_forgetting_a_drawer_takes_what_was_replied_and_claimed_of_it(
    opened: Open, provider: LanguageModelServer
) -> None:
    provider.script.append(GHENT)
    palace = opened()
    palace.file(ANNA, id="a")
    palace.forget("W-001/R-01/D-001")
    assert GHENT_CLAIM not in asserted(palace)
    with palace._opened.session() as session:
        assert (
            session.execute(sa.text("SELECT count(*) FROM extraction_reply WHERE user_id = :user_id")).scalar_one() == 0
        )
    palace.rebuild()
    assert len(provider.requests) == 1


Run = Callable[..., Any]


@pytest.fixture
def run(settings: Settings, provider: LanguageModelServer, monkeypatch: pytest.MonkeyPatch) -> Run:
    assert settings.database_url is not None
    monkeypatch.setenv("PALACE_HOME", str(settings.home))
    monkeypatch.setenv("PALACE_DATABASE_URL", settings.database_url.get_secret_value())
    monkeypatch.setenv("PALACE_USER", f"user-{uuid.uuid4()}")
    return lambda *arguments, **how: CliRunner().invoke(app, arguments, catch_exceptions=False, **how)


def test_the_command_shows_the_estimate_asks_and_sends_only_after_a_yes(
    run: Run, provider: LanguageModelServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "talk.json").write_text(json.dumps(ANNA))
    assert run("mine", str(tmp_path / "talk.json")).exit_code == 0
    assert "set PALACE_EXTRACTION_MODEL" in run("rebuild", "--extraction").stderr
    monkeypatch.setenv("PALACE_EXTRACTION_MODEL", MODEL)
    refused = run("rebuild", "--extraction", input="n\n")
    assert refused.exit_code == 1
    assert f"Send 3 drawers of 1 conversation to {MODEL} in 1 call, at most " in refused.stderr
    assert "nothing was sent" in refused.stderr
    assert "at most $0.0" in refused.stdout
    assert provider.requests == []
    provider.script.append(GHENT)
    done = run("rebuild", "--extraction", "--yes", "--json")
    assert (done.exit_code, json.loads(done.stdout)["read"], len(provider.requests)) == (0, 1, 1)
    again = run("rebuild", "--extraction")
    assert (again.exit_code, len(provider.requests)) == (0, 1)
    assert f"there is nothing that {MODEL} has not read" in again.stderr


@pytest.mark.parametrize("by", ["day", "source", "model", "conversation"])
def test_costs_are_shown_by_what_is_asked_for(
    run: Run, provider: LanguageModelServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, by: str
) -> None:
    monkeypatch.setenv("PALACE_EXTRACTION_MODEL", MODEL)
    (tmp_path / "talk.json").write_text(json.dumps(ANNA))
    provider.script.append(GHENT)
    run("mine", str(tmp_path / "talk.json"))
    (line,) = json.loads(run("costs", "--by", by, "--json").stdout)
    assert (line["purpose"], line["model"], line["calls"]) == ("memory_extract", MODEL, 1)
    assert line["group"]
    shown = run("costs", "--by", by).stdout
    assert "memory_extract" in shown
