"""Which names are of one entity."""

from __future__ import annotations

import random

import pytest

from palace.graph.resolve import families_reached, family_of, fold_name, resolve
from palace.records.graph import Decision, DecisionVerb, EntityType
from tests.graph.names_said import (
    ITEM,
    ORGANISATION,
    PERSON,
    PLACE,
    PROJECT,
    decision,
    entities,
    families,
    resolved,
    said,
)


@pytest.mark.parametrize("short", ["Derek", "derek", "derek h.", "Derek's"])
def test_a_short_name_is_the_only_fuller_one_there_is(short: str) -> None:
    (derek,) = entities([*said(1, short), *said(2, "Derek Hughes")]).values()
    assert len(derek) == 2


def test_an_entity_goes_by_its_fullest_name_as_it_is_written_with_capitals() -> None:
    rows = [*said(1, "derek", count=9), *said(2, "derek hughes", count=3), *said(3, "Derek Hughes")]
    (_, derek) = sorted(resolved(rows), key=lambda each: len(each.members))
    assert (derek.key, derek.name, derek.type) == ("derek hughes", "Derek Hughes", PERSON)


def test_a_bare_name_belongs_to_the_one_named_in_its_conversation_else_to_nobody_of_two() -> None:
    rows = [
        *said(1, "Sarah Chen", "Sarah"),
        *said(2, "Sarah Miller", "Sarah"),
        *said(3, "Sarah"),
        *said(4, "Sarah", "Sarah Chen", "Sarah Miller"),
    ]
    assert entities(rows) == {
        "sarah chen": {(1, "sarah chen"), (1, "sarah"), (4, "sarah chen")},
        "sarah miller": {(2, "sarah miller"), (2, "sarah"), (4, "sarah miller")},
        "sarah": {(3, "sarah"), (4, "sarah")},
    }


def test_an_initial_is_no_evidence_between_two_who_share_it() -> None:
    rows = [*said(1, "Derek Hughes"), *said(2, "Derek Hall"), *said(3, "Derek H.", "Derek"), *said(4, "Derek M. Hall")]
    assert entities(rows) == {
        "derek hughes": {(1, "derek hughes")},
        "derek m hall": {(2, "derek hall"), (4, "derek m hall")},
        "derek h": {(3, "derek h"), (3, "derek")},
    }


@pytest.mark.parametrize(
    ("one", "other", "type"),
    [
        ("Project A", "Project B", PROJECT),
        ("Postgres 15", "Postgres 16", ITEM),
        ("Postgres", "Postgres 16", ITEM),
        ("Anna", "Hanna", PERSON),
        ("Anna", "Anne", PERSON),
        ("Google", "Google Maps", ORGANISATION),
        ("Berlin", "Berlin Mitte", PLACE),
        ("John Smith", "John Smith Jr.", PERSON),
        ("Mr Weber", "Mrs Weber", PERSON),
        ("Anna Meier", "Anna Maier", PERSON),
        ("Sarah Miller", "Sarah Millar", PERSON),
        ("Jan Peters", "Jan Petersen", PERSON),
        ("Anna", "Anna-Lena", PERSON),
        ("Portland, Oregon", "Portland, Maine", PLACE),
        ("Model 1234567", "Model 1234568", ITEM),
    ],
)
def test_names_that_are_only_alike_stay_apart(one: str, other: str, type: EntityType) -> None:
    assert len(entities(said(1, one, other, type=type))) == 2


@pytest.mark.parametrize(
    ("one", "other", "type"),
    [
        ("Derek Hughes", "Derek Huhges", PERSON),
        ("José García", "Jose Garcia", PERSON),
        ("Strauß", "Strauss", PERSON),
        ("Dr Sato", "sato", PERSON),
        ("Weber", "Mr Weber", PERSON),
        ("Acme", "Acme GmbH", ORGANISATION),
        ("Austin", "Austin, TX", PLACE),
        ("the Rijksmuseum", "rijksmuseum", PLACE),
        ("Maria García", "Maria García López", PERSON),
    ],
)
def test_spellings_of_one_name_are_one(one: str, other: str, type: EntityType) -> None:
    assert len(entities([*said(1, one, type=type), *said(2, other, type=type)])) == 1


@pytest.mark.parametrize(
    ("full", "short", "type"),
    [
        ("Skoda Octavia", "Octavia", ITEM),
        ("Project Kepler", "kepler", PROJECT),
        ("Royal Institute of Technology", "RIT", ORGANISATION),
        ("Derek Hughes", "Mr Hughes", PERSON),
        ("Hanneke de Wit", "de Wit", PERSON),
    ],
)
def test_a_name_is_short_for_the_only_one_of_its_conversation_and_elsewhere_then(
    full: str, short: str, type: EntityType
) -> None:
    together, elsewhere = said(1, full, short, type=type), said(2, short, type=type)
    assert len(entities(together)) == 1
    assert len(entities([*together, *elsewhere])) == 1
    assert len(entities([*said(1, full, type=type), *elsewhere])) == 2


def test_a_name_that_may_be_short_for_two_stays() -> None:
    rows = said(1, "Skoda Octavia", "Seat Octavia", "Octavia", type=ITEM)
    assert len(entities([*rows, *said(2, "Octavia", type=ITEM)])) == 3
    apart = [*said(1, "Skoda Octavia", "Octavia", type=ITEM), *said(2, "Seat Octavia", "Octavia", type=ITEM)]
    assert entities([*apart, *said(3, "Octavia", type=ITEM)])["octavia"] == {(3, "octavia")}


@pytest.mark.parametrize(
    ("full", "short", "type"),
    [
        ("Bath Spa", "Bath", PLACE),
        ("West LA", "LA", PLACE),
        ("iPhone 15 Pro", "Pro", ITEM),
        ("Amazon Music", "Amazon", ORGANISATION),
        ("Apple Store", "Apple", ORGANISATION),
        ("Napoleon I", "I", PERSON),
    ],
)
def test_a_part_of_a_name_is_not_short_for_it(full: str, short: str, type: EntityType) -> None:
    assert len(entities(said(1, full, short, type=type))) == 2


@pytest.mark.parametrize(("one", "other"), [("Vienna", "Wien"), ("Köln", "Cologne"), ("Deutschland", "Germany")])
def test_a_town_is_one_in_all_languages(one: str, other: str) -> None:
    assert len(entities([*said(1, one, type=PLACE), *said(2, other, type=PLACE)])) == 1
    assert len(entities([*said(1, one), *said(2, other)])) == 2


def test_a_slip_is_seldom() -> None:
    often = [*said(1, "Carla Jensen", count=5), *said(2, "Carla Jesnen", count=5)]
    assert len(entities(often)) == 2
    assert len(entities([*often[:1], *said(2, "Carla Jesnen"), *said(2, "Carla")])) == 1


def test_a_person_and_a_city_of_one_name_stay_apart_where_both_are_clear() -> None:
    rows = [*said(1, "Austin", count=3), *said(2, "austin", type=PLACE, count=3)]
    assert entities(rows) == {"austin|person": {(1, "austin")}, "austin|place": {(2, "austin")}}
    once = [*said(1, "Austin", count=8), *said(2, "austin", type=PLACE)]
    assert entities(once) == {"austin": {(1, "austin"), (2, "austin")}}


def test_a_bare_name_of_a_place_does_not_stand_for_a_person() -> None:
    rows = [*said(1, "Austin Miller"), *said(1, "Austin", type=PLACE, count=3)]
    assert len(entities(rows)) == 2


def test_a_firm_that_is_taken_for_a_product_is_one() -> None:
    (one,) = entities(
        [*said(1, "Spotify", type=ORGANISATION, count=4), *said(2, "spotify", type=ITEM, count=4)]
    ).values()
    assert len(one) == 2


def test_a_noun_is_the_only_name_that_it_is_called() -> None:
    rows = [*said(1, "my sister", is_named=False), *said(2, "my sister", is_named=False), *said(3, "Anna", "Anna Chen")]
    assert len(entities(rows)) == 2
    joined = entities(rows, [(1, "my sister", "Anna"), (2, "my sister", "Anna Chen")])
    assert joined == {"anna chen": {(1, "my sister"), (2, "my sister"), (3, "anna"), (3, "anna chen")}}


def test_the_person_themselves_has_a_key_and_their_names() -> None:
    rows = [*said(1, "Max", "Max Weber"), *said(2, "Max Planck", "max"), *said(3, "I")]
    assert entities(rows, self_names=["Max Weber"]) == {
        "i": {(1, "max"), (1, "max weber"), (3, "i")},
        "max planck": {(2, "max planck"), (2, "max")},
    }
    assert entities(said(1, "Max Planck", "Max"), self_names=["Max"]) == {
        "i": {(1, "max")},
        "max planck": {(1, "max planck")},
    }
    (alone,) = resolve([])
    assert (alone.key, alone.name, alone.members) == ("i", "I", ())


def test_the_person_is_called_what_they_say() -> None:
    assert entities(said(1, "Maxine"), [(1, "I", "Maxine")]) == {"i": {(1, "maxine")}}


def test_what_a_person_merged_is_one_and_goes_by_the_second() -> None:
    rows = [*said(1, "D-Man"), *said(2, "Derek"), *said(3, "Bob")]
    merge = decision(DecisionVerb.MERGE, "d-man", "Derek")
    assert entities(rows, decisions=[merge]) == {"derek": {(1, "d-man"), (2, "derek")}, "bob": {(3, "bob")}}
    later = [*rows, *said(4, "Derek Hughes")]
    assert entities(later, decisions=[merge])["derek hughes"] == {(1, "d-man"), (2, "derek"), (4, "derek hughes")}


def test_what_a_person_parted_stays_apart() -> None:
    rows = [*said(1, "Derek"), *said(2, "Derek Hughes")]
    split = decision(DecisionVerb.SPLIT, "derek", "Derek Hughes")
    assert len(entities(rows, decisions=[split])) == 2
    assert entities([*rows, *said(1, "Derek Hall")], decisions=[split])["derek hall"] == {
        (1, "derek"),
        (1, "derek hall"),
    }


def test_what_a_person_parted_in_a_conversation_is_another_there_alone() -> None:
    rows = [*said(1, "Anna"), *said(2, "Anna"), *said(3, "Anna")]
    split = decision(DecisionVerb.SPLIT, "anna", "Anna (2)", conversations=(2,), is_partial=True)
    assert entities(rows, decisions=[split]) == {"anna": {(1, "anna"), (3, "anna")}, "anna (2)": {(2, "anna")}}


def test_what_a_person_renamed_has_the_name_and_takes_up_who_is_called_so() -> None:
    rows = [*said(1, "Biscuit", type=ITEM), *said(2, "Sir Biscuit the Great", type=ITEM)]
    rename = decision(DecisionVerb.RENAME, "biscuit", "Lord Biscuit", type=ITEM, other_type=ITEM)
    names = {each.key: each.name for each in resolved([*rows, *said(3, "lord biscuit", type=ITEM)], decisions=[rename])}
    assert names["lord biscuit"] == "Lord Biscuit"
    assert len(entities([*rows, *said(3, "lord biscuit", type=ITEM)], decisions=[rename])) == 2


def test_a_name_given_to_somebody_does_not_take_up_who_is_only_called_so() -> None:
    rows = [*said(1, "Derek"), *said(2, "Sarah Chen", "Sarah")]
    rename = decision(DecisionVerb.RENAME, "derek", "Sarah")
    assert len(entities(rows, decisions=[rename])) == 2


def test_what_was_merged_by_mistake_is_parted_by_its_name() -> None:
    rows = [*said(1, "D-Man"), *said(2, "Derek Hughes"), *said(3, "Derek")]
    decisions = [
        decision(DecisionVerb.MERGE, "d-man", "Derek Hughes", id=1),
        decision(DecisionVerb.SPLIT, "D-Man", "Derek Hughes", id=2),
    ]
    parted = entities(rows, decisions=decisions)
    assert parted == {"d-man": {(1, "d-man")}, "derek hughes": {(2, "derek hughes"), (3, "derek")}}
    assert entities(rows, decisions=[*decisions, decision(DecisionVerb.MERGE, "D-Man", "Derek Hughes", id=3)]) != parted


def test_who_is_parted_in_a_conversation_may_be_somebody_known() -> None:
    rows = [*said(1, "Anna"), *said(2, "Anna"), *said(3, "Berta")]
    split = decision(DecisionVerb.SPLIT, "anna", "Berta", conversations=(2,), is_partial=True)
    assert entities(rows, decisions=[split]) == {"anna": {(1, "anna")}, "berta": {(2, "anna"), (3, "berta")}}


def test_an_undone_decision_decides_nothing() -> None:
    rows = [*said(1, "D-Man"), *said(2, "Derek")]
    undone = decision(DecisionVerb.MERGE, "d-man", "Derek", undone_at=decision(DecisionVerb.MERGE, "a", "b").decided_at)
    assert len(entities(rows, decisions=[undone])) == 2


def test_claims_and_decisions_tie_families() -> None:
    called = [(1, "my sister", "anna"), (2, "anna chen", "annie")]
    merge = decision(DecisionVerb.MERGE, "annie", "Nan")
    assert families_reached(["sister"], called, [merge]) == {"sister", "anna", "annie", "nan"}
    assert families_reached(["derek"], called, [merge]) == {"derek"}


_FIRST = ["Sarah", "Derek", "Anna", "Austin"]
_SAID = [
    *[f"{first}{last}" for first in _FIRST for last in ("", " H.", " Hughes", " Hall", " Miller", " Huhges")],
    "my sister",
    "my dog",
    "Rex",
    "Dr Sato",
    "Mrs Weber",
    "Weber",
    "Hughes",
    "Hall",
    "Wien",
    "Vienna",
]


@pytest.mark.parametrize("seed", range(200))
def test_the_order_of_rows_and_the_families_beside_do_not_matter(seed: int) -> None:
    chance = random.Random(seed)
    rows = [
        row
        for conversation in range(1, 9)
        for name in chance.sample(_SAID, 6)
        for row in said(
            conversation,
            name,
            type=chance.choice([PERSON, PERSON, PLACE]),
            count=chance.randint(1, 3),
            is_named=not name.startswith("my "),
        )
    ]
    called = [(chance.randint(1, 8), noun, chance.choice(["rex", "anna"])) for noun in ("my sister", "my dog")]
    decisions = [
        decision(DecisionVerb.MERGE, "rex", "Anna", id=1),
        decision(DecisionVerb.SPLIT, "sarah", "Sarah Hall", id=2),
    ][: chance.randint(0, 2)]
    whole = resolve(rows, called, decisions, families=families(rows))
    chance.shuffle(rows)
    assert resolve(rows, called[::-1], decisions[::-1], families=families(rows)) == whole
    assert sorted(member for each in whole for member in each.members) == sorted(
        (row.conversation_id, row.folded) for row in rows
    )
    stored = families(rows)
    reached = _reached({family_of("sarah"), "sister"}, stored, called, decisions)
    part = [row for row in rows if stored[row.conversation_id, row.folded] in reached]
    assert set(resolve(part, called, decisions, families=stored)) <= set(whole)


def _reached(
    some: set[str], stored: dict[tuple[int, str], str], called: list[tuple[int, str, str]], decisions: list[Decision]
) -> frozenset[str]:
    """Follow claims, decisions, and names that have rows in several families."""
    reached = frozenset(some)
    decided = {fold_name(name) for each in decisions for name in (each.name, each.other)}
    while True:
        names = {folded for (_, folded), family in stored.items() if family in reached}
        names |= {name for call in called for name in call[1:] if family_of(name) in reached}
        names |= {name for name in decided if family_of(name) in reached}
        sharing = {family for (_, folded), family in stored.items() if folded in names}
        found = families_reached(reached | sharing | set(map(family_of, names)), called, decisions)
        if found == reached:
            return reached
        reached = found


def test_what_is_called_by_a_name_that_is_called_by_another_is_all_one() -> None:
    rows = said(1, "Mona", "Nina", type=ITEM) + said(1, "my dog", type=ITEM, is_named=False)
    rows += said(1, "Zora") + said(1, "my sister", is_named=False)
    called = [(1, "my dog", "Mona"), (1, "Mona", "Nina"), (1, "my sister", "Zora"), (1, "Zora", "Mona")]
    assert len(entities(rows, called)) == 1


def test_a_sister_and_a_friend_of_one_first_name_are_two() -> None:
    rows = [*said(1, "Anna", "my sister"), *said(2, "Anna Kowalska", "my friend")]
    found = entities(rows, [(1, "my sister", "anna"), (2, "my friend", "anna kowalska")])
    assert {(1, "anna"), (1, "my sister")} in found.values()
    assert {(2, "anna kowalska"), (2, "my friend")} in found.values()


def test_who_is_said_to_be_a_friend_is_no_fuller_name_of_another_conversation() -> None:
    rows = [*said(1, "Anna", "my friend"), *said(2, "Anna Kowalska", "Anna")]
    found = entities(rows, [(1, "my friend", "anna")])
    assert {(2, "anna kowalska"), (2, "anna")} in found.values()
