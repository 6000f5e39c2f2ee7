"""Listing and finding who and what messages name, and deciding who is who."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from palace import BadRequest, NotFound, Palace
from palace.records.graph import SELF, Action, Claim, DecisionVerb, EntityType, Likeness
from palace.settings import Settings
from palace.testing import HashingEmbedder
from tests.graph.mined import known, tell

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


def test_nouns_and_times_are_listed_where_everything_is_wanted(palace: Palace) -> None:
    boat = Claim("boat", "has_length", "9 m", Action.HOLDS, 0, 1)
    tell(palace, "one", "Anna", ("3 May", EntityType.TIME), claims=[boat])
    assert [each.name for each in palace.entities.list()] == ["Anna"]
    assert {each.name for each in palace.entities.list(everything=True)} == {"Anna", "3 May", "boat"}
    assert [each.name for each in palace.entities.list(type="time")] == ["3 May"]


@pytest.mark.parametrize("name", ["José García", "jose garcia", "JOSÉ", "josé g.", "Dr. José García"])
def test_an_entity_is_found_by_any_of_its_names(palace: Palace, name: str) -> None:
    tell(palace, "one", "José García", "José", "josé g.")
    assert palace.entities.find(name).name == "José García"


def test_the_person_is_found_by_what_they_are_called(palace: Palace) -> None:
    tell(palace, "one", "Anna", claims=[Claim(SELF, "lives_in", "Lisbon", Action.HOLDS, 0, 1)])
    assert palace.entities.find("me") == palace.entities.find("I")
    assert palace.entities.find("I").name == "I"


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


def test_decisions_are_numbered_for_each_person(palace: Palace, settings: Settings) -> None:
    tell(palace, "one", "D-Man", "Derek", "Bob", "Berta")
    assert palace.entities.merge("D-Man", "Derek").decision.id == 1
    with Palace.open(settings, user=f"user-{uuid.uuid4()}", embedder=HashingEmbedder()) as other:
        tell(other, "one", "Xenia", "Yara")
        assert other.entities.merge("Xenia", "Yara").decision.id == 1
        assert palace.entities.merge("Bob", "Berta").decision.id == 2
        with pytest.raises(NotFound, match="there is no decision 2"):
            other.entities.undo(2)
        assert palace.entities.undo(2).decision.name == "Bob"
        assert [(each.id, each.undone_at is None) for each in palace.entities.decisions()] == [(1, True), (2, False)]
        assert [each.undone_at for each in other.entities.decisions()] == [None]


def test_a_palace_keeps_so_many_decisions(palace: Palace, monkeypatch: pytest.MonkeyPatch) -> None:
    tell(palace, "one", "D-Man", "Derek", "Bob")
    monkeypatch.setattr("palace.verbs.graph.entities.MOST_DECISIONS", 1)
    palace.entities.merge("D-Man", "Derek")
    with pytest.raises(BadRequest, match="keeps 1 decisions at most"):
        palace.entities.merge("Bob", "Derek")


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


def test_a_short_name_that_is_split_off_stays_so(palace: Palace) -> None:
    tell(palace, "one", "Derek Hughes")
    tell(palace, "two", "Derek")
    made = palace.entities.split("Derek")
    tell(palace, "three", "Derek")
    assert known(palace) == {"Derek Hughes": set(), "Derek": set()}
    palace.entities.undo(made.decision.id)
    assert known(palace) == {"Derek Hughes": {"Derek"}}


def test_a_name_is_split_in_one_conversation(palace: Palace) -> None:
    rooms = [tell(palace, identity, "Anna") for identity in ("one", "two", "three")]
    made = palace.entities.split("Anna", conversation=rooms[1])
    assert {each.name: each.mention_count for each in made.entities} == {"Anna": 2, "Anna (2)": 1}
    palace.entities.rename("Anna (2)", "Anna Chen")
    assert {each.name: each.mention_count for each in palace.entities.list()} == {"Anna": 2, "Anna Chen": 1}
    tell(palace, "four", "Anna")
    assert palace.entities.find("Anna").mention_count == 3


def test_a_name_is_split_in_a_wing(palace: Palace) -> None:
    tell(palace, "one", "Anna", wing="Work")
    tell(palace, "two", "Anna", wing="Home")
    tell(palace, "three", "Anna", wing="Home")
    palace.entities.split("Anna", wing="Home", to="Anna Berg")
    assert {each.name: each.mention_count for each in palace.entities.list()} == {"Anna": 1, "Anna Berg": 2}


def test_what_is_renamed_is_found_by_both_names(palace: Palace) -> None:
    tell(palace, "one", ("Biscuit", ITEM))
    palace.entities.rename("biscuit", "Lord Biscuit")
    tell(palace, "two", ("Biscuit", ITEM), ("lord biscuit", ITEM))
    (dog,) = palace.entities.list()
    assert (dog.name, dog.mention_count) == ("Lord Biscuit", 3)
    assert palace.entities.find("biscuit") == palace.entities.find("LORD BISCUIT") == dog


def test_relations_follow_a_decision(palace: Palace) -> None:
    lives = [Claim("Anna", "lives_in", "Oslo", Action.HOLDS, 0, 1)]
    tell(palace, "one", "Anna", claims=lives)
    tell(palace, "two", "Berta", claims=[Claim("Berta", "lives_in", "Bergen", Action.HOLDS, 0, 1)], at="2026-04-01")
    made = palace.entities.merge("Anna", "Berta")
    assert _living(palace) == [("berta", "Oslo", True), ("berta", "Bergen", False)]
    palace.entities.undo(made.decision.id)
    assert _living(palace) == [("anna", "Oslo", False), ("berta", "Bergen", False)]


def _living(palace: Palace) -> list[tuple[str, str, bool]]:
    import sqlalchemy as sa

    query = sa.text(
        "SELECT e.key, r.object, r.valid_to IS NOT NULL FROM relation AS r JOIN entity AS e"
        " ON e.user_id = :user_id AND e.id = r.subject_id WHERE r.user_id = :user_id"
        " AND r.superseded_at IS NULL ORDER BY r.valid_from"
    )
    with palace._opened.session() as session:
        return [tuple(row) for row in session.connection.execute(query, {"user_id": session.user_id})]


REFUSED: dict[str, tuple[Callable[[Palace], object], str]] = {
    "itself": (lambda p: p.entities.merge("Derek", "derek hughes"), "are one already"),
    "unknown": (lambda p: p.entities.merge("Nobody", "Derek"), "nobody and nothing is called 'Nobody'"),
    "nothing": (lambda p: p.entities.find(" !! "), "name must be a name"),
    "no text": (lambda p: p.entities.find(4), "must be"),  # type: ignore[arg-type]
    "long": (lambda p: p.entities.find("x" * 300), "300 characters"),
    "type": (lambda p: p.entities.list(type="animal"), "type must be one of person, place"),
    "limit": (lambda p: p.entities.list(limit=0), "limit must be from 1"),
    "one name": (lambda p: p.entities.split("Anna"), "has one name only"),
    "its own name": (lambda p: p.entities.split("Derek Hughes"), r"say which of its others .*\('Derek'\)"),
    "not there": (lambda p: p.entities.split("Anna", wing="Other"), "is not named there"),
    "nowhere else": (lambda p: p.entities.split("Anna", wing="Life"), "is named nowhere else"),
    "two places": (lambda p: p.entities.split("Anna", wing="Life", conversation="W-001/R-01"), "not both"),
    "no wing": (lambda p: p.entities.split("Anna", wing="None such"), "there is no wing"),
    "no room": (lambda p: p.entities.split("Anna", conversation="W-001/R-99"), "there is no room"),
    "no place": (lambda p: p.entities.split("Anna", conversation="somewhere"), "no room: one looks like"),
    "to nowhere": (lambda p: p.entities.split("Derek", to="Bob"), "--to names who is meant"),
    "taken": (lambda p: p.entities.rename("Anna", "derek hughes"), r"Derek Hughes \(person\) has that name"),
    "same": (lambda p: p.entities.rename("anna", "Anna"), "is called so already"),
    "oneself": (lambda p: p.entities.rename("I", "Max"), "stays 'I'"),
    "a time": (lambda p: p.entities.merge("3 May", "Anna"), "is a time"),
    "no decision": (lambda p: p.entities.undo(99), "there is no decision 99"),
    "zero": (lambda p: p.entities.undo(0), "at least 1"),
    "huge": (lambda p: p.entities.undo(10**30), "there is no decision"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_makes_no_sense_is_one_clear_line_and_changes_nothing(palace: Palace, case: str) -> None:
    own = Claim(SELF, "likes", "tea", Action.HOLDS, 0, 1)
    tell(palace, "one", "Derek Hughes", "Derek", "Anna", ("3 May", EntityType.TIME), claims=[own])
    tell(palace, "other", "Berta", wing="Other")
    before = known(palace)
    attempt, line = REFUSED[case]
    with pytest.raises(BadRequest, match=line) as problem:
        attempt(palace)
    assert "\n" not in str(problem.value)
    assert (known(palace), palace.entities.decisions()) == (before, ())


def test_a_decision_is_taken_back_once(palace: Palace) -> None:
    tell(palace, "one", "Anna", "Berta")
    made = palace.entities.merge("Anna", "Berta")
    palace.entities.undo(made.decision.id)
    with pytest.raises(BadRequest, match="was taken back already"):
        palace.entities.undo(made.decision.id)


def test_doubtful_joins_are_suggested_and_not_made(palace: Palace) -> None:
    tell(palace, "one", "Derek Hughes", ("Kubernetes", ITEM), ("Postgres 15", ITEM), "Anna")
    tell(palace, "two", "Hughes", ("Kubernets", ITEM), ("Postgres 16", ITEM), "Hanna")
    found = {(each.one.name, each.other.name): each.likeness for each in palace.entities.suggest()}
    assert found == {
        ("Hughes", "Derek Hughes"): Likeness.SHORT,
        ("Kubernets", "Kubernetes"): Likeness.SPELLING,
    }
    assert len(palace.entities.list()) == 8


def test_who_is_parted_in_a_conversation_is_who_is_meant_there(palace: Palace) -> None:
    tell(palace, "one", "Sarah", claims=[Claim("my sister", "called", "Sarah", Action.HOLDS, 0, 1)])
    room = tell(palace, "two", "Sarah Miller", "Sarah")
    tell(palace, "three", "Sarah Miller")
    made = palace.entities.split("Sarah", conversation=room, to="Sarah Kim")
    assert (made.decision.name, made.decision.other) == ("Sarah Miller", "Sarah Kim")
    assert {each.name: each.mention_count for each in palace.entities.list()} == {
        "Sarah": 1,
        "Sarah Miller": 1,
        "Sarah Kim": 2,
    }


def test_who_is_named_in_one_conversation_alone_is_said_to_be_another(palace: Palace) -> None:
    room = tell(palace, "one", "Sarah")
    tell(palace, "two", "Berta")
    palace.entities.split("Sarah", conversation=room, to="Sarah Miller")
    assert {each.name: each.aliases for each in palace.entities.list()} == {"Sarah Miller": ("Sarah",), "Berta": ()}
    with pytest.raises(BadRequest, match="who is meant there already"):
        palace.entities.split("Sarah", conversation=room, to="Sarah Miller")


def test_what_has_no_name_is_not_asked_about_where_one_has(palace: Palace) -> None:
    owned = Claim(SELF, "owns", "Merlin", Action.HOLDS, 0, 1)
    tell(palace, "one", claims=[owned])
    tell(palace, "two", *["Merlin"] * 3)
    assert palace.entities.find("Merlin").type is EntityType.PERSON
    assert [each.name for each in palace.entities.list(type="person")] == ["Merlin", "I"]


def test_what_is_merged_into_another_is_what_that_is(palace: Palace) -> None:
    tell(palace, "one", *["Mogli"] * 4)
    tell(palace, "two", ("Mogli Katz", ITEM))
    merged = palace.entities.merge("Mogli", "Mogli Katz", anyway=True)
    assert [(each.name, each.type) for each in merged.entities] == [("Mogli Katz", ITEM)]
    tell(palace, "three", *["Mogli"] * 4)
    assert [(each.name, each.type, each.mention_count) for each in palace.entities.list()] == [("Mogli Katz", ITEM, 9)]
    palace.entities.undo(merged.decision.id)
    assert [(each.name, each.type) for each in palace.entities.list()] == [
        ("Mogli", EntityType.PERSON),
        ("Mogli Katz", ITEM),
    ]


def test_a_name_of_one_letter_is_told_from_others_by_its_type(palace: Palace) -> None:
    tell(palace, "one", "Anna", claims=[Claim(SELF, "lives_in", "Lisbon", Action.HOLDS, 0, 1)])
    assert palace.entities.find("I (person)") == palace.entities.find("I")
