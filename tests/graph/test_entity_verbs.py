"""Listing and finding who and what messages name, and deciding who is who."""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from palace import BadRequest, DecisionVerb, NotFound, Palace, Palaces
from palace.models.claims import SELF, Action, Claim, EntityType
from tests.graph.mined import known, relations, tell
from tests.held import execute

PLACE, ITEM = EntityType.PLACE, EntityType.ITEM


def test_entities_are_listed_with_their_names_and_when_they_were_named(palace: Palace) -> None:
    tell(palace, "one", "Derek Hughes", "derek", at="2026-03-01T10:00:00Z")
    tell(palace, "two", "Derek", ("Lisbon", PLACE), at="2026-05-01T10:00:00Z")
    derek, lisbon = palace.entities.list()
    assert (derek.name, derek.type, derek.mention_count) == ("Derek Hughes", EntityType.PERSON, 3)
    assert [name.lower() for name in derek.aliases] == ["derek"]
    assert derek.first_said_at == datetime(2026, 3, 1, 10, tzinfo=UTC)
    assert derek.last_said_at == datetime(2026, 5, 1, 10, tzinfo=UTC)
    assert (lisbon.name, lisbon.type) == ("Lisbon", PLACE)
    assert palace.entities.list(type="place") == (lisbon,)
    assert palace.entities.list(limit=1, offset=1) == (lisbon,)
    assert (palace.status().entities, palace.status().people) == (2, 1)


def test_an_entity_is_found_by_any_of_its_names(palace: Palace) -> None:
    own = Claim(SELF, "lives_in", "Lisbon", Action.HOLDS, 0, 1)
    tell(palace, "one", "José García", "José", "josé g.", claims=[own])
    for name in ("José García", "jose garcia", "JOSÉ", "josé g.", "Dr. José García"):
        assert palace.entities.find(name).name == "José García"
    assert palace.entities.find("me") == palace.entities.find("I (person)") == palace.entities.find("I")


def test_a_name_that_nobody_has_is_one_line_with_names_like_it(palace: Palace) -> None:
    tell(palace, "one", "Kubernetes", "Derek Hughes")
    with pytest.raises(NotFound, match=r"nobody and nothing is called 'Kubernets'; did you mean 'Kubernetes'\?"):
        palace.entities.find("Kubernets")
    with pytest.raises(NotFound, match="did you mean 'Derek Hughes'"):
        palace.entities.merge("Hugesh", "Derek Hughes")


def test_a_name_that_several_have_asks_which_is_meant(palace: Palace) -> None:
    tell(palace, "one", *["Austin"] * 3)
    tell(palace, "two", *[("Austin", PLACE)] * 3)
    with pytest.raises(BadRequest, match=r"'austin' may be 'Austin \(person\)' or 'Austin \(place\)': say which"):
        palace.entities.find("austin")
    assert palace.entities.find("austin (place)").type is PLACE


def test_what_is_hardly_one_is_merged_only_where_that_is_said(palace: Palace) -> None:
    tell(palace, "one", *["Rose"] * 3, *[("Southmead", PLACE)] * 3, ("Kittiwake", ITEM), ("Heron", EntityType.PROJECT))
    with pytest.raises(BadRequest, match=r"Rose \(person\) and Southmead \(place\) are of two types.*--yes"):
        palace.entities.merge("Rose", "Southmead")
    assert palace.entities.decisions() == ()
    assert [each.name for each in palace.entities.merge("Rose", "Southmead", anyway=True).entities] == ["Southmead"]
    assert [each.name for each in palace.entities.merge("Heron", "Kittiwake").entities] == ["Kittiwake"]
    tell(palace, "two", "Jonas", *[("Feld", ITEM)] * 3)
    (jonas,) = palace.entities.merge("Jonas", "Feld", anyway=True).entities
    assert (jonas.name, jonas.type) == ("Feld", EntityType.PERSON)


def test_who_speaks_in_a_chat_is_a_person(palace: Palace) -> None:
    said = (("Jonas Feld", "My boss is Petra Lang."), ("Mara", "Sure."), ("Bot", "My boss is Petra Lang."))
    palace.file([{"role": "user", "speaker": who, "content": text} for who, text in said], id="chat", wing="Chats")
    listed = {each.name: each.type for each in palace.entities.list()}
    assert listed["Jonas Feld"] is EntityType.PERSON
    assert "Bot" not in listed


def test_decisions_are_numbered_for_each_person(palaces: Palaces, palace: Palace) -> None:
    tell(palace, "one", "D-Man", "Derek", "Bob", "Berta")
    assert palace.entities.merge("D-Man", "Derek").decision.id == 1
    other = palaces.palace(f"user-{uuid.uuid4()}")
    tell(other, "one", "Xenia", "Yara")
    assert other.entities.merge("Xenia", "Yara").decision.id == 1
    assert palace.entities.merge("Bob", "Berta").decision.id == 2
    with pytest.raises(NotFound, match="there is no decision 2"):
        other.entities.undo(2)
    assert palace.entities.undo(2).decision.name == "Bob"
    assert [(each.id, each.undone_at is None) for each in palace.entities.decisions()] == [(1, True), (2, False)]
    assert [each.undone_at for each in other.entities.decisions()] == [None]


def test_what_is_merged_is_one_for_what_is_mined_later_too_until_it_is_undone(palace: Palace) -> None:
    tell(palace, "one", "D-Man")
    tell(palace, "two", "Derek")
    made = palace.entities.merge("d-man", "DEREK")
    assert [each.name for each in made.entities] == ["Derek"]
    assert (made.decision.verb, made.decision.name, made.decision.other) == (DecisionVerb.MERGE, "D-Man", "Derek")
    tell(palace, "three", "D-Man", "Derek Hughes")
    assert known(palace) == {"Derek Hughes": {"D-Man", "Derek"}}
    undone = palace.entities.undo(made.decision.id)
    assert known(palace) == {"Derek Hughes": {"Derek"}, "D-Man": set()}
    assert undone.decision.undone_at is not None
    assert {each.name for each in undone.entities} == {"D-Man", "Derek Hughes"}
    assert [each.undone_at is None for each in palace.entities.decisions()] == [False]


def test_a_name_is_split_in_one_conversation(palace: Palace) -> None:
    rooms = [tell(palace, identity, "Anna") for identity in ("one", "two", "three")]
    made = palace.entities.split("Anna", conversation=rooms[1])
    assert {each.name: each.mention_count for each in made.entities} == {"Anna": 2, "Anna (2)": 1}
    palace.entities.rename("Anna (2)", "Anna Chen")
    assert {each.name: each.mention_count for each in palace.entities.list()} == {"Anna": 2, "Anna Chen": 1}
    tell(palace, "four", "Anna")
    assert palace.entities.find("Anna").mention_count == 3


def test_relations_follow_a_decision(palace: Palace) -> None:
    lives = [Claim("Anna", "lives_in", "Oslo", Action.HOLDS, 0, 1)]
    tell(palace, "one", "Anna", claims=lives)
    tell(palace, "two", "Berta", claims=[Claim("Berta", "lives_in", "Bergen", Action.HOLDS, 0, 1)], at="2026-04-01")
    made = palace.entities.merge("Anna", "Berta")
    assert [(row[0], row[2], row[4] is None) for row in relations(palace)] == [
        ("berta", "Oslo", False),
        ("berta", "Bergen", True),
    ]
    palace.entities.undo(made.decision.id)
    assert [(row[0], row[2], row[4] is None) for row in relations(palace)] == [
        ("anna", "Oslo", True),
        ("berta", "Bergen", True),
    ]
    with pytest.raises(BadRequest, match="was taken back already"):
        palace.entities.undo(made.decision.id)


REFUSED: list[tuple[Callable[[Palace], object], str]] = [
    (lambda p: p.entities.merge("Derek", "derek hughes"), "are one already"),
    (lambda p: p.entities.merge("Nobody", "Derek"), "nobody and nothing is called 'Nobody'"),
    (lambda p: p.entities.merge("3 May", "Anna"), "is a time"),
    (lambda p: p.entities.find(" !! "), "name must be a name"),
    (lambda p: p.entities.find(4), "must be"),  # type: ignore[arg-type]
    (lambda p: p.entities.find("x" * 300), "300 characters"),
    (lambda p: p.entities.list(type="animal"), "type must be one of person, place"),
    (lambda p: p.entities.list(limit=0), "limit must be from 1"),
    (lambda p: p.entities.split("Anna"), "has one name only"),
    (lambda p: p.entities.split("Derek Hughes"), r"say which of its others .*\('Derek'\)"),
    (lambda p: p.entities.split("Anna", wing="Other"), "is not named there"),
    (lambda p: p.entities.split("Anna", wing="Life"), "is named nowhere else"),
    (lambda p: p.entities.split("Anna", wing="Life", conversation="W-001/R-01"), "not both"),
    (lambda p: p.entities.split("Anna", wing="None such"), "there is no wing"),
    (lambda p: p.entities.split("Anna", conversation="W-001/R-99"), "there is no room"),
    (lambda p: p.entities.split("Anna", other="Berta", wing="Life"), "kept apart everywhere"),
    (lambda p: p.entities.split("Derek", to="Bob"), "--to names who is meant"),
    (lambda p: p.entities.rename("Anna", "derek hughes"), r"Derek Hughes \(person\) has that name"),
    (lambda p: p.entities.rename("anna", "Anna"), "is called so already"),
    (lambda p: p.entities.rename("I", "Max"), "stays 'I'"),
    (lambda p: p.entities.undo(99), "there is no decision 99"),
    (lambda p: p.entities.undo(0), "at least 1"),
    (lambda p: p.entities.undo(10**30), "there is no decision"),
]


def test_what_makes_no_sense_is_one_clear_line_and_changes_nothing(palace: Palace) -> None:
    own = Claim(SELF, "likes", "tea", Action.HOLDS, 0, 1)
    tell(palace, "one", "Derek Hughes", "Derek", "Anna", ("3 May", EntityType.TIME), claims=[own])
    tell(palace, "other", "Berta", wing="Other")
    before = known(palace)
    for attempt, line in REFUSED:
        with pytest.raises(BadRequest, match=line) as problem:
            attempt(palace)
        assert "\n" not in str(problem.value)
    assert (known(palace), palace.entities.decisions()) == (before, ())


def test_names_of_what_is_forgotten_for_good_stand_in_no_decision(palace: Palace, tmp_path: Path) -> None:
    tell(palace, "one", "Derek", "Bob", "Anna")
    tell(palace, "two", "D-Man", "Bertram", "Anna")
    for name, other in (("D-Man", "Derek"), ("Bob", "Bertram")):
        palace.entities.merge(name, other)
    palace.entities.rename("Anna", "Anna Kovacs")
    palace.entities.undo(2)
    hidden = palace.forget("W-001/R-02").pointers
    assert len(palace.entities.decisions()) == 3
    palace.forget(hidden[0], now=True)
    assert [each.name for each in palace.entities.decisions()] == ["Anna"]
    palace.entities.rename("Anna", "Anna Chen")
    palace.forget("W-001")
    execute(palace, "UPDATE hidden_drawer SET due_at = now() - interval '1 second'")
    tell(palace, "three", "Ursula")
    assert palace.entities.decisions() == ()
    palace.transfer.export(tmp_path / "all.jsonl")
    assert not re.search("Anna|Bob|D-Man", (tmp_path / "all.jsonl").read_text())
