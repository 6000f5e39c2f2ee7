"""A general word for a kind of things reaches what names one of the kind."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime

import pytest

from palace import Palace, Palaces, Strategy

NOW = datetime(2026, 9, 1, 12, tzinfo=UTC)
CELLO = "Picked up the cello again, my fingers hate me."
ALONE = Strategy.of({"arms": ["kinds"]})


@pytest.fixture(scope="module")
def filled(palaces: Palaces) -> Palace:
    palace = palaces.palace(f"user-{uuid.uuid4()}")
    for text in (CELLO, "The peace lily is sulking.", "Rain again, the cellar is wet.", "The tax form goes out today."):
        palace.note(text)
    palace.file([{"role": "assistant", "content": "A violin would suit you as well."}], id="advice")
    return palace


def told(palace: Palace, query: str, strategy: Strategy = ALONE) -> list[str]:
    hits = palace.recall(query, now=NOW, top_k=10, strategy=strategy, floor="none").hits
    return [hit.drawer.content for hit in hits]


def test_a_general_word_reaches_what_is_of_its_kind(filled: Palace) -> None:
    assert CELLO in told(filled, "which musical instruments do I play?")
    usual = told(filled, "which instruments do I play?", Strategy())
    assert usual.index(CELLO) < usual.index("The peace lily is sulking.")
    off = Strategy.of({"arms": ["keyword"], "weights": {"kind": 0}})
    assert CELLO not in told(filled, "which instruments do I play?", off)


def test_what_counts_is_what_the_person_said(filled: Palace) -> None:
    hits = filled.recall("which instruments do I play?", now=NOW, floor="none").hits
    reasons = {hit.drawer.content: {reason.arm for reason in hit.arms} for hit in hits}
    assert "kind" in reasons[CELLO]
    assert "kind" not in reasons.get("A violin would suit you as well.", set())


def test_a_query_that_asks_for_no_kind_is_asked_of_none(filled: Palace) -> None:
    for query in ("my instrument is out of tune", "when does the rain stop?", "which way?"):
        assert told(filled, query) == []


def test_what_is_named_and_known_to_be_of_a_kind_is_found(palace: Palace) -> None:
    said = {
        "beagle": "Oskar is a beagle and eats everything.",
        "trip": "Four days in Ljubljana, it rained throughout.",
        "language": "Rewrote the whole importer in Kotlin last night.",
        "doctor": "Dr Haddad says it will heal by itself.",
    }
    unlike = "Taxes are due on Monday."
    for text in (*said.values(), "Oskar threw up on the rug.", unlike):
        palace.note(text)
    for asked, kept in (
        ("which pets do we have?", "beagle"),
        ("what trips did I take?", "trip"),
        ("which programming languages do I use?", "language"),
        ("which doctors have I seen?", "doctor"),
        ("welche Haustiere haben wir?", "beagle"),
    ):
        found = told(palace, asked)
        assert said[kept] in found, asked
        assert unlike not in found, asked
    assert "Oskar threw up on the rug." in told(palace, "which pets do we have?")
    usual = [hit.drawer.content for hit in palace.recall("which programming languages do I use?", now=NOW).hits]
    assert usual[0] == said["language"]
