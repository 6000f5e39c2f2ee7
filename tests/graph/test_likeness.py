"""Pairs that may be one: why, where each is named, and what is not proposed again."""

from __future__ import annotations

import uuid

from palace import DecisionVerb, EntityType, Likeness, Palace, Settings
from palace.testing import HashingEmbedder
from tests.graph.mined import tell

FIRM, ITEM, PLACE = EntityType.ORGANISATION, EntityType.ITEM, EntityType.PLACE


def proposed(palace: Palace) -> dict[tuple[str, str], Likeness]:
    return {(each.one.name, each.other.name): each.likeness for each in palace.entities.suggest()}


def test_names_that_mean_one_thing_are_proposed_and_not_joined(settings: Settings) -> None:
    with Palace.open(settings, user=f"user-{uuid.uuid4()}") as meaningful:
        tell(meaningful, "one", ("Deutsche Bahn", FIRM), ("VW Golf", ITEM), ("Copper Kettle", FIRM), "Hanna Berg")
        tell(meaningful, "two", ("German Rail", FIRM), ("Volkswagen Golf", ITEM), ("Mountain Rescue", FIRM), "Johanna")
        assert proposed(meaningful) == {
            ("German Rail", "Deutsche Bahn"): Likeness.MEANING,
            ("VW Golf", "Volkswagen Golf"): Likeness.MEANING,
        }
        assert len(meaningful.entities.list()) == 8


def test_names_that_are_spelled_alike_or_short_are_proposed_also_by_a_model_that_does_not_answer(
    palace: Palace,
) -> None:
    tell(palace, "one", "Derek Hughes", ("Kubernetes", ITEM), ("Postgres 15", ITEM), "Anna")
    tell(palace, "two", "Hughes", ("Kubernets", ITEM), ("Postgres 16", ITEM), "Hanna")
    alike = {("Hughes", "Derek Hughes"): Likeness.SHORT, ("Kubernets", "Kubernetes"): Likeness.SPELLING}
    assert proposed(palace) == alike
    embedder = palace._opened.embedders.given
    assert isinstance(embedder, HashingEmbedder)
    embedder.fail_on = lambda _text: True
    try:
        assert proposed(palace) == alike
    finally:
        embedder.fail_on = None


def test_a_pair_says_where_each_is_named(palace: Palace) -> None:
    first = tell(palace, "one", ("Brightwater", FIRM))
    tell(palace, "two", ("Brightwater Energy", FIRM))
    latest = tell(palace, "three", ("Brightwater Energy", FIRM), ("Lisbon", PLACE))
    (pair,) = palace.entities.suggest()
    assert pair.likeness is Likeness.SHORT
    assert pair.one_said is not None
    assert pair.other_said is not None
    assert (str(pair.one_said.pointer), pair.one_said.text) == (f"§ {first}/D-001", "one: Brightwater")
    said = (f"§ {latest}/D-001", "three: Brightwater Energy Lisbon")
    assert (str(pair.other_said.pointer), pair.other_said.text) == said


def test_what_was_declined_is_not_proposed_again(palace: Palace) -> None:
    tell(palace, "one", ("Brightwater", FIRM))
    tell(palace, "two", ("Brightwater Energy", FIRM))
    declined = palace.entities.split("brightwater", other="Brightwater Energy")
    assert declined.decision.verb is DecisionVerb.SPLIT
    assert {each.name for each in declined.entities} == {"Brightwater", "Brightwater Energy"}
    assert proposed(palace) == {}
    tell(palace, "three", ("Brightwater Energy", FIRM), ("Brightwater", FIRM))
    assert proposed(palace) == {}
    palace.entities.undo(declined.decision.id)
    assert proposed(palace) == {("Brightwater", "Brightwater Energy"): Likeness.SHORT}
