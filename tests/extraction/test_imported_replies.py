"""What a language model replied comes along with an export: read and checked again without a call, and no consent."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from palace import Palace
from palace.testing import LanguageModelServer
from tests.extraction.asked import ANNA, GHENT, GHENT_CLAIM, MODEL, asserted, kept, reply, user
from tests.extraction.conftest import Open
from tests.held import execute


@pytest.fixture
def replied(opened: Open, provider: LanguageModelServer, tmp_path: Path) -> Path:
    """An export of a palace in which a model read a conversation."""
    provider.script.append(GHENT)
    palace = opened(user="before")
    palace.file(ANNA, id="a")
    palace.transfer.export(path := tmp_path / "palace.jsonl")
    return path


def lines_of(export: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in export.read_bytes().splitlines()]


def changed(export: Path, **members: Any) -> None:
    """Change the line of the reply, and seal the file again."""
    *lines, _ = lines_of(export)
    for line in lines:
        if line.get("line") == "reply":
            line.update(members)
    body = "".join(json.dumps(line) + "\n" for line in lines).encode()
    end = {"end": "palace-export", "lines": len(lines), "sha256": hashlib.sha256(body).hexdigest()}
    export.write_bytes(body + json.dumps(end).encode() + b"\n")


@pytest.mark.nightly
def test_a_reply_is_read_again_in_another_palace_without_a_call(
    local: Palace, replied: Path, provider: LanguageModelServer, tmp_path: Path
) -> None:
    for _ in range(2):
        local.transfer.load(replied)
        assert len(kept(local)) == 1, "it comes back once"
    assert GHENT_CLAIM in asserted(local)
    local.transfer.export(again := tmp_path / "again.jsonl")
    assert again.read_bytes() == replied.read_bytes()
    execute(local, "DELETE FROM extraction_reply WHERE user_id = :user_id")
    local.transfer.load(replied)
    local.rebuild()
    assert GHENT_CLAIM in asserted(local)
    assert len(provider.requests) == 1


@pytest.mark.nightly
def test_an_import_sends_nothing_and_is_no_consent_to_send_what_it_brought(
    opened: Open, replied: Path, provider: LanguageModelServer
) -> None:
    other = opened(MODEL)
    other.transfer.load(replied)
    other.rebuild()
    assert (other.extraction.estimate().calls, len(provider.requests)) == (0, 1)
    provider.script.append(reply(("Bruges", "place", 1)))
    other.file([*ANNA, *user("We meet in Bruges.")], id="a")
    assert len(provider.requests) == 2
    assert "Berg" not in provider.requests[1].prompt
    assert GHENT_CLAIM in asserted(other)


def test_a_reply_that_says_what_was_not_said_or_is_about_other_words_brings_nothing(
    opened: Open, local: Palace, replied: Path
) -> None:
    claims = [("Anna Berg", "lives_in", "Mallory Castle", 1), ("I", "owns", "x", 99)]
    changed(replied, reply=json.loads(reply(("Mallory", "person", 1), claims=claims, topics=["Mallory"])))
    local.transfer.load(replied)
    assert "allory" not in str(asserted(local))
    assert local.recall("Mallory").hits == ()
    changed(replied, digest="00" * 32, reply=json.loads(GHENT))
    other = opened(model=None, user="other")
    other.transfer.load(replied)
    assert ("anna berg", "called", "x") not in asserted(other)
    assert len(kept(other)) == 1


@pytest.mark.nightly
def test_a_reply_does_not_come_back_where_one_of_its_drawers_is_forgotten(local: Palace, replied: Path) -> None:
    local.transfer.load(replied)
    local.forget("W-001/R-01/D-003")
    assert kept(local) == []
    local.transfer.load(replied)
    assert kept(local) == []


def test_of_a_wing_the_replies_about_it_come_along(opened: Open, provider: LanguageModelServer, tmp_path: Path) -> None:
    provider.script += [GHENT, reply(("Bruges", "place", 1))]
    palace = opened(MODEL)
    palace.file(ANNA, id="a", wing="Anna")
    palace.file(user("We meet in Bruges."), id="b", wing="Trips")
    palace.transfer.export(path := tmp_path / "anna.jsonl", wing="Anna")
    (line,) = [line for line in lines_of(path) if line.get("line") == "reply"]
    assert "Bruges" not in json.dumps(line)
