"""Of the versions of a note or a message, recall shows one, unless the question asks for the past."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from palace import Palace, Palaces

NOW = datetime(2026, 9, 1, 12, tzinfo=UTC)
TOOLS = ("Jenkins", "Travis", "Buildkite", "Drone", "Argo", "Actions")
QUERY = "how do we deploy the site?"


@pytest.fixture(scope="module")
def palaces(bundled: Palaces) -> Palaces:
    return bundled


def note(palace: Palace, text: str, days: int, *, id: str) -> str:
    return str(palace.note(text, wing="Ops", said_at=NOW - timedelta(days=days), id=id).pointer)


@pytest.fixture
def replaced(palace: Palace) -> Palace:
    """A palace with a note that was replaced five times, and others."""
    for days, tool in enumerate(TOOLS):
        note(palace, f"We deploy the site with {tool}, from the main branch.", 60 - days, id="deploy")
    note(palace, "The boat's battery is lithium.", 60, id="boat")
    note(palace, "The site of the boat yard is in Kiel.", 60, id="yard")
    return palace


def tools_of(palace: Palace, query: str = QUERY, **by: object) -> list[str]:
    texts = [hit.drawer.content for hit in palace.recall(query, now=NOW, **by).hits]  # type: ignore[arg-type]
    return [tool for text in texts for tool in TOOLS if tool in text]


def test_a_note_replaced_five_times_is_one_hit_and_the_current_one(replaced: Palace) -> None:
    assert tools_of(replaced) == ["Actions"]
    assert tools_of(replaced, floor="none", top_k=20) == ["Actions"]
    assert tools_of(replaced, wing="Ops", role="user") == ["Actions"]
    assert tools_of(replaced, "List everything about how we deploy the site.") == ["Actions"]
    turn = replaced.turn(QUERY)
    assert ("Actions" in turn.block, "no longer so" in turn.block) == (True, False)


def test_a_question_about_the_past_shows_former_versions(replaced: Palace) -> None:
    assert len(tools_of(replaced, "What did we use to deploy the site, formerly?")) > 1
    assert tools_of(replaced, until=NOW - timedelta(days=57.5)) == ["Buildkite"]


def test_a_former_version_that_alone_matches_names_the_current_one(palace: Palace) -> None:
    texts = ("The spare key is under the blue pot.", "The spare key is under the red pot.", "Ask Mara.")
    pointers = [note(palace, text, 60 - days, id="key") for days, text in enumerate(texts)]
    palace.file([{"role": "user", "content": f"Bees hum in hive {number}."} for number in range(20)], id="hives")
    found = palace.recall("the spare key under the blue pot", now=NOW, floor="strict")
    (hit,) = found.hits
    assert (hit.drawer.content, str(hit.newer)) == (texts[1], pointers[-1])
    marked = f"no longer so since {hit.drawer.replaced_at:%Y-%m-%d}, earlier than {pointers[-1]}"
    assert marked in palace.context_block(found)


def test_a_question_for_a_time_alone_shows_one_version(palace: Palace) -> None:
    for hours, tool in enumerate(TOOLS):
        palace.note(f"We deploy the site with {tool}.", id="deploy", said_at=NOW - timedelta(hours=9 - hours))
    assert tools_of(palace, "What did I note today?") == ["Actions"]


def test_an_edited_message_takes_one_place(palace: Palace) -> None:
    for text in ("My appointment with the dentist is on Tuesday.", "My appointment with the dentist is on Friday."):
        palace.file([{"role": "user", "content": "Hello, dentist."}, {"role": "user", "content": text}], id="dentist")
    hits = palace.recall("When is my appointment with the dentist?", floor="none").hits
    texts = [hit.drawer.content for hit in hits]
    assert [text for text in texts if "appointment" in text] == ["My appointment with the dentist is on Friday."]
