"""Which names are of one entity: how they are folded, whom they may be short for, and what was decided."""

from __future__ import annotations

import random
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from palace import EntityType
from palace.graph.resolve import Resolved, families_in, families_reached, family_of, fold_name, resolve
from palace.models.graph import Alias, Decision, DecisionVerb
from tests.text.tables import misread, tables

TABLES = tables("resolution", of="graph")

PERSON, PLACE, ITEM = EntityType.PERSON, EntityType.PLACE, EntityType.ITEM
ORGANISATION, PROJECT = EntityType.ORGANISATION, EntityType.PROJECT
DECIDED_AT = datetime(2026, 5, 1, tzinfo=UTC)


def said(
    conversation_id: int, *names: str, type: EntityType = PERSON, count: int = 1, is_named: bool = True
) -> list[Alias]:
    """Make rows of names that a conversation says."""
    return [Alias(conversation_id, fold_name(name), name, type, is_named, count) for name in names]


def decision(verb: DecisionVerb, name: str, other: str, *, id: int = 1, **fields: Any) -> Decision:
    """Make a decision about persons, unless ``fields`` say otherwise."""
    about: dict[str, Any] = {"type": PERSON, "other_type": PERSON, "decided_at": DECIDED_AT} | fields
    return Decision(id, verb, fold_name(name), other=other, **about)


def families(rows: Sequence[Alias]) -> dict[tuple[int, str], str]:
    """Give the family of each row, by all that its conversation says."""
    conversations: dict[int, list[Alias]] = {}
    for row in rows:
        conversations.setdefault(row.conversation_id, []).append(row)
    return {
        (number, folded): family
        for number, same in conversations.items()
        for folded, family in families_in(same).items()
    }


def resolved(
    rows: Sequence[Alias],
    called: Sequence[tuple[int, str, str]] = (),
    decisions: Sequence[Decision] = (),
    self_names: Sequence[str] = (),
) -> list[Resolved]:
    """Resolve, with the names of claims as they are written."""
    folded = [(conversation, fold_name(noun), fold_name(name)) for conversation, noun, name in called]
    return resolve(rows, folded, decisions, self_names=self_names, families=families(rows))


def entities(rows: Sequence[Alias], *given: Any, **named: Any) -> dict[str, set[tuple[int, str]]]:
    """Resolve, and list the rows of each by key; the person themselves only where they have any."""
    return {each.key: set(each.members) for each in resolved(rows, *given, **named) if each.members}


def test_a_name_is_folded_and_has_a_family() -> None:
    def folded(name: str) -> list[str]:
        return [fold_name(name), family_of(fold_name(name))]

    assert misread(folded, TABLES["folded"].items()) == []
    assert misread(fold_name, [(name, name) for name, _ in TABLES["folded"].values()]) == []


def test_spellings_and_short_names_of_the_only_fuller_one_are_one_and_names_that_are_only_alike_stay_apart() -> None:
    for one, other, kind in TABLES["one"]:
        type_ = EntityType(kind)
        assert len(entities(said(1, one, type=type_) + said(2, other, type=type_))) == 1, (one, other)
    for one, other, kind in TABLES["apart"]:
        assert len(entities(said(1, one, other, type=EntityType(kind)))) == 2, (one, other)


def test_a_name_is_short_for_the_only_one_of_its_conversation_and_elsewhere_then() -> None:
    for full, short, type_ in (
        ("Skoda Octavia", "Octavia", ITEM),
        ("Project Kepler", "kepler", PROJECT),
        ("Royal Institute of Technology", "RIT", ORGANISATION),
        ("Derek Hughes", "Mr Hughes", PERSON),
        ("Hanneke de Wit", "de Wit", PERSON),
    ):
        together, elsewhere = said(1, full, short, type=type_), said(2, short, type=type_)
        assert len(entities(together)) == 1, short
        assert len(entities([*together, *elsewhere])) == 1, short
        assert len(entities([*said(1, full, type=type_), *elsewhere])) == 2, short


def test_a_name_that_may_be_short_for_two_stays() -> None:
    rows = said(1, "Skoda Octavia", "Seat Octavia", "Octavia", type=ITEM)
    assert len(entities([*rows, *said(2, "Octavia", type=ITEM)])) == 3
    apart = [*said(1, "Skoda Octavia", "Octavia", type=ITEM), *said(2, "Seat Octavia", "Octavia", type=ITEM)]
    assert entities([*apart, *said(3, "Octavia", type=ITEM)])["octavia"] == {(3, "octavia")}


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


def test_a_person_and_a_city_of_one_name_stay_apart_where_both_are_clear() -> None:
    rows = [*said(1, "Austin", count=3), *said(2, "austin", type=PLACE, count=3)]
    assert entities(rows) == {"austin|person": {(1, "austin")}, "austin|place": {(2, "austin")}}
    once = [*said(1, "Austin", count=8), *said(2, "austin", type=PLACE)]
    assert entities(once) == {"austin": {(1, "austin"), (2, "austin")}}
    assert len(entities([*said(1, "Austin Miller"), *said(1, "Austin", type=PLACE, count=3)])) == 2


def test_a_noun_is_the_only_name_that_it_is_called() -> None:
    rows = [*said(1, "my sister", is_named=False), *said(2, "my sister", is_named=False), *said(3, "Anna", "Anna Chen")]
    assert len(entities(rows)) == 2
    joined = entities(rows, [(1, "my sister", "Anna"), (2, "my sister", "Anna Chen")])
    assert joined == {"anna chen": {(1, "my sister"), (2, "my sister"), (3, "anna"), (3, "anna chen")}}


def test_a_noun_is_the_same_in_other_words_and_in_german() -> None:
    rows = [*said(1, "Ngozi"), *said(2, "my mum", is_named=False), *said(3, "meine Mutter", is_named=False)]
    assert len(entities(rows, [(1, "my mother", "Ngozi")])) == 1


def test_a_sister_and_a_friend_of_one_first_name_are_two() -> None:
    rows = [*said(1, "Anna", "my sister"), *said(2, "Anna Kowalska", "my friend")]
    found = entities(rows, [(1, "my sister", "anna"), (2, "my friend", "anna kowalska")])
    assert {(1, "anna"), (1, "my sister")} in found.values()
    assert {(2, "anna kowalska"), (2, "my friend")} in found.values()


def test_the_person_themselves_has_a_key_and_their_names() -> None:
    rows = [*said(1, "Max", "Max Weber"), *said(2, "Max Planck", "max"), *said(3, "I")]
    assert entities(rows, self_names=["Max Weber"]) == {
        "i": {(1, "max"), (1, "max weber"), (3, "i")},
        "max planck": {(2, "max planck"), (2, "max")},
    }
    assert entities(said(1, "Maxine"), [(1, "I", "Maxine")]) == {"i": {(1, "maxine")}}
    (alone,) = resolve([])
    assert (alone.key, alone.name, alone.members) == ("i", "I", ())


def test_the_person_stays_themselves_whatever_is_decided_or_said_of_them() -> None:
    rows = [*said(1, "Nadia", "Bob"), *said(2, "Nadi")]
    decided = [decision(DecisionVerb.MERGE, "i", "Bob", id=1), decision(DecisionVerb.RENAME, "i", "Queen", id=2)]
    (own, *_) = [each for each in resolved(rows, decisions=decided) if each.key == "i"]
    assert (own.name, own.members) == ("I", ((1, "bob"),))
    for called in ([(1, "I", "Nadia"), (2, "Nadia", "Nadi")], [(2, "Nadi", "Nadia"), (1, "I", "Nadia")]):
        (own, *_) = [each for each in resolved(rows, called) if each.key == "i"]
        assert own.name == "I"


def test_what_a_person_merged_is_one_and_goes_by_the_second_until_it_is_undone() -> None:
    rows = [*said(1, "D-Man"), *said(2, "Derek"), *said(3, "Bob")]
    merge = decision(DecisionVerb.MERGE, "d-man", "Derek")
    assert entities(rows, decisions=[merge]) == {"derek": {(1, "d-man"), (2, "derek")}, "bob": {(3, "bob")}}
    later = [*rows, *said(4, "Derek Hughes")]
    assert entities(later, decisions=[merge])["derek hughes"] == {(1, "d-man"), (2, "derek"), (4, "derek hughes")}
    assert len(entities(rows, decisions=[decision(DecisionVerb.MERGE, "d-man", "Derek", undone_at=DECIDED_AT)])) == 3


def test_what_a_person_parted_stays_apart() -> None:
    rows = [*said(1, "Derek"), *said(2, "Derek Hughes")]
    split = decision(DecisionVerb.SPLIT, "derek", "Derek Hughes")
    assert len(entities(rows, decisions=[split])) == 2
    hall = entities([*rows, *said(1, "Derek Hall")], decisions=[split])["derek hall"]
    assert hall == {(1, "derek"), (1, "derek hall")}


def test_what_a_person_parted_in_a_conversation_is_another_there_alone() -> None:
    rows = [*said(1, "Anna"), *said(2, "Anna"), *said(3, "Berta")]
    new = decision(DecisionVerb.SPLIT, "anna", "Anna (2)", conversations=(2,), is_partial=True)
    assert entities(rows[:2], decisions=[new]) == {"anna": {(1, "anna")}, "anna (2)": {(2, "anna")}}
    somebody = decision(DecisionVerb.SPLIT, "anna", "Berta", conversations=(2,), is_partial=True)
    assert entities(rows, decisions=[somebody]) == {"anna": {(1, "anna")}, "berta": {(2, "anna"), (3, "berta")}}


def test_what_a_person_renamed_has_the_name_and_takes_up_who_is_called_so() -> None:
    rows = [*said(1, "Biscuit", type=ITEM), *said(2, "Sir Biscuit the Great", type=ITEM)]
    rows += said(3, "lord biscuit", type=ITEM)
    rename = decision(DecisionVerb.RENAME, "biscuit", "Lord Biscuit", type=ITEM, other_type=ITEM)
    names = {each.key: each.name for each in resolved(rows, decisions=[rename])}
    assert names["lord biscuit"] == "Lord Biscuit"
    assert len(entities(rows, decisions=[rename])) == 2
    others = [*said(1, "Derek"), *said(2, "Sarah Chen", "Sarah")]
    assert len(entities(others, decisions=[decision(DecisionVerb.RENAME, "derek", "Sarah")])) == 2


def test_claims_and_decisions_tie_families() -> None:
    called = [(1, "my sister", "anna"), (2, "anna chen", "annie")]
    merge = decision(DecisionVerb.MERGE, "annie", "Nan")
    assert families_reached(["sister"], called, [merge]) == {"sister", "anna", "annie", "nan"}
    assert families_reached(["derek"], called, [merge]) == {"derek"}


_LAST = ("", " H.", " Hughes", " Hall", " Huhges")
_SAID = [f"{first}{last}" for first in ("Sarah", "Derek", "Anna", "Austin") for last in _LAST]
_SAID += ["my sister", "my dog", "Rex", "Dr Sato", "Mrs Weber", "Weber", "Hughes", "Hall", "Wien", "Vienna"]


def test_the_order_of_rows_and_the_families_beside_do_not_matter() -> None:
    for seed in range(25):
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
        assert resolve(rows, called[::-1], decisions[::-1], families=families(rows)) == whole, seed
        assert sorted(member for each in whole for member in each.members) == sorted(
            (row.conversation_id, row.folded) for row in rows
        )
        stored = families(rows)
        reached = _reached({family_of("sarah"), "sister"}, stored, called, decisions)
        part = [row for row in rows if stored[row.conversation_id, row.folded] in reached]
        assert set(resolve(part, called, decisions, families=stored)) <= set(whole), seed


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
