"""A general word for a kind of things reaches what names one of the kind."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from palace import Palace, Strategy
from palace.recall.arms.kinds import KindsArm
from palace.recall.arms.protocol import ArmRequest
from palace.recall.facts.kinds import asked_in
from palace.recall.intent import read_intent
from palace.records import Scope
from palace.store.candidates.words import QueryWords
from palace.text.kinds.table import kinds

NOW = datetime(2026, 9, 1, 12, tzinfo=UTC)
CELLO = "Picked up the cello again, my fingers hate me."
ALONE = Strategy.of({"arms": ["kinds"]})


@pytest.fixture
def filled(palace: Palace) -> Palace:
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


def test_a_noun_of_several_words_is_found_as_a_whole(filled: Palace) -> None:
    assert told(filled, "what plants do I have?") == ["The peace lily is sulking."]
    filled.note("Peace at last in this house.")
    assert "Peace at last in this house." not in told(filled, "what plants do I have?")


def test_what_counts_is_what_the_person_said(filled: Palace) -> None:
    hits = filled.recall("which instruments do I play?", now=NOW, floor="none").hits
    reasons = {hit.drawer.content: {reason.arm for reason in hit.arms} for hit in hits}
    assert "kind" in reasons[CELLO]
    assert "kind" not in reasons.get("A violin would suit you as well.", set())


@pytest.mark.parametrize("query", ["my instrument is out of tune", "when does the rain stop?", "which way?"])
def test_a_query_that_asks_for_no_kind_is_asked_of_none(filled: Palace, query: str) -> None:
    assert told(filled, query) == []


def test_the_narrower_kind_is_meant() -> None:
    query = "which board games do we have?"
    asked = asked_in(query, ["board", "game"], read_intent(query, NOW))
    assert asked is not None
    by_name = {kind.name: kind.stems for kind in kinds()}
    assert asked.stems == by_name["board game"]
    assert {"board game"} <= asked.names
    assert "game" not in asked.names


def test_what_is_named_and_known_to_be_of_a_kind_is_found(palace: Palace) -> None:
    said = {
        "beagle": "Oskar is a beagle and eats everything.",
        "server": "The lid of Kestrel, our NAS, rattles.",
        "trip": "Four days in Ljubljana, it rained throughout.",
        "language": "Rewrote the whole importer in Kotlin last night.",
        "doctor": "Dr Haddad says it will heal by itself.",
    }
    for text in (
        *said.values(),
        "Oskar threw up on the rug.",
        "The lid of the bin rattles.",
        "Taxes are due on Monday.",
    ):
        palace.note(text)
    for asked, kept in (
        ("which pets do we have?", "beagle"),
        ("which NAS do we have?", "server"),
        ("what trips did I take?", "trip"),
        ("which programming languages do I use?", "language"),
        ("which doctors have I seen?", "doctor"),
        ("welche Haustiere haben wir?", "beagle"),
        ("welche Programmiersprachen benutze ich?", "language"),
        ("bei welchen Ärzten war ich?", "doctor"),
    ):
        assert said[kept] in told(palace, asked), asked
        assert "Taxes are due on Monday." not in told(palace, asked), asked
    assert "Oskar threw up on the rug." in told(palace, "which pets do we have?")
    usual = [hit.drawer.content for hit in palace.recall("which programming languages do I use?", now=NOW).hits]
    assert usual[0] == said["language"]


def test_german_nouns_are_of_kinds_too(palace: Palace) -> None:
    for text in ("Ich übe jeden Tag Geige.", "Heute nur Regen.", "Die Katze hat den Hamster gefangen."):
        palace.note(text)
    assert told(palace, "Welche Instrumente spiele ich?") == ["Ich übe jeden Tag Geige."]
    assert told(palace, "which pets do we have?") == ["Die Katze hat den Hamster gefangen."]


def test_what_is_named_everywhere_tells_no_kind(palace: Palace) -> None:
    for number in range(9):
        palace.note(f"Oskar the beagle ate slipper number {number}.")
    found = told(palace, "which dogs do we have?", Strategy.of({"arms": ["kinds"], "kinds": {"share": 0.01}}))
    assert found == []


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("Which three films came first to last: the one with my sister, the one at the cabin?", {"film"}),
        ("What were the other four options?", None),
        ("Which day of the week is the choir?", None),
        ("Which cake did I bake first, the one with plums or the one with pears?", None),
        ("In which order did I buy my bikes?", {"buy", "bike"}),
        ("Put my trips in order", {"trip"}),
    ],
)
def test_what_is_asked_for_is_the_kind_and_nothing_beside_it(query: str, names: set[str] | None) -> None:
    asked = asked_in(query, [], read_intent(query, NOW))
    assert (asked and set(asked.names)) == names


def test_what_asks_for_no_kind_opens_no_transaction_of_the_arm(filled: Palace) -> None:
    arm = KindsArm()
    words = QueryWords((), ())
    for query, is_asked in (("where is my key?", False), ("which instruments do I play?", True)):
        request = ArmRequest(query, read_intent(query, NOW), Scope(), Strategy(), words=words)
        assert arm.is_asked(request) is is_asked
