"""What a language model replied comes along with an export: read and checked again without a call, and no consent."""

from __future__ import annotations

import hashlib
import json
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from palace import Palace
from palace.settings import Settings
from palace.testing import HashingEmbedder, LanguageModelServer
from tests.extraction.asked import ANNA, GHENT, MODEL, reply
from tests.transfer.conftest import export_of, lines_of, rows_of

Open = Callable[..., Palace]
CLAIM = ("anna berg", "lives_in", "Ghent")


@pytest.fixture
def opened(settings: Settings, provider: LanguageModelServer) -> Iterator[Open]:
    """Open the palace of a new user, with a model that reads names and claims, or without."""
    palaces = list[Palace]()

    def open_it(model: str | None = None) -> Palace:
        named = settings.model_copy(update={"extraction_model": model, "extraction_parallel": 1})
        palaces.append(Palace.open(named, user=f"user-{uuid.uuid4()}", embedder=HashingEmbedder()))
        return palaces[-1]

    yield open_it
    for palace in palaces:
        palace.close()


@pytest.fixture
def replied(opened: Open, provider: LanguageModelServer, tmp_path: Path) -> Path:
    """An export of a palace in which a model read a conversation."""
    provider.script.append(GHENT)
    palace = opened(MODEL)
    palace.file(ANNA, id="a")
    palace.transfer.export(path := tmp_path / "palace.jsonl")
    return path


def claimed(palace: Palace) -> set[tuple[str, str, str]]:
    with palace._opened.session() as session:
        query = "SELECT subject, predicate, object FROM assertion WHERE user_id = :user_id"
        return {(row[0], row[1], row[2]) for row in session.execute(sa.text(query))}


def changed(export: Path, **members: Any) -> None:
    """Change the line of the reply, and seal the file again."""
    *lines, _ = lines_of(export.read_bytes())
    for line in lines:
        if line.get("line") == "reply":
            line.update(members)
    body = "".join(json.dumps(line) + "\n" for line in lines).encode()
    end = {"end": "palace-export", "lines": len(lines), "sha256": hashlib.sha256(body).hexdigest()}
    export.write_bytes(body + json.dumps(end).encode() + b"\n")


def test_a_reply_is_read_again_in_another_palace_without_a_call(
    opened: Open, replied: Path, provider: LanguageModelServer
) -> None:
    other = opened()
    other.transfer.load(replied)
    assert CLAIM in claimed(other)
    assert len(provider.requests) == 1
    assert export_of(other) == replied.read_bytes()
    other.rebuild()
    assert CLAIM in claimed(other)


def test_an_import_sends_nothing_and_is_no_consent_to_send_what_it_brought(
    opened: Open, replied: Path, provider: LanguageModelServer
) -> None:
    other = opened(MODEL)
    other.transfer.load(replied)
    other.rebuild()
    assert len(provider.requests) == 1
    provider.script.append(reply(("Bruges", "place", 1)))
    other.file([*ANNA, {"role": "user", "content": "We meet in Bruges."}], id="a")
    assert len(provider.requests) == 2
    assert "Berg" not in provider.requests[1].prompt
    assert CLAIM in claimed(other)


def test_what_a_model_was_shown_of_an_import_is_not_asked_for_again(
    opened: Open, replied: Path, provider: LanguageModelServer
) -> None:
    other = opened(MODEL)
    other.transfer.load(replied)
    assert other.extraction.estimate().calls == 0


def test_a_reply_that_says_what_was_not_said_brings_nothing(
    opened: Open, replied: Path, provider: LanguageModelServer
) -> None:
    invented = json.loads(
        reply(("Mallory", "person", 1), claims=[("Anna Berg", "lives_in", "Mallory Castle", 1), ("I", "owns", "x", 99)])
    )
    changed(replied, reply={**invented, "topics": ["Mallory"]})
    other = opened()
    other.transfer.load(replied)
    kept = {claim for claim in claimed(other) if "allory" in " ".join(claim)}
    assert kept == set()
    assert other.recall("Mallory").hits == ()


def test_a_reply_about_other_words_is_not_used(opened: Open, replied: Path) -> None:
    changed(replied, digest="00" * 32)
    other = opened()
    other.transfer.load(replied)
    assert ("anna berg", "called", "x") not in claimed(other)
    assert len(rows_of(other)["extraction_reply"]) == 1


def test_a_reply_comes_back_once_and_not_where_one_of_its_drawers_is_forgotten(opened: Open, replied: Path) -> None:
    other = opened()
    for _ in range(2):
        other.transfer.load(replied)
        assert len(rows_of(other)["extraction_reply"]) == 1
    other.forget("W-001/R-01/D-003")
    assert rows_of(other)["extraction_reply"] == []
    other.transfer.load(replied)
    assert rows_of(other)["extraction_reply"] == []


def test_a_reply_that_was_dropped_comes_back_with_what_it_says(
    opened: Open, replied: Path, provider: LanguageModelServer
) -> None:
    other = opened()
    other.transfer.load(replied)
    with other._opened.session() as session:
        session.execute(sa.text("DELETE FROM extraction_reply WHERE user_id = :user_id"))
    other.rebuild()
    without = claimed(other)
    other.transfer.load(replied)
    assert CLAIM in claimed(other)
    assert claimed(other) != without or CLAIM in without
    assert len(provider.requests) == 1


def test_of_a_wing_the_replies_about_it_come_along(opened: Open, provider: LanguageModelServer) -> None:
    provider.script += [GHENT, reply(("Bruges", "place", 1))]
    palace = opened(MODEL)
    palace.file(ANNA, id="a", wing="Anna")
    palace.file([{"role": "user", "content": "We meet in Bruges."}], id="b", wing="Trips")
    lines = [line for line in lines_of(export_of(palace, "Anna")) if line.get("line") == "reply"]
    assert len(lines) == 1
    assert "Bruges" not in json.dumps(lines)
