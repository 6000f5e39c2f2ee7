"""Recall in some wings: whatever is asked, nothing that stands in another comes through, by any way."""

from __future__ import annotations

import json
import uuid
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from palace import BadRequest, NotFound, Palace, Palaces, Strategy, to_json
from palace.models import READERS_OF, ProjectScope, Scope, SourceKind
from palace.turns import TurnOptions
from tests.held import execute

NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)
OURS = [
    "I work with Anna on the pump controller of the lighthouse.",
    "Anna said that the valve must open within two seconds.",
    "I live in Ghent.",
    "Always indent with tabs.",
    "The pressure sensor reports every minute.",
]
SECRETS = [f"The launch code of Quillfire{number} is KX{number}Z, said Anna Vandermolen." for number in range(15)]
THEIRS = [
    *SECRETS,
    "I do not live in Ghent any more, I moved to Vexatown.",
    "Always answer in Klingonish and indent with spaces.",
    "Anna Vandermolen lives in Vexatown and works at Quillfirm.",
    "Anna Vandermolen plays the kazoophone.",
]
TELLING = ("quillfir", "vandermolen", "vexatown", "klingonish", "kazoophone", "client-b", "kx")


def say(palace: Palace, wing: str, texts: list[str], day: int, **also: Any) -> None:
    turns = [
        {"role": "user", "content": text, "timestamp": datetime(2026, 5, day, 9, number % 60, tzinfo=UTC).isoformat()}
        for number, text in enumerate(texts)
    ]
    palace.file(turns, id=f"{wing}-{day}", title=f"Talk of {wing}", wing=wing, **also)


@pytest.fixture(scope="module")
def filled(palaces: Palaces) -> Palace:
    palace = palaces.palace(f"user-{uuid.uuid4()}")
    say(palace, "client-a", OURS, 2)
    say(palace, "client-b", THEIRS, 20)
    say(palace, "house", ["Commit messages are written in the imperative."], 4)
    return palace


def told(palace: Palace, query: str, **how: Any) -> str:
    """Give all that recall says, but for what it was asked."""
    found = palace.recall(query, top_k=40, floor="none", now=NOW, context=5, **how)
    block = palace.context_block(found, token_budget=100_000)
    return (to_json(replace(found, query="")) + block).lower()


def leaks(text: str) -> list[str]:
    return [word for word in TELLING if word in text]


def test_no_arm_brings_another_wings_answer(filled: Palace) -> None:
    queries = (
        "What is the launch code of Quillfire7?",
        "launch code Quillfire12 KX12Z",
        "Where does Anna Vandermolen live?",
        "Which instruments does Anna play?",
        "Talk of client-b",
        "Where do I live?",
        "What did I say on 2026-05-20?",
        "Write me a script for the sensor",
    )
    for arm in Strategy().arms:
        strategy = Strategy(arms=(arm,))
        leaking = [query for query in queries if leaks(told(filled, query, wings=["client-a"], strategy=strategy))]
        assert leaking == [], arm.name
    silent = [query for query in queries[:5] if not leaks(told(filled, query, wings=["client-b"]))]
    assert silent == [], "asked where it stands, it is told"


def test_a_mistyped_word_is_not_put_right_by_another_wings(filled: Palace) -> None:
    assert filled.recall("where is the kazophone", floor="none").corrections
    assert filled.recall("where is the kazophone", wings=["client-a"], floor="none").corrections == ()
    assert filled.recall("the presure sensor", wings=["client-a"], floor="none").corrections


def test_no_wings_are_nothing_at_all(filled: Palace) -> None:
    for query in ("Anna", "Where do I live?", "What did I say on 2026-05-20?", "Write me a script"):
        assert filled.recall(query, wings=[], floor="none").hits == ()
        assert filled.recall(query, scope=ProjectScope("x").scope, floor="none").hits == ()
    looked = filled.recent(wings=[], now=NOW, days=60)
    assert (looked.told, looked.open, looked.coming) == ((), (), ())


def test_what_a_turn_was_given_in_one_project_is_not_repeated_in_another(filled: Palace) -> None:
    message = {"role": "user", "content": "What is the launch code of Quillfire8?"}
    there = TurnOptions(scope=Scope(wing_ids=(filled.tree.wing("client-b").id,)), floor="none")
    assert leaks(filled.turn(message, options=there).block.lower())
    here = TurnOptions(scope=Scope(wing_ids=(filled.tree.wing("client-a").id,)), floor="none")
    turn = filled.turn("and then?", history=[message, {"role": "assistant", "content": "Look."}], options=here)
    sent = json.dumps([dict(each) for each in turn.messages]).lower().replace("quillfire8", "")
    assert leaks(sent) == []


def test_what_was_said_in_mail_and_chats_stays_out_unless_it_is_allowed(palace: Palace) -> None:
    say(palace, "client-a", ["The valve was tested."], 2)
    execute(palace, "UPDATE conversation SET reader = 'slack'")
    wing = palace.tree.wing("client-a").id
    for sources, hits in (((), 0), ((SourceKind.CHATS,), 1)):
        scope = ProjectScope("x", wing, "client-a", (wing,), sources).scope
        for query in ("Was the valve tested?", "What did I say on 2026-05-02?"):
            assert len(palace.recall(query, scope=scope, floor="none", now=NOW).hits) == hits
        assert len(palace.recent(scope=scope, now=NOW, days=60).told) == hits
    assert "slack" in READERS_OF[SourceKind.CHATS]


def test_what_tools_returned_is_looked_at_where_the_scope_allows_it(palace: Palace) -> None:
    turns = [{"role": "user", "content": "Look."}, {"role": "tool", "content": "lantern festival: 4 results"}]
    palace.file(turns, id="x", wing="client-a")
    wing = palace.tree.wing("client-a").id
    closed, opened = (
        ProjectScope("x", wing, "client-a", (wing,), sources).scope for sources in ((), (SourceKind.TOOLS,))
    )
    assert not [hit for hit in palace.recall("lantern festival", scope=closed).hits if hit.drawer.role == "tool"]
    assert [hit for hit in palace.recall("lantern festival", scope=opened).hits if hit.drawer.role == "tool"]


def test_where_to_look_is_said_in_one_way(filled: Palace) -> None:
    with pytest.raises(BadRequest, match="one of wing, wings and scope"):
        filled.recall("x", wing="client-a", wings=["house"])
    with pytest.raises(BadRequest, match="several texts, as a list"):
        filled.recall("x", wings="client-a")
    with pytest.raises(BadRequest, match="scope must be"):
        filled.recall("x", scope=7)  # type: ignore[arg-type]
    with pytest.raises(NotFound, match="there is no wing"):
        filled.recall("x", wings=["client-z"])


def test_a_speaker_of_another_wing_is_not_known_here(palace: Palace) -> None:
    palace.file([{"role": "user", "name": "Caroline", "content": "Hello there."}], id="a", wing="client-a")
    palace.file([{"role": "user", "name": "Carolina", "content": "Hello there."}], id="b", wing="client-b")
    with pytest.raises(NotFound) as problem:
        palace.recall("hello", wings=["client-a"], speaker="Carolin")
    assert "Carolina" not in str(problem.value)
    with pytest.raises(NotFound):
        palace.recall("hello", wings=["client-a"], speaker="Carolina")
