"""The neighbourhood of an entity."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from palace.graph.walk import Walk, walk
from palace.records import Relation
from tests.graph.relations_made import IDS, made

ANNA = made("I", "sibling_of", "Anna")
PORTO = made("Anna", "lives_in", "Porto")
BRIDGE = made("Bridge House", "located_in", "Porto")
RENT = made("Bridge House", "has_rent", "1,450", is_value=True)
FAMILY = [ANNA, PORTO, BRIDGE, RENT]


def among(relations: Sequence[Relation]) -> Callable[[Collection[int]], list[Relation]]:
    """Give what some entities have part in."""
    return lambda ids: [each for each in relations if each.subject_id in ids or each.object_id in ids]


def around(name: str, relations: Sequence[Relation], hops: int = 9, most: int = 99) -> Walk:
    return walk((IDS[name], name), among(relations), hops=hops, most=most)


def test_each_hop_reaches_one_relation_further_in_either_direction() -> None:
    names = [[each.name for each in around("I", FAMILY, hops).reached] for hops in (0, 1, 2, 3, 4)]
    assert names == [
        ["I"],
        ["I", "Anna"],
        ["I", "Anna", "Porto"],
        ["I", "Anna", "Porto", "Bridge House"],
        ["I", "Anna", "Porto", "Bridge House", "1,450"],
    ]
    assert [each.hops for each in around("I", FAMILY).reached] == [0, 1, 2, 3, 4]


def test_links_say_who_is_the_subject_whichever_way_they_were_walked() -> None:
    found = around("Porto", FAMILY, 1)
    assert [(found.reached[one].name, found.reached[other].name) for one, other, _ in found.links] == [
        ("Anna", "Porto"),
        ("Bridge House", "Porto"),
    ]


def test_the_same_value_of_two_things_does_not_tie_them() -> None:
    same = made("Mill House", "has_rent", "1,450", is_value=True)
    assert [each.name for each in around("Bridge House", [RENT, same]).reached] == ["Bridge House", "1,450"]


def test_a_circle_ends() -> None:
    back = made("Porto", "has_visitor", "I")
    found = around("I", [ANNA, PORTO, back])
    assert sorted(each.name for each in found.reached) == ["Anna", "I", "Porto"]
    assert len(found.links) == 3


def test_one_with_very_many_relations_leaves_room_for_the_others() -> None:
    crowd = [made("Anna", "likes", f"song {number}") for number in range(50)]
    brother = [made("I", "sibling_of", "Tom"), made("Tom", "plays", "cello")]
    found = around("I", [ANNA, *brother, *crowd], 2, most=8)
    assert len(found.reached) == 8
    assert "cello" in {each.name for each in found.reached}
    assert found.left_out == 46


NAMES = st.sampled_from("abcdefgh")


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.tuples(NAMES, NAMES, st.booleans()), max_size=40), st.integers(0, 5), st.integers(1, 12))
def test_a_walk_keeps_its_bounds(pairs: list[tuple[str, str, bool]], hops: int, most: int) -> None:
    relations = [
        made(one, "likes", other, is_value=is_value, number=number)
        for number, (one, other, is_value) in enumerate(pairs)
    ]
    IDS.setdefault("a", len(IDS) + 1)
    found = around("a", relations, hops, most)
    assert len(found.reached) <= most
    assert max(each.hops for each in found.reached) <= hops
    assert [each.hops for each in found.reached] == sorted(each.hops for each in found.reached)
    entities = [each.entity_id for each in found.reached if each.entity_id is not None]
    assert len(entities) == len(set(entities))
    for subject, target, relation in found.links:
        assert found.reached[subject].entity_id == relation.subject_id
        assert found.reached[target].entity_id == relation.object_id
        assert abs(found.reached[subject].hops - found.reached[target].hops) <= 1
