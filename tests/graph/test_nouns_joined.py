"""Which nouns and names are joined with the names that they are said to go by, and what decisions make of it."""

from __future__ import annotations

import time

import pytest

from palace.records.graph import DecisionVerb
from tests.graph.names_said import decision, entities, resolved, said


def test_a_noun_that_is_called_two_names_is_one_only_where_that_is_said() -> None:
    rows = [*said(3, "my sister", is_named=False), *said(1, "Anna", "Maria")]
    assert len(entities(rows, [(1, "my sister", "Anna"), (2, "my sister", "Maria")])) == 3
    assert len(entities(rows, [(1, "my sister", "Anna"), (2, "my sister", "Nobody")])) == 3
    there = [*rows, *said(1, "my sister", is_named=False)]
    joined = entities(there, [(1, "my sister", "Anna"), (2, "my sister", "Maria")])
    assert joined["anna"] == {(1, "anna"), (1, "my sister")}
    both = [(1, "my sister", "Anna"), (1, "my sister", "Maria")]
    assert joined["maria"] == {(1, "maria")}
    assert len(entities(there, both)) == 3


def test_a_noun_is_the_same_in_other_words_and_in_german() -> None:
    rows = [*said(1, "Ngozi"), *said(2, "my mum", is_named=False), *said(3, "meine Mutter", is_named=False)]
    assert len(entities(rows, [(1, "my mother", "Ngozi")])) == 1


def test_a_noun_of_which_there_are_several_is_a_name_only_where_that_is_said() -> None:
    rows = [*said(1, "Denise"), *said(1, "my friend", is_named=False), *said(2, "my friend", is_named=False)]
    assert entities(rows, [(1, "my friend", "Denise")]) == {
        "denise": {(1, "denise"), (1, "my friend")},
        "my friend": {(2, "my friend")},
    }


def test_a_genitive_without_an_apostrophe_is_the_name_that_there_is() -> None:
    assert len(entities([*said(1, "Abena"), *said(2, "abenas")])) == 1
    assert len(entities([*said(1, "Lindner"), *said(2, "Lindners")])) == 1
    assert len(entities([*said(1, "Jona"), *said(2, "Jonas")])) == 2
    assert len(entities([*said(1, "Thomas"), *said(2, "Thomas Weber")])) == 1


def test_two_names_of_one_noun_are_one_where_the_one_is_short_for_the_other() -> None:
    rows = [*said(1, "Liz"), *said(2, "Elizabeth"), *said(3, "my sister", is_named=False)]
    assert len(entities(rows)) == 3
    assert len(entities(rows, [(1, "my sister", "Liz"), (2, "my sister", "Elizabeth")])) == 1
    assert len(entities(rows, [(1, "my sister", "Liz"), (2, "my cousin", "Elizabeth")])) == 2


@pytest.mark.parametrize(
    ("courteous", "full", "is_one"),
    [
        ("Mrs Menon", "Rajiv Menon", False),
        ("Mr Menon", "Fiona Menon", False),
        ("Mrs Weber", "Fiona Weber", True),
        ("Herr Weber", "Thomas Weber", True),
        ("Frau Weber", "Thomas Weber", False),
        ("Weber", "Rajiv Weber", True),
    ],
)
def test_a_courtesy_fits_whom_it_is_used_for(courteous: str, full: str, is_one: bool) -> None:
    assert (len(entities(said(1, courteous, full))) == 1) is is_one


def test_a_name_is_another_name_of_the_same_where_that_is_said() -> None:
    rows = [*said(1, "Oluwaseun", "Seun"), *said(2, "Seun")]
    assert len(entities(rows)) == 2
    assert list(entities(rows, [(1, "Seun", "Oluwaseun")]).values()) == [{(1, "oluwaseun"), (1, "seun"), (2, "seun")}]


def test_decisions_that_go_round_in_a_circle_end() -> None:
    rows = [*said(1, "Anna", "Berta", "Carla")]
    circle = [
        decision(DecisionVerb.MERGE, one, other, id=number)
        for number, (one, other) in enumerate((("anna", "Berta"), ("berta", "Carla"), ("carla", "Anna")), 1)
    ]
    assert len(entities(rows, decisions=circle)) == 1
    there_and_back = [
        decision(DecisionVerb.RENAME, "anna", "Berta", id=1),
        decision(DecisionVerb.RENAME, "berta", "Anna", id=2),
        decision(DecisionVerb.MERGE, "nobody", "Nothing", id=3),
    ]
    assert {place for found in entities(rows, decisions=there_and_back).values() for place in found} == {
        (1, "anna"), (1, "berta"), (1, "carla"),
    }  # fmt: skip


def test_the_person_stays_themselves_whatever_is_decided_or_said_of_them() -> None:
    rows = [*said(1, "Nadia", "Bob"), *said(2, "Nadi")]
    decided = [decision(DecisionVerb.MERGE, "i", "Bob", id=1), decision(DecisionVerb.RENAME, "i", "Queen", id=2)]
    (own, *_) = [each for each in resolved(rows, decisions=decided) if each.key == "i"]
    assert (own.name, own.members) == ("I", ((1, "bob"),))
    for called in ([(1, "I", "Nadia"), (2, "Nadia", "Nadi")], [(2, "Nadi", "Nadia"), (1, "I", "Nadia")]):
        (own, *_) = [each for each in resolved(rows, called) if each.key == "i"]
        assert own.name == "I"


def test_thousands_of_names_alike_are_resolved_in_time() -> None:
    given = [f"name{number}" for number in range(4_000)]
    begun = time.process_time()
    entities(said(1, "Miller", *(f"{name} Miller" for name in given)))
    entities(said(1, *(f"Anna {name}" for name in given)))
    rows = [row for number, name in enumerate(given, 1) for row in said(number, name)]
    rows += [row for number in range(1, 4_001) for row in said(number, "my sister", is_named=False)]
    entities(rows, [(number, "my sister", name) for number, name in enumerate(given, 1)])
    assert time.process_time() - begun < 10


def test_somebody_of_ones_kin_who_has_ones_own_name_is_not_oneself() -> None:
    rows = [*said(1, "Sarah"), *said(1, "my sister", is_named=False)]
    (sister, own) = sorted(
        resolved(rows, [(1, "my sister", "Sarah")], self_names=["Sarah"]), key=lambda each: -len(each.members)
    )
    assert (sister.name, own.name, own.members) == ("Sarah", "I", ())
    assert [each.name for each in resolved(said(1, "Sarah"), self_names=["Sarah"])] == ["I"]
    (mine,) = resolved(said(1, "Sarah"), [(1, "i", "Sarah")], self_names=["Sarah"])
    assert mine.name == "I"
